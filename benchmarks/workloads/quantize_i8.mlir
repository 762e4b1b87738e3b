// Quantization to i8 with a scale and a zero point.
func.func @quantize_i8(%x: tensor<?xf16>)
    -> tensor<?xi8> {
  %0 = ew.cast %x : tensor<?xf16> to tensor<?xf32>
  %1 = ew.constant 31.7 : f32
  %2 = ew.broadcast %1 like(%0 : tensor<?xf32>) : f32 to tensor<?xf32>
  %3 = ew.mul %0, %2 : tensor<?xf32>
  %4 = ew.round_even %3 : tensor<?xf32>
  %5 = ew.constant 3.0 : f32
  %6 = ew.broadcast %5 like(%4 : tensor<?xf32>) : f32 to tensor<?xf32>
  %7 = ew.add %4, %6 : tensor<?xf32>
  %8 = ew.constant -128.0 : f32
  %9 = ew.broadcast %8 like(%7 : tensor<?xf32>) : f32 to tensor<?xf32>
  %10 = ew.constant 127.0 : f32
  %11 = ew.broadcast %10 like(%7 : tensor<?xf32>) : f32 to tensor<?xf32>
  %12 = ew.clamp %7, %9, %11 : tensor<?xf32>
  %13 = ew.cast %12 : tensor<?xf32> to tensor<?xi8>
  return %13 : tensor<?xi8>
}
