// Edge cases of every access class, computed by the CPU's kernels and by the GPU's
// on fibres, and compared with the oracle: sizes around the vector's, odd rows,
// empty and single dimensions, views that are neither aligned nor contiguous.

// RUN: ew-run %s --function=dense --device=cpu --check --input=1xf32=random:-3:3 --input=1xbf16=random:-3:3
// RUN: ew-run %s --function=dense --device=cpu --check --input=35xf32=random:-3:3 --input=35xbf16=random:-3:3
// RUN: ew-run %s --function=dense --device=cpu --check --input=4099xf32=random:-3:3 --input=4099xbf16=random:-3:3
// RUN: ew-run %s --function=dense --device=emulated --schedule=many=1 --check --input=0xf32= --input=0xbf16=
// RUN: ew-run %s --function=dense --device=emulated --schedule=many=1 --check --input=1xf32=random:-3:3 --input=1xbf16=random:-3:3
// RUN: ew-run %s --function=dense --device=emulated --schedule=many=1 --check --input=3xf32=random:-3:3 --input=3xbf16=random:-3:3
// RUN: ew-run %s --function=dense --device=emulated --schedule=many=1 --check --input=4xf32=random:-3:3 --input=4xbf16=random:-3:3
// RUN: ew-run %s --function=dense --device=emulated --schedule=many=1 --check --input=1035xf32=random:-3:3 --input=1035xbf16=random:-3:3
// RUN: ew-run %s --function=dense --device=emulated --schedule=many=1 --check --input=1035xf32,offset=1=random:-3:3 --input=1035xbf16,offset=3=random:-3:3
// RUN: ew-run %s --function=dense --device=emulated --schedule=many=1 --check --input=1035xf32,strides=3=random:-3:3 --input=1035xbf16,strides=-2=random:-3:3
func.func @dense(%x: tensor<?xf32>, %y: tensor<?xbf16>) -> (tensor<?xf32>, tensor<?xbf16>, tensor<?xi1>) {
  %0 = ew.cast %y : tensor<?xbf16> to tensor<?xf32>
  %1 = ew.fma %x, %0, %x : tensor<?xf32>
  %2 = ew.cast %1 : tensor<?xf32> to tensor<?xbf16>
  %3 = ew.cmp olt, %1, %0 : tensor<?xf32>
  return %1, %2, %3 : tensor<?xf32>, tensor<?xbf16>, tensor<?xi1>
}

// RUN: ew-run %s --function=rows --device=cpu --check --input=7x1185xf32=random:-3:3 --input=1185xf32=random:-3:3 --input=7x1xf32=random:-3:3
// RUN: ew-run %s --function=rows --device=emulated --schedule=many=1 --check --input=3x5xf32=random:-3:3 --input=5xf32=random:-3:3 --input=3x1xf32=random:-3:3
// RUN: ew-run %s --function=rows --device=emulated --schedule=many=1 --check --input=0x5xf32= --input=5xf32=random:-3:3 --input=0x1xf32=
// RUN: ew-run %s --function=rows --device=emulated --schedule=many=1 --check --input=5x0xf32= --input=0xf32= --input=5x1xf32=random:-3:3
// RUN: ew-run %s --function=rows --device=emulated --schedule=many=1 --check --input=7x1185xf32=random:-3:3 --input=1185xf32=random:-3:3 --input=7x1xf32=random:-3:3
// RUN: ew-run %s --function=rows --device=emulated --schedule=many=1 --check --input=7x64xf32=random:-3:3 --input=64xf32=random:-3:3 --input=7x1xf32=random:-3:3
// RUN: ew-run %s --function=rows --device=emulated --schedule=many=1 --check --input=7x64xf32,offset=1=random:-3:3 --input=64xf32=random:-3:3 --input=7x1xf32=random:-3:3
// RUN: ew-run %s --function=rows --device=emulated --schedule=many=1 --check --input=7x64xf32,strides=100:1=random:-3:3 --input=64xf32,strides=2=random:-3:3 --input=7x1xf32=random:-3:3
// Sizes that turn out to be 1 are stretched.
// RUN: ew-run %s --function=rows --device=emulated --schedule=many=1 --check --input=7x64xf32=random:-3:3 --input=1xf32=random:-3:3 --input=1x1xf32=random:-3:3
// RUN: ew-run %s --function=rows --device=cpu --check --input=7x64xf32=random:-3:3 --input=1xf32=random:-3:3 --input=1x1xf32=random:-3:3
func.func @rows(%x: tensor<?x?xf32>, %row: tensor<?xf32>, %column: tensor<?x1xf32>) -> tensor<?x?xf32> {
  %0 = ew.broadcast %row like(%x : tensor<?x?xf32>) : tensor<?xf32> to tensor<?x?xf32>
  %1 = ew.broadcast %column like(%x : tensor<?x?xf32>) : tensor<?x1xf32> to tensor<?x?xf32>
  %2 = ew.mul %x, %0 : tensor<?x?xf32>
  %3 = ew.sub %2, %1 : tensor<?x?xf32>
  return %3 : tensor<?x?xf32>
}

