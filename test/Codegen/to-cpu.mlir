// RUN: ew-opt %s --ew-schedule=target=cpu --ew-to-cpu --canonicalize --cse | FileCheck %s
// RUN: ew-opt %s --ew-to-cpu | FileCheck %s --check-prefix=UNSCHEDULED

// UNSCHEDULED-NOT: ew.launch
// UNSCHEDULED: linalg.generic

// CHECK-LABEL: func.func @f(
// CHECK: ew.launch [@f_0_neg_dense, @f_0_neg_general]
// CHECK: func.func @f_0_neg_dense(%{{.*}}: memref<1xf32> {llvm.noalias, llvm.readonly}, %{{.*}}: memref<1xf32> {llvm.noalias, llvm.writeonly}, %[[N:[a-z0-9]+]]: i64, %[[B:[a-z0-9]+]]: i64, %[[E:[a-z0-9]+]]: i64) attributes {ew.kernel}
// CHECK-DAG: %[[V:.*]] = arith.constant 16 : i64
// CHECK-DAG: %[[PER:.*]] = arith.constant 4096 : i64
// CHECK: %[[FROM:.*]] = arith.muli %[[B]], %[[PER]]
// CHECK: %[[TO:.*]] = arith.minsi
// CHECK: scf.for %{{.*}} = %[[FROM]] to %[[TO]] step %[[V]] : i64 {
// CHECK: scf.if
// CHECK: vector.load %{{.*}} : memref<?xf32>, vector<16xf32>
// CHECK: ew.neg %{{.*}} : vector<16xf32>
// CHECK: vector.store
// CHECK: func.func @f_0_neg_general(
// CHECK-NOT: vector.load
#id = affine_map<(d0) -> (d0)>
func.func @f(%x: tensor<?xf32>, %e: tensor<?xf32>) -> tensor<?xf32> {
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<?xf32>) outs(%e : tensor<?xf32>) attrs = {ew.ops = "neg"} {
  ^bb0(%a: f32, %o: f32):
    %0 = ew.neg %a : f32
    linalg.yield %0 : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// Vectors begin with each row, so any row is read wide; the column once a row.
// CHECK: func.func @rows_0_dense(%{{.*}}, %[[M:[a-z0-9]+]]: i64, %[[N:[a-z0-9]+]]: i64, %{{[a-z0-9]+}}: i64, %{{[a-z0-9]+}}: i64) attributes
// CHECK: scf.for %[[ROW:.*]] = %{{.*}} to %{{.*}} step %{{.*}} : i64 {
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step %{{.*}} : i64 {
// CHECK: vector.load
// CHECK-NEXT: %[[R:.*]] = arith.index_cast %[[ROW]]
// CHECK-NEXT: memref.load %{{.*}}[%[[R]]]
// CHECK: vector.store
#id2 = affine_map<(d0, d1) -> (d0, d1)>
#column = affine_map<(d0, d1) -> (d0)>
func.func @rows(%x: tensor<?x?xf32>, %y: tensor<?xf32>, %e: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = linalg.generic {indexing_maps = [#id2, #column, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<?x?xf32>, tensor<?xf32>) outs(%e : tensor<?x?xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = ew.add %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// A version's own numbers are those of its code: blocks of eight elements by two. A vector has the alignment of its buffer
// where rows are whole vectors; where they are not, it may begin at any element.
// CHECK: func.func @own_0_vectors(
// CHECK-DAG: %[[V:.*]] = arith.constant 8 : i64
// CHECK-DAG: %[[PER:.*]] = arith.constant 16 : i64
// CHECK: arith.muli %{{.*}}, %[[PER]]
// CHECK: scf.for %{{.*}} step %[[V]] : i64 {
// CHECK: vector.load %{{.*}} {alignment = 32 : i64} : memref<?xf32>, vector<8xf32>
// CHECK: vector.store %{{.*}} {alignment = 32 : i64} : memref<?xf32>, vector<8xf32>
// CHECK: func.func @own_0_halves(
// CHECK: vector.load %{{[^{]*}} : memref<?xf32>, vector<4xf32>
// CHECK: vector.store %{{[^{]*}} : memref<?xf32>, vector<4xf32>
// CHECK: func.func @own_0_dense(
// CHECK: vector.load %{{[^{]*}} : memref<?xf32>, vector<4xf32>
// CHECK: vector.store %{{[^{]*}} : memref<?xf32>, vector<4xf32>
func.func @own(%x: tensor<?x?xf32>, %e: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>)
      attrs = {ew.schedule = #ew.schedule<block = 1, elements = 4, unroll = 1, collapse = [1, 1], access = [dense, dense],
        variants = [<"vectors", contiguous = false, dims = 2, alignment = 32, multiple = 8, elements = 8, unroll = 2, index_width = 64>,
          <"halves", contiguous = false, dims = 2, alignment = 16, multiple = 2, index_width = 64>,
          <"dense", contiguous = true, alignment = 16, multiple = 1, index_width = 64>,
          <"general", contiguous = false, alignment = 1, multiple = 1, index_width = 64>]>} {
  ^bb0(%a: f32, %o: f32):
    %0 = ew.neg %a : f32
    linalg.yield %0 : f32
  } -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
