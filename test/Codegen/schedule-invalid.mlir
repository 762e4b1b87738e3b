// RUN: ew-opt %s --ew-schedule -split-input-file -verify-diagnostics
// RUN: not ew-opt %s --ew-schedule=chip=sm_42 -split-input-file 2>&1 | FileCheck %s --check-prefix=CHIP
// RUN: not ew-opt %s --ew-schedule=target=tpu -split-input-file 2>&1 | FileCheck %s --check-prefix=TARGET
// RUN: not ew-opt %s --ew-schedule="target=cpu vector-bytes=48" -split-input-file 2>&1 | FileCheck %s --check-prefix=BYTES

// CHIP: error: ew-schedule: unknown chip 'sm_42'; EW knows sm_80, sm_86,
// TARGET: error: ew-schedule: target must be gpu or cpu, not 'tpu'
// BYTES: error: ew-schedule: vector-bytes must be a power of two from 4 to 256

#id = affine_map<(d0) -> (d0)>
func.func @reads_output(%e: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @below {{reads an output}}
  %r = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]}
      outs(%e : tensor<?xf32>) attrs = {ew.ops = "copy"} {
  ^bb0(%o: f32):
    linalg.yield %o : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#tr = affine_map<(d0, d1) -> (d1, d0)>
func.func @output_map(%x: tensor<?x?xf32>, %e: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-error @below {{has an output map other than the identity}}
  %r = linalg.generic {indexing_maps = [#id, #tr], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) attrs = {ew.ops = "copy"} {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

#diagonal = affine_map<(d0) -> (d0, d0)>
#id = affine_map<(d0) -> (d0)>
func.func @diagonal(%x: tensor<?x?xf32>, %e: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @below {{reads an operand along a diagonal}}
  %r = linalg.generic {indexing_maps = [#diagonal, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<?x?xf32>) outs(%e : tensor<?xf32>) attrs = {ew.ops = "copy"} {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

#first = affine_map<(d0) -> (d0, 0)>
#id = affine_map<(d0) -> (d0)>
func.func @fixed(%x: tensor<?x?xf32>, %e: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @below {{has an indexing map that is neither a loop nor 0 along a dimension of size 1}}
  %r = linalg.generic {indexing_maps = [#first, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<?x?xf32>) outs(%e : tensor<?xf32>) attrs = {ew.ops = "copy"} {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

#id = affine_map<(d0) -> (d0)>
func.func @encoding(%x: tensor<?xf32, "packed">, %e: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @below {{takes a tensor of encoding "packed" as operand 0, and kernels know dense tensors only}}
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<?xf32, "packed">) outs(%e : tensor<?xf32>) attrs = {ew.ops = "copy"} {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

#id = affine_map<(d0) -> (d0)>
#sum = affine_map<(d0) -> ()>
func.func @reduction(%x: tensor<?xf32>, %e: tensor<f32>) -> tensor<f32> {
  // expected-error @below {{must have parallel loops only to become a kernel}}
  %r = linalg.generic {indexing_maps = [#id, #sum], iterator_types = ["reduction"]}
      ins(%x : tensor<?xf32>) outs(%e : tensor<f32>) attrs = {ew.ops = "copy"} {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<f32>
  return %r : tensor<f32>
}
