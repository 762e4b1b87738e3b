// Black and Scholes' prices of a call and a put.
func.func @black_scholes_f32(%spot: tensor<?xf32>, %strike: tensor<?xf32>, %time: tensor<?xf32>)
    -> (tensor<?xf32>, tensor<?xf32>) {
  %0 = ew.sqrt %time : tensor<?xf32>
  %1 = ew.constant 0.3 : f32
  %2 = ew.broadcast %1 like(%0 : tensor<?xf32>) : f32 to tensor<?xf32>
  %3 = ew.mul %2, %0 : tensor<?xf32>
  %4 = ew.div %spot, %strike : tensor<?xf32>
  %5 = ew.log %4 : tensor<?xf32>
  %6 = ew.constant 0.065 : f32
  %7 = ew.broadcast %6 like(%time : tensor<?xf32>) : f32 to tensor<?xf32>
  %8 = ew.mul %7, %time : tensor<?xf32>
  %9 = ew.add %5, %8 : tensor<?xf32>
  %10 = ew.div %9, %3 : tensor<?xf32>
  %11 = ew.sub %10, %3 : tensor<?xf32>
  %12 = ew.constant -0.02 : f32
  %13 = ew.broadcast %12 like(%time : tensor<?xf32>) : f32 to tensor<?xf32>
  %14 = ew.mul %13, %time : tensor<?xf32>
  %15 = ew.exp %14 : tensor<?xf32>
  %16 = ew.mul %strike, %15 : tensor<?xf32>
  %17 = ew.constant 0.7071067811865476 : f32
  %18 = ew.broadcast %17 like(%10 : tensor<?xf32>) : f32 to tensor<?xf32>
  %19 = ew.mul %10, %18 : tensor<?xf32>
  %20 = ew.erf %19 : tensor<?xf32>
  %21 = ew.constant 1.0 : f32
  %22 = ew.broadcast %21 like(%20 : tensor<?xf32>) : f32 to tensor<?xf32>
  %23 = ew.add %22, %20 : tensor<?xf32>
  %24 = ew.constant 0.5 : f32
  %25 = ew.broadcast %24 like(%23 : tensor<?xf32>) : f32 to tensor<?xf32>
  %26 = ew.mul %25, %23 : tensor<?xf32>
  %27 = ew.mul %spot, %26 : tensor<?xf32>
  %28 = ew.mul %11, %18 : tensor<?xf32>
  %29 = ew.erf %28 : tensor<?xf32>
  %30 = ew.add %22, %29 : tensor<?xf32>
  %31 = ew.mul %25, %30 : tensor<?xf32>
  %32 = ew.mul %16, %31 : tensor<?xf32>
  %33 = ew.sub %27, %32 : tensor<?xf32>
  %34 = ew.neg %11 : tensor<?xf32>
  %35 = ew.mul %34, %18 : tensor<?xf32>
  %36 = ew.erf %35 : tensor<?xf32>
  %37 = ew.add %22, %36 : tensor<?xf32>
  %38 = ew.mul %25, %37 : tensor<?xf32>
  %39 = ew.mul %16, %38 : tensor<?xf32>
  %40 = ew.neg %10 : tensor<?xf32>
  %41 = ew.mul %40, %18 : tensor<?xf32>
  %42 = ew.erf %41 : tensor<?xf32>
  %43 = ew.add %22, %42 : tensor<?xf32>
  %44 = ew.mul %25, %43 : tensor<?xf32>
  %45 = ew.mul %spot, %44 : tensor<?xf32>
  %46 = ew.sub %39, %45 : tensor<?xf32>
  return %33, %46 : tensor<?xf32>, tensor<?xf32>
}
