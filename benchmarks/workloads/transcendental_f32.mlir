// More arithmetic than memory traffic.
func.func @transcendental_f32(%x: tensor<?xf32>)
    -> tensor<?xf32> {
  %0 = ew.abs %x : tensor<?xf32>
  %1 = ew.constant 1.0 : f32
  %2 = ew.broadcast %1 like(%0 : tensor<?xf32>) : f32 to tensor<?xf32>
  %3 = ew.add %0, %2 : tensor<?xf32>
  %4 = ew.log %3 : tensor<?xf32>
  %5 = ew.sin %4 : tensor<?xf32>
  %6 = ew.exp %5 : tensor<?xf32>
  %7 = ew.tanh %6 : tensor<?xf32>
  %8 = ew.cos %x : tensor<?xf32>
  %9 = ew.erf %8 : tensor<?xf32>
  %10 = ew.mul %7, %9 : tensor<?xf32>
  return %10 : tensor<?xf32>
}
