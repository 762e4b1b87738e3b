// RUN: ew-opt %s --ew-to-nvvm=chip=sm_90 | FileCheck %s --implicit-check-not=vector. --implicit-check-not=unrealized

// Kernels that EW has not built may have vectors of any rank.
gpu.module @others {
  // CHECK-LABEL: llvm.func @exp
  // CHECK: llvm.load {{.*}} -> vector<4xf32>
  // CHECK: llvm.intr.fma({{.*}}vector<8xf32>
  // CHECK: llvm.store {{.*}} : vector<4xf32>
  gpu.func @exp(%x: memref<4xf32>, %y: memref<4xf32>) kernel {
    %c0 = arith.constant 0 : index
    %0 = vector.load %x[%c0] : memref<4xf32>, vector<4xf32>
    %1 = vector.broadcast %0 : vector<4xf32> to vector<2x4xf32>
    %2 = ew.exp %1 : vector<2x4xf32>
    %3 = vector.extract %2[1] : vector<4xf32> from vector<2x4xf32>
    vector.store %3, %y[%c0] : memref<4xf32>, vector<4xf32>
    gpu.return
  }
}
