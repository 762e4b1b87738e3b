// AdamW with gradients and the first moment in bf16, and a bf16 copy of the parameters.
func.func @adamw_mixed(%p: tensor<?xf32>, %g: tensor<?xbf16>, %m: tensor<?xbf16>, %v: tensor<?xf32>)
    -> (tensor<?xf32>, tensor<?xbf16>, tensor<?xf32>, tensor<?xbf16>) {
  %0 = ew.cast %g : tensor<?xbf16> to tensor<?xf32>
  %1 = ew.cast %m : tensor<?xbf16> to tensor<?xf32>
  %2 = ew.constant 0.9 : f32
  %3 = ew.broadcast %2 like(%1 : tensor<?xf32>) : f32 to tensor<?xf32>
  %4 = ew.mul %3, %1 : tensor<?xf32>
  %5 = ew.constant 0.1 : f32
  %6 = ew.broadcast %5 like(%0 : tensor<?xf32>) : f32 to tensor<?xf32>
  %7 = ew.mul %6, %0 : tensor<?xf32>
  %8 = ew.add %4, %7 : tensor<?xf32>
  %9 = ew.constant 0.999 : f32
  %10 = ew.broadcast %9 like(%v : tensor<?xf32>) : f32 to tensor<?xf32>
  %11 = ew.mul %10, %v : tensor<?xf32>
  %12 = ew.constant 0.001 : f32
  %13 = ew.broadcast %12 like(%0 : tensor<?xf32>) : f32 to tensor<?xf32>
  %14 = ew.mul %13, %0 : tensor<?xf32>
  %15 = ew.mul %14, %0 : tensor<?xf32>
  %16 = ew.add %11, %15 : tensor<?xf32>
  %17 = ew.constant 0.9999 : f32
  %18 = ew.broadcast %17 like(%p : tensor<?xf32>) : f32 to tensor<?xf32>
  %19 = ew.mul %p, %18 : tensor<?xf32>
  %20 = ew.mul %13, %8 : tensor<?xf32>
  %21 = ew.sqrt %16 : tensor<?xf32>
  %22 = ew.constant 1.0e-08 : f32
  %23 = ew.broadcast %22 like(%21 : tensor<?xf32>) : f32 to tensor<?xf32>
  %24 = ew.add %21, %23 : tensor<?xf32>
  %25 = ew.div %20, %24 : tensor<?xf32>
  %26 = ew.sub %19, %25 : tensor<?xf32>
  %27 = ew.cast %8 : tensor<?xf32> to tensor<?xbf16>
  %28 = ew.cast %26 : tensor<?xf32> to tensor<?xbf16>
  return %26, %27, %16, %28 : tensor<?xf32>, tensor<?xbf16>, tensor<?xf32>, tensor<?xbf16>
}
