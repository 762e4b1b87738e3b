// Dequantization with a scale for each column.
func.func @dequantize_i8_col(%q: tensor<?x?xi8>, %scale: tensor<1x?xf32>)
    -> tensor<?x?xbf16> {
  %0 = ew.cast %q : tensor<?x?xi8> to tensor<?x?xf32>
  %1 = ew.constant 3.0 : f32
  %2 = ew.broadcast %1 like(%0 : tensor<?x?xf32>) : f32 to tensor<?x?xf32>
  %3 = ew.sub %0, %2 : tensor<?x?xf32>
  %4 = ew.broadcast %scale like(%3 : tensor<?x?xf32>) : tensor<1x?xf32> to tensor<?x?xf32>
  %5 = ew.mul %3, %4 : tensor<?x?xf32>
  %6 = ew.cast %5 : tensor<?x?xf32> to tensor<?x?xbf16>
  return %6 : tensor<?x?xbf16>
}
