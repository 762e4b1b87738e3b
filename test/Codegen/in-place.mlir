// What a kernel reads and writes has no noalias, and no other argument loses it.
// RUN: ew-opt %s --ew-to-nvvm="chip=sm_80" | FileCheck %s --check-prefix=NVVM
// RUN: ew-opt %s --ew-to-cpu-kernels | FileCheck %s --check-prefix=CPU
// RUN: ew-run %s --function=f --emit=ptx --chip=sm_80 | FileCheck %s --check-prefix=PTX

// NVVM: ew.launch
// NVVM-SAME: outs(%[[P:.*]] : tensor<?xf32>)
// NVVM: llvm.func @f_0_{{.*}}_wide(
// NVVM-SAME: %{{[^:]*}}: !llvm.ptr {llvm.align = 16 : i64}, %{{[^:]*}}: !llvm.ptr {llvm.align = 16 : i64, llvm.noalias, llvm.readonly}, %{{[^:]*}}: !llvm.ptr {llvm.align = 16 : i64}

// CPU: func.func @f_0_{{.*}}_dense(%{{[^:]*}}: memref<1xf32>, %{{[^:]*}}: memref<1xf32> {llvm.noalias, llvm.readonly}, %{{[^:]*}}: memref<1xf32>,

// PTX: .entry f_0_{{.*}}_wide(
// PTX-DAG: ld.global.v4.b32
// PTX-DAG: ld.global.nc.v4.b32
// PTX: st.global.v4.b32
func.func @f(%p: tensor<?xf32> {ew.inplace = 0}, %g: tensor<?xf32>) -> tensor<?xf32> {
  %0 = ew.sub %p, %g : tensor<?xf32>
  return %0 : tensor<?xf32>
}
