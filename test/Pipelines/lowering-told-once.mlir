// RUN: not ew-opt %s --split-input-file --ew-to-nvvm=chip=sm_90 2>&1 | FileCheck %s
// RUN: not ew-opt %s --split-input-file --ew-to-nvvm=chip=sm_90 --mlir-disable-threading 2>&1 | FileCheck %s
// RUN: not ew-run %s --emit=ptx --function=f 2>&1 | FileCheck %s --check-prefix=EMIT

// Each version of a kernel is a module of its own; what none of them can be lowered from is said once, and for each op
// and each part of a file.

// CHECK-NOT: error:
// CHECK: [[@LINE+8]]:8: error: 'ew.gelu' op on 'f64' has no implementation within 0.5 units in the last place on sm_90
// CHECK-NOT: error:
// CHECK: error: 'ew.gelu' op on 'f64' has no implementation within 0.5 units in the last place on sm_90
// CHECK-NOT: error:
// EMIT: error: 'ew.gelu' op on 'f64' has no implementation
// EMIT-NOT: error:

func.func @f(%x: tensor<?xf64>) -> tensor<?xf64> {
  %0 = ew.gelu %x {ew.error_bound = 0.5} : tensor<?xf64>
  return %0 : tensor<?xf64>
}

// -----

func.func @g(%x: tensor<?xf64>) -> tensor<?xf64> {
  %0 = ew.gelu %x {ew.error_bound = 0.5} : tensor<?xf64>
  return %0 : tensor<?xf64>
}
