// RUN: ew-opt %s --ew-raise --split-input-file | FileCheck %s

// What TOSA ops become.

// CHECK-LABEL: func @unary
// CHECK-SAME: %[[X:.*]]:
// CHECK-NEXT: %[[V0:.*]] = ew.abs %[[X]] : tensor<?x4xf32>
// CHECK-NEXT: %[[V1:.*]] = ew.ceil %[[V0]] : tensor<?x4xf32>
// CHECK-NEXT: %[[V2:.*]] = ew.floor %[[V1]] : tensor<?x4xf32>
// CHECK-NEXT: %[[V3:.*]] = ew.reciprocal %[[V2]] : tensor<?x4xf32>
// CHECK-NEXT: %[[V4:.*]] = ew.rsqrt %[[V3]] : tensor<?x4xf32>
// CHECK-NEXT: %[[V5:.*]] = ew.exp %[[V4]] : tensor<?x4xf32>
// CHECK-NEXT: %[[V6:.*]] = ew.log %[[V5]] : tensor<?x4xf32>
// CHECK-NEXT: %[[V7:.*]] = ew.sin %[[V6]] : tensor<?x4xf32>
// CHECK-NEXT: %[[V8:.*]] = ew.cos %[[V7]] : tensor<?x4xf32>
// CHECK-NEXT: %[[V9:.*]] = ew.tanh %[[V8]] : tensor<?x4xf32>
// CHECK-NEXT: %[[V10:.*]] = ew.erf %[[V9]] : tensor<?x4xf32>
// CHECK-NEXT: %[[V11:.*]] = ew.sigmoid %[[V10]] : tensor<?x4xf32>
// CHECK-NEXT: return %[[V11]] : tensor<?x4xf32>
func.func @unary(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %0 = tosa.abs %x : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %1 = tosa.ceil %0 : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %2 = tosa.floor %1 : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %3 = tosa.reciprocal %2 : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %4 = tosa.rsqrt %3 : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %5 = tosa.exp %4 : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %6 = tosa.log %5 : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %7 = tosa.sin %6 : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %8 = tosa.cos %7 : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %9 = tosa.tanh %8 : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %10 = tosa.erf %9 : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %11 = tosa.sigmoid %10 : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %12 = tosa.identity %11 : (tensor<?x4xf32>) -> tensor<?x4xf32>
  return %12 : tensor<?x4xf32>
}

// -----

