// REQUIRES: build
// RUN: mlir-opt %s --pass-pipeline='builtin.module(func.func(tosa-to-linalg))' | ew-opt --ew-raise | FileCheck %s

// What upstream's lowering of TOSA makes is raised too.

// CHECK-LABEL: func @program
// CHECK-NOT: linalg.
// CHECK-NOT: tosa.
// CHECK: ew.broadcast %{{.*}} : tensor<1x8xf32> to tensor<4x8xf32>
// CHECK: ew.add
// CHECK: ew.tanh
// CHECK: ew.cmp ogt
// CHECK: ew.select
// CHECK: ew.round_even
// CHECK: ew.cast
// CHECK-NOT: linalg.
func.func @program(%x: tensor<4x8xf32>, %y: tensor<1x8xf32>) -> tensor<4x8xi32> {
  %0 = tosa.add %x, %y : (tensor<4x8xf32>, tensor<1x8xf32>) -> tensor<4x8xf32>
  %1 = tosa.tanh %0 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = tosa.greater %1, %x : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
  %3 = tosa.select %2, %1, %x : (tensor<4x8xi1>, tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %4 = tosa.cast %3 : (tensor<4x8xf32>) -> tensor<4x8xi32>
  return %4 : tensor<4x8xi32>
}
