// RUN: ew-opt %s --ew-raise --split-input-file | FileCheck %s

// What arith ops on tensors become.

// CHECK-LABEL: func @float
// CHECK-SAME: %[[X:.*]]:{{.*}}%[[Y:.*]]:
// CHECK-NEXT: %[[V0:.*]] = ew.add %[[X]], %[[Y]] : tensor<?xf32>
// CHECK-NEXT: %[[V1:.*]] = ew.sub %[[V0]], %[[Y]] : tensor<?xf32>
// CHECK-NEXT: %[[V2:.*]] = ew.mul %[[V1]], %[[Y]] : tensor<?xf32>
// CHECK-NEXT: %[[V3:.*]] = ew.div %[[V2]], %[[Y]] : tensor<?xf32>
// CHECK-NEXT: %[[V4:.*]] = ew.rem %[[V3]], %[[Y]] : tensor<?xf32>
// CHECK-NEXT: %[[V5:.*]] = ew.neg %[[V4]] : tensor<?xf32>
// CHECK-NEXT: %[[V6:.*]] = ew.max %[[V5]], %[[Y]] : tensor<?xf32>
// CHECK-NEXT: %[[V7:.*]] = ew.min %[[V6]], %[[Y]] : tensor<?xf32>
// CHECK-NEXT: %[[V8:.*]] = ew.maxnum %[[V7]], %[[Y]] : tensor<?xf32>
// CHECK-NEXT: %[[V9:.*]] = ew.minnum %[[V8]], %[[Y]] : tensor<?xf32>
// CHECK-NEXT: return %[[V9]] : tensor<?xf32>
func.func @float(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %0 = arith.addf %x, %y fastmath<fast> : tensor<?xf32>
  %1 = arith.subf %0, %y : tensor<?xf32>
  %2 = arith.mulf %1, %y : tensor<?xf32>
  %3 = arith.divf %2, %y : tensor<?xf32>
  %4 = arith.remf %3, %y : tensor<?xf32>
  %5 = arith.negf %4 : tensor<?xf32>
  %6 = arith.maximumf %5, %y : tensor<?xf32>
  %7 = arith.minimumf %6, %y : tensor<?xf32>
  %8 = arith.maxnumf %7, %y : tensor<?xf32>
  %9 = arith.minnumf %8, %y : tensor<?xf32>
  return %9 : tensor<?xf32>
}

// -----

// CHECK-LABEL: func @signed
// CHECK-SAME: %[[X:.*]]:{{.*}}%[[Y:.*]]:
// CHECK-NEXT: %[[V0:.*]] = ew.add %[[X]], %[[Y]] : tensor<?xi32>
// CHECK-NEXT: %[[V1:.*]] = ew.sub %[[V0]], %[[Y]] : tensor<?xi32>
// CHECK-NEXT: %[[V2:.*]] = ew.mul %[[V1]], %[[Y]] : tensor<?xi32>
// CHECK-NEXT: %[[V3:.*]] = ew.div %[[V2]], %[[Y]] : tensor<?xi32>
// CHECK-NEXT: %[[V4:.*]] = ew.rem %[[V3]], %[[Y]] : tensor<?xi32>
// CHECK-NEXT: %[[V5:.*]] = ew.floor_div %[[V4]], %[[Y]] : tensor<?xi32>
// CHECK-NEXT: %[[V6:.*]] = ew.max %[[V5]], %[[Y]] : tensor<?xi32>
// CHECK-NEXT: %[[V7:.*]] = ew.min %[[V6]], %[[Y]] : tensor<?xi32>
// CHECK-NEXT: %[[V8:.*]] = ew.and %[[V7]], %[[Y]] : tensor<?xi32>
// CHECK-NEXT: %[[V9:.*]] = ew.or %[[V8]], %[[Y]] : tensor<?xi32>
// CHECK-NEXT: %[[V10:.*]] = ew.xor %[[V9]], %[[Y]] : tensor<?xi32>
// CHECK-NEXT: %[[V11:.*]] = ew.shl %[[V10]], %[[Y]] : tensor<?xi32>
// CHECK-NEXT: %[[V12:.*]] = ew.shr %[[V11]], %[[Y]] : tensor<?xi32>
// CHECK-NEXT: return %[[V12]] : tensor<?xi32>
func.func @signed(%x: tensor<?xi32>, %y: tensor<?xi32>) -> tensor<?xi32> {
  %0 = arith.addi %x, %y overflow<nsw> : tensor<?xi32>
  %1 = arith.subi %0, %y : tensor<?xi32>
  %2 = arith.muli %1, %y : tensor<?xi32>
  %3 = arith.divsi %2, %y : tensor<?xi32>
  %4 = arith.remsi %3, %y : tensor<?xi32>
  %5 = arith.floordivsi %4, %y : tensor<?xi32>
  %6 = arith.maxsi %5, %y : tensor<?xi32>
  %7 = arith.minsi %6, %y : tensor<?xi32>
  %8 = arith.andi %7, %y : tensor<?xi32>
  %9 = arith.ori %8, %y : tensor<?xi32>
  %10 = arith.xori %9, %y : tensor<?xi32>
  %11 = arith.shli %10, %y : tensor<?xi32>
  %12 = arith.shrsi %11, %y : tensor<?xi32>
  return %12 : tensor<?xi32>
}

