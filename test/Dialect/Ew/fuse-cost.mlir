// RUN: ew-opt %s --ew-fuse=remarks=true --verify-diagnostics | FileCheck %s
// A kernel takes so many tensors: one more operand begins another, and what passes
// between the two is stored.

// CHECK-LABEL: @operands
// CHECK: %[[K:.*]] = linalg.generic
// CHECK: linalg.generic {{.*}} ins(%[[K]],
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @operands(%a0: tensor<8xf32>, %a1: tensor<8xf32>, %a2: tensor<8xf32>, %a3: tensor<8xf32>, %a4: tensor<8xf32>, %a5: tensor<8xf32>, %a6: tensor<8xf32>, %a7: tensor<8xf32>, %a8: tensor<8xf32>, %a9: tensor<8xf32>, %a10: tensor<8xf32>, %a11: tensor<8xf32>, %a12: tensor<8xf32>, %a13: tensor<8xf32>, %a14: tensor<8xf32>, %a15: tensor<8xf32>, %a16: tensor<8xf32>, %a17: tensor<8xf32>, %a18: tensor<8xf32>, %a19: tensor<8xf32>, %a20: tensor<8xf32>, %a21: tensor<8xf32>, %a22: tensor<8xf32>, %a23: tensor<8xf32>, %a24: tensor<8xf32>, %a25: tensor<8xf32>, %b0: tensor<8xf32>, %b1: tensor<8xf32>) -> tensor<8xf32> {
  %1 = ew.add %a0, %a1 : tensor<8xf32>
  %2 = ew.add %1, %a2 : tensor<8xf32>
  %3 = ew.add %2, %a3 : tensor<8xf32>
  %4 = ew.add %3, %a4 : tensor<8xf32>
  %5 = ew.add %4, %a5 : tensor<8xf32>
  %6 = ew.add %5, %a6 : tensor<8xf32>
  %7 = ew.add %6, %a7 : tensor<8xf32>
  %8 = ew.add %7, %a8 : tensor<8xf32>
  %9 = ew.add %8, %a9 : tensor<8xf32>
  %10 = ew.add %9, %a10 : tensor<8xf32>
  %11 = ew.add %10, %a11 : tensor<8xf32>
  %12 = ew.add %11, %a12 : tensor<8xf32>
  %13 = ew.add %12, %a13 : tensor<8xf32>
  %14 = ew.add %13, %a14 : tensor<8xf32>
  %15 = ew.add %14, %a15 : tensor<8xf32>
  %16 = ew.add %15, %a16 : tensor<8xf32>
  %17 = ew.add %16, %a17 : tensor<8xf32>
  %18 = ew.add %17, %a18 : tensor<8xf32>
  %19 = ew.add %18, %a19 : tensor<8xf32>
  %20 = ew.add %19, %a20 : tensor<8xf32>
  %21 = ew.add %20, %a21 : tensor<8xf32>
  %22 = ew.add %21, %a22 : tensor<8xf32>
  %23 = ew.add %22, %a23 : tensor<8xf32>
  // expected-remark @+1 {{not in the kernel of its operands: it would read and write too many tensors}}
  %24 = ew.add %23, %a24 : tensor<8xf32>
  %25 = ew.add %24, %a25 : tensor<8xf32>
  %26 = ew.add %25, %b0 : tensor<8xf32>
  %27 = ew.add %26, %b1 : tensor<8xf32>
  return %27 : tensor<8xf32>
}

// Where the limit is not reached, nothing is said.
// CHECK-LABEL: @small
// CHECK: linalg.generic
// CHECK-NOT: linalg.generic
func.func @small(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = ew.exp %x : tensor<8xf32>
  %1 = ew.add %0, %x : tensor<8xf32>
  return %1 : tensor<8xf32>
}
