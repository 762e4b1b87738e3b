// RUN: ew-opt %s --ew-schedule="choice=many=1" --ew-to-gpu --canonicalize --cse -split-input-file | FileCheck %s

// One module per variant; the body once, between a wide load and a guarded one.
// CHECK-LABEL: func.func @mul_sin
// CHECK: ew.launch [@mul_sin_0_mul_sin_wide::@mul_sin_0_mul_sin_wide, @mul_sin_0_mul_sin_dense::@mul_sin_0_mul_sin_dense,
// CHECK-SAME: @mul_sin_0_mul_sin_general::@mul_sin_0_mul_sin_general, @mul_sin_0_mul_sin_general64::@mul_sin_0_mul_sin_general64]
// CHECK-SAME: ins(%{{.*}}, %{{.*}} : tensor<?xf32>, tensor<?xf32>) outs(%{{.*}} : tensor<?xf32>)
// CHECK-NOT: linalg.generic

// CHECK: gpu.module @mul_sin_0_mul_sin_wide {
// CHECK: gpu.func @mul_sin_0_mul_sin_wide(%[[X:[a-z0-9]+]]: memref<1xf32> {llvm.align = 16 : i64, llvm.noalias, llvm.readonly},
// CHECK-SAME: %[[Y:[a-z0-9]+]]: memref<1xf32> {llvm.align = 16 : i64, llvm.noalias, llvm.readonly},
// CHECK-SAME: %[[Z:[a-z0-9]+]]: memref<1xf32> {llvm.align = 16 : i64, llvm.noalias, llvm.writeonly}, %[[N:[a-z0-9]+]]: i64)
// CHECK-SAME: kernel attributes {known_block_size = array<i32: 256, 1, 1>}
// CHECK: %[[FULL:.*]] = arith.cmpi slt, %{{.*}}, %[[N]] : i64
// CHECK: scf.if %[[FULL]] -> (vector<4xf32>, vector<4xf32>) {
// CHECK: vector.load %{{.*}} {alignment = 16 : i64} : memref<?xf32>, vector<4xf32>
// CHECK: vector.load %{{.*}} {alignment = 16 : i64} : memref<?xf32>, vector<4xf32>
// CHECK: } else {
// CHECK-COUNT-8: memref.load
// CHECK: ew.mul %{{.*}} : vector<4xf32>
// CHECK-NEXT: ew.sin %{{.*}} : vector<4xf32>
// CHECK-NOT: ew.mul
// CHECK: scf.if %[[FULL]] {
// CHECK: vector.store %{{.*}} {alignment = 16 : i64}
// CHECK: } else {
// CHECK-COUNT-4: memref.store

// Not aligned: see shifted.mlir.
// CHECK: gpu.module @mul_sin_0_mul_sin_dense {
// CHECK: i64) kernel
// CHECK: memref.extract_aligned_pointer_as_index

