// GELU (its tanh form) after a bias of one row.
func.func @bias_gelu_tanh_bf16(%x: tensor<?x?xbf16>, %bias: tensor<1x?xbf16>)
    -> tensor<?x?xbf16> {
  %0 = ew.broadcast %bias like(%x : tensor<?x?xbf16>) : tensor<1x?xbf16> to tensor<?x?xbf16>
  %1 = ew.add %x, %0 : tensor<?x?xbf16>
  %2 = ew.gelu %1 approximate(tanh) : tensor<?x?xbf16>
  return %2 : tensor<?x?xbf16>
}
