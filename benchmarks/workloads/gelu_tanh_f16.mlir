// GELU (its tanh form).
func.func @gelu_tanh_f16(%x: tensor<?xf16>)
    -> tensor<?xf16> {
  %0 = ew.gelu %x approximate(tanh) : tensor<?xf16>
  return %0 : tensor<?xf16>
}
