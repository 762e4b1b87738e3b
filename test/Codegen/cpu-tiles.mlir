// What is transposed goes through tiles on a CPU: which kernels have a version for that, and what it does.

// RUN: split-file %s %t
// RUN: ew-opt %t/f.mlir --ew-fuse --ew-schedule="target=cpu vector-bytes=64" | FileCheck %t/f.mlir
// RUN: ew-opt %t/f.mlir --ew-fuse --ew-schedule="target=cpu vector-bytes=64 choice=elements=32" | FileCheck %t/f.mlir --check-prefix=LANES
// RUN: ew-opt %t/f.mlir --ew-fuse --ew-schedule="target=cpu vector-bytes=64 choice=unroll=64" | FileCheck %t/f.mlir --check-prefix=BY-ROWS
// RUN: ew-opt %t/squares.mlir --ew-fuse --ew-schedule="target=cpu vector-bytes=64" --ew-to-cpu | FileCheck %t/squares.mlir
// RUN: ew-opt %t/invalid.mlir --split-input-file --verify-diagnostics --ew-to-cpu

//--- f.mlir
// CHECK-LABEL: @dynamic
// CHECK: block = 1, elements = 16, unroll = 256, collapse = [1, 1], access = [dense, transposed, dense], variants = [
// CHECK-SAME: <"tile", contiguous = true, alignment = 1, multiple = 1, tile = [64, 64, 0], index_width = 64>, <"dense",
// CHECK-SAME: <"general"
// LANES-LABEL: @dynamic
// LANES: elements = 32, unroll = 128
// LANES-SAME: tile = [64, 64, 0]
// BY-ROWS-LABEL: @dynamic
// BY-ROWS: elements = 16, unroll = 64
// BY-ROWS-NOT: "tile"
func.func @dynamic(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %t = ew.transpose %y [1, 0] : tensor<?x?xf32> to tensor<?x?xf32>
  %0 = ew.add %x, %t : tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// The rows are where the operand is contiguous.
// CHECK-LABEL: @rank3
// CHECK: tile = [64, 64, 1]
func.func @rank3(%x: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
  %t = ew.transpose %x [0, 2, 1] : tensor<?x?x?xf32> to tensor<?x?x?xf32>
  %0 = ew.abs %t : tensor<?x?x?xf32>
  return %0 : tensor<?x?x?xf32>
}

// An eighth of the tiles lies inside, and less than that.
// CHECK-LABEL: @eighth
// CHECK: tile = [64, 64, 0]
func.func @eighth(%x: tensor<64x8xf32>) -> tensor<8x64xf32> {
  %t = ew.transpose %x [1, 0] : tensor<64x8xf32> to tensor<8x64xf32>
  %0 = ew.abs %t : tensor<8x64xf32>
  return %0 : tensor<8x64xf32>
}
// CHECK-LABEL: @less
// CHECK: variants = [<"dense"
func.func @less(%x: tensor<64x7xf32>) -> tensor<7x64xf32> {
  %t = ew.transpose %x [1, 0] : tensor<64x7xf32> to tensor<7x64xf32>
  %0 = ew.abs %t : tensor<7x64xf32>
  return %0 : tensor<7x64xf32>
}

// CHECK-LABEL: @none
// CHECK: variants = [<"dense"
func.func @none(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = ew.abs %x : tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

//--- squares.mlir
// A square of as many rows and columns as 16 bytes have elements is read along the rows' dimension, turned by
// shuffles, and stored in the buffer, which is read like any dense operand.
// CHECK-LABEL: func.func @f_0_abs_tile(
// CHECK: memref.alloca() {alignment = 64 : i64} : memref<4096xf64>
// CHECK: scf.for
// CHECK: scf.for
// CHECK: scf.for
// CHECK-COUNT-2: vector.load {{.*}}, vector<2xf64>
// CHECK: vector.shuffle {{.*}} [0, 2] : vector<2xf64>, vector<2xf64>
// CHECK: vector.shuffle {{.*}} [1, 3] : vector<2xf64>, vector<2xf64>
// CHECK-COUNT-2: vector.store {{.*}} memref<4096xf64>, vector<2xf64>
// CHECK: vector.load {{.*}} memref<4096xf64>, vector<16xf64>
// CHECK: ew.abs
// CHECK: vector.store {{.*}} memref<?xf64>, vector<16xf64>
// CHECK-LABEL: func.func @f_0_abs_dense(
// CHECK-NOT: memref.alloca
// CHECK: return
func.func @f(%x: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %t = ew.transpose %x [1, 0] : tensor<?x?xf64> to tensor<?x?xf64>
  %0 = ew.abs %t : tensor<?x?xf64>
  return %0 : tensor<?x?xf64>
}

//--- invalid.mlir
#d = affine_map<(d0, d1) -> (d0, d1)>
#t = affine_map<(d0, d1) -> (d1, d0)>
func.func @extent(%x: tensor<8x8xf32>, %o: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expected-error @below {{has a schedule with a tile that its block cannot fill: on a CPU elements * unroll are those of the tile, whose rows walk a dimension before the last one}}
  %0 = linalg.generic {indexing_maps = [#t, #d], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<8x8xf32>) outs(%o : tensor<8x8xf32>) attrs = {
      ew.schedule = #ew.schedule<block = 1, elements = 16, unroll = 4, collapse = [1, 1], access = [transposed, dense], variants = [
        <"tile", contiguous = true, alignment = 1, multiple = 1, tile = [8, 16, 0], index_width = 64>,
        <"general", contiguous = false, alignment = 1, multiple = 1, index_width = 64>]>} {
  ^bb0(%a: f32, %b: f32):
    %1 = ew.abs %a : f32
    linalg.yield %1 : f32
  } -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

#d = affine_map<(d0, d1) -> (d0, d1)>
#t = affine_map<(d0, d1) -> (d1, d0)>
func.func @two_numbers(%x: tensor<8x8xf32>, %o: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expected-error @below {{has a schedule with a version whose tile is not of rows and columns, or goes through none}}
  %0 = linalg.generic {indexing_maps = [#t, #d], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<8x8xf32>) outs(%o : tensor<8x8xf32>) attrs = {
      ew.schedule = #ew.schedule<block = 1, elements = 16, unroll = 4, collapse = [1, 1], access = [transposed, dense], variants = [
        <"tile", contiguous = true, alignment = 1, multiple = 1, tile = [8, 8], index_width = 64>,
        <"general", contiguous = false, alignment = 1, multiple = 1, index_width = 64>]>} {
  ^bb0(%a: f32, %b: f32):
    %1 = ew.abs %a : f32
    linalg.yield %1 : f32
  } -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

#d = affine_map<(d0, d1) -> (d0, d1)>
func.func @not_transposed(%x: tensor<8x8xf32>, %o: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expected-error @below {{has a schedule with a tile of rows along dimension 0, and no transposed operand is contiguous along it}}
  %0 = linalg.generic {indexing_maps = [#d, #d], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<8x8xf32>) outs(%o : tensor<8x8xf32>) attrs = {
      ew.schedule = #ew.schedule<block = 1, elements = 16, unroll = 4, collapse = [1, 1], access = [dense, dense], variants = [
        <"tile", contiguous = true, alignment = 1, multiple = 1, tile = [8, 8, 0], index_width = 64>,
        <"general", contiguous = false, alignment = 1, multiple = 1, index_width = 64>]>} {
  ^bb0(%a: f32, %b: f32):
    %1 = ew.abs %a : f32
    linalg.yield %1 : f32
  } -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

#d = affine_map<(d0, d1) -> (d0, d1)>
#t = affine_map<(d0, d1) -> (d1, d0)>
func.func @stack(%x: tensor<?x?xf32>, %o: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-error @below {{has a schedule whose version 'tile' has buffers of 1048576 bytes, and a task of the CPU has at most 131072}}
  %0 = linalg.generic {indexing_maps = [#t, #d], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<?x?xf32>) outs(%o : tensor<?x?xf32>) attrs = {
      ew.schedule = #ew.schedule<block = 1, elements = 16, unroll = 16384, collapse = [1, 1], access = [transposed, dense], variants = [
        <"tile", contiguous = true, alignment = 1, multiple = 1, tile = [512, 512, 0], index_width = 64>,
        <"general", contiguous = false, alignment = 1, multiple = 1, index_width = 64>]>} {
  ^bb0(%a: f32, %b: f32):
    %1 = ew.abs %a : f32
    linalg.yield %1 : f32
  } -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

#d = affine_map<(d0, d1) -> (d0, d1)>
#t = affine_map<(d0, d1) -> (d1, d0)>
func.func @of_all(%x: tensor<8x8xf32>, %o: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expected-error @below {{is not scheduled for the CPU}}
  %0 = linalg.generic {indexing_maps = [#t, #d], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<8x8xf32>) outs(%o : tensor<8x8xf32>) attrs = {
      ew.schedule = #ew.schedule<block = 1, elements = 16, unroll = 4, collapse = [1, 1], access = [transposed, dense], tile = [8, 8, 0], variants = [
        <"tile", contiguous = true, alignment = 1, multiple = 1, index_width = 64>,
        <"general", contiguous = false, alignment = 1, multiple = 1, index_width = 64>]>} {
  ^bb0(%a: f32, %b: f32):
    %1 = ew.abs %a : f32
    linalg.yield %1 : f32
  } -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// Sides whose product is 4 in 64 bits.
// -----

#d = affine_map<(d0, d1) -> (d0, d1)>
#t = affine_map<(d0, d1) -> (d1, d0)>
func.func @wraps(%x: tensor<8x8xf32>, %o: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expected-error @below {{has a schedule with a tile that its block cannot fill: on a CPU}}
  %0 = linalg.generic {indexing_maps = [#t, #d], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<8x8xf32>) outs(%o : tensor<8x8xf32>) attrs = {
      ew.schedule = #ew.schedule<block = 1, elements = 4, unroll = 1, collapse = [1, 1], access = [transposed, dense], variants = [
        <"tile", contiguous = true, alignment = 1, multiple = 1, tile = [4611686018427387905, 4, 0], index_width = 64>,
        <"general", contiguous = false, alignment = 1, multiple = 1, index_width = 64>]>} {
  ^bb0(%a: f32, %b: f32):
    %1 = ew.abs %a : f32
    linalg.yield %1 : f32
  } -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

#d = affine_map<(d0, d1) -> (d0, d1)>
#t = affine_map<(d0, d1) -> (d1, d0)>
func.func @aligned(%x: tensor<8x8xf32>, %o: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expected-error @below {{has a schedule whose version 'tile' goes through a tile of the CPU, and asks for an alignment, a multiple or rows: such a tile takes any}}
  %0 = linalg.generic {indexing_maps = [#t, #d], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<8x8xf32>) outs(%o : tensor<8x8xf32>) attrs = {
      ew.schedule = #ew.schedule<block = 1, elements = 4, unroll = 1, collapse = [1, 1], access = [transposed, dense], variants = [
        <"tile", contiguous = true, alignment = 16, multiple = 1, tile = [2, 2, 0], index_width = 64>,
        <"general", contiguous = false, alignment = 1, multiple = 1, index_width = 64>]>} {
  ^bb0(%a: f32, %b: f32):
    %1 = ew.abs %a : f32
    linalg.yield %1 : f32
  } -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
