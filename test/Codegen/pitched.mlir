// Slices of rows: views whose rows are a pitch apart. Loops that all operands at hand walk one after the other are merged
// when the kernel is launched.
// RUN: ew-opt %s --ew-to-linalg --ew-schedule="choice=many=1" --ew-to-gpu --canonicalize --cse | FileCheck %s
// RUN: ew-opt %s --ew-to-linalg --ew-schedule=target=cpu --ew-to-cpu --canonicalize --cse | FileCheck %s --check-prefix=CPU

// Two sizes, what divides by the second, and a pitch for every operand; no stride within rows, where accesses are wide.
// CHECK-LABEL: gpu.func @gate_0_{{.*}}_pitched(
// CHECK-SAME: memref<1xbf16> {llvm.align = 16 : i64, {{.*}}}, %{{.*}}: memref<1xbf16> {llvm.align = 16 : i64, {{.*}}}, %{{.*}}: memref<1xbf16> {llvm.align = 16 : i64, {{.*}}},
// CHECK-SAME: %{{.*}}: i32, %{{.*}}: i32, %{{.*}}: i64, %{{.*}}: i32, %{{.*}}: i32, %{{.*}}: i32)
// CHECK-NOT: arith.divui
// CHECK-COUNT-2: vector.load %{{.*}} {alignment = 16 : i64} : memref<?xbf16>, vector<8xbf16>
// CHECK-NOT: memref.load
// CHECK: vector.store %{{.*}} {alignment = 16 : i64} : memref<?xbf16>, vector<8xbf16>
// CHECK: gpu.return

// Four words in place of one access; then four elements, which is half as many.
// CHECK-LABEL: gpu.func @gate_0_{{.*}}_pitched_words(
// CHECK-COUNT-8: vector.load %{{.*}} {alignment = 4 : i64} : memref<?xbf16>, vector<2xbf16>
// CHECK-COUNT-4: vector.store %{{.*}} {alignment = 4 : i64} : memref<?xbf16>, vector<2xbf16>
// CHECK-LABEL: gpu.func @gate_0_{{.*}}_pitched_elements(
// CHECK-COUNT-8: vector.load %{{.*}} : memref<?xbf16>, vector<1xbf16>
// CHECK: ew.mul %{{.*}} : vector<4xf32>

// One stride for each operand, and no coordinates.
// CHECK-LABEL: gpu.func @gate_0_{{.*}}_strided(
// CHECK-SAME: %{{.*}}: i32, %{{.*}}: i32, %{{.*}}: i32, %{{.*}}: i32)
// CHECK-NOT: arith.shrui
// CHECK: memref.load
// CHECK: gpu.return

// Three dimensions, where two are not enough. One stretched along rows has no stride that is 1; of one stretched over
// rows the strides are 0, as those at hand say.
// CHECK-LABEL: gpu.func @heads_0_{{.*}}_pitched(
// CHECK-LABEL: gpu.func @heads_0_{{.*}}_pitched3(
// CHECK-COUNT-2: vector.load %{{.*}} {alignment = 16 : i64} : memref<?xf32>, vector<4xf32>
// CHECK: memref.load
// CHECK: vector.broadcast
// CHECK: gpu.return

// The index of a dimension is that of the program's own: there is nothing to merge. Nor of one dimension.
// CHECK-NOT: @places_0_{{.*}}_pitched
// CHECK-NOT: @line_0_{{.*}}_pitched
// CHECK-NOT: @line_0_{{.*}}_strided

// Vectors at any address.
// CPU-LABEL: func.func @gate_0_{{.*}}_pitched(
// CPU: vector.load %{{.*}} : memref<?xbf16>, vector<{{[0-9]+}}xbf16>

func.func @gate(%gate: tensor<?x?xbf16>, %up: tensor<?x?xbf16>) -> tensor<?x?xbf16> {
  %0 = ew.mul %gate, %up : tensor<?x?xbf16>
  return %0 : tensor<?x?xbf16>
}

func.func @heads(%x: tensor<?x?x?xf32>, %scale: tensor<?x?x1xf32>, %row: tensor<?xf32>) -> tensor<?x?x?xf32> {
  %0 = ew.broadcast %scale like(%x : tensor<?x?x?xf32>) : tensor<?x?x1xf32> to tensor<?x?x?xf32>
  %1 = ew.broadcast %row like(%x : tensor<?x?x?xf32>) : tensor<?xf32> to tensor<?x?x?xf32>
  %2 = ew.fma %x, %0, %1 : tensor<?x?x?xf32>
  return %2 : tensor<?x?x?xf32>
}

