// RUN: ew-opt %s --ew-fuse | FileCheck %s

// CHECK-DAG: #[[ID1:.*]] = affine_map<(d0) -> (d0)>
// CHECK-DAG: #[[ID2:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[ROW:.*]] = affine_map<(d0, d1) -> (d1)>
// CHECK-DAG: #[[SCALAR:.*]] = affine_map<(d0, d1) -> ()>
// CHECK-DAG: #[[SWAP:.*]] = affine_map<(d0, d1) -> (d1, d0)>
// CHECK-DAG: #[[COLUMN:.*]] = affine_map<(d0, d1) -> (d0, 0)>

// CHECK-LABEL: @chain(
// CHECK-SAME: %[[X:.*]]: tensor<?xf32>, %[[Y:.*]]: tensor<?xf32>)
// CHECK: ew.check_shapes %[[X]], %[[Y]] {ew.op = "ew.mul"}
// CHECK: %[[DIM:.*]] = tensor.dim %[[X]]
// CHECK: %[[EMPTY:.*]] = tensor.empty(%[[DIM]]) : tensor<?xf32>
// CHECK: %[[K:.*]] = linalg.generic {indexing_maps = [#[[ID1]], #[[ID1]], #[[ID1]]], iterator_types = ["parallel"]}
// CHECK-SAME: ins(%[[X]], %[[Y]] : {{.*}}) outs(%[[EMPTY]]
// CHECK-SAME: ew.ops = "mul_sin_exp"
// CHECK-NEXT: ^bb0(%[[A:.*]]: f32, %[[B:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT: %[[M:.*]] = ew.mul %[[A]], %[[B]] : f32
// CHECK-NEXT: %[[S:.*]] = ew.sin %[[M]] : f32
// CHECK-NEXT: %[[E:.*]] = ew.exp %[[S]] : f32
// CHECK-NEXT: linalg.yield %[[E]]
// CHECK: return %[[K]]
func.func @chain(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %0 = ew.mul %x, %y : tensor<?xf32>
  %1 = ew.sin %0 : tensor<?xf32>
  %2 = ew.exp %1 : tensor<?xf32>
  return %2 : tensor<?xf32>
}

// A value with several users is computed once, in one kernel, and may be a
// result too.
// CHECK-LABEL: @several_users
// CHECK: %[[K:.*]]:2 = linalg.generic
// CHECK: %[[E:.*]] = ew.exp
// CHECK-NOT: ew.exp
// CHECK: %[[D:.*]] = ew.add %[[E]], %[[E]] : f32
// CHECK: linalg.yield %[[E]], %[[D]]
// CHECK-NOT: linalg.generic
// CHECK: return %[[K]]#0, %[[K]]#1
func.func @several_users(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = ew.exp %x : tensor<8xf32>
  %1 = ew.add %0, %0 : tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}

// Views and scalars are maps.
// CHECK-LABEL: @views
// CHECK: linalg.generic {indexing_maps = [#[[ID2]], #[[ROW]], #[[SCALAR]], #[[SWAP]], #[[COLUMN]], #[[ID2]]]
// CHECK-SAME: ins(%{{.*}} : tensor<4x8xf32>, tensor<8xf32>, f32, tensor<8x4xf32>, tensor<4x1xf32>)
// CHECK: ew.constant 2.000000e+00 : f32
func.func @views(%x: tensor<4x8xf32>, %b: tensor<8xf32>, %s: f32, %t: tensor<8x4xf32>, %c: tensor<4x1xf32>)
    -> tensor<4x8xf32> {
  %two = ew.constant 2.0 : f32
  %bb = ew.broadcast %b : tensor<8xf32> to tensor<4x8xf32>
  %sb = ew.broadcast %s : f32 to tensor<4x8xf32>
  %tt = ew.transpose %t [1, 0] : tensor<8x4xf32> to tensor<4x8xf32>
  %cb = ew.broadcast %c : tensor<4x1xf32> to tensor<4x8xf32>
  %k = ew.broadcast %two : f32 to tensor<4x8xf32>
  %0 = ew.add %x, %bb : tensor<4x8xf32>
  %1 = ew.mul %0, %sb : tensor<4x8xf32>
  %2 = ew.sub %1, %tt : tensor<4x8xf32>
  %3 = ew.div %2, %cb : tensor<4x8xf32>
  %4 = ew.pow %3, %k : tensor<4x8xf32>
  return %4 : tensor<4x8xf32>
}

