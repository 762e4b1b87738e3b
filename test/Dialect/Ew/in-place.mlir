// RUN: ew-opt %s --ew-fuse --ew-inplace | FileCheck %s
// RUN: ew-opt %s --ew-fuse --ew-inplace | ew-opt --ew-fuse --ew-inplace | FileCheck %s
// RUN: ew-opt %s --emit-bytecode | ew-opt | FileCheck %s --check-prefix=KEPT

#id = affine_map<(d0) -> (d0)>

// The kernel gets the argument for an output; sizes that are not known to agree are compared.
// KEPT-LABEL: @step(
// KEPT-SAME: tensor<?xf32> {ew.inplace = 0 : i64}
// CHECK-LABEL: @step(
// CHECK-SAME: %[[P:.*]]: tensor<?xf32> {ew.inplace = 0 : i64}, %[[G:.*]]: tensor<?xf32>)
// CHECK: ew.check_shapes %[[P]], %{{.*}} {ew.inplace = 0 : i64}
// CHECK-NOT: ew.check_shapes
// CHECK: %[[K:.*]] = linalg.generic
// CHECK-SAME: ins(%[[G]], %[[P]] : {{.*}}) outs(%[[P]] :
// CHECK: return %[[K]]
func.func @step(%p: tensor<?xf32> {ew.inplace = 0}, %g: tensor<?xf32>) -> tensor<?xf32> {
  %0 = ew.sub %g, %p : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// Known sizes need no check; each result finds its argument, others get memory.
// CHECK-LABEL: @several(
// CHECK-SAME: %[[P:[a-z0-9]+]]: tensor<8xf32> {{{.*}}}, %[[M:[a-z0-9]+]]: tensor<8xf32>
// CHECK-NOT: ew.check_shapes
// CHECK: %[[E:.*]] = tensor.empty
// CHECK: linalg.generic
// CHECK-SAME: outs(%[[M]], %[[E]], %[[P]] :
func.func @several(%p: tensor<8xf32> {ew.inplace = 2}, %m: tensor<8xf32> {ew.inplace = 0})
    -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %0 = ew.add %m, %p : tensor<8xf32>
  %1 = ew.exp %0 : tensor<8xf32>
  %2 = ew.sub %p, %1 : tensor<8xf32>
  return %0, %1, %2 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// A kernel that reads the old elements, and its check, come first.
// CHECK-LABEL: @reader_first(
// CHECK-SAME: %[[P:[a-z0-9]+]]: tensor<?x?xf32> {{{.*}}}, %[[X:[a-z0-9]+]]: tensor<?x?xf32>
// CHECK: %[[T:.*]] = linalg.generic
// CHECK-SAME: ins(%[[P]] : tensor<?x?xf32>)
// CHECK: %[[W:.*]] = linalg.generic
// CHECK-SAME: outs(%[[P]] :
// CHECK: return %[[W]], %[[T]]
func.func @reader_first(%p: tensor<?x?xf32> {ew.inplace = 0}, %x: tensor<?x?xf32>)
    -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %0 = ew.mul %p, %x : tensor<?x?xf32>
  %t = ew.transpose %p [1, 0] : tensor<?x?xf32> to tensor<?x?xf32>
  %1 = ew.exp %t : tensor<?x?xf32>
  return %0, %1 : tensor<?x?xf32>, tensor<?x?xf32>
}

