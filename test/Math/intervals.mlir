// RUN: ew-opt %s --ew-lower-math="target=nvptx chip=sm_90" | FileCheck %s

// What cannot happen is left out. A clamped value is within f8E4M3FN and i8.
// CHECK-LABEL: func @clamped
// CHECK-COUNT-2: nvvm.convert.f32x2.to.f8x2
// CHECK-NOT: arith.select
// CHECK: llvm.nvvm.f2i.rz
// CHECK-NOT: arith.maxsi
// CHECK: return
func.func @clamped(%x: vector<4xf32>) -> (vector<4xf8E4M3FN>, vector<4xi8>) {
  %low = ew.constant dense<-100.0> : vector<4xf32>
  %high = ew.constant dense<100.0> : vector<4xf32>
  %0 = ew.clamp %x, %low, %high : vector<4xf32>
  %1 = ew.cast %0 : vector<4xf32> to vector<4xf8E4M3FN>
  %2 = ew.cast %0 : vector<4xf32> to vector<4xi8>
  return %1, %2 : vector<4xf8E4M3FN>, vector<4xi8>
}

// Nothing is known of an argument, and limits may be too wide.
// CHECK-LABEL: func @unknown
// CHECK: nvvm.convert.f32x2.to.f8x2
// CHECK: arith.select
// CHECK: llvm.nvvm.f2i.rz
// CHECK: arith.maxsi
func.func @unknown(%x: f32) -> (f8E4M3FN, i8) {
  %low = ew.constant -500.0 : f32
  %high = ew.constant 500.0 : f32
  %0 = ew.clamp %x, %low, %high : f32
  %1 = ew.cast %0 : f32 to f8E4M3FN
  %2 = ew.cast %0 : f32 to i8
  return %1, %2 : f8E4M3FN, i8
}

// A hyperbolic tangent is no large angle.
// CHECK-LABEL: func @small_angle
// CHECK-NOT: scf.if
// CHECK: return
func.func @small_angle(%x: f32) -> f32 {
  %0 = ew.tanh %x : f32
  %1 = ew.sin %0 : f32
  return %1 : f32
}

// What is known to be normal, or of moderate size, takes no branch for rare operands.
// CHECK-LABEL: func @moderate
// CHECK-NOT: scf.if
// CHECK: return
func.func @moderate(%x: i8) -> (f32, f32) {
  %low = ew.constant 1.0 : f32
  %high = ew.constant 80.0 : f32
  %0 = ew.cast %x : i8 to f32
  %1 = ew.clamp %0, %low, %high : f32
  %2 = ew.log %1 : f32
  %3 = ew.exp %1 : f32
  return %2, %3 : f32, f32
}

// CHECK-LABEL: func @any
// CHECK: scf.if
func.func @any(%x: f32) -> f32 {
  %0 = ew.log %x : f32
  return %0 : f32
}

// CHECK-LABEL: func @large_angle
// CHECK: scf.if
func.func @large_angle(%x: f32) -> f32 {
  %0 = ew.abs %x : f32
  %1 = ew.sqrt %0 : f32
  %2 = ew.sin %1 : f32
  return %2 : f32
}

// An infinity that saturates is the largest number, and a large angle.
// CHECK-LABEL: func @saturated
// CHECK: scf.if
func.func @saturated(%x: f8E5M2) -> f32 {
  %0 = ew.cast %x saturate : f8E5M2 to f32
  %1 = ew.sin %0 : f32
  return %1 : f32
}

// To a sine 10000 is small, to a tangent it is large.
// CHECK-LABEL: func @clamped_sine
// CHECK-NOT: scf.if
// CHECK: return
func.func @clamped_sine(%x: f32) -> f32 {
  %low = ew.constant -10000.0 : f32
  %high = ew.constant 10000.0 : f32
  %0 = ew.clamp %x, %low, %high : f32
  %1 = ew.sin %0 : f32
  return %1 : f32
}
// CHECK-LABEL: func @clamped_tangent
// CHECK: scf.if
// CHECK: return
func.func @clamped_tangent(%x: f32) -> f32 {
  %low = ew.constant -10000.0 : f32
  %high = ew.constant 10000.0 : f32
  %0 = ew.clamp %x, %low, %high : f32
  %1 = ew.tan %0 : f32
  return %1 : f32
}