func.func @places(%x: tensor<?x?xi32>) -> tensor<?x?xi32> {
  %0 = ew.iota dimension(1) like(%x : tensor<?x?xi32>) : tensor<?x?xi32>
  %1 = ew.add %x, %0 : tensor<?x?xi32>
  return %1 : tensor<?x?xi32>
}

func.func @line(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %0 = ew.add %x, %y : tensor<?xf32>
  return %0 : tensor<?xf32>
}

func.func @bytes(%x: tensor<?x?x?x?xi8>, %y: tensor<?x?x?x?xi8>) -> tensor<?x?x?x?xi8> {
  %0 = ew.add %x, %y : tensor<?x?x?x?xi8>
  return %0 : tensor<?x?x?x?xi8>
}

func.func @in_place(%x: tensor<?x?xf32> {ew.inplace = 0 : i64}, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = ew.add %x, %y : tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

func.func @complex(%x: tensor<?x?xcomplex<f32>>, %y: tensor<?x?xcomplex<f32>>) -> tensor<?x?xcomplex<f32>> {
  %0 = ew.mul %x, %y : tensor<?x?xcomplex<f32>>
  return %0 : tensor<?x?xcomplex<f32>>
}

// DEFINE: %{run} = ew-run %s --check --check-limit=100000 --explain --device
//
// RUN: %{run}=emulated --schedule=many=1 --function=gate --input=5x64xbf16,strides=128:1=random:-9:9 --input=5x64xbf16,strides=128:1,offset=64=random:-9:9 | FileCheck %s --check-prefix=PITCHED
// RUN: %{run}=cpu --function=gate --input=5x64xbf16,strides=128:1=random:-9:9 --input=5x64xbf16,strides=128:1,offset=64=random:-9:9 | FileCheck %s --check-prefix=PITCHED
// RUN: %{run}=emulated --schedule=many=1 --function=gate --input=5x66xbf16,strides=132:1=random:-9:9 --input=5x66xbf16,strides=132:1,offset=66=random:-9:9 | FileCheck %s --check-prefix=PITCHED-WORDS
// RUN: %{run}=cpu --function=gate --input=5x66xbf16,strides=132:1=random:-9:9 --input=5x66xbf16,strides=132:1,offset=66=random:-9:9 | FileCheck %s --check-prefix=PITCHED
// RUN: %{run}=emulated --schedule=many=1 --function=gate --input=5x65xbf16,strides=131:1=random:-9:9 --input=5x65xbf16,strides=131:1,offset=65=random:-9:9 | FileCheck %s --check-prefix=PITCHED-ELEMENTS
// RUN: %{run}=cpu --function=gate --input=5x65xbf16,strides=131:1=random:-9:9 --input=5x65xbf16,strides=131:1,offset=65=random:-9:9 | FileCheck %s --check-prefix=PITCHED
// RUN: %{run}=emulated --schedule=many=1 --function=gate --input=5x64xbf16,strides=-72:1=random:-9:9 --input=5x64xbf16,strides=0:1=random:-9:9 | FileCheck %s --check-prefix=PITCHED
// RUN: %{run}=cpu --function=gate --input=5x64xbf16,strides=-72:1=random:-9:9 --input=5x64xbf16,strides=0:1=random:-9:9 | FileCheck %s --check-prefix=PITCHED
// RUN: %{run}=emulated --schedule=many=1 --function=gate --input=5x64xbf16,strides=72:1,offset=3=random:-9:9 --input=5x64xbf16=random:-9:9 | FileCheck %s --check-prefix=PITCHED-ELEMENTS
// RUN: %{run}=cpu --function=gate --input=5x64xbf16,strides=72:1,offset=3=random:-9:9 --input=5x64xbf16=random:-9:9 | FileCheck %s --check-prefix=PITCHED
// RUN: %{run}=emulated --schedule=many=1 --function=gate --input=1x64xbf16,strides=999:1=random:-9:9 --input=1x64xbf16,offset=1=random:-9:9 | FileCheck %s --check-prefix=DENSE
// RUN: %{run}=cpu --function=gate --input=1x64xbf16,strides=999:1=random:-9:9 --input=1x64xbf16,offset=1=random:-9:9 | FileCheck %s --check-prefix=DENSE
// RUN: %{run}=emulated --schedule=many=1 --function=gate --input=9x64xbf16,strides=128:2=random:-9:9 --input=9x64xbf16,strides=-128:-2=random:-9:9 | FileCheck %s --check-prefix=STRIDED
// RUN: %{run}=cpu --function=gate --input=9x64xbf16,strides=128:2=random:-9:9 --input=9x64xbf16,strides=-128:-2=random:-9:9 | FileCheck %s --check-prefix=GENERAL
// RUN: %{run}=emulated --schedule=many=1 --function=gate --input=9x64xbf16,strides=0:0=random:-9:9 --input=9x64xbf16=random:-9:9 | FileCheck %s --check-prefix=STRIDED
// RUN: %{run}=cpu --function=gate --input=9x64xbf16,strides=0:0=random:-9:9 --input=9x64xbf16=random:-9:9 | FileCheck %s --check-prefix=GENERAL
// RUN: %{run}=emulated --schedule=many=1 --function=gate --input=9x1xbf16,strides=7:1=random:-9:9 --input=9x1xbf16,strides=5:1=random:-9:9 | FileCheck %s --check-prefix=STRIDED
// RUN: %{run}=cpu --function=gate --input=9x1xbf16,strides=7:1=random:-9:9 --input=9x1xbf16,strides=5:1=random:-9:9 | FileCheck %s --check-prefix=GENERAL
// RUN: %{run}=emulated --schedule=many=1 --function=gate --input=9x64xbf16,strides=130:2=random:-9:9 --input=9x64xbf16=random:-9:9 | FileCheck %s --check-prefix=GENERAL
// RUN: %{run}=cpu --function=gate --input=9x64xbf16,strides=130:2=random:-9:9 --input=9x64xbf16=random:-9:9 | FileCheck %s --check-prefix=GENERAL
// RUN: %{run}=emulated --schedule=many=1 --function=gate --input=0x64xbf16,strides=128:1=random:-9:9 --input=0x64xbf16=random:-9:9
// RUN: %{run}=cpu --function=gate --input=0x64xbf16,strides=128:1=random:-9:9 --input=0x64xbf16=random:-9:9
// RUN: %{run}=emulated --schedule=many=1 --function=heads --input=3x4x8xf32,strides=64:16:1=random:-9:9 --input=3x4x1xf32=random:-9:9 --input=8xf32=random:-9:9 | FileCheck %s --check-prefix=PITCHED
// RUN: %{run}=cpu --function=heads --input=3x4x8xf32,strides=64:16:1=random:-9:9 --input=3x4x1xf32=random:-9:9 --input=8xf32=random:-9:9 | FileCheck %s --check-prefix=PITCHED
// RUN: %{run}=emulated --schedule=many=1 --function=heads --input=3x4x8xf32,strides=68:16:1=random:-9:9 --input=3x4x1xf32=random:-9:9 --input=8xf32=random:-9:9 | FileCheck %s --check-prefix=PITCHED3
// RUN: %{run}=cpu --function=heads --input=3x4x8xf32,strides=68:16:1=random:-9:9 --input=3x4x1xf32=random:-9:9 --input=8xf32=random:-9:9 | FileCheck %s --check-prefix=PITCHED3
// RUN: %{run}=emulated --schedule=many=1 --function=heads --input=3x4x7xf32,strides=67:16:1=random:-9:9 --input=3x4x1xf32,strides=5:-1:1=random:-9:9 --input=7xf32=random:-9:9 | FileCheck %s --check-prefix=PITCHED3-ELEMENTS
// RUN: %{run}=cpu --function=heads --input=3x4x7xf32,strides=67:16:1=random:-9:9 --input=3x4x1xf32,strides=5:-1:1=random:-9:9 --input=7xf32=random:-9:9 | FileCheck %s --check-prefix=PITCHED3
// RUN: %{run}=emulated --schedule=many=1 --function=heads --input=3x4x1xf32,strides=64:16:1=random:-9:9 --input=3x4x1xf32=random:-9:9 --input=1xf32=random:-9:9 | FileCheck %s --check-prefix=STRIDED
// RUN: %{run}=cpu --function=heads --input=3x4x1xf32,strides=64:16:1=random:-9:9 --input=3x4x1xf32=random:-9:9 --input=1xf32=random:-9:9 | FileCheck %s --check-prefix=GENERAL
// RUN: %{run}=emulated --schedule=many=1 --function=bytes --input=3x4x2x16xi8,strides=512:128:16:1=random:-9:9 --input=3x4x2x16xi8,strides=256:64:16:1=random:-9:9 | FileCheck %s --check-prefix=PITCHED
// RUN: %{run}=cpu --function=bytes --input=3x4x2x16xi8,strides=512:128:16:1=random:-9:9 --input=3x4x2x16xi8,strides=256:64:16:1=random:-9:9 | FileCheck %s --check-prefix=PITCHED
// RUN: %{run}=emulated --schedule=many=1 --function=bytes --input=3x1x2x16xi8,strides=1024:1:32:1=random:-9:9 --input=3x1x2x16xi8=random:-9:9 | FileCheck %s --check-prefix=PITCHED4
// RUN: %{run}=cpu --function=bytes --input=3x1x2x16xi8,strides=1024:1:32:1=random:-9:9 --input=3x1x2x16xi8=random:-9:9 | FileCheck %s --check-prefix=PITCHED4
// RUN: %{run}=emulated --schedule=many=1 --function=bytes --input=3x5x2x12xi8,strides=1028:128:32:1=random:-9:9 --input=3x5x2x12xi8=random:-9:9 | FileCheck %s --check-prefix=PITCHED4-WORDS
// RUN: %{run}=cpu --function=bytes --input=3x5x2x12xi8,strides=1028:128:32:1=random:-9:9 --input=3x5x2x12xi8=random:-9:9 | FileCheck %s --check-prefix=PITCHED4
// RUN: %{run}=emulated --schedule=many=1 --function=bytes --input=3x5x2x13xi8,strides=1027:-128:32:1=random:-9:9 --input=3x5x2x13xi8=random:-9:9 | FileCheck %s --check-prefix=PITCHED4-ELEMENTS
// RUN: %{run}=cpu --function=bytes --input=3x5x2x13xi8,strides=1027:-128:32:1=random:-9:9 --input=3x5x2x13xi8=random:-9:9 | FileCheck %s --check-prefix=PITCHED4
// RUN: %{run}=emulated --schedule=many=1 --function=in_place --input=7x12xf32,strides=16:1=random:-9:9 --input=7x12xf32=random:-9:9 | FileCheck %s --check-prefix=PITCHED
// RUN: %{run}=cpu --function=in_place --input=7x12xf32,strides=16:1=random:-9:9 --input=7x12xf32=random:-9:9 | FileCheck %s --check-prefix=PITCHED
// RUN: %{run}=emulated --schedule=many=1 --function=in_place --input=7x13xf32,strides=17:1=random:-9:9 --input=7x13xf32,strides=-13:1=random:-9:9 | FileCheck %s --check-prefix=PITCHED-ELEMENTS
// RUN: %{run}=cpu --function=in_place --input=7x13xf32,strides=17:1=random:-9:9 --input=7x13xf32,strides=-13:1=random:-9:9 | FileCheck %s --check-prefix=PITCHED
// RUN: %{run}=emulated --schedule=many=1 --function=complex '--input=6x8xcomplex<f32>,strides=12:1=random:-9:9' '--input=6x8xcomplex<f32>=random:-9:9' | FileCheck %s --check-prefix=PITCHED
// RUN: %{run}=cpu --function=complex '--input=6x8xcomplex<f32>,strides=12:1=random:-9:9' '--input=6x8xcomplex<f32>=random:-9:9' | FileCheck %s --check-prefix=PITCHED
// RUN: %{run}=emulated --schedule=many=1 --function=complex '--input=6x7xcomplex<f32>,strides=11:1=random:-9:9' '--input=6x7xcomplex<f32>=random:-9:9' | FileCheck %s --check-prefix=PITCHED-ELEMENTS
// RUN: %{run}=cpu --function=complex '--input=6x7xcomplex<f32>,strides=11:1=random:-9:9' '--input=6x7xcomplex<f32>=random:-9:9' | FileCheck %s --check-prefix=PITCHED
// PITCHED: version 'pitched'
// PITCHED-WORDS: version 'pitched_words'
// PITCHED-ELEMENTS: version 'pitched_elements'
// DENSE: version 'dense'
// STRIDED: version 'strided'
// GENERAL: version 'general'
// PITCHED3: version 'pitched3'
// PITCHED3-ELEMENTS: version 'pitched3_elements'
// PITCHED4: version 'pitched4'
// PITCHED4-WORDS: version 'pitched4_words'
// PITCHED4-ELEMENTS: version 'pitched4_elements'
