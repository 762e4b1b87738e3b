// RUN: ew-opt %s --ew-lower-math="target=nvptx chip=sm_90" | FileCheck %s --check-prefix=HARD
// RUN: ew-opt %s --ew-lower-math="target=nvptx chip=sm_80" | FileCheck %s --check-prefix=SOFT
// RUN: ew-opt %s --ew-lower-math="target=cpu" | FileCheck %s --check-prefix=SOFT

// SOFT-NOT: nvvm.convert
// HARD-LABEL: func.func @to_f8
func.func @to_f8(%x: vector<4xf32>) -> vector<4xf8E4M3FN> {
  // HARD-COUNT-2: nvvm.convert.f32x2.to.f8x2 {{.*}}sat = #nvvm.sat_mode<satfinite>{{.*}} : vector<2xi8>
  // HARD-NOT: nvvm.convert
  // Without saturation, what rounds past 448 is a NaN.
  // HARD: arith.cmpf ugt
  %0 = ew.cast %x : vector<4xf32> to vector<4xf8E4M3FN>
  return %0 : vector<4xf8E4M3FN>
}

// HARD-LABEL: func.func @saturated
func.func @saturated(%x: f32) -> f8E5M2 {
  // HARD: nvvm.convert.f32x2.to.f8x2
  // HARD-NOT: arith.cmpf
  %0 = ew.cast %x saturate : f32 to f8E5M2
  return %0 : f8E5M2
}

// A mode that the hardware does not have.
// HARD-LABEL: func.func @upward
func.func @upward(%x: f32) -> f8E5M2 {
  // HARD-NOT: nvvm.convert
  // HARD: return
  %0 = ew.cast %x round(upward) : f32 to f8E5M2
  return %0 : f8E5M2
}

// HARD-LABEL: func.func @from_f8
func.func @from_f8(%x: vector<4xf8E4M3FN>) -> vector<4xf32> {
  // HARD-COUNT-2: nvvm.convert.f8x2.to.f16x2
  // HARD: arith.extf {{.*}} : vector<4xf16> to vector<4xf32>
  %0 = ew.cast %x : vector<4xf8E4M3FN> to vector<4xf32>
  return %0 : vector<4xf32>
}
