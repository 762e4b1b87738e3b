// RUN: ew-opt %s --ew-fuse --ew-schedule="choice=many=1" --ew-to-gpu --canonicalize --cse | FileCheck %s --check-prefix=GPU
// RUN: ew-opt %s --ew-fuse "--ew-schedule=target=cpu vector-bytes=32" --ew-to-cpu --canonicalize --cse | FileCheck %s --check-prefix=CPU

// Lanes that follow each other share their blocks; others cannot. Places have 64
// bits, whatever the indices have.
// GPU: gpu.func @uniform_0_philox_wide(
// GPU: ew.philox_at {{.*}} distribution(uniform) runs(4) : vector<
// GPU: gpu.func @uniform_0_philox_dense(
// GPU: arith.extui %{{.*}} : i32 to i64
// GPU: vector.from_elements
// GPU: ew.philox_at {{.*}} distribution(uniform) : vector<
// GPU: gpu.func @uniform_0_philox_general64(
// GPU-NOT: arith.extui
// GPU: ew.philox_at {{.*}} distribution(uniform) : vector<
// CPU: func.func @uniform_0_philox_dense(
// CPU: ew.philox_at {{.*}} distribution(uniform) runs(8) : vector<
func.func @uniform(%x: tensor<?xf32>, %s: i64) -> tensor<?xf32> {
  %0 = ew.philox %s, %s distribution(uniform) like(%x : tensor<?xf32>) : i64, i64 to tensor<?xf32>
  return %0 : tensor<?xf32>
}

// Loops are merged: no coordinate is asked for.
// GPU: gpu.func @plane_0_philox_wide(
// GPU-NOT: arith.remui
// GPU: ew.philox_at {{.*}} runs(
// CPU: func.func @plane_0_philox_dense(
// CPU-NOT: arith.remui
// CPU: ew.philox_at {{.*}} runs(
func.func @plane(%x: tensor<?x?xf32>, %s: i64) -> tensor<?x?xf32> {
  %0 = ew.philox %s, %s distribution(uniform) like(%x : tensor<?x?xf32>) : i64, i64 to tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// On a CPU rows begin at vectors only if they are known to be whole ones.
// CPU: func.func @rows_0_philox_add_dense(
// CPU: ew.philox_at {{.*}} distribution(uniform) : vector<
func.func @rows(%x: tensor<?x?xf32>, %r: tensor<?xf32>, %s: i64) -> tensor<?x?xf32> {
  %0 = ew.philox %s, %s distribution(uniform) like(%x : tensor<?x?xf32>) : i64, i64 to tensor<?x?xf32>
  %1 = ew.broadcast %r like(%x : tensor<?x?xf32>) : tensor<?xf32> to tensor<?x?xf32>
  %2 = ew.add %0, %1 : tensor<?x?xf32>
  return %2 : tensor<?x?xf32>
}
// CPU: func.func @whole_rows_0_philox_add_dense(
// CPU: ew.philox_at {{.*}} distribution(uniform) runs(8) : vector<
func.func @whole_rows(%x: tensor<?x64xf32>, %r: tensor<64xf32>, %s: i64) -> tensor<?x64xf32> {
  %0 = ew.philox %s, %s distribution(uniform) like(%x : tensor<?x64xf32>) : i64, i64 to tensor<?x64xf32>
  %1 = ew.broadcast %r like(%x : tensor<?x64xf32>) : tensor<64xf32> to tensor<?x64xf32>
  %2 = ew.add %0, %1 : tensor<?x64xf32>
  return %2 : tensor<?x64xf32>
}

// Read through views: drawn where the op says, moved after that.
// RUN: ew-run %s --function=views --device=cpu --check --input=7x33xf32=random:-3:3 --input=i64=5 | FileCheck %s --check-prefix=RIGHT
// RUN: ew-run %s --function=views --device=emulated --schedule=many=1 --check --input=7x33xf32=random:-3:3 --input=i64=5 | FileCheck %s --check-prefix=RIGHT
// RUN: ew-run %s --function=views --device=emulated --schedule=many=1 --mode=strict --check --input=7x33xf32,strides=100:3=random:-3:3 --input=i64=5 | FileCheck %s --check-prefix=RIGHT
// RIGHT-NOT: wrong
// RIGHT: result 0
func.func @views(%x: tensor<?x?xf32>, %s: i64) -> (tensor<?x?xf32>, tensor<?x?xbf16>) {
  %t = ew.transpose %x [1, 0] : tensor<?x?xf32> to tensor<?x?xf32>
  %0 = ew.philox %s, %s distribution(uniform) like(%t : tensor<?x?xf32>) : i64, i64 to tensor<?x?xf32>
  %1 = ew.transpose %0 [1, 0] : tensor<?x?xf32> to tensor<?x?xf32>
  %2 = ew.mul %x, %1 : tensor<?x?xf32>
  %3 = ew.cast %x : tensor<?x?xf32> to tensor<?x?xbf16>
  %4 = ew.dropout %3, %s, %s rate(0.2) stream(1) : tensor<?x?xbf16>, i64, i64
  %5 = ew.add %4, %3 : tensor<?x?xbf16>
  return %2, %5 : tensor<?x?xf32>, tensor<?x?xbf16>
}

// Four elements share a block: 19 products, one of the first round being known.
// RUN: ew-run %s --function=four --emit=ptx --chip=sm_90 --schedule=many=1 | FileCheck %s --check-prefix=PTX
// PTX: .entry four_0_philox_wide(
// PTX-COUNT-19: mul.hi.u32
// PTX-NOT: mul.hi.u32
// PTX: st.global.v4
// PTX-NOT: mul.hi.u32
// PTX: .entry four_0_philox_dense(
func.func @four(%s: i64) -> tensor<4xf32> {
  %0 = ew.philox %s, %s distribution(uniform) : i64, i64 to tensor<4xf32>
  return %0 : tensor<4xf32>
}
