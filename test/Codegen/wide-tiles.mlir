// RUN: ew-opt %s --ew-schedule="chip=sm_90" -split-input-file | FileCheck %s
// RUN: ew-opt %s --ew-schedule="chip=sm_90" --ew-to-gpu -split-input-file | FileCheck %s --check-prefix=GPU
// RUN: ew-opt %s --ew-schedule="chip=sm_90 choice=tile=32" -split-input-file | FileCheck %s --check-prefix=HAND

// Bytes in units of four: square tiles and long ones; and in runs, a thread with
// eight columns.
// CHECK-LABEL: func @bytes
// CHECK: tile = [64, 64, 1], variants = [<"tile32"
// CHECK-SAME: <"packed64x128", contiguous = true, alignment = 4, multiple = 4, rows = 4, block = 256, elements = 32, tile = [64, 128], index_width = 32>,
// CHECK-SAME: <"packed128x128", contiguous = true, alignment = 4, multiple = 4, rows = 4, block = 512, elements = 32, tile = [128, 128], index_width = 32>,
// CHECK-SAME: <"packed16x256", contiguous = true, alignment = 4, multiple = 4, rows = 4, block = 128, elements = 32, tile = [16, 256], index_width = 32>,
// CHECK-SAME: <"packed4x1024", contiguous = true, alignment = 4, multiple = 4, rows = 4, block = 256, elements = 16, tile = [4, 1024], index_width = 32>,
// CHECK-SAME: <"packed256x16", contiguous = true, alignment = 4, multiple = 4, rows = 4, block = 128, elements = 32, tile = [256, 16], index_width = 32>,
// CHECK-SAME: <"packed1024x4", contiguous = true, alignment = 4, multiple = 4, rows = 4, block = 256, elements = 16, tile = [1024, 4], index_width = 32>,
// CHECK-SAME: <"run4x1024", contiguous = true, alignment = 16, multiple = 16, block = 128, elements = 32, tile = [4, 1024], index_width = 32>,
// CHECK-SAME: <"run8x512", contiguous = true, alignment = 16, multiple = 16, block = 128, elements = 32, tile = [8, 512], index_width = 32>,
// CHECK-SAME: <"run16x256", contiguous = true, alignment = 16, multiple = 16, block = 128, elements = 32, tile = [16, 256], index_width = 32>,
// CHECK-SAME: <"tile", contiguous = true, alignment = 1,
// HAND-LABEL: func @bytes
// HAND: tile = [32, 32, 1], variants = [<"tile",
// HAND-NOT: "run
// HAND: return

// A thread reads eight units and writes eight; in shared memory they are aligned
// as they are, and two squares of four by four are transposed.
// GPU-LABEL: gpu.func @bytes_0_packed64x128(
// GPU-SAME: memref<1xi8> {llvm.align = 4 : i64
// GPU-SAME: workgroup(%[[T:.*]] : memref<8720xi8, 3> {llvm.align = 16 : i64})
// GPU: scf.if
// GPU-COUNT-8: vector.load %{{.*}} {alignment = 4 : i64} : memref<?xi8>, vector<4xi8>
// GPU: } else {
// GPU-COUNT-8: scf.if
// GPU-COUNT-8: vector.store %{{.*}}, %[[T]][%{{.*}}] {alignment = 4 : i64} : memref<8720xi8, 3>, vector<4xi8>
// GPU-NEXT: gpu.barrier
// GPU-COUNT-4: vector.load %[[T]]
// GPU: vector.shuffle %{{.*}}, %{{.*}} [0, 4, 1, 5] : vector<4xi8>, vector<4xi8>
// GPU: vector.shuffle %{{.*}}, %{{.*}} [2, 6, 3, 7] : vector<4xi8>, vector<4xi8>
// GPU: vector.shuffle %{{.*}}, %{{.*}} [0, 1, 4, 5] : vector<4xi8>, vector<4xi8>
// GPU: ew.neg %{{.*}} : vector<32xi8>
// GPU: scf.if
// GPU-COUNT-8: vector.store %{{.*}} {alignment = 4 : i64} : memref<?xi8>, vector<4xi8>
// GPU: } else {

