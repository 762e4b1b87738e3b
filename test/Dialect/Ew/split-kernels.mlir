// RUN: ew-opt %s --ew-split-kernels --split-input-file | FileCheck %s

#id = affine_map<(d0) -> (d0)>
#row = affine_map<(d0) -> ()>

// Two chains that share nothing: nothing is passed on, and each reads its own input.
// CHECK-LABEL: @apart
// CHECK-SAME: %[[X:.*]]: tensor<?xf32>, %[[Y:.*]]: tensor<?xf32>, %[[E:.*]]: tensor<?xf32>
// CHECK: %[[A:.*]] = linalg.generic {{.*}} ins(%[[X]] : tensor<?xf32>) outs(%[[E]] : tensor<?xf32>) attrs = {ew.ops = "exp_log_part_1"}
// CHECK: ew.exp
// CHECK-NOT: ew.log
// CHECK: %[[B:.*]] = linalg.generic {{.*}} ins(%[[Y]] : tensor<?xf32>) outs(%[[E]] : tensor<?xf32>) attrs = {ew.ops = "exp_log_part_2"}
// CHECK-NOT: ew.exp
// CHECK: ew.log
// CHECK: return %[[B]], %[[A]]
func.func @apart(%x: tensor<?xf32>, %y: tensor<?xf32>, %e: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %0:2 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel"]}
      ins(%x, %y : tensor<?xf32>, tensor<?xf32>) outs(%e, %e : tensor<?xf32>, tensor<?xf32>) attrs = {ew.ops = "exp_log", ew.split} {
  ^bb0(%a: f32, %b: f32, %o: f32, %p: f32):
    %1 = ew.exp %a : f32
    %2 = ew.log %b : f32
    linalg.yield %2, %1 : f32, f32
  } -> (tensor<?xf32>, tensor<?xf32>)
  return %0#0, %0#1 : tensor<?xf32>, tensor<?xf32>
}

// -----

#id = affine_map<(d0) -> (d0)>

// What passes between the parts is stored as it was computed: in f32, not in the results' bf16.
// A conversion of an input and a constant are computed again.
// CHECK-LABEL: @passed
// CHECK-SAME: %[[X:.*]]: tensor<?xbf16>, %[[Y:.*]]: tensor<?xbf16>, %[[Z:.*]]: tensor<?xbf16>, %[[E:.*]]: tensor<?xbf16>
// CHECK: %[[T:.*]] = tensor.empty({{.*}}) : tensor<?xf32>
// CHECK: %[[A:.*]] = linalg.generic {{.*}} ins(%[[X]], %[[Y]] : tensor<?xbf16>, tensor<?xbf16>) outs(%[[T]] : tensor<?xf32>)
// CHECK: ew.constant 2.0
// CHECK: ew.mul
// CHECK: linalg.generic {{.*}} ins(%[[Z]], %[[A]] : tensor<?xbf16>, tensor<?xf32>) outs(%[[E]] : tensor<?xbf16>)
// CHECK: ^bb0(%[[IZ:.*]]: bf16, %[[IA:.*]]: f32, %{{.*}}: bf16)
// CHECK: ew.constant 2.0
// CHECK: ew.cast %[[IZ]]
func.func @passed(%x: tensor<?xbf16>, %y: tensor<?xbf16>, %z: tensor<?xbf16>, %e: tensor<?xbf16>) -> tensor<?xbf16> {
  %0 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel"]}
      ins(%x, %y, %z : tensor<?xbf16>, tensor<?xbf16>, tensor<?xbf16>) outs(%e : tensor<?xbf16>) attrs = {ew.split} {
  ^bb0(%a: bf16, %b: bf16, %c: bf16, %o: bf16):
    %k = ew.constant 2.0 : f32
    %1 = ew.cast %a : bf16 to f32
    %2 = ew.cast %b : bf16 to f32
    %3 = ew.mul %1, %k : f32
    %4 = ew.add %3, %2 : f32
    %5 = ew.cast %c : bf16 to f32
    %6 = ew.mul %4, %5 : f32
    %7 = ew.add %6, %k : f32
    %8 = ew.cast %7 : f32 to bf16
    linalg.yield %8 : bf16
  } -> tensor<?xbf16>
  return %0 : tensor<?xbf16>
}

// -----

#id = affine_map<(d0) -> (d0)>

