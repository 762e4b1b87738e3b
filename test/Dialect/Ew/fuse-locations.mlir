// RUN: ew-opt %s --ew-widen --ew-fuse --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s
// Every op of a kernel's body has the location of the op that it comes from, the
// kernel those of its results, a check that of the op that asks for it.

// CHECK-LABEL: @locations
// CHECK: ew.check_shapes {{.*}} loc("p.py":1:2)
// CHECK: ew.mul %{{.*}} : f32 loc("p.py":1:2)
// CHECK: ew.sin %{{.*}} : f32 loc("p.py":3:4)
// CHECK: ew.exp %{{.*}} : f32 loc("p.py":5:6)
// CHECK: ew.cast %{{.*}} : f32 to bf16 loc("p.py":5:6)
// CHECK: } -> (tensor<?xbf16>, tensor<?xbf16>) loc(fused["p.py":3:4, "p.py":5:6])
func.func @locations(%x: tensor<?xbf16>, %y: tensor<?xbf16>) -> (tensor<?xbf16>, tensor<?xbf16>) {
  %0 = ew.mul %x, %y : tensor<?xbf16> loc("p.py":1:2)
  %1 = ew.sin %0 : tensor<?xbf16> loc("p.py":3:4)
  %2 = ew.exp %1 : tensor<?xbf16> loc("p.py":5:6)
  return %1, %2 : tensor<?xbf16>, tensor<?xbf16>
}
