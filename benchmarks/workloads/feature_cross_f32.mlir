// A feature cross: a column times a full tensor, a row, a residual.
func.func @feature_cross_f32(%x0: tensor<?x?xf32>, %xw: tensor<?x1xf32>, %bias: tensor<1x?xf32>, %x: tensor<?x?xf32>)
    -> tensor<?x?xf32> {
  %0 = ew.broadcast %xw like(%x0 : tensor<?x?xf32>) : tensor<?x1xf32> to tensor<?x?xf32>
  %1 = ew.mul %x0, %0 : tensor<?x?xf32>
  %2 = ew.broadcast %bias like(%1 : tensor<?x?xf32>) : tensor<1x?xf32> to tensor<?x?xf32>
  %3 = ew.add %1, %2 : tensor<?x?xf32>
  %4 = ew.add %3, %x : tensor<?x?xf32>
  return %4 : tensor<?x?xf32>
}
