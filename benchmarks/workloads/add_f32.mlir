// x + y.
func.func @add_f32(%x: tensor<?xf32>, %y: tensor<?xf32>)
    -> tensor<?xf32> {
  %0 = ew.add %x, %y : tensor<?xf32>
  return %0 : tensor<?xf32>
}
