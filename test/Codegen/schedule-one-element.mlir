// RUN: ew-opt %s --ew-schedule="choice=elements=1" --ew-to-gpu | FileCheck %s

// Single elements of one byte have no alignment, so there is no version of fewer accesses.
// CHECK: variants = [<"wide", contiguous = true, alignment = 1, multiple = 1, index_width = 64>
// CHECK: gpu.func @exp_0_wide(
#id = affine_map<(d0) -> (d0)>
func.func @exp(%x: tensor<?xf8E5M2>, %e: tensor<?xf8E5M2>) -> tensor<?xf8E5M2> {
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<?xf8E5M2>) outs(%e : tensor<?xf8E5M2>) {
  ^bb0(%a: f8E5M2, %o: f8E5M2):
    %0 = ew.exp %a : f8E5M2
    linalg.yield %0 : f8E5M2
  } -> tensor<?xf8E5M2>
  return %r : tensor<?xf8E5M2>
}
