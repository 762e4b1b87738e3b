// RUN: ew-opt %s --ew-schedule -split-input-file | FileCheck %s

// One side may turn out to be short: tiles that are long the other way.
// CHECK-LABEL: func @any_channels
// CHECK: block = 512, elements = 8, unroll = 1, collapse = [1, 1, 2], access = [transposed, dense], tile = [64, 64, 1],
// CHECK-SAME: variants = [<"tile32", contiguous = true, alignment = 1, multiple = 1, block = 256, elements = 4, tile = [32, 32], below = 270336, index_width = 32>,
// CHECK-SAME: <"packed64x64"
// CHECK-SAME: <"tile", contiguous = true, alignment = 1, multiple = 1, index_width = 32>,
// CHECK-SAME: <"tile64", contiguous = true, alignment = 1, multiple = 1, index_width = 64>,
// CHECK-SAME: <"tile16x256", contiguous = true, alignment = 1, multiple = 1, block = 256, elements = 16, tile = [16, 256], index_width = 32>,
// CHECK-SAME: <"tile256x16", contiguous = true, alignment = 1, multiple = 1, block = 256, elements = 16, tile = [256, 16], index_width = 32>,
// CHECK-SAME: <"tile4x256", contiguous = true, alignment = 1, multiple = 1, block = 256, elements = 4, tile = [4, 256], index_width = 32>,
// CHECK-SAME: <"tile256x4", contiguous = true, alignment = 1, multiple = 1, block = 256, elements = 4, tile = [256, 4], index_width = 32>,
// CHECK-SAME: <"general1",
#last = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3, d1)>
#id = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
func.func @any_channels(%x: tensor<?x?x?x?xf32>, %e: tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32> {
  %r = linalg.generic {indexing_maps = [#last, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x : tensor<?x?x?x?xf32>) outs(%e : tensor<?x?x?x?xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<?x?x?x?xf32>
  return %r : tensor<?x?x?x?xf32>
}

// -----

// Three channels that are known to be three.
// CHECK-LABEL: func @three_channels
// CHECK: block = 256, elements = 4, unroll = 1, collapse = [1, 1, 2], access = [transposed, dense], tile = [4, 256, 1],
// CHECK-SAME: variants = [<"run4x1024"
// CHECK-SAME: <"tile", contiguous = true, alignment = 1, multiple = 1, index_width = 32>,
// CHECK-SAME: <"tile64", contiguous = true, alignment = 1, multiple = 1, index_width = 64>,
// CHECK-SAME: <"general1",
#last = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3, d1)>
#id = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
func.func @three_channels(%x: tensor<?x?x?x3xf32>, %e: tensor<?x3x?x?xf32>) -> tensor<?x3x?x?xf32> {
  %r = linalg.generic {indexing_maps = [#last, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x : tensor<?x?x?x3xf32>) outs(%e : tensor<?x3x?x?xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<?x3x?x?xf32>
  return %r : tensor<?x3x?x?xf32>
}

// -----

// Both sides are short: no tile would be half full.
// CHECK-LABEL: func @both_short
// CHECK: access = [transposed, dense], variants
#swap = affine_map<(d0, d1, d2) -> (d0, d2, d1)>
#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
func.func @both_short(%x: tensor<?x5x3xf32>, %e: tensor<?x3x5xf32>) -> tensor<?x3x5xf32> {
  %r = linalg.generic {indexing_maps = [#swap, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : tensor<?x5x3xf32>) outs(%e : tensor<?x3x5xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<?x3x5xf32>
  return %r : tensor<?x3x5xf32>
}