// All rows of 1024 columns are one run: two accesses of 16 bytes.
// GPU-LABEL: gpu.func @bytes_0_run4x1024(
// GPU-SAME: workgroup(%[[R:.*]] : memref<4096xi8, 3> {llvm.align = 16 : i64})
// GPU-COUNT-2: vector.load %{{.*}} {alignment = 16 : i64} : memref<?xi8>, vector<16xi8>
// GPU-COUNT-2: vector.store %{{.*}}, %[[R]][%{{.*}}] {alignment = 16 : i64} : memref<4096xi8, 3>, vector<16xi8>
// GPU-NEXT: gpu.barrier
// GPU-COUNT-32: memref.load %[[R]]
// GPU: ew.neg %{{.*}} : vector<32xi8>
// GPU-COUNT-4: vector.store %{{.*}} {alignment = 8 : i64} : memref<?xi8>, vector<8xi8>
#last = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3, d1)>
#id = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
func.func @bytes(%x: tensor<?x?x?x?xi8>, %e: tensor<?x?x?x?xi8>) -> tensor<?x?x?x?xi8> {
  %r = linalg.generic {indexing_maps = [#last, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x : tensor<?x?x?x?xi8>) outs(%e : tensor<?x?x?x?xi8>) {
  ^bb0(%a: i8, %o: i8):
    %0 = ew.neg %a : i8
    linalg.yield %0 : i8
  } -> tensor<?x?x?x?xi8>
  return %r : tensor<?x?x?x?xi8>
}

// -----

// The narrowest operand says how many, the widest the alignment. By hand a tile
// of that side alone.
// CHECK-LABEL: func @halves
// CHECK: <"packed64x128", contiguous = true, alignment = 16, multiple = 4, rows = 4, block = 256, elements = 32, tile = [64, 128], index_width = 32>,
// CHECK-SAME: <"packed128x64", contiguous = true, alignment = 16, multiple = 4, rows = 4, block = 256, elements = 32, tile = [128, 64], index_width = 32>,
// CHECK-NOT: run4x1024
// CHECK: <"tile",
// HAND-LABEL: func @halves
// HAND: tile = [32, 32, 0], variants = [<"tile",
// GPU-LABEL: gpu.func @halves_0_packed64x128(
// GPU-DAG: vector.load %{{.*}} {alignment = 8 : i64} : memref<?xf16>, vector<4xf16>
// GPU-DAG: vector.load %{{.*}} {alignment = 16 : i64} : memref<?xf32>, vector<4xf32>
// GPU: gpu.barrier
// GPU: vector.load %{{.*}} {alignment = 8 : i64} : memref<{{.*}}xf16, 3>, vector<4xf16>
#id2 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#tr2 = affine_map<(d0, d1, d2) -> (d2, d1, d0)>
func.func @halves(%x: tensor<?x?x?xf16>, %y: tensor<?x?x?xf32>, %e: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
  %r = linalg.generic {indexing_maps = [#tr2, #id2, #id2], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %y : tensor<?x?x?xf16>, tensor<?x?x?xf32>) outs(%e : tensor<?x?x?xf32>) {
  ^bb0(%a: f16, %b: f32, %o: f32):
    %0 = ew.cast %a : f16 to f32
    %1 = ew.add %0, %b : f32
    linalg.yield %1 : f32
  } -> tensor<?x?x?xf32>
  return %r : tensor<?x?x?xf32>
}

// -----

// Of sizes that are known the one version that they take; none where they are
// no multiples.
// CHECK-LABEL: func @known
// CHECK: variants = [<"packed128x128", {{[^<]*}}<"tile", {{[^<]*}}<"general"
// CHECK: variants = [<"tile", {{[^<]*}}<"general"
#tr = affine_map<(d0, d1) -> (d1, d0)>
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @known(%x: tensor<5120x1024xi8>, %e: tensor<1024x5120xi8>, %y: tensor<5120x1023xi8>, %f: tensor<1023x5120xi8>) -> (tensor<1024x5120xi8>, tensor<1023x5120xi8>) {
  %r = linalg.generic {indexing_maps = [#tr, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<5120x1024xi8>) outs(%e : tensor<1024x5120xi8>) {
  ^bb0(%a: i8, %o: i8):
    linalg.yield %a : i8
  } -> tensor<1024x5120xi8>
  %s = linalg.generic {indexing_maps = [#tr, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<5120x1023xi8>) outs(%f : tensor<1023x5120xi8>) {
  ^bb0(%a: i8, %o: i8):
    linalg.yield %a : i8
  } -> tensor<1023x5120xi8>
  return %r, %s : tensor<1024x5120xi8>, tensor<1023x5120xi8>
}

// -----

// Elements of eight bytes and pairs go one by one.
// CHECK-LABEL: func @words
// CHECK-NOT: packed
// CHECK: return
#tr = affine_map<(d0, d1) -> (d1, d0)>
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @words(%x: tensor<?x?xf64>, %e: tensor<?x?xf64>, %y: tensor<?x?xcomplex<f32>>, %f: tensor<?x?xcomplex<f32>>) -> (tensor<?x?xf64>, tensor<?x?xcomplex<f32>>) {
  %r = linalg.generic {indexing_maps = [#tr, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<?x?xf64>) outs(%e : tensor<?x?xf64>) {
  ^bb0(%a: f64, %o: f64):
    linalg.yield %a : f64
  } -> tensor<?x?xf64>
  %s = linalg.generic {indexing_maps = [#tr, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<?x?xcomplex<f32>>) outs(%f : tensor<?x?xcomplex<f32>>) {
  ^bb0(%a: complex<f32>, %o: complex<f32>):
    linalg.yield %a : complex<f32>
  } -> tensor<?x?xcomplex<f32>>
  return %r, %s : tensor<?x?xf64>, tensor<?x?xcomplex<f32>>
}

// -----

// A long body has smaller tiles, of which a thread has less than 16 bytes: it
// reads those at once, so that no block stores more than the tile's elements.
// CHECK-LABEL: func @heavy
// CHECK: <"run4x256", contiguous = true, alignment = 16, multiple = 16, block = 128, elements = 8, tile = [4, 256], index_width = 32>,
// CHECK-SAME: <"run8x128", contiguous = true, alignment = 16, multiple = 16, block = 128, elements = 8, tile = [8, 128], index_width = 32>,
// CHECK-SAME: <"run16x64", contiguous = true, alignment = 16, multiple = 16, block = 128, elements = 8, tile = [16, 64], index_width = 32>,
// CHECK: <"run4x256", contiguous = true, alignment = 16, multiple = 8, block = 256, elements = 4, tile = [4, 256], index_width = 32>,
// GPU-LABEL: gpu.func @heavy_0_run4x256(
// GPU-SAME: workgroup(%[[R:.*]] : memref<1024xi8, 3> {llvm.align = 16 : i64})
// GPU: vector.load %{{.*}} {alignment = 8 : i64} : memref<?xi8>, vector<8xi8>
// GPU-NOT: vector.load
// GPU: vector.store %{{.*}}, %[[R]][%{{.*}}] {alignment = 8 : i64} : memref<1024xi8, 3>, vector<8xi8>
// GPU-NEXT: gpu.barrier
// GPU-COUNT-8: memref.load %[[R]]
// GPU-LABEL: gpu.func @heavy_1_run4x256(
// GPU-SAME: workgroup(%[[H:.*]] : memref<1024xf16, 3> {llvm.align = 16 : i64})
// GPU: vector.load %{{.*}} {alignment = 8 : i64} : memref<?xf16>, vector<4xf16>
// GPU-NOT: vector.load
// GPU: vector.store %{{.*}}, %[[H]][%{{.*}}] {alignment = 8 : i64} : memref<1024xf16, 3>, vector<4xf16>
// GPU-NEXT: gpu.barrier
#tr = affine_map<(d0, d1, d2) -> (d0, d2, d1)>
#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
func.func @heavy(%x: tensor<?x?x?xi8>, %e: tensor<?x?x?xi8>, %y: tensor<?x?x?xf16>, %f: tensor<?x?x?xf16>) -> (tensor<?x?x?xi8>, tensor<?x?x?xf16>) {
  %r = linalg.generic {indexing_maps = [#tr, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : tensor<?x?x?xi8>) outs(%e : tensor<?x?x?xi8>) {
  ^bb0(%a: i8, %o: i8):
    %0 = ew.cast %a : i8 to f32
    %1 = ew.erfc %0 : f32
    %2 = ew.sin %1 : f32
    %3 = ew.tan %2 : f32
    %4 = ew.exp %3 : f32
    %5 = ew.cast %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<?x?x?xi8>
  %s = linalg.generic {indexing_maps = [#tr, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%y : tensor<?x?x?xf16>) outs(%f : tensor<?x?x?xf16>) {
  ^bb0(%a: f16, %o: f16):
    %0 = ew.cast %a : f16 to f32
    %1 = ew.erfc %0 : f32
    %2 = ew.sin %1 : f32
    %3 = ew.tan %2 : f32
    %4 = ew.exp %3 : f32
    %5 = ew.cast %4 : f32 to f16
    linalg.yield %5 : f16
  } -> tensor<?x?x?xf16>
  return %r, %s : tensor<?x?x?xi8>, tensor<?x?x?xf16>
}
