// RUN: ew-opt %s --ew-schedule --mlir-print-local-scope | FileCheck %s
// RUN: ew-opt %s --ew-to-nvvm --mlir-print-local-scope | FileCheck %s --check-prefix=PIPELINE

// Of what is not meant to be a kernel, none is made where none can be; its neighbours become kernels all the same.
#id = affine_map<(i) -> (i)>
#diagonal = affine_map<(i) -> (i, i)>
#sum = affine_map<(i) -> ()>

// CHECK-LABEL: func.func @reduction
// CHECK-NOT: ew.schedule
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel"]{{.*}} attrs = {ew.ops = "exp", ew.schedule
// PIPELINE-LABEL: func.func @reduction
// PIPELINE: linalg.generic {{.*}} iterator_types = ["reduction"]
// PIPELINE: ew.launch
func.func @reduction(%x: tensor<?xf32>, %s: tensor<f32>, %e: tensor<?xf32>) -> (tensor<f32>, tensor<?xf32>) {
  %0 = linalg.generic {indexing_maps = [#id, #sum], iterator_types = ["reduction"]}
      ins(%x : tensor<?xf32>) outs(%s : tensor<f32>) {
  ^bb0(%a: f32, %o: f32):
    %sum = arith.addf %a, %o : f32
    linalg.yield %sum : f32
  } -> tensor<f32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<?xf32>) outs(%e : tensor<?xf32>) attrs = {ew.ops = "exp"} {
  ^bb0(%a: f32, %o: f32):
    %exp = ew.exp %a : f32
    linalg.yield %exp : f32
  } -> tensor<?xf32>
  return %0, %1 : tensor<f32>, tensor<?xf32>
}

// CHECK-LABEL: func.func @others
// CHECK-NOT: ew.schedule
// PIPELINE-LABEL: func.func @others
// PIPELINE-COUNT-4: linalg.generic
func.func @others(%m: memref<?xf32>, %x: tensor<?xf32>, %q: tensor<?x?xf32>, %n: tensor<?xi4>) -> (tensor<?xf32>, tensor<?xf32>, tensor<?xi4>) {
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%m : memref<?xf32>) {
  ^bb0(%o: f32):
    %y = arith.negf %o : f32
    linalg.yield %y : f32
  }
  %gathered = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%x : tensor<?xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %y = tensor.extract %x[%i] : tensor<?xf32>
    linalg.yield %y : f32
  } -> tensor<?xf32>
  %onDiagonal = linalg.generic {indexing_maps = [#diagonal, #id], iterator_types = ["parallel"]}
      ins(%q : tensor<?x?xf32>) outs(%x : tensor<?xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<?xf32>
  %narrow = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%n : tensor<?xi4>) outs(%n : tensor<?xi4>) {
  ^bb0(%a: i4, %o: i4):
    %y = arith.addi %a, %a : i4
    linalg.yield %y : i4
  } -> tensor<?xi4>
  return %gathered, %onDiagonal, %narrow : tensor<?xf32>, tensor<?xf32>, tensor<?xi4>
}
