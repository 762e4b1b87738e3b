// RUN: ew-opt %s --allow-unregistered-dialect --ew-raise --split-input-file --verify-diagnostics | FileCheck %s

// What has no equal in ew stays as it is, with a remark why.

// CHECK-NOT: ew.

// CHECK-LABEL: func @reduction
// CHECK: linalg.generic
#identity = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @reduction(%x: tensor<4x8xf32>, %init: tensor<4xf32>) -> tensor<4xf32> {
  // expected-remark@+1 {{not raised to ew: loop 1 is a reduction}}
  %0 = linalg.generic {indexing_maps = [#identity, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x8xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%a: f32, %out: f32):
    %1 = arith.addf %a, %out : f32
    linalg.yield %1 : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func @matmul
// CHECK: linalg.matmul
func.func @matmul(%x: tensor<4x8xf32>, %y: tensor<8x4xf32>, %init: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-remark@+1 {{not raised to ew: loop 2 is a reduction}}
  %0 = linalg.matmul ins(%x, %y : tensor<4x8xf32>, tensor<8x4xf32>) outs(%init : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

// Nothing is left of what was built before the obstacle.

// CHECK-LABEL: func @gather
// CHECK-NEXT: linalg.generic
#identity = affine_map<(d0) -> (d0)>
func.func @gather(%x: tensor<8xf32>, %i: tensor<8xi32>, %init: tensor<8xf32>) -> tensor<8xf32> {
  // expected-remark@+1 {{not raised to ew: its tensor.extract has no equal in ew}}
  %0 = linalg.generic {indexing_maps = [#identity, #identity], iterator_types = ["parallel"]}
      ins(%i : tensor<8xi32>) outs(%init : tensor<8xf32>) {
  ^bb0(%a: i32, %out: f32):
    %one = arith.constant 1 : i32
    %b = arith.addi %a, %one : i32
    %c = arith.index_cast %b : i32 to index
    %1 = tensor.extract %x[%c] : tensor<8xf32>
    linalg.yield %1 : f32
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// CHECK-LABEL: func @shifted
// CHECK: linalg.generic
#identity = affine_map<(d0) -> (d0)>
#shifted = affine_map<(d0) -> (d0 + 1)>
func.func @shifted(%x: tensor<9xf32>, %init: tensor<8xf32>) -> tensor<8xf32> {
  // expected-remark@+1 {{dimension 0 of operand 0 is indexed neither by a loop of its own nor, at size 1, by 0}}
  %0 = linalg.generic {indexing_maps = [#shifted, #identity], iterator_types = ["parallel"]}
      ins(%x : tensor<9xf32>) outs(%init : tensor<8xf32>) {
  ^bb0(%a: f32, %out: f32):
    linalg.yield %a : f32
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// CHECK-LABEL: func @diagonal
// CHECK: linalg.generic
#identity = affine_map<(d0) -> (d0)>
#diagonal = affine_map<(d0) -> (d0, d0)>
func.func @diagonal(%x: tensor<8x8xf32>, %init: tensor<8xf32>) -> tensor<8xf32> {
  // expected-remark@+1 {{dimension 1 of operand 0 is indexed neither by a loop of its own}}
  %0 = linalg.generic {indexing_maps = [#diagonal, #identity], iterator_types = ["parallel"]}
      ins(%x : tensor<8x8xf32>) outs(%init : tensor<8xf32>) {
  ^bb0(%a: f32, %out: f32):
    linalg.yield %a : f32
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// Row 0 of many: a slice, no broadcast.

// CHECK-LABEL: func @first_row
// CHECK: linalg.generic
#identity = affine_map<(d0, d1) -> (d0, d1)>
#first = affine_map<(d0, d1) -> (0, d1)>
func.func @first_row(%x: tensor<2x8xf32>, %init: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-remark@+1 {{dimension 0 of operand 0 is indexed neither}}
  %0 = linalg.generic {indexing_maps = [#first, #identity], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<2x8xf32>) outs(%init : tensor<4x8xf32>) {
  ^bb0(%a: f32, %out: f32):
    linalg.yield %a : f32
  } -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

// CHECK-LABEL: func @more_dimensions
// CHECK: linalg.generic
#identity = affine_map<(d0) -> (d0)>
#more = affine_map<(d0) -> (0, d0)>
func.func @more_dimensions(%x: tensor<1x8xf32>, %init: tensor<8xf32>) -> tensor<8xf32> {
  // expected-remark@+1 {{operand 0 has more dimensions than there are loops}}
  %0 = linalg.generic {indexing_maps = [#more, #identity], iterator_types = ["parallel"]}
      ins(%x : tensor<1x8xf32>) outs(%init : tensor<8xf32>) {
  ^bb0(%a: f32, %out: f32):
    linalg.yield %a : f32
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// CHECK-LABEL: func @output_not_full
// CHECK: linalg.generic
#identity = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>
func.func @output_not_full(%x: tensor<4x8xf32>, %init: tensor<8xf32>) -> tensor<8xf32> {
  // expected-remark@+1 {{the map of output 0 is no permutation of the loops}}
  %0 = linalg.generic {indexing_maps = [#identity, #row], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x8xf32>) outs(%init : tensor<8xf32>) {
  ^bb0(%a: f32, %out: f32):
    linalg.yield %a : f32
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// CHECK-LABEL: func @softmax
// CHECK: linalg.softmax
func.func @softmax(%x: tensor<4x8xf32>, %init: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-remark@+1 {{not raised to ew: the op has no equal in ew}}
  %0 = linalg.softmax dimension(1) ins(%x : tensor<4x8xf32>) outs(%init : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

// CHECK-LABEL: func @no_output
// CHECK: linalg.generic
#identity = affine_map<(d0) -> (d0)>
func.func @no_output(%x: tensor<8xf32>) {
  // expected-remark@+1 {{not raised to ew: it has no output}}
  linalg.generic {indexing_maps = [#identity], iterator_types = ["parallel"]}
      ins(%x : tensor<8xf32>) {
  ^bb0(%a: f32):
    linalg.yield
  }
  return
}

// -----

// CHECK-LABEL: func @unknown_op
// CHECK: linalg.generic
#identity = affine_map<(d0) -> (d0)>
func.func @unknown_op(%x: tensor<8xf32>, %init: tensor<8xf32>) -> tensor<8xf32> {
  // expected-remark@+1 {{not raised to ew: its other.op has no equal in ew}}
  %0 = linalg.generic {indexing_maps = [#identity, #identity], iterator_types = ["parallel"]}
      ins(%x : tensor<8xf32>) outs(%init : tensor<8xf32>) {
  ^bb0(%a: f32, %out: f32):
    %1 = "other.op"(%a) : (f32) -> f32
    linalg.yield %1 : f32
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// CHECK-LABEL: func @buffers
// CHECK: linalg.add
func.func @buffers(%x: memref<4xf32>, %y: memref<4xf32>, %z: memref<4xf32>) {
  // expected-remark@+1 {{not raised to ew: it works on buffers}}
  linalg.add ins(%x, %y : memref<4xf32>, memref<4xf32>) outs(%z : memref<4xf32>)
  return
}

// -----

// CHECK-LABEL: func @complex
// CHECK: linalg.add
func.func @complex(%x: tensor<4xcomplex<f16>>, %init: tensor<4xcomplex<f16>>) -> tensor<4xcomplex<f16>> {
  // expected-remark@+1 {{the type 'tensor<4xcomplex<f16>>' has no equal in ew}}
  %0 = linalg.add ins(%x, %x : tensor<4xcomplex<f16>>, tensor<4xcomplex<f16>>) outs(%init : tensor<4xcomplex<f16>>) -> tensor<4xcomplex<f16>>
  return %0 : tensor<4xcomplex<f16>>
}

// -----

// CHECK-LABEL: func @body_type
// CHECK: linalg.generic
#identity = affine_map<(d0) -> (d0)>
func.func @body_type(%x: tensor<8xf64>, %init: tensor<8xf64>) -> tensor<8xf64> {
  // expected-remark@+1 {{the type 'f80' of its arith.extf has no equal in ew}}
  %0 = linalg.generic {indexing_maps = [#identity, #identity], iterator_types = ["parallel"]}
      ins(%x : tensor<8xf64>) outs(%init : tensor<8xf64>) {
  ^bb0(%a: f64, %out: f64):
    %1 = arith.extf %a : f64 to f80
    %2 = arith.truncf %1 : f80 to f64
    linalg.yield %2 : f64
  } -> tensor<8xf64>
  return %0 : tensor<8xf64>
}

// -----

// CHECK-LABEL: func @control_flow
// CHECK: linalg.generic
#identity = affine_map<(d0) -> (d0)>
func.func @control_flow(%c: tensor<8xi1>, %x: tensor<8xf32>, %init: tensor<8xf32>) -> tensor<8xf32> {
  // expected-remark@+1 {{its scf.if has no equal in ew}}
  %0 = linalg.generic {indexing_maps = [#identity, #identity, #identity], iterator_types = ["parallel"]}
      ins(%c, %x : tensor<8xi1>, tensor<8xf32>) outs(%init : tensor<8xf32>) {
  ^bb0(%a: i1, %b: f32, %out: f32):
    %1 = scf.if %a -> f32 {
      %2 = math.exp %b : f32
      scf.yield %2 : f32
    } else {
      scf.yield %b : f32
    }
    linalg.yield %1 : f32
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// CHECK-LABEL: func @index
// CHECK: arith.addi
func.func @index(%x: tensor<4xindex>) -> tensor<4xindex> {
  // expected-remark@+1 {{not raised to ew: the type 'tensor<4xindex>' has no equal in ew}}
  %0 = arith.addi %x, %x : tensor<4xindex>
  return %0 : tensor<4xindex>
}

// -----

// CHECK-LABEL: func @i4
// CHECK: arith.addi
func.func @i4(%x: tensor<4xi4>) -> tensor<4xi4> {
  // expected-remark@+1 {{the type 'tensor<4xi4>' has no equal in ew}}
  %0 = arith.addi %x, %x : tensor<4xi4>
  return %0 : tensor<4xi4>
}

// -----

// CHECK-LABEL: func @f4
// CHECK: arith.extf
func.func @f4(%x: tensor<4xf4E2M1FN>) -> tensor<4xf32> {
  // expected-remark@+1 {{the type 'tensor<4xf4E2M1FN>' has no equal in ew}}
  %0 = arith.extf %x : tensor<4xf4E2M1FN> to tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func @unranked
// CHECK: math.exp
func.func @unranked(%x: tensor<*xf32>) -> tensor<*xf32> {
  // expected-remark@+1 {{the type 'tensor<*xf32>' has no equal in ew}}
  %0 = math.exp %x : tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// CHECK-LABEL: func @encoding
// CHECK: math.exp
func.func @encoding(%x: tensor<4xf32, "packed">) -> tensor<4xf32, "packed"> {
  // expected-remark@+1 {{the type 'tensor<4xf32, "packed">' has no equal in ew}}
  %0 = math.exp %x : tensor<4xf32, "packed">
  return %0 : tensor<4xf32, "packed">
}

// -----

// CHECK-LABEL: func @bool_division
// CHECK: arith.divsi
func.func @bool_division(%x: tensor<4xi1>) -> tensor<4xi1> {
  // expected-remark@+1 {{i1 is a boolean in ew, on which arith.divsi has no equal}}
  %0 = arith.divsi %x, %x : tensor<4xi1>
  return %0 : tensor<4xi1>
}

// -----

// CHECK-LABEL: func @wide_product
// CHECK: arith.mulsi_extended
func.func @wide_product(%x: tensor<4xi64>) -> tensor<4xi64> {
  // expected-remark@+1 {{ew has no integers of 128 bits for the product}}
  %0, %1 = arith.mulsi_extended %x, %x : tensor<4xi64>
  return %1 : tensor<4xi64>
}

// -----

// CHECK-LABEL: func @wide_exponent
// CHECK: math.fpowi
func.func @wide_exponent(%x: tensor<4xf32>, %n: tensor<4xi64>) -> tensor<4xf32> {
  // expected-remark@+1 {{no floating-point type holds every exponent of 64 bits}}
  %0 = math.fpowi %x, %n : tensor<4xf32>, tensor<4xi64>
  return %0 : tensor<4xf32>
}

// -----

// Not on tensors: no business of this pass.

// CHECK-LABEL: func @other
// CHECK-NEXT: arith.addf
// CHECK-NEXT: arith.addf
func.func @other(%x: f32, %y: vector<4xf32>) -> (f32, vector<4xf32>) {
  %0 = arith.addf %x, %x : f32
  %1 = arith.addf %y, %y : vector<4xf32>
  return %0, %1 : f32, vector<4xf32>
}

// -----

// Integers of a sign have no equal, nor have booleans without one.
// CHECK-LABEL: func @signs
// CHECK-COUNT-2: linalg.copy
func.func @signs(%x: tensor<4xsi32>, %b: tensor<4xui1>) -> (tensor<4xsi32>, tensor<4xui1>) {
  // expected-remark@+1 {{not raised to ew: the type 'tensor<4xsi32>' has no equal in ew}}
  %0 = linalg.copy ins(%x : tensor<4xsi32>) outs(%x : tensor<4xsi32>) -> tensor<4xsi32>
  // expected-remark@+1 {{not raised to ew: the type 'tensor<4xui1>' has no equal in ew}}
  %1 = linalg.copy ins(%b : tensor<4xui1>) outs(%b : tensor<4xui1>) -> tensor<4xui1>
  return %0, %1 : tensor<4xsi32>, tensor<4xui1>
}
