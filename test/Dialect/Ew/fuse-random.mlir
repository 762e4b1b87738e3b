// RUN: ew-opt %s --ew-fuse | FileCheck %s

// An element's number depends on its place in the result of ew.philox. So it is
// drawn in a kernel that runs over that space, and loops may still be merged.
// CHECK-LABEL: @together
// CHECK: linalg.generic {{.*}} ins(%arg1, %arg2, %arg0 : i64, tensor<i64>, tensor<?x?xf32>) {{.*}}ew.ops = "philox_mul"}
// CHECK: %[[I:.*]] = ew.linear_index : i64
// CHECK-NEXT: %[[U:.*]] = ew.philox_at %{{.*}}, %{{.*}}, %[[I]] distribution(uniform) stream(2) : i64, i64, i64 to f32
// CHECK-NEXT: ew.mul %{{.*}}, %[[U]] : f32
// CHECK-NOT: linalg.generic
func.func @together(%x: tensor<?x?xf32>, %s: i64, %o: tensor<i64>) -> tensor<?x?xf32> {
  %0 = ew.philox %s, %o distribution(uniform) stream(2) like(%x : tensor<?x?xf32>) : i64, tensor<i64> to tensor<?x?xf32>
  %1 = ew.mul %x, %0 : tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}

// Two draws ask for the place once; the bound goes along.
// CHECK-LABEL: @two
// CHECK: ew.linear_index
// CHECK-NOT: ew.linear_index
// CHECK: ew.philox_at {{.*}} distribution(normal) {ew.error_bound = 8.000000e+00 : f64}
// CHECK: ew.philox_at {{.*}} distribution(uniform)
func.func @two(%s: i64) -> tensor<8xf32> {
  %0 = ew.philox %s, %s distribution(normal) {ew.error_bound = 8.0 : f64} : i64, i64 to tensor<8xf32>
  %1 = ew.philox %s, %s distribution(uniform) stream(1) : i64, i64 to tensor<8xf32>
  %2 = ew.add %0, %1 : tensor<8xf32>
  return %2 : tensor<8xf32>
}

// Read through a view, it is stored first, whatever is computed from it on the way.
// CHECK-LABEL: @transposed
// CHECK: %[[U:.*]] = linalg.generic {{.*}} ins(%arg1 : i64) {{.*}}ew.ops = "philox_neg"
// CHECK: linalg.generic {{.*}} ins(%arg0, %[[U]] : tensor<8x4xf32>, tensor<4x8xf32>) {{.*}}ew.ops = "add"
func.func @transposed(%x: tensor<8x4xf32>, %s: i64) -> tensor<8x4xf32> {
  %0 = ew.philox %s, %s distribution(uniform) : i64, i64 to tensor<4x8xf32>
  %1 = ew.neg %0 : tensor<4x8xf32>
  %2 = ew.transpose %1 [1, 0] : tensor<4x8xf32> to tensor<8x4xf32>
  %3 = ew.add %x, %2 : tensor<8x4xf32>
  return %3 : tensor<8x4xf32>
}

// CHECK-LABEL: @stretched
// CHECK: %[[U:.*]] = linalg.generic {{.*}}ew.ops = "philox"
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %[[U]] : tensor<8x4xf32>, tensor<4xf32>)
func.func @stretched(%x: tensor<8x4xf32>, %s: i64) -> tensor<8x4xf32> {
  %0 = ew.philox %s, %s distribution(uniform) : i64, i64 to tensor<4xf32>
  %1 = ew.broadcast %0 : tensor<4xf32> to tensor<8x4xf32>
  %2 = ew.add %x, %1 : tensor<8x4xf32>
  return %2 : tensor<8x4xf32>
}

// A size that may be 1 and be stretched.
// CHECK-LABEL: @perhaps_stretched
// CHECK: %[[U:.*]] = linalg.generic {{.*}}ew.ops = "philox"
// CHECK: linalg.generic {{.*}} ins(%arg1, %[[U]] :
func.func @perhaps_stretched(%x: tensor<?xf32>, %y: tensor<?xf32>, %s: i64) -> tensor<?xf32> {
  %0 = ew.philox %s, %s distribution(uniform) like(%x : tensor<?xf32>) : i64, i64 to tensor<?xf32>
  %1 = ew.broadcast %0 like(%y : tensor<?xf32>) : tensor<?xf32> to tensor<?xf32>
  %2 = ew.broadcast %y like(%x : tensor<?xf32>) : tensor<?xf32> to tensor<?xf32>
  %3 = ew.add %2, %1 : tensor<?xf32>
  return %3 : tensor<?xf32>
}

// A value that only lends its shape is not stored; seeds that are computed on
// rank 0 are computed where they are read.
// CHECK-LABEL: @shape_only
// CHECK: linalg.generic {{.*}} ins(%arg1, %arg2 : tensor<i64>, tensor<i64>) {{.*}}ew.ops = "add_philox"
// CHECK-NOT: linalg.generic
func.func @shape_only(%x: tensor<?xf32>, %s: tensor<i64>, %t: tensor<i64>) -> tensor<?xf32> {
  %0 = ew.exp %x : tensor<?xf32>
  %1 = ew.add %s, %t : tensor<i64>
  %2 = ew.philox %1, %t distribution(uniform) like(%0 : tensor<?xf32>) : tensor<i64>, tensor<i64> to tensor<?xf32>
  return %2 : tensor<?xf32>
}

// CHECK-LABEL: @alone
// CHECK: linalg.generic {{.*}}iterator_types = []}
// CHECK: ew.philox_at
func.func @alone(%s: i64) -> tensor<f64> {
  %0 = ew.philox %s, %s distribution(uniform) : i64, i64 to tensor<f64>
  return %0 : tensor<f64>
}
