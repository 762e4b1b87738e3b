// The upstream dialects and passes that EW's pipelines go through are there,
// with the interfaces that lower them.
// RUN: ew-opt %s --one-shot-bufferize="bufferize-function-boundaries" | FileCheck %s --check-prefix=BUFFER
// RUN: ew-opt %s --pass-pipeline='builtin.module(one-shot-bufferize{bufferize-function-boundaries},convert-linalg-to-loops,convert-scf-to-cf,finalize-memref-to-llvm,convert-to-llvm,reconcile-unrealized-casts)' | FileCheck %s --check-prefix=LLVM

// BUFFER-LABEL: func.func @negate
// BUFFER: linalg.generic {{.*}}outs(%{{.*}} : memref<4xf32>)
// LLVM-LABEL: llvm.func @negate
// LLVM: llvm.fneg
#map = affine_map<(i) -> (i)>
func.func @negate(%x: tensor<4xf32>) -> tensor<4xf32> {
  %empty = tensor.empty() : tensor<4xf32>
  %y = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]}
      ins(%x : tensor<4xf32>) outs(%empty : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.negf %a : f32
    linalg.yield %c : f32
  } -> tensor<4xf32>
  return %y : tensor<4xf32>
}