// RUN: ew-run %s --function=transposed --device=cpu --check --input=33x65xf32=random:-3:3 --input=65x33xf16=random:-3:3
// RUN: ew-run %s --function=transposed --device=emulated --schedule=many=1 --check --input=1x1xf32=random:-3:3 --input=1x1xf16=random:-3:3
// RUN: ew-run %s --function=transposed --device=emulated --schedule=many=1 --check --input=33x65xf32=random:-3:3 --input=65x33xf16=random:-3:3
// RUN: ew-run %s --function=transposed --device=emulated --schedule=many=1 --check --input=64x128xf32=random:-3:3 --input=128x64xf16=random:-3:3
// RUN: ew-run %s --function=transposed --device=emulated --schedule=many=1 --check --input=3x200xf32,offset=1=random:-3:3 --input=200x3xf16,offset=1=random:-3:3
// RUN: ew-run %s --function=transposed --device=emulated --schedule=many=1 --check --input=33x65xf32=random:-3:3 --input=65x33xf16,strides=40:1=random:-3:3
func.func @transposed(%x: tensor<?x?xf32>, %y: tensor<?x?xf16>) -> tensor<?x?xf32> {
  %0 = ew.transpose %y [1, 0] : tensor<?x?xf16> to tensor<?x?xf16>
  %1 = ew.cast %0 : tensor<?x?xf16> to tensor<?x?xf32>
  %2 = ew.add %x, %1 : tensor<?x?xf32>
  return %2 : tensor<?x?xf32>
}

// RUN: ew-run %s --function=permuted --device=cpu --check --input=3x2x4x1x3x2x1x2x3xi32=random:-99:99 --input=2x1x3x2x3x2x3x4x1xi32=random:-99:99
// RUN: ew-run %s --function=permuted --device=emulated --schedule=many=1 --check --input=3x2x4x1x3x2x1x2x3xi32=random:-99:99 --input=2x1x3x2x3x2x3x4x1xi32=random:-99:99
func.func @permuted(%x: tensor<?x?x?x?x?x?x?x?x?xi32>, %y: tensor<?x?x?x?x?x?x?x?x?xi32>) -> tensor<?x?x?x?x?x?x?x?x?xi32> {
  %0 = ew.transpose %y [2, 0, 7, 8, 4, 3, 1, 5, 6] : tensor<?x?x?x?x?x?x?x?x?xi32> to tensor<?x?x?x?x?x?x?x?x?xi32>
  %1 = ew.sub %x, %0 : tensor<?x?x?x?x?x?x?x?x?xi32>
  return %1 : tensor<?x?x?x?x?x?x?x?x?xi32>
}

// RUN: ew-run %s --function=scalars --device=cpu --check --input=5x3xui8=random:0:255 --input=f32=2.5 --input=i1=1 --input=f32=random:-3:3
// RUN: ew-run %s --function=scalars --device=emulated --schedule=many=1 --check --input=5x3xui8=random:0:255 --input=f32=2.5 --input=i1=1 --input=f32=random:-3:3
func.func @scalars(%x: tensor<?x?xui8>, %s: f32, %p: i1, %z: tensor<f32>) -> (tensor<?x?xf32>, tensor<?x?xf8E4M3FN>, tensor<?x?xui8>) {
  %0 = ew.cast %x : tensor<?x?xui8> to tensor<?x?xf32>
  %1 = ew.broadcast %s like(%0 : tensor<?x?xf32>) : f32 to tensor<?x?xf32>
  %2 = ew.broadcast %p like(%0 : tensor<?x?xf32>) : i1 to tensor<?x?xi1>
  %3 = ew.broadcast %z like(%0 : tensor<?x?xf32>) : tensor<f32> to tensor<?x?xf32>
  %4 = ew.fma %0, %1, %3 : tensor<?x?xf32>
  %5 = ew.select %2, %4, %0 : tensor<?x?xf32>
  %6 = ew.cast %5 : tensor<?x?xf32> to tensor<?x?xf8E4M3FN>
  %7 = ew.iota dimension(1) like(%x : tensor<?x?xui8>) : tensor<?x?xui8>
  %8 = ew.add %x, %7 : tensor<?x?xui8>
  return %5, %6, %8 : tensor<?x?xf32>, tensor<?x?xf8E4M3FN>, tensor<?x?xui8>
}

