// The step of adamw.mlir on parameters and moments that it overwrites: `ew.inplace = N` gives result N the argument's
// memory. Nothing is allocated.
func.func @adamw_in_place(%p: tensor<?xf32> {ew.inplace = 0}, %g: tensor<?xf32>,
                          %m: tensor<?xf32> {ew.inplace = 1}, %v: tensor<?xf32> {ew.inplace = 2},
                          %rate: f32, %decay: f32) -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {
  %weight1 = ew.constant 0.1 : f32
  %weight2 = ew.constant 0.001 : f32
  %epsilon = ew.constant 1.0e-8 : f32
  %b1 = ew.broadcast %weight1 like(%p : tensor<?xf32>) : f32 to tensor<?xf32>
  %b2 = ew.broadcast %weight2 like(%p : tensor<?xf32>) : f32 to tensor<?xf32>
  %eps = ew.broadcast %epsilon like(%p : tensor<?xf32>) : f32 to tensor<?xf32>
  %square = ew.square %g : tensor<?xf32>
  %m1 = ew.lerp %m, %g, %b1 : tensor<?xf32>
  %v1 = ew.lerp %v, %square, %b2 : tensor<?xf32>

  %root = ew.sqrt %v1 : tensor<?xf32>
  %deviation = ew.add %root, %eps : tensor<?xf32>
  %update = ew.div %m1, %deviation : tensor<?xf32>
  %d = ew.broadcast %decay like(%p : tensor<?xf32>) : f32 to tensor<?xf32>
  %r = ew.broadcast %rate like(%p : tensor<?xf32>) : f32 to tensor<?xf32>
  %step = ew.fma %d, %p, %update : tensor<?xf32>
  %scaled = ew.mul %r, %step : tensor<?xf32>
  %p1 = ew.sub %p, %scaled : tensor<?xf32>
  return %p1, %m1, %v1 : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
}
