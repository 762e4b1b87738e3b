// Dropout before a residual: one kernel, and no mask in memory. The same seed and offset drop the
// same elements of the gradient on the way back.
//   ew-run examples/dropout.mlir --function=dropout_residual --input=8xbf16=1 --input=8xbf16=0 --input=i64=42 --input=i64=0
func.func @dropout_residual(%x: tensor<?xbf16>, %residual: tensor<?xbf16>, %seed: i64, %offset: i64) -> tensor<?xbf16> {
  %0 = ew.dropout %x, %seed, %offset rate(0.1) : tensor<?xbf16>, i64, i64
  %1 = ew.add %0, %residual : tensor<?xbf16>
  return %1 : tensor<?xbf16>
}

// Weights of a layer, normal with a standard deviation of 0.02.
//   ew-run examples/dropout.mlir --function=init --input=i64=42
func.func @init(%seed: i64) -> tensor<64x256xf32> {
  %zero = ew.constant 0 : i64
  %0 = ew.philox %seed, %zero distribution(normal) : i64, i64 to tensor<64x256xf32>
  %1 = ew.constant dense<0.02> : tensor<64x256xf32>
  %2 = ew.mul %0, %1 : tensor<64x256xf32>
  return %2 : tensor<64x256xf32>
}
