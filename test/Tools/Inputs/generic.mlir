#identity = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>
#column = affine_map<(d0, d1) -> (d0)>
func.func @f(%x: tensor<?x?xf32>, %r: tensor<?xf32>, %c: tensor<?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.generic {indexing_maps = [#identity, #row, #column, #identity], iterator_types = ["parallel", "parallel"]}
      ins(%x, %r, %c : tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>) outs(%x : tensor<?x?xf32>) {
  ^bb0(%a: f32, %b: f32, %d: f32, %out: f32):
    %i = linalg.index 1 : index
    %j = arith.index_cast %i : index to i32
    %k = arith.uitofp %j : i32 to f32
    %1 = arith.addf %a, %b : f32
    %2 = arith.mulf %1, %d : f32
    %3 = arith.addf %2, %k : f32
    linalg.yield %3 : f32
  } -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
