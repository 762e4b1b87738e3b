// RUN: ew-opt %s --ew-fuse --ew-split-complex --verify-diagnostics

func.func @bound(%z: tensor<?xcomplex<f32>>) -> tensor<?xcomplex<f32>> {
  // expected-error @+1 {{'ew.exp' op on 'complex<f32>' has no implementation within 1 unit in the last place: in every mode it is within 7 units in the last place}}
  %0 = ew.exp %z {ew.error_bound = 1.0 : f64} : tensor<?xcomplex<f32>>
  return %0 : tensor<?xcomplex<f32>>
}
