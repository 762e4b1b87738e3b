// RUN: ew-opt %s --canonicalize | FileCheck %s
// Constants, through every op that folds them.

// CHECK-LABEL: @arithmetic
func.func @arithmetic() -> (f32, f32, f32, f32, f32, f32, f64, f32) {
  %a = ew.constant 1.0 : f32
  %b = ew.constant 3.0 : f32
  %big = ew.constant 16777216.0 : f32
  // CHECK-DAG: ew.constant 4.000000e+00 : f32
  %0 = ew.add %a, %b : f32
  // CHECK-DAG: ew.constant -2.000000e+00 : f32
  %1 = ew.sub %a, %b : f32
  // CHECK-DAG: ew.constant 9.000000e+00 : f32
  %2 = ew.square %b : f32
  // CHECK-DAG: ew.constant 0.333333343 : f32
  %3 = ew.div %a, %b : f32
  // Rounded once: 2^24 + 1 is a tie, to even.
  // CHECK-DAG: ew.constant 0x4B800000 : f32
  %4 = ew.fma %big, %a, %a : f32
  // CHECK-DAG: ew.constant 1.73205078 : f32
  %5 = ew.sqrt %b : f32
  %two = ew.constant 2.0 : f64
  // CHECK-DAG: ew.constant 1.4142135623730951 : f64
  %6 = ew.sqrt %two : f64
  %n = ew.constant -7.5 : f32
  // CHECK-DAG: ew.constant -1.500000e+00 : f32
  %7 = ew.rem %n, %b : f32
  return %0, %1, %2, %3, %4, %5, %6, %7 : f32, f32, f32, f32, f32, f32, f64, f32
}

// What is computed in f32 in the default mode is folded only where that is exact.
// CHECK-LABEL: @narrow
// CHECK-DAG: ew.constant 4.000000e+00 : bf16
// CHECK-DAG: ew.div
// CHECK-DAG: ew.add %{{.*}} : bf16
func.func @narrow() -> (bf16, bf16, bf16) {
  %a = ew.constant 1.0 : bf16
  %b = ew.constant 3.0 : bf16
  %c = ew.constant 256.0 : bf16
  %0 = ew.add %a, %b : bf16
  %1 = ew.div %a, %b : bf16
  %2 = ew.add %c, %a : bf16
  return %0, %1, %2 : bf16, bf16, bf16
}

// CHECK-LABEL: @rounding
func.func @rounding() -> (f32, f32, f32, f32, f32, f32) {
  %a = ew.constant -0.5 : f32
  %b = ew.constant 2.5 : f32
  // CHECK-DAG: %[[MZERO:.*]] = ew.constant -0.000000e+00 : f32
  // CHECK-DAG: %[[MONE:.*]] = ew.constant -1.000000e+00 : f32
  // CHECK-DAG: %[[TWO:.*]] = ew.constant 2.000000e+00 : f32
  // CHECK-DAG: %[[THREE:.*]] = ew.constant 3.000000e+00 : f32
  // CHECK: return %[[MZERO]], %[[MONE]], %[[MZERO]], %[[THREE]], %[[TWO]], %[[MZERO]]
  %0 = ew.ceil %a : f32
  %1 = ew.floor %a : f32
  %2 = ew.trunc %a : f32
  %3 = ew.round %b : f32
  %4 = ew.round_even %b : f32
  %5 = ew.round_even %a : f32
  return %0, %1, %2, %3, %4, %5 : f32, f32, f32, f32, f32, f32
}

// NaN wins or the number, and zeros have an order.
// CHECK-LABEL: @order
func.func @order() -> (f32, f32, f32, f32, f32, f32, f32) {
  %nan = ew.constant 0x7FC00000 : f32
  %one = ew.constant 1.0 : f32
  %zero = ew.constant 0.0 : f32
  %mzero = ew.constant -0.0 : f32
  // CHECK-DAG: %[[NAN:.*]] = ew.constant 0x7FC00000 : f32
  // CHECK-DAG: %[[ONE:.*]] = ew.constant 1.000000e+00 : f32
  // CHECK-DAG: %[[ZERO:.*]] = ew.constant 0.000000e+00 : f32
  // CHECK-DAG: %[[MZERO:.*]] = ew.constant -0.000000e+00 : f32
  // CHECK: return %[[NAN]], %[[ONE]], %[[ZERO]], %[[MZERO]], %[[ZERO]], %[[NAN]], %[[ZERO]]
  %0 = ew.max %nan, %one : f32
  %1 = ew.maxnum %nan, %one : f32
  %2 = ew.max %mzero, %zero : f32
  %3 = ew.min %mzero, %zero : f32
  %4 = ew.relu %mzero : f32
  %5 = ew.clamp %one, %nan, %one : f32
  // low > high: high.
  %6 = ew.clamp %one, %one, %zero : f32
  return %0, %1, %2, %3, %4, %5, %6 : f32, f32, f32, f32, f32, f32, f32
}

