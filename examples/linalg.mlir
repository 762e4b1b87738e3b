// A program from another compiler: `ew-raise` turns its linalg, arith and math
// ops into ew ops, and one kernel computes the result.
#identity = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>
func.func @scaled_tanh(%x: tensor<128x256xf32>, %scale: tensor<256xf32>) -> tensor<128x256xf32> {
  %init = tensor.empty() : tensor<128x256xf32>
  %0 = linalg.generic {indexing_maps = [#identity, #row, #identity],
                       iterator_types = ["parallel", "parallel"]}
      ins(%x, %scale : tensor<128x256xf32>, tensor<256xf32>) outs(%init : tensor<128x256xf32>) {
  ^bb0(%element: f32, %factor: f32, %out: f32):
    %product = arith.mulf %element, %factor : f32
    linalg.yield %product : f32
  } -> tensor<128x256xf32>
  %1 = linalg.tanh ins(%0 : tensor<128x256xf32>) outs(%init : tensor<128x256xf32>) -> tensor<128x256xf32>
  %2 = math.absf %1 : tensor<128x256xf32>
  return %2 : tensor<128x256xf32>
}
