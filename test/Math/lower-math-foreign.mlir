// RUN: ew-opt %s --ew-lower-math -split-input-file | FileCheck %s

// Types of memory, and of functions that are declared or compute on tensors, are not the pass's: values are
// converted there.

// CHECK-LABEL: func.func @memory(%{{.*}}: memref<4xui8>, %{{.*}}: index)
// CHECK: %[[X:.*]] = memref.load %{{.*}} : memref<4xui8>
// CHECK: %[[BITS:.*]] = builtin.unrealized_conversion_cast %[[X]] : ui8 to i8
// CHECK: %[[SUM:.*]] = arith.addi %[[BITS]], %[[BITS]] : i8
// CHECK: %[[Y:.*]] = builtin.unrealized_conversion_cast %[[SUM]] : i8 to ui8
// CHECK: memref.store %[[Y]], %{{.*}} : memref<4xui8>
func.func @memory(%m: memref<4xui8>, %i: index) {
  %0 = memref.load %m[%i] : memref<4xui8>
  %1 = ew.add %0, %0 : ui8
  memref.store %1, %m[%i] : memref<4xui8>
  return
}

// CHECK-LABEL: func.func @small_float
// CHECK: builtin.unrealized_conversion_cast %{{.*}} : vector<4xf8E5M2> to vector<4xi8>
// CHECK: arith.andi
// CHECK: builtin.unrealized_conversion_cast %{{.*}} : vector<4xi8> to vector<4xf8E5M2>
func.func @small_float(%m: memref<4xf8E5M2>, %i: index) {
  %0 = vector.load %m[%i] : memref<4xf8E5M2>, vector<4xf8E5M2>
  %1 = ew.abs %0 : vector<4xf8E5M2>
  vector.store %1, %m[%i] : memref<4xf8E5M2>, vector<4xf8E5M2>
  return
}

// -----

// CHECK: func.func private @declared(ui8) -> ui8
func.func private @declared(ui8) -> ui8

// CHECK-LABEL: func.func @lowered(%{{.*}}: i8) -> i8
// CHECK: %[[A:.*]] = builtin.unrealized_conversion_cast %{{.*}} : i8 to ui8
// CHECK: %[[B:.*]] = call @declared(%[[A]]) : (ui8) -> ui8
// CHECK: %[[C:.*]] = builtin.unrealized_conversion_cast %[[B]] : ui8 to i8
// CHECK: arith.addi %[[C]]
func.func @lowered(%x: ui8) -> ui8 {
  %0 = call @declared(%x) : (ui8) -> ui8
  %1 = ew.add %0, %x : ui8
  return %1 : ui8
}

// CHECK-LABEL: func.func @host(%{{.*}}: tensor<4xf32>, %{{.*}}: ui8) -> ui8
// CHECK: %[[A:.*]] = builtin.unrealized_conversion_cast %{{.*}} : ui8 to i8
// CHECK: %[[B:.*]] = call @lowered(%[[A]]) : (i8) -> i8
// CHECK: %[[C:.*]] = builtin.unrealized_conversion_cast %[[B]] : i8 to ui8
// CHECK: return %[[C]] : ui8
func.func @host(%t: tensor<4xf32>, %x: ui8) -> ui8 {
  %0 = call @lowered(%x) : (ui8) -> ui8
  return %0 : ui8
}

// CHECK-LABEL: func.func @calls_host(%{{.*}}: tensor<4xf32>
// CHECK: call @host(%{{.*}}, %{{.*}}) : (tensor<4xf32>, ui8) -> ui8
func.func @calls_host(%t: tensor<4xf32>, %x: ui8) -> ui8 {
  %0 = call @host(%t, %x) : (tensor<4xf32>, ui8) -> ui8
  return %0 : ui8
}

// CHECK-LABEL: func.func @calls_lowered(%{{.*}}: i8) -> i8
// CHECK-NEXT: call @lowered(%{{.*}}) : (i8) -> i8
// CHECK-NEXT: return
func.func @calls_lowered(%x: ui8) -> ui8 {
  %0 = call @lowered(%x) : (ui8) -> ui8
  return %0 : ui8
}

// -----

// A value that is a lowered function goes by its type as it was, like those that it may be exchanged for.
func.func @lowered(%x: ui8) -> ui8 {
  return %x : ui8
}
func.func private @declared(ui8) -> ui8

// CHECK-LABEL: func.func @value(%{{.*}}: i1, %{{.*}}: i8) -> i8
// CHECK: %[[F:.*]] = constant @lowered : (i8) -> i8
// CHECK: %[[A:.*]] = builtin.unrealized_conversion_cast %[[F]] : (i8) -> i8 to (ui8) -> ui8
// CHECK: %[[B:.*]] = constant @declared : (ui8) -> ui8
// CHECK: %[[C:.*]] = arith.select %{{.*}}, %[[A]], %[[B]] : (ui8) -> ui8
// CHECK: %[[X:.*]] = builtin.unrealized_conversion_cast %{{.*}} : i8 to ui8
// CHECK: %[[Y:.*]] = call_indirect %[[C]](%[[X]]) : (ui8) -> ui8
// CHECK: builtin.unrealized_conversion_cast %[[Y]] : ui8 to i8
func.func @value(%c: i1, %x: ui8) -> ui8 {
  %f = constant @lowered : (ui8) -> ui8
  %g = constant @declared : (ui8) -> ui8
  %h = arith.select %c, %f, %g : (ui8) -> ui8
  %0 = call_indirect %h(%x) : (ui8) -> ui8
  return %0 : ui8
}

// CHECK-LABEL: func.func @value_of_host
// CHECK: constant @lowered : (i8) -> i8
// CHECK: call_indirect %{{.*}}(%{{.*}}) : (ui8) -> ui8
func.func @value_of_host(%t: tensor<4xf32>, %x: ui8) -> ui8 {
  %f = constant @lowered : (ui8) -> ui8
  %0 = call_indirect %f(%x) : (ui8) -> ui8
  return %0 : ui8
}

// CHECK-LABEL: func.func @as_before
// CHECK-NEXT: constant @as_before : (f32) -> f32
// CHECK-NEXT: call_indirect
func.func @as_before(%x: f32) -> f32 {
  %f = constant @as_before : (f32) -> f32
  %0 = call_indirect %f(%x) : (f32) -> f32
  return %0 : f32
}

// -----

// So are what such an op's blocks begin and end with.
// CHECK-LABEL: func.func @blocks
// CHECK: linalg.generic
// CHECK-NEXT: ^bb0(%[[IN:.*]]: ui8, %{{.*}}: ui8):
// CHECK: %[[A:.*]] = builtin.unrealized_conversion_cast %[[IN]] : ui8 to i8
// CHECK: arith.addi %[[A]], %[[A]] : i8
// CHECK: %[[B:.*]] = builtin.unrealized_conversion_cast %{{.*}} : i8 to ui8
// CHECK: linalg.yield %[[B]] : ui8
#id = affine_map<(i) -> (i)>
func.func @blocks(%m: memref<4xui8>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%m : memref<4xui8>) outs(%m : memref<4xui8>) {
  ^bb0(%a: ui8, %o: ui8):
    %0 = ew.add %a, %a : ui8
    linalg.yield %0 : ui8
  }
  return
}
