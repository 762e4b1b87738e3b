// RUN: ew-opt %s --ew-lower-math="target=nvptx chip=sm_90" | FileCheck %s
// RUN: ew-opt %s --ew-lower-math="target=cpu" | FileCheck %s

// Angles of 2^16 and more are reduced lane by lane in a loop that nothing unrolls:
// its code is there once, not for every lane.

// CHECK: #[[UNROLL:.*]] = #llvm.loop_unroll<disable = true>
// CHECK: #[[STAYS:.*]] = #llvm.loop_annotation<unroll = #[[UNROLL]]>

// CHECK-LABEL: func.func @sin
// CHECK: scf.if
// CHECK: scf.for
// CHECK-COUNT-3: "llvm.fshl"{{.*}} : (i32, i32, i32) -> i32
// CHECK-NOT: llvm.fshl
// CHECK: loop_annotation = #[[STAYS]]
func.func @sin(%x: vector<4xf32>) -> vector<4xf32> {
  %0 = ew.sin %x : vector<4xf32>
  return %0 : vector<4xf32>
}

// CHECK-LABEL: func.func @one
// CHECK-NOT: scf.for
// CHECK: return
func.func @one(%x: f32) -> f32 {
  %0 = ew.sin %x : f32
  return %0 : f32
}
