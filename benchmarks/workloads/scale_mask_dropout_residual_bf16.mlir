// Scale, mask, dropout and residual.
func.func @scale_mask_dropout_residual_bf16(%x: tensor<?xbf16>, %keep: tensor<?xui8>, %residual: tensor<?xbf16>)
    -> tensor<?xbf16> {
  %0 = ew.cast %x : tensor<?xbf16> to tensor<?xf32>
  %1 = ew.cast %keep : tensor<?xui8> to tensor<?xf32>
  %2 = ew.mul %0, %1 : tensor<?xf32>
  %3 = ew.constant 1.1111 : f32
  %4 = ew.broadcast %3 like(%2 : tensor<?xf32>) : f32 to tensor<?xf32>
  %5 = ew.mul %2, %4 : tensor<?xf32>
  %6 = ew.cast %residual : tensor<?xbf16> to tensor<?xf32>
  %7 = ew.add %5, %6 : tensor<?xf32>
  %8 = ew.cast %7 : tensor<?xf32> to tensor<?xbf16>
  return %8 : tensor<?xbf16>
}
