// RUN: ew-opt %s | FileCheck %s
// RUN: ew-opt %s --mlir-print-op-generic | ew-opt | FileCheck %s
// RUN: ew-opt %s --emit-bytecode | ew-opt | FileCheck %s

// Other dialects' are theirs, and MLIR's own notes begin with an underscore.

// CHECK-LABEL: func.func @others
func.func @others(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: ew.elu %{{.*}} {__inplace_operands_attr__ = ["none"], alpha = 5.000000e-01 : f64, mine.note = 1 : i64} : tensor<4xf32>
  %0 = ew.elu %x {mine.note = 1, alpha = 0.5, __inplace_operands_attr__ = ["none"]} : tensor<4xf32>
  // The default is not printed.
  // CHECK: ew.elu %{{[0-9]+}} : tensor<4xf32>
  %1 = ew.elu %0 {alpha = 1.0} : tensor<4xf32>
  // CHECK: ew.leaky_relu %{{[0-9]+}} {alpha = 1.000000e+00 : f64} : tensor<4xf32>
  %2 = ew.leaky_relu %1 {alpha = 1.0} : tensor<4xf32>
  // CHECK: ew.gelu %{{[0-9]+}} approximate(tanh) {mine.note} : tensor<4xf32>
  %3 = ew.gelu %2 {approximate = #ew<gelu tanh>, mine.note} : tensor<4xf32>
  return %3 : tensor<4xf32>
}
