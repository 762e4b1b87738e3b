// RUN: ew-opt %s --ew-lower-math="target=nvptx chip=sm_90" | FileCheck %s
// RUN: ew-opt %s --ew-lower-math="target=nvptx chip=sm_90 mode=strict" | FileCheck %s --check-prefix=STRICT
// RUN: ew-opt %s --ew-lower-math="target=cpu" | FileCheck %s --check-prefix=STRICT

// A GPU's approximations, where they keep the bound; never in strict mode.
// STRICT-NOT: {{approx|fma\.r[mp]}}

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

// CHECK-LABEL: func @asinh
// CHECK: llvm.nvvm.rsqrt.approx.ftz
// CHECK: llvm.nvvm.rcp.approx.ftz
func.func @asinh(%x: f32) -> f32 {
  %0 = ew.asinh %x : f32
  return %0 : f32
}

// Rounded correctly: what is too small for the correction takes a branch.
// CHECK-LABEL: func @sqrt
// CHECK: llvm.nvvm.rsqrt.approx.ftz
// CHECK: scf.if
// CHECK: "llvm.sqrt"
func.func @sqrt(%x: f32) -> f32 {
  %0 = ew.sqrt %x : f32
  return %0 : f32
}

// CHECK-LABEL: func @rsqrt
// CHECK: "llvm.nvvm.rsqrt.approx.ftz.f"
// CHECK: scf.if
// CHECK: "llvm.nvvm.rsqrt.approx.f"
func.func @rsqrt(%x: f32) -> f32 {
  %0 = ew.rsqrt %x : f32
  return %0 : f32
}

// No branch for subnormal numbers where there are none.
// CHECK-LABEL: func @rsqrt_of_normal
// CHECK: "llvm.nvvm.rsqrt.approx.ftz.f"
// CHECK-NOT: scf.if
func.func @rsqrt_of_normal(%x: f32) -> f32 {
  %one = ew.constant 1.0 : f32
  %0 = ew.abs %x : f32
  %1 = ew.add %0, %one : f32
  %2 = ew.rsqrt %1 : f32
  return %2 : f32
}

// Negative bases take one branch, and what is not normal another one with all of pow.
// CHECK-LABEL: func @pow
// CHECK: "llvm.nvvm.rcp.approx.ftz.f"
// CHECK: scf.if
// CHECK: arith.negf
// CHECK: scf.if
// CHECK: arith.divf {{.*}} : f64
func.func @pow(%x: f32, %y: f32) -> f32 {
  %0 = ew.pow %x, %y : f32
  return %0 : f32
}

// It saturates by itself; a NaN stays one.
// CHECK-LABEL: func @hard_sigmoid
// CHECK: "llvm.nvvm.fma.rn.sat.f"
// CHECK: llvm.intr.minimum
func.func @hard_sigmoid(%x: f32) -> f32 {
  %0 = ew.hard_sigmoid %x : f32
  return %0 : f32
}

// Rounded up, one step gives what takes two rounded to nearest.
// CHECK-LABEL: func @hard_swish(
// CHECK: "llvm.nvvm.fma.rp.sat.f"
// CHECK-NOT: fma
// CHECK: return
func.func @hard_swish(%x: f32) -> f32 {
  %0 = ew.hard_swish %x : f32
  return %0 : f32
}

// The sign is that of the angle as it is reduced; nothing puts it on afterwards.
// CHECK-LABEL: func @tan(
// CHECK-NOT: llvm.fabs
// CHECK: llvm.nvvm.rcp.approx.ftz
// CHECK: scf.if
func.func @tan(%x: f32) -> f32 {
  %0 = ew.tan %x : f32
  return %0 : f32
}

// The exponents of all elements are looked at by their bits.
// CHECK-LABEL: func @cosh(
// CHECK-NOT: arith.cmpf
// CHECK: %[[BITS:.*]] = arith.andi %{{.*}}, %{{.*}} : i32
// CHECK: arith.cmpi ne, %[[BITS]], %{{.*}} : i32
// CHECK: scf.if
func.func @cosh(%x: f32) -> f32 {
  %0 = ew.cosh %x : f32
  return %0 : f32
}

// A branch is for what is rare: it begins where results become subnormal.
// CHECK-LABEL: func @gelu(
// CHECK-NOT: scf.if
// CHECK: %[[END:.*]] = arith.constant 1.300000e+01 : f32
// CHECK-NEXT: arith.cmpf uge, %{{.*}}, %[[END]] : f32
// CHECK: scf.if
// CHECK-NOT: scf.if
// CHECK: return
func.func @gelu(%x: f32) -> f32 {
  %0 = ew.gelu %x : f32
  return %0 : f32
}

// CHECK-LABEL: func @gelu_tanh(
// CHECK-NOT: scf.if
// CHECK: %[[END:.*]] = arith.constant 1.000000e+01 : f32
// CHECK-NEXT: arith.cmpf uge, %{{.*}}, %[[END]] : f32
// CHECK: scf.if
// CHECK-NOT: scf.if
// CHECK: return
func.func @gelu_tanh(%x: f32) -> f32 {
  %0 = ew.gelu %x approximate(tanh) : f32
  return %0 : f32
}

// CHECK-LABEL: func @erfc(
// CHECK-NOT: scf.if
// CHECK: %[[OTHERS:.*]] = arith.constant -1178599552 : i32
// CHECK-NEXT: arith.andi %{{.*}}, %[[OTHERS]] : i32
// CHECK: scf.if
// CHECK-NOT: scf.if
// CHECK: return
func.func @erfc(%x: f32) -> f32 {
  %0 = ew.erfc %x : f32
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
