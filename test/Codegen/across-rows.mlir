// Rows that do not begin at vectors, and buffers that do not either: what is dense is read in wide accesses all the same.
// RUN: ew-opt %s --ew-to-linalg --ew-schedule="choice=many=1" --ew-to-gpu --canonicalize --cse | FileCheck %s
// RUN: ew-opt %s --ew-to-linalg --ew-schedule="choice=elements=16" --ew-to-gpu --canonicalize --cse | FileCheck %s --check-prefix=SIXTEEN

// Of two vectors of x, shifted or not, and two of the row, each shifted by its own place; where one of them is not in one
// row, and at the ends, element by element.
// CHECK-LABEL: gpu.func @row_0_mul_dense(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<1xbf16> {{.*}}, %[[ROW:[a-z0-9]+]]: memref<1xbf16> {{.*}}, %[[OUT:[a-z0-9]+]]: memref<1xbf16> {{.*}}, %{{.*}}: i32, %[[COLS:.*]]: i32, %{{.*}}: i64)
// CHECK-NOT: arith.divui %{{.*}}, %[[COLS]]
// CHECK: scf.if
// CHECK: scf.if
// CHECK-COUNT-4: vector.load %{{.*}} {alignment = 16 : i64} : memref<?xbf16>, vector<8xbf16>
// CHECK: else
// CHECK-COUNT-2: vector.load %{{.*}} {alignment = 16 : i64} : memref<?xbf16>, vector<8xbf16>
// CHECK: scf.if
// CHECK-NOT: memref.load
// CHECK-COUNT-4: vector.load %{{.*}} {alignment = 16 : i64} : memref<?xbf16>, vector<8xbf16>
// CHECK: else
// CHECK-COUNT-16: memref.load
// CHECK: ew.mul
// CHECK-NOT: ew.mul
// CHECK: vector.store %{{.*}} {alignment = 16 : i64} : memref<?xbf16>, vector<8xbf16>
// CHECK: gpu.return

// What has one element for a row is read once for a vector that lies in one row, and twice for one that lies in two.
// CHECK-LABEL: gpu.func @columns_0_{{.*}}_dense(
// CHECK: memref.load
// CHECK: vector.broadcast
// CHECK: else
// CHECK: scf.if
// CHECK-COUNT-2: memref.load
// CHECK: %[[MASK:.*]] = arith.cmpi s{{gt|lt}}, %{{.*}}, %{{.*}} : vector<8xi32>
// CHECK: arith.select %[[MASK]], %{{.*}}, %{{.*}} : vector<8xi1>, vector<8xbf16>
// CHECK: else
// CHECK-COUNT-8: memref.load

// Where functions are computed in f32, aligned buffers have a version of their own, which shifts nothing: of a vector in two
// rows each lane is read from one of two places.
// CHECK-LABEL: gpu.func @functions_0_{{.*}}_across(
// CHECK-NOT: memref.extract_aligned_pointer_as_index
// CHECK: vector.load %{{.*}} {alignment = 16 : i64} : memref<?xf32>, vector<4xf32>
// CHECK: %[[IN_ROW:.*]] = arith.andi %{{.*}} : i1
// CHECK: scf.if %[[IN_ROW]]
// CHECK-COUNT-4: vector.load %{{.*}} {alignment = 4 : i64} : memref<?xf32>, vector<1xf32>
// CHECK: else
// CHECK: scf.if
// CHECK: memref.load
// CHECK-COUNT-3: arith.select %{{.*}}, %{{.*}}, %{{.*}} : i32
// CHECK-COUNT-3: memref.load
// CHECK: else
// CHECK-COUNT-4: memref.load
// CHECK: ew.exp
// CHECK: vector.store %{{.*}} {alignment = 16 : i64} : memref<?xf32>, vector<4xf32>
// CHECK: gpu.return
// CHECK-LABEL: gpu.func @functions_0_{{.*}}_dense(