// -----

// Unsigned ops on signless integers: through uiN and back.

// CHECK-LABEL: func @divui
// CHECK-SAME: %[[X:.*]]:{{.*}}%[[Y:.*]]:
// CHECK-NEXT: %[[V0:.*]] = ew.bitcast %[[X]] : tensor<?xi8> to tensor<?xui8>
// CHECK-NEXT: %[[V1:.*]] = ew.bitcast %[[Y]] : tensor<?xi8> to tensor<?xui8>
// CHECK-NEXT: %[[V2:.*]] = ew.div %[[V0]], %[[V1]] : tensor<?xui8>
// CHECK-NEXT: %[[V3:.*]] = ew.bitcast %[[V2]] : tensor<?xui8> to tensor<?xi8>
// CHECK-NEXT: return %[[V3]] : tensor<?xi8>
func.func @divui(%x: tensor<?xi8>, %y: tensor<?xi8>) -> tensor<?xi8> {
  %0 = arith.divui %x, %y : tensor<?xi8>
  return %0 : tensor<?xi8>
}

// -----

// CHECK-LABEL: func @unsigned
// CHECK-SAME: %[[X:.*]]:{{.*}}%[[Y:.*]]:
// CHECK-NEXT: %[[V0:.*]] = ew.bitcast %[[X]] : tensor<?xi16> to tensor<?xui16>
// CHECK-NEXT: %[[V1:.*]] = ew.bitcast %[[Y]] : tensor<?xi16> to tensor<?xui16>
// CHECK-NEXT: %[[V2:.*]] = ew.rem %[[V0]], %[[V1]] : tensor<?xui16>
// CHECK-NEXT: %[[V3:.*]] = ew.bitcast %[[V2]] : tensor<?xui16> to tensor<?xi16>
// CHECK-NEXT: %[[V4:.*]] = ew.bitcast %[[V3]] : tensor<?xi16> to tensor<?xui16>
// CHECK-NEXT: %[[V5:.*]] = ew.bitcast %[[Y]] : tensor<?xi16> to tensor<?xui16>
// CHECK-NEXT: %[[V6:.*]] = ew.max %[[V4]], %[[V5]] : tensor<?xui16>
// CHECK-NEXT: %[[V7:.*]] = ew.bitcast %[[V6]] : tensor<?xui16> to tensor<?xi16>
// CHECK-NEXT: %[[V8:.*]] = ew.bitcast %[[V7]] : tensor<?xi16> to tensor<?xui16>
// CHECK-NEXT: %[[V9:.*]] = ew.bitcast %[[Y]] : tensor<?xi16> to tensor<?xui16>
// CHECK-NEXT: %[[V10:.*]] = ew.min %[[V8]], %[[V9]] : tensor<?xui16>
// CHECK-NEXT: %[[V11:.*]] = ew.bitcast %[[V10]] : tensor<?xui16> to tensor<?xi16>
// CHECK-NEXT: %[[V12:.*]] = ew.bitcast %[[V11]] : tensor<?xi16> to tensor<?xui16>
// CHECK-NEXT: %[[V13:.*]] = ew.bitcast %[[Y]] : tensor<?xi16> to tensor<?xui16>
// CHECK-NEXT: %[[V14:.*]] = ew.shr %[[V12]], %[[V13]] : tensor<?xui16>
// CHECK-NEXT: %[[V15:.*]] = ew.bitcast %[[V14]] : tensor<?xui16> to tensor<?xi16>
// CHECK-NEXT: return %[[V15]] : tensor<?xi16>
func.func @unsigned(%x: tensor<?xi16>, %y: tensor<?xi16>) -> tensor<?xi16> {
  %0 = arith.remui %x, %y : tensor<?xi16>
  %1 = arith.maxui %0, %y : tensor<?xi16>
  %2 = arith.minui %1, %y : tensor<?xi16>
  %3 = arith.shrui %2, %y : tensor<?xi16>
  return %3 : tensor<?xi16>
}

