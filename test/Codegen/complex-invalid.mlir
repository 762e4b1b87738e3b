// RUN: ew-opt %s --ew-fuse --ew-schedule --ew-to-gpu -split-input-file -verify-diagnostics

func.func @unsplit(%z: tensor<?xcomplex<f32>>) -> tensor<?xcomplex<f32>> {
  // expected-error @below {{'ew.exp' of complex numbers is in a kernel that ew-split-complex has not been run on}}
  %0 = ew.exp %z : tensor<?xcomplex<f32>>
  return %0 : tensor<?xcomplex<f32>>
}

// -----

func.func @number(%z: tensor<4xcomplex<f32>>, %c: complex<f32>) -> tensor<4xcomplex<f32>> {
  %b = ew.broadcast %c : complex<f32> to tensor<4xcomplex<f32>>
  // expected-error @below {{reads a complex number that is no tensor: a kernel takes one as a tensor of rank 0}}
  %0 = ew.add %z, %b : tensor<4xcomplex<f32>>
  return %0 : tensor<4xcomplex<f32>>
}
