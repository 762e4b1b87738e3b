// RUN: ew-opt %s --ew-raise --split-input-file | FileCheck %s

// What math ops on tensors become.

// CHECK-LABEL: func @unary
// CHECK-SAME: %[[X:.*]]:
// CHECK-NEXT: %[[V0:.*]] = ew.abs %[[X]] : tensor<?xf32>
// CHECK-NEXT: %[[V1:.*]] = ew.ceil %[[V0]] : tensor<?xf32>
// CHECK-NEXT: %[[V2:.*]] = ew.floor %[[V1]] : tensor<?xf32>
// CHECK-NEXT: %[[V3:.*]] = ew.trunc %[[V2]] : tensor<?xf32>
// CHECK-NEXT: %[[V4:.*]] = ew.round %[[V3]] : tensor<?xf32>
// CHECK-NEXT: %[[V5:.*]] = ew.round_even %[[V4]] : tensor<?xf32>
// CHECK-NEXT: %[[V6:.*]] = ew.sqrt %[[V5]] : tensor<?xf32>
// CHECK-NEXT: %[[V7:.*]] = ew.rsqrt %[[V6]] : tensor<?xf32>
// CHECK-NEXT: %[[V8:.*]] = ew.cbrt %[[V7]] : tensor<?xf32>
// CHECK-NEXT: %[[V9:.*]] = ew.exp %[[V8]] : tensor<?xf32>
// CHECK-NEXT: %[[V10:.*]] = ew.exp2 %[[V9]] : tensor<?xf32>
// CHECK-NEXT: %[[V11:.*]] = ew.expm1 %[[V10]] : tensor<?xf32>
// CHECK-NEXT: %[[V12:.*]] = ew.log %[[V11]] : tensor<?xf32>
// CHECK-NEXT: %[[V13:.*]] = ew.log2 %[[V12]] : tensor<?xf32>
// CHECK-NEXT: %[[V14:.*]] = ew.log10 %[[V13]] : tensor<?xf32>
// CHECK-NEXT: %[[V15:.*]] = ew.log1p %[[V14]] : tensor<?xf32>
// CHECK-NEXT: %[[V16:.*]] = ew.sin %[[V15]] : tensor<?xf32>
// CHECK-NEXT: %[[V17:.*]] = ew.cos %[[V16]] : tensor<?xf32>
// CHECK-NEXT: %[[V18:.*]] = ew.tan %[[V17]] : tensor<?xf32>
// CHECK-NEXT: %[[V19:.*]] = ew.asin %[[V18]] : tensor<?xf32>
// CHECK-NEXT: %[[V20:.*]] = ew.acos %[[V19]] : tensor<?xf32>
// CHECK-NEXT: %[[V21:.*]] = ew.atan %[[V20]] : tensor<?xf32>
// CHECK-NEXT: %[[V22:.*]] = ew.sinh %[[V21]] : tensor<?xf32>
// CHECK-NEXT: %[[V23:.*]] = ew.cosh %[[V22]] : tensor<?xf32>
// CHECK-NEXT: %[[V24:.*]] = ew.tanh %[[V23]] : tensor<?xf32>
// CHECK-NEXT: %[[V25:.*]] = ew.asinh %[[V24]] : tensor<?xf32>
// CHECK-NEXT: %[[V26:.*]] = ew.acosh %[[V25]] : tensor<?xf32>
// CHECK-NEXT: %[[V27:.*]] = ew.atanh %[[V26]] : tensor<?xf32>
// CHECK-NEXT: %[[V28:.*]] = ew.erf %[[V27]] : tensor<?xf32>
// CHECK-NEXT: %[[V29:.*]] = ew.erfc %[[V28]] : tensor<?xf32>
// CHECK-NEXT: return %[[V29]] : tensor<?xf32>
func.func @unary(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = math.absf %x fastmath<nnan> : tensor<?xf32>
  %1 = math.ceil %0 : tensor<?xf32>
  %2 = math.floor %1 : tensor<?xf32>
  %3 = math.trunc %2 : tensor<?xf32>
  %4 = math.round %3 : tensor<?xf32>
  %5 = math.roundeven %4 : tensor<?xf32>
  %6 = math.sqrt %5 : tensor<?xf32>
  %7 = math.rsqrt %6 : tensor<?xf32>
  %8 = math.cbrt %7 : tensor<?xf32>
  %9 = math.exp %8 : tensor<?xf32>
  %10 = math.exp2 %9 : tensor<?xf32>
  %11 = math.expm1 %10 : tensor<?xf32>
  %12 = math.log %11 : tensor<?xf32>
  %13 = math.log2 %12 : tensor<?xf32>
  %14 = math.log10 %13 : tensor<?xf32>
  %15 = math.log1p %14 : tensor<?xf32>
  %16 = math.sin %15 : tensor<?xf32>
  %17 = math.cos %16 : tensor<?xf32>
  %18 = math.tan %17 : tensor<?xf32>
  %19 = math.asin %18 : tensor<?xf32>
  %20 = math.acos %19 : tensor<?xf32>
  %21 = math.atan %20 : tensor<?xf32>
  %22 = math.sinh %21 : tensor<?xf32>
  %23 = math.cosh %22 : tensor<?xf32>
  %24 = math.tanh %23 : tensor<?xf32>
  %25 = math.asinh %24 : tensor<?xf32>
  %26 = math.acosh %25 : tensor<?xf32>
  %27 = math.atanh %26 : tensor<?xf32>
  %28 = math.erf %27 : tensor<?xf32>
  %29 = math.erfc %28 : tensor<?xf32>
  return %29 : tensor<?xf32>
}

