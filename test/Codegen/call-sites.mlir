// RUN: ew-opt %s --ew-to-nvvm=chip=sm_90 --mlir-print-debuginfo | FileCheck %s
// RUN: ew-opt %s --inline --ew-call-sites --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s --check-prefix=HOST
// RUN: ew-run %s --function=f --emit=ptx --chip=sm_90 | FileCheck %s --check-prefix=PTX
// RUN: ew-run %s --function=f --emit=llvm --device=cpu -o %t.ll

// A kernel of one op that was inlined has the location of the call, and so have its launch and its module.
// CHECK: ew.launch
// CHECK: llvm.func @f_0_exp_wide
// HOST-LABEL: func.func @f
// HOST: ew.exp {{.*}} loc(fused<"call">[callsite({{.*}}:15:8 at {{.*}}:19:8)])
// PTX: .visible .entry f_0_exp_wide
// PTX: .loc 1 15 8

func.func private @g(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = ew.exp %x : tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func @f(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = call @g(%x) : (tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
