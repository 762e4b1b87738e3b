// RUN: ew-opt %s --ew-scalar-results | FileCheck %s

// What a returned number comes from, is computed on tensors of rank 0; what else uses numbers, goes on.
// CHECK-LABEL: func.func @f(
// CHECK-SAME: %[[X:.*]]: f32, %[[Y:.*]]: f32, %[[T:.*]]: tensor<4xf32>) -> (tensor<f32>, tensor<4xf32>, tensor<i1>)
// CHECK-DAG: %[[XT:.*]] = ew.broadcast %[[X]] : f32 to tensor<f32>
// CHECK-DAG: %[[YT:.*]] = ew.broadcast %[[Y]] : f32 to tensor<f32>
// CHECK-DAG: %[[S:.*]] = ew.mul %[[X]], %[[Y]] : f32
// CHECK-DAG: %[[ST:.*]] = ew.mul %[[XT]], %[[YT]] : tensor<f32>
// CHECK-DAG: %[[C:.*]] = ew.constant 2.000000e+00 : f32
// CHECK-DAG: %[[CT:.*]] = ew.broadcast %[[C]] : f32 to tensor<f32>
// CHECK-DAG: %[[R:.*]] = ew.add %[[ST]], %[[CT]] : tensor<f32>
// CHECK-DAG: %[[B:.*]] = ew.broadcast %[[S]] : f32 to tensor<4xf32>
// CHECK-DAG: %[[L:.*]] = ew.cmp olt, %[[ST]], %[[R]] : tensor<f32>
// CHECK: return %[[R]], %{{.*}}, %[[L]] : tensor<f32>, tensor<4xf32>, tensor<i1>
func.func @f(%x: f32, %y: f32, %t: tensor<4xf32>) -> (f32, tensor<4xf32>, i1) {
  %s = ew.mul %x, %y : f32
  %two = ew.constant 2.0 : f32
  %r = ew.add %s, %two : f32
  %b = ew.broadcast %s : f32 to tensor<4xf32>
  %0 = ew.mul %t, %b : tensor<4xf32>
  %l = ew.cmp olt, %s, %r : f32
  return %r, %0, %l : f32, tensor<4xf32>, i1
}

// An argument is a number already, an index no element.
// CHECK-LABEL: func.func @left(%{{.*}}: f32, %{{.*}}: index) -> (f32, index)
func.func @left(%x: f32, %i: index) -> (f32, index) {
  return %x, %i : f32, index
}

// What is called, keeps its type.
// CHECK-LABEL: func.func private @called(%{{.*}}: f32) -> f32
func.func private @called(%x: f32) -> f32 {
  %0 = ew.neg %x : f32
  return %0 : f32
}
// CHECK-LABEL: func.func @caller(%{{.*}}: f32) -> tensor<f32>
// CHECK: %[[C:.*]] = call @called
// CHECK: ew.broadcast %[[C]] : f32 to tensor<f32>
func.func @caller(%x: f32) -> f32 {
  %0 = call @called(%x) : (f32) -> f32
  return %0 : f32
}

// CHECK-LABEL: func.func @random(%{{.*}}: i64) -> tensor<f32>
// CHECK: ew.philox_at %{{.*}} distribution(uniform) : tensor<i64>, tensor<i64>, tensor<i64> to tensor<f32>
func.func @random(%i: i64) -> f32 {
  %0 = ew.philox_at %i, %i, %i distribution(uniform) : i64, i64, i64 to f32
  return %0 : f32
}
