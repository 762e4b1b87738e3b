// RUN: ew-opt %s --pass-pipeline='builtin.module(gpu.module(ew-dependent-launch))' | FileCheck %s
// A kernel that waits has been through it.
// RUN: ew-opt %s --pass-pipeline='builtin.module(gpu.module(ew-dependent-launch,ew-dependent-launch))' | FileCheck %s

gpu.module @kernels {
  // Where two paths store, before they part.
  // CHECK-LABEL: llvm.func @branches(%{{.*}}: !llvm.ptr {llvm.readonly}, %{{.*}}: !llvm.ptr, %{{.*}}: i1)
  // CHECK-NEXT: nvvm.griddepcontrol wait
  // CHECK-NEXT: llvm.load
  // CHECK-NEXT: nvvm.griddepcontrol launch_dependents
  // CHECK-NEXT: llvm.cond_br
  // CHECK-NOT: nvvm.griddepcontrol
  llvm.func @branches(%x: !llvm.ptr {llvm.noalias, llvm.readonly}, %y: !llvm.ptr {llvm.noalias}, %p: i1)
      attributes {nvvm.kernel, nvvm.maxntid = array<i32: 256, 1, 1>} {
    %0 = llvm.load %x : !llvm.ptr -> f32
    llvm.cond_br %p, ^one, ^other
  ^one:
    llvm.store %0, %y : f32, !llvm.ptr
    llvm.br ^end
  ^other:
    %1 = llvm.getelementptr %y[1] : (!llvm.ptr) -> !llvm.ptr, f32
    llvm.store %0, %1 : f32, !llvm.ptr
    llvm.br ^end
  ^end:
    llvm.return
  }

  // Where one block stores, before its first store that other kernels see.
  // CHECK-LABEL: llvm.func @shared
  // CHECK-NEXT: nvvm.griddepcontrol wait
  // CHECK-NEXT: llvm.load
  // CHECK-NEXT: llvm.store {{.*}} !llvm.ptr<3>
  // CHECK-NEXT: nvvm.griddepcontrol launch_dependents
  // CHECK-NEXT: llvm.store
  // CHECK-NEXT: llvm.store
  // CHECK-NEXT: llvm.return
  llvm.func @shared(%x: !llvm.ptr, %tile: !llvm.ptr<3>)
      attributes {nvvm.kernel, nvvm.maxntid = array<i32: 256, 1, 1>} {
    %0 = llvm.load %x : !llvm.ptr -> f32
    llvm.store %0, %tile : f32, !llvm.ptr<3>
    llvm.store %0, %x : f32, !llvm.ptr
    llvm.store %0, %x : f32, !llvm.ptr
    llvm.return
  }

  // Small blocks, and those of any size, tell nothing.
  // CHECK-LABEL: llvm.func @small
  // CHECK-NEXT: nvvm.griddepcontrol wait
  // CHECK-NEXT: llvm.store
  // CHECK-NEXT: llvm.return
  llvm.func @small(%y: !llvm.ptr, %a: f32)
      attributes {nvvm.kernel, nvvm.maxntid = array<i32: 128, 1, 1>} {
    llvm.store %a, %y : f32, !llvm.ptr
    llvm.return
  }
  // CHECK-LABEL: llvm.func @any_size
  // CHECK-NEXT: nvvm.griddepcontrol wait
  // CHECK-NEXT: llvm.store
  // CHECK-NEXT: llvm.return
  llvm.func @any_size(%y: !llvm.ptr, %a: f32) attributes {nvvm.kernel} {
    llvm.store %a, %y : f32, !llvm.ptr
    llvm.return
  }

  // CHECK-LABEL: llvm.func @stores_nothing
  // CHECK-NEXT: nvvm.griddepcontrol wait
  // CHECK-NEXT: llvm.return
  llvm.func @stores_nothing() attributes {nvvm.kernel, nvvm.maxntid = array<i32: 256, 1, 1>} {
    llvm.return
  }

  // What no host launches stays as it is.
  // CHECK-LABEL: llvm.func @function(%{{.*}}: !llvm.ptr {llvm.noalias}
  // CHECK-NOT: nvvm.griddepcontrol
  // CHECK: llvm.return
  llvm.func @function(%y: !llvm.ptr {llvm.noalias}, %a: f32) {
    llvm.store %a, %y : f32, !llvm.ptr
    llvm.return
  }
  // CHECK: llvm.func @declared(!llvm.ptr {llvm.noalias}) attributes {nvvm.kernel}
  llvm.func @declared(!llvm.ptr {llvm.noalias}) attributes {nvvm.kernel}
}
