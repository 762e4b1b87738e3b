// RUN: ew-opt %s --ew-to-nvvm="chip=sm_90" -split-input-file | FileCheck %s
// RUN: ew-opt %s --ew-to-nvvm="chip=sm_80" -split-input-file | FileCheck %s --check-prefix=WITHOUT
// RUN: ew-opt %s --ew-to-nvvm="chip=sm_90 dependent-launch=false" -split-input-file | FileCheck %s --check-prefix=WITHOUT

// WITHOUT-NOT: griddepcontrol
// WITHOUT: llvm.noalias
// WITHOUT-NOT: griddepcontrol

// Every thread waits, the loads come after that, and the stores after the next
// kernel's launch, whether they are wide or not.
// CHECK-LABEL: llvm.func @add_0_add_wide(
// CHECK-NOT: llvm.noalias
// CHECK-SAME: llvm.readonly
// CHECK-SAME: {
// CHECK-NOT: llvm.load
// CHECK-NOT: llvm.cond_br
// CHECK: nvvm.griddepcontrol wait
// CHECK: llvm.load %{{.*}} : !llvm.ptr -> vector<4xf32>
// CHECK-NOT: llvm.store
// CHECK: nvvm.griddepcontrol launch_dependents
// CHECK-NEXT: llvm.cond_br
// CHECK: llvm.store %{{.*}} : vector<4xf32>
// CHECK: llvm.store %{{.*}} : f32
// CHECK-NOT: nvvm.griddepcontrol
// CHECK: llvm.return
func.func @add(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %0 = ew.add %x, %y : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// What goes into shared memory on the way is no store that others see.
// CHECK-LABEL: llvm.func @transposed_0_{{.*}}_tile(
// CHECK: nvvm.griddepcontrol wait
// CHECK: llvm.store %{{.*}} !llvm.ptr<3>
// CHECK: nvvm.barrier
// CHECK: nvvm.griddepcontrol launch_dependents
// CHECK-NOT: !llvm.ptr<3>
// CHECK: llvm.return
func.func @transposed(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %t = ew.transpose %y [1, 0] : tensor<?x?xf32> to tensor<?x?xf32>
  %0 = ew.add %x, %t : tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
