// Bytes of whole words are computed four at once on GPUs, which have no instructions for them. EWMathTests ByteForms has the values.
// RUN: ew-opt %s --ew-lower-math="target=nvptx" | FileCheck %s
// RUN: ew-opt %s --ew-lower-math="target=cpu" | FileCheck %s --check-prefix=CPU

// CHECK-LABEL: func.func @add
// CHECK-DAG: vector.bitcast %arg0 : vector<8xi8> to vector<2xi32>
// CHECK-DAG: vector.bitcast %arg1 : vector<8xi8> to vector<2xi32>
// CHECK: arith.xori %{{.*}} : vector<2xi32>
// CHECK: arith.xori %{{.*}} : vector<2xi32>
// CHECK-NEXT: vector.bitcast %{{.*}} : vector<2xi32> to vector<8xi8>
// CPU-LABEL: func.func @add
// CPU-NEXT: arith.addi %arg0, %arg1 : vector<8xi8>
func.func @add(%x: vector<8xi8>, %y: vector<8xi8>) -> vector<8xi8> {
  %0 = ew.add %x, %y : vector<8xi8>
  return %0 : vector<8xi8>
}

// CHECK-LABEL: func.func @relu
// CHECK: llvm.call_intrinsic "llvm.nvvm.prmt"
func.func @relu(%x: vector<4xi8>) -> vector<4xi8> {
  %0 = ew.relu %x : vector<4xi8>
  return %0 : vector<4xi8>
}

// No whole words.
// CHECK-LABEL: func.func @part
// CHECK-NEXT: arith.addi %arg0, %arg1 : vector<6xi8>
func.func @part(%x: vector<6xi8>, %y: vector<6xi8>) -> vector<6xi8> {
  %0 = ew.add %x, %y : vector<6xi8>
  return %0 : vector<6xi8>
}

// CHECK-LABEL: func.func @one
// CHECK-NEXT: arith.addi %arg0, %arg1 : i8
func.func @one(%x: i8, %y: i8) -> i8 {
  %0 = ew.add %x, %y : i8
  return %0 : i8
}
