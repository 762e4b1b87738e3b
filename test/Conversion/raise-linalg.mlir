// RUN: ew-opt %s --ew-raise --split-input-file | FileCheck %s

// What elementwise linalg ops become. Of outputs that nothing reads their sizes remain.

// CHECK-LABEL: func @named
// CHECK-SAME: %[[X:.*]]:{{.*}}%[[Y:.*]]:{{.*}}%[[INIT:.*]]:
// CHECK-NEXT: ew.check_shapes %[[X]], %[[INIT]] : tensor<?xf32>, tensor<?xf32>
// CHECK-NEXT: %[[V0:.*]] = ew.add %[[X]], %[[Y]] : tensor<?xf32>
// CHECK-NEXT: %[[V1:.*]] = ew.sub %[[V0]], %[[Y]] : tensor<?xf32>
// CHECK-NEXT: %[[V2:.*]] = ew.mul %[[V1]], %[[Y]] : tensor<?xf32>
// CHECK-NEXT: %[[V3:.*]] = ew.div %[[V2]], %[[Y]] : tensor<?xf32>
// CHECK-NEXT: %[[V4:.*]] = ew.max %[[V3]], %[[Y]] : tensor<?xf32>
// CHECK-NEXT: %[[V5:.*]] = ew.min %[[V4]], %[[Y]] : tensor<?xf32>
// CHECK-NEXT: %[[V6:.*]] = ew.pow %[[V5]], %[[Y]] : tensor<?xf32>
// CHECK-NEXT: %[[V7:.*]] = ew.exp %[[V6]] : tensor<?xf32>
// CHECK-NEXT: %[[V8:.*]] = ew.log %[[V7]] : tensor<?xf32>
// CHECK-NEXT: %[[V9:.*]] = ew.abs %[[V8]] : tensor<?xf32>
// CHECK-NEXT: %[[V10:.*]] = ew.ceil %[[V9]] : tensor<?xf32>
// CHECK-NEXT: %[[V11:.*]] = ew.floor %[[V10]] : tensor<?xf32>
// CHECK-NEXT: %[[V12:.*]] = ew.neg %[[V11]] : tensor<?xf32>
// CHECK-NEXT: %[[V13:.*]] = ew.round %[[V12]] : tensor<?xf32>
// CHECK-NEXT: %[[V14:.*]] = ew.sqrt %[[V13]] : tensor<?xf32>
// CHECK-NEXT: %[[V15:.*]] = ew.rsqrt %[[V14]] : tensor<?xf32>
// CHECK-NEXT: %[[V16:.*]] = ew.mul %[[V15]], %[[V15]] : tensor<?xf32>
// CHECK-NEXT: %[[V17:.*]] = ew.tanh %[[V16]] : tensor<?xf32>
// CHECK-NEXT: %[[V18:.*]] = ew.erf %[[V17]] : tensor<?xf32>
// CHECK-NEXT: return %[[V18]] : tensor<?xf32>
func.func @named(%x: tensor<?xf32>, %y: tensor<?xf32>, %init: tensor<?xf32>) -> tensor<?xf32> {
  %0 = linalg.add ins(%x, %y : tensor<?xf32>, tensor<?xf32>) outs(%init : tensor<?xf32>) -> tensor<?xf32>
  %1 = linalg.sub ins(%0, %y : tensor<?xf32>, tensor<?xf32>) outs(%init : tensor<?xf32>) -> tensor<?xf32>
  %2 = linalg.mul ins(%1, %y : tensor<?xf32>, tensor<?xf32>) outs(%init : tensor<?xf32>) -> tensor<?xf32>
  %3 = linalg.div ins(%2, %y : tensor<?xf32>, tensor<?xf32>) outs(%init : tensor<?xf32>) -> tensor<?xf32>
  %4 = linalg.max ins(%3, %y : tensor<?xf32>, tensor<?xf32>) outs(%init : tensor<?xf32>) -> tensor<?xf32>
  %5 = linalg.min ins(%4, %y : tensor<?xf32>, tensor<?xf32>) outs(%init : tensor<?xf32>) -> tensor<?xf32>
  %6 = linalg.powf ins(%5, %y : tensor<?xf32>, tensor<?xf32>) outs(%init : tensor<?xf32>) -> tensor<?xf32>
  %7 = linalg.exp ins(%6 : tensor<?xf32>) outs(%init : tensor<?xf32>) -> tensor<?xf32>
  %8 = linalg.log ins(%7 : tensor<?xf32>) outs(%init : tensor<?xf32>) -> tensor<?xf32>
  %9 = linalg.abs ins(%8 : tensor<?xf32>) outs(%init : tensor<?xf32>) -> tensor<?xf32>
  %10 = linalg.ceil ins(%9 : tensor<?xf32>) outs(%init : tensor<?xf32>) -> tensor<?xf32>
  %11 = linalg.floor ins(%10 : tensor<?xf32>) outs(%init : tensor<?xf32>) -> tensor<?xf32>
  %12 = linalg.negf ins(%11 : tensor<?xf32>) outs(%init : tensor<?xf32>) -> tensor<?xf32>
  %13 = linalg.round ins(%12 : tensor<?xf32>) outs(%init : tensor<?xf32>) -> tensor<?xf32>
  %14 = linalg.sqrt ins(%13 : tensor<?xf32>) outs(%init : tensor<?xf32>) -> tensor<?xf32>
  %15 = linalg.rsqrt ins(%14 : tensor<?xf32>) outs(%init : tensor<?xf32>) -> tensor<?xf32>
  %16 = linalg.square ins(%15 : tensor<?xf32>) outs(%init : tensor<?xf32>) -> tensor<?xf32>
  %17 = linalg.tanh ins(%16 : tensor<?xf32>) outs(%init : tensor<?xf32>) -> tensor<?xf32>
  %18 = linalg.erf ins(%17 : tensor<?xf32>) outs(%init : tensor<?xf32>) -> tensor<?xf32>
  %19 = linalg.copy ins(%18 : tensor<?xf32>) outs(%init : tensor<?xf32>) -> tensor<?xf32>
  return %19 : tensor<?xf32>
}

