// RUN: ew-opt %s --ew-fuse | FileCheck %s
// Each block is fused by itself; what it takes from around it is an input.

// CHECK-LABEL: @conditional
// CHECK-SAME: %[[X:.*]]: tensor<?xf32>, %[[B:.*]]: i1
// CHECK: %[[E:.*]] = linalg.generic {{.*}}ew.ops = "exp"
// CHECK: %[[R:.*]] = scf.if %[[B]]
// CHECK: linalg.generic {{.*}} ins(%[[E]], %[[X]] : {{.*}}ew.ops = "add_sin"
// CHECK: scf.yield
// CHECK: else
// CHECK: scf.yield %[[E]]
// CHECK: linalg.generic {{.*}} ins(%[[R]] : {{.*}}ew.ops = "neg"
func.func @conditional(%x: tensor<?xf32>, %b: i1) -> tensor<?xf32> {
  %0 = ew.exp %x : tensor<?xf32>
  %1 = scf.if %b -> tensor<?xf32> {
    %2 = ew.add %0, %x : tensor<?xf32>
    %3 = ew.sin %2 : tensor<?xf32>
    scf.yield %3 : tensor<?xf32>
  } else {
    scf.yield %0 : tensor<?xf32>
  }
  %4 = ew.neg %1 : tensor<?xf32>
  return %4 : tensor<?xf32>
}

// CHECK-LABEL: @loop
// CHECK: scf.for {{.*}} iter_args(%[[I:.*]] = %{{.*}})
// CHECK: linalg.generic {{.*}} ins(%[[I]] : {{.*}}ew.ops = "mul_tanh"
// CHECK: scf.yield
func.func @loop(%x: tensor<8xf32>, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%v = %x) -> tensor<8xf32> {
    %1 = ew.mul %v, %v : tensor<8xf32>
    %2 = ew.tanh %1 : tensor<8xf32>
    scf.yield %2 : tensor<8xf32>
  }
  return %0 : tensor<8xf32>
}

// Blocks of a function likewise; a call with an effect keeps its place.
// CHECK-LABEL: @blocks
// CHECK: %[[A:.*]] = linalg.generic
// CHECK: call @log(%[[A]])
// CHECK: call @log(%{{.*}})
// CHECK: cf.br ^bb1(%[[A]]
// CHECK: ^bb1
// CHECK: linalg.generic
func.func private @log(tensor<4xf32>)
func.func @blocks(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = ew.exp %x : tensor<4xf32>
  func.call @log(%0) : (tensor<4xf32>) -> ()
  func.call @log(%x) : (tensor<4xf32>) -> ()
  cf.br ^next(%0 : tensor<4xf32>)
^next(%y: tensor<4xf32>):
  %1 = ew.sin %y : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// What another block alone reads is computed, wherever that block stands.
// CHECK-LABEL: func.func @other_block
// CHECK: %[[E:.*]] = linalg.generic {{.*}} attrs = {ew.ops = "exp"}
// CHECK: cf.br ^bb2
// CHECK: ^bb1:
// CHECK: linalg.generic {{.*}} ins(%[[M:.*]], %[[E]] : tensor<4xf32>, tensor<4xf32>) {{.*}} attrs = {ew.ops = "add"}
// CHECK: return
// CHECK: ^bb2:
// CHECK: %[[M]] = linalg.generic {{.*}} ins(%[[E]] : tensor<4xf32>) {{.*}} attrs = {ew.ops = "mul"}
// CHECK: cf.br ^bb1
func.func @other_block(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = ew.exp %x : tensor<4xf32>
  cf.br ^first
^second:
  %2 = ew.add %1, %0 : tensor<4xf32>
  return %2 : tensor<4xf32>
^first:
  %1 = ew.mul %0, %0 : tensor<4xf32>
  cf.br ^second
}

// A view that another block has made is computed there.
// CHECK-LABEL: @outer_view
// CHECK: %[[V:.*]] = linalg.generic {{.*}}ew.ops = "broadcast"
// CHECK: scf.if
// CHECK: linalg.generic {{.*}} ins(%[[V]], %{{.*}} : {{.*}}ew.ops = "add"
func.func @outer_view(%r: tensor<8xf32>, %x: tensor<4x8xf32>, %b: i1) -> tensor<4x8xf32> {
  %v = ew.broadcast %r : tensor<8xf32> to tensor<4x8xf32>
  %1 = scf.if %b -> tensor<4x8xf32> {
    %2 = ew.add %v, %x : tensor<4x8xf32>
    scf.yield %2 : tensor<4x8xf32>
  } else {
    scf.yield %x : tensor<4x8xf32>
  }
  return %1 : tensor<4x8xf32>
}

// Two that read the same are one kernel only where that does not depend on itself: by what a call takes and gives, ...
// CHECK-LABEL: @through_a_call
// CHECK: %[[K:.*]] = linalg.generic {{.*}}ew.ops = "sin"
// CHECK: %[[U:.*]] = call @use(%[[K]])
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %[[U]] : {{.*}}ew.ops = "exp_add"
func.func private @use(tensor<4xf32>) -> tensor<4xf32>
func.func @through_a_call(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = ew.exp %x : tensor<4xf32>
  %1 = ew.sin %x : tensor<4xf32>
  %2 = func.call @use(%1) : (tensor<4xf32>) -> tensor<4xf32>
  %3 = ew.add %0, %2 : tensor<4xf32>
  return %3 : tensor<4xf32>
}

// ... or by a call that comes after another one.
// CHECK-LABEL: @after_a_call
// CHECK: %[[K:.*]] = linalg.generic {{.*}}ew.ops = "exp"
// CHECK: call @log(%[[K]])
// CHECK: %[[M:.*]] = call @make()
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %[[M]] : {{.*}}ew.ops = "add"
func.func private @make() -> tensor<4xf32>
func.func @after_a_call(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = ew.exp %x : tensor<4xf32>
  func.call @log(%0) : (tensor<4xf32>) -> ()
  %1 = func.call @make() : () -> tensor<4xf32>
  %2 = ew.add %x, %1 : tensor<4xf32>
  return %2 : tensor<4xf32>
}

// Calls stay in their order, whatever a kernel that is needed first reads.
// CHECK-LABEL: @order_of_calls
// CHECK: call @note()
// CHECK: %[[M:.*]] = call @make()
// CHECK: %[[K:.*]]:2 = linalg.generic {{.*}} ins(%{{.*}}, %[[M]] : {{.*}}ew.ops = "exp_add"
// CHECK: tensor.extract %[[K]]#0
func.func private @note()
func.func @order_of_calls(%x: tensor<4xf32>, %n: index) -> (f32, tensor<4xf32>) {
  %0 = ew.exp %x : tensor<4xf32>
  %1 = tensor.extract %0[%n] : tensor<4xf32>
  func.call @note() : () -> ()
  %2 = func.call @make() : () -> tensor<4xf32>
  %3 = ew.add %0, %2 : tensor<4xf32>
  return %1, %3 : f32, tensor<4xf32>
}