// RUN: ew-run %s --function=iota --device=cpu --check --input=3x5x7xi64=random:-9:9
// RUN: ew-run %s --function=iota --device=emulated --schedule=many=1 --check --input=3x5x7xi64=random:-9:9
// RUN: ew-run %s --function=iota --device=emulated --schedule=many=1 --check --input=3x1x16xi64=random:-9:9
func.func @iota(%x: tensor<?x?x?xi64>) -> tensor<?x?x?xi64> {
  %0 = ew.iota dimension(0) like(%x : tensor<?x?x?xi64>) : tensor<?x?x?xi64>
  %1 = ew.iota dimension(2) like(%x : tensor<?x?x?xi64>) : tensor<?x?x?xi64>
  %2 = ew.mul %0, %x : tensor<?x?x?xi64>
  %3 = ew.add %2, %1 : tensor<?x?x?xi64>
  return %3 : tensor<?x?x?xi64>
}

// RUN: ew-run %s --function=rank0 --device=cpu --check --input=f64=2
// RUN: ew-run %s --function=rank0 --device=emulated --schedule=many=1 --check --input=f64=2
func.func @rank0(%x: tensor<f64>) -> tensor<f64> {
  %0 = ew.div %x, %x : tensor<f64>
  return %0 : tensor<f64>
}

// Too few columns for a tile: read where they stand.
// RUN: ew-run %s --function=channels --device=cpu --check --input=3x70xf32=random:-3:3 --input=70x4xf32=random:-3:3 --input=4x70xf32=random:-3:3
// RUN: ew-run %s --function=channels --device=emulated --schedule=many=1 --check --input=3x70xf32=random:-3:3 --input=70x4xf32=random:-3:3 --input=4x70xf32=random:-3:3
// RUN: ew-run %s --function=channels --device=emulated --schedule=many=1 --check --input=3x1xf32=random:-3:3 --input=1x4xf32=random:-3:3 --input=4x1xf32=random:-3:3
func.func @channels(%x: tensor<3x?xf32>, %y: tensor<?x4xf32>, %z: tensor<4x?xf32>) -> (tensor<?x3xf32>, tensor<?x4xf32>) {
  %0 = ew.transpose %x [1, 0] : tensor<3x?xf32> to tensor<?x3xf32>
  %1 = ew.neg %0 : tensor<?x3xf32>
  %2 = ew.transpose %z [1, 0] : tensor<4x?xf32> to tensor<?x4xf32>
  %3 = ew.add %y, %2 : tensor<?x4xf32>
  return %1, %3 : tensor<?x3xf32>, tensor<?x4xf32>
}

// A column, a row, an index and a batch beside what goes through the tile.
// RUN: ew-run %s --function=tile_and_others --device=emulated --schedule=many=1 --check --input=2x33x35xf32=random:-3:3 --input=2x35x33xf32=random:-3:3 --input=33x1xf32=random:-3:3 --input=35xf32=random:-3:3
// RUN: ew-run %s --function=tile_and_others --device=cpu --check --input=2x33x35xf32=random:-3:3 --input=2x35x33xf32=random:-3:3 --input=33x1xf32=random:-3:3 --input=35xf32=random:-3:3
func.func @tile_and_others(%x: tensor<?x?x?xf32>, %y: tensor<?x?x?xf32>, %c: tensor<?x1xf32>, %r: tensor<?xf32>) -> tensor<?x?x?xf32> {
  %0 = ew.transpose %y [0, 2, 1] : tensor<?x?x?xf32> to tensor<?x?x?xf32>
  %1 = ew.broadcast %c like(%x : tensor<?x?x?xf32>) : tensor<?x1xf32> to tensor<?x?x?xf32>
  %2 = ew.broadcast %r like(%x : tensor<?x?x?xf32>) : tensor<?xf32> to tensor<?x?x?xf32>
  %3 = ew.iota dimension(1) like(%x : tensor<?x?x?xf32>) : tensor<?x?x?xf32>
  %4 = ew.add %x, %0 : tensor<?x?x?xf32>
  %5 = ew.fma %4, %1, %2 : tensor<?x?x?xf32>
  %6 = ew.add %5, %3 : tensor<?x?x?xf32>
  return %6 : tensor<?x?x?xf32>
}
