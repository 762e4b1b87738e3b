// RUN: not ew-opt %s --ew-lower-math="target=nvptx chip=sm_90" --split-input-file 2>/dev/null | FileCheck %s
// RUN: not ew-opt %s --ew-lower-math=target=cpu --split-input-file 2>&1 | FileCheck %s --check-prefix=ERROR

// The cheapest implementation is taken that keeps the op's bound.

// CHECK-LABEL: func.func @default
// CHECK-NOT: llvm.call @
func.func @default(%x: f32) -> f32 {
  %0 = ew.exp %x : f32
  return %0 : f32
}

// -----

// CHECK-LABEL: func.func @tight
// CHECK: llvm.call @__nv_exp({{.*}}) : (f64) -> f64
func.func @tight(%x: f32) -> f32 {
  %0 = ew.exp %x {ew.error_bound = 0.6 : f64} : f32
  return %0 : f32
}

// -----

// ERROR: error: 'ew.exp' op on 'f64' has no implementation within 0.5 units in the last place on a CPU: the best is within 2{{$}}
func.func @impossible(%x: f64) -> f64 {
  %0 = ew.exp %x {ew.error_bound = 0.5 : f64} : f64
  return %0 : f64
}
