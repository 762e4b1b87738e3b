// RUN: ew-opt %s | FileCheck %s
// RUN: ew-opt %s --mlir-print-op-generic | ew-opt | FileCheck %s
// RUN: ew-opt %s --emit-bytecode | ew-opt | FileCheck %s
// RUN: ew-opt %s --canonicalize | FileCheck %s --check-prefix=FOLD

// CHECK-LABEL: @forms
func.func @forms(%s: i64, %o: ui64, %t: tensor<i64>, %x: tensor<?x3xbf16>) -> (tensor<?x3xbf16>, tensor<f64>, tensor<5xui32>, tensor<2x2xi32>, tensor<4xf16>) {
  // CHECK: ew.philox %{{.*}}, %{{.*}} distribution(normal) like(%{{.*}} : tensor<?x3xbf16>) : i64, ui64 to tensor<?x3xbf16>
  %0 = ew.philox %s, %o distribution(normal) like(%x : tensor<?x3xbf16>) : i64, ui64 to tensor<?x3xbf16>
  // CHECK: ew.philox %{{.*}}, %{{.*}} distribution(uniform) : tensor<i64>, i64 to tensor<f64>
  %1 = ew.philox %t, %s distribution(uniform) : tensor<i64>, i64 to tensor<f64>
  // CHECK: ew.philox %{{.*}}, %{{.*}} distribution(bits) stream(-1) : i64, tensor<i64> to tensor<5xui32>
  %2 = ew.philox %s, %t distribution(bits) stream(-1) : i64, tensor<i64> to tensor<5xui32>
  // CHECK: ew.philox %{{.*}}, %{{.*}} distribution(bits) : i64, i64 to tensor<2x2xi32>
  %3 = ew.philox %s, %s distribution(bits) stream(0) : i64, i64 to tensor<2x2xi32>
  // CHECK: ew.philox %{{.*}}, %{{.*}} distribution(uniform) stream(5) {test.note = 1 : i64} : i64, i64 to tensor<4xf16>
  %4 = ew.philox %s, %s distribution(uniform) stream(5) {test.note = 1} : i64, i64 to tensor<4xf16>
  return %0, %1, %2, %3, %4 : tensor<?x3xbf16>, tensor<f64>, tensor<5xui32>, tensor<2x2xi32>, tensor<4xf16>
}

// CHECK-LABEL: @dropout
func.func @dropout(%x: tensor<?xf32>, %y: tensor<2x3xf8E5M2>, %s: i64, %t: tensor<ui64>) -> (tensor<?xf32>, tensor<2x3xf8E5M2>) {
  // CHECK: ew.dropout %{{.*}}, %{{.*}}, %{{.*}} rate(1.000000e-01) : tensor<?xf32>, i64, i64
  %0 = ew.dropout %x, %s, %s rate(0.1) : tensor<?xf32>, i64, i64
  // CHECK: ew.dropout %{{.*}}, %{{.*}}, %{{.*}} rate(1.000000e+00) stream(7) : tensor<2x3xf8E5M2>, tensor<ui64>, i64
  %1 = ew.dropout %y, %t, %s rate(1.0) stream(7) : tensor<2x3xf8E5M2>, tensor<ui64>, i64
  return %0, %1 : tensor<?xf32>, tensor<2x3xf8E5M2>
}

// Nothing is dropped, and what is kept is not scaled. Only then.
// FOLD-LABEL: @no_dropout
// FOLD-SAME: %[[X:.*]]: tensor<?xf32>, %[[S:.*]]: i64
// FOLD-NEXT: %[[D:.*]] = ew.dropout %[[X]], %[[S]], %[[S]] rate(1.000000e-300)
// FOLD-NEXT: return %[[X]], %[[D]]
func.func @no_dropout(%x: tensor<?xf32>, %s: i64) -> (tensor<?xf32>, tensor<?xf32>) {
  %0 = ew.dropout %x, %s, %s rate(0.0) : tensor<?xf32>, i64, i64
  %1 = ew.dropout %x, %s, %s rate(1.0e-300) : tensor<?xf32>, i64, i64
  return %0, %1 : tensor<?xf32>, tensor<?xf32>
}

// The same numbers are drawn once; another stream gives others.
// RUN: ew-opt %s --cse | FileCheck %s --check-prefix=CSE
// CSE-LABEL: @twice
// CSE-NEXT: %[[A:.*]] = ew.philox
// CSE-NEXT: %[[B:.*]] = ew.philox {{.*}}stream(1)
// CSE-NEXT: return %[[A]], %[[A]], %[[B]]
func.func @twice(%s: i64) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %0 = ew.philox %s, %s distribution(uniform) : i64, i64 to tensor<4xf32>
  %1 = ew.philox %s, %s distribution(uniform) : i64, i64 to tensor<4xf32>
  %2 = ew.philox %s, %s distribution(uniform) stream(1) : i64, i64 to tensor<4xf32>
  return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
