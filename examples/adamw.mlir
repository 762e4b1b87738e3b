// One step of AdamW, without bias correction, with hyperparameters given at run time: one kernel that
// reads four tensors and writes three.
func.func @adamw(%p: tensor<?xf32>, %g: tensor<?xf32>, %m: tensor<?xf32>, %v: tensor<?xf32>,
                 %rate: f32, %decay: f32) -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {
  // m = 0.9 m + 0.1 g, v = 0.999 v + 0.001 g^2: both from the old value toward the new.
  %weight1 = ew.constant 0.1 : f32
  %weight2 = ew.constant 0.001 : f32
  %epsilon = ew.constant 1.0e-8 : f32
  %b1 = ew.broadcast %weight1 like(%p : tensor<?xf32>) : f32 to tensor<?xf32>
  %b2 = ew.broadcast %weight2 like(%p : tensor<?xf32>) : f32 to tensor<?xf32>
  %eps = ew.broadcast %epsilon like(%p : tensor<?xf32>) : f32 to tensor<?xf32>
  %square = ew.square %g : tensor<?xf32>
  %m1 = ew.lerp %m, %g, %b1 : tensor<?xf32>
  %v1 = ew.lerp %v, %square, %b2 : tensor<?xf32>

  // p = p - rate (decay p + m / (sqrt(v) + epsilon)).
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
