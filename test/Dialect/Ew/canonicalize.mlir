// RUN: ew-opt %s --canonicalize --split-input-file | FileCheck %s

// CHECK-LABEL: @identities
// CHECK-NEXT: return %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0
func.func @identities(%x: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>,
                                             tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {
  %one = ew.constant 1.0 : f32
  %ones = ew.broadcast %one like(%x : tensor<?xf32>) : f32 to tensor<?xf32>
  %zero = ew.constant 0.0 : f32
  %zeros = ew.broadcast %zero like(%x : tensor<?xf32>) : f32 to tensor<?xf32>
  %mzero = ew.constant -0.0 : f32
  %mzeros = ew.broadcast %mzero like(%x : tensor<?xf32>) : f32 to tensor<?xf32>
  %0 = ew.mul %ones, %x : tensor<?xf32>
  %1 = ew.add %x, %mzeros : tensor<?xf32>
  %2 = ew.sub %x, %zeros : tensor<?xf32>
  %3 = ew.div %x, %ones : tensor<?xf32>
  %n = ew.neg %x : tensor<?xf32>
  %4 = ew.neg %n : tensor<?xf32>
  %5 = ew.max %x, %x : tensor<?xf32>
  %b = ew.cmp olt, %x, %zeros : tensor<?xf32>
  %6 = ew.select %b, %x, %x : tensor<?xf32>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>,
    tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
}

// -----

// What looks like an identity, but is wrong for a NaN, an infinity or -0.
// CHECK-LABEL: @traps
// CHECK: ew.mul
// CHECK: ew.add
// CHECK: ew.sub %arg0, %[[MZERO:[0-9]+]]
// CHECK: ew.sub %arg0, %arg0
// CHECK: ew.div %arg0, %arg0
// CHECK: ew.cmp oeq, %arg0, %arg0
// CHECK: ew.div
// CHECK: ew.sub
func.func @traps(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>,
                                        tensor<4xf32>, tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) {
  %zero = ew.constant dense<0.0> : tensor<4xf32>
  %mzero = ew.constant dense<-0.0> : tensor<4xf32>
  // NaN and inf times 0; the sign of 0.
  %0 = ew.mul %x, %zero : tensor<4xf32>
  // -0 + 0 = 0.
  %1 = ew.add %x, %zero : tensor<4xf32>
  // -0 - -0 = 0.
  %2 = ew.sub %x, %mzero : tensor<4xf32>
  %3 = ew.sub %x, %x : tensor<4xf32>
  %4 = ew.div %x, %x : tensor<4xf32>
  %5 = ew.cmp oeq, %x, %x : tensor<4xf32>
  %6 = ew.div %zero, %x : tensor<4xf32>
  // 0 - 0 = 0, but -(0) = -0.
  %7 = ew.sub %zero, %x : tensor<4xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>,
    tensor<4xf32>, tensor<4xi1>, tensor<4xf32>, tensor<4xf32>
}

// -----

// Integers have neither.
// CHECK-LABEL: @integers
// CHECK-DAG: %[[Z:.*]] = ew.constant dense<0> : tensor<4xi32>
// CHECK-DAG: %[[T:.*]] = ew.constant dense<true> : tensor<4xi1>
// CHECK: return %[[Z]], %arg0, %[[Z]], %[[T]], %arg0, %[[Z]]
func.func @integers(%x: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi1>, tensor<4xi32>, tensor<4xi32>) {
  %zero = ew.constant dense<0> : tensor<4xi32>
  %ones = ew.constant dense<-1> : tensor<4xi32>
  %0 = ew.mul %x, %zero : tensor<4xi32>
  %1 = ew.add %x, %zero : tensor<4xi32>
  %2 = ew.sub %x, %x : tensor<4xi32>
  %3 = ew.cmp le, %x, %x : tensor<4xi32>
  %4 = ew.and %x, %ones : tensor<4xi32>
  %5 = ew.xor %x, %x : tensor<4xi32>
  return %0, %1, %2, %3, %4, %5 : tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi1>, tensor<4xi32>, tensor<4xi32>
}

// -----

// Dividing by 8 is multiplying by an eighth; a tenth and 2^-127's inverse are not exact.
// CHECK-LABEL: @division
// CHECK-DAG: %[[E:.*]] = ew.constant 1.250000e-01 : f32
// CHECK: ew.mul %arg0, %[[E]]
// CHECK: ew.div
// CHECK: ew.div
func.func @division(%x: f32) -> (f32, f32, f32) {
  %eight = ew.constant 8.0 : f32
  %ten = ew.constant 10.0 : f32
  %tiny = ew.constant 5.877472e-39 : f32
  %0 = ew.div %x, %eight : f32
  %1 = ew.div %x, %ten : f32
  %2 = ew.div %x, %tiny : f32
  return %0, %1, %2 : f32, f32, f32
}

// -----

// CHECK-LABEL: @pow
// CHECK-DAG: ew.square %arg0
// CHECK-DAG: ew.reciprocal %arg0
// CHECK-DAG: ew.square %arg1
// CHECK-DAG: ew.pow
func.func @pow(%x: f32, %i: i32) -> (f32, f32, i32, f32) {
  %two = ew.constant 2.0 : f32
  %itwo = ew.constant 2 : i32
  %mone = ew.constant -1.0 : f32
  // pow(-inf, 0.5) = inf, sqrt(-inf) is a NaN.
  %half = ew.constant 0.5 : f32
  %0 = ew.pow %x, %two : f32
  %1 = ew.pow %x, %mone : f32
  %2 = ew.pow %i, %itwo : i32
  %3 = ew.pow %x, %half : f32
  return %0, %1, %2, %3 : f32, f32, i32, f32
}

// -----

// CHECK-LABEL: @logic
// CHECK: %[[C:.*]] = ew.cmp uge, %arg0, %arg1
// CHECK: %[[S:.*]] = ew.select %arg2, %arg1, %arg0
// CHECK: return %[[C]], %[[S]], %arg2
func.func @logic(%x: f32, %y: f32, %b: i1) -> (i1, f32, i1) {
  %0 = ew.cmp olt, %x, %y : f32
  %1 = ew.not %0 : i1
  %2 = ew.not %b : i1
  %3 = ew.select %2, %x, %y : f32
  %4 = ew.not %2 : i1
  return %1, %3, %4 : i1, f32, i1
}

// -----

// CHECK-LABEL: @exact_casts
// CHECK-DAG: %[[A:.*]] = ew.cast %arg1 : f16 to f64
// CHECK-DAG: %[[B:.*]] = ew.cast %arg2 : i8 to f32
// CHECK: return %arg0, %[[A]], %arg2, %[[B]]
func.func @exact_casts(%x: f32, %h: f16, %i: i8) -> (f32, f64, i8, f32) {
  %0 = ew.cast %x : f32 to f64
  %1 = ew.cast %0 : f64 to f32
  %2 = ew.cast %h : f16 to f32
  %3 = ew.cast %2 : f32 to f64
  %4 = ew.cast %i : i8 to i32
  %5 = ew.cast %4 : i32 to i8
  %6 = ew.cast %4 : i32 to f32
  return %1, %3, %5, %6 : f32, f64, i8, f32
}

// -----

// A rounding stays: also that of a narrow value, which may be computed in f32.
// CHECK-LABEL: @inexact_casts
// CHECK-COUNT-12: ew.cast
// CHECK: return
func.func @inexact_casts(%x: f32, %h: bf16, %i: i8, %u: ui32) -> (f32, bf16, ui32, f32, f32, i8, bf16) {
  %0 = ew.cast %x : f32 to bf16
  %1 = ew.cast %0 : bf16 to f32
  %2 = ew.cast %h : bf16 to f32
  %3 = ew.cast %2 : f32 to bf16
  %4 = ew.cast %u : ui32 to i32
  %5 = ew.cast %4 : i32 to ui32
  %6 = ew.cast %x : f32 to i32
  %7 = ew.cast %6 : i32 to f32
  %8 = ew.cast %x saturate : f32 to f32
  %9 = ew.cast %i : i8 to ui32
  %10 = ew.cast %9 : ui32 to i8
  %11 = ew.cast %h : bf16 to bf16
  return %1, %3, %5, %7, %8, %10, %11 : f32, bf16, ui32, f32, f32, i8, bf16
}

// -----

// Through integers nothing is lost, through floating point a NaN's bits are.
// CHECK-LABEL: @bitcasts
// CHECK-DAG: %[[A:.*]] = ew.bitcast %arg1 : f32 to ui32
// CHECK-DAG: %[[B:.*]] = ew.bitcast %arg0 : i32 to f32
// CHECK-DAG: %[[C:.*]] = ew.bitcast %[[B]] : f32 to i32
// CHECK: return %arg0, %[[A]], %[[C]]
func.func @bitcasts(%i: i32, %x: f32) -> (i32, ui32, i32) {
  %0 = ew.bitcast %i : i32 to ui32
  %1 = ew.bitcast %0 : ui32 to i32
  %2 = ew.bitcast %x : f32 to i32
  %3 = ew.bitcast %2 : i32 to ui32
  %4 = ew.bitcast %i : i32 to f32
  %5 = ew.bitcast %4 : f32 to i32
  return %1, %3, %5 : i32, ui32, i32
}

// -----

// CHECK-LABEL: @views
// CHECK-DAG: %[[S:.*]] = ew.constant dense<2.000000e+00> : tensor<2x3xf32>
// CHECK-DAG: %[[B:.*]] = ew.broadcast %arg0 : tensor<4xf32> to tensor<2x3x4xf32>
// CHECK-DAG: %[[T:.*]] = ew.transpose %arg1 [2, 0, 1] : tensor<2x?x4xf32> to tensor<4x2x?xf32>
// CHECK: return %[[S]], %[[B]], %[[T]], %arg0, %arg2
func.func @views(%x: tensor<4xf32>, %y: tensor<2x?x4xf32>, %z: tensor<?xf32>)
    -> (tensor<2x3xf32>, tensor<2x3x4xf32>, tensor<4x2x?xf32>, tensor<4xf32>, tensor<?xf32>) {
  %c = ew.constant 2.0 : f32
  %0 = ew.broadcast %c : f32 to tensor<2x3xf32>
  %1 = ew.broadcast %x : tensor<4xf32> to tensor<3x4xf32>
  %2 = ew.broadcast %1 : tensor<3x4xf32> to tensor<2x3x4xf32>
  %3 = ew.transpose %y [1, 2, 0] : tensor<2x?x4xf32> to tensor<?x4x2xf32>
  %4 = ew.transpose %3 [1, 2, 0] : tensor<?x4x2xf32> to tensor<4x2x?xf32>
  %5 = ew.broadcast %x : tensor<4xf32> to tensor<4xf32>
  %6 = ew.broadcast %z like(%z : tensor<?xf32>) : tensor<?xf32> to tensor<?xf32>
  return %0, %2, %4, %5, %6 : tensor<2x3xf32>, tensor<2x3x4xf32>, tensor<4x2x?xf32>, tensor<4xf32>, tensor<?xf32>
}

// -----

// What may be stretched at run time is not the operand.
// CHECK-LABEL: @dynamic_views
// CHECK: ew.broadcast
// CHECK: ew.broadcast
// CHECK: ew.broadcast
func.func @dynamic_views(%x: tensor<?xf32>, %y: tensor<?xf32>) -> (tensor<?xf32>, tensor<?x?xf32>) {
  %0 = ew.broadcast %x like(%y : tensor<?xf32>) : tensor<?xf32> to tensor<?xf32>
  %c = ew.broadcast %0 like(%x : tensor<?xf32>) : tensor<?xf32> to tensor<?xf32>
  %t = tensor.empty() : tensor<3x1xf32>
  %1 = ew.broadcast %c like(%t : tensor<3x1xf32>) : tensor<?xf32> to tensor<?x?xf32>
  return %c, %1 : tensor<?xf32>, tensor<?x?xf32>
}