// A kernel that reads the argument goes first with another one that it depends on, which reads it, too.
// CHECK-LABEL: @readers_in_turn(
// CHECK-SAME: %[[P:[a-z0-9]+]]: tensor<8xf32> {{{.*}}})
// CHECK: %[[A:.*]] = linalg.generic
// CHECK-SAME: ins(%[[P]] : {{.*}}ew.ops = "sin"
// CHECK: %[[B:.*]] = linalg.generic
// CHECK-SAME: ins(%[[P]], %[[A]] : {{.*}}ew.ops = "add"
// CHECK: %[[W:.*]] = linalg.generic
// CHECK-SAME: ins(%[[P]] : {{.*}} outs(%[[P]] : {{.*}}ew.ops = "exp"
// CHECK: return %[[W]], %[[B]]
func.func @readers_in_turn(%p: tensor<8xf32> {ew.inplace = 0}) -> (tensor<8xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%p : tensor<8xf32>) outs(%e : tensor<8xf32>) attrs = {ew.ops = "exp"} {
  ^bb0(%in: f32, %out: f32):
    %1 = ew.exp %in : f32
    linalg.yield %1 : f32
  } -> tensor<8xf32>
  %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%p : tensor<8xf32>) outs(%e : tensor<8xf32>) attrs = {ew.ops = "sin"} {
  ^bb0(%in: f32, %out: f32):
    %1 = ew.sin %in : f32
    linalg.yield %1 : f32
  } -> tensor<8xf32>
  %3 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%p, %2 : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) attrs = {ew.ops = "add"} {
  ^bb0(%in: f32, %in2: f32, %out: f32):
    %1 = ew.add %in, %in2 : f32
    linalg.yield %1 : f32
  } -> tensor<8xf32>
  return %0, %3 : tensor<8xf32>, tensor<8xf32>
}

// What is not computed for this argument alone, is copied: another argument, a result that is returned twice.
// CHECK-LABEL: @copies(
// CHECK-SAME: %[[P:[a-z0-9]+]]: tensor<8xf32> {{{.*}}}, %[[Q:[a-z0-9]+]]: tensor<8xf32> {{{.*}}}, %[[R:[a-z0-9]+]]: tensor<8xf32> {{{.*}}}, %[[X:[a-z0-9]+]]: tensor<8xf32>)
// CHECK: %[[E:.*]] = linalg.generic
// CHECK-SAME: ins(%[[X]] : {{.*}} outs(%[[P]] :
// CHECK: %[[C:.*]] = linalg.generic
// CHECK-SAME: ins(%[[E]] : {{.*}} outs(%[[Q]] :
// CHECK-SAME: ew.ops = "copy"
// CHECK: %[[D:.*]] = linalg.generic
// CHECK-SAME: ins(%[[X]] : {{.*}} outs(%[[R]] :
// CHECK-SAME: ew.ops = "copy"
// CHECK: return %[[E]], %[[C]], %[[D]]
func.func @copies(%p: tensor<8xf32> {ew.inplace = 0}, %q: tensor<8xf32> {ew.inplace = 1},
                  %r: tensor<8xf32> {ew.inplace = 2}, %x: tensor<8xf32>)
    -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %0 = ew.exp %x : tensor<8xf32>
  return %0, %0, %x : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// The argument itself is in its buffer.
// CHECK-LABEL: @itself(
// CHECK-NEXT: return %{{.*}}
func.func @itself(%p: tensor<8xf32> {ew.inplace = 0}) -> tensor<8xf32> {
  return %p : tensor<8xf32>
}

// Types that say different things of one size.
// CHECK-LABEL: @cast(
// CHECK-SAME: %[[P:[a-z0-9]+]]: tensor<?xf32>
// CHECK: %[[C:.*]] = tensor.cast %[[P]] : tensor<?xf32> to tensor<4xf32>
// CHECK: linalg.generic
// CHECK-SAME: outs(%[[C]] : tensor<4xf32>)
func.func @cast(%p: tensor<?xf32> {ew.inplace = 0}, %x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = ew.exp %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// Whatever the elements are.
// CHECK-LABEL: func.func @indices
// CHECK: ew.check_shapes %{{.*}}, %{{.*}} : tensor<?xindex>, tensor<?xindex>
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<?xindex>)
func.func @indices(%p: tensor<?xindex> {ew.inplace = 0}, %x: tensor<?xindex>) -> tensor<?xindex> {
  return %x : tensor<?xindex>
}
