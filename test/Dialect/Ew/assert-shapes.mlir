// RUN: ew-opt %s --ew-fuse --ew-assert-shapes --cse | FileCheck %s
// With that, nothing of fusion keeps MLIR from doing the rest.
// RUN: ew-opt %s --pass-pipeline='builtin.module(func.func(ew-fuse,ew-assert-shapes),one-shot-bufferize{bufferize-function-boundaries},convert-linalg-to-loops,ew-lower-math,convert-scf-to-cf,expand-strided-metadata,lower-affine,finalize-memref-to-llvm,convert-to-llvm,reconcile-unrealized-casts)' | FileCheck %s --check-prefix=LLVM

// LLVM-LABEL: llvm.func @add
// LLVM: llvm.fadd
// LLVM-NOT: unrealized

// CHECK-LABEL: func.func @add(
// CHECK-SAME: %[[X:.*]]: tensor<?x?xf32>, %[[Y:.*]]: tensor<?x?xf32>
// CHECK-DAG: %[[X0:.*]] = tensor.dim %[[X]], %c0
// CHECK-DAG: %[[Y0:.*]] = tensor.dim %[[Y]], %c0
// CHECK: %[[EQUAL:.*]] = arith.cmpi eq, %[[X0]], %[[Y0]]
// CHECK: cf.assert %[[EQUAL]], "operands of 'ew.add' differ in dimension 0"
// CHECK: cf.assert %{{.*}}, "operands of 'ew.add' differ in dimension 1"
// CHECK-NOT: ew.check_shapes
func.func @add(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = ew.add %x, %y : tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// A size is compared where it is not known.
// CHECK-LABEL: func.func @known
// CHECK-NOT: cf.assert
// CHECK: cf.assert %{{.*}}, "operands of 'ew.add' differ in dimension 1"
// CHECK-NOT: cf.assert
func.func @known(%x: tensor<4x?xf32>, %y: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %0 = ew.add %x, %y : tensor<4x?xf32>
  return %0 : tensor<4x?xf32>
}

// CHECK-LABEL: func.func @broadcast
// CHECK: cf.assert %{{.*}}, "operands of 'ew.broadcast' are stretched at run time: dimension 0 of one meets dimension 1 of the other"
// CHECK-NOT: ew.check_shapes
func.func @broadcast(%x: tensor<?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = ew.broadcast %x like(%y : tensor<?x?xf32>) : tensor<?xf32> to tensor<?x?xf32>
  %1 = ew.add %0, %y : tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}

// CHECK-LABEL: func.func @static_one
// CHECK-NOT: cf.assert
// CHECK: return
func.func @static_one(%x: tensor<1xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = ew.broadcast %x like(%y : tensor<?x?xf32>) : tensor<1xf32> to tensor<?x?xf32>
  %1 = ew.add %0, %y : tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}

// CHECK-LABEL: func.func @like_static_one
// CHECK-NOT: cf.assert
// CHECK: return
func.func @like_static_one(%x: tensor<?xf32>, %y: tensor<1xf32>) {
  ew.check_shapes broadcast %x, %y : tensor<?xf32>, tensor<1xf32>
  return
}

// CHECK-LABEL: func.func @in_place
// CHECK: cf.assert %{{.*}}, "argument 0 and what is written in its place differ in dimension 0"
// CHECK-NOT: ew.check_shapes
func.func @in_place(%x: tensor<?xf32>, %y: tensor<?xf32>) {
  ew.check_shapes %x, %y {ew.inplace = 0} : tensor<?xf32>, tensor<?xf32>
  return
}