// -----

// CHECK-LABEL: func @reciprocal
// CHECK-SAME: %[[X:.*]]:
// CHECK-NEXT: %[[V0:.*]] = ew.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V1:.*]] = ew.broadcast %[[V0]] : f32 to tensor<4xf32>
// CHECK-NEXT: %[[V2:.*]] = ew.div %[[V1]], %[[X]] : tensor<4xf32>
// CHECK-NEXT: return %[[V2]] : tensor<4xf32>
func.func @reciprocal(%x: tensor<4xf32>) -> tensor<4xf32> {
  %init = tensor.empty() : tensor<4xf32>
  %0 = linalg.reciprocal ins(%x : tensor<4xf32>) outs(%init : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func @div_unsigned
// CHECK-SAME: %[[X:.*]]:{{.*}}%[[Y:.*]]:
// CHECK-NEXT: %[[V0:.*]] = ew.bitcast %[[X]] : tensor<4xi32> to tensor<4xui32>
// CHECK-NEXT: %[[V1:.*]] = ew.bitcast %[[Y]] : tensor<4xi32> to tensor<4xui32>
// CHECK-NEXT: %[[V2:.*]] = ew.div %[[V0]], %[[V1]] : tensor<4xui32>
// CHECK-NEXT: %[[V3:.*]] = ew.bitcast %[[V2]] : tensor<4xui32> to tensor<4xi32>
// CHECK-NEXT: return %[[V3]] : tensor<4xi32>
func.func @div_unsigned(%x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi32> {
  %init = tensor.empty() : tensor<4xi32>
  %0 = linalg.div_unsigned ins(%x, %y : tensor<4xi32>, tensor<4xi32>) outs(%init : tensor<4xi32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// -----

// CHECK-LABEL: func @select
// CHECK-SAME: %[[C:.*]]:{{.*}}%[[X:.*]]:{{.*}}%[[Y:.*]]:
// CHECK-NEXT: %[[V0:.*]] = ew.select %[[C]], %[[X]], %[[Y]] : tensor<4xf32>
// CHECK-NEXT: return %[[V0]] : tensor<4xf32>
func.func @select(%c: tensor<4xi1>, %x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %init = tensor.empty() : tensor<4xf32>
  %0 = linalg.select ins(%c, %x, %y : tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) outs(%init : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func @map
// CHECK-SAME: %[[X:.*]]:{{.*}}%[[Y:.*]]:
// CHECK-NEXT: %[[V0:.*]] = ew.add %[[X]], %[[Y]] : tensor<4xf32>
// CHECK-NEXT: return %[[V0]] : tensor<4xf32>
func.func @map(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %init = tensor.empty() : tensor<4xf32>
  %0 = linalg.map { arith.addf } ins(%x, %y : tensor<4xf32>, tensor<4xf32>) outs(%init : tensor<4xf32>)
  return %0 : tensor<4xf32>
}

// -----

#identity = affine_map<(d0, d1) -> (d0, d1)>
#transposed = affine_map<(d0, d1) -> (d1, d0)>
#row = affine_map<(d0, d1) -> (d1)>
// CHECK-LABEL: func @elementwise
// CHECK-SAME: %[[X:.*]]:{{.*}}%[[Y:.*]]:
// CHECK-NEXT: %[[V0:.*]] = ew.transpose %[[X]] [1, 0] : tensor<8x4xf32> to tensor<4x8xf32>
// CHECK-NEXT: %[[V1:.*]] = ew.broadcast %[[Y]] : tensor<8xf32> to tensor<4x8xf32>
// CHECK-NEXT: %[[V2:.*]] = ew.mul %[[V0]], %[[V1]] : tensor<4x8xf32>
// CHECK-NEXT: return %[[V2]] : tensor<4x8xf32>
func.func @elementwise(%x: tensor<8x4xf32>, %y: tensor<8xf32>) -> tensor<4x8xf32> {
  %init = tensor.empty() : tensor<4x8xf32>
  %0 = linalg.elementwise kind=#linalg.elementwise_kind<mul>
      indexing_maps = [#transposed, #row, #identity]
      ins(%x, %y : tensor<8x4xf32>, tensor<8xf32>) outs(%init : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

// Dimensions are stretched in front, and put in their places by a transpose.

// CHECK-LABEL: func @broadcast
// CHECK-SAME: %[[X:.*]]:{{.*}}%[[Y:.*]]:
// CHECK-NEXT: %[[V0:.*]] = ew.broadcast %[[X]] : tensor<4xf32> to tensor<8x4xf32>
// CHECK-NEXT: %[[V1:.*]] = ew.broadcast %[[Y]] : tensor<8xf32> to tensor<4x8xf32>
// CHECK-NEXT: %[[V2:.*]] = ew.transpose %[[V1]] [1, 0] : tensor<4x8xf32> to tensor<8x4xf32>
// CHECK-NEXT: return %[[V0]], %[[V2]] : tensor<8x4xf32>, tensor<8x4xf32>
func.func @broadcast(%x: tensor<4xf32>, %y: tensor<8xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>) {
  %init = tensor.empty() : tensor<8x4xf32>
  %0 = linalg.broadcast ins(%x : tensor<4xf32>) outs(%init : tensor<8x4xf32>) dimensions = [0]
  %1 = linalg.broadcast ins(%y : tensor<8xf32>) outs(%init : tensor<8x4xf32>) dimensions = [1]
  return %0, %1 : tensor<8x4xf32>, tensor<8x4xf32>
}

// -----

// CHECK-LABEL: func @transpose
// CHECK-SAME: %[[X:.*]]:{{.*}}%[[INIT:.*]]:
// CHECK-NEXT: %[[V0:.*]] = ew.transpose %[[X]] [2, 0, 1] : tensor<2x?x4xf32> to tensor<4x2x?xf32>
// CHECK-NEXT: return %[[V0]] : tensor<4x2x?xf32>
func.func @transpose(%x: tensor<2x?x4xf32>, %init: tensor<4x2x?xf32>) -> tensor<4x2x?xf32> {
  %0 = linalg.transpose ins(%x : tensor<2x?x4xf32>) outs(%init : tensor<4x2x?xf32>) permutation = [2, 0, 1]
  return %0 : tensor<4x2x?xf32>
}

// -----

// CHECK-LABEL: func @fill
// CHECK-SAME: %[[S:.*]]:{{.*}}%[[INIT:.*]]:
// CHECK-NEXT: %[[V0:.*]] = ew.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[V1:.*]] = ew.broadcast %[[V0]] : f32 to tensor<4xf32>
// CHECK-NEXT: %[[V2:.*]] = ew.broadcast %[[S]] like(%[[INIT]] : tensor<?xf32>) : f32 to tensor<?xf32>
// CHECK-NEXT: return %[[V1]], %[[V2]] : tensor<4xf32>, tensor<?xf32>
func.func @fill(%s: f32, %init: tensor<?xf32>) -> (tensor<4xf32>, tensor<?xf32>) {
  %c = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4xf32>
  %0 = linalg.fill ins(%c : f32) outs(%empty : tensor<4xf32>) -> tensor<4xf32>
  %1 = linalg.fill ins(%s : f32) outs(%init : tensor<?xf32>) -> tensor<?xf32>
  return %0, %1 : tensor<4xf32>, tensor<?xf32>
}

// -----

// A row, a column, sizes of 1 indexed by 0, a scalar, and one from outside.

#identity = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>
#column = affine_map<(d0, d1) -> (d0)>
#stretched = affine_map<(d0, d1) -> (0, d1)>
#scalar = affine_map<(d0, d1) -> ()>
// CHECK-LABEL: func @generic
// CHECK-SAME: %[[X:.*]]:{{.*}}%[[R:.*]]:{{.*}}%[[C:.*]]:{{.*}}%[[O:.*]]:{{.*}}%[[S:.*]]:{{.*}}%[[T:.*]]:{{.*}}%[[INIT:.*]]:
// CHECK-NEXT: ew.check_shapes %[[X]], %[[INIT]] : tensor<?x?xf32>, tensor<?x?xf32>
// CHECK-NEXT: %[[V0:.*]] = ew.broadcast %[[R]] like(%[[X]] : tensor<?x?xf32>) : tensor<?xf32> to tensor<?x?xf32>
// CHECK-NEXT: %[[V1:.*]] = ew.transpose %[[X]] [1, 0] : tensor<?x?xf32> to tensor<?x?xf32>
// CHECK-NEXT: %[[V2:.*]] = ew.broadcast %[[C]] like(%[[V1]] : tensor<?x?xf32>) : tensor<?xf32> to tensor<?x?xf32>
// CHECK-NEXT: %[[V3:.*]] = ew.transpose %[[V2]] [1, 0] : tensor<?x?xf32> to tensor<?x?xf32>
// CHECK-NEXT: %[[V4:.*]] = ew.broadcast %[[O]] like(%[[X]] : tensor<?x?xf32>) : tensor<1x?xf32> to tensor<?x?xf32>
// CHECK-NEXT: %[[V5:.*]] = ew.broadcast %[[S]] like(%[[X]] : tensor<?x?xf32>) : f32 to tensor<?x?xf32>
// CHECK-NEXT: %[[V6:.*]] = ew.constant 5.000000e-01 : f32
// CHECK-NEXT: %[[V7:.*]] = ew.broadcast %[[V6]] like(%[[X]] : tensor<?x?xf32>) : f32 to tensor<?x?xf32>
// CHECK-NEXT: %[[V8:.*]] = ew.mul %[[X]], %[[V7]] : tensor<?x?xf32>
// CHECK-NEXT: %[[V9:.*]] = ew.add %[[V8]], %[[V0]] : tensor<?x?xf32>
// CHECK-NEXT: %[[V10:.*]] = ew.add %[[V9]], %[[V3]] : tensor<?x?xf32>
// CHECK-NEXT: %[[V11:.*]] = ew.add %[[V10]], %[[V4]] : tensor<?x?xf32>
// CHECK-NEXT: %[[V12:.*]] = ew.add %[[V11]], %[[V5]] : tensor<?x?xf32>
// CHECK-NEXT: %[[V13:.*]] = ew.broadcast %[[T]] like(%[[X]] : tensor<?x?xf32>) : f32 to tensor<?x?xf32>
// CHECK-NEXT: %[[V14:.*]] = ew.pow %[[V12]], %[[V13]] : tensor<?x?xf32>
// CHECK-NEXT: return %[[V14]] : tensor<?x?xf32>
func.func @generic(%x: tensor<?x?xf32>, %r: tensor<?xf32>, %c: tensor<?xf32>, %o: tensor<1x?xf32>, %s: f32, %t: f32, %init: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.generic {indexing_maps = [#identity, #row, #column, #stretched, #scalar, #identity], iterator_types = ["parallel", "parallel"]}
      ins(%x, %r, %c, %o, %s : tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<1x?xf32>, f32) outs(%init : tensor<?x?xf32>) {
  ^bb0(%a: f32, %b: f32, %d: f32, %e: f32, %f: f32, %out: f32):
    %half = arith.constant 0.5 : f32
    %1 = arith.mulf %a, %half : f32
    %2 = arith.addf %1, %b : f32
    %3 = arith.addf %2, %d : f32
    %4 = arith.addf %3, %e : f32
    %5 = arith.addf %4, %f : f32
    %6 = math.powf %5, %t : f32
    linalg.yield %6 : f32
  } -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

// The loops are numbered as the first output's dimensions are.

#identity = affine_map<(d0, d1) -> (d0, d1)>
#transposed = affine_map<(d0, d1) -> (d1, d0)>
// CHECK-LABEL: func @several_outputs
// CHECK-SAME: %[[X:.*]]:
// CHECK-NEXT: %[[V0:.*]] = ew.transpose %[[X]] [1, 0] : tensor<4x8xf32> to tensor<8x4xf32>
// CHECK-NEXT: %[[V1:.*]] = ew.exp %[[V0]] : tensor<8x4xf32>
// CHECK-NEXT: %[[V2:.*]] = ew.iota dimension(1) : tensor<8x4xi64>
// CHECK-NEXT: %[[V3:.*]] = ew.transpose %[[V2]] [1, 0] : tensor<8x4xi64> to tensor<4x8xi64>
// CHECK-NEXT: return %[[V1]], %[[V3]] : tensor<8x4xf32>, tensor<4x8xi64>
func.func @several_outputs(%x: tensor<4x8xf32>) -> (tensor<8x4xf32>, tensor<4x8xi64>) {
  %init0 = tensor.empty() : tensor<8x4xf32>
  %init1 = tensor.empty() : tensor<4x8xi64>
  %0:2 = linalg.generic {indexing_maps = [#identity, #transposed, #identity], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x8xf32>) outs(%init0, %init1 : tensor<8x4xf32>, tensor<4x8xi64>) {
  ^bb0(%a: f32, %out0: f32, %out1: i64):
    %1 = math.exp %a : f32
    %i = linalg.index 0 : index
    %2 = arith.index_cast %i : index to i64
    linalg.yield %1, %2 : f32, i64
  } -> (tensor<8x4xf32>, tensor<4x8xi64>)
  return %0#0, %0#1 : tensor<8x4xf32>, tensor<4x8xi64>
}

// -----

// An output that the body reads is an operand. Indices are i64.

#identity = affine_map<(d0) -> (d0)>
// CHECK-LABEL: func @reads_output
// CHECK-SAME: %[[X:.*]]:{{.*}}%[[INIT:.*]]:{{.*}}%[[STEP:.*]]:
// CHECK-NEXT: ew.check_shapes %[[X]], %[[INIT]] : tensor<?xi32>, tensor<?xi32>
// CHECK-NEXT: %[[V0:.*]] = ew.iota dimension(0) like(%[[X]] : tensor<?xi32>) : tensor<?xi64>
// CHECK-NEXT: %[[V1:.*]] = ew.constant 2 : i64
// CHECK-NEXT: %[[V2:.*]] = ew.broadcast %[[V1]] like(%[[X]] : tensor<?xi32>) : i64 to tensor<?xi64>
// CHECK-NEXT: %[[V3:.*]] = ew.mul %[[V0]], %[[V2]] : tensor<?xi64>
// CHECK-NEXT: %[[V4:.*]] = arith.index_cast %[[STEP]] : index to i64
// CHECK-NEXT: %[[V5:.*]] = ew.broadcast %[[V4]] like(%[[X]] : tensor<?xi32>) : i64 to tensor<?xi64>
// CHECK-NEXT: %[[V6:.*]] = ew.add %[[V3]], %[[V5]] : tensor<?xi64>
// CHECK-NEXT: %[[V7:.*]] = ew.cast %[[V6]] : tensor<?xi64> to tensor<?xi32>
// CHECK-NEXT: %[[V8:.*]] = ew.add %[[X]], %[[INIT]] : tensor<?xi32>
// CHECK-NEXT: %[[V9:.*]] = ew.add %[[V7]], %[[V8]] : tensor<?xi32>
// CHECK-NEXT: return %[[V9]] : tensor<?xi32>
func.func @reads_output(%x: tensor<?xi32>, %init: tensor<?xi32>, %step: index) -> tensor<?xi32> {
  %0 = linalg.generic {indexing_maps = [#identity, #identity], iterator_types = ["parallel"]}
      ins(%x : tensor<?xi32>) outs(%init : tensor<?xi32>) {
  ^bb0(%a: i32, %out: i32):
    %i = linalg.index 0 : index
    %c2 = arith.constant 2 : index
    %1 = arith.muli %i, %c2 : index
    %2 = arith.addi %1, %step : index
    %3 = arith.index_cast %2 : index to i32
    %4 = arith.addi %a, %out : i32
    %5 = arith.addi %3, %4 : i32
    linalg.yield %5 : i32
  } -> tensor<?xi32>
  return %0 : tensor<?xi32>
}

// -----

// What one operand says about sizes holds for all.

#identity = affine_map<(d0) -> (d0)>
// CHECK-LABEL: func @mixed_sizes
// CHECK-SAME: %[[X:.*]]:{{.*}}%[[Y:.*]]:{{.*}}%[[INIT:.*]]:
// CHECK-NEXT: ew.check_shapes %[[INIT]], %[[X]] : tensor<?xf32>, tensor<?xf32>
// CHECK-NEXT: %[[V0:.*]] = ew.broadcast %[[X]] : tensor<?xf32> to tensor<4xf32>
// CHECK-NEXT: %[[V1:.*]] = ew.add %[[V0]], %[[Y]] : tensor<4xf32>
// CHECK-NEXT: %[[CAST:.*]] = tensor.cast %[[V1]] : tensor<4xf32> to tensor<?xf32>
// CHECK-NEXT: return %[[CAST]] : tensor<?xf32>
func.func @mixed_sizes(%x: tensor<?xf32>, %y: tensor<4xf32>, %init: tensor<?xf32>) -> tensor<?xf32> {
  %0 = linalg.generic {indexing_maps = [#identity, #identity, #identity], iterator_types = ["parallel"]}
      ins(%x, %y : tensor<?xf32>, tensor<4xf32>) outs(%init : tensor<?xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %1 = arith.addf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

#scalar = affine_map<() -> ()>
// CHECK-LABEL: func @rank0
// CHECK-SAME: %[[X:.*]]:{{.*}}%[[INIT:.*]]:
// CHECK-NEXT: %[[V0:.*]] = ew.sin %[[X]] : tensor<f32>
// CHECK-NEXT: return %[[V0]] : tensor<f32>
func.func @rank0(%x: tensor<f32>, %init: tensor<f32>) -> tensor<f32> {
  %0 = linalg.generic {indexing_maps = [#scalar, #scalar], iterator_types = []}
      ins(%x : tensor<f32>) outs(%init : tensor<f32>) {
  ^bb0(%a: f32, %out: f32):
    %1 = math.sin %a : f32
    linalg.yield %1 : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// Within loops of the host too.

// CHECK-LABEL: func @nested
// CHECK-SAME: %[[X:.*]]:{{.*}}%[[N:.*]]:
// CHECK-NEXT: %[[C0:.*]] = arith.constant 0 : index
// CHECK-NEXT: %[[C1:.*]] = arith.constant 1 : index
// CHECK-NEXT: %[[V0:.*]] = scf.for %[[ARG2:.*]] = %[[C0]] to %[[N]] step %[[C1]] iter_args(%[[ARG3:.*]] = %[[X]]) -> (tensor<4xf32>) {
// CHECK-NEXT: %[[V1:.*]] = ew.exp %[[ARG3]] : tensor<4xf32>
// CHECK-NEXT: scf.yield %[[V1]] : tensor<4xf32>
// CHECK-NEXT: }
// CHECK-NEXT: return %[[V0]] : tensor<4xf32>
func.func @nested(%x: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> tensor<4xf32> {
    %1 = linalg.exp ins(%a : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

// Each output that nothing reads is compared, if it was not made for the loops; an unsigned index has no sign to keep.

#identity = affine_map<(d0) -> (d0)>
// CHECK-LABEL: func @unread_outputs
// CHECK-SAME: %[[X:.*]]: tensor<?xi32>, %[[A:.*]]: tensor<?xi64>, %[[B:.*]]: tensor<?xi64>, %{{.*}}: index
// CHECK-NEXT: ew.check_shapes %[[X]], %[[A]]
// CHECK-NEXT: ew.check_shapes %[[X]], %[[B]]
// CHECK-NEXT: %[[U:.*]] = ew.bitcast %[[X]] : tensor<?xi32> to tensor<?xui32>
// CHECK-NEXT: ew.cast %[[U]] : tensor<?xui32> to tensor<?xi64>
func.func @unread_outputs(%x: tensor<?xi32>, %a: tensor<?xi64>, %b: tensor<?xi64>, %n: index)
    -> (tensor<?xi64>, tensor<?xi64>, tensor<?xi64>) {
  %e = tensor.empty(%n) : tensor<?xi64>
  %0:3 = linalg.generic {indexing_maps = [#identity, #identity, #identity, #identity], iterator_types = ["parallel"]}
      ins(%x : tensor<?xi32>) outs(%a, %b, %e : tensor<?xi64>, tensor<?xi64>, tensor<?xi64>) {
  ^bb0(%i: i32, %o: i64, %p: i64, %q: i64):
    %1 = arith.index_castui %i : i32 to index
    %2 = arith.index_castui %1 : index to i64
    linalg.yield %2, %2, %2 : i64, i64, i64
  } -> (tensor<?xi64>, tensor<?xi64>, tensor<?xi64>)
  return %0#0, %0#1, %0#2 : tensor<?xi64>, tensor<?xi64>, tensor<?xi64>
}
