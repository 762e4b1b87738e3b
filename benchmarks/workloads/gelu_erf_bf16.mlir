// GELU, exact.
func.func @gelu_erf_bf16(%x: tensor<?xbf16>)
    -> tensor<?xbf16> {
  %0 = ew.gelu %x : tensor<?xbf16>
  return %0 : tensor<?xbf16>
}
