// RUN: ew-opt %s | FileCheck %s
// RUN: ew-opt %s --mlir-print-op-generic | ew-opt | FileCheck %s
// RUN: ew-opt %s --emit-bytecode | ew-opt | FileCheck %s
// What an op says beside its operands.

// CHECK-LABEL: @attributes
func.func @attributes(%x: tensor<?xf32>, %b: tensor<?x1xf32>, %s: f32) {
  // CHECK: ew.gelu %{{.*}} approximate(tanh) : tensor<?xf32>
  %0 = ew.gelu %x approximate(tanh) : tensor<?xf32>
  // CHECK: ew.gelu %{{[a-z0-9]*}} : tensor<?xf32>
  %1 = ew.gelu %x approximate(none) : tensor<?xf32>
  // CHECK: ew.cast %{{.*}} round(toward_zero) saturate : tensor<?xf32> to tensor<?xf8E4M3FN>
  %2 = ew.cast %x round(toward_zero) saturate : tensor<?xf32> to tensor<?xf8E4M3FN>
  // CHECK: ew.cast %{{.*}} saturate : tensor<?xf32> to tensor<?xf16>
  %3 = ew.cast %x saturate : tensor<?xf32> to tensor<?xf16>
  // CHECK: ew.cast %{{.*}} round(downward) wrap : tensor<?xf32> to tensor<?xui8>
  %wrapped = ew.cast %x round(downward) wrap : tensor<?xf32> to tensor<?xui8>
  // CHECK: ew.elu %{{[a-z0-9]*}} : tensor<?xf32>
  %4 = ew.elu %x : tensor<?xf32>
  // CHECK: ew.elu %{{.*}} {alpha = 2.000000e+00 : f64} : tensor<?xf32>
  %5 = ew.elu %x {alpha = 2.0 : f64} : tensor<?xf32>
  // CHECK: ew.cmp uge, %{{.*}} : tensor<?xf32>
  %6 = ew.cmp uge, %x, %x : tensor<?xf32>
  // CHECK: ew.broadcast %{{.*}} like(%{{.*}} : tensor<?xf32>) : tensor<?x1xf32> to tensor<?x?xf32>
  %7 = ew.broadcast %b like(%x : tensor<?xf32>) : tensor<?x1xf32> to tensor<?x?xf32>
  // CHECK: ew.iota dimension(1) like(%{{.*}} : tensor<?x1xf32>) : tensor<?x1xui8>
  %8 = ew.iota dimension(1) like(%b : tensor<?x1xf32>) : tensor<?x1xui8>
  // CHECK: ew.check_shapes broadcast %{{.*}}, %{{.*}} : tensor<?xf32>, tensor<?x1xf32>
  ew.check_shapes broadcast %x, %b : tensor<?xf32>, tensor<?x1xf32>
  // CHECK: ew.constant dense<[true, false]> : tensor<2xi1>
  %9 = ew.constant dense<[true, false]> : tensor<2xi1>
  // CHECK: ew.transpose %{{.*}} [] : tensor<f32> to tensor<f32>
  %r = tensor.empty() : tensor<f32>
  %10 = ew.transpose %r [] : tensor<f32> to tensor<f32>
  // CHECK: ew.broadcast %{{.*}} : tensor<f32> to tensor<0x4xf32>
  %11 = ew.broadcast %r : tensor<f32> to tensor<0x4xf32>
  return
}

// CHECK-LABEL: @launch
// CHECK: ew.launch [@k::@a, @k::@b] ins(%{{.*}} : tensor<?xf32>) outs(%{{.*}} : tensor<?xf32>)
// CHECK-SAME: schedule = #ew.schedule<block = 256, elements = 4, unroll = 2, collapse = [1],
// CHECK-SAME: access = [dense, dense], tile = [32, 32], variants =
// CHECK-SAME: <"a", contiguous = true, alignment = 16, multiple = 1, index_width = 32>
// CHECK-SAME: -> tensor<?xf32>
#id = affine_map<(d0) -> (d0)>
func.func @launch(%x: tensor<?xf32>, %o: tensor<?xf32>) -> tensor<?xf32> {
  %r = ew.launch [@k::@a, @k::@b] ins(%x : tensor<?xf32>) outs(%o : tensor<?xf32>) {
    indexing_maps = [#id, #id],
    schedule = #ew.schedule<block = 256, elements = 4, unroll = 2, collapse = [1], access = [dense, dense], tile = [32, 32],
      variants = [<"a", contiguous = true, alignment = 16, multiple = 1, index_width = 32>,
                  <"b", contiguous = false, alignment = 1, multiple = 1, index_width = 64>]>
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// A kernel of rank 0 has no dimension to collapse.
// CHECK-LABEL: @number
// CHECK: schedule = #ew.schedule<block = 1, elements = 1, unroll = 1, collapse = [], access = [dense, dense],
#none = affine_map<() -> ()>
func.func @number(%x: tensor<f32>, %o: tensor<f32>) -> tensor<f32> {
  %r = ew.launch [@k::@a] ins(%x : tensor<f32>) outs(%o : tensor<f32>) {
    indexing_maps = [#none, #none],
    schedule = #ew.schedule<block = 1, elements = 1, unroll = 1, collapse = [], access = [dense, dense],
      variants = [<"a", contiguous = true, alignment = 1, multiple = 1, index_width = 32>]>
  } -> tensor<f32>
  return %r : tensor<f32>
}
