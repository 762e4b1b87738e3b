// The named pipelines, each to its stage.
// RUN: ew-opt %s --ew-to-linalg | FileCheck %s --check-prefix=LINALG
// RUN: ew-opt %s --ew-to-linalg="mode=strict" | FileCheck %s --check-prefix=STRICT
// RUN: ew-opt %s --ew-to-nvvm="chip=sm_90" | FileCheck %s --check-prefix=NVVM
// RUN: ew-opt %s --ew-to-cpu-kernels | FileCheck %s --check-prefix=CPU

// LINALG-LABEL: func.func @f
// LINALG:       linalg.generic
// LINALG:         ew.fma
// LINALG-NOT:   linalg.generic

// STRICT-LABEL: func.func @f
// STRICT:       = ew.mul %
// STRICT-NEXT:  = ew.add %
// STRICT-NOT:   ew.fma

// NVVM-LABEL: func.func @f
// NVVM:       ew.launch
// NVVM-NOT:   linalg.generic
// NVVM:       gpu.module @f_0_fma_wide [#nvvm.target<
// NVVM-SAME:  chip = "sm_90"
// NVVM:       llvm.func @f_0_fma_wide
// NVVM:       nvvm.read.ptx.sreg.ctaid.x
// NVVM-NOT:   ew.fma

// CPU-LABEL: func.func @f
// CPU:       ew.launch
// CPU:       func.func @f_0_fma_dense
// CPU-SAME:  ew.kernel
func.func @f(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %0 = ew.mul %x, %y : tensor<?xf32>
  %1 = ew.add %0, %x : tensor<?xf32>
  return %1 : tensor<?xf32>
}
