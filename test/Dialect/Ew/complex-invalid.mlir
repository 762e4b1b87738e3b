// RUN: ew-opt %s --verify-diagnostics --split-input-file

func.func @no_order(%z: tensor<?xcomplex<f32>>) {
  // expected-error @+1 {{complex numbers have no order: the predicate must be oeq or une, not olt}}
  %b = ew.cmp olt, %z, %z : tensor<?xcomplex<f32>>
  return
}

// -----

func.func @not_for_complex(%z: tensor<?xcomplex<f32>>) {
  // expected-error @+1 {{operand #0 must be floating point of 8 to 64 bits, or a vector or ranked tensor of it, but got 'tensor<?xcomplex<f32>>'}}
  %y = ew.tan %z : tensor<?xcomplex<f32>>
  return
}

// -----

func.func @half_parts(%z: tensor<?xcomplex<f16>>) {
  // expected-error @+1 {{floating point or integer of 8 to 64 bits or complex, or a vector or ranked tensor of it, but got 'tensor<?xcomplex<f16>>'}}
  %y = ew.add %z, %z : tensor<?xcomplex<f16>>
  return
}

// -----

func.func @cast_to_real(%z: tensor<?xcomplex<f32>>) {
  // expected-error @+1 {{from 'complex<f32>' to 'f32' is not one number: use ew.complex, or ew.real and ew.imag}}
  %y = ew.cast %z : tensor<?xcomplex<f32>> to tensor<?xf32>
  return
}

// -----

func.func @cast_from_real(%x: tensor<?xf64>) {
  // expected-error @+1 {{from 'f64' to 'complex<f64>' is not one number: use ew.complex, or ew.real and ew.imag}}
  %y = ew.cast %x : tensor<?xf64> to tensor<?xcomplex<f64>>
  return
}

// -----

func.func @bits(%z: complex<f32>) {
  // expected-error @+1 {{operand #0 must be floating point, integer or boolean, or a vector or ranked tensor of it, but got 'complex<f32>'}}
  %y = ew.bitcast %z : complex<f32> to i64
  return
}

// -----

func.func @other_parts(%x: tensor<?xf64>) {
  // expected-error @+1 {{real has the type of the parts of result}}
  %z = "ew.complex"(%x, %x) : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xcomplex<f32>>
  return
}

// -----

func.func @part_of_real(%x: tensor<?xf32>) {
  // expected-error @+1 {{must be complex of f32 or f64, or a vector or ranked tensor of it, but got 'tensor<?xf32>'}}
  %y = ew.real %x : tensor<?xf32>
  return
}

// -----

func.func @complex_modulus(%z: tensor<?xcomplex<f32>>) {
  // expected-error @+1 {{result has the type of the parts of operand}}
  %y = "ew.abs"(%z) : (tensor<?xcomplex<f32>>) -> tensor<?xf64>
  return
}
