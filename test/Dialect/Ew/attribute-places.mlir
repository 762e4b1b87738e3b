// RUN: ew-opt %s --split-input-file --verify-diagnostics

// Attributes of ew's that stand where nothing looks for them would be taken for heeded.

func.func @choice(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'ew.exp' op has an 'ew.schedule_choice', which is for a linalg.generic}}
  %0 = ew.exp %x {ew.schedule_choice = "block=64"} : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// expected-error @+1 {{'func.func' op has an 'ew.split', which is for a linalg.generic}}
func.func @split() attributes {ew.split} {
  return
}

// -----

// expected-error @+1 {{'builtin.module' op has an 'ew.schedule_source', which is for a linalg.generic}}
module attributes {ew.schedule_source = "program"} {
}

// -----

func.func @origin(%x: f32) -> f32 {
  // expected-error @+1 {{'math.exp' op has an 'ew.schedule_origin', which is for a linalg.generic}}
  %0 = math.exp %x {ew.schedule_origin = "somebody"} : f32
  return %0 : f32
}

// -----

func.func @kernel(%x: f32) -> f32 {
  // expected-error @+1 {{'ew.exp' op has an 'ew.kernel', which is for functions}}
  %0 = ew.exp %x {ew.kernel} : f32
  return %0 : f32
}

// -----

func.func @shared(%x: f32) -> f32 {
  // expected-error @+1 {{'ew.exp' op has an 'ew.shared_bytes', which is for functions}}
  %0 = ew.exp %x {ew.shared_bytes = 64} : f32
  return %0 : f32
}

// -----

func.func @ops(%x: f32) -> f32 {
  // expected-error @+1 {{'ew.exp' op has an 'ew.ops', which is for kernels, each a linalg.generic or an ew.launch}}
  %0 = ew.exp %x {ew.ops = "exp"} : f32
  return %0 : f32
}

// -----

func.func @op(%x: f32) -> f32 {
  // expected-error @+1 {{'ew.exp' op has an 'ew.op', which is for ew.check_shapes}}
  %0 = ew.exp %x {ew.op = "exp"} : f32
  return %0 : f32
}

// -----

func.func @written_type(%x: f32) -> f32 {
  // expected-error @+1 {{'math.exp' op has an 'ew.written_type', which is for ew ops}}
  %0 = math.exp %x {ew.written_type = bf16} : f32
  return %0 : f32
}

// -----

#id = affine_map<(d0) -> (d0)>
func.func @where_they_belong(%x: tensor<4xf32>, %e: tensor<4xf32>) -> tensor<4xf32> attributes {ew.kernel, ew.shared_bytes = 0} {
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>)
      attrs = {ew.ops = "exp", ew.schedule_choice = "block=64", ew.schedule_origin = "here", ew.schedule_source = "here", ew.split} {
  ^bb0(%a: f32, %o: f32):
    %0 = ew.exp %a {ew.written_type = bf16} : f32
    linalg.yield %0 : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}
