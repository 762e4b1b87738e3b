// RUN: ew-opt %s --ew-schedule="choice=unroll=3,block=64,elements=8" | FileCheck %s
// RUN: ew-opt %s --ew-schedule="choice=unroll=2" --ew-to-gpu --canonicalize --cse | FileCheck %s --check-prefix=GPU
// RUN: ew-opt %s --ew-schedule="choice=registers=40" --ew-to-gpu --split-input-file | FileCheck %s --check-prefix=REGISTERS
// RUN: not ew-opt %s --ew-schedule="choice=registers=8" 2>&1 | FileCheck %s --check-prefix=FEW
// RUN: not ew-opt %s --ew-schedule="choice=block=48" 2>&1 | FileCheck %s --check-prefix=BLOCK
// RUN: not ew-opt %s --ew-schedule="choice=elements=3" 2>&1 | FileCheck %s --check-prefix=ELEMENTS
// RUN: not ew-opt %s --ew-schedule="choice=unroll=17" 2>&1 | FileCheck %s --check-prefix=UNROLL
// RUN: not ew-opt %s --ew-schedule="choice=unroll=2,unroll=2" 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not ew-opt %s --ew-schedule="choice=unroll=x" 2>&1 | FileCheck %s --check-prefix=NUMBER
// RUN: not ew-opt %s --ew-schedule="choice=warps=4" 2>&1 | FileCheck %s --check-prefix=NAME

// Numbers in place of the policy's.
// CHECK: ew.schedule = #ew.schedule<block = 64, elements = 8, unroll = 3,

// Of versions of wide accesses only, and of those that take any number of elements.
// REGISTERS: gpu.func @copy_0_wide1(
// REGISTERS-NOT: maxnreg
// REGISTERS: gpu.func @copy_0_wide(
// REGISTERS-SAME: nvvm.maxnreg = 40
// REGISTERS: gpu.func @copy_0_general
// REGISTERS-NOT: maxnreg
// FEW: error: ew-schedule: choice: registers must be from 24 to 255; no thread gets fewer
// BLOCK: error: ew-schedule: choice: block must be a multiple of 32 up to 1024
// ELEMENTS: error: ew-schedule: choice: elements must be a power of two up to 64
// UNROLL: error: ew-schedule: choice: unroll must be at most 16
// TWICE: error: ew-schedule: choice: 'unroll' is given twice
// NUMBER: error: ew-schedule: choice: 'unroll' must be a number above 0, not 'x'
// NAME: error: ew-schedule: choice: a schedule has block, elements, unroll, registers, tile and many, not 'warps'

// All loads of both vectors, then the body on all elements, then the stores.
// GPU-LABEL: gpu.func @copy_0_wide
// GPU: scf.if %{{.*}} {
// GPU-COUNT-2: vector.load {{.*}} vector<4xf32>
// GPU: vector.insert_strided_slice {{.*}} vector<4xf32> into vector<8xf32>
// GPU: vector.insert_strided_slice {{.*}} vector<4xf32> into vector<8xf32>
// GPU: ew.neg %{{.*}} : vector<8xf32>
// GPU-NOT: scf.if
// GPU-COUNT-2: vector.store {{.*}} vector<4xf32>
// What is not whole, one vector after the other.
// GPU: } else {
// GPU: scf.for
// GPU: scf.if %[[FULL:.*]] -> (vector<4xf32>) {
// GPU-COUNT-4: memref.load
// GPU: ew.neg %{{.*}} : vector<4xf32>
// GPU-NOT: ew.neg
// GPU: scf.if %[[FULL]] {
// GPU: vector.store {{.*}} vector<4xf32>
// GPU: } else {
// GPU-COUNT-4: memref.store
// GPU-LABEL: gpu.func @copy_0_dense
#id = affine_map<(d0) -> (d0)>
func.func @copy(%x: tensor<?xf32>, %e: tensor<?xf32>) -> tensor<?xf32> {
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<?xf32>) outs(%e : tensor<?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = ew.neg %a : f32
    linalg.yield %0 : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}