// -----

// CHECK-LABEL: func @ceildivsi
// CHECK-SAME: %[[X:.*]]:{{.*}}%[[Y:.*]]:
// CHECK-NEXT: %[[V0:.*]] = ew.div %[[X]], %[[Y]] : tensor<?xi32>
// CHECK-NEXT: %[[V1:.*]] = ew.rem %[[X]], %[[Y]] : tensor<?xi32>
// CHECK-NEXT: %[[V2:.*]] = ew.constant 0 : i32
// CHECK-NEXT: %[[V3:.*]] = ew.broadcast %[[V2]] like(%[[Y]] : tensor<?xi32>) : i32 to tensor<?xi32>
// CHECK-NEXT: %[[V4:.*]] = ew.cmp ne, %[[V1]], %[[V3]] : tensor<?xi32>
// CHECK-NEXT: %[[V5:.*]] = ew.xor %[[V1]], %[[Y]] : tensor<?xi32>
// CHECK-NEXT: %[[V6:.*]] = ew.cmp ge, %[[V5]], %[[V3]] : tensor<?xi32>
// CHECK-NEXT: %[[V7:.*]] = ew.and %[[V4]], %[[V6]] : tensor<?xi1>
// CHECK-NEXT: %[[V8:.*]] = ew.cast %[[V7]] : tensor<?xi1> to tensor<?xi32>
// CHECK-NEXT: %[[V9:.*]] = ew.add %[[V0]], %[[V8]] : tensor<?xi32>
// CHECK-NEXT: return %[[V9]] : tensor<?xi32>
func.func @ceildivsi(%x: tensor<?xi32>, %y: tensor<?xi32>) -> tensor<?xi32> {
  %0 = arith.ceildivsi %x, %y : tensor<?xi32>
  return %0 : tensor<?xi32>
}

// -----

