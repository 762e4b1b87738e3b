// The program that the README and the demo begin with.
// RUN: ew-opt %examples/mul_sin_exp.mlir | FileCheck %s

// CHECK-LABEL: func.func @mul_sin_exp
// CHECK: ew.mul
// CHECK-NEXT: ew.sin
// CHECK-NEXT: ew.exp
