// RUN: ew-opt %s --split-input-file --verify-diagnostics

// A name without a dialect's prefix is the op's own, or a slip.

func.func @misspelt(%x: f32) -> f32 {
  // expected-error @+1 {{'ew.elu' op has no attribute 'alhpa'; did you mean 'alpha'?}}
  %0 = ew.elu %x {alhpa = 0.5} : f32
  return %0 : f32
}

// -----

func.func @generic(%x: f32) -> f32 {
  // expected-error @+1 {{'ew.leaky_relu' op has no attribute 'Alpha'; did you mean 'alpha'?}}
  %0 = "ew.leaky_relu"(%x) {Alpha = 0.5} : (f32) -> f32
  return %0 : f32
}

// -----

func.func @without_prefix(%x: f32) -> f32 {
  // expected-error @+1 {{'ew.exp' op has no attribute 'mode'; did you mean 'ew.mode'?}}
  %0 = ew.exp %x {mode = "strict"} : f32
  return %0 : f32
}

// -----

func.func @bound_without_prefix(%x: f32) -> f32 {
  // expected-error @+1 {{'ew.exp' op has no attribute 'error_bond'; did you mean 'ew.error_bound'?}}
  %0 = ew.exp %x {error_bond = 1.0} : f32
  return %0 : f32
}

// -----

func.func @of_another_op(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'ew.relu' op has no attribute 'slope'; those of other dialects begin with a prefix, as in 'dialect.slope'}}
  %0 = ew.relu %x {slope = 0.1} : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @of_dialect(%x: f32) -> f32 {
  // expected-error @+1 {{'ew.exp' op has an attribute 'ew.eror_bound' that ew does not know; did you mean 'ew.error_bound'?}}
  %0 = ew.exp %x {ew.eror_bound = 1.0} : f32
  return %0 : f32
}

// -----

// expected-error @+1 {{'func.func' op has an attribute 'ew.mdoe' that ew does not know; did you mean 'ew.mode'?}}
func.func @of_function() attributes {ew.mdoe = "strict"} {
  return
}

// -----

func.func @integer(%x: f32) -> f32 {
  // expected-error @+1 {{'ew.elu' op attribute 'alpha' failed to satisfy constraint: a number of f64, as 1.0}}
  %0 = ew.elu %x {alpha = 1} : f32
  return %0 : f32
}

// -----

func.func @wrong_type(%x: f32) -> f32 {
  // expected-error @+1 {{'ew.gelu' op attribute 'approximate' failed to satisfy constraint: a definition of GELU}}
  %0 = ew.gelu %x {approximate = "tanh"} : f32
  return %0 : f32
}

// -----

func.func @unknown_op(%x: f32) -> f32 {
  // expected-error @+1 {{custom op 'ew.epx' is unknown; did you mean 'ew.exp'?}}
  %0 = ew.epx %x : f32
  return %0 : f32
}

// -----

func.func @far_off(%x: f32) -> f32 {
  // expected-error @+1 {{custom op 'ew.frobnicate' is unknown}}
  %0 = ew.frobnicate %x : f32
  return %0 : f32
}

// -----

func.func @bound_of_integers(%x: i32) -> i32 {
  // expected-error @+1 {{'ew.abs' op has an 'ew.error_bound', which is for ew ops with a result of floating point}}
  %0 = ew.abs %x {ew.error_bound = 1.0} : i32
  return %0 : i32
}

// -----

func.func @bound_of_math(%x: f32) -> f32 {
  // expected-error @+1 {{'math.exp' op has an 'ew.error_bound', which is for ew ops with a result of floating point}}
  %0 = math.exp %x {ew.error_bound = 1.0} : f32
  return %0 : f32
}

// -----

// expected-error @+1 {{'func.func' op has an 'ew.error_bound', which is for ew ops with a result of floating point}}
func.func @bound_of_function() attributes {ew.error_bound = 1.0} {
  return
}

// -----

// The dictionary would win, and the rate that stands first be taken for the one that counts.
func.func @twice(%x: tensor<4xf32>, %seed: i64, %offset: i64) -> tensor<4xf32> {
  // expected-error @+1 {{custom op 'ew.dropout' has 'rate' in its own syntax, and in its attribute dictionary once more}}
  %0 = ew.dropout %x, %seed, %offset rate(0.5) {rate = 0.1} : tensor<4xf32>, i64, i64
  return %0 : tensor<4xf32>
}

// -----

func.func @twice_constant() -> f32 {
  // expected-error @+1 {{custom op 'ew.constant' has 'value' in its own syntax, and in its attribute dictionary once more}}
  %0 = ew.constant {value = 2.0 : f32} 1.0 : f32
  return %0 : f32
}

// -----

func.func @twice_enum(%x: f32, %y: f32) -> i1 {
  // expected-error @+1 {{custom op 'ew.cmp' has 'predicate' in its own syntax, and in its attribute dictionary once more}}
  %0 = ew.cmp lt, %x, %y {predicate = #ew<predicate gt>} : f32
  return %0 : i1
}

// -----

// What is left out of an op's own syntax may stand in the dictionary.
func.func @once(%x: tensor<4xf32>, %seed: i64, %offset: i64) -> tensor<4xf32> {
  %0 = ew.dropout %x, %seed, %offset rate(0.5) {stream = 3} : tensor<4xf32>, i64, i64
  return %0 : tensor<4xf32>
}

// -----

func.func @property(%x: f32) -> f32 {
  // expected-error @+1 {{invalid properties {alhpa = 5.000000e-01 : f64} for op ew.elu: there is no attribute 'alhpa'; did you mean 'alpha'?}}
  %0 = "ew.elu"(%x) <{alhpa = 0.5}> : (f32) -> f32
  return %0 : f32
}

// -----

func.func @property_of_another_op(%x: f32) -> f32 {
  // expected-error @+1 {{for op ew.exp: this operation does not support properties}}
  %0 = "ew.exp"(%x) <{alpha = 0.5}> : (f32) -> f32
  return %0 : f32
}

// -----

func.func @no_dictionary(%x: f32) -> f32 {
  // expected-error @+1 {{expected DictionaryAttr to set properties}}
  %0 = "ew.elu"(%x) <"alpha"> : (f32) -> f32
  return %0 : f32
}