// -----

// CHECK-LABEL: func @several
// CHECK-SAME: %[[X:.*]]:{{.*}}%[[Y:.*]]:{{.*}}%[[Z:.*]]:
// CHECK-NEXT: %[[V0:.*]] = ew.pow %[[X]], %[[Y]] : tensor<?xbf16>
// CHECK-NEXT: %[[V1:.*]] = ew.atan2 %[[V0]], %[[Y]] : tensor<?xbf16>
// CHECK-NEXT: %[[V2:.*]] = ew.copysign %[[V1]], %[[Y]] : tensor<?xbf16>
// CHECK-NEXT: %[[V3:.*]] = ew.fma %[[V2]], %[[Y]], %[[Z]] : tensor<?xbf16>
// CHECK-NEXT: %[[V4:.*]] = ew.clamp %[[V3]], %[[Y]], %[[Z]] : tensor<?xbf16>
// CHECK-NEXT: return %[[V4]] : tensor<?xbf16>
func.func @several(%x: tensor<?xbf16>, %y: tensor<?xbf16>, %z: tensor<?xbf16>) -> tensor<?xbf16> {
  %0 = math.powf %x, %y : tensor<?xbf16>
  %1 = math.atan2 %0, %y : tensor<?xbf16>
  %2 = math.copysign %1, %y : tensor<?xbf16>
  %3 = math.fma %2, %y, %z : tensor<?xbf16>
  %4 = math.clampf %3 to [%y, %z] : tensor<?xbf16>
  return %4 : tensor<?xbf16>
}

// -----

// CHECK-LABEL: func @sincos
// CHECK-SAME: %[[X:.*]]:
// CHECK-NEXT: %[[V0:.*]] = ew.sin %[[X]] : tensor<?xf32>
// CHECK-NEXT: %[[V1:.*]] = ew.cos %[[X]] : tensor<?xf32>
// CHECK-NEXT: return %[[V0]], %[[V1]] : tensor<?xf32>, tensor<?xf32>
func.func @sincos(%x: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %0, %1 = math.sincos %x : tensor<?xf32>
  return %0, %1 : tensor<?xf32>, tensor<?xf32>
}

// -----

// CHECK-LABEL: func @integers
// CHECK-SAME: %[[X:.*]]:{{.*}}%[[Y:.*]]:
// CHECK-NEXT: %[[V0:.*]] = ew.abs %[[X]] : tensor<?xi32>
// CHECK-NEXT: %[[V1:.*]] = ew.pow %[[V0]], %[[Y]] : tensor<?xi32>
// CHECK-NEXT: %[[V2:.*]] = ew.popcount %[[V1]] : tensor<?xi32>
// CHECK-NEXT: %[[V3:.*]] = ew.clz %[[V2]] : tensor<?xi32>
// CHECK-NEXT: %[[V4:.*]] = ew.ctz %[[V3]] : tensor<?xi32>
// CHECK-NEXT: return %[[V4]] : tensor<?xi32>
func.func @integers(%x: tensor<?xi32>, %y: tensor<?xi32>) -> tensor<?xi32> {
  %0 = math.absi %x : tensor<?xi32>
  %1 = math.ipowi %0, %y : tensor<?xi32>
  %2 = math.ctpop %1 : tensor<?xi32>
  %3 = math.ctlz %2 : tensor<?xi32>
  %4 = math.cttz %3 : tensor<?xi32>
  return %4 : tensor<?xi32>
}

