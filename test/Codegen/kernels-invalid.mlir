// RUN: ew-opt %s --ew-schedule --ew-to-gpu -split-input-file -verify-diagnostics

#id = affine_map<(d0) -> (d0)>
func.func @captures(%x: tensor<?xf32>, %s: f32, %e: tensor<?xf32>) -> tensor<?xf32> {
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<?xf32>) outs(%e : tensor<?xf32>) {
  ^bb0(%a: f32, %o: f32):
    // expected-error @below {{a kernel's body may use only its arguments and constants}}
    %0 = ew.mul %a, %s : f32
    linalg.yield %0 : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

#id = affine_map<(d0) -> (d0)>
func.func private @g(f32) -> f32
func.func @calls(%x: tensor<?xf32>, %e: tensor<?xf32>) -> tensor<?xf32> {
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<?xf32>) outs(%e : tensor<?xf32>) {
  ^bb0(%a: f32, %o: f32):
    // expected-error @below {{'func.call' is not an elementwise function}}
    %0 = func.call @g(%a) : (f32) -> f32
    linalg.yield %0 : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}
