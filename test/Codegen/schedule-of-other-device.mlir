// RUN: not ew-opt %s --ew-to-cpu 2>&1 | FileCheck %s
// RUN: not ew-opt %s --ew-schedule --ew-to-cpu 2>&1 | FileCheck %s
// RUN: sed 's/block = 128/block = 1/' %s | not ew-opt --ew-to-gpu 2>&1 | FileCheck %s --check-prefix=GPU

// Kernels are built for the kind of device that their schedule is of.
// CHECK: :{{[0-9]+}}:8: error: 'linalg.generic' op is not scheduled for the CPU
// GPU: :{{[0-9]+}}:8: error: 'linalg.generic' op is not scheduled for a GPU
#id = affine_map<(d0) -> (d0)>
func.func @f(%x: tensor<?xf32>, %e: tensor<?xf32>) -> tensor<?xf32> {
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<?xf32>) outs(%e : tensor<?xf32>)
      attrs = {ew.schedule = #ew.schedule<block = 128, elements = 2, unroll = 1, collapse = [1], access = [dense, dense], variants = [<"general", contiguous = false, alignment = 1, multiple = 1, index_width = 64>]>} {
  ^bb0(%a: f32, %o: f32):
    %0 = ew.sqrt %a : f32
    linalg.yield %0 : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}
