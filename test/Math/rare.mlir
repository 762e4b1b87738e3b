// RUN: ew-opt %s --ew-lower-math="target=nvptx chip=sm_90" | FileCheck %s --check-prefixes=CHECK,GPU
// RUN: ew-opt %s --ew-lower-math="target=cpu" | FileCheck %s --check-prefixes=CHECK,CPU

// What rare operands take stands in a branch; on a GPU, in a loop over the lanes of what
// would else be code and registers for each of them.

// GPU: #[[UNROLL:.*]] = #llvm.loop_unroll<disable = true>
// GPU: #[[STAYS:.*]] = #llvm.loop_annotation<unroll = #[[UNROLL]]>

// CHECK-LABEL: func.func @silu
// CHECK: scf.if
// GPU: scf.for
// GPU-NOT: vector<4x
// GPU: loop_annotation = #[[STAYS]]
// CPU-NOT: scf.for
// CHECK: else
// CHECK: return
func.func @silu(%x: vector<4xf32>) -> vector<4xf32> {
  %0 = ew.silu %x : vector<4xf32>
  return %0 : vector<4xf32>
}

// Of two operands: of both and of the result a lane at a time.
// CHECK-LABEL: func.func @hypot
// CHECK: scf.if
// GPU: scf.for {{.*}} -> (f32, f32, f32, f32, f32, f32)
// CPU-NOT: scf.for
// CHECK: return
func.func @hypot(%x: vector<2xf32>, %y: vector<2xf32>) -> vector<2xf32> {
  %0 = ew.hypot %x, %y : vector<2xf32>
  return %0 : vector<2xf32>
}

// CHECK-LABEL: func.func @one
// CHECK: scf.if
// CHECK-NOT: scf.for
// CHECK: return
func.func @one(%x: f32) -> f32 {
  %0 = ew.silu %x : f32
  return %0 : f32
}