// -----

// CHECK-LABEL: func @tests
// CHECK-SAME: %[[X:.*]]:
// CHECK-NEXT: %[[V0:.*]] = ew.is_nan %[[X]] : tensor<?xf32>
// CHECK-NEXT: %[[V1:.*]] = ew.is_inf %[[X]] : tensor<?xf32>
// CHECK-NEXT: %[[V2:.*]] = ew.is_finite %[[X]] : tensor<?xf32>
// CHECK-NEXT: return %[[V0]], %[[V1]], %[[V2]] : tensor<?xi1>, tensor<?xi1>, tensor<?xi1>
func.func @tests(%x: tensor<?xf32>) -> (tensor<?xi1>, tensor<?xi1>, tensor<?xi1>) {
  %0 = math.isnan %x : tensor<?xf32>
  %1 = math.isinf %x : tensor<?xf32>
  %2 = math.isfinite %x : tensor<?xf32>
  return %0, %1, %2 : tensor<?xi1>, tensor<?xi1>, tensor<?xi1>
}

// -----

// CHECK-LABEL: func @isnormal
// CHECK-SAME: %[[X:.*]]:
// CHECK-NEXT: %[[V0:.*]] = ew.constant 6.103520e-05 : f16
// CHECK-NEXT: %[[V1:.*]] = ew.broadcast %[[V0]] like(%[[X]] : tensor<?xf16>) : f16 to tensor<?xf16>
// CHECK-NEXT: %[[V2:.*]] = ew.abs %[[X]] : tensor<?xf16>
// CHECK-NEXT: %[[V3:.*]] = ew.cmp oge, %[[V2]], %[[V1]] : tensor<?xf16>
// CHECK-NEXT: %[[V4:.*]] = ew.is_finite %[[X]] : tensor<?xf16>
// CHECK-NEXT: %[[V5:.*]] = ew.and %[[V3]], %[[V4]] : tensor<?xi1>
// CHECK-NEXT: return %[[V5]] : tensor<?xi1>
func.func @isnormal(%x: tensor<?xf16>) -> tensor<?xi1> {
  %0 = math.isnormal %x : tensor<?xf16>
  return %0 : tensor<?xi1>
}

// -----

// An integer exponent: in a type that holds all of its values.

// CHECK-LABEL: func @fpowi_same
// CHECK-SAME: %[[X:.*]]:{{.*}}%[[N:.*]]:
// CHECK-NEXT: %[[V0:.*]] = ew.cast %[[N]] : tensor<?xi16> to tensor<?xf32>
// CHECK-NEXT: %[[V1:.*]] = ew.pow %[[X]], %[[V0]] : tensor<?xf32>
// CHECK-NEXT: return %[[V1]] : tensor<?xf32>
func.func @fpowi_same(%x: tensor<?xf32>, %n: tensor<?xi16>) -> tensor<?xf32> {
  %0 = math.fpowi %x, %n : tensor<?xf32>, tensor<?xi16>
  return %0 : tensor<?xf32>
}

// -----

// CHECK-LABEL: func @fpowi_wide
// CHECK-SAME: %[[X:.*]]:{{.*}}%[[N:.*]]:
// CHECK-NEXT: %[[V0:.*]] = ew.cast %[[X]] : tensor<?xf32> to tensor<?xf64>
// CHECK-NEXT: %[[V1:.*]] = ew.cast %[[N]] : tensor<?xi32> to tensor<?xf64>
// CHECK-NEXT: %[[V2:.*]] = ew.pow %[[V0]], %[[V1]] : tensor<?xf64>
// CHECK-NEXT: %[[V3:.*]] = ew.cast %[[V2]] : tensor<?xf64> to tensor<?xf32>
// CHECK-NEXT: return %[[V3]] : tensor<?xf32>
func.func @fpowi_wide(%x: tensor<?xf32>, %n: tensor<?xi32>) -> tensor<?xf32> {
  %0 = math.fpowi %x, %n : tensor<?xf32>, tensor<?xi32>
  return %0 : tensor<?xf32>
}
