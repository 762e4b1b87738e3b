// One step of AdamW: parameters, gradients, both moments.
func.func @adamw_f32(%p: tensor<?xf32>, %g: tensor<?xf32>, %m: tensor<?xf32>, %v: tensor<?xf32>)
    -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {
  %0 = ew.constant 0.9 : f32
  %1 = ew.broadcast %0 like(%m : tensor<?xf32>) : f32 to tensor<?xf32>
  %2 = ew.mul %1, %m : tensor<?xf32>
  %3 = ew.constant 0.1 : f32
  %4 = ew.broadcast %3 like(%g : tensor<?xf32>) : f32 to tensor<?xf32>
  %5 = ew.mul %4, %g : tensor<?xf32>
  %6 = ew.add %2, %5 : tensor<?xf32>
  %7 = ew.constant 0.999 : f32
  %8 = ew.broadcast %7 like(%v : tensor<?xf32>) : f32 to tensor<?xf32>
  %9 = ew.mul %8, %v : tensor<?xf32>
  %10 = ew.constant 0.001 : f32
  %11 = ew.broadcast %10 like(%g : tensor<?xf32>) : f32 to tensor<?xf32>
  %12 = ew.mul %11, %g : tensor<?xf32>
  %13 = ew.mul %12, %g : tensor<?xf32>
  %14 = ew.add %9, %13 : tensor<?xf32>
  %15 = ew.constant 0.9999 : f32
  %16 = ew.broadcast %15 like(%p : tensor<?xf32>) : f32 to tensor<?xf32>
  %17 = ew.mul %p, %16 : tensor<?xf32>
  %18 = ew.mul %11, %6 : tensor<?xf32>
  %19 = ew.sqrt %14 : tensor<?xf32>
  %20 = ew.constant 1.0e-08 : f32
  %21 = ew.broadcast %20 like(%19 : tensor<?xf32>) : f32 to tensor<?xf32>
  %22 = ew.add %19, %21 : tensor<?xf32>
  %23 = ew.div %18, %22 : tensor<?xf32>
  %24 = ew.sub %17, %23 : tensor<?xf32>
  return %24, %6, %14 : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
}
