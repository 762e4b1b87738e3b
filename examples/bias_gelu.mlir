// GELU, in its tanh form, after a bias that is the same for every row. The
// broadcast is a view: the kernel reads each element of the bias from where it is.
func.func @bias_gelu(%x: tensor<?x?xbf16>, %bias: tensor<?xbf16>) -> tensor<?x?xbf16> {
  %rows = ew.broadcast %bias like(%x : tensor<?x?xbf16>) : tensor<?xbf16> to tensor<?x?xbf16>
  %biased = ew.add %x, %rows : tensor<?x?xbf16>
  %y = ew.gelu %biased approximate(tanh) : tensor<?x?xbf16>
  return %y : tensor<?x?xbf16>
}