// CHECK-LABEL: func @binary
// CHECK-SAME: %[[X:.*]]:{{.*}}%[[Y:.*]]:
// CHECK-NEXT: %[[V0:.*]] = ew.add %[[X]], %[[Y]] : tensor<4xf32>
// CHECK-NEXT: %[[V1:.*]] = ew.sub %[[V0]], %[[Y]] : tensor<4xf32>
// CHECK-NEXT: %[[V2:.*]] = ew.pow %[[V1]], %[[Y]] : tensor<4xf32>
// CHECK-NEXT: %[[V3:.*]] = ew.max %[[V2]], %[[Y]] : tensor<4xf32>
// CHECK-NEXT: %[[V4:.*]] = ew.min %[[V3]], %[[Y]] : tensor<4xf32>
// CHECK-NEXT: %[[V5:.*]] = ew.maxnum %[[V4]], %[[Y]] : tensor<4xf32>
// CHECK-NEXT: return %[[V5]] : tensor<4xf32>
func.func @binary(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = tosa.add %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = tosa.sub %0, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %2 = tosa.pow %1, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %3 = tosa.maximum %2, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %4 = tosa.minimum %3, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %5 = tosa.maximum %4, %y {nan_mode = IGNORE} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %5 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func @integers
// CHECK-SAME: %[[X:.*]]:{{.*}}%[[Y:.*]]:
// CHECK-NEXT: %[[V0:.*]] = ew.div %[[X]], %[[Y]] : tensor<4xi32>
// CHECK-NEXT: %[[V1:.*]] = ew.and %[[V0]], %[[Y]] : tensor<4xi32>
// CHECK-NEXT: %[[V2:.*]] = ew.or %[[V1]], %[[Y]] : tensor<4xi32>
// CHECK-NEXT: %[[V3:.*]] = ew.xor %[[V2]], %[[Y]] : tensor<4xi32>
// CHECK-NEXT: %[[V4:.*]] = ew.not %[[V3]] : tensor<4xi32>
// CHECK-NEXT: %[[V5:.*]] = ew.clz %[[V4]] : tensor<4xi32>
// CHECK-NEXT: %[[V6:.*]] = ew.shl %[[V5]], %[[Y]] : tensor<4xi32>
// CHECK-NEXT: %[[V7:.*]] = ew.shr %[[V6]], %[[Y]] : tensor<4xi32>
// CHECK-NEXT: %[[V8:.*]] = ew.bitcast %[[V7]] : tensor<4xi32> to tensor<4xui32>
// CHECK-NEXT: %[[V9:.*]] = ew.bitcast %[[Y]] : tensor<4xi32> to tensor<4xui32>
// CHECK-NEXT: %[[V10:.*]] = ew.shr %[[V8]], %[[V9]] : tensor<4xui32>
// CHECK-NEXT: %[[V11:.*]] = ew.bitcast %[[V10]] : tensor<4xui32> to tensor<4xi32>
// CHECK-NEXT: return %[[V11]] : tensor<4xi32>
func.func @integers(%x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi32> {
  %0 = tosa.intdiv %x, %y : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %1 = tosa.bitwise_and %0, %y : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %2 = tosa.bitwise_or %1, %y : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %3 = tosa.bitwise_xor %2, %y : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %4 = tosa.bitwise_not %3 : (tensor<4xi32>) -> tensor<4xi32>
  %5 = tosa.clz %4 : (tensor<4xi32>) -> tensor<4xi32>
  %6 = tosa.logical_left_shift %5, %y : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %7 = tosa.arithmetic_right_shift %6, %y {round = false} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %8 = tosa.logical_right_shift %7, %y : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %8 : tensor<4xi32>
}

// -----

// CHECK-LABEL: func @booleans
// CHECK-SAME: %[[X:.*]]:{{.*}}%[[Y:.*]]:
// CHECK-NEXT: %[[V0:.*]] = ew.and %[[X]], %[[Y]] : tensor<4xi1>
// CHECK-NEXT: %[[V1:.*]] = ew.or %[[V0]], %[[Y]] : tensor<4xi1>
// CHECK-NEXT: %[[V2:.*]] = ew.xor %[[V1]], %[[Y]] : tensor<4xi1>
// CHECK-NEXT: %[[V3:.*]] = ew.not %[[V2]] : tensor<4xi1>
// CHECK-NEXT: return %[[V3]] : tensor<4xi1>
func.func @booleans(%x: tensor<4xi1>, %y: tensor<4xi1>) -> tensor<4xi1> {
  %0 = tosa.logical_and %x, %y : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  %1 = tosa.logical_or %0, %y : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  %2 = tosa.logical_xor %1, %y : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  %3 = tosa.logical_not %2 : (tensor<4xi1>) -> tensor<4xi1>
  return %3 : tensor<4xi1>
}

// -----

// Narrow integers are multiplied in 32 bits.

// CHECK-LABEL: func @mul
// CHECK-SAME: %[[X:.*]]:{{.*}}%[[Y:.*]]:
// CHECK-NEXT: %[[V0:.*]] = ew.cast %[[X]] : tensor<4xi8> to tensor<4xi32>
// CHECK-NEXT: %[[V1:.*]] = ew.cast %[[X]] : tensor<4xi8> to tensor<4xi32>
// CHECK-NEXT: %[[V2:.*]] = ew.mul %[[V0]], %[[V1]] : tensor<4xi32>
// CHECK-NEXT: %[[V3:.*]] = ew.mul %[[Y]], %[[Y]] : tensor<4xf32>
// CHECK-NEXT: return %[[V2]], %[[V3]] : tensor<4xi32>, tensor<4xf32>
func.func @mul(%x: tensor<4xi8>, %y: tensor<4xf32>) -> (tensor<4xi32>, tensor<4xf32>) {
  %shift = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %0 = tosa.mul %x, %x, %shift : (tensor<4xi8>, tensor<4xi8>, tensor<1xi8>) -> tensor<4xi32>
  %1 = tosa.mul %y, %y, %shift : (tensor<4xf32>, tensor<4xf32>, tensor<1xi8>) -> tensor<4xf32>
  return %0, %1 : tensor<4xi32>, tensor<4xf32>
}

// -----

// CHECK-LABEL: func @negate
// CHECK-SAME: %[[X:.*]]:{{.*}}%[[Y:.*]]:
// CHECK-NEXT: %[[V0:.*]] = ew.neg %[[X]] : tensor<4xi32>
// CHECK-NEXT: %[[V1:.*]] = ew.neg %[[Y]] : tensor<4xf32>
// CHECK-NEXT: return %[[V0]], %[[V1]] : tensor<4xi32>, tensor<4xf32>
func.func @negate(%x: tensor<4xi32>, %y: tensor<4xf32>) -> (tensor<4xi32>, tensor<4xf32>) {
  %zero = "tosa.const"() {values = dense<0> : tensor<1xi32>} : () -> tensor<1xi32>
  %fzero = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %0 = tosa.negate %x, %zero, %zero : (tensor<4xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
  %1 = tosa.negate %y, %fzero, %fzero : (tensor<4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<4xi32>, tensor<4xf32>
}

// -----

// CHECK-LABEL: func @clamp
// CHECK-SAME: %[[X:.*]]:{{.*}}%[[I:.*]]:
// CHECK-NEXT: %[[V0:.*]] = ew.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[V1:.*]] = ew.broadcast %[[V0]] : f32 to tensor<4xf32>
// CHECK-NEXT: %[[V2:.*]] = ew.constant 6.000000e+00 : f32
// CHECK-NEXT: %[[V3:.*]] = ew.broadcast %[[V2]] : f32 to tensor<4xf32>
// CHECK-NEXT: %[[V4:.*]] = ew.clamp %[[X]], %[[V1]], %[[V3]] : tensor<4xf32>
// CHECK-NEXT: %[[V5:.*]] = ew.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[V6:.*]] = ew.broadcast %[[V5]] : f32 to tensor<4xf32>
// CHECK-NEXT: %[[V7:.*]] = ew.constant 6.000000e+00 : f32
// CHECK-NEXT: %[[V8:.*]] = ew.broadcast %[[V7]] : f32 to tensor<4xf32>
// CHECK-NEXT: %[[V9:.*]] = ew.maxnum %[[X]], %[[V6]] : tensor<4xf32>
// CHECK-NEXT: %[[V10:.*]] = ew.minnum %[[V9]], %[[V8]] : tensor<4xf32>
// CHECK-NEXT: %[[V11:.*]] = ew.constant -3 : i8
// CHECK-NEXT: %[[V12:.*]] = ew.broadcast %[[V11]] : i8 to tensor<4xi8>
// CHECK-NEXT: %[[V13:.*]] = ew.constant 5 : i8
// CHECK-NEXT: %[[V14:.*]] = ew.broadcast %[[V13]] : i8 to tensor<4xi8>
// CHECK-NEXT: %[[V15:.*]] = ew.clamp %[[I]], %[[V12]], %[[V14]] : tensor<4xi8>
// CHECK-NEXT: return %[[V4]], %[[V10]], %[[V15]] : tensor<4xf32>, tensor<4xf32>, tensor<4xi8>
func.func @clamp(%x: tensor<4xf32>, %i: tensor<4xi8>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xi8>) {
  %0 = tosa.clamp %x {min_val = 0.0 : f32, max_val = 6.0 : f32} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = tosa.clamp %x {min_val = 0.0 : f32, max_val = 6.0 : f32, nan_mode = IGNORE} : (tensor<4xf32>) -> tensor<4xf32>
  %2 = tosa.clamp %i {min_val = -3 : i8, max_val = 5 : i8} : (tensor<4xi8>) -> tensor<4xi8>
  return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<4xi8>
}

// -----

// CHECK-LABEL: func @compare
// CHECK-SAME: %[[X:.*]]:{{.*}}%[[I:.*]]:
// CHECK-NEXT: %[[V0:.*]] = ew.cmp oeq, %[[X]], %[[X]] : tensor<4xf32>
// CHECK-NEXT: %[[V1:.*]] = ew.cmp ogt, %[[X]], %[[X]] : tensor<4xf32>
// CHECK-NEXT: %[[V2:.*]] = ew.cmp ge, %[[I]], %[[I]] : tensor<4xi32>
// CHECK-NEXT: %[[V3:.*]] = ew.cmp gt, %[[I]], %[[I]] : tensor<4xi32>
// CHECK-NEXT: return %[[V0]], %[[V1]], %[[V2]], %[[V3]] : tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>
func.func @compare(%x: tensor<4xf32>, %i: tensor<4xi32>) -> (tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>) {
  %0 = tosa.equal %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %1 = tosa.greater %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %2 = tosa.greater_equal %i, %i : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  %3 = tosa.greater %i, %i : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  return %0, %1, %2, %3 : tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>
}

// -----

// CHECK-LABEL: func @cast
// CHECK-SAME: %[[X:.*]]:{{.*}}%[[I:.*]]:
// CHECK-NEXT: %[[V0:.*]] = ew.cast %[[X]] round({{ ?}}nearest_even) : tensor<4xf32> to tensor<4xi8>
// CHECK-NEXT: %[[V1:.*]] = ew.cast %[[X]] : tensor<4xf32> to tensor<4xf16>
// CHECK-NEXT: %[[V2:.*]] = ew.cast %[[I]] : tensor<4xi32> to tensor<4xi1>
// CHECK-NEXT: %[[V3:.*]] = ew.cast %[[I]] : tensor<4xi32> to tensor<4xi16>
// CHECK-NEXT: %[[V4:.*]] = ew.cast %[[I]] : tensor<4xi32> to tensor<4xf32>
// CHECK-NEXT: return %[[V0]], %[[V1]], %[[V2]], %[[V3]], %[[V4]] : tensor<4xi8>, tensor<4xf16>, tensor<4xi1>, tensor<4xi16>, tensor<4xf32>
func.func @cast(%x: tensor<4xf32>, %i: tensor<4xi32>) -> (tensor<4xi8>, tensor<4xf16>, tensor<4xi1>, tensor<4xi16>, tensor<4xf32>) {
  %0 = tosa.cast %x : (tensor<4xf32>) -> tensor<4xi8>
  %1 = tosa.cast %x : (tensor<4xf32>) -> tensor<4xf16>
  %2 = tosa.cast %i : (tensor<4xi32>) -> tensor<4xi1>
  %3 = tosa.cast %i : (tensor<4xi32>) -> tensor<4xi16>
  %4 = tosa.cast %i : (tensor<4xi32>) -> tensor<4xf32>
  return %0, %1, %2, %3, %4 : tensor<4xi8>, tensor<4xf16>, tensor<4xi1>, tensor<4xi16>, tensor<4xf32>
}

// -----

// Sizes of 1 are stretched, on every side.

// CHECK-LABEL: func @broadcast
// CHECK-SAME: %[[X:.*]]:{{.*}}%[[Y:.*]]:
// CHECK-NEXT: %[[V0:.*]] = ew.broadcast %[[X]] : tensor<1x8xf32> to tensor<4x8xf32>
// CHECK-NEXT: %[[V1:.*]] = ew.broadcast %[[Y]] : tensor<4x1xf32> to tensor<4x8xf32>
// CHECK-NEXT: %[[V2:.*]] = ew.add %[[V0]], %[[V1]] : tensor<4x8xf32>
// CHECK-NEXT: return %[[V2]] : tensor<4x8xf32>
func.func @broadcast(%x: tensor<1x8xf32>, %y: tensor<4x1xf32>) -> tensor<4x8xf32> {
  %0 = tosa.add %x, %y : (tensor<1x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

// Each `?` may turn out to be 1.

// CHECK-LABEL: func @dynamic
// CHECK-SAME: %[[C:.*]]:{{.*}}%[[X:.*]]:{{.*}}%[[Y:.*]]:
// CHECK-NEXT: %[[V0:.*]] = ew.broadcast %[[C]] like(%[[X]] : tensor<?x8xf32>) : tensor<?x8xi1> to tensor<?x8xi1>
// CHECK-NEXT: %[[V1:.*]] = ew.broadcast %[[V0]] like(%[[Y]] : tensor<?x1xf32>) : tensor<?x8xi1> to tensor<?x8xi1>
// CHECK-NEXT: %[[V2:.*]] = ew.broadcast %[[X]] like(%[[V1]] : tensor<?x8xi1>) : tensor<?x8xf32> to tensor<?x8xf32>
// CHECK-NEXT: %[[V3:.*]] = ew.broadcast %[[Y]] like(%[[V1]] : tensor<?x8xi1>) : tensor<?x1xf32> to tensor<?x8xf32>
// CHECK-NEXT: %[[V4:.*]] = ew.select %[[V1]], %[[V2]], %[[V3]] : tensor<?x8xf32>
// CHECK-NEXT: return %[[V4]] : tensor<?x8xf32>
func.func @dynamic(%c: tensor<?x8xi1>, %x: tensor<?x8xf32>, %y: tensor<?x1xf32>) -> tensor<?x8xf32> {
  %0 = tosa.select %c, %x, %y : (tensor<?x8xi1>, tensor<?x8xf32>, tensor<?x1xf32>) -> tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}

// -----

// CHECK-LABEL: func @refined
// CHECK-SAME: %[[X:.*]]:{{.*}}%[[Y:.*]]:
// CHECK-NEXT: %[[V0:.*]] = ew.broadcast %[[Y]] : tensor<?xf32> to tensor<4xf32>
// CHECK-NEXT: %[[V1:.*]] = ew.add %[[X]], %[[V0]] : tensor<4xf32>
// CHECK-NEXT: %[[CAST:.*]] = tensor.cast %[[V1]] : tensor<4xf32> to tensor<?xf32>
// CHECK-NEXT: return %[[CAST]] : tensor<?xf32>
func.func @refined(%x: tensor<4xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %0 = tosa.add %x, %y : (tensor<4xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// CHECK-LABEL: func @transpose
// CHECK-SAME: %[[X:.*]]:
// CHECK-NEXT: %[[V0:.*]] = ew.transpose %[[X]] [1, 0] : tensor<?x4xf32> to tensor<4x?xf32>
// CHECK-NEXT: return %[[V0]] : tensor<4x?xf32>
func.func @transpose(%x: tensor<?x4xf32>) -> tensor<4x?xf32> {
  %0 = tosa.transpose %x {perms = array<i32: 1, 0>} : (tensor<?x4xf32>) -> tensor<4x?xf32>
  return %0 : tensor<4x?xf32>
}

// -----

// CHECK-LABEL: func @constant
// CHECK-SAME: %[[X:.*]]:
// CHECK-NEXT: %[[V0:.*]] = ew.constant dense<{{.*}}> : tensor<4xf32>
// CHECK-NEXT: %[[V1:.*]] = ew.add %[[X]], %[[V0]] : tensor<4xf32>
// CHECK-NEXT: return %[[V1]] : tensor<4xf32>
func.func @constant(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = "tosa.const"() {values = dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>} : () -> tensor<4xf32>
  %0 = tosa.add %x, %c : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// A size of 1 says nothing of what it is stretched to.
// CHECK-LABEL: func @one_and_any
// CHECK-SAME: %[[X:.*]]: tensor<1xf32>, %[[Y:.*]]: tensor<?xf32>
// CHECK: %[[B:.*]] = ew.broadcast %[[X]] like(%[[Y]] : tensor<?xf32>) : tensor<1xf32> to tensor<?xf32>
// CHECK: ew.add %[[B]], %{{.*}} : tensor<?xf32>
func.func @one_and_any(%x: tensor<1xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %0 = tosa.add %x, %y : (tensor<1xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
