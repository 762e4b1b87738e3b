// RUN: ew-opt %s --ew-raise | FileCheck %s
// RUN: ew-opt %s --ew-raise=flags=false | FileCheck %s --check-prefix=NONE

// Fast-math flags that let a function be approximated, and a division be a product, are the fast mode.
// NONE-NOT: ew.mode = "fast"

// CHECK-LABEL: func @flags
// CHECK: ew.exp %{{.*}} {ew.mode = "fast"}
// CHECK: ew.sqrt %{{.*}} {ew.mode = "fast"}
// CHECK: ew.log %{{[0-9]+}} : tensor
// CHECK: ew.div {{.*}} {ew.mode = "fast"}
// CHECK: ew.mul %{{[0-9]+}}, %{{.*}} : tensor
// CHECK: ew.exp %{{[0-9]+}} : tensor
func.func @flags(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = math.exp %x fastmath<afn> : tensor<4xf32>
  %1 = math.sqrt %0 fastmath<fast> : tensor<4xf32>
  %2 = math.log %1 fastmath<nnan,ninf,nsz,reassoc,contract> : tensor<4xf32>
  %3 = arith.divf %2, %x fastmath<arcp> : tensor<4xf32>
  %4 = arith.mulf %3, %x fastmath<arcp> : tensor<4xf32>
  %5 = math.exp %4 fastmath<arcp> : tensor<4xf32>
  return %5 : tensor<4xf32>
}

// In the body of a linalg op, too; what is stated comes first.
// CHECK-LABEL: func @body
// CHECK: ew.tanh %{{.*}} {ew.mode = "fast"}
// CHECK: ew.exp %{{.*}} {ew.mode = "strict"}
// NONE-LABEL: func @body
// NONE: ew.exp %{{.*}} {ew.mode = "strict"}
func.func @body(%x: tensor<4xf32>, %out: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
                       iterator_types = ["parallel"]}
      ins(%x : tensor<4xf32>) outs(%out : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %1 = math.tanh %a fastmath<fast> : f32
    %2 = math.exp %1 {ew.mode = "strict", fastmath = #arith.fastmath<afn>} : f32
    linalg.yield %2 : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// And the mode of an op in the body before that of the linalg op.
// CHECK-LABEL: func @body_of_a_mode
// CHECK: ew.exp %{{.*}} {ew.mode = "default"}
// CHECK: ew.log %{{.*}} {ew.mode = "strict"}
func.func @body_of_a_mode(%x: tensor<4xf32>, %out: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
                       iterator_types = ["parallel"], ew.mode = "strict"}
      ins(%x : tensor<4xf32>) outs(%out : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %1 = math.exp %a {ew.mode = "default"} : f32
    %2 = math.log %1 : f32
    linalg.yield %2 : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
