// RUN: ew-opt %s --ew-widen | FileCheck %s
// RUN: ew-opt %s --ew-widen=mode=strict | FileCheck %s --check-prefix=STRICT
// RUN: not ew-opt %s --ew-widen=mode=loose 2>&1 | FileCheck %s --check-prefix=MODE

// MODE: ew-widen: mode must be default, strict or fast, not 'loose'

// Rounded once, at the store.
// CHECK-LABEL: @chain
// CHECK-DAG: %[[X:.*]] = ew.cast %arg0 : tensor<?xbf16> to tensor<?xf32>
// CHECK-DAG: %[[Y:.*]] = ew.cast %arg1 : tensor<?xbf16> to tensor<?xf32>
// CHECK: %[[P:.*]] = ew.mul %[[X]], %[[Y]] : tensor<?xf32>
// CHECK-NEXT: %[[S:.*]] = ew.sin %[[P]] : tensor<?xf32>
// CHECK-NEXT: %[[N:.*]] = ew.neg %[[S]] : tensor<?xf32>
// CHECK-NEXT: %[[R:.*]] = ew.cast %[[N]] : tensor<?xf32> to tensor<?xbf16>
// CHECK-NEXT: return %[[R]]
// STRICT-LABEL: @chain
// STRICT: %[[P:.*]] = ew.mul %{{.*}} : tensor<?xf32>
// STRICT-NEXT: %[[PR:.*]] = ew.cast %[[P]] : tensor<?xf32> to tensor<?xbf16>
// STRICT-NEXT: %[[PW:.*]] = ew.cast %[[PR]] : tensor<?xbf16> to tensor<?xf32>
// STRICT-NEXT: %[[S:.*]] = ew.sin %[[PW]] : tensor<?xf32>
// STRICT-NEXT: %[[SR:.*]] = ew.cast %[[S]] : tensor<?xf32> to tensor<?xbf16>
// STRICT-NEXT: %[[N:.*]] = ew.neg %[[SR]] : tensor<?xbf16>
// STRICT-NEXT: return %[[N]]
func.func @chain(%x: tensor<?xbf16>, %y: tensor<?xbf16>) -> tensor<?xbf16> {
  %0 = ew.mul %x, %y : tensor<?xbf16>
  %1 = ew.sin %0 : tensor<?xbf16>
  %2 = ew.neg %1 : tensor<?xbf16>
  return %2 : tensor<?xbf16>
}

// An explicit cast and an op that looks at the format see the rounded value,
// arithmetic beside them does not.
// CHECK-LABEL: @rounding_points
// CHECK: %[[S:.*]] = ew.add
// CHECK-NEXT: %[[R:.*]] = ew.cast %[[S]] : tensor<4xf32> to tensor<4xf16>
// CHECK-DAG: %[[E:.*]] = ew.cast %[[R]] : tensor<4xf16> to tensor<4xf32>
// CHECK-DAG: %[[C:.*]] = ew.cast %[[R]] : tensor<4xf16> to tensor<4xf32>
// CHECK-DAG: %[[B:.*]] = ew.is_inf %[[E]] : tensor<4xf32>
// CHECK-DAG: %[[F:.*]] = ew.floor %[[E]] : tensor<4xf32>
// CHECK-DAG: %[[X:.*]] = ew.exp %[[S]] : tensor<4xf32>
// CHECK-DAG: %[[T:.*]] = ew.bitcast %[[R]] : tensor<4xf16> to tensor<4xi16>
// CHECK-DAG: %[[NEXT:.*]] = ew.next_after %[[R]], %arg0 : tensor<4xf16>
// CHECK-DAG: %[[XR:.*]] = ew.cast %[[X]] : tensor<4xf32> to tensor<4xf16>
// CHECK-DAG: %[[FR:.*]] = ew.cast %[[F]] : tensor<4xf32> to tensor<4xf16>
func.func @rounding_points(%x: tensor<4xf16>, %y: tensor<4xf16>)
    -> (tensor<4xf32>, tensor<4xi1>, tensor<4xf16>, tensor<4xf16>, tensor<4xi16>, tensor<4xf16>) {
  %0 = ew.add %x, %y : tensor<4xf16>
  %1 = ew.cast %0 : tensor<4xf16> to tensor<4xf32>
  %2 = ew.is_inf %0 : tensor<4xf16>
  %3 = ew.floor %0 : tensor<4xf16>
  %4 = ew.exp %0 : tensor<4xf16>
  %5 = ew.bitcast %0 : tensor<4xf16> to tensor<4xi16>
  %6 = ew.next_after %0, %x : tensor<4xf16>
  return %1, %2, %3, %4, %5, %6 : tensor<4xf32>, tensor<4xi1>, tensor<4xf16>, tensor<4xf16>, tensor<4xi16>, tensor<4xf16>
}

