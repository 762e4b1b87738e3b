// RUN: ew-opt %s --ew-contract | FileCheck %s
// RUN: not ew-opt %s --ew-contract=mode=loose 2>&1 | FileCheck %s --check-prefix=MODE

// MODE: ew-contract: mode must be default, strict or fast, not 'loose'

// CHECK-LABEL: @contracted
// CHECK: %[[A:.*]] = ew.fma %arg0, %arg1, %arg2 : tensor<?xf32>
// CHECK: %[[B:.*]] = ew.fma %arg0, %arg1, %arg2 : tensor<?xf32>
// CHECK: %[[NZ:.*]] = ew.neg %arg2 : tensor<?xf32>
// CHECK: %[[C:.*]] = ew.fma %arg0, %arg1, %[[NZ]] : tensor<?xf32>
// CHECK: %[[NX:.*]] = ew.neg %arg0 : tensor<?xf32>
// CHECK: %[[D:.*]] = ew.fma %[[NX]], %arg1, %arg2 : tensor<?xf32>
// CHECK: return %[[A]], %[[B]], %[[C]], %[[D]]
func.func @contracted(%x: tensor<?xf32>, %y: tensor<?xf32>, %z: tensor<?xf32>)
    -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {
  %p0 = ew.mul %x, %y : tensor<?xf32>
  %0 = ew.add %p0, %z : tensor<?xf32>
  %p1 = ew.mul %x, %y : tensor<?xf32>
  %1 = ew.add %z, %p1 : tensor<?xf32>
  %p2 = ew.mul %x, %y : tensor<?xf32>
  %2 = ew.sub %p2, %z : tensor<?xf32>
  %p3 = ew.mul %x, %y : tensor<?xf32>
  %3 = ew.sub %z, %p3 : tensor<?xf32>
  return %0, %1, %2, %3 : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
}

// A sum of products keeps one of them: the first is contracted.
// CHECK-LABEL: @two_products
// CHECK: %[[P:.*]] = ew.mul %arg1, %arg1 : bf16
// CHECK: ew.fma %arg0, %arg0, %[[P]] : bf16
func.func @two_products(%x: bf16, %y: bf16) -> bf16 {
  %0 = ew.mul %x, %x : bf16
  %1 = ew.mul %y, %y : bf16
  %2 = ew.add %0, %1 : bf16
  return %2 : bf16
}

// Where the product is used elsewhere too, in a * b - a * b, in integers and behind a
// rounding that was asked for, nothing is.
// CHECK-LABEL: @not_contracted
// CHECK-NOT: ew.fma
// CHECK: return
func.func @not_contracted(%x: f32, %y: f32, %i: i32) -> (f32, f32, f32, i32, f32) {
  %p = ew.mul %x, %y : f32
  %0 = ew.add %p, %x : f32
  %q = ew.mul %x, %y : f32
  %1 = ew.sub %q, %q : f32
  %pi = ew.mul %i, %i : i32
  %2 = ew.add %pi, %i : i32
  %r = ew.mul %x, %y : f32
  %h = ew.cast %r : f32 to bf16
  %w = ew.cast %h : bf16 to f32
  %3 = ew.add %w, %x : f32
  return %p, %0, %1, %2, %3 : f32, f32, f32, i32, f32
}

// A use of the product's shape alone does not keep the product.
// CHECK-LABEL: func.func @shape_use
// CHECK-NOT:     ew.mul
// CHECK:         ew.broadcast %{{.*}} like(%arg0 : tensor<?xf32>)
// CHECK:         ew.fma
func.func @shape_use(%x: tensor<?xf32>, %y: tensor<?xf32>, %s: f32) -> tensor<?xf32> {
  %0 = ew.mul %x, %y : tensor<?xf32>
  %1 = ew.broadcast %s like(%0 : tensor<?xf32>) : f32 to tensor<?xf32>
  %2 = ew.add %0, %1 : tensor<?xf32>
  return %2 : tensor<?xf32>
}

// One that is stretched to its own shape is looked at.
// CHECK-LABEL: func.func @stretched
// CHECK:         ew.mul
// CHECK:         ew.add
func.func @stretched(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %0 = ew.mul %x, %y : tensor<?xf32>
  %1 = ew.broadcast %0 like(%0 : tensor<?xf32>) : tensor<?xf32> to tensor<?xf32>
  %2 = ew.add %0, %1 : tensor<?xf32>
  return %2 : tensor<?xf32>
}

// A graph has no order: the product may come after its sum.
// CHECK-LABEL: module @graph
// CHECK-NOT: ew.mul
// CHECK: ew.fma
// CHECK-NOT: ew.mul
module @graph {
  %x = ew.constant 2.0 : f32
  %sum = ew.add %product, %x : f32
  %product = ew.mul %x, %x : f32
}
