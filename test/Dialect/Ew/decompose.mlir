// RUN: ew-opt %s --ew-decompose | FileCheck %s
// RUN: ew-opt %s --ew-to-linalg | FileCheck %s --check-prefix=PIPE
// RUN: ew-opt %s --ew-to-linalg=mode=strict | FileCheck %s --check-prefix=STRICT

// 0.25 of 2^32 words are dropped.
// CHECK-LABEL: @dropout
// CHECK-SAME: %[[X:.*]]: tensor<?xf32>, %[[S:.*]]: i64, %[[O:.*]]: tensor<i64>
// CHECK: %[[W:.*]] = ew.philox %[[S]], %[[O]] distribution(bits) stream(3) like(%[[X]] : tensor<?xf32>) : i64, tensor<i64> to tensor<?xui32>
// CHECK: %[[C:.*]] = ew.constant 1073741824 : ui32
// CHECK: %[[T:.*]] = ew.broadcast %[[C]] like(%[[X]] : tensor<?xf32>) : ui32 to tensor<?xui32>
// CHECK: %[[K:.*]] = ew.cmp ge, %[[W]], %[[T]] : tensor<?xui32>
// CHECK: %[[F:.*]] = ew.constant 1.33333337 : f32
// CHECK: %[[B:.*]] = ew.broadcast %[[F]]
// CHECK: %[[P:.*]] = ew.mul %[[X]], %[[B]] : tensor<?xf32>
// CHECK: %[[Z:.*]] = ew.constant 0.000000e+00 : f32
// CHECK: %[[ZB:.*]] = ew.broadcast %[[Z]]
// CHECK: %[[R:.*]] = ew.select %[[K]], %[[P]], %[[ZB]] : tensor<?xf32>
// CHECK: return %[[R]]
func.func @dropout(%x: tensor<?xf32>, %s: i64, %o: tensor<i64>) -> tensor<?xf32> {
  %0 = ew.dropout %x, %s, %o rate(0.25) stream(3) : tensor<?xf32>, i64, tensor<i64>
  return %0 : tensor<?xf32>
}

// The least rate there is drops one word in 2^32.
// CHECK-LABEL: @ends
// CHECK-NOT: ew.dropout
// CHECK: ew.constant 1 : ui32
// CHECK: %[[Z:.*]] = ew.constant 0.000000e+00 : f16
// CHECK: %[[B:.*]] = ew.broadcast %[[Z]] : f16 to tensor<4xf16>
// CHECK: return %{{.*}}, %[[B]], %arg0
func.func @ends(%x: tensor<4xf16>, %s: i64) -> (tensor<4xf16>, tensor<4xf16>, tensor<4xf16>) {
  %0 = ew.dropout %x, %s, %s rate(1.0e-300) : tensor<4xf16>, i64, i64
  %1 = ew.dropout %x, %s, %s rate(1.0) : tensor<4xf16>, i64, i64
  %2 = ew.dropout %x, %s, %s rate(0.0) : tensor<4xf16>, i64, i64
  return %0, %1, %2 : tensor<4xf16>, tensor<4xf16>, tensor<4xf16>
}

// One kernel. The sum sees what was not rounded to bf16, and its product is not
// contracted with it; in strict mode, it sees what was.
// PIPE-LABEL: @residual
// PIPE: linalg.generic
// PIPE: ^bb0(%[[X:.*]]: bf16, %{{.*}}: bf16, %[[S:.*]]: i64, %{{.*}}: bf16):
// PIPE-DAG: %[[I:.*]] = ew.linear_index : i64
// PIPE-DAG: %[[W:.*]] = ew.philox_at %[[S]], %[[S]], %[[I]] distribution(bits) : i64, i64, i64 to ui32
// PIPE-DAG: %[[P:.*]] = ew.mul
// PIPE: %[[D:.*]] = ew.select %{{.*}}, %[[P]], %{{.*}} : f32
// PIPE-NEXT: %[[A:.*]] = ew.add %[[D]]
// PIPE-NEXT: ew.cast %[[A]]
// PIPE-NEXT: linalg.yield
// PIPE-NOT: linalg.generic
// STRICT-LABEL: @residual
// STRICT: %[[D:.*]] = ew.select
// STRICT-NEXT: %[[R:.*]] = ew.cast %[[D]] : f32 to bf16
// STRICT-NEXT: ew.cast %[[R]] : bf16 to f32
func.func @residual(%x: tensor<?xbf16>, %y: tensor<?xbf16>, %s: i64) -> tensor<?xbf16> {
  %0 = ew.dropout %x, %s, %s rate(0.5) : tensor<?xbf16>, i64, i64
  %1 = ew.add %0, %y : tensor<?xbf16>
  return %1 : tensor<?xbf16>
}
