// RUN: ew-run %s --device=cpu --mode=strict --input=4xbf16=7,7,-7,3 --input=4xbf16=37,37,37,85 \
// RUN:   --input=4xbf16=-8.673617e-19,8.673617e-19,8.673617e-19,-8.673617e-19 --output=- | FileCheck %s
// 7 * 37 = 259 lies in the middle of two bf16 numbers, and 2^-60 decides which one is
// nearer; in f64 it is lost beside 259. 3 * 85 = 255 is a bf16 number.

// CHECK: 258 260 -258 255
func.func @fma(%x: tensor<4xbf16>, %y: tensor<4xbf16>, %z: tensor<4xbf16>) -> tensor<4xbf16> {
  %0 = ew.fma %x, %y, %z : tensor<4xbf16>
  return %0 : tensor<4xbf16>
}
