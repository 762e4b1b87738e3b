// RUN: ew-run %s --emit=ptx --chip=sm_90 | FileCheck %s

// Whether any of four exponents is out of range is one test of their bits.
// CHECK-LABEL: .visible .entry {{.*}}_wide
// CHECK: rcp.approx.ftz
// CHECK: and.b32 {{.*}}, -1170210944;
// CHECK-NEXT: setp.eq.{{[a-z]}}32 [[ALL:%p[0-9]+]], {{.*}}, 0;
// CHECK-NEXT: @[[ALL]] bra
func.func @f(%x: tensor<?xf32>) -> tensor<?xf32> {
  %r = ew.cosh %x : tensor<?xf32>
  return %r : tensor<?xf32>
}
