// RUN: ew-opt %s --ew-lower-math="target=nvptx chip=sm_90" | FileCheck %s
// RUN: ew-opt %s --ew-lower-math="target=nvptx chip=sm_90 mode=strict" | FileCheck %s --check-prefix=STRICT
// RUN: ew-opt %s --ew-lower-math="target=cpu" | FileCheck %s --check-prefix=STRICT

// A GPU's approximations, where they keep the bound; never in strict mode.
// STRICT-NOT: approx

// CHECK-LABEL: func @exp
// CHECK: llvm.nvvm.ex2.approx.ftz
func.func @exp(%x: f32) -> f32 {
  %0 = ew.exp %x : f32
  return %0 : f32
}

// CHECK-LABEL: func @erf
// CHECK: llvm.nvvm.ex2.approx.ftz
func.func @erf(%x: f32) -> f32 {
  %0 = ew.erf %x : f32
  return %0 : f32
}

// CHECK-LABEL: func @tanh
// CHECK: llvm.nvvm.rcp.approx.ftz
func.func @tanh(%x: f32) -> f32 {
  %0 = ew.tanh %x : f32
  return %0 : f32
}

// A bound of its own that they do not keep.
// CHECK-LABEL: func @bounded
// CHECK-NOT: approx
func.func @bounded(%x: f32) -> f32 {
  %0 = ew.exp %x {ew.error_bound = 1.0 : f64} : f32
  return %0 : f32
}

// Two numbers of bf16 in a register take one instruction each.
// CHECK-LABEL: func @pairs
// CHECK: vector.bitcast %{{.*}} : vector<4xbf16> to vector<2xi32>
// CHECK: arith.shli
// CHECK: arith.andi
func.func @pairs(%x: vector<4xbf16>) -> vector<4xf32> {
  %0 = ew.cast %x : vector<4xbf16> to vector<4xf32>
  return %0 : vector<4xf32>
}