// A result that the rest reads is stored once. What is written in the place of an argument is cut where nothing reads that
// argument any more.
// CHECK-LABEL: @in_place
// CHECK-SAME: %[[M:.*]]: tensor<?xf32>, %[[G:.*]]: tensor<?xf32>, %[[P:.*]]: tensor<?xf32>
// CHECK: %[[A:.*]] = linalg.generic {{.*}} ins(%[[M]], %[[G]] : tensor<?xf32>, tensor<?xf32>) outs(%[[M]] : tensor<?xf32>)
// CHECK: %[[B:.*]] = linalg.generic {{.*}} ins(%[[P]], %[[A]] : tensor<?xf32>, tensor<?xf32>) outs(%[[P]] : tensor<?xf32>)
// CHECK-NOT: linalg.generic
// CHECK: return %[[A]], %[[B]]
func.func @in_place(%m: tensor<?xf32>, %g: tensor<?xf32>, %p: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %0:2 = linalg.generic {indexing_maps = [#id, #id, #id, #id, #id], iterator_types = ["parallel"]}
      ins(%m, %g, %p : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) outs(%m, %p : tensor<?xf32>, tensor<?xf32>) attrs = {ew.split} {
  ^bb0(%a: f32, %b: f32, %c: f32, %o: f32, %q: f32):
    %1 = ew.mul %b, %b : f32
    %2 = ew.add %1, %a : f32
    %3 = ew.sqrt %2 : f32
    %4 = ew.mul %3, %c : f32
    linalg.yield %2, %4 : f32, f32
  } -> (tensor<?xf32>, tensor<?xf32>)
  return %0#0, %0#1 : tensor<?xf32>, tensor<?xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>

// An index cannot be stored; maps stay with their operands.
// CHECK-DAG: #[[ID:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[ROW:.*]] = affine_map<(d0, d1) -> (d1)>
// CHECK-LABEL: @indices
// CHECK: linalg.generic {indexing_maps = [#[[ROW]], #[[ID]], #[[ID]]]
// CHECK: linalg.index 1
// CHECK: linalg.generic {indexing_maps = [#[[ROW]], #[[ID]], #[[ID]]]
// CHECK: linalg.index 1
func.func @indices(%x: tensor<?xi64>, %y: tensor<4x?xi64>, %z: tensor<?xi64>, %e: tensor<4x?xi64>) -> tensor<4x?xi64> {
  %0 = linalg.generic {indexing_maps = [#row, #id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y, %z : tensor<?xi64>, tensor<4x?xi64>, tensor<?xi64>) outs(%e : tensor<4x?xi64>) attrs = {ew.split} {
  ^bb0(%a: i64, %b: i64, %c: i64, %o: i64):
    %i = linalg.index 1 : index
    %j = arith.index_cast %i : index to i64
    %1 = ew.mul %a, %j : i64
    %2 = ew.add %1, %b : i64
    %3 = ew.add %2, %c : i64
    %4 = ew.mul %3, %j : i64
    linalg.yield %4 : i64
  } -> tensor<4x?xi64>
  return %0 : tensor<4x?xi64>
}

// -----

#id = affine_map<(d0) -> (d0)>

// A conversion of what a part computes is part of that, too: the narrower value is passed on.
// CHECK-LABEL: @narrowed
// CHECK: %[[T:.*]] = tensor.empty({{.*}}) : tensor<?xbf16>
// CHECK: %[[A:.*]] = linalg.generic {{.*}} outs(%[[T]] : tensor<?xbf16>)
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %[[A]] : tensor<?xf32>, tensor<?xbf16>)
func.func @narrowed(%x: tensor<?xf32>, %y: tensor<?xf32>, %z: tensor<?xf32>, %e: tensor<?xf32>) -> tensor<?xf32> {
  %0 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel"]}
      ins(%x, %y, %z : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<?xf32>) attrs = {ew.split} {
  ^bb0(%a: f32, %b: f32, %c: f32, %o: f32):
    %1 = ew.add %a, %b : f32
    %2 = ew.cast %1 : f32 to bf16
    %3 = ew.cast %2 : bf16 to f32
    %4 = ew.mul %3, %c : f32
    linalg.yield %4 : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

#id = affine_map<(d0) -> (d0)>

// A complex number has two parts: its absolute value is less to pass on.
// CHECK-LABEL: @absolute
// CHECK: %[[T:.*]] = tensor.empty({{.*}}) : tensor<?xf32>
// CHECK: linalg.generic {{.*}} outs(%[[T]] : tensor<?xf32>)
func.func @absolute(%x: tensor<?xcomplex<f32>>, %y: tensor<?xcomplex<f32>>, %z: tensor<?xf32>, %e: tensor<?xf32>) -> tensor<?xf32> {
  %0 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel"]}
      ins(%x, %y, %z : tensor<?xcomplex<f32>>, tensor<?xcomplex<f32>>, tensor<?xf32>) outs(%e : tensor<?xf32>) attrs = {ew.split} {
  ^bb0(%a: complex<f32>, %b: complex<f32>, %c: f32, %o: f32):
    %1 = ew.add %a, %b : complex<f32>
    %2 = ew.abs %1 : complex<f32>
    %3 = ew.mul %2, %c : f32
    linalg.yield %3 : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

#id = affine_map<(d0) -> (d0)>

// Without the mark nothing happens.
// CHECK-LABEL: @unmarked
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT: linalg.generic
func.func @unmarked(%x: tensor<?xf32>, %y: tensor<?xf32>, %e: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %0:2 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel"]}
      ins(%x, %y : tensor<?xf32>, tensor<?xf32>) outs(%e, %e : tensor<?xf32>, tensor<?xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32, %p: f32):
    %1 = ew.exp %a : f32
    %2 = ew.log %b : f32
    linalg.yield %2, %1 : f32, f32
  } -> (tensor<?xf32>, tensor<?xf32>)
  return %0#0, %0#1 : tensor<?xf32>, tensor<?xf32>
}
