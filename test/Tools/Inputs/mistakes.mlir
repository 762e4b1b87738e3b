func.func @neg(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = ew.neg %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @add(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %0 = ew.add %x, %y : tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func private @callee(%x: tensor<4xf32>) -> tensor<4xf32>
func.func @half(%x: tensor<4xf16>) -> tensor<4xf16> {
  return %x : tensor<4xf16>
}