// Bits that were not computed move as they are.
// CHECK-LABEL: @moves
// CHECK-NEXT: ew.neg %{{.*}} : tensor<4xf8E4M3FN>
// CHECK-NEXT: ew.transpose
// CHECK-NEXT: ew.select %{{.*}} : tensor<4xf8E4M3FN>
// CHECK-NEXT: return
func.func @moves(%b: tensor<4xi1>, %x: tensor<4xf8E4M3FN>) -> tensor<4xf8E4M3FN> {
  %0 = ew.neg %x : tensor<4xf8E4M3FN>
  %1 = ew.transpose %0 [0] : tensor<4xf8E4M3FN> to tensor<4xf8E4M3FN>
  %2 = ew.select %b, %1, %x : tensor<4xf8E4M3FN>
  return %2 : tensor<4xf8E4M3FN>
}

// A view of a computed value is not rounded; constants are extended at once.
// CHECK-LABEL: @views
// CHECK: %[[C:.*]] = ew.constant 1.562500e-02 : f32
// CHECK: %[[B:.*]] = ew.broadcast %[[C]] : f32 to tensor<2x4xf32>
// CHECK: %[[M:.*]] = ew.square %{{.*}} : tensor<4x2xf32>
// CHECK-NEXT: %[[T:.*]] = ew.transpose %[[M]] [1, 0] : tensor<4x2xf32> to tensor<2x4xf32>
// CHECK-NEXT: %[[A:.*]] = ew.add %[[T]], %[[B]] : tensor<2x4xf32>
// CHECK-NEXT: ew.cast %[[A]] : tensor<2x4xf32> to tensor<2x4xf8E5M2>
func.func @views(%x: tensor<4x2xf8E5M2>) -> tensor<2x4xf8E5M2> {
  %c = ew.constant 0.015625 : f8E5M2
  %b = ew.broadcast %c : f8E5M2 to tensor<2x4xf8E5M2>
  %0 = ew.square %x : tensor<4x2xf8E5M2>
  %1 = ew.transpose %0 [1, 0] : tensor<4x2xf8E5M2> to tensor<2x4xf8E5M2>
  %2 = ew.add %1, %b : tensor<2x4xf8E5M2>
  return %2 : tensor<2x4xf8E5M2>
}

// Scalars and vectors alike; f32 and f64 are left alone.
// CHECK-LABEL: @other_shapes
// CHECK: ew.tanh %{{.*}} : f32
// CHECK: ew.tanh %{{.*}} : vector<8xf32>
// CHECK: ew.tanh %{{.*}} : tensor<f64>
func.func @other_shapes(%x: bf16, %y: vector<8xf16>, %z: tensor<f64>) -> (bf16, vector<8xf16>, tensor<f64>) {
  %0 = ew.tanh %x : bf16
  %1 = ew.tanh %y : vector<8xf16>
  %2 = ew.tanh %z : tensor<f64>
  return %0, %1, %2 : bf16, vector<8xf16>, tensor<f64>
}

// In strict mode fma rounds once: of f16 through f64, of bf16 with the sum rounded to odd.
// STRICT-LABEL: @fma
// STRICT: %[[H:.*]] = ew.fma %{{.*}} : f64
// STRICT-NEXT: ew.cast %[[H]] : f64 to f16
// STRICT: ew.mul %{{.*}} : f64
// STRICT: ew.bitcast %{{.*}} : f64 to i64
// STRICT: %[[ODD:.*]] = ew.bitcast %{{.*}} : i64 to f64
// STRICT-NEXT: ew.cast %[[ODD]] : f64 to bf16
// CHECK-LABEL: @fma
// CHECK: ew.fma %{{.*}} : f32
// CHECK: ew.fma %{{.*}} : f32
func.func @fma(%x: f16, %y: bf16) -> (f16, bf16) {
  %0 = ew.fma %x, %x, %x : f16
  %1 = ew.fma %y, %y, %y : bf16
  return %0, %1 : f16, bf16
}

// The parameter of leaky_relu is rounded to the operand's type.
// CHECK-LABEL: @leaky
// CHECK: ew.leaky_relu %{{.*}} {alpha = 0.010009765625 : f64} : f32
// CHECK-LABEL: @leaky_f32
// CHECK: ew.leaky_relu %{{[^ ]*}} : f32
func.func @leaky(%x: bf16) -> bf16 {
  %0 = ew.leaky_relu %x {alpha = 0.01 : f64} : bf16
  return %0 : bf16
}
func.func @leaky_f32(%x: f32) -> f32 {
  %0 = ew.leaky_relu %x {alpha = 0.01 : f64} : f32
  return %0 : f32
}

// A narrow random number is not a wide one that is rounded.
// CHECK-LABEL: @random
// CHECK-NEXT: ew.philox_at %{{.*}} : i64, i64, i64 to bf16
// CHECK-NEXT: return
func.func @random(%i: i64) -> bf16 {
  %0 = ew.philox_at %i, %i, %i distribution(uniform) : i64, i64, i64 to bf16
  return %0 : bf16
}
