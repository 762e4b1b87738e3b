// RUN: ew-opt %s --ew-lower-math -split-input-file -verify-diagnostics
// RUN: not ew-opt %s --pass-pipeline='builtin.module(func.func(ew-lower-math))' -split-input-file 2>&1 | FileCheck %s

// The functions of libraries are declared in the module.
// CHECK: unable to schedule pass 'EwLowerMath{{.*}}' on a PassManager intended to run on 'func.func'

// expected-note @below {{which is this}}
func.func @exp(%x: f64) -> f64 {
  // expected-error @below {{calls the library's function 'exp', and something else has that name}}
  %0 = ew.exp %x : f64
  return %0 : f64
}

// -----

// expected-note @below {{which is this}}
llvm.func @exp(f32) -> f32
func.func @other_type(%x: f64) -> f64 {
  // expected-error @below {{calls the library's function 'exp', and something else has that name}}
  %0 = ew.exp %x : f64
  return %0 : f64
}

// -----

func.func @complex(%x: complex<f32>) -> complex<f32> {
  // expected-error @below {{'ew.add' op on complex numbers has no lowering: ew-split-complex makes their parts of them, in the body of a linalg.generic}}
  %0 = ew.add %x, %x : complex<f32>
  return %0 : complex<f32>
}
