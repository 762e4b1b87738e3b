// To i8 with a scale for each row and one zero point, and back. A cast to an
// integer saturates, so nothing has to be clamped; `round` says which integer.
func.func @quantize(%x: tensor<?x?xf16>, %scale: tensor<?x1xf32>, %zero: f32) -> tensor<?x?xi8> {
  %wide = ew.cast %x : tensor<?x?xf16> to tensor<?x?xf32>
  %s = ew.broadcast %scale like(%wide : tensor<?x?xf32>) : tensor<?x1xf32> to tensor<?x?xf32>
  %z = ew.broadcast %zero like(%wide : tensor<?x?xf32>) : f32 to tensor<?x?xf32>
  %scaled = ew.div %wide, %s : tensor<?x?xf32>
  %shifted = ew.add %scaled, %z : tensor<?x?xf32>
  %q = ew.cast %shifted round(nearest_even) : tensor<?x?xf32> to tensor<?x?xi8>
  return %q : tensor<?x?xi8>
}

func.func @dequantize(%q: tensor<?x?xi8>, %scale: tensor<?x1xf32>, %zero: f32) -> tensor<?x?xf16> {
  %wide = ew.cast %q : tensor<?x?xi8> to tensor<?x?xf32>
  %s = ew.broadcast %scale like(%wide : tensor<?x?xf32>) : tensor<?x1xf32> to tensor<?x?xf32>
  %z = ew.broadcast %zero like(%wide : tensor<?x?xf32>) : f32 to tensor<?x?xf32>
  %shifted = ew.sub %wide, %z : tensor<?x?xf32>
  %scaled = ew.mul %shifted, %s : tensor<?x?xf32>
  %x = ew.cast %scaled : tensor<?x?xf32> to tensor<?x?xf16>
  return %x : tensor<?x?xf16>
}
