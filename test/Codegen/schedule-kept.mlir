// RUN: ew-opt %s --ew-schedule | FileCheck %s
// RUN: ew-opt %s --ew-schedule="choice=unroll=2" 2>&1 | FileCheck %s --check-prefix=CHOICE
// RUN: ew-opt %s --ew-schedule=target=cpu 2>&1 | FileCheck %s --check-prefix=CPU
// RUN: ew-opt %s --ew-to-nvvm=chip=sm_90 | FileCheck %s --check-prefix=NVVM
// RUN: sed 's/ew.schedule = #ew.schedule<.*]>}/ew.schedule = 3 : i32}/' %s | not ew-opt --ew-schedule 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: sed 's/elements = 2, unroll = 1/elements = 64, unroll = 16/' %s | not ew-opt --ew-schedule 2>&1 | FileCheck %s --check-prefix=MUCH
// RUN: sed 's/dense, dense/column, dense/' %s | not ew-opt --ew-schedule 2>&1 | FileCheck %s --check-prefix=ACCESS

// A schedule that somebody wrote stays; numbers that are chosen for every kernel stand before it.
// CHECK: ew.schedule = #ew.schedule<block = 64, elements = 2, unroll = 1, collapse = [1], access = [dense, dense], variants = [<"only", contiguous = false, alignment = 1, multiple = 1, index_width = 64>]>
// CHOICE: {{.*}}schedule-kept.mlir:27:8: remark: schedule unroll=2 was chosen: it takes the place of the ew.schedule that stands here
// CHOICE: ew.schedule = #ew.schedule<block = 256, elements = 4, unroll = 2,
// CPU: {{.*}}schedule-kept.mlir:27:8: warning: the ew.schedule that stands here is for a GPU (blocks of threads), and this compiles for a CPU: the policy's takes its place
// CPU: ew.schedule = #ew.schedule<block = 1,
// NONE: error: 'linalg.generic' op has an ew.schedule that is none
// MUCH: error: 'linalg.generic' op has a schedule that cannot be compiled: a thread would take 1024 elements at once (elements times unroll), for which its operands alone need 2048 registers: a thread has 255, and code for more than 1024 is not compiled; here elements times unroll may be at most 512
// ACCESS: error: 'linalg.generic' op has a schedule that takes operand 0 as 'column'

// Neither what is before it nor what comes after becomes part of the kernel.
// NVVM-DAG: llvm.func @f_0_neg_wide(
// NVVM-DAG: llvm.func @f_1_only({{.*}}gpu.known_block_size = array<i32: 64, 1, 1>
// NVVM-DAG: llvm.func @f_2_exp_wide(
// NVVM-NOT: llvm.func @f_1_{{[^o]}}
#id = affine_map<(d0) -> (d0)>
func.func @f(%x: tensor<?xf32>, %e: tensor<?xf32>) -> tensor<?xf32> {
  %n = ew.neg %x : tensor<?xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%n : tensor<?xf32>) outs(%e : tensor<?xf32>)
      attrs = {ew.schedule = #ew.schedule<block = 64, elements = 2, unroll = 1, collapse = [1], access = [dense, dense], variants = [<"only", contiguous = false, alignment = 1, multiple = 1, index_width = 64>]>} {
  ^bb0(%a: f32, %o: f32):
    %0 = ew.sqrt %a : f32
    linalg.yield %0 : f32
  } -> tensor<?xf32>
  %s = ew.exp %r : tensor<?xf32>
  return %s : tensor<?xf32>
}