// A thread that would have 32 bytes side by side has two accesses of 16 here, a block's width apart: the ends of a vector
// go lane by lane.
// SIXTEEN-LABEL: gpu.func @columns_0_{{.*}}_wide(
// SIXTEEN: vector.load %{{.*}} : memref<?xbf16>, vector<16xbf16>
// SIXTEEN-LABEL: gpu.func @columns_0_{{.*}}_dense(
// SIXTEEN-NOT: vector.load {{.*}}vector<16xbf16>
// SIXTEEN: vector.load %{{.*}} : memref<?xbf16>, vector<8xbf16>
// SIXTEEN: gpu.return

// Lengths around a vector's, and one row of each.
// DEFINE: %{run} = ew-run %s --device=emulated --schedule=many=1 --check --check-limit=100000
// RUN: %{run} --function=row --input=1x1xbf16=random:-3:3 --input=1xbf16=random:-3:3
// RUN: %{run} --function=row --input=1000x3xbf16=random:-3:3 --input=3xbf16=random:-3:3
// RUN: %{run} --function=row --input=36x7xbf16=random:-3:3 --input=7xbf16=random:-3:3
// RUN: %{run} --function=row --input=37x9xbf16=random:-3:3 --input=9xbf16=random:-3:3
// RUN: %{run} --function=row --input=8x17xbf16=random:-3:3 --input=17xbf16=random:-3:3
// RUN: %{run} --function=row --input=6x1023xbf16=random:-3:3 --input=1023xbf16=random:-3:3
// RUN: %{run} --function=row --input=2x4097xbf16=random:-3:3 --input=4097xbf16=random:-3:3
// RUN: %{run} --function=column --input=31x67xf16=random:-3:3 --input=31x1xf32=random:-3:3 --input=67xf32=random:-3:3
// RUN: %{run} --function=column --input=2500x1xf16=random:-3:3 --input=2500x1xf32=random:-3:3 --input=1xf32=random:-3:3
// RUN: %{run} --function=column --input=1x2501xf16=random:-3:3 --input=1x1xf32=random:-3:3 --input=2501xf32=random:-3:3
// RUN: %{run} --function=column --input=0x5xf16=random:-3:3 --input=0x1xf32=random:-3:3 --input=5xf32=random:-3:3
// RUN: %{run} --function=columns --input=40x131xbf16=random:-9:9 --input=40x1xbf16=random:-9:9
// RUN: %{run} --function=columns --input=3x2049xbf16,offset=3=random:-9:9 --input=3x1xbf16,offset=1=random:-9:9
// RUN: %{run} --function=column_bytes --input=40x515xi8=random:-9:9 --input=40x1xi8=random:-9:9
// RUN: %{run} --function=column_bytes --input=900x7xi8,offset=9=random:-9:9 --input=900x1xi8,offset=3=random:-9:9
// RUN: %{run} --function=bytes --input=40x131xi8=random:-9:9 --input=131xi8=random:-9:9
// RUN: %{run} --function=bytes --input=5x29xi8=random:-9:9 --input=29xi8=random:-9:9
// RUN: %{run} --function=middle --input=5x6x67xf32=random:-3:3 --input=5x1x67xf32=random:-3:3 --input=6x1xf32=random:-3:3
// RUN: %{run} --function=middle --input=7x1x3xf32=random:-3:3 --input=7x1x3xf32=random:-3:3 --input=1x1xf32=random:-3:3
// RUN: %{run} --function=middle --input=1x200x5xf32=random:-3:3 --input=1x1x5xf32=random:-3:3 --input=200x1xf32=random:-3:3

