// RUN: ew-opt %s --ew-split-kernels --split-input-file --verify-diagnostics

#id = affine_map<(d0) -> (d0)>

// One op after another on one value: no part would hold fewer.
func.func @chain(%x: tensor<?xf32>, %e: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @below {{cannot be split into two smaller kernels}}
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<?xf32>) outs(%e : tensor<?xf32>) attrs = {ew.split} {
  ^bb0(%a: f32, %o: f32):
    %1 = ew.exp %a : f32
    %2 = ew.log %1 : f32
    linalg.yield %2 : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

#id = affine_map<(d0) -> (d0)>

// Each cut would have the second part read what the first has overwritten.
func.func @in_place(%x: tensor<?xf32>, %y: tensor<?xf32>, %e: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  // expected-error @below {{cannot be split into two smaller kernels}}
  %0:2 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel"]}
      ins(%x, %y : tensor<?xf32>, tensor<?xf32>) outs(%x, %e : tensor<?xf32>, tensor<?xf32>) attrs = {ew.split} {
  ^bb0(%a: f32, %b: f32, %o: f32, %p: f32):
    %1 = ew.add %a, %b : f32
    %2 = ew.mul %a, %b : f32
    linalg.yield %1, %2 : f32, f32
  } -> (tensor<?xf32>, tensor<?xf32>)
  return %0#0, %0#1 : tensor<?xf32>, tensor<?xf32>
}

// -----

func.func @reduction(%x: tensor<?x?xf32>, %e: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @below {{is no kernel that ew-split-kernels can split}}
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<?x?xf32>) outs(%e : tensor<?xf32>) attrs = {ew.split} {
  ^bb0(%a: f32, %o: f32):
    %1 = ew.add %a, %o : f32
    linalg.yield %1 : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
