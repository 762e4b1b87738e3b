// RUN: ew-opt %s --ew-to-linalg --ew-schedule="choice=many=1" --ew-to-gpu --canonicalize --cse | FileCheck %s
// RUN: ew-opt %s --ew-to-linalg --ew-schedule=target=cpu --ew-to-cpu --canonicalize --cse | FileCheck %s --check-prefix=CPU

// Two elements are 16 bytes: one wide access, parts apart in registers.
// CHECK-LABEL: gpu.func @neg_0_neg_wide(
// CHECK-SAME: memref<1xf32> {llvm.align = 16 : i64, llvm.noalias, llvm.readonly}
// CHECK: scf.if %{{.*}} -> (vector<4xf32>) {
// CHECK: %[[AT:.*]] = arith.muli %{{.*}}, %c2{{.*}} : index
// CHECK: vector.load %{{.*}}[%[[AT]]] {alignment = 16 : i64} : memref<?xf32>, vector<4xf32>
// CHECK: } else {
// CHECK-COUNT-2: vector.load %{{.*}} : memref<?xf32>, vector<2xf32>
// CHECK-DAG: %[[RE:.*]] = vector.shuffle %{{.*}} [0, 2] : vector<4xf32>, vector<4xf32>
// CHECK-DAG: %[[IM:.*]] = vector.shuffle %{{.*}} [1, 3] : vector<4xf32>, vector<4xf32>
// CHECK-DAG: ew.neg %[[RE]] : vector<2xf32>
// CHECK-DAG: ew.neg %[[IM]] : vector<2xf32>
// CHECK: %[[R:.*]] = vector.interleave %{{.*}}, %{{.*}} : vector<2xf32> -> vector<4xf32>
// CHECK: vector.store %[[R]], %{{.*}} {alignment = 16 : i64} : memref<?xf32>, vector<4xf32>
// CHECK: } else {
// CHECK-COUNT-2: vector.store %{{.*}} : memref<?xf32>, vector<2xf32>
// CHECK-LABEL: gpu.func @neg_0_neg_dense(

// CPU-LABEL: func.func @neg_0_neg_dense(
// CPU: vector.load %{{.*}} : memref<?xf32>, vector<{{[0-9]+}}xf32>
// CPU: vector.shuffle
// CPU: ew.neg
func.func @neg(%z: tensor<?xcomplex<f32>>) -> tensor<?xcomplex<f32>> {
  %0 = ew.neg %z : tensor<?xcomplex<f32>>
  return %0 : tensor<?xcomplex<f32>>
}

// Through a tile, a pair at a time.
// CHECK-LABEL: gpu.func @transpose_0_
// CHECK-SAME: workgroup(%{{.*}} : memref<2112xf64, 3>)
// CHECK: vector.store %{{.*}} : memref<2112xf64, 3>, vector<2xf64>
// CHECK: gpu.barrier
// CHECK: vector.load %{{.*}} : memref<2112xf64, 3>, vector<2xf64>
func.func @transpose(%z: tensor<?x?xcomplex<f64>>, %w: tensor<?x?xcomplex<f64>>) -> tensor<?x?xcomplex<f64>> {
  %t = ew.transpose %z [1, 0] : tensor<?x?xcomplex<f64>> to tensor<?x?xcomplex<f64>>
  %0 = ew.add %t, %w : tensor<?x?xcomplex<f64>>
  return %0 : tensor<?x?xcomplex<f64>>
}