// Sizes that broadcast at run time.
// CHECK-LABEL: @dynamic_broadcast
// CHECK-SAME: %[[X:.*]]: tensor<?x?xf32>, %[[B:.*]]: tensor<?xf32>
// CHECK: ew.check_shapes broadcast %[[B]], %[[X]]
// CHECK-NOT: ew.check_shapes
// CHECK-DAG: %[[DX0:.*]] = tensor.dim %[[X]], %c0
// CHECK-DAG: %[[DX1:.*]] = tensor.dim %[[X]], %c1
// CHECK-DAG: %[[DB:.*]] = tensor.dim %[[B]], %c0
// CHECK: %[[ONE:.*]] = arith.cmpi eq, %[[DB]], %c1
// CHECK: %[[D1:.*]] = arith.select %[[ONE]], %[[DX1]], %[[DB]]
// CHECK: tensor.empty(%[[DX0]], %[[D1]])
// CHECK: linalg.generic {indexing_maps = [#[[ID2]], #[[ROW]], #[[ID2]]]
func.func @dynamic_broadcast(%x: tensor<?x?xf32>, %b: tensor<?xf32>) -> tensor<?x?xf32> {
  %bb = ew.broadcast %b like(%x : tensor<?x?xf32>) : tensor<?xf32> to tensor<?x?xf32>
  %xb = ew.broadcast %x like(%b : tensor<?xf32>) : tensor<?x?xf32> to tensor<?x?xf32>
  %0 = ew.add %xb, %bb : tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// Each pair of sizes is checked once.
// CHECK-LABEL: @checks
// CHECK-SAME: %[[X:[a-z0-9]*]]: {{.*}}, %[[Y:[a-z0-9]*]]: {{.*}}, %[[Z:[a-z0-9]*]]: tensor
// CHECK: ew.check_shapes %[[X]], %[[Y]] {ew.op = "ew.add"}
// CHECK-NEXT: ew.check_shapes %[[X]], %[[Z]] {ew.op = "ew.mul"}
// CHECK-NOT: ew.check_shapes
// CHECK: return
func.func @checks(%x: tensor<?xf32>, %y: tensor<?xf32>, %z: tensor<?xf32>) -> tensor<?xf32> {
  %0 = ew.add %x, %y : tensor<?xf32>
  %1 = ew.mul %0, %z : tensor<?xf32>
  %2 = ew.sub %z, %y : tensor<?xf32>
  %3 = ew.sub %1, %2 : tensor<?xf32>
  return %3 : tensor<?xf32>
}

// Nothing is moved across an op that the kernel would have to wait for.
// CHECK-LABEL: @barrier
// CHECK: %[[E:.*]] = linalg.generic
// CHECK: %[[S:.*]] = call @norm(%[[E]])
// CHECK: %[[D:.*]] = linalg.generic {{.*}} ins(%[[E]], %[[S]]
// CHECK: return %[[D]]
func.func private @norm(%x: tensor<?xf32>) -> tensor<?xf32>
func.func @barrier(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = ew.exp %x : tensor<?xf32>
  %1 = func.call @norm(%0) : (tensor<?xf32>) -> tensor<?xf32>
  %2 = ew.div %0, %1 : tensor<?xf32>
  return %2 : tensor<?xf32>
}

// A cheap small value is computed again where it is read, an expensive one is
// stored; one that is transposed and read once is computed in place.
// CHECK-LABEL: @recompute
// CHECK: %[[G:.*]] = linalg.generic {{.*}}ew.ops = "gelu_gelu"
// CHECK: linalg.generic {indexing_maps = [#[[ID2]], #[[ROW]], #[[ROW]], #[[SWAP]], #[[ID2]]]
// CHECK-SAME: ins(%{{[^ ]*}}, %{{[^ ]*}}, %[[G]], %{{[^ ]*}} :
// CHECK: ew.relu
// CHECK: ew.add
// CHECK: ew.add
// CHECK: ew.exp
// CHECK: ew.sin
// CHECK: ew.tan
func.func @recompute(%x: tensor<4x8xf32>, %b: tensor<8xf32>, %t: tensor<8x4xf32>) -> tensor<4x8xf32> {
  %cheap = ew.relu %b : tensor<8xf32>
  %cheapb = ew.broadcast %cheap : tensor<8xf32> to tensor<4x8xf32>
  %g0 = ew.gelu %b : tensor<8xf32>
  %g1 = ew.gelu %g0 : tensor<8xf32>
  %gb = ew.broadcast %g1 : tensor<8xf32> to tensor<4x8xf32>
  %t0 = ew.exp %t : tensor<8x4xf32>
  %t1 = ew.sin %t0 : tensor<8x4xf32>
  %t2 = ew.tan %t1 : tensor<8x4xf32>
  %tt = ew.transpose %t2 [1, 0] : tensor<8x4xf32> to tensor<4x8xf32>
  %0 = ew.add %x, %cheapb : tensor<4x8xf32>
  %1 = ew.add %0, %gb : tensor<4x8xf32>
  %2 = ew.mul %1, %tt : tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}

// What is returned without any arithmetic still has to be written.
// CHECK-LABEL: @copies
// CHECK-DAG: ew.constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00]>
// CHECK-DAG: ew.ops = "broadcast"
// CHECK-DAG: ew.ops = "transpose"
// CHECK-DAG: ew.ops = "iota"
// CHECK-DAG: ew.ops = "constant"
// CHECK: return
func.func @copies(%x: tensor<4xf32>, %y: tensor<?x4xf32>)
    -> (tensor<2x4xf32>, tensor<4x?xf32>, tensor<4xi32>, tensor<3xf32>, tensor<3xf32>) {
  %0 = ew.broadcast %x : tensor<4xf32> to tensor<2x4xf32>
  %1 = ew.transpose %y [1, 0] : tensor<?x4xf32> to tensor<4x?xf32>
  %2 = ew.iota dimension(0) : tensor<4xi32>
  %3 = ew.constant dense<2.0> : tensor<3xf32>
  %4 = ew.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  return %0, %1, %2, %3, %4 : tensor<2x4xf32>, tensor<4x?xf32>, tensor<4xi32>, tensor<3xf32>, tensor<3xf32>
}

// Sizes are followed through what the host says of them; those of what a kernel
// computes are asked of its operands.
// CHECK-LABEL: @sizes
// CHECK-SAME: %[[X:.*]]: tensor<?xf32>, %[[N:.*]]: index
// CHECK-NOT: ew.check_shapes
// CHECK: %[[K:.*]]:2 = linalg.generic
// CHECK: return %[[K]]#0, %[[K]]#1, %dim : tensor<?xf32>, tensor<?xf32>, index
func.func @sizes(%x: tensor<?xf32>, %n: index, %s: f32) -> (tensor<?xf32>, tensor<?xf32>, index) {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %x, %c0 : tensor<?xf32>
  %e = tensor.empty(%d) : tensor<?xf32>
  %b = ew.broadcast %s like(%e : tensor<?xf32>) : f32 to tensor<?xf32>
  %0 = ew.mul %x, %b : tensor<?xf32>
  %1 = ew.exp %0 : tensor<?xf32>
  %d1 = tensor.dim %1, %c0 : tensor<?xf32>
  return %0, %1, %d1 : tensor<?xf32>, tensor<?xf32>, index
}

// A size that the host computes.
// CHECK-LABEL: @computed_size
// CHECK-SAME: %[[X:.*]]: tensor<?xf32>, %[[N:.*]]: index
// CHECK: %[[E:.*]] = tensor.empty(%[[N]]) : tensor<?xi8>
// CHECK: ew.check_shapes %[[X]], %[[E]]
func.func @computed_size(%x: tensor<?xf32>, %n: index, %s: f32) -> tensor<?xf32> {
  %e = tensor.empty(%n) : tensor<?xf32>
  %b = ew.broadcast %s like(%e : tensor<?xf32>) : f32 to tensor<?xf32>
  %0 = ew.mul %x, %b : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// Numbers that feed a kernel alone are computed in it.
// CHECK-LABEL: @host_numbers
// CHECK-NOT: ew.sub
// CHECK: linalg.generic
// CHECK: ew.constant 1.000000e+00 : f32
// CHECK: ew.sub %{{.*}} : f32
// CHECK: ew.mul %{{.*}} : f32
func.func @host_numbers(%x: tensor<?xf32>, %b1: f32) -> tensor<?xf32> {
  %one = ew.constant 1.0 : f32
  %0 = ew.sub %one, %b1 : f32
  %1 = ew.broadcast %0 like(%x : tensor<?xf32>) : f32 to tensor<?xf32>
  %2 = ew.mul %x, %1 : tensor<?xf32>
  return %2 : tensor<?xf32>
}

// A static size of 1 that is stretched has index 0; one that may turn out to be
// 1 has it too, so its indices are stored.
// CHECK-LABEL: @stretched_iota
// CHECK: %[[I:.*]] = linalg.generic {{.*}}ew.ops = "iota"
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %[[I]] : tensor<?xf32>, tensor<?xf32>)
func.func @stretched_iota(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %i = ew.iota dimension(0) like(%x : tensor<?xf32>) : tensor<?xf32>
  %ib = ew.broadcast %i like(%y : tensor<?xf32>) : tensor<?xf32> to tensor<?xf32>
  %yb = ew.broadcast %y like(%x : tensor<?xf32>) : tensor<?xf32> to tensor<?xf32>
  %0 = ew.add %yb, %ib : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// Ops that read the same tensor share a kernel, if their loops are the same.
// CHECK-LABEL: @shared_input
// CHECK: linalg.generic {{.*}} ins(%arg0, %arg1 : {{.*}}ew.ops = "sin_cos_add"
// CHECK: linalg.generic {{.*}} ins(%arg0 : {{.*}}ew.ops = "exp"
// CHECK-NOT: linalg.generic
func.func @shared_input(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>)
    -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<8x4xf32>) {
  %0 = ew.sin %x : tensor<4x8xf32>
  %1 = ew.cos %x : tensor<4x8xf32>
  %2 = ew.add %x, %y : tensor<4x8xf32>
  %t = ew.transpose %x [1, 0] : tensor<4x8xf32> to tensor<8x4xf32>
  %3 = ew.exp %t : tensor<8x4xf32>
  return %0, %1, %2, %3 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<8x4xf32>
}

// No kernel waits for itself: %2 needs %0 by another way than its own kernel.
// CHECK-LABEL: @no_cycle
// CHECK: %[[A:.*]] = linalg.generic
// CHECK: %[[CAST:.*]] = tensor.cast %[[A]]
// CHECK: %[[B:.*]] = call @norm(%[[CAST]])
// CHECK: %[[C:.*]]:2 = linalg.generic
// CHECK: return %[[C]]#1
func.func @no_cycle(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = ew.exp %x : tensor<8xf32>
  %c = tensor.cast %0 : tensor<8xf32> to tensor<?xf32>
  %1 = func.call @norm(%c) : (tensor<?xf32>) -> tensor<?xf32>
  %s = tensor.cast %1 : tensor<?xf32> to tensor<8xf32>
  %2 = ew.sin %x : tensor<8xf32>
  %3 = ew.mul %2, %s : tensor<8xf32>
  %4 = ew.add %3, %0 : tensor<8xf32>
  %5 = func.call @use(%2) : (tensor<8xf32>) -> tensor<8xf32>
  return %4 : tensor<8xf32>
}
func.func private @use(%x: tensor<8xf32>) -> tensor<8xf32>

// What may be stretched at run time is computed again too, though its map is the
// identity.
// CHECK-LABEL: @stretched_recompute
// CHECK: linalg.generic {indexing_maps = [#[[ID1]], #[[ID1]], #[[ID1]]]{{.*}}ew.ops = "neg_abs_add"
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @stretched_recompute(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %0 = ew.neg %x : tensor<?xf32>
  %1 = ew.abs %0 : tensor<?xf32>
  %2 = ew.broadcast %1 like(%y : tensor<?xf32>) : tensor<?xf32> to tensor<?xf32>
  %3 = ew.broadcast %y like(%1 : tensor<?xf32>) : tensor<?xf32> to tensor<?xf32>
  %4 = ew.add %2, %3 : tensor<?xf32>
  return %4 : tensor<?xf32>
}

// What is computed again has its checks, too, though its own kernel is gone.
// CHECK-LABEL: @recomputed_check
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?x?xf32>, %[[Y:[a-z0-9]+]]: tensor<?x?xf32>
// CHECK: ew.check_shapes %[[X]], %[[Y]] {ew.op = "ew.add"}
// CHECK: linalg.generic
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @recomputed_check(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>, %z: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = ew.add %x, %y : tensor<?x?xf32>
  %1 = ew.transpose %0 [1, 0] : tensor<?x?xf32> to tensor<?x?xf32>
  %2 = ew.mul %1, %z : tensor<?x?xf32>
  return %2 : tensor<?x?xf32>
}

// A transposed tensor's sizes are compared in its own order.
// CHECK-LABEL: @swapped
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?x?xf32>, %[[Y:[a-z0-9]+]]: tensor<?x?xf32>
// CHECK-DAG: %[[X1:.*]] = tensor.dim %[[X]], %c1
// CHECK-DAG: %[[X0:.*]] = tensor.dim %[[X]], %c0
// CHECK: %[[T:.*]] = tensor.empty(%[[X1]], %[[X0]]) : tensor<?x?xi8>
// CHECK: ew.check_shapes %[[T]], %[[Y]] {ew.op = "ew.add"}
func.func @swapped(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = ew.transpose %x [1, 0] : tensor<?x?xf32> to tensor<?x?xf32>
  %1 = ew.add %0, %y : tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}

// A tensor stands for its whole shape only.
// CHECK-LABEL: @of_another_rank
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?x8xf32>, %[[Y:[a-z0-9]+]]: tensor<?xf32>
// CHECK: %[[D:.*]] = tensor.dim %[[X]], %c0
// CHECK: %[[T:.*]] = tensor.empty(%[[D]]) : tensor<?xi8>
// CHECK: ew.check_shapes %[[T]], %[[Y]] {ew.op = "ew.add"}
func.func @of_another_rank(%x: tensor<?x8xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %x, %c0 : tensor<?x8xf32>
  %e = tensor.empty(%d) : tensor<?xf32>
  %i = ew.iota dimension(0) like(%e : tensor<?xf32>) : tensor<?xf32>
  %1 = ew.add %i, %y : tensor<?xf32>
  return %1 : tensor<?xf32>
}

// A dimension that there is not is no size.
// CHECK-LABEL: @no_dimension
// CHECK: %[[K:.*]] = linalg.generic
// CHECK: tensor.dim %[[K]], %c-1
func.func @no_dimension(%x: tensor<?xf32>) -> (tensor<?xf32>, index) {
  %c = arith.constant -1 : index
  %0 = ew.exp %x : tensor<?xf32>
  %d = tensor.dim %0, %c : tensor<?xf32>
  return %0, %d : tensor<?xf32>, index
}

// Of what is stretched when it runs, the index is always 0: it is not computed again for every element.
// CHECK-LABEL: @stretched_index
// CHECK: %[[K:.*]] = linalg.generic {{.*}}ew.ops = "add_neg"
// CHECK: linalg.generic {{.*}} ins(%[[K]],{{.*}}ew.ops = "mul"
func.func @stretched_index(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %i = ew.iota dimension(0) like(%x : tensor<?xf32>) : tensor<?xf32>
  %0 = ew.add %x, %i : tensor<?xf32>
  %1 = ew.neg %0 : tensor<?xf32>
  %2 = ew.broadcast %1 like(%y : tensor<?xf32>) : tensor<?xf32> to tensor<?xf32>
  %3 = ew.mul %2, %y : tensor<?xf32>
  return %3 : tensor<?xf32>
}

// Nor is much of it.
// CHECK-LABEL: @stretched_functions
// CHECK: %[[K:.*]] = linalg.generic {{.*}}ew.ops = "exp_tanh"
// CHECK: linalg.generic {{.*}} ins(%[[K]],{{.*}}ew.ops = "mul"
func.func @stretched_functions(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %0 = ew.exp %x : tensor<?xf32>
  %1 = ew.tanh %0 : tensor<?xf32>
  %2 = ew.broadcast %1 like(%y : tensor<?xf32>) : tensor<?xf32> to tensor<?xf32>
  %3 = ew.mul %2, %y : tensor<?xf32>
  return %3 : tensor<?xf32>
}

// What a size is compared with does not take its place in the comparison.
// CHECK-LABEL: @claimed_size
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?xf32>, %[[Y:[a-z0-9]+]]: tensor<?xf32>
// CHECK: %[[J:.*]] = arith.select
// CHECK: %[[T:.*]] = tensor.empty(%[[J]]) : tensor<?xi8>
// CHECK: %[[C:.*]] = tensor.empty() : tensor<8xi8>
// CHECK: ew.check_shapes %[[T]], %[[C]] {ew.op = "ew.cast"}
func.func @claimed_size(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<8xf16> {
  %0 = ew.broadcast %x like(%y : tensor<?xf32>) : tensor<?xf32> to tensor<?xf32>
  %1 = ew.cast %0 : tensor<?xf32> to tensor<8xf16>
  return %1 : tensor<8xf16>
}

// Two sizes that are 1 may be stretched to the type's, but become no other one; and a type's 1 is 1.
// CHECK-LABEL: @claimed_broadcast
// CHECK: ew.check_shapes broadcast %{{.*}}, %{{.*}} {ew.op = "ew.broadcast"} : tensor<?x?xf32>, tensor<?x?xf32>
// CHECK: %[[J0:.*]] = arith.select
// CHECK: %[[J1:.*]] = arith.select
// CHECK: %[[T:.*]] = tensor.empty(%[[J0]], %[[J1]]) : tensor<?x?xi8>
// CHECK: %[[C:.*]] = tensor.empty(%[[J1]]) : tensor<8x?xi8>
// CHECK: ew.check_shapes broadcast %[[T]], %[[C]] {ew.op = "ew.broadcast"}
// CHECK: %[[T:.*]] = tensor.empty(%[[J0]], %[[J1]]) : tensor<?x?xi8>
// CHECK: %[[C:.*]] = tensor.empty(%[[J0]]) : tensor<?x1xi8>
// CHECK: ew.check_shapes %[[T]], %[[C]] {ew.op = "ew.broadcast"}
func.func @claimed_broadcast(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<8x1xf32> {
  %0 = ew.broadcast %x like(%y : tensor<?x?xf32>) : tensor<?x?xf32> to tensor<8x1xf32>
  %1 = ew.neg %0 : tensor<8x1xf32>
  return %1 : tensor<8x1xf32>
}

// What may be stretched to a size does not have it.
// CHECK-LABEL: @not_known_by_a_claim
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?xf32>, %[[Y:[a-z0-9]+]]: tensor<?xf32>, %[[Z:[a-z0-9]+]]: tensor<8xf32>
// CHECK: ew.check_shapes %{{.*}}, %{{.*}} {ew.op = "ew.add"}
func.func @not_known_by_a_claim(%x: tensor<?xf32>, %y: tensor<?xf32>, %z: tensor<8xf32>) -> (tensor<8xf32>, tensor<?xf32>) {
  %0 = ew.broadcast %x like(%y : tensor<?xf32>) : tensor<?xf32> to tensor<8xf32>
  %1 = ew.neg %0 : tensor<8xf32>
  %2 = ew.broadcast %x like(%y : tensor<?xf32>) : tensor<?xf32> to tensor<?xf32>
  %3 = tensor.cast %z : tensor<8xf32> to tensor<?xf32>
  %4 = ew.add %2, %3 : tensor<?xf32>
  return %1, %4 : tensor<8xf32>, tensor<?xf32>
}