// RUN: %{run} --function=functions --input=1x1x1xf32=random:-3:3 --input=1x1x1xf32=random:-3:3 --input=1xf32=random:-3:3
// RUN: %{run} --function=functions --input=3x50x3xf32=random:-3:3 --input=3x1x3xf32=random:-3:3 --input=3xf32=random:-3:3
// RUN: %{run} --function=functions --input=2x36x5xf32=random:-3:3 --input=2x1x5xf32=random:-3:3 --input=5xf32=random:-3:3
// RUN: %{run} --function=functions --input=1x37x6xf32=random:-3:3 --input=1x1x6xf32=random:-3:3 --input=6xf32=random:-3:3
// RUN: %{run} --function=functions --input=3x20x67xf32=random:-3:3 --input=3x1x67xf32=random:-3:3 --input=67xf32=random:-3:3
// RUN: %{run} --function=functions --input=2x5x511xf32=random:-3:3 --input=2x1x511xf32=random:-3:3 --input=511xf32=random:-3:3
// RUN: %{run} --function=functions --input=2x1x4097xf32=random:-3:3 --input=2x1x4097xf32=random:-3:3 --input=4097xf32=random:-3:3
// RUN: %{run} --function=functions --input=2x0x7xf32=random:-3:3 --input=2x1x7xf32=random:-3:3 --input=7xf32=random:-3:3

// What lies column by column beside what does not, in spaces too small for tiles: of a vector in two rows every lane has an
// address of its own.
// DEFINE: %{static} = ew-run %s --device=emulated --check
// RUN: %{static} --function=turned --input=2x13xi16=random:-99:99 --input=2x13xi16,strides=1:2=random:-99:99 --input=13xi16=random:-99:99
// RUN: %{static} --function=transposed --input=5x2xf32=iota
// RUN: %{static} --function=transposed_wide --input=3x2xi64=iota
// RUN: %{static} --function=batches --input=2x5x2xf32=iota --input=5xf32=random:-3:3

// Views off an alignment by any distance, of what is dense and of what is stretched.
// RUN: %{run} --function=row --input=30x64xbf16,offset=1=random:-3:3 --input=64xbf16=random:-3:3
// RUN: %{run} --function=row --input=30x63xbf16,offset=3=random:-3:3 --input=63xbf16,offset=5=random:-3:3
// RUN: %{run} --function=row --input=30x65xbf16=random:-3:3 --input=65xbf16,offset=7=random:-3:3
// RUN: %{run} --function=bytes --input=20x37xi8,offset=13=random:-9:9 --input=37xi8,offset=11=random:-9:9
// RUN: %{run} --function=bytes --input=20x48xi8,offset=2=random:-9:9 --input=48xi8,offset=15=random:-9:9
// RUN: %{run} --function=middle --input=5x6x64xf32,offset=3=random:-3:3 --input=5x1x64xf32,offset=2=random:-3:3 --input=6x1xf32,offset=1=random:-3:3

// The output is off the alignment: lanes begin before the space, and the first ones know where they are.
// One byte beside eight, of another order of dimensions: vectors of the bytes are whole words all the same.
// RUN: %{run} --function=narrow --input=2x5x3xui8=random:0:255
// RUN: %{run} --function=narrow --input=2x100x3xui8,offset=1=random:0:255
// RUN: %{run} --function=in_place --input=20x33xf32,offset=3=random:-3:3 --input=33xf32=random:-3:3
// RUN: %{run} --function=in_place --input=1x2xf32,offset=1=random:-3:3 --input=2xf32,offset=3=random:-3:3
// RUN: %{run} --function=places --input=3x5x7xi16,offset=5=random:-9:9 --input=7xi16,offset=1=random:-9:9
// RUN: %{run} --function=places --input=9x2x43xi16,offset=7=random:-9:9 --input=43xi16=random:-9:9
// RUN: %{run} --function=places --input=2x3x1xi16,offset=2=random:-9:9 --input=1xi16=random:-9:9
// RUN: %{run} --function=places --input=2x2x400xi16,offset=1=random:-9:9 --input=400xi16,offset=7=random:-9:9

// RUN: ew-run %s --device=emulated --schedule=many=1 --explain --function=row --input=30x65xbf16=random:-3:3 --input=65xbf16=random:-3:3 | FileCheck %s --check-prefix=EXPLAIN
// EXPLAIN: kernel row_0_mul_dense
// EXPLAIN-NOT: make the innermost size

