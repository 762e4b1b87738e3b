// RUN: not ew-run %s --function=narrow --device=cpu --input=4xbf16=1 2>&1 | FileCheck %s --check-prefix=HOST
// RUN: not ew-run %s --function=narrow --device=emulated --input=4xbf16=1 2>&1 | FileCheck %s --check-prefix=EMULATED
// RUN: not ew-run %s --function=narrow --chip=sm_90 --emit=ptx 2>&1 | FileCheck %s --check-prefix=PTX
// RUN: not ew-run %s --function=wide --device=cpu --input=4xf64=1 2>&1 | FileCheck %s --check-prefix=WIDE
// RUN: not ew-run %s --function=rounded --device=cpu --input=4xf32=1 2>&1 | FileCheck %s --check-prefix=ROUNDED
// RUN: ew-run %s --function=exact --device=cpu --input=4xf32=1 --check

// What cannot be kept is told of with the type of the program, the device that was asked for and the best that there
// is, and once, in however many versions the kernel is compiled.

// HOST: error: 'ew.exp' op on 'bf16', computed in 'f32', has no implementation within 0.1 units in the last place on a CPU: the best is within 0.51{{$}}
// EMULATED: error: 'ew.exp' op on 'bf16', computed in 'f32', has no implementation within 0.1 units in the last place on the emulated GPU: the best is within 0.51{{$}}
// PTX: error: 'ew.exp' op on 'bf16', computed in 'f32', has no implementation within 0.1 units in the last place on sm_90: the best is within 0.51{{$}}
// PTX-NOT: 'ew.exp'
func.func @narrow(%x: tensor<?xbf16>) -> tensor<?xbf16> {
  %0 = ew.exp %x {ew.error_bound = 0.1} : tensor<?xbf16>
  return %0 : tensor<?xbf16>
}

// WIDE: error: 'ew.gelu' op on 'f64' has no implementation within 2 units in the last place on a CPU: the best is within 6; on f32 there is one within 2{{$}}
func.func @wide(%x: tensor<?xf64>) -> tensor<?xf64> {
  %0 = ew.gelu %x {ew.error_bound = 2.0} : tensor<?xf64>
  return %0 : tensor<?xf64>
}

// Correct rounding is the best for what is rounded.
// ROUNDED: error: 'ew.sqrt' op on 'f32' has no implementation within 0.1 units in the last place on a CPU: the best is within 0.5{{$}}
func.func @rounded(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = ew.sqrt %x {ew.error_bound = 0.1} : tensor<?xf32>
  return %0 : tensor<?xf32>
}

func.func @exact(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = ew.abs %x {ew.error_bound = 0.0} : tensor<?xf32>
  return %0 : tensor<?xf32>
}
