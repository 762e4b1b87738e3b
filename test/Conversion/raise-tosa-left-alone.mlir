// RUN: ew-opt %s --ew-raise --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-NOT: ew.

// CHECK-LABEL: func @round
// CHECK: tosa.arithmetic_right_shift
func.func @round(%x: tensor<4xi32>) -> tensor<4xi32> {
  // expected-remark@+1 {{not raised to ew: it rounds}}
  %0 = tosa.arithmetic_right_shift %x, %x {round = true} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// -----

// CHECK-LABEL: func @shift
// CHECK: tosa.mul
func.func @shift(%x: tensor<4xi32>) -> tensor<4xi32> {
  %shift = "tosa.const"() {values = dense<7> : tensor<1xi8>} : () -> tensor<1xi8>
  // expected-remark@+1 {{its shift is not known to be 0}}
  %0 = tosa.mul %x, %x, %shift : (tensor<4xi32>, tensor<4xi32>, tensor<1xi8>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// -----

// CHECK-LABEL: func @saturates_16
// CHECK: tosa.negate
func.func @saturates_16(%x: tensor<4xi16>) -> tensor<4xi16> {
  %zero = "tosa.const"() {values = dense<0> : tensor<1xi16>} : () -> tensor<1xi16>
  // expected-remark@+1 {{its result saturates}}
  %0 = tosa.negate %x, %zero, %zero : (tensor<4xi16>, tensor<1xi16>, tensor<1xi16>) -> tensor<4xi16>
  return %0 : tensor<4xi16>
}

// -----

// CHECK-LABEL: func @saturates
// CHECK: tosa.negate
func.func @saturates(%x: tensor<4xi8>) -> tensor<4xi8> {
  %zero = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  // expected-remark@+1 {{its result saturates}}
  %0 = tosa.negate %x, %zero, %zero : (tensor<4xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<4xi8>
  return %0 : tensor<4xi8>
}

// -----

// CHECK-LABEL: func @reduction
// CHECK: tosa.reduce_sum
func.func @reduction(%x: tensor<4x8xf32>) -> tensor<4x1xf32> {
  // expected-remark@+1 {{the op has no equal in ew}}
  %0 = tosa.reduce_sum %x {axis = 1 : i32} : (tensor<4x8xf32>) -> tensor<4x1xf32>
  return %0 : tensor<4x1xf32>
}

// -----

// CHECK-LABEL: func @unranked
// CHECK: tosa.exp
func.func @unranked(%x: tensor<*xf32>) -> tensor<*xf32> {
  // expected-remark@+1 {{the type 'tensor<*xf32>' has no equal in ew}}
  %0 = tosa.exp %x : (tensor<*xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}