// RUN: %{run} --explain --function=functions --input=2x5x511xf32=random:-3:3 --input=2x1x511xf32=random:-3:3 --input=511xf32=random:-3:3 | FileCheck %s --check-prefix=ACROSS
// RUN: %{run} --explain --function=functions --input=2x5x512xf32=random:-3:3 --input=2x1x512xf32=random:-3:3 --input=512xf32=random:-3:3 | FileCheck %s --check-prefix=WHOLE
// RUN: %{run} --explain --function=functions --input=2x5x511xf32,offset=3=random:-3:3 --input=2x1x511xf32=random:-3:3 --input=511xf32=random:-3:3 | FileCheck %s --check-prefix=OFF
// ACROSS: kernel functions_0_{{.*}}_across
// ACROSS: not 'wide': the innermost size 511 is no multiple of 4
// WHOLE: kernel functions_0_{{.*}}_wide
// OFF: kernel functions_0_{{.*}}_dense
// OFF: not 'across': argument 0 is aligned to 4 bytes, not 16

func.func @row(%x: tensor<?x?xbf16>, %y: tensor<?xbf16>) -> tensor<?x?xbf16> {
  %0 = ew.broadcast %y like(%x : tensor<?x?xbf16>) : tensor<?xbf16> to tensor<?x?xbf16>
  %1 = ew.mul %x, %0 : tensor<?x?xbf16>
  return %1 : tensor<?x?xbf16>
}
func.func @column(%x: tensor<?x?xf16>, %c: tensor<?x1xf32>, %r: tensor<?xf32>) -> tensor<?x?xf16> {
  %0 = ew.cast %x : tensor<?x?xf16> to tensor<?x?xf32>
  %1 = ew.broadcast %c like(%x : tensor<?x?xf16>) : tensor<?x1xf32> to tensor<?x?xf32>
  %2 = ew.broadcast %r like(%x : tensor<?x?xf16>) : tensor<?xf32> to tensor<?x?xf32>
  %3 = ew.sub %0, %1 : tensor<?x?xf32>
  %4 = ew.mul %3, %2 : tensor<?x?xf32>
  %5 = ew.cast %4 : tensor<?x?xf32> to tensor<?x?xf16>
  return %5 : tensor<?x?xf16>
}
func.func @bytes(%x: tensor<?x?xi8>, %y: tensor<?xi8>) -> tensor<?x?xi8> {
  %0 = ew.broadcast %y like(%x : tensor<?x?xi8>) : tensor<?xi8> to tensor<?x?xi8>
  %1 = ew.sub %x, %0 : tensor<?x?xi8>
  return %1 : tensor<?x?xi8>
}
func.func @columns(%x: tensor<?x?xbf16>, %c: tensor<?x1xbf16>) -> tensor<?x?xbf16> {
  %0 = ew.broadcast %c like(%x : tensor<?x?xbf16>) : tensor<?x1xbf16> to tensor<?x?xbf16>
  %1 = ew.mul %x, %0 : tensor<?x?xbf16>
  return %1 : tensor<?x?xbf16>
}
func.func @column_bytes(%x: tensor<?x?xi8>, %c: tensor<?x1xi8>) -> tensor<?x?xi8> {
  %0 = ew.broadcast %c like(%x : tensor<?x?xi8>) : tensor<?x1xi8> to tensor<?x?xi8>
  %1 = ew.mul %x, %0 : tensor<?x?xi8>
  return %1 : tensor<?x?xi8>
}
func.func @middle(%x: tensor<?x?x?xf32>, %m: tensor<?x1x?xf32>, %c: tensor<?x1xf32>) -> tensor<?x?x?xf32> {
  %0 = ew.broadcast %m like(%x : tensor<?x?x?xf32>) : tensor<?x1x?xf32> to tensor<?x?x?xf32>
  %1 = ew.broadcast %c like(%x : tensor<?x?x?xf32>) : tensor<?x1xf32> to tensor<?x?x?xf32>
  %2 = ew.sub %x, %0 : tensor<?x?x?xf32>
  %3 = ew.mul %2, %1 : tensor<?x?x?xf32>
  return %3 : tensor<?x?x?xf32>
}
func.func @in_place(%x: tensor<?x?xf32> {ew.inplace = 0}, %y: tensor<?xf32>) -> tensor<?x?xf32> {
  %0 = ew.broadcast %y like(%x : tensor<?x?xf32>) : tensor<?xf32> to tensor<?x?xf32>
  %1 = ew.mul %x, %0 : tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}
