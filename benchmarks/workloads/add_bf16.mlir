// x + y.
func.func @add_bf16(%x: tensor<?xbf16>, %y: tensor<?xbf16>)
    -> tensor<?xbf16> {
  %0 = ew.add %x, %y : tensor<?xbf16>
  return %0 : tensor<?xbf16>
}
