// The sum of two tensors, each of any size: the sizes must agree at run time.
func.func @add(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %sum = ew.add %x, %y : tensor<?xf32>
  return %sum : tensor<?xf32>
}
