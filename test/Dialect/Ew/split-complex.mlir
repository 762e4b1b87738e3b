// RUN: ew-opt %s --allow-unregistered-dialect --ew-fuse --ew-split-complex | FileCheck %s
// RUN: ew-opt %s --allow-unregistered-dialect --ew-to-linalg | FileCheck %s --check-prefix=PIPELINE

// Parts of arguments, ops on numbers, and a complex number for the result alone.
// CHECK-LABEL: @add
// CHECK: linalg.generic
// CHECK: ^bb0(%[[Z:.*]]: complex<f32>, %[[W:.*]]: complex<f32>, %{{.*}}: complex<f32>):
// CHECK-DAG: %[[A:.*]] = ew.real %[[Z]] : complex<f32>
// CHECK-DAG: %[[B:.*]] = ew.imag %[[Z]] : complex<f32>
// CHECK-DAG: %[[C:.*]] = ew.real %[[W]] : complex<f32>
// CHECK-DAG: %[[D:.*]] = ew.imag %[[W]] : complex<f32>
// CHECK-DAG: %[[RE:.*]] = ew.add %[[A]], %[[C]] : f32
// CHECK-DAG: %[[IM:.*]] = ew.add %[[B]], %[[D]] : f32
// CHECK: %[[R:.*]] = ew.complex %[[RE]], %[[IM]] : complex<f32>
// CHECK-NEXT: linalg.yield %[[R]] : complex<f32>
func.func @add(%z: tensor<?xcomplex<f32>>, %w: tensor<?xcomplex<f32>>) -> tensor<?xcomplex<f32>> {
  %0 = ew.add %z, %w : tensor<?xcomplex<f32>>
  return %0 : tensor<?xcomplex<f32>>
}

// A product of f32 is one of exact products in f64; no contraction takes place
// after that.
// CHECK-LABEL: @mul
// CHECK: ew.fma %{{.*}} : f64
// PIPELINE-LABEL: @mul
// PIPELINE: %[[P:.*]] = ew.mul %{{.*}} : f64
// PIPELINE-NEXT: %[[N:.*]] = ew.neg %[[P]] : f64
// PIPELINE-NEXT: ew.fma %{{.*}}, %{{.*}}, %[[N]] : f64
func.func @mul(%z: tensor<?xcomplex<f32>>, %w: tensor<?xcomplex<f32>>) -> tensor<?xcomplex<f32>> {
  %0 = ew.mul %z, %w : tensor<?xcomplex<f32>>
  return %0 : tensor<?xcomplex<f32>>
}

// What is not complex: nothing of it stays.
// CHECK-LABEL: @to_numbers
// CHECK-DAG: ew.hypot %{{.*}} : f64
// CHECK-DAG: %[[RE:.*]] = ew.cmp oeq, %{{.*}} : f64
// CHECK-DAG: %[[IM:.*]] = ew.cmp oeq, %{{.*}} : f64
// CHECK-DAG: ew.and %[[RE]], %[[IM]] : i1
// CHECK-NOT: ew.complex
// CHECK: linalg.yield %{{.*}} : f64, i1
func.func @to_numbers(%z: tensor<4xcomplex<f64>>, %w: tensor<4xcomplex<f64>>) -> (tensor<4xf64>, tensor<4xi1>) {
  %0 = ew.abs %z : tensor<4xcomplex<f64>>
  %1 = ew.cmp oeq, %z, %w : tensor<4xcomplex<f64>>
  return %0, %1 : tensor<4xf64>, tensor<4xi1>
}

// A splat is in the code, as two numbers. Parts go through select, cast and views.
// CHECK-LABEL: @moved
// CHECK: linalg.generic
// CHECK-SAME: ins(%{{.*}}, %{{.*}} : tensor<4x4xi1>, tensor<4x4xcomplex<f32>>)
// CHECK-DAG: %[[ONE:.*]] = ew.constant 1.000000e+00 : f32
// CHECK-DAG: %[[TWO:.*]] = ew.constant -2.000000e+00 : f32
// CHECK-DAG: %[[RE:.*]] = ew.select %{{.*}}, %{{.*}}, %[[ONE]] : f32
// CHECK-DAG: %[[IM:.*]] = ew.select %{{.*}}, %{{.*}}, %[[TWO]] : f32
// CHECK-DAG: ew.cast %[[RE]] : f32 to f64
// CHECK-DAG: ew.cast %[[IM]] : f32 to f64
func.func @moved(%b: tensor<4x4xi1>, %z: tensor<4x4xcomplex<f32>>) -> tensor<4x4xcomplex<f64>> {
  %c = ew.constant dense<(1.0, -2.0)> : tensor<4xcomplex<f32>>
  %0 = ew.broadcast %c : tensor<4xcomplex<f32>> to tensor<4x4xcomplex<f32>>
  %1 = ew.transpose %z [1, 0] : tensor<4x4xcomplex<f32>> to tensor<4x4xcomplex<f32>>
  %2 = ew.select %b, %1, %0 : tensor<4x4xcomplex<f32>>
  %3 = ew.cast %2 : tensor<4x4xcomplex<f32>> to tensor<4x4xcomplex<f64>>
  return %3 : tensor<4x4xcomplex<f64>>
}

// Other kernels are left alone.
// CHECK-LABEL: @real
// CHECK: ^bb0(%[[X:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT: %[[Y:.*]] = ew.exp %[[X]] : f32
// CHECK-NEXT: linalg.yield %[[Y]] : f32
func.func @real(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = ew.exp %x : tensor<?xf32>
  return %0 : tensor<?xf32>
}


// What is no ew op, or stands in a region of its own, takes whole numbers.
// CHECK-LABEL: func.func @whole_numbers
// CHECK: %[[WHOLE:.*]] = ew.complex %{{.*}}, %{{.*}} : complex<f32>
// CHECK-NEXT: "other.use"(%[[WHOLE]])
// CHECK: scf.if
// CHECK: %[[INNER:.*]] = ew.complex %{{.*}}, %{{.*}} : complex<f32>
// CHECK-NEXT: ew.real %[[INNER]]
#id = affine_map<(d0) -> (d0)>
func.func @whole_numbers(%z: tensor<8xcomplex<f32>>, %p: i1, %o: tensor<8xf32>) -> tensor<8xf32> {
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%z : tensor<8xcomplex<f32>>) outs(%o : tensor<8xf32>) {
  ^bb0(%a: complex<f32>, %b: f32):
    %c = ew.mul %a, %a : complex<f32>
    %d = "other.use"(%c) : (complex<f32>) -> f32
    %e = scf.if %p -> f32 {
      %f = ew.real %c : complex<f32>
      scf.yield %f : f32
    } else {
      scf.yield %d : f32
    }
    linalg.yield %e : f32
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}
