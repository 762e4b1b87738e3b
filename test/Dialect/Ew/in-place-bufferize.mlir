// What is computed in place is so in buffers, too; the argument says so still.
// RUN: ew-opt %s --ew-to-linalg --ew-assert-shapes --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" | FileCheck %s
// RUN: ew-opt %s --ew-to-linalg --ew-assert-shapes --one-shot-bufferize="bufferize-function-boundaries" | FileCheck %s

// CHECK-LABEL: func.func @f(
// CHECK-SAME: %[[X:.*]]: memref<8xf32{{.*}}> {ew.inplace = 0 : i64}) -> memref<8xf32{{.*}}> {
// CHECK-NOT: memref.alloc
// CHECK: linalg.generic {{.*}} ins(%[[X]] : {{.*}}) outs(%[[X]] :
// CHECK: return %[[X]]
func.func @f(%x: tensor<8xf32> {ew.inplace = 0}) -> tensor<8xf32> {
  %0 = ew.exp %x : tensor<8xf32>
  return %0 : tensor<8xf32>
}
