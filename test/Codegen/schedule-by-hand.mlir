// RUN: ew-opt %s --ew-to-gpu -split-input-file -verify-diagnostics

// Schedules written by hand.


#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @fill(%x: tensor<?x?xf32>, %e: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{has a schedule with rows that its accesses do not fill}}
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>)
      attrs = {ew.schedule = #ew.schedule<block = 128, elements = 4, unroll = 1, collapse = [1, 1], access = [dense, dense],
        variants = [<"rows", contiguous = true, alignment = 16, multiple = 4, rows = 2, index_width = 32>]>} {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#tr = affine_map<(d0, d1) -> (d1, d0)>
func.func @fill_tile(%x: tensor<?x?xf32>, %e: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{has a schedule with a tile that its block cannot fill}}
  %r = linalg.generic {indexing_maps = [#tr, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>)
      attrs = {ew.schedule = #ew.schedule<block = 128, elements = 4, unroll = 1, collapse = [1, 1], access = [transposed, dense],
        tile = [32, 32, 0], variants = [<"tile", contiguous = true, alignment = 1, multiple = 1, index_width = 64>]>} {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

#id = affine_map<(d0) -> (d0)>
func.func @more(%x: tensor<?xf32>, %e: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{has a schedule with a version of more accesses, or of others than wide ones}}
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<?xf32>) outs(%e : tensor<?xf32>)
      attrs = {ew.schedule = #ew.schedule<block = 128, elements = 4, unroll = 2, collapse = [1], access = [dense, dense],
        variants = [<"few", contiguous = true, alignment = 16, multiple = 1, unroll = 4, below = 1000, index_width = 32>]>} {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}