func.func @functions(%x: tensor<?x?x?xf32>, %m: tensor<?x1x?xf32>, %r: tensor<?xf32>) -> tensor<?x?x?xf32> {
  %0 = ew.broadcast %m like(%x : tensor<?x?x?xf32>) : tensor<?x1x?xf32> to tensor<?x?x?xf32>
  %1 = ew.broadcast %r like(%x : tensor<?x?x?xf32>) : tensor<?xf32> to tensor<?x?x?xf32>
  %2 = ew.sub %x, %0 : tensor<?x?x?xf32>
  %3 = ew.mul %2, %1 : tensor<?x?x?xf32>
  %4 = ew.exp %3 : tensor<?x?x?xf32>
  return %4 : tensor<?x?x?xf32>
}
func.func @turned(%x: tensor<2x13xi16>, %y: tensor<2x13xi16> {ew.layout = array<i64: 1, 0>}, %r: tensor<13xi16>) -> tensor<2x13xi16> {
  %0 = ew.max %x, %y : tensor<2x13xi16>
  %1 = ew.broadcast %r like(%x : tensor<2x13xi16>) : tensor<13xi16> to tensor<2x13xi16>
  %2 = ew.add %0, %1 : tensor<2x13xi16>
  return %2 : tensor<2x13xi16>
}
func.func @transposed(%x: tensor<5x2xf32>) -> tensor<2x5xf32> {
  %0 = ew.transpose %x [1, 0] : tensor<5x2xf32> to tensor<2x5xf32>
  return %0 : tensor<2x5xf32>
}
func.func @transposed_wide(%x: tensor<3x2xi64>) -> tensor<2x3xi64> {
  %0 = ew.transpose %x [1, 0] : tensor<3x2xi64> to tensor<2x3xi64>
  return %0 : tensor<2x3xi64>
}
func.func @batches(%x: tensor<2x5x2xf32>, %r: tensor<5xf32>) -> tensor<2x2x5xf32> {
  %0 = ew.transpose %x [0, 2, 1] : tensor<2x5x2xf32> to tensor<2x2x5xf32>
  %1 = ew.broadcast %r : tensor<5xf32> to tensor<2x2x5xf32>
  %2 = ew.exp %0 : tensor<2x2x5xf32>
  %3 = ew.mul %2, %1 : tensor<2x2x5xf32>
  return %3 : tensor<2x2x5xf32>
}
func.func @places(%x: tensor<?x?x?xi16> {ew.inplace = 0}, %r: tensor<?xi16>) -> tensor<?x?x?xi16> {
  %i = ew.iota dimension(0) like(%x : tensor<?x?x?xi16>) : tensor<?x?x?xi16>
  %j = ew.iota dimension(1) like(%x : tensor<?x?x?xi16>) : tensor<?x?x?xi16>
  %k = ew.iota dimension(2) like(%x : tensor<?x?x?xi16>) : tensor<?x?x?xi16>
  %0 = ew.broadcast %r like(%x : tensor<?x?x?xi16>) : tensor<?xi16> to tensor<?x?x?xi16>
  %1 = ew.mul %x, %0 : tensor<?x?x?xi16>
  %2 = ew.mul %1, %j : tensor<?x?x?xi16>
  %3 = ew.xor %2, %i : tensor<?x?x?xi16>
  %4 = ew.add %3, %k : tensor<?x?x?xi16>
  return %4 : tensor<?x?x?xi16>
}

func.func @narrow(%x: tensor<2x?x3xui8>) -> tensor<?x2x3xf64> {
  %0 = ew.transpose %x [1, 0, 2] : tensor<2x?x3xui8> to tensor<?x2x3xui8>
  %1 = ew.cast %0 : tensor<?x2x3xui8> to tensor<?x2x3xf64>
  return %1 : tensor<?x2x3xf64>
}