// CHECK-LABEL: func @ceildivui
// CHECK-SAME: %[[X:.*]]:{{.*}}%[[Y:.*]]:
// CHECK-NEXT: %[[V0:.*]] = ew.bitcast %[[X]] : tensor<4xi32> to tensor<4xui32>
// CHECK-NEXT: %[[V1:.*]] = ew.bitcast %[[Y]] : tensor<4xi32> to tensor<4xui32>
// CHECK-NEXT: %[[V2:.*]] = ew.div %[[V0]], %[[V1]] : tensor<4xui32>
// CHECK-NEXT: %[[V3:.*]] = ew.rem %[[V0]], %[[V1]] : tensor<4xui32>
// CHECK-NEXT: %[[V4:.*]] = ew.constant 0 : ui32
// CHECK-NEXT: %[[V5:.*]] = ew.broadcast %[[V4]] : ui32 to tensor<4xui32>
// CHECK-NEXT: %[[V6:.*]] = ew.cmp ne, %[[V3]], %[[V5]] : tensor<4xui32>
// CHECK-NEXT: %[[V7:.*]] = ew.cast %[[V6]] : tensor<4xi1> to tensor<4xui32>
// CHECK-NEXT: %[[V8:.*]] = ew.add %[[V2]], %[[V7]] : tensor<4xui32>
// CHECK-NEXT: %[[V9:.*]] = ew.bitcast %[[V8]] : tensor<4xui32> to tensor<4xi32>
// CHECK-NEXT: return %[[V9]] : tensor<4xi32>
func.func @ceildivui(%x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi32> {
  %0 = arith.ceildivui %x, %y : tensor<4xi32>
  return %0 : tensor<4xi32>
}

// -----

// CHECK-LABEL: func @addui_extended
// CHECK-SAME: %[[X:.*]]:{{.*}}%[[Y:.*]]:
// CHECK-NEXT: %[[V0:.*]] = ew.add %[[X]], %[[Y]] : tensor<?xi32>
// CHECK-NEXT: %[[V1:.*]] = ew.bitcast %[[V0]] : tensor<?xi32> to tensor<?xui32>
// CHECK-NEXT: %[[V2:.*]] = ew.bitcast %[[X]] : tensor<?xi32> to tensor<?xui32>
// CHECK-NEXT: %[[V3:.*]] = ew.cmp lt, %[[V1]], %[[V2]] : tensor<?xui32>
// CHECK-NEXT: return %[[V0]], %[[V3]] : tensor<?xi32>, tensor<?xi1>
func.func @addui_extended(%x: tensor<?xi32>, %y: tensor<?xi32>) -> (tensor<?xi32>, tensor<?xi1>) {
  %0, %1 = arith.addui_extended %x, %y : tensor<?xi32>, tensor<?xi1>
  return %0, %1 : tensor<?xi32>, tensor<?xi1>
}

// -----

// CHECK-LABEL: func @mulsi_extended
// CHECK-SAME: %[[X:.*]]:{{.*}}%[[Y:.*]]:
// CHECK-NEXT: %[[V0:.*]] = ew.cast %[[X]] : tensor<4xi16> to tensor<4xi32>
// CHECK-NEXT: %[[V1:.*]] = ew.cast %[[Y]] : tensor<4xi16> to tensor<4xi32>
// CHECK-NEXT: %[[V2:.*]] = ew.mul %[[V0]], %[[V1]] : tensor<4xi32>
// CHECK-NEXT: %[[V3:.*]] = ew.constant 16 : i32
// CHECK-NEXT: %[[V4:.*]] = ew.broadcast %[[V3]] : i32 to tensor<4xi32>
// CHECK-NEXT: %[[V5:.*]] = ew.shr %[[V2]], %[[V4]] : tensor<4xi32>
// CHECK-NEXT: %[[V6:.*]] = ew.cast %[[V2]] : tensor<4xi32> to tensor<4xi16>
// CHECK-NEXT: %[[V7:.*]] = ew.cast %[[V5]] : tensor<4xi32> to tensor<4xi16>
// CHECK-NEXT: return %[[V6]], %[[V7]] : tensor<4xi16>, tensor<4xi16>
func.func @mulsi_extended(%x: tensor<4xi16>, %y: tensor<4xi16>) -> (tensor<4xi16>, tensor<4xi16>) {
  %0, %1 = arith.mulsi_extended %x, %y : tensor<4xi16>
  return %0, %1 : tensor<4xi16>, tensor<4xi16>
}

// -----

// CHECK-LABEL: func @mului_extended
// CHECK-SAME: %[[X:.*]]:{{.*}}%[[Y:.*]]:
// CHECK-NEXT: %[[V0:.*]] = ew.bitcast %[[X]] : tensor<4xi32> to tensor<4xui32>
// CHECK-NEXT: %[[V1:.*]] = ew.cast %[[V0]] : tensor<4xui32> to tensor<4xi64>
// CHECK-NEXT: %[[V2:.*]] = ew.bitcast %[[Y]] : tensor<4xi32> to tensor<4xui32>
// CHECK-NEXT: %[[V3:.*]] = ew.cast %[[V2]] : tensor<4xui32> to tensor<4xi64>
// CHECK-NEXT: %[[V4:.*]] = ew.mul %[[V1]], %[[V3]] : tensor<4xi64>
// CHECK-NEXT: %[[V5:.*]] = ew.constant 32 : i64
// CHECK-NEXT: %[[V6:.*]] = ew.broadcast %[[V5]] : i64 to tensor<4xi64>
// CHECK-NEXT: %[[V7:.*]] = ew.shr %[[V4]], %[[V6]] : tensor<4xi64>
// CHECK-NEXT: %[[V8:.*]] = ew.cast %[[V4]] : tensor<4xi64> to tensor<4xi32>
// CHECK-NEXT: %[[V9:.*]] = ew.cast %[[V7]] : tensor<4xi64> to tensor<4xi32>
// CHECK-NEXT: return %[[V8]], %[[V9]] : tensor<4xi32>, tensor<4xi32>
func.func @mului_extended(%x: tensor<4xi32>, %y: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>) {
  %0, %1 = arith.mului_extended %x, %y : tensor<4xi32>
  return %0, %1 : tensor<4xi32>, tensor<4xi32>
}

// -----

// CHECK-LABEL: func @cmpi
// CHECK-SAME: %[[X:.*]]:{{.*}}%[[Y:.*]]:
// CHECK-NEXT: %[[V0:.*]] = ew.cmp ne, %[[X]], %[[Y]] : tensor<?xi32>
// CHECK-NEXT: %[[V1:.*]] = ew.cmp le, %[[X]], %[[Y]] : tensor<?xi32>
// CHECK-NEXT: %[[V2:.*]] = ew.bitcast %[[X]] : tensor<?xi32> to tensor<?xui32>
// CHECK-NEXT: %[[V3:.*]] = ew.bitcast %[[Y]] : tensor<?xi32> to tensor<?xui32>
// CHECK-NEXT: %[[V4:.*]] = ew.cmp gt, %[[V2]], %[[V3]] : tensor<?xui32>
// CHECK-NEXT: return %[[V0]], %[[V1]], %[[V4]] : tensor<?xi1>, tensor<?xi1>, tensor<?xi1>
func.func @cmpi(%x: tensor<?xi32>, %y: tensor<?xi32>) -> (tensor<?xi1>, tensor<?xi1>, tensor<?xi1>) {
  %0 = arith.cmpi ne, %x, %y : tensor<?xi32>
  %1 = arith.cmpi sle, %x, %y : tensor<?xi32>
  %2 = arith.cmpi ugt, %x, %y : tensor<?xi32>
  return %0, %1, %2 : tensor<?xi1>, tensor<?xi1>, tensor<?xi1>
}

// -----

// Of one bit, true is 1 unsigned and -1 signed.

// CHECK-LABEL: func @cmpi_bool
// CHECK-SAME: %[[X:.*]]:{{.*}}%[[Y:.*]]:
// CHECK-NEXT: %[[V0:.*]] = ew.not %[[X]] : tensor<?xi1>
// CHECK-NEXT: %[[V1:.*]] = ew.and %[[V0]], %[[Y]] : tensor<?xi1>
// CHECK-NEXT: %[[V2:.*]] = ew.not %[[Y]] : tensor<?xi1>
// CHECK-NEXT: %[[V3:.*]] = ew.and %[[V2]], %[[X]] : tensor<?xi1>
// CHECK-NEXT: %[[V4:.*]] = ew.not %[[X]] : tensor<?xi1>
// CHECK-NEXT: %[[V5:.*]] = ew.and %[[V4]], %[[Y]] : tensor<?xi1>
// CHECK-NEXT: %[[V6:.*]] = ew.not %[[V5]] : tensor<?xi1>
// CHECK-NEXT: return %[[V1]], %[[V3]], %[[V6]] : tensor<?xi1>, tensor<?xi1>, tensor<?xi1>
func.func @cmpi_bool(%x: tensor<?xi1>, %y: tensor<?xi1>) -> (tensor<?xi1>, tensor<?xi1>, tensor<?xi1>) {
  %0 = arith.cmpi ult, %x, %y : tensor<?xi1>
  %1 = arith.cmpi slt, %x, %y : tensor<?xi1>
  %2 = arith.cmpi uge, %x, %y : tensor<?xi1>
  return %0, %1, %2 : tensor<?xi1>, tensor<?xi1>, tensor<?xi1>
}

// -----

// CHECK-LABEL: func @bool
// CHECK-SAME: %[[X:.*]]:{{.*}}%[[Y:.*]]:
// CHECK-NEXT: %[[V0:.*]] = ew.xor %[[X]], %[[Y]] : tensor<?xi1>
// CHECK-NEXT: %[[V1:.*]] = ew.and %[[V0]], %[[Y]] : tensor<?xi1>
// CHECK-NEXT: %[[V2:.*]] = ew.and %[[V1]], %[[Y]] : tensor<?xi1>
// CHECK-NEXT: %[[V3:.*]] = ew.or %[[V2]], %[[Y]] : tensor<?xi1>
// CHECK-NEXT: %[[V4:.*]] = ew.xor %[[V3]], %[[Y]] : tensor<?xi1>
// CHECK-NEXT: return %[[V4]] : tensor<?xi1>
func.func @bool(%x: tensor<?xi1>, %y: tensor<?xi1>) -> tensor<?xi1> {
  %0 = arith.addi %x, %y : tensor<?xi1>
  %1 = arith.muli %0, %y : tensor<?xi1>
  %2 = arith.maxsi %1, %y : tensor<?xi1>
  %3 = arith.maxui %2, %y : tensor<?xi1>
  %4 = arith.xori %3, %y : tensor<?xi1>
  return %4 : tensor<?xi1>
}

// -----

// CHECK-LABEL: func @cmpf
// CHECK-SAME: %[[X:.*]]:{{.*}}%[[Y:.*]]:
// CHECK-NEXT: %[[V0:.*]] = ew.cmp ult, %[[X]], %[[Y]] : tensor<?xf32>
// CHECK-NEXT: %[[V1:.*]] = ew.cmp one, %[[X]], %[[Y]] : tensor<?xf32>
// CHECK-NEXT: %[[V2:.*]] = ew.cmp ord, %[[X]], %[[Y]] : tensor<?xf32>
// CHECK-NEXT: return %[[V0]], %[[V1]], %[[V2]] : tensor<?xi1>, tensor<?xi1>, tensor<?xi1>
func.func @cmpf(%x: tensor<?xf32>, %y: tensor<?xf32>) -> (tensor<?xi1>, tensor<?xi1>, tensor<?xi1>) {
  %0 = arith.cmpf ult, %x, %y : tensor<?xf32>
  %1 = arith.cmpf one, %x, %y : tensor<?xf32>
  %2 = arith.cmpf ord, %x, %y : tensor<?xf32>
  return %0, %1, %2 : tensor<?xi1>, tensor<?xi1>, tensor<?xi1>
}

// -----

// CHECK-LABEL: func @cmpf_constant
// CHECK-SAME: %[[X:.*]]:{{.*}}%[[Y:.*]]:
// CHECK-NEXT: %[[V0:.*]] = ew.cmp ord, %[[X]], %[[Y]] : tensor<?xf32>
// CHECK-NEXT: %[[V1:.*]] = ew.cmp uno, %[[X]], %[[Y]] : tensor<?xf32>
// CHECK-NEXT: %[[V2:.*]] = ew.or %[[V0]], %[[V1]] : tensor<?xi1>
// CHECK-NEXT: %[[V3:.*]] = ew.cmp ord, %[[X]], %[[Y]] : tensor<?xf32>
// CHECK-NEXT: %[[V4:.*]] = ew.cmp uno, %[[X]], %[[Y]] : tensor<?xf32>
// CHECK-NEXT: %[[V5:.*]] = ew.and %[[V3]], %[[V4]] : tensor<?xi1>
// CHECK-NEXT: return %[[V2]], %[[V5]] : tensor<?xi1>, tensor<?xi1>
func.func @cmpf_constant(%x: tensor<?xf32>, %y: tensor<?xf32>) -> (tensor<?xi1>, tensor<?xi1>) {
  %0 = arith.cmpf true, %x, %y : tensor<?xf32>
  %1 = arith.cmpf false, %x, %y : tensor<?xf32>
  return %0, %1 : tensor<?xi1>, tensor<?xi1>
}

// -----

// CHECK-LABEL: func @select
// CHECK-SAME: %[[C:.*]]:{{.*}}%[[S:.*]]:{{.*}}%[[X:.*]]:{{.*}}%[[Y:.*]]:
// CHECK-NEXT: %[[V0:.*]] = ew.select %[[C]], %[[X]], %[[Y]] : tensor<?xf32>
// CHECK-NEXT: %[[V1:.*]] = ew.broadcast %[[S]] like(%[[Y]] : tensor<?xf32>) : i1 to tensor<?xi1>
// CHECK-NEXT: %[[V2:.*]] = ew.select %[[V1]], %[[V0]], %[[Y]] : tensor<?xf32>
// CHECK-NEXT: return %[[V2]] : tensor<?xf32>
func.func @select(%c: tensor<?xi1>, %s: i1, %x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %0 = arith.select %c, %x, %y : tensor<?xi1>, tensor<?xf32>
  %1 = arith.select %s, %0, %y : tensor<?xf32>
  return %1 : tensor<?xf32>
}

// -----

// CHECK-LABEL: func @resize
// CHECK-SAME: %[[X:.*]]:
// CHECK-NEXT: %[[V0:.*]] = ew.cast %[[X]] : tensor<?xi8> to tensor<?xi32>
// CHECK-NEXT: %[[V1:.*]] = ew.bitcast %[[X]] : tensor<?xi8> to tensor<?xui8>
// CHECK-NEXT: %[[V2:.*]] = ew.cast %[[V1]] : tensor<?xui8> to tensor<?xi32>
// CHECK-NEXT: %[[V3:.*]] = ew.constant 1 : i8
// CHECK-NEXT: %[[V4:.*]] = ew.broadcast %[[V3]] like(%[[X]] : tensor<?xi8>) : i8 to tensor<?xi8>
// CHECK-NEXT: %[[V5:.*]] = ew.and %[[X]], %[[V4]] : tensor<?xi8>
// CHECK-NEXT: %[[V6:.*]] = ew.cast %[[V5]] : tensor<?xi8> to tensor<?xi1>
// CHECK-NEXT: return %[[V0]], %[[V2]], %[[V6]] : tensor<?xi32>, tensor<?xi32>, tensor<?xi1>
func.func @resize(%x: tensor<?xi8>) -> (tensor<?xi32>, tensor<?xi32>, tensor<?xi1>) {
  %0 = arith.extsi %x : tensor<?xi8> to tensor<?xi32>
  %1 = arith.extui %x : tensor<?xi8> to tensor<?xi32>
  %2 = arith.trunci %x : tensor<?xi8> to tensor<?xi1>
  return %0, %1, %2 : tensor<?xi32>, tensor<?xi32>, tensor<?xi1>
}

// -----

// CHECK-LABEL: func @bool_conversions
// CHECK-SAME: %[[X:.*]]:
// CHECK-NEXT: %[[V0:.*]] = ew.cast %[[X]] : tensor<?xi1> to tensor<?xi32>
// CHECK-NEXT: %[[V1:.*]] = ew.neg %[[V0]] : tensor<?xi32>
// CHECK-NEXT: %[[V2:.*]] = ew.cast %[[X]] : tensor<?xi1> to tensor<?xi32>
// CHECK-NEXT: %[[V3:.*]] = ew.cast %[[X]] : tensor<?xi1> to tensor<?xi8>
// CHECK-NEXT: %[[V4:.*]] = ew.neg %[[V3]] : tensor<?xi8>
// CHECK-NEXT: %[[V5:.*]] = ew.cast %[[V4]] : tensor<?xi8> to tensor<?xf32>
// CHECK-NEXT: %[[V6:.*]] = ew.cast %[[X]] : tensor<?xi1> to tensor<?xf32>
// CHECK-NEXT: return %[[V1]], %[[V2]], %[[V5]], %[[V6]] : tensor<?xi32>, tensor<?xi32>, tensor<?xf32>, tensor<?xf32>
func.func @bool_conversions(%x: tensor<?xi1>) -> (tensor<?xi32>, tensor<?xi32>, tensor<?xf32>, tensor<?xf32>) {
  %0 = arith.extsi %x : tensor<?xi1> to tensor<?xi32>
  %1 = arith.extui %x : tensor<?xi1> to tensor<?xi32>
  %2 = arith.sitofp %x : tensor<?xi1> to tensor<?xf32>
  %3 = arith.uitofp %x : tensor<?xi1> to tensor<?xf32>
  return %0, %1, %2, %3 : tensor<?xi32>, tensor<?xi32>, tensor<?xf32>, tensor<?xf32>
}

// -----

// CHECK-LABEL: func @float_to_integer
// CHECK-SAME: %[[X:.*]]:
// CHECK-NEXT: %[[V0:.*]] = ew.cast %[[X]] : tensor<?xf32> to tensor<?xi8>
// CHECK-NEXT: %[[V1:.*]] = ew.cast %[[X]] : tensor<?xf32> to tensor<?xui8>
// CHECK-NEXT: %[[V2:.*]] = ew.bitcast %[[V1]] : tensor<?xui8> to tensor<?xi8>
// CHECK-NEXT: %[[V3:.*]] = ew.cast %[[X]] : tensor<?xf32> to tensor<?xui8>
// CHECK-NEXT: %[[V4:.*]] = ew.cast %[[V3]] : tensor<?xui8> to tensor<?xi1>
// CHECK-NEXT: return %[[V0]], %[[V2]], %[[V4]] : tensor<?xi8>, tensor<?xi8>, tensor<?xi1>
func.func @float_to_integer(%x: tensor<?xf32>) -> (tensor<?xi8>, tensor<?xi8>, tensor<?xi1>) {
  %0 = arith.fptosi %x : tensor<?xf32> to tensor<?xi8>
  %1 = arith.fptoui %x : tensor<?xf32> to tensor<?xi8>
  %2 = arith.fptoui %x : tensor<?xf32> to tensor<?xi1>
  return %0, %1, %2 : tensor<?xi8>, tensor<?xi8>, tensor<?xi1>
}

// -----

// CHECK-LABEL: func @integer_to_float
// CHECK-SAME: %[[X:.*]]:
// CHECK-NEXT: %[[V0:.*]] = ew.cast %[[X]] : tensor<?xi8> to tensor<?xbf16>
// CHECK-NEXT: %[[V1:.*]] = ew.bitcast %[[X]] : tensor<?xi8> to tensor<?xui8>
// CHECK-NEXT: %[[V2:.*]] = ew.cast %[[V1]] : tensor<?xui8> to tensor<?xbf16>
// CHECK-NEXT: return %[[V0]], %[[V2]] : tensor<?xbf16>, tensor<?xbf16>
func.func @integer_to_float(%x: tensor<?xi8>) -> (tensor<?xbf16>, tensor<?xbf16>) {
  %0 = arith.sitofp %x : tensor<?xi8> to tensor<?xbf16>
  %1 = arith.uitofp %x : tensor<?xi8> to tensor<?xbf16>
  return %0, %1 : tensor<?xbf16>, tensor<?xbf16>
}

// -----

// CHECK-LABEL: func @float_to_float
// CHECK-SAME: %[[X:.*]]:
// CHECK-NEXT: %[[V0:.*]] = ew.cast %[[X]] : tensor<?xf16> to tensor<?xf32>
// CHECK-NEXT: %[[V1:.*]] = ew.cast %[[V0]] : tensor<?xf32> to tensor<?xf8E4M3FN>
// CHECK-NEXT: %[[V2:.*]] = ew.cast %[[V0]] round({{ ?}}toward_zero) : tensor<?xf32> to tensor<?xf8E5M2>
// CHECK-NEXT: %[[V3:.*]] = ew.bitcast %[[V0]] : tensor<?xf32> to tensor<?xi32>
// CHECK-NEXT: return %[[V1]], %[[V2]], %[[V3]] : tensor<?xf8E4M3FN>, tensor<?xf8E5M2>, tensor<?xi32>
func.func @float_to_float(%x: tensor<?xf16>) -> (tensor<?xf8E4M3FN>, tensor<?xf8E5M2>, tensor<?xi32>) {
  %0 = arith.extf %x : tensor<?xf16> to tensor<?xf32>
  %1 = arith.truncf %0 : tensor<?xf32> to tensor<?xf8E4M3FN>
  %2 = arith.truncf %0 toward_zero : tensor<?xf32> to tensor<?xf8E5M2>
  %3 = arith.bitcast %0 : tensor<?xf32> to tensor<?xi32>
  return %1, %2, %3 : tensor<?xf8E4M3FN>, tensor<?xf8E5M2>, tensor<?xi32>
}

// -----

// Constants become ew's where an ew op uses them, and stay for others.

// CHECK-LABEL: func @constants
// CHECK-SAME: %[[X:.*]]:
// CHECK-NEXT: %[[V0:.*]] = ew.constant 7 : i32
// CHECK-NEXT: %[[V1:.*]] = ew.broadcast %[[V0]] : i32 to tensor<2x2xi32>
// CHECK-NEXT: %[[V2:.*]] = ew.constant dense<{{\[\[1, 2\], \[3, 4\]\]}}> : tensor<2x2xi32>
// CHECK-NEXT: %[[CST:.*]] = arith.constant dense<{{\[\[1, 2\], \[3, 4\]\]}}> : tensor<2x2xi32>
// CHECK-NEXT: %[[V3:.*]] = ew.add %[[X]], %[[V1]] : tensor<2x2xi32>
// CHECK-NEXT: %[[V4:.*]] = ew.add %[[V3]], %[[V2]] : tensor<2x2xi32>
// CHECK-NEXT: return %[[V4]], %[[CST]] : tensor<2x2xi32>, tensor<2x2xi32>
func.func @constants(%x: tensor<2x2xi32>) -> (tensor<2x2xi32>, tensor<2x2xi32>) {
  %splat = arith.constant dense<7> : tensor<2x2xi32>
  %dense = arith.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %0 = arith.addi %x, %splat : tensor<2x2xi32>
  %1 = arith.addi %0, %dense : tensor<2x2xi32>
  return %1, %dense : tensor<2x2xi32>, tensor<2x2xi32>
}

// -----

// CHECK-LABEL: func @splat
// CHECK-SAME: %[[S:.*]]:{{.*}}%[[N:.*]]:
// CHECK-NEXT: %[[V0:.*]] = ew.constant 2.000000e+00 : f32
// CHECK-NEXT: %[[V1:.*]] = ew.broadcast %[[V0]] : f32 to tensor<4xf32>
// CHECK-NEXT: %[[V2:.*]] = tensor.empty(%[[N]]) : tensor<?xf32>
// CHECK-NEXT: %[[V3:.*]] = ew.broadcast %[[S]] like(%[[V2]] : tensor<?xf32>) : f32 to tensor<?xf32>
// CHECK-NEXT: return %[[V1]], %[[V3]] : tensor<4xf32>, tensor<?xf32>
func.func @splat(%s: f32, %n: index) -> (tensor<4xf32>, tensor<?xf32>) {
  %c = arith.constant 2.0 : f32
  %0 = tensor.splat %c : tensor<4xf32>
  %1 = tensor.splat %s[%n] : tensor<?xf32>
  return %0, %1 : tensor<4xf32>, tensor<?xf32>
}
