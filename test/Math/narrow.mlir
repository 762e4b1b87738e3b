// RUN: ew-opt %s --ew-lower-math="target=nvptx chip=sm_90" --split-input-file | FileCheck %s
// RUN: ew-opt %s --ew-lower-math="target=nvptx chip=sm_90 mode=strict" --split-input-file | FileCheck %s --check-prefix=STRICT
// RUN: ew-opt %s --ew-lower-math=target=cpu --split-input-file | FileCheck %s --check-prefix=STRICT
// RUN: ew-opt %s --ew-to-nvvm="chip=sm_90" --split-input-file | FileCheck %s --check-prefix=PIPELINE
// RUN: ew-opt %s --ew-to-nvvm="chip=sm_90 mode=strict" --split-input-file | FileCheck %s --check-prefix=STRICT

// A result that is only used rounded to 16 bits may come from approximations, but
// not in strict mode, nor on a CPU.

// STRICT-NOT: llvm.nvvm

// CHECK-LABEL: func.func @rounded
// CHECK-COUNT-2: llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f32"
// CHECK-COUNT-2: llvm.call_intrinsic "llvm.nvvm.rcp.approx.ftz.f"
// CHECK: arith.truncf {{.*}} : vector<2xf32> to vector<2xbf16>
func.func @rounded(%x: vector<2xf32>) -> vector<2xbf16> {
  %0 = ew.gelu %x approximate(tanh) : vector<2xf32>
  %1 = ew.cast %0 : vector<2xf32> to vector<2xbf16>
  return %1 : vector<2xbf16>
}

// -----

// CHECK-LABEL: func.func @rounded_twice
// CHECK: "llvm.nvvm.ex2.approx.ftz.f32"
func.func @rounded_twice(%x: f32) -> (bf16, f16) {
  %0 = ew.exp %x : f32
  %1 = ew.cast %0 : f32 to bf16
  %2 = ew.cast %0 : f32 to f16
  return %1, %2 : bf16, f16
}

// -----

// CHECK-LABEL: func.func @of_16_bits
// CHECK: "llvm.nvvm.ex2.approx.ftz.f32"
func.func @of_16_bits(%x: f16) -> f16 {
  %0 = ew.tanh %x : f16
  return %0 : f16
}

// -----

// CHECK-LABEL: func.func @also_in_f32
// CHECK-NOT: ex2.approx
func.func @also_in_f32(%x: f32) -> (bf16, f32) {
  %0 = ew.gelu %x : f32
  %1 = ew.cast %0 : f32 to bf16
  return %1, %0 : bf16, f32
}

// -----

// The reciprocal is refined: it costs no accuracy.

// CHECK-LABEL: func.func @a_product_before
// CHECK-NOT: ex2.approx
// CHECK: "llvm.nvvm.rcp.approx.ftz.f"
// CHECK-NOT: ex2.approx
func.func @a_product_before(%x: f32, %y: f32) -> bf16 {
  %0 = ew.silu %x : f32
  %1 = ew.mul %0, %y : f32
  %2 = ew.cast %1 : f32 to bf16
  return %2 : bf16
}

// -----

// CHECK-LABEL: func.func @directed
// CHECK-NOT: ex2.approx
func.func @directed(%x: f32) -> bf16 {
  %0 = ew.sigmoid %x : f32
  %1 = ew.cast %0 round(toward_zero) : f32 to bf16
  return %1 : bf16
}

// -----

// CHECK-LABEL: func.func @of_8_bits
// CHECK-NOT: ex2.approx
func.func @of_8_bits(%x: f32) -> f8E5M2 {
  %0 = ew.sigmoid %x : f32
  %1 = ew.cast %0 : f32 to f8E5M2
  return %1 : f8E5M2
}

// -----

// CHECK-LABEL: func.func @bounded
// CHECK-NOT: ex2.approx
func.func @bounded(%x: f32) -> bf16 {
  %0 = ew.exp %x {ew.error_bound = 1.0 : f64} : f32
  %1 = ew.cast %0 : f32 to bf16
  return %1 : bf16
}

// -----

// CHECK-LABEL: func.func @on_tensors
// PIPELINE-LABEL: func.func @on_tensors
// PIPELINE: llvm.func @on_tensors
// PIPELINE: "llvm.nvvm.ex2.approx.ftz.f32"
func.func @on_tensors(%x: tensor<?xbf16>) -> tensor<?xbf16> {
  %0 = ew.gelu %x : tensor<?xbf16>
  return %0 : tensor<?xbf16>
}
