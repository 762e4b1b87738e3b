// RUN: ew-opt %s --ew-set-modes --split-input-file --verify-diagnostics
// RUN: not ew-opt %s --split-input-file --ew-set-modes=mode=loose 2>&1 | FileCheck %s

// CHECK: ew-set-modes: mode must be default, strict or fast, not 'loose'

func.func @misspelt(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{has an 'ew.mode' that is none of "strict", "default" and "fast": "quick"}}
  %0 = ew.exp %x {ew.mode = "quick"} : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// expected-error @+1 {{has an 'ew.mode' that is none of "strict", "default" and "fast": 1 : i64}}
func.func @no_name(%x: tensor<4xf32>) -> tensor<4xf32> attributes {ew.mode = 1} {
  return %x : tensor<4xf32>
}

// -----

func.func @view(%x: tensor<4xf32>) -> tensor<2x4xf32> {
  // expected-error @+1 {{has an 'ew.mode', which is for functions and arithmetic}}
  %0 = ew.broadcast %x {ew.mode = "fast"} : tensor<4xf32> to tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// -----

// expected-warning @+1 {{nothing reads the attribute 'mode'; did you mean 'ew.mode'?}}
func.func @without_prefix(%x: tensor<4xf32>) -> tensor<4xf32> attributes {mode = "fast"} {
  // expected-warning @+1 {{nothing reads the attribute 'mode'; did you mean 'ew.mode'?}}
  %0 = math.exp %x {mode = "strict"} : tensor<4xf32>
  return %0 : tensor<4xf32>
}
