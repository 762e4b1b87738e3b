// RUN: ew-opt %s --ew-schedule --ew-to-gpu --canonicalize --cse -split-input-file | FileCheck %s

// Functions of one number, of a constant and of a column's element are computed once for a thread's lanes.
// CHECK-LABEL: gpu.func @number_0_wide(
// CHECK: ew.exp %{{.*}} : vector<1xf32>
// CHECK: vector.broadcast %{{.*}} : f32 to vector<4xf32>
// CHECK: ew.mul %{{.*}} : vector<4xf32>
// CHECK-LABEL: gpu.func @number_0_dense(
#id = affine_map<(d0) -> (d0)>
#one = affine_map<(d0) -> ()>
func.func @number(%x: tensor<?xf32>, %s: tensor<f32>, %e: tensor<?xf32>) -> tensor<?xf32> {
  %r = linalg.generic {indexing_maps = [#id, #one, #id], iterator_types = ["parallel"]}
      ins(%x, %s : tensor<?xf32>, tensor<f32>) outs(%e : tensor<?xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = ew.exp %b : f32
    %1 = ew.mul %a, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// CHECK-LABEL: gpu.func @constant_0_wide(
// CHECK: ew.sinh %{{.*}} : vector<1xf8E5M2>
#id = affine_map<(d0) -> (d0)>
func.func @constant(%e: tensor<?xf8E5M2>) -> tensor<?xf8E5M2> {
  %r = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%e : tensor<?xf8E5M2>) {
  ^bb0(%o: f8E5M2):
    %c = ew.constant 1.0 : f8E5M2
    %0 = ew.sinh %c : f8E5M2
    linalg.yield %0 : f8E5M2
  } -> tensor<?xf8E5M2>
  return %r : tensor<?xf8E5M2>
}

// -----

// CHECK-LABEL: gpu.func @column_0_wide(
// CHECK: ew.exp %{{.*}} : vector<1xf32>
// CHECK: ew.mul %{{.*}} : vector<4xf32>
// Where lanes may lie in several rows, each has its own.
// CHECK-LABEL: gpu.func @column_0_general(
// CHECK: ew.exp %{{.*}} : vector<4xf32>
#id = affine_map<(d0, d1) -> (d0, d1)>
#column = affine_map<(d0, d1) -> (d0)>
func.func @column(%x: tensor<?x?xf32>, %s: tensor<?xf32>, %e: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : tensor<?x?xf32>, tensor<?xf32>) outs(%e : tensor<?x?xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = ew.exp %b : f32
    %1 = ew.mul %a, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
