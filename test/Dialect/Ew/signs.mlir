// RUN: ew-opt %s --canonicalize --cse | FileCheck %s

// erf(-x) is -erf(x), and erf(x) is there already.
// CHECK-LABEL: func @odd
// CHECK-SAME: (%[[X:.*]]: tensor<?xf32>, %[[C:.*]]: tensor<?xf32>)
// CHECK-NEXT: %[[U:.*]] = ew.mul %[[X]], %[[C]]
// CHECK-NEXT: %[[E:.*]] = ew.erf %[[U]]
// CHECK-NEXT: %[[R:.*]] = ew.sub %[[E]], %[[E]]
// CHECK-NEXT: return %[[R]]
func.func @odd(%x: tensor<?xf32>, %c: tensor<?xf32>) -> tensor<?xf32> {
  %0 = ew.mul %x, %c : tensor<?xf32>
  %1 = ew.erf %0 : tensor<?xf32>
  %2 = ew.neg %x : tensor<?xf32>
  %3 = ew.mul %2, %c : tensor<?xf32>
  %4 = ew.erf %3 : tensor<?xf32>
  %5 = ew.add %1, %4 : tensor<?xf32>
  return %5 : tensor<?xf32>
}

// CHECK-LABEL: func @even
// CHECK-SAME: (%[[X:.*]]: f64)
// CHECK-NEXT: %[[C:.*]] = ew.cos %[[X]]
// CHECK-NEXT: return %[[C]]
func.func @even(%x: f64) -> f64 {
  %0 = ew.neg %x : f64
  %1 = ew.cos %0 : f64
  return %1 : f64
}

// CHECK-LABEL: func @products
// CHECK-SAME: (%[[X:.*]]: f32, %[[Y:.*]]: f32)
// CHECK-NEXT: %[[P:.*]] = ew.mul %[[X]], %[[Y]]
// CHECK-NEXT: %[[Q:.*]] = ew.div %[[X]], %[[Y]]
// CHECK-NEXT: %[[S:.*]] = ew.sub %[[P]], %[[Q]]
// CHECK-NEXT: return %[[S]]
func.func @products(%x: f32, %y: f32) -> f32 {
  %0 = ew.neg %x : f32
  %1 = ew.neg %y : f32
  %2 = ew.mul %0, %1 : f32
  %3 = ew.div %x, %1 : f32
  %4 = ew.add %2, %3 : f32
  return %4 : f32
}

// CHECK-LABEL: func @differences
// CHECK-SAME: (%[[X:.*]]: f32, %[[Y:.*]]: f32)
// CHECK-NEXT: %[[A:.*]] = ew.add %[[X]], %[[Y]]
// CHECK-NEXT: %[[B:.*]] = ew.sub %[[Y]], %[[X]]
// CHECK-NEXT: return %[[A]], %[[B]]
func.func @differences(%x: f32, %y: f32) -> (f32, f32) {
  %0 = ew.neg %y : f32
  %1 = ew.sub %x, %0 : f32
  %2 = ew.neg %x : f32
  %3 = ew.add %2, %y : f32
  return %1, %3 : f32, f32
}

// The absolute value does not see a sign, where there is one to see.
// CHECK-LABEL: func @absolute
// CHECK-SAME: %[[I:.*]]: i8, %[[U:.*]]: ui8
// CHECK-NEXT: ew.abs %[[I]]
// CHECK-NEXT: %[[N:.*]] = ew.neg %[[U]]
// CHECK-NEXT: ew.abs %[[N]]
func.func @absolute(%i: i8, %u: ui8) -> (i8, ui8) {
  %0 = ew.neg %i : i8
  %1 = ew.abs %0 : i8
  %2 = ew.neg %u : ui8
  %3 = ew.abs %2 : ui8
  return %1, %3 : i8, ui8
}

// -x - y is not -(x + y): of two zeros the sign would change. Integers wrap, but -x / y
// is not -(x / y) of the least number. exp is neither odd nor even.
// CHECK-LABEL: func @unchanged
// CHECK: ew.neg %{{.*}} : f32
// CHECK-NEXT: ew.sub
// CHECK-NEXT: ew.neg %{{.*}} : i8
// CHECK-NEXT: ew.div
// CHECK-NEXT: ew.exp
func.func @unchanged(%x: f32, %y: f32, %i: i8, %j: i8) -> (f32, i8, f32) {
  %0 = ew.neg %x : f32
  %1 = ew.sub %0, %y : f32
  %2 = ew.neg %i : i8
  %3 = ew.div %2, %j : i8
  %4 = ew.exp %0 : f32
  return %1, %3, %4 : f32, i8, f32
}
