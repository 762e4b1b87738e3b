// RUN: ew-opt %s -split-input-file -verify-diagnostics

func.func @bits_of_float(%s: i64) {
  // expected-error @+1 {{distribution 'bits' is for i32 and ui32; floating point takes uniform or normal, and the result is 'f32'}}
  %0 = ew.philox %s, %s distribution(bits) : i64, i64 to tensor<4xf32>
  return
}

// -----

func.func @uniform_integers(%s: i64) {
  // expected-error @+1 {{distribution 'uniform' is for floating point; i32 and ui32 take bits, and the result is 'ui32'}}
  %0 = ew.philox %s, %s distribution(uniform) : i64, i64 to tensor<4xui32>
  return
}

// -----

func.func @normal_f64(%s: i64) {
  // expected-error @+1 {{distribution 'normal' is for f32, f16 and bf16, not 'f64'}}
  %0 = ew.philox %s, %s distribution(normal) : i64, i64 to tensor<4xf64>
  return
}

// -----

func.func @no_such_distribution(%s: i64) {
  // expected-error @+1 {{expected one of [bits, uniform, normal] for a distribution of random numbers, got: gauss}}
  %0 = ew.philox %s, %s distribution(gauss) : i64, i64 to tensor<4xf32>
  return
}

// -----

func.func @narrow_seed(%s: i32) {
  // expected-error @+1 {{operand #0 must be integer of 64 bits, or a tensor of rank 0 of it, but got 'i32'}}
  %0 = ew.philox %s, %s distribution(bits) : i32, i32 to tensor<4xi32>
  return
}

// -----

func.func @many_seeds(%s: tensor<4xi64>, %o: i64) {
  // expected-error @+1 {{operand #0 must be integer of 64 bits, or a tensor of rank 0 of it, but got 'tensor<4xi64>'}}
  %0 = ew.philox %s, %o distribution(bits) : tensor<4xi64>, i64 to tensor<4xi32>
  return
}

// -----

func.func @other_elements(%s: i64) {
  // expected-error @+1 {{result #0 must be ranked tensor of 64-bit float or 32-bit float or 16-bit float or bfloat16 type or 32-bit signless integer or 32-bit unsigned integer values, but got 'tensor<4xi8>'}}
  %0 = ew.philox %s, %s distribution(bits) : i64, i64 to tensor<4xi8>
  return
}

// -----

func.func @needs_like(%s: i64) {
  // expected-error @+1 {{needs `like` to give the result 'tensor<?xf32>' its dynamic sizes}}
  %0 = ew.philox %s, %s distribution(uniform) : i64, i64 to tensor<?xf32>
  return
}

// -----

func.func @unlike(%s: i64, %x: tensor<4xf32>) {
  // expected-error @+1 {{`like` must have the result's shape, but is 'tensor<4xf32>'}}
  %0 = ew.philox %s, %s distribution(uniform) like(%x : tensor<4xf32>) : i64, i64 to tensor<5xf32>
  return
}

// -----

func.func @rate_above_one(%x: tensor<4xf32>, %s: i64) {
  // expected-error @+1 {{rate must be from 0 to 1, not 1.5}}
  %0 = ew.dropout %x, %s, %s rate(1.5) : tensor<4xf32>, i64, i64
  return
}

// -----

func.func @rate_nan(%x: tensor<4xf32>, %s: i64) {
  // expected-error @+1 {{rate must be from 0 to 1, not NaN}}
  %0 = ew.dropout %x, %s, %s rate(0x7FF8000000000000) : tensor<4xf32>, i64, i64
  return
}

// -----

func.func @dropout_of_integers(%x: tensor<4xi32>, %s: i64) {
  // expected-error @+1 {{operand #0 must be ranked tensor of}}
  %0 = ew.dropout %x, %s, %s rate(0.5) : tensor<4xi32>, i64, i64
  return
}

// -----

func.func @no_iteration() -> i64 {
  // expected-error @+1 {{must stand in the body of a linalg.generic}}
  %0 = ew.linear_index : i64
  return %0 : i64
}

// -----

func.func @not_a_vector(%i: i64) {
  // expected-error @+1 {{`runs` must be a power of two that divides the size of a vector of one dimension, but is 2 on 'f32'}}
  %0 = ew.philox_at %i, %i, %i distribution(uniform) runs(2) : i64, i64, i64 to f32
  return
}

// -----

func.func @runs_of_three(%i: vector<6xi64>) {
  // expected-error @+1 {{`runs` must be a power of two that divides the size of a vector of one dimension, but is 3 on 'vector<6xf32>'}}
  %0 = ew.philox_at %i, %i, %i distribution(uniform) runs(3) : vector<6xi64>, vector<6xi64>, vector<6xi64> to vector<6xf32>
  return
}

// -----

func.func @no_runs(%i: vector<4xi64>) {
  // expected-error @+1 {{`runs` must be a power of two that divides the size of a vector of one dimension, but is 0 on 'vector<4xf32>'}}
  %0 = ew.philox_at %i, %i, %i distribution(uniform) runs(0) : vector<4xi64>, vector<4xi64>, vector<4xi64> to vector<4xf32>
  return
}

// -----

func.func @element_of_other_distribution(%i: i64) {
  // expected-error @+1 {{distribution 'uniform' is for floating point; i32 and ui32 take bits, and the result is 'i32'}}
  %0 = ew.philox_at %i, %i, %i distribution(uniform) : i64, i64, i64 to i32
  return
}
