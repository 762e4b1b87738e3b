// REQUIRES: build
// RUN: mlir-opt --load-dialect-plugin=%plugin --load-pass-plugin=%plugin \
// RUN:   --pass-pipeline='builtin.module(func.func(ew-fuse),canonicalize)' %s | FileCheck %s
// RUN: mlir-opt --load-dialect-plugin=%plugin %s | FileCheck %s --check-prefix=PARSED
// Nothing but the entry points can be seen.
// RUN: llvm-nm -D --defined-only %plugin | count 2
// Without the plugin there is no such dialect.
// RUN: not mlir-opt %s 2>&1 | FileCheck %s --check-prefix=WITHOUT

// WITHOUT: Dialect `ew' not found

// CHECK-LABEL: func.func @add
// PARSED-LABEL: func.func @add
// PARSED: ew.add
func.func @add(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %z = ew.add %x, %y : tensor<4xf32>
  return %z : tensor<4xf32>
}
