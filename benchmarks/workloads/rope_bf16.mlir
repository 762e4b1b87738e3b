// Rotary embedding: a rotation by angles given as rows of cosines and sines.
func.func @rope_bf16(%a: tensor<?x?xbf16>, %b: tensor<?x?xbf16>, %cos: tensor<1x?xbf16>, %sin: tensor<1x?xbf16>)
    -> (tensor<?x?xbf16>, tensor<?x?xbf16>) {
  %0 = ew.broadcast %cos like(%a : tensor<?x?xbf16>) : tensor<1x?xbf16> to tensor<?x?xbf16>
  %1 = ew.mul %a, %0 : tensor<?x?xbf16>
  %2 = ew.broadcast %sin like(%b : tensor<?x?xbf16>) : tensor<1x?xbf16> to tensor<?x?xbf16>
  %3 = ew.mul %b, %2 : tensor<?x?xbf16>
  %4 = ew.sub %1, %3 : tensor<?x?xbf16>
  %5 = ew.broadcast %cos like(%b : tensor<?x?xbf16>) : tensor<1x?xbf16> to tensor<?x?xbf16>
  %6 = ew.mul %b, %5 : tensor<?x?xbf16>
  %7 = ew.broadcast %sin like(%a : tensor<?x?xbf16>) : tensor<1x?xbf16> to tensor<?x?xbf16>
  %8 = ew.mul %a, %7 : tensor<?x?xbf16>
  %9 = ew.add %6, %8 : tensor<?x?xbf16>
  return %4, %9 : tensor<?x?xbf16>, tensor<?x?xbf16>
}
