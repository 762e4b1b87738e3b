// RUN: ew-opt %s --ew-lower-math="target=nvptx chip=sm_90 mode=fast" | FileCheck %s
// RUN: ew-opt %s --ew-lower-math="target=nvptx chip=sm_90" | FileCheck %s --check-prefix=DEFAULT
// RUN: ew-opt %s --ew-lower-math="target=cpu mode=fast" | FileCheck %s --check-prefix=CPU

// The hardware's approximations where a relative error of 2^-20 allows them, of quotients and roots 2^-22.
// CPU-NOT: approx

// CHECK-LABEL: func @log
// CHECK: %[[LOG:.*]] = llvm.call_intrinsic "llvm.nvvm.lg2.approx.f"(%{{.*}})
// CHECK-NEXT: %[[LN2:.*]] = arith.constant 0.693147182
// CHECK-NEXT: arith.mulf %[[LOG]], %[[LN2]]
// DEFAULT-LABEL: func @log
// DEFAULT-NOT: lg2
func.func @log(%x: f32) -> f32 {
  %0 = ew.log %x : f32
  return %0 : f32
}

// Numbers that are known to be normal are not scaled.
// CHECK-LABEL: func @log_of_normal
// CHECK: lg2.approx.ftz.f
func.func @log_of_normal(%x: f32) -> f32 {
  %one = ew.constant 1.0 : f32
  %0 = ew.abs %x : f32
  %1 = ew.add %0, %one : f32
  %2 = ew.log %1 : f32
  return %2 : f32
}

// CHECK-LABEL: func @div
// CHECK: rcp.approx.ftz
// CHECK: scf.if
// CHECK: arith.divf
// DEFAULT-LABEL: func @div
// DEFAULT-NEXT: arith.divf
func.func @div(%x: f32, %y: f32) -> f32 {
  %0 = ew.div %x, %y : f32
  return %0 : f32
}

// CHECK-LABEL: func @sqrt
// CHECK: "llvm.nvvm.sqrt.approx.f"
func.func @sqrt(%x: f32) -> f32 {
  %0 = ew.sqrt %x : f32
  return %0 : f32
}

// What is rounded correctly stays so.
// CHECK-LABEL: func @sum
// CHECK-NEXT: arith.mulf
// CHECK-NEXT: arith.addf
func.func @sum(%x: f32, %y: f32) -> f32 {
  %0 = ew.mul %x, %y : f32
  %1 = ew.add %0, %y : f32
  return %1 : f32
}

// No branch for large angles where there are none.
// CHECK-LABEL: func @sin_of_tanh
// CHECK-NOT: scf.if
// CPU-LABEL: func @sin_of_tanh
func.func @sin_of_tanh(%x: f32) -> f32 {
  %0 = ew.tanh %x : f32
  %1 = ew.sin %0 : f32
  return %1 : f32
}

// A bound that is stated is one of ulps, which those do not keep, and of an op in f64 no mode changes it.
// CHECK-LABEL: func @bounded
// CHECK-NOT: lg2
func.func @bounded(%x: f32) -> f32 {
  %0 = ew.log %x {ew.error_bound = 8.0 : f64} : f32
  return %0 : f32
}

// An op's own mode comes before that of its function, and that before the program's.
// CHECK-LABEL: func @own_mode
// CHECK: sqrt.approx
// CHECK-NOT: approx
// DEFAULT-LABEL: func @own_mode
// DEFAULT: sqrt.approx
// DEFAULT-NOT: approx
func.func @own_mode(%x: f32) -> f32 attributes {ew.mode = "strict"} {
  %0 = ew.sqrt %x {ew.mode = "fast"} : f32
  %1 = ew.exp %0 : f32
  return %1 : f32
}
