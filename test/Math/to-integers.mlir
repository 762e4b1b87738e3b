// RUN: ew-opt %s --ew-lower-math="target=nvptx chip=sm_90" | FileCheck %s --check-prefixes=CHECK,GPU
// RUN: ew-opt %s --ew-lower-math=target=cpu | FileCheck %s --check-prefixes=CHECK,CPU

// A GPU's conversion of f32 to 32 bits saturates and makes 0 of a NaN.

// CHECK-LABEL: func.func @narrow
// GPU-COUNT-2: llvm.call_intrinsic "llvm.nvvm.f2i.rz"({{.*}}) : (f32) -> i32
// CPU: llvm.call_intrinsic "llvm.fptosi.sat"({{.*}}) : (vector<2xf32>) -> vector<2xi32>
// CHECK: arith.maxsi
// CHECK: arith.minsi
// CHECK: arith.trunci {{.*}} : vector<2xi32> to vector<2xi8>
func.func @narrow(%x: vector<2xf32>) -> vector<2xi8> {
  %0 = ew.cast %x : vector<2xf32> to vector<2xi8>
  return %0 : vector<2xi8>
}

// CHECK-LABEL: func.func @unsigned
// GPU: "llvm.nvvm.f2ui.rz"
// CPU: "llvm.fptoui.sat"
func.func @unsigned(%x: f32) -> ui32 {
  %0 = ew.cast %x : f32 to ui32
  return %0 : ui32
}

// Neither of them wraps: in integers.

// CHECK-LABEL: func.func @wrapped
// CHECK-NOT: fptosi
// CHECK-NOT: f2i
// CHECK: arith.shli
// CHECK: arith.shrui
// CHECK: return
func.func @wrapped(%x: f32) -> i8 {
  %0 = ew.cast %x wrap : f32 to i8
  return %0 : i8
}

// That of f64 does not.

// CHECK-LABEL: func.func @of_f64
// CHECK-NOT: llvm.nvvm
// CHECK: "llvm.fptosi.sat"({{.*}}) : (f64) -> i32
func.func @of_f64(%x: f64) -> i16 {
  %0 = ew.cast %x : f64 to i16
  return %0 : i16
}
