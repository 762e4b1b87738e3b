// RUN: ew-opt %s --ew-schedule | FileCheck %s
// RUN: ew-opt %s --ew-schedule="choice=block=128,elements=2,unroll=2" | FileCheck %s
// RUN: ew-opt %s --ew-schedule="choice=tile=32" | FileCheck %s --check-prefix=SIDE
// RUN: ew-opt %s --ew-schedule="choice=tile=32,block=1024,elements=8,unroll=2" | FileCheck %s --check-prefix=BLOCK
// RUN: ew-opt %s --ew-schedule="choice=tile=64,block=64" | FileCheck %s --check-prefix=FEW
// RUN: ew-opt %s --ew-schedule="choice=tile=64 target=cpu" | FileCheck %s --check-prefix=CPU
// RUN: not ew-opt %s --ew-schedule="choice=tile=16" 2>&1 | FileCheck %s --check-prefix=SMALL
// RUN: not ew-opt %s --ew-schedule="choice=tile=64,block=32" 2>&1 | FileCheck %s --check-prefix=LINE
// RUN: not ew-opt %s --ew-schedule="choice=tile=32,block=96" 2>&1 | FileCheck %s --check-prefix=POWER
// RUN: sed 's/%e: tensor<?x?xf32>) ->.*{/%e: tensor<?x3xf32>) -> tensor<?x3xf32> {/; s/outs(%e.*{/outs(%e : tensor<?x3xf32>) {/; s/} -> .*/} -> tensor<?x3xf32>/; s/return %r.*/return %r : tensor<?x3xf32>/' %s | not ew-opt --ew-schedule="choice=tile=64" 2>&1 | FileCheck %s --check-prefix=SHORT
// RUN: sed s/f32/f64/g %s | not ew-opt --ew-schedule="choice=tile=64" 2>&1 | FileCheck %s --check-prefix=LARGE

// A tile's threads share its elements: the other numbers follow, and say nothing by themselves.
// CHECK: ew.schedule = #ew.schedule<block = 512, elements = 8, unroll = 1, {{.*}}tile = [64, 64, 0]
// SIDE: ew.schedule = #ew.schedule<block = 256, elements = 4, unroll = 1, {{.*}}tile = [32, 32, 0]
// BLOCK: ew.schedule = #ew.schedule<block = 1024, elements = 1, unroll = 1, {{.*}}tile = [32, 32, 0]
// FEW: ew.schedule = #ew.schedule<block = 64, elements = 64, unroll = 1, {{.*}}tile = [64, 64, 0]
// The CPU's is that of a version, and no choice.
// CPU: access = [{{[a-z, ]*}}], variants = [<"tile", {{.*}}tile = [64, 64, 0]
// SMALL: error: ew-schedule: choice: tile must be 32 or 64
// LINE: error: ew-schedule: choice: with a tile, block must be a power of two, and no less than tile
// POWER: error: ew-schedule: choice: with a tile, block must be a power of two, and no less than tile
// LARGE: error: schedule tile=64: a tile of 64 by 64 takes 66560 bytes of shared memory, and a block has at most 49152{{$}}
// SHORT: error: schedule tile=64: a tile of 64 by 64 would lie for the most part outside of the kernel's ? by 3 elements{{$}}
#id = affine_map<(d0, d1) -> (d0, d1)>
#transposed = affine_map<(d0, d1) -> (d1, d0)>
func.func @f(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>, %e: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = linalg.generic {indexing_maps = [#transposed, #transposed, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<?x?xf32>, tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = ew.add %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
