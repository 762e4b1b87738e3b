// RUN: ew-opt %s --ew-raise 2>&1 | FileCheck %s --check-prefixes=CHECK,REMARK
// RUN: ew-opt %s --ew-raise=remarks=false 2>&1 | FileCheck %s --check-prefixes=CHECK,QUIET
// RUN: ew-opt %s --ew-raise --mlir-print-debuginfo --mlir-print-local-scope 2>/dev/null | FileCheck %s --check-prefix=LOC

// Ops of several dialects meet in one program; what has no equal stays among them.

// REMARK: raise.mlir:[[@LINE+21]]:8: remark: not raised to ew: the type 'tensor<4xf80>' has no equal in ew
// QUIET-NOT: remark

// CHECK-LABEL: func @program
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>
// CHECK: %[[ONE:.*]] = ew.constant 1.000000e+00 : f32
// CHECK: %[[ONES:.*]] = ew.broadcast %[[ONE]] : f32 to tensor<4xf32>
// CHECK: %[[A:.*]] = ew.add %[[X]], %[[ONES]]
// CHECK: %[[B:.*]] = ew.exp %[[A]]
// CHECK: %[[C:.*]] = ew.mul %[[B]], %[[ONES]]
// CHECK: arith.extf
// CHECK: return %[[C]]
// LOC: ew.add {{.*}} loc("{{.*}}raise.mlir":[[@LINE+6]]:8)
// LOC: ew.exp {{.*}} loc("{{.*}}raise.mlir":[[@LINE+6]]:8)
func.func @program(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf80>) {
  %one = arith.constant 1.0 : f32
  %empty = tensor.empty() : tensor<4xf32>
  %ones = linalg.fill ins(%one : f32) outs(%empty : tensor<4xf32>) -> tensor<4xf32>
  %0 = linalg.add ins(%x, %ones : tensor<4xf32>, tensor<4xf32>) outs(%empty : tensor<4xf32>) -> tensor<4xf32>
  %1 = math.exp %0 : tensor<4xf32>
  %2 = arith.mulf %1, %ones : tensor<4xf32>
  %3 = arith.extf %2 : tensor<4xf32> to tensor<4xf80>
  return %2, %3 : tensor<4xf32>, tensor<4xf80>
}

// A kernel that fusion built is one already.

// CHECK-LABEL: func @kernel
// CHECK: linalg.generic
// CHECK: ew.exp %{{.*}} : f32
#identity = affine_map<(d0) -> (d0)>
func.func @kernel(%x: tensor<4xf32>) -> tensor<4xf32> {
  %empty = tensor.empty() : tensor<4xf32>
  %0 = linalg.generic {indexing_maps = [#identity, #identity], iterator_types = ["parallel"]}
      ins(%x : tensor<4xf32>) outs(%empty : tensor<4xf32>) {
  ^bb0(%a: f32, %out: f32):
    %1 = ew.exp %a : f32
    linalg.yield %1 : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// One of both kinds of ops is none yet.
// CHECK-LABEL: func @both(
// CHECK-SAME: %[[X:.*]]: tensor<?xf32>, %[[Y:.*]]: tensor<?xf32>)
// CHECK-NOT: linalg.generic
// CHECK: %[[S:.*]] = ew.add %[[X]], %[[Y]] : tensor<?xf32>
// CHECK: %[[C:.*]] = ew.cmp ogt, %[[S]], %{{.*}} : tensor<?xf32>
// CHECK: %[[E:.*]] = ew.exp %[[S]] : tensor<?xf32>
// CHECK: %[[R:.*]] = ew.select %[[C]], %[[E]], %[[X]] : tensor<?xf32>
// CHECK: return %[[R]]
func.func @both(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %zero = ew.constant 0.0 : f32
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
                       iterator_types = ["parallel"]}
      ins(%x, %y : tensor<?xf32>, tensor<?xf32>) outs(%x : tensor<?xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %1 = arith.addf %a, %b : f32
    %2 = ew.cmp ogt, %1, %zero : f32
    %3 = ew.exp %1 : f32
    %4 = ew.select %2, %3, %a : f32
    linalg.yield %4 : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
