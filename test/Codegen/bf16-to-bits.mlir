// RUN: ew-opt %s --ew-bf16-to-bits --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: llvm.func @moves(
// CHECK-SAME: %[[X:.*]]: !llvm.ptr, %[[S:.*]]: i16, %[[C:.*]]: i1) -> vector<2xi16>
llvm.func @moves(%x: !llvm.ptr, %s: bf16, %c: i1) -> vector<2xbf16> {
  // CHECK: %[[ZERO:.*]] = llvm.mlir.constant(0 : i16) : i16
  %zero = llvm.mlir.constant(0.0 : bf16) : bf16
  // CHECK: %[[V:.*]] = llvm.mlir.constant(dense<[16256, -16384]> : vector<2xi16>) : vector<2xi16>
  %v = llvm.mlir.constant(dense<[1.0, -2.0]> : vector<2xbf16>) : vector<2xbf16>
  %i = llvm.mlir.constant(1 : i32) : i32
  // CHECK: llvm.getelementptr %[[X]][1] : (!llvm.ptr) -> !llvm.ptr, i16
  %p = llvm.getelementptr %x[1] : (!llvm.ptr) -> !llvm.ptr, bf16
  // CHECK: llvm.cond_br %[[C]], ^bb1, ^bb2(%[[ZERO]] : i16)
  llvm.cond_br %c, ^load, ^join(%zero : bf16)
^load:
  // CHECK: %[[L:.*]] = llvm.load {{.*}} : !llvm.ptr -> i16
  %l = llvm.load %p : !llvm.ptr -> bf16
  llvm.br ^join(%l : bf16)
// CHECK: ^bb2(%[[A:.*]]: i16):
^join(%a: bf16):
  // CHECK-NEXT: llvm.insertelement %[[A]], %[[V]]{{.*}} : vector<2xi16>
  %r = llvm.insertelement %a, %v[%i : i32] : vector<2xbf16>
  llvm.return %r : vector<2xbf16>
}

// CHECK-LABEL: llvm.func @bits(
// CHECK-SAME: %[[X:.*]]: vector<2xi16>)
// CHECK-NEXT: llvm.return %[[X]] : vector<2xi16>
llvm.func @bits(%x: vector<2xbf16>) -> vector<2xi16> {
  %0 = llvm.bitcast %x : vector<2xbf16> to vector<2xi16>
  llvm.return %0 : vector<2xi16>
}

// CHECK-LABEL: llvm.func @extension(
// CHECK-SAME: %[[X:.*]]: vector<2xi16>)
// CHECK: %[[W:.*]] = llvm.zext %[[X]] : vector<2xi16> to vector<2xi32>
// CHECK: %[[S:.*]] = llvm.shl %[[W]], {{.*}} : vector<2xi32>
// CHECK: llvm.bitcast %[[S]] : vector<2xi32> to vector<2xf32>
llvm.func @extension(%x: vector<2xbf16>) -> vector<2xf32> {
  %0 = llvm.fpext %x : vector<2xbf16> to vector<2xf32>
  llvm.return %0 : vector<2xf32>
}

// f16 stays: its conversions keep subnormal numbers.
// CHECK-LABEL: llvm.func @f16(
// CHECK: llvm.load {{.*}} -> f16
llvm.func @f16(%x: !llvm.ptr) -> f16 {
  %0 = llvm.load %x : !llvm.ptr -> f16
  llvm.return %0 : f16
}

// -----

llvm.func @computes(%x: bf16) -> bf16 {
  // expected-error @below {{computes in bf16, which this target cannot}}
  %0 = llvm.fadd %x, %x : bf16
  llvm.return %0 : bf16
}
