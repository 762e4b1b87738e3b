// RUN: not ew-opt %s --ew-lower-math=target=tpu 2>&1 | FileCheck %s --check-prefix=TARGET
// RUN: not ew-opt %s --ew-lower-math="target=nvptx chip=sm_70" 2>&1 | FileCheck %s --check-prefix=CHIP
// RUN: not ew-opt %s --ew-lower-math=mode=loose 2>&1 | FileCheck %s --check-prefix=MODE
// RUN: not ew-opt %s --ew-lower-math 2>&1 | FileCheck %s --check-prefix=SCALABLE

// TARGET: error: ew-lower-math: target must be cpu or nvptx, not 'tpu'
// CHIP: error: ew-lower-math: chip must be sm_80 or later, not 'sm_70'
// MODE: error: ew-lower-math: mode must be default, strict or fast, not 'loose'
// SCALABLE: error: 'ew.add' op on vectors of scalable length has no lowering
func.func @scalable(%x: vector<[4]xf32>) -> vector<[4]xf32> {
  %0 = ew.add %x, %x : vector<[4]xf32>
  return %0 : vector<[4]xf32>
}
