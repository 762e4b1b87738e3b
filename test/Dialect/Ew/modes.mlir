// RUN: ew-opt %s --ew-set-modes | FileCheck %s
// RUN: ew-opt %s --ew-set-modes=mode=strict | FileCheck %s --check-prefix=STRICT
// RUN: ew-opt %s --ew-set-modes --inline --ew-contract --ew-widen | FileCheck %s --check-prefix=WIDE
// RUN: ew-opt %s --ew-set-modes=mode=fast | FileCheck %s --check-prefix=FAST

// Every op whose mode is not the program's says it, and functions do not.
// CHECK-LABEL: func @fast(
// CHECK-NOT: attributes
// CHECK: ew.exp %{{.*}} {ew.mode = "fast"}
// CHECK: ew.log %{{.*}} {ew.mode = "strict"}
// CHECK: ew.sin %{{.*}} : tensor
// STRICT-LABEL: func @fast(
// STRICT: ew.exp %{{.*}} {ew.mode = "fast"}
// STRICT: ew.log %{{.*}} : tensor
// STRICT: ew.sin %{{.*}} {ew.mode = "default"}
func.func @fast(%x: tensor<4xf32>) -> tensor<4xf32> attributes {ew.mode = "fast"} {
  %0 = ew.exp %x : tensor<4xf32>
  %1 = ew.log %0 {ew.mode = "strict"} : tensor<4xf32>
  %2 = ew.sin %1 {ew.mode = "default"} : tensor<4xf32>
  return %2 : tensor<4xf32>
}

// The mode of a function goes with its ops where it is inlined.
// WIDE-LABEL: func @caller
// WIDE: ew.exp %{{.*}} {ew.mode = "fast"}
// STRICT-LABEL: func @caller
// STRICT: ew.neg %{{.*}} : tensor
func.func @caller(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = ew.neg %x : tensor<4xf32>
  %1 = call @fast(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// Nothing is contracted where either op is strict.
// WIDE-LABEL: func @contract
// WIDE: ew.fma
// WIDE: ew.mul %{{.*}} {ew.mode = "strict"}
// WIDE: ew.add
// WIDE: ew.mul
// WIDE: ew.add %{{.*}} {ew.mode = "strict"}
// STRICT-LABEL: func @contract
func.func @contract(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %0 = ew.mul %x, %x {ew.mode = "fast"} : tensor<4xf32>
  %1 = ew.add %0, %y : tensor<4xf32>
  %2 = ew.mul %x, %y {ew.mode = "strict"} : tensor<4xf32>
  %3 = ew.add %2, %y : tensor<4xf32>
  %4 = ew.mul %y, %y : tensor<4xf32>
  %5 = ew.add %4, %x {ew.mode = "strict"} : tensor<4xf32>
  return %1, %3, %5 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// A strict op sees rounded operands, and its result is rounded.
// WIDE-LABEL: func @narrow
// WIDE: %[[MUL:.*]] = ew.mul
// WIDE: %[[ROUNDED:.*]] = ew.cast %[[MUL]] : tensor<4xf32> to tensor<4xbf16>
// WIDE: %[[OPERAND:.*]] = ew.cast %[[ROUNDED]] : tensor<4xbf16> to tensor<4xf32>
// WIDE: %[[EXP:.*]] = ew.exp %[[OPERAND]] {ew.mode = "strict"}
// WIDE: %[[RESULT:.*]] = ew.cast %[[EXP]] : tensor<4xf32> to tensor<4xbf16>
// WIDE: %[[AGAIN:.*]] = ew.cast %[[RESULT]] : tensor<4xbf16> to tensor<4xf32>
// WIDE: ew.add %[[AGAIN]], %[[MUL]]
func.func @narrow(%x: tensor<4xbf16>) -> tensor<4xbf16> {
  %0 = ew.mul %x, %x : tensor<4xbf16>
  %1 = ew.exp %0 {ew.mode = "strict"} : tensor<4xbf16>
  %2 = ew.add %1, %0 : tensor<4xbf16>
  return %2 : tensor<4xbf16>
}

// Complex numbers have no fast mode.
// FAST-LABEL: func @complex
// FAST: ew.exp %{{.*}} {ew.mode = "default"}
func.func @complex(%x: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  %0 = ew.exp %x : tensor<4xcomplex<f32>>
  return %0 : tensor<4xcomplex<f32>>
}
