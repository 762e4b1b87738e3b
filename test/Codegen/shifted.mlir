// Dense buffers off the alignment are read and written in wide accesses all the same.
// RUN: ew-opt %s --ew-to-linalg --ew-schedule="choice=many=1" --ew-to-gpu --canonicalize --cse | FileCheck %s

// The first output decides where the lanes begin, and the inputs are shifted by what
// they are off against it.
// CHECK-LABEL: gpu.func @add_0_add_dense(
// CHECK: %[[OUT:.*]] = memref.extract_aligned_pointer_as_index
// CHECK: %[[X:.*]] = memref.extract_aligned_pointer_as_index
// CHECK: %[[Y:.*]] = memref.extract_aligned_pointer_as_index
// CHECK-COUNT-4: vector.load {{.*}} {alignment = 16 : i64} : memref<?xbf16>, vector<8xbf16>
// CHECK: ew.add
// CHECK: vector.store {{.*}} {alignment = 16 : i64} : memref<?xbf16>, vector<8xbf16>

// Every byte of every element, for every distance between buffers, and at the ends.
// DEFINE: %{run} = ew-run %s --device=emulated --schedule=many=1 --check --check-limit=10000
// RUN: %{run} --function=add --input=5000xbf16,offset=1=random:-3:3 --input=5000xbf16,offset=6=random:-3:3
// RUN: %{run} --function=add --input=1xbf16,offset=1=random:-3:3 --input=1xbf16,offset=6=random:-3:3
// RUN: %{run} --function=add --input=17xbf16,offset=7=random:-3:3 --input=17xbf16,offset=7=random:-3:3
// RUN: %{run} --function=bytes --input=4097xi8,offset=1=random:-128:127 --input=4097xi8,offset=2=random:-128:127
// RUN: %{run} --function=bytes --input=4097xi8,offset=3=random:-128:127 --input=4097xi8,offset=4=random:-128:127
// RUN: %{run} --function=bytes --input=4097xi8,offset=5=random:-128:127 --input=4097xi8,offset=6=random:-128:127
// RUN: %{run} --function=bytes --input=4097xi8,offset=7=random:-128:127 --input=4097xi8,offset=8=random:-128:127
// RUN: %{run} --function=bytes --input=4097xi8,offset=9=random:-128:127 --input=4097xi8,offset=10=random:-128:127
// RUN: %{run} --function=bytes --input=4097xi8,offset=11=random:-128:127 --input=4097xi8,offset=12=random:-128:127
// RUN: %{run} --function=bytes --input=4097xi8,offset=13=random:-128:127 --input=4097xi8,offset=14=random:-128:127
// RUN: %{run} --function=bytes --input=33xi8,offset=15=random:-128:127 --input=33xi8=random:-128:127
// RUN: %{run} --function=mixed --input=3001xf32,offset=1=random:-3:3 --input=3001xf16,offset=3=random:-3:3 --input=3001xi8,offset=2=random:-9:9
// RUN: %{run} --function=mixed --input=3001xf32,offset=2=random:-3:3 --input=3001xf16=random:-3:3 --input=3001xi8,offset=1=random:-9:9
// RUN: %{run} --function=wide --input=777xf64,offset=1=random:-3:3 --input=777xi1,offset=1=1

// The output is off the alignment, by another distance than the inputs; and of two
// outputs, the second.
// RUN: %{run} --function=in_place --input=1000xf32,offset=1=random:-3:3 --input=1000xf32=random:-3:3 --input=1000xf32=random:-3:3
// RUN: %{run} --function=in_place --input=1000xf32,offset=1=random:-3:3 --input=1000xf32,offset=2=random:-3:3 --input=1000xf32,offset=3=random:-3:3
// RUN: %{run} --function=in_place --input=5xf32,offset=3=random:-3:3 --input=5xf32,offset=3=random:-3:3 --input=5xf32=random:-3:3
// RUN: ew-run %s --device=emulated --schedule=many=1 --explain --function=in_place --input=1000xf32,offset=1=random:-3:3 --input=1000xf32=random:-3:3 --input=1000xf32=random:-3:3 | FileCheck %s --check-prefix=EXPLAIN
// EXPLAIN: kernel in_place_0_{{.*}}_dense

func.func @add(%x: tensor<?xbf16>, %y: tensor<?xbf16>) -> tensor<?xbf16> {
  %0 = ew.add %x, %y : tensor<?xbf16>
  return %0 : tensor<?xbf16>
}
func.func @bytes(%x: tensor<?xi8>, %y: tensor<?xi8>) -> tensor<?xi8> {
  %0 = ew.sub %x, %y : tensor<?xi8>
  return %0 : tensor<?xi8>
}
func.func @mixed(%x: tensor<?xf32>, %y: tensor<?xf16>, %z: tensor<?xi8>) -> (tensor<?xf16>, tensor<?xf32>) {
  %0 = ew.cast %y : tensor<?xf16> to tensor<?xf32>
  %1 = ew.mul %x, %0 : tensor<?xf32>
  %2 = ew.cast %z : tensor<?xi8> to tensor<?xf32>
  %3 = ew.sub %1, %2 : tensor<?xf32>
  %4 = ew.cast %3 : tensor<?xf32> to tensor<?xf16>
  return %4, %3 : tensor<?xf16>, tensor<?xf32>
}
func.func @wide(%x: tensor<?xf64>, %c: tensor<?xi1>) -> tensor<?xf64> {
  %0 = ew.neg %x : tensor<?xf64>
  %1 = ew.select %c, %x, %0 : tensor<?xf64>
  return %1 : tensor<?xf64>
}
func.func @in_place(%p: tensor<?xf32> {ew.inplace = 0}, %m: tensor<?xf32> {ew.inplace = 1}, %g: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %0 = ew.add %m, %g : tensor<?xf32>
  %1 = ew.sub %p, %0 : tensor<?xf32>
  return %1, %0 : tensor<?xf32>, tensor<?xf32>
}
