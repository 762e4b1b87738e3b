func.func @f(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %0 = ew.mul %x, %y : tensor<?xf32>
  %1 = ew.tanh %0 : tensor<?xf32>
  return %1 : tensor<?xf32>
}
func.func @step(%p: tensor<?xf32> {ew.inplace = 0}, %g: tensor<?xf32>) -> tensor<?xf32> {
  %0 = ew.sub %p, %g : tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func @transposed(%x: tensor<64x64xf32>, %y: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = ew.transpose %x [1, 0] : tensor<64x64xf32> to tensor<64x64xf32>
  %1 = ew.add %0, %y : tensor<64x64xf32>
  return %1 : tensor<64x64xf32>
}