// Not dense: elements a block apart, no wide access.
// CHECK: gpu.module @mul_sin_0_mul_sin_general {
// CHECK: gpu.func @{{.*}}, %[[N:[a-z0-9]+]]: i32, %[[SX:[a-z0-9]+]]: i32, %[[SY:[a-z0-9]+]]: i32, %[[SZ:[a-z0-9]+]]: i32) kernel
// CHECK: arith.muli %{{.*}}, %[[SX]] : i32
// CHECK-NOT: vector.load
#id = affine_map<(d0) -> (d0)>
func.func @mul_sin(%x: tensor<?xf32>, %y: tensor<?xf32>, %e: tensor<?xf32>) -> tensor<?xf32> {
  %r = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%x, %y : tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<?xf32>) attrs = {ew.ops = "mul_sin"} {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = ew.mul %a, %b : f32
    %1 = ew.sin %0 : f32
    linalg.yield %1 : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// Whole rows of vectors: one guard and no tail. The row is read wide, the column
// once, a scalar by value.
// CHECK: gpu.func @row_0_wide(
// CHECK-SAME: %[[S:[a-z0-9]+]]: f32, %{{[^:]*}}: memref<1xf32> {llvm.align = 16 : i64, llvm.noalias, llvm.writeonly}, %[[M:[a-z0-9]+]]: i32, %[[N:[a-z0-9]+]]: i32) kernel
// CHECK: %[[ROW:.*]] = arith.divui %{{.*}}, %[[N]]
// CHECK: %[[COL:.*]] = arith.remui %{{.*}}, %[[N]]
// CHECK: scf.if
// CHECK: %[[I:.*]] = arith.index_cast %{{.*}} : i32 to index
// CHECK: vector.load %{{.*}}[%[[I]]] {alignment = 16 : i64}
// CHECK: %[[J:.*]] = arith.index_cast %[[COL]] : i32 to index
// CHECK: vector.load %{{.*}}[%[[J]]] {alignment = 16 : i64}
// CHECK: %[[K:.*]] = arith.index_cast %[[ROW]] : i32 to index
// CHECK: %[[C:.*]] = memref.load %{{.*}}[%[[K]]]
// CHECK: vector.broadcast %[[C]] : f32 to vector<4xf32>
// CHECK: vector.broadcast %[[S]] : f32 to vector<4xf32>
// CHECK: vector.store
// CHECK-NOT: scf.if
// CHECK: gpu.return
// Rows that do not begin at vectors (across-rows.mlir): the coordinates of the first element, without a division, and the
// others' by carrying.
// CHECK: gpu.func @row_0_dense(
// CHECK: arith.muli %{{.*}}, %{{.*}} : i64
// CHECK-NOT: arith.muli %{{.*}}, %{{.*}} : i64
// CHECK-COUNT-7: vector.load
// CHECK-NOT: arith.muli %{{.*}}, %{{.*}} : i64
// CHECK-NOT: vector.load
// CHECK: gpu.func @row_0_pitched(
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>
#column = affine_map<(d0, d1) -> (d0)>
#none = affine_map<(d0, d1) -> ()>
func.func @row(%x: tensor<?x?xf32>, %y: tensor<?xf32>, %z: tensor<?xf32>, %s: f32, %e: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = linalg.generic {indexing_maps = [#id, #row, #column, #none, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y, %z, %s : tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>, f32) outs(%e : tensor<?x?xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %d: f32, %o: f32):
    %half = ew.constant 5.000000e-01 : f32
    %0 = ew.fma %a, %b, %c : f32
    %1 = ew.clamp %0, %half, %d : f32
    linalg.yield %1 : f32
  } -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

// Memory holds i8 for booleans and fp8, iN for uiN.
// CHECK: gpu.func @types_0_wide(%{{.*}}: memref<1xi32> {{.*}}: memref<1xi8> {{.*}}: memref<1xi8> {{.*}}: memref<1xi8>
// CHECK: builtin.unrealized_conversion_cast %{{.*}} : vector<4xi32> to vector<4xui32>
// CHECK: builtin.unrealized_conversion_cast %{{.*}} : vector<4xi8> to vector<4xf8E4M3FN>
// CHECK: ew.cmp lt, %{{.*}} : vector<4xui32>
// CHECK: arith.extui %{{.*}} : vector<4xi1> to vector<4xi8>
#id = affine_map<(d0) -> (d0)>
func.func @types(%x: tensor<?xui32>, %f: tensor<?xf8E4M3FN>, %e: tensor<?xi1>, %g: tensor<?xf8E4M3FN>) -> (tensor<?xi1>, tensor<?xf8E4M3FN>) {
  %r:2 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel"]}
      ins(%x, %f : tensor<?xui32>, tensor<?xf8E4M3FN>) outs(%e, %g : tensor<?xi1>, tensor<?xf8E4M3FN>) {
  ^bb0(%a: ui32, %b: f8E4M3FN, %o: i1, %p: f8E4M3FN):
    %seven = ew.constant 7 : ui32
    %0 = ew.cmp lt, %a, %seven : ui32
    %1 = ew.neg %b : f8E4M3FN
    linalg.yield %0, %1 : i1, f8E4M3FN
  } -> (tensor<?xi1>, tensor<?xf8E4M3FN>)
  return %r#0, %r#1 : tensor<?xi1>, tensor<?xf8E4M3FN>
}

// -----

// The tile: read along its rows, a barrier that every thread meets, read along
// its columns.
// CHECK: gpu.func @tile_0_tile(
// CHECK-SAME: workgroup(%[[T:.*]] : memref<4160xf32, 3>)
// CHECK: scf.if
// CHECK-COUNT-8: memref.store %{{.*}}, %[[T]]
// CHECK-NEXT: gpu.barrier
// CHECK-COUNT-8: memref.load %[[T]]
// CHECK: ew.neg
// CHECK: gpu.func @tile_0_general(
// CHECK-NOT: gpu.barrier
#id = affine_map<(d0, d1) -> (d0, d1)>
#tr = affine_map<(d0, d1) -> (d1, d0)>
func.func @tile(%x: tensor<?x?xf32>, %e: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = linalg.generic {indexing_maps = [#tr, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = ew.neg %a : f32
    linalg.yield %0 : f32
  } -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

// Names are spelled so that PTX can; a kernel without a schedule is left alone.
// CHECK-LABEL: func.func @a.b(
// CHECK: ew.launch [@a_b_0_wide::@a_b_0_wide,
// CHECK-LABEL: func.func @a_b(
// CHECK: ew.launch [@a_b_0_wide_0::@a_b_0_wide_0,
#id = affine_map<(d0) -> (d0)>
func.func @"a.b"(%x: tensor<?xf32>, %e: tensor<?xf32>) -> tensor<?xf32> {
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<?xf32>) outs(%e : tensor<?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = ew.neg %a : f32
    linalg.yield %0 : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}
func.func @a_b(%x: tensor<?xf32>, %e: tensor<?xf32>) -> tensor<?xf32> {
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<?xf32>) outs(%e : tensor<?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = ew.neg %a : f32
    linalg.yield %0 : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}
