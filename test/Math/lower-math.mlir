// RUN: ew-opt %s --ew-lower-math --split-input-file | FileCheck %s --check-prefixes=CHECK,CPU
// RUN: ew-opt %s --ew-lower-math="target=nvptx chip=sm_90" --split-input-file | FileCheck %s --check-prefixes=CHECK,GPU

// CHECK-LABEL: func.func @scalars
// CHECK-SAME: (%[[X:.*]]: f32, %[[Y:.*]]: f32)
func.func @scalars(%x: f32, %y: f32) -> f32 {
  // CHECK: %[[ADD:.*]] = arith.addf %[[X]], %[[Y]] : f32
  %0 = ew.add %x, %y : f32
  // CHECK: llvm.intr.maximum(%[[ADD]], %[[Y]])
  %1 = ew.max %0, %y : f32
  // CHECK-NOT: ew.
  return %1 : f32
}

// -----

// A function of a library is called once for each element of a vector.
// CPU: llvm.func @tan(f64) -> f64
// GPU: llvm.func @__nv_tan(f64) -> f64
// CHECK-LABEL: func.func @library
func.func @library(%x: vector<2xf64>) -> vector<2xf64> {
  // CPU-COUNT-2: llvm.call @tan
  // GPU-COUNT-2: llvm.call @__nv_tan
  // CHECK: vector.from_elements
  %0 = ew.tan %x : vector<2xf64>
  return %0 : vector<2xf64>
}

// -----

// Unsigned integers and 8-bit floats become signless, in arguments, block
// arguments and results; casts between the two go away.
// CHECK-LABEL: func.func @types
// CHECK-SAME: (%[[A:.*]]: vector<4xi8>, %[[B:.*]]: i1, %[[F:.*]]: i8) -> (vector<4xi8>, i8)
func.func @types(%a: vector<4xi8>, %b: i1, %f: f8E5M2) -> (vector<4xi8>, f8E5M2) {
  %u = builtin.unrealized_conversion_cast %a : vector<4xi8> to vector<4xui8>
  // CHECK: scf.if %[[B]] -> (vector<4xi8>)
  %r = scf.if %b -> vector<4xui8> {
    // CHECK: arith.divui %{{.*}} : vector<4xi32>
    %q = ew.div %u, %u : vector<4xui8>
    scf.yield %q : vector<4xui8>
  } else {
    // CHECK: arith.constant dense<-56> : vector<4xi8>
    %c = ew.constant dense<200> : vector<4xui8>
    scf.yield %c : vector<4xui8>
  }
  %s = builtin.unrealized_conversion_cast %r : vector<4xui8> to vector<4xi8>
  // CHECK: arith.xori %[[F]], %{{.*}} : i8
  %n = ew.neg %f : f8E5M2
  // CHECK-NOT: unrealized_conversion_cast
  return %s, %n : vector<4xi8>, f8E5M2
}

// -----

// Vectors of several dimensions, or none, are flattened.
// CHECK-LABEL: func.func @ranks
func.func @ranks(%x: vector<2x4xf32>, %y: vector<f32>) -> (vector<2x4xf32>, vector<f32>) {
  // CHECK: vector.shape_cast %{{.*}} : vector<2x4xf32> to vector<8xf32>
  // CHECK: arith.addf %{{.*}} : vector<8xf32>
  // CHECK: vector.shape_cast %{{.*}} : vector<8xf32> to vector<2x4xf32>
  %0 = ew.add %x, %x : vector<2x4xf32>
  // CHECK: vector.shape_cast %{{.*}} : vector<f32> to vector<1xf32>
  %1 = ew.add %y, %y : vector<f32>
  return %0, %1 : vector<2x4xf32>, vector<f32>
}

// -----

// Arithmetic on a narrow float is done in f32.
// CHECK-LABEL: func.func @narrow
func.func @narrow(%x: f16) -> f16 {
  // CHECK: arith.extf %{{.*}} : f16 to f32
  // CHECK: arith.addf %{{.*}} : f32
  // CHECK: arith.truncf %{{.*}} : f32 to f16
  %0 = ew.add %x, %x : f16
  return %0 : f16
}

// -----

// CHECK-LABEL: func.func @eight_bits
func.func @eight_bits(%x: vector<2xf8E5M2>) -> vector<2xf8E5M2> {
  // CHECK-NOT: ew.
  %0 = ew.tanh %x : vector<2xf8E5M2>
  return %0 : vector<2xf8E5M2>
}

// -----

// What computes on tensors is the host's.
// CHECK-LABEL: func.func @host
func.func @host(%x: tensor<?xui8>, %s: ui8) -> tensor<?xui8> {
  // CHECK: ew.add %{{.*}} : tensor<?xui8>
  %0 = ew.add %x, %x : tensor<?xui8>
  return %0 : tensor<?xui8>
}
