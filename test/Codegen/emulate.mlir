// RUN: ew-opt %s --ew-schedule="choice=many=1" --ew-to-gpu --ew-emulate --canonicalize -split-input-file | FileCheck %s
// RUN: ew-opt %s --ew-schedule="choice=many=1" --ew-to-gpu -split-input-file | FileCheck %s --check-prefix=GPU

// CHECK: func.func private @_ew_emulator_barrier()
// CHECK-LABEL: func.func @tile(
// CHECK: ew.launch [{{.*}}, @tile_0_tile, {{.*}}, @tile_0_general, @tile_0_general64]
// CHECK: func.func @tile_0_tile(%{{[^)]*}} %[[B:[a-z0-9]+]]: i64, %[[G:[a-z0-9]+]]: i64, %[[T:[a-z0-9]+]]: i64, %[[D:[a-z0-9]+]]: i64, %[[S:[a-z0-9]+]]: memref<1xi8>) attributes {ew.kernel, ew.shared_bytes = 16640 : i64}
// CHECK: memref.view %{{.*}} : memref<16640xi8> to memref<4160xf32>
// CHECK: call @_ew_emulator_barrier()
// CHECK: func.func @tile_0_general(
// CHECK-SAME: ew.shared_bytes = 0
// CHECK-NOT: gpu.
// GPU: gpu.func @tile_0_tile(
// GPU-SAME: ew.shared_bytes = 16640 : i64
#id = affine_map<(d0, d1) -> (d0, d1)>
#tr = affine_map<(d0, d1) -> (d1, d0)>
func.func @tile(%x: tensor<?x?xf32>, %e: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = linalg.generic {indexing_maps = [#tr, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

// No tile, no barrier, and nothing declared.
// CHECK-NOT: _ew_emulator_barrier
// CHECK-LABEL: func.func @dense(
// CHECK: func.func @dense_0_wide(
// CHECK-NOT: memref.view
#id = affine_map<(d0) -> (d0)>
func.func @dense(%x: tensor<?xf32>, %e: tensor<?xf32>) -> tensor<?xf32> {
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<?xf32>) outs(%e : tensor<?xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}
