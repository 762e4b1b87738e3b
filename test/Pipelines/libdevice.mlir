// REQUIRES: libdevice
// RUN: ew-run %s --emit=ptx --chip=sm_90 | FileCheck %s

// A function of CUDA's library is inlined into the kernels.

// CHECK-NOT: __nv_
// CHECK: .visible .entry f_0_exp_wide(
// CHECK-NOT: __nv_
func.func @f(%x: tensor<?xf64>) -> tensor<?xf64> {
  %0 = ew.exp %x : tensor<?xf64>
  return %0 : tensor<?xf64>
}
