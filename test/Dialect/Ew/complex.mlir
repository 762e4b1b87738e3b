// RUN: ew-opt %s | ew-opt | FileCheck %s
// RUN: ew-opt %s --canonicalize | FileCheck %s --check-prefix=FOLD

// Every op that takes complex numbers.
// CHECK-LABEL: @ops
// CHECK: ew.constant dense<(1.000000e+00,-2.000000e+00)> : tensor<4xcomplex<f32>>
// CHECK: ew.complex %{{.*}}, %{{.*}} : tensor<4xcomplex<f32>>
// CHECK: ew.add %{{.*}}, %{{.*}} : tensor<4xcomplex<f32>>
// CHECK: ew.pow %{{.*}}, %{{.*}} : tensor<4xcomplex<f32>>
// CHECK: ew.abs %{{.*}} : tensor<4xcomplex<f32>>
// CHECK: ew.real %{{.*}} : tensor<4xcomplex<f32>>
// CHECK: ew.conj %{{.*}} : tensor<4xcomplex<f32>>
// CHECK: ew.cmp oeq, %{{.*}}, %{{.*}} : tensor<4xcomplex<f32>>
// CHECK: ew.cast %{{.*}} : tensor<4xcomplex<f32>> to tensor<4xcomplex<f64>>
func.func @ops(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xcomplex<f32>>, tensor<4xi1>, tensor<4xcomplex<f64>>) {
  %c = ew.constant dense<(1.0, -2.0)> : tensor<4xcomplex<f32>>
  %z = ew.complex %x, %x : tensor<4xcomplex<f32>>
  %0 = ew.add %z, %c : tensor<4xcomplex<f32>>
  %1 = ew.pow %0, %z : tensor<4xcomplex<f32>>
  %2 = ew.abs %1 : tensor<4xcomplex<f32>>
  %3 = ew.real %1 : tensor<4xcomplex<f32>>
  %4 = ew.conj %1 : tensor<4xcomplex<f32>>
  %5 = ew.cmp oeq, %4, %1 : tensor<4xcomplex<f32>>
  %6 = ew.cast %1 : tensor<4xcomplex<f32>> to tensor<4xcomplex<f64>>
  return %2, %3, %4, %5, %6 : tensor<4xf32>, tensor<4xf32>, tensor<4xcomplex<f32>>, tensor<4xi1>, tensor<4xcomplex<f64>>
}

// Parts of what was put together, and the other way round.
// FOLD-LABEL: @parts
// FOLD-SAME: %[[X:.*]]: f32, %[[Y:.*]]: f32, %[[Z:.*]]: complex<f32>
// FOLD-NEXT: return %[[X]], %[[Y]], %[[Z]]
func.func @parts(%x: f32, %y: f32, %z: complex<f32>) -> (f32, f32, complex<f32>) {
  %0 = ew.complex %x, %y : complex<f32>
  %1 = ew.real %0 : complex<f32>
  %2 = ew.imag %0 : complex<f32>
  %3 = ew.conj %z : complex<f32>
  %4 = ew.conj %3 : complex<f32>
  %5 = ew.real %3 : complex<f32>
  %6 = ew.imag %4 : complex<f32>
  %7 = ew.complex %5, %6 : complex<f32>
  return %1, %2, %7 : f32, f32, complex<f32>
}

// Parts of two numbers are another one.
// FOLD-LABEL: @mixed
// FOLD: ew.complex
func.func @mixed(%z: complex<f32>, %w: complex<f32>) -> complex<f32> {
  %0 = ew.real %z : complex<f32>
  %1 = ew.imag %w : complex<f32>
  %2 = ew.complex %0, %1 : complex<f32>
  return %2 : complex<f32>
}

// A NaN differs from itself, and z - z is not 0; constants stay for their parts.
// FOLD-LABEL: @stay
// FOLD: ew.sub
// FOLD: ew.cmp oeq
// FOLD: ew.add
func.func @stay(%z: tensor<4xcomplex<f32>>) -> (tensor<4xcomplex<f32>>, tensor<4xi1>, tensor<4xcomplex<f32>>) {
  %c = ew.constant dense<(-0.0, -0.0)> : tensor<4xcomplex<f32>>
  %0 = ew.sub %z, %z : tensor<4xcomplex<f32>>
  %1 = ew.cmp oeq, %z, %z : tensor<4xcomplex<f32>>
  %2 = ew.add %c, %c : tensor<4xcomplex<f32>>
  return %0, %1, %2 : tensor<4xcomplex<f32>>, tensor<4xi1>, tensor<4xcomplex<f32>>
}

// FOLD-LABEL: @views
// FOLD: %[[C:.*]] = ew.constant dense<(1.000000e+00,2.000000e+00)> : tensor<4x2xcomplex<f32>>
// FOLD-NEXT: return %[[C]]
func.func @views() -> tensor<4x2xcomplex<f32>> {
  %c = ew.constant dense<(1.0, 2.0)> : tensor<4xcomplex<f32>>
  %0 = ew.broadcast %c : tensor<4xcomplex<f32>> to tensor<2x4xcomplex<f32>>
  %1 = ew.transpose %0 [1, 0] : tensor<2x4xcomplex<f32>> to tensor<4x2xcomplex<f32>>
  return %1 : tensor<4x2xcomplex<f32>>
}

// FOLD-LABEL: @casts
// FOLD-NEXT: return %arg0
func.func @casts(%z: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  %0 = ew.cast %z : tensor<4xcomplex<f32>> to tensor<4xcomplex<f64>>
  %1 = ew.cast %0 : tensor<4xcomplex<f64>> to tensor<4xcomplex<f32>>
  return %1 : tensor<4xcomplex<f32>>
}
