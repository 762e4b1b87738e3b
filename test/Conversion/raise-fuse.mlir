// RUN: ew-opt %s --ew-raise --cse --ew-fuse --split-input-file | FileCheck %s

// What is raised fuses: one kernel for each function.

// CHECK-LABEL: func @mixed_dialects
// CHECK: linalg.generic
// CHECK-NEXT: ^bb0
// CHECK-NEXT: ew.mul
// CHECK-NEXT: ew.tanh
// CHECK-NEXT: ew.abs
// CHECK-NEXT: ew.sigmoid
// CHECK-NEXT: linalg.yield
// CHECK-NOT: linalg.generic
#identity = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>
func.func @mixed_dialects(%x: tensor<4x8xf32>, %scale: tensor<8xf32>) -> tensor<4x8xf32> {
  %init = tensor.empty() : tensor<4x8xf32>
  %0 = linalg.generic {indexing_maps = [#identity, #row, #identity], iterator_types = ["parallel", "parallel"]}
      ins(%x, %scale : tensor<4x8xf32>, tensor<8xf32>) outs(%init : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %4 = arith.mulf %a, %b : f32
    linalg.yield %4 : f32
  } -> tensor<4x8xf32>
  %1 = linalg.tanh ins(%0 : tensor<4x8xf32>) outs(%init : tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = math.absf %1 : tensor<4x8xf32>
  %3 = tosa.sigmoid %2 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %3 : tensor<4x8xf32>
}

// -----

// Maps come back as they were: broadcasts and transposes are views.

// CHECK-DAG: #[[ID:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[T:.*]] = affine_map<(d0, d1) -> (d1, d0)>
// CHECK-DAG: #[[COLUMN:.*]] = affine_map<(d0, d1) -> (d0)>
// CHECK-DAG: #[[ONE:.*]] = affine_map<(d0, d1) -> (0, d1)>
// CHECK-DAG: #[[SCALAR:.*]] = affine_map<(d0, d1) -> ()>
// CHECK-LABEL: func @maps
// CHECK-SAME: %[[X:.*]]: tensor<?x?xf32>, %[[Y:.*]]: tensor<?x?xf32>, %[[C:.*]]: tensor<?xf32>, %[[O:.*]]: tensor<1x?xf32>, %[[S:.*]]: f32,
// CHECK: linalg.generic {indexing_maps = [#[[ID]], #[[T]], #[[COLUMN]], #[[ONE]], #[[SCALAR]], #[[ID]]]
// CHECK-SAME: ins(%[[X]], %[[Y]], %[[C]], %[[O]], %[[S]] :
// CHECK-NOT: linalg.generic
#identity = affine_map<(d0, d1) -> (d0, d1)>
#transposed = affine_map<(d0, d1) -> (d1, d0)>
#column = affine_map<(d0, d1) -> (d0)>
#stretched = affine_map<(d0, d1) -> (0, d1)>
#scalar = affine_map<(d0, d1) -> ()>
func.func @maps(%x: tensor<?x?xf32>, %t: tensor<?x?xf32>, %c: tensor<?xf32>, %o: tensor<1x?xf32>, %s: f32, %init: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.generic {indexing_maps = [#identity, #transposed, #column, #stretched, #scalar, #identity], iterator_types = ["parallel", "parallel"]}
      ins(%x, %t, %c, %o, %s : tensor<?x?xf32>, tensor<?x?xf32>, tensor<?xf32>, tensor<1x?xf32>, f32) outs(%init : tensor<?x?xf32>) {
  ^bb0(%a: f32, %b: f32, %d: f32, %e: f32, %f: f32, %out: f32):
    %1 = arith.addf %a, %b : f32
    %2 = arith.addf %1, %d : f32
    %3 = arith.addf %2, %e : f32
    %4 = arith.addf %3, %f : f32
    linalg.yield %4 : f32
  } -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
