// RUN: ew-opt %s --ew-schedule --ew-to-gpu --canonicalize --cse | FileCheck %s

// Two vectors of x, one below the other, and one of the row for both; one division.
// CHECK-LABEL: gpu.func @scale_0_rows(
// CHECK-SAME: %[[X:.*]]: memref<1xbf16> {{.*}}, %[[ROW:.*]]: memref<1xbf16> {{.*}}, %[[OUT:.*]]: memref<1xbf16> {{.*}}, %{{.*}}: i32, %[[COLS:.*]]: i32)
// CHECK: %[[GROUP:.*]] = arith.divui %{{.*}}, %[[COLS]] : i32
// CHECK-NOT: arith.divui
// CHECK: scf.if
// CHECK-COUNT-3: vector.load {{.*}} : memref<?xbf16>, vector<8xbf16>
// CHECK-NOT: vector.load
// CHECK: arith.mulf %{{.*}}, %{{.*}} : vector<16xbf16>
// CHECK-COUNT-2: vector.store {{.*}} : memref<?xbf16>, vector<8xbf16>
// CHECK-NOT: memref.store
// CHECK: gpu.return
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>
func.func @scale(%x: tensor<?x?xbf16>, %y: tensor<?xbf16>, %e: tensor<?x?xbf16>) -> tensor<?x?xbf16> {
  %r = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<?x?xbf16>, tensor<?xbf16>) outs(%e : tensor<?x?xbf16>) {
  ^bb0(%a: bf16, %b: bf16, %o: bf16):
    %0 = arith.mulf %a, %b : bf16
    linalg.yield %0 : bf16
  } -> tensor<?x?xbf16>
  return %r : tensor<?x?xbf16>
}
