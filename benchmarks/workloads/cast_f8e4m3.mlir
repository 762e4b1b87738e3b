// To f8E4M3FN, scaled and clamped.
func.func @cast_f8e4m3(%x: tensor<?xbf16>)
    -> tensor<?xf8E4M3FN> {
  %0 = ew.cast %x : tensor<?xbf16> to tensor<?xf32>
  %1 = ew.constant 16.0 : f32
  %2 = ew.broadcast %1 like(%0 : tensor<?xf32>) : f32 to tensor<?xf32>
  %3 = ew.mul %0, %2 : tensor<?xf32>
  %4 = ew.constant -448.0 : f32
  %5 = ew.broadcast %4 like(%3 : tensor<?xf32>) : f32 to tensor<?xf32>
  %6 = ew.constant 448.0 : f32
  %7 = ew.broadcast %6 like(%3 : tensor<?xf32>) : f32 to tensor<?xf32>
  %8 = ew.clamp %3, %5, %7 : tensor<?xf32>
  %9 = ew.cast %8 : tensor<?xf32> to tensor<?xf8E4M3FN>
  return %9 : tensor<?xf8E4M3FN>
}
