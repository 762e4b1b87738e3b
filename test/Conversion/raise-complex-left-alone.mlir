// RUN: ew-opt %s --ew-raise --split-input-file --verify-diagnostics | FileCheck %s

// Complex ops that ew has no function for stay as they are, with a remark why.

// CHECK-NOT: ew.

// CHECK-LABEL: func @expm1
// CHECK: complex.expm1
#identity = affine_map<(d0) -> (d0)>
func.func @expm1(%x: tensor<?xcomplex<f32>>, %n: i32) -> tensor<?xcomplex<f32>> {
  // expected-remark@+1 {{not raised to ew: its complex.expm1 has no equal in ew}}
  %0 = linalg.generic {indexing_maps = [#identity], iterator_types = ["parallel"]} outs(%x : tensor<?xcomplex<f32>>) {
  ^bb0(%a: complex<f32>):
    %b = complex.exp %a : complex<f32>
    %c = complex.expm1 %b : complex<f32>
    linalg.yield %c : complex<f32>
  } -> tensor<?xcomplex<f32>>
  return %0 : tensor<?xcomplex<f32>>
}

// -----

// CHECK-LABEL: func @log1p
// CHECK: complex.log1p
#identity = affine_map<(d0) -> (d0)>
func.func @log1p(%x: tensor<?xcomplex<f32>>, %n: i32) -> tensor<?xcomplex<f32>> {
  // expected-remark@+1 {{not raised to ew: its complex.log1p has no equal in ew}}
  %0 = linalg.generic {indexing_maps = [#identity], iterator_types = ["parallel"]} outs(%x : tensor<?xcomplex<f32>>) {
  ^bb0(%a: complex<f32>):
    %b = complex.exp %a : complex<f32>
    %c = complex.log1p %b : complex<f32>
    linalg.yield %c : complex<f32>
  } -> tensor<?xcomplex<f32>>
  return %0 : tensor<?xcomplex<f32>>
}

// -----

// CHECK-LABEL: func @tan
// CHECK: complex.tan
#identity = affine_map<(d0) -> (d0)>
func.func @tan(%x: tensor<?xcomplex<f32>>, %n: i32) -> tensor<?xcomplex<f32>> {
  // expected-remark@+1 {{not raised to ew: its complex.tan has no equal in ew}}
  %0 = linalg.generic {indexing_maps = [#identity], iterator_types = ["parallel"]} outs(%x : tensor<?xcomplex<f32>>) {
  ^bb0(%a: complex<f32>):
    %b = complex.exp %a : complex<f32>
    %c = complex.tan %b : complex<f32>
    linalg.yield %c : complex<f32>
  } -> tensor<?xcomplex<f32>>
  return %0 : tensor<?xcomplex<f32>>
}

// -----

// CHECK-LABEL: func @rsqrt
// CHECK: complex.rsqrt
#identity = affine_map<(d0) -> (d0)>
func.func @rsqrt(%x: tensor<?xcomplex<f32>>, %n: i32) -> tensor<?xcomplex<f32>> {
  // expected-remark@+1 {{not raised to ew: its complex.rsqrt has no equal in ew}}
  %0 = linalg.generic {indexing_maps = [#identity], iterator_types = ["parallel"]} outs(%x : tensor<?xcomplex<f32>>) {
  ^bb0(%a: complex<f32>):
    %b = complex.exp %a : complex<f32>
    %c = complex.rsqrt %b : complex<f32>
    linalg.yield %c : complex<f32>
  } -> tensor<?xcomplex<f32>>
  return %0 : tensor<?xcomplex<f32>>
}

// -----

// CHECK-LABEL: func @sign
// CHECK: complex.sign
#identity = affine_map<(d0) -> (d0)>
func.func @sign(%x: tensor<?xcomplex<f32>>, %n: i32) -> tensor<?xcomplex<f32>> {
  // expected-remark@+1 {{not raised to ew: its complex.sign has no equal in ew}}
  %0 = linalg.generic {indexing_maps = [#identity], iterator_types = ["parallel"]} outs(%x : tensor<?xcomplex<f32>>) {
  ^bb0(%a: complex<f32>):
    %b = complex.exp %a : complex<f32>
    %c = complex.sign %b : complex<f32>
    linalg.yield %c : complex<f32>
  } -> tensor<?xcomplex<f32>>
  return %0 : tensor<?xcomplex<f32>>
}

// -----

// CHECK-LABEL: func @atan2
// CHECK: complex.atan2
#identity = affine_map<(d0) -> (d0)>
func.func @atan2(%x: tensor<?xcomplex<f32>>, %n: i32) -> tensor<?xcomplex<f32>> {
  // expected-remark@+1 {{not raised to ew: its complex.atan2 has no equal in ew}}
  %0 = linalg.generic {indexing_maps = [#identity], iterator_types = ["parallel"]} outs(%x : tensor<?xcomplex<f32>>) {
  ^bb0(%a: complex<f32>):
    %b = complex.exp %a : complex<f32>
    %c = complex.atan2 %b, %b : complex<f32>
    linalg.yield %c : complex<f32>
  } -> tensor<?xcomplex<f32>>
  return %0 : tensor<?xcomplex<f32>>
}

// -----

// CHECK-LABEL: func @powi
// CHECK: complex.powi
#identity = affine_map<(d0) -> (d0)>
func.func @powi(%x: tensor<?xcomplex<f32>>, %n: i32) -> tensor<?xcomplex<f32>> {
  // expected-remark@+1 {{not raised to ew: its complex.powi has no equal in ew}}
  %0 = linalg.generic {indexing_maps = [#identity], iterator_types = ["parallel"]} outs(%x : tensor<?xcomplex<f32>>) {
  ^bb0(%a: complex<f32>):
    %b = complex.exp %a : complex<f32>
    %c = complex.powi %b, %n : complex<f32>, i32
    linalg.yield %c : complex<f32>
  } -> tensor<?xcomplex<f32>>
  return %0 : tensor<?xcomplex<f32>>
}

// -----

// CHECK-LABEL: func @half
// CHECK: complex.exp
#identity = affine_map<(d0) -> (d0)>
func.func @half(%x: tensor<?xcomplex<f16>>) -> tensor<?xcomplex<f16>> {
  // expected-remark@+1 {{not raised to ew: the type 'tensor<?xcomplex<f16>>' has no equal in ew}}
  %0 = linalg.generic {indexing_maps = [#identity], iterator_types = ["parallel"]} outs(%x : tensor<?xcomplex<f16>>) {
  ^bb0(%a: complex<f16>):
    %b = complex.exp %a : complex<f16>
    linalg.yield %b : complex<f16>
  } -> tensor<?xcomplex<f16>>
  return %0 : tensor<?xcomplex<f16>>
}
