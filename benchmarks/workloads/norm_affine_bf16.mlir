// What follows the statistics of a layer norm: columns of means and of
// reciprocal deviations, rows of gains and biases.
func.func @norm_affine_bf16(%x: tensor<?x?xbf16>, %mean: tensor<?x1xf32>, %rstd: tensor<?x1xf32>, %gain: tensor<1x?xbf16>, %bias: tensor<1x?xbf16>)
    -> tensor<?x?xbf16> {
  %0 = ew.cast %x : tensor<?x?xbf16> to tensor<?x?xf32>
  %1 = ew.broadcast %mean like(%0 : tensor<?x?xf32>) : tensor<?x1xf32> to tensor<?x?xf32>
  %2 = ew.sub %0, %1 : tensor<?x?xf32>
  %3 = ew.broadcast %rstd like(%2 : tensor<?x?xf32>) : tensor<?x1xf32> to tensor<?x?xf32>
  %4 = ew.mul %2, %3 : tensor<?x?xf32>
  %5 = ew.cast %gain : tensor<1x?xbf16> to tensor<1x?xf32>
  %6 = ew.broadcast %5 like(%4 : tensor<?x?xf32>) : tensor<1x?xf32> to tensor<?x?xf32>
  %7 = ew.mul %4, %6 : tensor<?x?xf32>
  %8 = ew.cast %bias : tensor<1x?xbf16> to tensor<1x?xf32>
  %9 = ew.broadcast %8 like(%7 : tensor<?x?xf32>) : tensor<1x?xf32> to tensor<?x?xf32>
  %10 = ew.add %7, %9 : tensor<?x?xf32>
  %11 = ew.cast %10 : tensor<?x?xf32> to tensor<?x?xbf16>
  return %11 : tensor<?x?xbf16>
}