// CHECK-LABEL: @tests
func.func @tests() -> (i1, i1, i1, i1, i1, i1) {
  %nan = ew.constant 0xFFC00000 : f32
  %mzero = ew.constant -0.0 : f32
  %zero = ew.constant 0.0 : f32
  // CHECK-DAG: %[[T:.*]] = ew.constant true
  // CHECK-DAG: %[[F:.*]] = ew.constant false
  // CHECK: return %[[T]], %[[F]], %[[T]], %[[F]], %[[T]], %[[T]]
  %0 = ew.is_nan %nan : f32
  %1 = ew.signbit %nan : f32
  %2 = ew.signbit %mzero : f32
  %3 = ew.cmp oeq, %nan, %nan : f32
  %4 = ew.cmp une, %nan, %nan : f32
  %5 = ew.cmp oeq, %mzero, %zero : f32
  return %0, %1, %2, %3, %4, %5 : i1, i1, i1, i1, i1, i1
}

// Total integer ops.
// CHECK-LABEL: @integers
func.func @integers() -> (tensor<4xi8>, tensor<4xi8>, tensor<4xi8>, tensor<4xi8>, tensor<2xui8>, tensor<2xi8>,
                          tensor<3xi8>, tensor<3xi8>, tensor<2xi8>, i64) {
  %x = ew.constant dense<[-128, 7, -7, 7]> : tensor<4xi8>
  %y = ew.constant dense<[-1, 0, 2, -2]> : tensor<4xi8>
  // CHECK-DAG: ew.constant dense<[-128, -1, -3, -3]> : tensor<4xi8>
  %0 = ew.div %x, %y : tensor<4xi8>
  // CHECK-DAG: ew.constant dense<[-128, -1, -4, -4]> : tensor<4xi8>
  %1 = ew.floor_div %x, %y : tensor<4xi8>
  // CHECK-DAG: ew.constant dense<[0, 7, -1, 1]> : tensor<4xi8>
  %2 = ew.rem %x, %y : tensor<4xi8>
  // CHECK-DAG: ew.constant dense<[0, 7, 1, -1]> : tensor<4xi8>
  %3 = ew.mod %x, %y : tensor<4xi8>
  %u = ew.constant dense<[200, 255]> : tensor<2xui8>
  %v = ew.constant dense<[100, 0]> : tensor<2xui8>
  // CHECK-DAG: ew.constant dense<[44, 255]> : tensor<2xui8>
  %4 = ew.add %u, %v : tensor<2xui8>
  %s = ew.constant dense<[-128, 127]> : tensor<2xi8>
  // CHECK-DAG: ew.constant dense<[-128, 127]> : tensor<2xi8>
  %5 = ew.abs %s : tensor<2xi8>
  %a = ew.constant dense<[1, -2, -2]> : tensor<3xi8>
  %n = ew.constant dense<[8, 1, -1]> : tensor<3xi8>
  // CHECK-DAG: ew.constant dense<[0, -4, 0]> : tensor<3xi8>
  %6 = ew.shl %a, %n : tensor<3xi8>
  // CHECK-DAG: ew.constant dense<[0, -1, -1]> : tensor<3xi8>
  %7 = ew.shr %a, %n : tensor<3xi8>
  %p = ew.constant dense<[2, -1]> : tensor<2xi8>
  %e = ew.constant dense<[64, -3]> : tensor<2xi8>
  // CHECK-DAG: ew.constant dense<[0, -1]> : tensor<2xi8>
  %8 = ew.pow %p, %e : tensor<2xi8>
  %b = ew.constant -47 : i64
  %c = ew.constant 66 : i64
  // CHECK-DAG: ew.constant -3898719529840714591 : i64
  %9 = ew.pow %b, %c : i64
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9 : tensor<4xi8>, tensor<4xi8>, tensor<4xi8>, tensor<4xi8>,
    tensor<2xui8>, tensor<2xi8>, tensor<3xi8>, tensor<3xi8>, tensor<2xi8>, i64
}

