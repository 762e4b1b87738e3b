// x plus the transpose of y.
func.func @transpose_add_f32(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>)
    -> tensor<?x?xf32> {
  %0 = ew.transpose %y [1, 0] : tensor<?x?xf32> to tensor<?x?xf32>
  %1 = ew.add %x, %0 : tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}
