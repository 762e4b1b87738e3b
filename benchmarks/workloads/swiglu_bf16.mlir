// SwiGLU: silu(a) * b.
func.func @swiglu_bf16(%a: tensor<?xbf16>, %b: tensor<?xbf16>)
    -> tensor<?xbf16> {
  %0 = ew.silu %a : tensor<?xbf16>
  %1 = ew.mul %0, %b : tensor<?xbf16>
  return %1 : tensor<?xbf16>
}