// CHECK-LABEL: @casts
func.func @casts() -> (tensor<6xf8E4M3FN>, tensor<6xf8E4M3FN>, tensor<4xi8>, tensor<4xui8>, bf16, i8, ui8, i1, tensor<2xf32>) {
  %x = ew.constant dense<[448.0, 464.0, 465.0, -1000.0, 0x7F800000, 0x7FC00000]> : tensor<6xf32>
  // CHECK-DAG: ew.constant dense<[4.480000e+02, 4.480000e+02, 0x7F, 0xFF, 0x7F, 0x7F]> : tensor<6xf8E4M3FN>
  %0 = ew.cast %x : tensor<6xf32> to tensor<6xf8E4M3FN>
  // CHECK-DAG: ew.constant dense<[4.480000e+02, 4.480000e+02, 4.480000e+02, -4.480000e+02, 4.480000e+02, 0x7F]> : tensor<6xf8E4M3FN>
  %1 = ew.cast %x saturate : tensor<6xf32> to tensor<6xf8E4M3FN>
  %f = ew.constant dense<[215.2612, -1.5, 0x7FC00000, -1000.0]> : tensor<4xf32>
  // CHECK-DAG: ew.constant dense<[127, -1, 0, -128]> : tensor<4xi8>
  %2 = ew.cast %f : tensor<4xf32> to tensor<4xi8>
  // CHECK-DAG: ew.constant dense<[215, 0, 0, 0]> : tensor<4xui8>
  %3 = ew.cast %f : tensor<4xf32> to tensor<4xui8>
  // Through f32 it would have been rounded twice.
  %i = ew.constant 16842753 : i32
  // CHECK-DAG: ew.constant 1.690830e+07 : bf16
  %4 = ew.cast %i : i32 to bf16
  %j = ew.constant 200 : i32
  // CHECK-DAG: ew.constant -56 : i8
  %5 = ew.cast %j : i32 to i8
  // CHECK-DAG: ew.constant 200 : ui8
  %6 = ew.cast %5 : i8 to ui8
  %nan = ew.constant 0x7FC00000 : f32
  // CHECK-DAG: ew.constant true
  %7 = ew.cast %nan : f32 to i1
  %h = ew.constant dense<[1.0009765625, 2.0]> : tensor<2xf64>
  // CHECK-DAG: ew.constant dense<[1.00097656, 2.000000e+00]> : tensor<2xf32>
  %8 = ew.cast %h : tensor<2xf64> to tensor<2xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8 : tensor<6xf8E4M3FN>, tensor<6xf8E4M3FN>, tensor<4xi8>, tensor<4xui8>, bf16, i8, ui8, i1, tensor<2xf32>
}

// CHECK-LABEL: @wrapping
func.func @wrapping() -> (tensor<5xi8>, tensor<5xui32>, i64) {
  %x = ew.constant dense<[215.7, -1.5, 0x7FC00000, 0xFF800000, -4294967808.0]> : tensor<5xf32>
  // CHECK-DAG: ew.constant dense<[-41, -1, 0, 0, 0]> : tensor<5xi8>
  %0 = ew.cast %x wrap : tensor<5xf32> to tensor<5xi8>
  // CHECK-DAG: ew.constant dense<[216, 4294967294, 0, 0, 4294966784]> : tensor<5xui32>
  %1 = ew.cast %x round(nearest_away) wrap : tensor<5xf32> to tensor<5xui32>
  // 2^70 + 2^20
  %d = ew.constant 1180591620717412352000.0 : f64
  // CHECK-DAG: ew.constant 1048576 : i64
  %2 = ew.cast %d wrap : f64 to i64
  return %0, %1, %2 : tensor<5xi8>, tensor<5xui32>, i64
}

// A NaN's bits are those of the canonical one.
// CHECK-LABEL: @bits
// CHECK-DAG: ew.constant 2143289344 : i32
// CHECK-DAG: ew.constant 1.000000e+00 : f32
func.func @bits() -> (i32, f32) {
  %nan = ew.constant 0xFFAB2AC8 : f32
  %0 = ew.bitcast %nan : f32 to i32
  %one = ew.constant 1065353216 : i32
  %1 = ew.bitcast %one : i32 to f32
  return %0, %1 : i32, f32
}

// Functions that are not correctly rounded are not folded.
// CHECK-LABEL: @functions
// CHECK: ew.exp
// CHECK: ew.sin
// CHECK: ew.pow
func.func @functions() -> (f32, f32, f32) {
  %a = ew.constant 1.7 : f32
  %0 = ew.exp %a : f32
  %1 = ew.sin %a : f32
  %2 = ew.pow %a, %a : f32
  return %0, %1, %2 : f32, f32, f32
}
