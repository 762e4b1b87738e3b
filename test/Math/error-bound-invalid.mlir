// RUN: ew-opt %s --ew-lower-math --split-input-file --verify-diagnostics

func.func @not_a_bound(%x: f32) -> f32 {
  // expected-error @+1 {{has an 'ew.error_bound' that is no floating-point number of 0 or more: 5 : i64}}
  %0 = ew.exp %x {ew.error_bound = 5 : i64} : f32
  return %0 : f32
}

// -----

func.func @nan_bound(%x: f32) -> f32 {
  // expected-error @+1 {{has an 'ew.error_bound' that is no floating-point number of 0 or more: 0x7FF8000000000000 : f64}}
  %0 = ew.exp %x {ew.error_bound = 0x7FF8000000000000 : f64} : f32
  return %0 : f32
}

// -----

func.func @negative_bound(%x: f32) -> f32 {
  // expected-error @+1 {{has an 'ew.error_bound' that is no floating-point number of 0 or more: -1.000000e+00 : f64}}
  %0 = ew.exp %x {ew.error_bound = -1.0 : f64} : f32
  return %0 : f32
}
