// Binary cross entropy of logits, in its stable form.
func.func @bce_with_logits_f32(%x: tensor<?xf32>, %y: tensor<?xf32>)
    -> tensor<?xf32> {
  %0 = ew.constant 0.0 : f32
  %1 = ew.broadcast %0 like(%x : tensor<?xf32>) : f32 to tensor<?xf32>
  %2 = ew.max %x, %1 : tensor<?xf32>
  %3 = ew.mul %x, %y : tensor<?xf32>
  %4 = ew.sub %2, %3 : tensor<?xf32>
  %5 = ew.abs %x : tensor<?xf32>
  %6 = ew.neg %5 : tensor<?xf32>
  %7 = ew.exp %6 : tensor<?xf32>
  %8 = ew.log1p %7 : tensor<?xf32>
  %9 = ew.add %4, %8 : tensor<?xf32>
  return %9 : tensor<?xf32>
}
