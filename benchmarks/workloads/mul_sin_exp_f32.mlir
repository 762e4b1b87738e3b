// exp(sin(x * y)).
func.func @mul_sin_exp_f32(%x: tensor<?xf32>, %y: tensor<?xf32>)
    -> tensor<?xf32> {
  %0 = ew.mul %x, %y : tensor<?xf32>
  %1 = ew.sin %0 : tensor<?xf32>
  %2 = ew.exp %1 : tensor<?xf32>
  return %2 : tensor<?xf32>
}
