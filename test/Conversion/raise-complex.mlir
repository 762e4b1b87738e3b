// RUN: ew-opt %s --ew-raise --split-input-file --verify-diagnostics | FileCheck %s

// What complex ops in the bodies of linalg ops become.

#identity = affine_map<(d0) -> (d0)>

// CHECK-LABEL: func @functions
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?xcomplex<f32>>, %[[Y:[a-z0-9]+]]: tensor<?xcomplex<f32>>)
// CHECK-NOT: linalg
// CHECK: %[[V0:.*]] = ew.add %[[X]], %[[Y]] : tensor<?xcomplex<f32>>
// CHECK-NEXT: %[[V1:.*]] = ew.sub %[[V0]], %[[Y]] : tensor<?xcomplex<f32>>
// CHECK-NEXT: %[[V2:.*]] = ew.mul %[[V1]], %[[Y]] : tensor<?xcomplex<f32>>
// CHECK-NEXT: %[[V3:.*]] = ew.div %[[V2]], %[[Y]] : tensor<?xcomplex<f32>>
// CHECK-NEXT: %[[V4:.*]] = ew.pow %[[V3]], %[[Y]] : tensor<?xcomplex<f32>>
// CHECK-NEXT: %[[V5:.*]] = ew.neg %[[V4]] : tensor<?xcomplex<f32>>
// CHECK-NEXT: %[[V6:.*]] = ew.conj %[[V5]] : tensor<?xcomplex<f32>>
// CHECK-NEXT: %[[V7:.*]] = ew.sqrt %[[V6]] : tensor<?xcomplex<f32>>
// CHECK-NEXT: %[[V8:.*]] = ew.exp %[[V7]] : tensor<?xcomplex<f32>>
// CHECK-NEXT: %[[V9:.*]] = ew.log %[[V8]] : tensor<?xcomplex<f32>>
// CHECK-NEXT: %[[V10:.*]] = ew.sin %[[V9]] : tensor<?xcomplex<f32>>
// CHECK-NEXT: %[[V11:.*]] = ew.cos %[[V10]] : tensor<?xcomplex<f32>>
// CHECK-NEXT: %[[V12:.*]] = ew.tanh %[[V11]] : tensor<?xcomplex<f32>>
// CHECK-NEXT: return %[[V12]]
func.func @functions(%x: tensor<?xcomplex<f32>>, %y: tensor<?xcomplex<f32>>) -> tensor<?xcomplex<f32>> {
  %0 = linalg.generic {indexing_maps = [#identity, #identity], iterator_types = ["parallel"]}
      ins(%y : tensor<?xcomplex<f32>>) outs(%x : tensor<?xcomplex<f32>>) {
  ^bb0(%b: complex<f32>, %a: complex<f32>):
    %v0 = complex.add %a, %b fastmath<nnan> : complex<f32>
    %v1 = complex.sub %v0, %b : complex<f32>
    %v2 = complex.mul %v1, %b : complex<f32>
    %v3 = complex.div %v2, %b : complex<f32>
    %v4 = complex.pow %v3, %b : complex<f32>
    %v5 = complex.neg %v4 : complex<f32>
    %v6 = complex.conj %v5 : complex<f32>
    %v7 = complex.sqrt %v6 : complex<f32>
    %v8 = complex.exp %v7 : complex<f32>
    %v9 = complex.log %v8 : complex<f32>
    %v10 = complex.sin %v9 : complex<f32>
    %v11 = complex.cos %v10 : complex<f32>
    %v12 = complex.tanh %v11 : complex<f32>
    linalg.yield %v12 : complex<f32>
  } -> tensor<?xcomplex<f32>>
  return %0 : tensor<?xcomplex<f32>>
}

// -----

// CHECK-LABEL: func @parts
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xcomplex<f64>>, %[[Y:[a-z0-9]+]]: tensor<4xcomplex<f64>>,
// CHECK: %[[RE:.*]] = ew.real %[[X]] : tensor<4xcomplex<f64>>
// CHECK-NEXT: %[[IM:.*]] = ew.imag %[[X]] : tensor<4xcomplex<f64>>
// CHECK-NEXT: %[[ABS:.*]] = ew.abs %[[X]] : tensor<4xcomplex<f64>>
// CHECK-NEXT: %[[RE2:.*]] = ew.real %[[X]]
// CHECK-NEXT: %[[IM2:.*]] = ew.imag %[[X]]
// CHECK-NEXT: %[[ANGLE:.*]] = ew.atan2 %[[IM2]], %[[RE2]] : tensor<4xf64>
// CHECK-NEXT: %[[A:.*]] = ew.complex %[[IM]], %[[RE]] : tensor<4xcomplex<f64>>
// CHECK-NEXT: %[[B:.*]] = ew.complex %[[ABS]], %[[ANGLE]] : tensor<4xcomplex<f64>>
// CHECK-NEXT: %[[EQ:.*]] = ew.cmp oeq, %[[A]], %[[Y]] : tensor<4xcomplex<f64>>
// CHECK-NEXT: %[[NE:.*]] = ew.cmp une, %[[B]], %[[Y]] : tensor<4xcomplex<f64>>
// CHECK-NEXT: %[[S:.*]] = ew.select %[[EQ]], %[[A]], %[[B]] : tensor<4xcomplex<f64>>
// CHECK-NEXT: return %[[S]], %[[NE]]
#identity = affine_map<(d0) -> (d0)>
func.func @parts(%x: tensor<4xcomplex<f64>>, %y: tensor<4xcomplex<f64>>, %i: tensor<4xcomplex<f64>>, %j: tensor<4xi1>)
    -> (tensor<4xcomplex<f64>>, tensor<4xi1>) {
  %0:2 = linalg.generic {indexing_maps = [#identity, #identity, #identity, #identity], iterator_types = ["parallel"]}
      ins(%x, %y : tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>) outs(%i, %j : tensor<4xcomplex<f64>>, tensor<4xi1>) {
  ^bb0(%a: complex<f64>, %b: complex<f64>, %o: complex<f64>, %p: i1):
    %re = complex.re %a : complex<f64>
    %im = complex.im %a : complex<f64>
    %abs = complex.abs %a : complex<f64>
    %angle = complex.angle %a : complex<f64>
    %c = complex.create %im, %re : complex<f64>
    %d = complex.create %abs, %angle : complex<f64>
    %eq = complex.eq %c, %b : complex<f64>
    %ne = complex.neq %d, %b : complex<f64>
    %s = arith.select %eq, %c, %d : complex<f64>
    linalg.yield %s, %ne : complex<f64>, i1
  } -> (tensor<4xcomplex<f64>>, tensor<4xi1>)
  return %0#0, %0#1 : tensor<4xcomplex<f64>>, tensor<4xi1>
}

// -----

// Constants: in a body, filled in from outside, and of a whole tensor. Named ops, too.

// CHECK-LABEL: func @constants
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?xcomplex<f32>>,
// CHECK-NOT: {{linalg|complex\.constant|arith\.constant dense}}
// CHECK: %[[RE:.*]] = ew.constant 5.000000e-01 : f32
// CHECK-NEXT: %[[IM:.*]] = ew.constant -2.000000e+00 : f32
// CHECK-NEXT: %[[C:.*]] = ew.complex %[[RE]], %[[IM]] : complex<f32>
// CHECK-NEXT: %[[B:.*]] = ew.broadcast %[[C]] like(%[[X]] : tensor<?xcomplex<f32>>) : complex<f32> to tensor<?xcomplex<f32>>
// CHECK-NEXT: ew.mul %[[X]], %[[B]]
// CHECK-NEXT: %[[D:.*]] = ew.constant dense<[(1.000000e+00,2.000000e+00), (3.000000e+00,4.000000e+00)]> : tensor<2xcomplex<f32>>
// CHECK-NEXT: ew.add %{{.*}}, %[[D]]
// CHECK: return
#identity = affine_map<(d0) -> (d0)>
func.func @constants(%x: tensor<?xcomplex<f32>>, %y: tensor<2xcomplex<f32>>, %i: tensor<2xcomplex<f32>>)
    -> (tensor<?xcomplex<f32>>, tensor<2xcomplex<f32>>) {
  %0 = linalg.generic {indexing_maps = [#identity], iterator_types = ["parallel"]} outs(%x : tensor<?xcomplex<f32>>) {
  ^bb0(%a: complex<f32>):
    %c = complex.constant [0.5 : f32, -2.0 : f32] : complex<f32>
    %m = complex.mul %a, %c : complex<f32>
    linalg.yield %m : complex<f32>
  } -> tensor<?xcomplex<f32>>
  %d = arith.constant dense<[(1.0, 2.0), (3.0, 4.0)]> : tensor<2xcomplex<f32>>
  %1 = linalg.add ins(%y, %d : tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>) outs(%i : tensor<2xcomplex<f32>>)
      -> tensor<2xcomplex<f32>>
  return %0, %1 : tensor<?xcomplex<f32>>, tensor<2xcomplex<f32>>
}

// -----

// CHECK-LABEL: func @fill
// CHECK-NOT: complex.constant
// CHECK: %[[Z:.*]] = ew.complex %{{.*}}, %{{.*}} : complex<f32>
// CHECK: ew.broadcast %[[Z]] : complex<f32> to tensor<8xcomplex<f32>>
// CHECK-NOT: linalg
func.func @fill(%i: tensor<8xcomplex<f32>>) -> tensor<8xcomplex<f32>> {
  %c = complex.constant [1.0 : f32, 0.0 : f32] : complex<f32>
  %0 = linalg.fill ins(%c : complex<f32>) outs(%i : tensor<8xcomplex<f32>>) -> tensor<8xcomplex<f32>>
  return %0 : tensor<8xcomplex<f32>>
}

// -----

// CHECK-LABEL: func @splat
// CHECK: ew.constant dense<(1.000000e+00,2.000000e+00)> : tensor<4xcomplex<f32>>
// CHECK: ew.add
#identity = affine_map<(d0) -> (d0)>
func.func @splat(%x: tensor<4xcomplex<f32>>, %i: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  %d = arith.constant dense<(1.0, 2.0)> : tensor<4xcomplex<f32>>
  %0 = linalg.add ins(%x, %d : tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) outs(%i : tensor<4xcomplex<f32>>)
      -> tensor<4xcomplex<f32>>
  return %0 : tensor<4xcomplex<f32>>
}
