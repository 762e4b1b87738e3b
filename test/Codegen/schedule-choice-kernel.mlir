// RUN: split-file %s %t
// RUN: ew-opt %t/f.mlir --ew-schedule="choice=block=512" | FileCheck %s
// RUN: ew-opt %t/f.mlir --ew-schedule="target=cpu vector-bytes=32 choice=unroll=100,block=64" | FileCheck %s --check-prefix=CPU
// RUN: not ew-opt %t/many.mlir --ew-schedule 2>&1 | FileCheck %s --check-prefix=MANY
// RUN: not ew-opt %t/number.mlir --ew-schedule 2>&1 | FileCheck %s --check-prefix=NUMBER

// A kernel's own choice stands before the pass' option; the other one has that. On the CPU a task may have more vectors
// than a thread has accesses, and there are no blocks of threads.
// CHECK: ew.schedule = #ew.schedule<block = 64, elements = 2, unroll = 3,
// CHECK: ew.schedule = #ew.schedule<block = 512, elements = 4, unroll = 1,
// CPU: ew.schedule = #ew.schedule<block = 1, elements = 2, unroll = 3,
// CPU: ew.schedule = #ew.schedule<block = 1, elements = 8, unroll = 100,

// MANY: error: 'linalg.generic' op ew.schedule_choice: unroll must be at most 16 on a GPU
// NUMBER: error: 'linalg.generic' op has an ew.schedule_choice that is no string

//--- f.mlir
#id = affine_map<(d0) -> (d0)>
func.func @f(%x: tensor<?xf32>, %e: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<?xf32>) outs(%e : tensor<?xf32>)
      attrs = {ew.schedule_choice = "block=64,elements=2,unroll=3"} {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<?xf32>
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<?xf32>) outs(%e : tensor<?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = ew.neg %a : f32
    linalg.yield %0 : f32
  } -> tensor<?xf32>
  return %r, %s : tensor<?xf32>, tensor<?xf32>
}
//--- many.mlir
#id = affine_map<(d0) -> (d0)>
func.func @f(%x: tensor<?xf32>, %e: tensor<?xf32>) -> tensor<?xf32> {
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<?xf32>) outs(%e : tensor<?xf32>) attrs = {ew.schedule_choice = "unroll=17"} {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}
//--- number.mlir
#id = affine_map<(d0) -> (d0)>
func.func @f(%x: tensor<?xf32>, %e: tensor<?xf32>) -> tensor<?xf32> {
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<?xf32>) outs(%e : tensor<?xf32>) attrs = {ew.schedule_choice = 2 : i32} {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}
