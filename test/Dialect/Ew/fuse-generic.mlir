// RUN: ew-opt %s --ew-fuse | FileCheck %s
// RUN: ew-opt %s --convert-elementwise-to-linalg --ew-fuse | FileCheck %s --check-prefix=UPSTREAM
// RUN: ew-opt %s --ew-fuse -o %t && ew-opt %t --ew-fuse | diff %t -

// CHECK-DAG: #[[ID:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[ROW:.*]] = affine_map<(d0, d1) -> (d1)>
// CHECK-DAG: #[[COLUMN:.*]] = affine_map<(d0, d1) -> (d0)>
// CHECK-DAG: #[[STRETCHED:.*]] = affine_map<(d0, d1) -> (d0, 0)>
// CHECK-DAG: #[[SWAP:.*]] = affine_map<(d0, d1) -> (d1, d0)>
// CHECK-DAG: #[[SCALAR:.*]] = affine_map<(d0, d1) -> ()>
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>
#column = affine_map<(d0, d1) -> (d0)>
#stretched = affine_map<(d0, d1) -> (d0, 0)>
#swap = affine_map<(d0, d1) -> (d1, d0)>
#scalar = affine_map<(d0, d1) -> ()>

// A linalg.generic of ew ops joins the ops around it.
// CHECK-LABEL: @joins
// CHECK: linalg.generic {indexing_maps = [#[[ID]], #[[ROW]], #[[COLUMN]], #[[STRETCHED]], #[[SWAP]], #[[SCALAR]], #[[ID]]]
// CHECK-SAME: ew.ops = "exp_add_add_add_add_add_mul_tanh"
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @joins(%x: tensor<4x8xf32>, %r: tensor<8xf32>, %c: tensor<4xf32>, %u: tensor<4x1xf32>,
                 %t: tensor<8x4xf32>, %s: f32) -> tensor<4x8xf32> {
  %0 = ew.exp %x : tensor<4x8xf32>
  %e = tensor.empty() : tensor<4x8xf32>
  %1 = linalg.generic {indexing_maps = [#id, #row, #column, #stretched, #swap, #scalar, #id],
                       iterator_types = ["parallel", "parallel"]}
      ins(%0, %r, %c, %u, %t, %s : tensor<4x8xf32>, tensor<8xf32>, tensor<4xf32>, tensor<4x1xf32>, tensor<8x4xf32>, f32)
      outs(%e : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f32, %d: f32, %f: f32, %g: f32, %h: f32, %o: f32):
    %two = ew.constant 2.0 : f32
    %2 = ew.add %a, %b : f32
    %3 = ew.add %2, %d : f32
    %4 = ew.add %3, %f : f32
    %5 = ew.add %4, %g : f32
    %6 = ew.add %5, %h : f32
    %7 = ew.mul %6, %two : f32
    linalg.yield %7 : f32
  } -> tensor<4x8xf32>
  %8 = ew.tanh %1 : tensor<4x8xf32>
  return %8 : tensor<4x8xf32>
}

// CHECK-LABEL: @dynamic
// CHECK: linalg.generic {indexing_maps = [#[[ID]], #[[COLUMN]], #[[ID]], #[[ID]]]
// CHECK-SAME: ew.ops = "add_exp"
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @dynamic(%x: tensor<?x?xf32>, %c: tensor<?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %0:2 = linalg.generic {indexing_maps = [#id, #column, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %c : tensor<?x?xf32>, tensor<?xf32>) outs(%x, %x : tensor<?x?xf32>, tensor<?x?xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32, %p: f32):
    %1 = ew.add %a, %b : f32
    %2 = ew.exp %1 : f32
    linalg.yield %1, %2 : f32, f32
  } -> (tensor<?x?xf32>, tensor<?x?xf32>)
  return %0#0, %0#1 : tensor<?x?xf32>, tensor<?x?xf32>
}

// A reduction, a body of other ops, an output that is read: left alone.
// CHECK-LABEL: @left_alone
// CHECK-COUNT-3: linalg.generic
// CHECK: return
func.func @left_alone(%x: tensor<4x8xf32>, %o: tensor<4xf32>) -> (tensor<4xf32>, tensor<4x8xf32>, tensor<4x8xf32>) {
  %0 = linalg.generic {indexing_maps = [#id, #column], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x8xf32>) outs(%o : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = ew.add %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x8xf32>) outs(%x : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %a : f32
    linalg.yield %s : f32
  } -> tensor<4x8xf32>
  %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x8xf32>) outs(%x : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = ew.add %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<4x8xf32>
  return %0, %1, %2 : tensor<4xf32>, tensor<4x8xf32>, tensor<4x8xf32>
}

// A diagonal, more dimensions of size 1 than loops, outputs of two types, a copy, a number from outside: left alone, too.
// CHECK-LABEL: @left_alone_too
// CHECK-NOT: ew.ops
// CHECK: return
func.func @left_alone_too(%d: tensor<4x4xf32>, %one: tensor<1x1x1xf32>, %x: tensor<4x4xf32>, %y: tensor<?x?xf32>, %s: f32)
    -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<?x?xf32>, tensor<4x4xf32>, tensor<4x4xf32>) {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d0)>, #id], iterator_types = ["parallel", "parallel"]}
      ins(%d : tensor<4x4xf32>) outs(%x : tensor<4x4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %r = ew.neg %a : f32
    linalg.yield %r : f32
  } -> tensor<4x4xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (0, 0, 0)>, #id], iterator_types = ["parallel", "parallel"]}
      ins(%one : tensor<1x1x1xf32>) outs(%x : tensor<4x4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %r = ew.neg %a : f32
    linalg.yield %r : f32
  } -> tensor<4x4xf32>
  %2:2 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%d : tensor<4x4xf32>) outs(%x, %y : tensor<4x4xf32>, tensor<?x?xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %r = ew.neg %a : f32
    linalg.yield %r, %r : f32, f32
  } -> (tensor<4x4xf32>, tensor<?x?xf32>)
  %3 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%d : tensor<4x4xf32>) outs(%x : tensor<4x4xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<4x4xf32>
  %4 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%d : tensor<4x4xf32>) outs(%x : tensor<4x4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %r = ew.add %a, %s : f32
    linalg.yield %r : f32
  } -> tensor<4x4xf32>
  return %0, %1, %2#0, %2#1, %3, %4
      : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<?x?xf32>, tensor<4x4xf32>, tensor<4x4xf32>
}

// What upstream's conversion makes of a chain is one kernel again.
// UPSTREAM-LABEL: @chain
// UPSTREAM: linalg.generic
// UPSTREAM-SAME: ew.ops = "mul_sin_select"
// UPSTREAM-NOT: linalg.generic
// UPSTREAM: return
func.func @chain(%x: tensor<?xf32>, %y: tensor<?xf32>, %b: tensor<?xi1>) -> tensor<?xf32> {
  %0 = ew.mul %x, %y : tensor<?xf32>
  %1 = ew.sin %0 : tensor<?xf32>
  %2 = ew.select %b, %0, %1 : tensor<?xf32>
  return %2 : tensor<?xf32>
}
