// RUN: ew-opt %s --ew-slices-to-shuffles | FileCheck %s
// The rest of vectors needs no help.
// RUN: ew-opt %s --pass-pipeline='builtin.module(gpu.module(ew-slices-to-shuffles,convert-gpu-to-nvvm))' | FileCheck %s --check-prefix=NVVM --implicit-check-not=vector.

gpu.module @kernels {
  // A part is widened, then takes its place.
  // CHECK-LABEL: func @insert(%arg0: vector<2xf32>, %arg1: vector<4xf32>)
  // CHECK-NEXT: %[[WIDE:.*]] = vector.shuffle %arg0, %arg0 [0, 1, 0, 0]
  // CHECK-NEXT: %[[ALL:.*]] = vector.shuffle %[[WIDE]], %arg1 [4, 5, 0, 1]
  // CHECK-NEXT: return %[[ALL]]
  // NVVM-LABEL: llvm.func @insert
  // NVVM-COUNT-2: llvm.shufflevector
  func.func @insert(%part: vector<2xf32>, %all: vector<4xf32>) -> vector<4xf32> {
    %0 = vector.insert_strided_slice %part, %all {offsets = [2], strides = [1]} : vector<2xf32> into vector<4xf32>
    return %0 : vector<4xf32>
  }

  // CHECK-LABEL: func @extract(%arg0: vector<4xf32>)
  // CHECK-NEXT: %[[PART:.*]] = vector.shuffle %arg0, %arg0 [2, 3]
  // CHECK-NEXT: return %[[PART]]
  // NVVM-LABEL: llvm.func @extract
  // NVVM: llvm.shufflevector
  func.func @extract(%all: vector<4xf32>) -> vector<2xf32> {
    %0 = vector.extract_strided_slice %all {offsets = [2], sizes = [2], strides = [1]} : vector<4xf32> to vector<2xf32>
    return %0 : vector<2xf32>
  }

  // Single elements stay as they are.
  // CHECK-LABEL: func @element
  // CHECK-NEXT: vector.extract %arg0[1]
  // CHECK-NEXT: vector.from_elements
  // CHECK-NOT: vector.shuffle
  func.func @element(%all: vector<4xf32>) -> vector<2xf32> {
    %0 = vector.extract %all[1] : f32 from vector<4xf32>
    %1 = vector.from_elements %0, %0 : vector<2xf32>
    return %1 : vector<2xf32>
  }
}
