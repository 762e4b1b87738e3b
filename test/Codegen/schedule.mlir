// RUN: ew-opt %s --ew-schedule="choice=many=1" -split-input-file | FileCheck %s
// RUN: ew-opt %s --ew-schedule="target=cpu vector-bytes=32" -split-input-file | FileCheck %s --check-prefix=CPU

// Two loops that all operands walk alike become one.
// CHECK-LABEL: func @dense
// CHECK: ew.schedule = #ew.schedule<block = 256, elements = 4, unroll = 1, collapse = [2], access = [dense, dense],
// CHECK-SAME: variants = [<"wide", contiguous = true, alignment = 16, multiple = 1, index_width = 64>,
// CHECK-SAME: <"dense", contiguous = true, alignment = 1, multiple = 1, index_width = 64>,
// CHECK-SAME: <"general", contiguous = false, alignment = 1, multiple = 1, index_width = 32>,
// CHECK-SAME: <"general64", contiguous = false, alignment = 1, multiple = 1, index_width = 64>]>
// CPU-LABEL: func @dense
// CPU: ew.schedule = #ew.schedule<block = 1, elements = 8, unroll = 512, collapse = [2], access = [dense, dense],
// CPU-SAME: variants = [<"dense", contiguous = true, alignment = 1, multiple = 1, index_width = 64>,
// CPU-SAME: <"general", contiguous = false, alignment = 1, multiple = 1, index_width = 64>]>
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @dense(%x: tensor<?x?xf32>, %e: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

// The widest type that is read or written everywhere sets the number of elements:
// 16 bytes of f32. Only coordinates of a row are cheaper in 32 bits.
// CHECK-LABEL: func @row_column_scalar
// CHECK: elements = 4, unroll = 1, collapse = [2, 1], access = [dense, row, column, scalar, scalar, dense],
// CHECK-SAME: variants = [<"wide", contiguous = true, alignment = 16, multiple = 4, index_width = 32>,
// CHECK-SAME: <"dense", contiguous = true, alignment = 1, multiple = 1, index_width = 32>,
// CHECK-SAME: <"general", contiguous = false, alignment = 1, multiple = 1, index_width = 32>,
// CHECK-SAME: <"general64", contiguous = false, alignment = 1, multiple = 1, index_width = 64>]>
#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#row = affine_map<(d0, d1, d2) -> (d2)>
#column = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#none = affine_map<(d0, d1, d2) -> ()>
func.func @row_column_scalar(%x: tensor<?x?x?xf32>, %y: tensor<?xbf16>, %z: tensor<?x?x1xf32>, %s: f32,
                             %t: tensor<i8>, %e: tensor<?x?x?xbf16>) -> tensor<?x?x?xbf16> {
  %r = linalg.generic {indexing_maps = [#id, #row, #column, #none, #none, #id],
                       iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %y, %z, %s, %t : tensor<?x?x?xf32>, tensor<?xbf16>, tensor<?x?x1xf32>, f32, tensor<i8>)
      outs(%e : tensor<?x?x?xbf16>) {
  ^bb0(%a: f32, %b: bf16, %c: f32, %d: f32, %f: i8, %o: bf16):
    linalg.yield %b : bf16
  } -> tensor<?x?x?xbf16>
  return %r : tensor<?x?x?xbf16>
}

// -----

// Odd rows leave no room for wide rows, static sizes none for 64 bits.
// CHECK-LABEL: func @odd_rows
// CHECK: collapse = [1, 1], access = [dense, row, dense],
// CHECK-SAME: variants = [<"dense", contiguous = true, alignment = 1, multiple = 1, index_width = 32>,
// CHECK-SAME: <"general", contiguous = false, alignment = 1, multiple = 1, index_width = 32>]>
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>
func.func @odd_rows(%x: tensor<7x1185xf32>, %y: tensor<1185xf32>, %e: tensor<7x1185xf32>) -> tensor<7x1185xf32> {
  %r = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<7x1185xf32>, tensor<1185xf32>) outs(%e : tensor<7x1185xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    linalg.yield %b : f32
  } -> tensor<7x1185xf32>
  return %r : tensor<7x1185xf32>
}

// -----

// CHECK-LABEL: func @even_rows
// CHECK: variants = [<"wide", contiguous = true, alignment = 16, multiple = 4, index_width = 32>, <"dense"
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>
func.func @even_rows(%x: tensor<7x1184xf32>, %y: tensor<1184xf32>, %e: tensor<7x1184xf32>) -> tensor<7x1184xf32> {
  %r = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<7x1184xf32>, tensor<1184xf32>) outs(%e : tensor<7x1184xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    linalg.yield %b : f32
  } -> tensor<7x1184xf32>
  return %r : tensor<7x1184xf32>
}

// -----

// A batch of transposes: the tile's rows walk the middle dimension.
// CHECK-LABEL: func @transposed
// CHECK: elements = 8, unroll = 1, collapse = [1, 1, 1], access = [transposed, dense], tile = [64, 64, 1],
// CHECK-SAME: <"tile", contiguous = true, alignment = 1, multiple = 1, index_width = 32>, <"tile64"
// CPU-LABEL: func @transposed
// CPU: access = [{{[a-z, ]*}}], variants = [<"tile", {{.*}}tile = [64, 64, 1]
#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#tr = affine_map<(d0, d1, d2) -> (d0, d2, d1)>
func.func @transposed(%x: tensor<?x?x?xf32>, %e: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
  %r = linalg.generic {indexing_maps = [#tr, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : tensor<?x?x?xf32>) outs(%e : tensor<?x?x?xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<?x?x?xf32>
  return %r : tensor<?x?x?xf32>
}

// -----

// Three channels would fill a tenth of a square tile.
// CHECK-LABEL: func @channels
// CHECK: access = [transposed, dense], tile = [256, 4, 0], variants
#id = affine_map<(d0, d1) -> (d0, d1)>
#tr = affine_map<(d0, d1) -> (d1, d0)>
func.func @channels(%x: tensor<3x?xf32>, %e: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %r = linalg.generic {indexing_maps = [#tr, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<3x?xf32>) outs(%e : tensor<?x3xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<?x3xf32>
  return %r : tensor<?x3xf32>
}

// -----

// Stored transposed, read transposed: dense.
// CHECK-LABEL: func @layout
// CHECK: collapse = [2], access = [dense, dense],
#id = affine_map<(d0, d1) -> (d0, d1)>
#tr = affine_map<(d0, d1) -> (d1, d0)>
func.func @layout(%x: tensor<?x?xf32> {ew.layout = array<i64: 1, 0>}, %e: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = linalg.generic {indexing_maps = [#tr, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

// A loop whose index is used stays alone; one of size 1 goes with any.
// CHECK-LABEL: func @iota
// CHECK: collapse = [2, 1], access = [dense],
#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
func.func @iota(%e: tensor<?x1x?xi64>) -> tensor<?x1x?xi64> {
  %r = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel", "parallel"]}
      outs(%e : tensor<?x1x?xi64>) {
  ^bb0(%o: i64):
    %i = linalg.index 0 : index
    %v = arith.index_cast %i : index to i64
    linalg.yield %v : i64
  } -> tensor<?x1x?xi64>
  return %r : tensor<?x1x?xi64>
}

// -----

// One read and one write of 16 bits, and a row: those of two rows.
// CHECK-LABEL: func @two_rows
// CHECK: elements = 8, unroll = 2, collapse = [1, 1], access = [dense, row, dense],
// CHECK-SAME: <"rows", contiguous = true, alignment = 16, multiple = 8, rows = 2, index_width = 32>, <"wide", contiguous = true, alignment = 16, multiple = 8, index_width = 32>
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>
func.func @two_rows(%x: tensor<?x?xbf16>, %y: tensor<?xbf16>, %e: tensor<?x?xbf16>) -> tensor<?x?xbf16> {
  %r = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<?x?xbf16>, tensor<?xbf16>) outs(%e : tensor<?x?xbf16>) {
  ^bb0(%a: bf16, %b: bf16, %o: bf16):
    linalg.yield %b : bf16
  } -> tensor<?x?xbf16>
  return %r : tensor<?x?xbf16>
}

// -----

// There is no second row for every first one.
// CHECK-LABEL: func @odd_rows
// CHECK: elements = 16, unroll = 1, collapse = [1, 1], access = [dense, row, dense],
// CHECK-NOT: rows =
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>
func.func @odd_rows(%x: tensor<7x?xbf16>, %y: tensor<?xbf16>, %e: tensor<7x?xbf16>) -> tensor<7x?xbf16> {
  %r = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<7x?xbf16>, tensor<?xbf16>) outs(%e : tensor<7x?xbf16>) {
  ^bb0(%a: bf16, %b: bf16, %o: bf16):
    linalg.yield %b : bf16
  } -> tensor<7x?xbf16>
  return %r : tensor<7x?xbf16>
}

// -----

// A column only: nothing to share.
// CHECK-LABEL: func @column_only
// CHECK: elements = 8, unroll = 1, collapse = [1, 1], access = [dense, column, dense],
// CHECK-SAME: multiple = 8
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @column_only(%x: tensor<?x?xbf16>, %y: tensor<?xbf16>, %e: tensor<?x?xbf16>) -> tensor<?x?xbf16> {
  %r = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<?x?xbf16>, tensor<?xbf16>) outs(%e : tensor<?x?xbf16>) {
  ^bb0(%a: bf16, %b: bf16, %o: bf16):
    linalg.yield %b : bf16
  } -> tensor<?x?xbf16>
  return %r : tensor<?x?xbf16>
}

// -----

// The row is f32: no more of it.
// CHECK-LABEL: func @not_doubled
// CHECK: elements = 8,
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>
func.func @not_doubled(%x: tensor<?x?xbf16>, %y: tensor<?xf32>, %e: tensor<?x?xbf16>) -> tensor<?x?xbf16> {
  %r = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<?x?xbf16>, tensor<?xf32>) outs(%e : tensor<?x?xbf16>) {
  ^bb0(%a: bf16, %b: f32, %o: bf16):
    linalg.yield %a : bf16
  } -> tensor<?x?xbf16>
  return %r : tensor<?x?xbf16>
}

// -----

// Two f64 are 16 bytes, but four i8 at the least are read or written at a time.
// CHECK-LABEL: func @wide_and_narrow
// CHECK: elements = 4,
#id = affine_map<(d0) -> (d0)>
func.func @wide_and_narrow(%x: tensor<?xf64>, %e: tensor<?xi8>) -> tensor<?xi8> {
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<?xf64>) outs(%e : tensor<?xi8>) {
  ^bb0(%a: f64, %o: i8):
    %c = ew.cast %a : f64 to i8
    linalg.yield %c : i8
  } -> tensor<?xi8>
  return %r : tensor<?xi8>
}

// -----

// CHECK-LABEL: func @rank0
// CHECK: elements = 1, unroll = 1, collapse = [], access = [dense, dense],
// CHECK-SAME: variants = [<"wide",
#id = affine_map<() -> ()>
func.func @rank0(%x: tensor<f32>, %e: tensor<f32>) -> tensor<f32> {
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = []}
      ins(%x : tensor<f32>) outs(%e : tensor<f32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// Nine dimensions permuted in blocks are two.
// CHECK-LABEL: func @rank9
// CHECK: collapse = [4, 5], access = [transposed, dense], tile = [64, 64, 0]
#id = affine_map<(a, b, c, d, e, f, g, h, i) -> (a, b, c, d, e, f, g, h, i)>
#tr = affine_map<(a, b, c, d, e, f, g, h, i) -> (e, f, g, h, i, a, b, c, d)>
func.func @rank9(%x: tensor<?x?x?x?x?x?x?x?x?xf32>, %e: tensor<?x?x?x?x?x?x?x?x?xf32>) -> tensor<?x?x?x?x?x?x?x?x?xf32> {
  %r = linalg.generic {indexing_maps = [#tr, #id], iterator_types = ["parallel", "parallel", "parallel",
      "parallel", "parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%x : tensor<?x?x?x?x?x?x?x?x?xf32>) outs(%e : tensor<?x?x?x?x?x?x?x?x?xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<?x?x?x?x?x?x?x?x?xf32>
  return %r : tensor<?x?x?x?x?x?x?x?x?xf32>
}

// -----

// More arithmetic than memory traffic: constants and the start of a block are shared
// by more elements.
// CHECK-LABEL: func @arithmetic
// CHECK: block = 128, elements = 4, unroll = 4,
// CHECK-SAME: <"wide", contiguous = true, alignment = 16, multiple = 1, index_width = 64>
#id = affine_map<(d0) -> (d0)>
func.func @arithmetic(%x: tensor<?xf32>, %e: tensor<?xf32>) -> tensor<?xf32> {
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<?xf32>) outs(%e : tensor<?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = ew.exp %a : f32
    %1 = ew.sin %0 : f32
    %2 = ew.erf %1 : f32
    %3 = ew.log %2 : f32
    %4 = ew.cos %3 : f32
    linalg.yield %4 : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// Few bytes in flight: several vectors of a narrow stream. Not where the space is small.
// CHECK-LABEL: func @narrow
// CHECK: block = 128, elements = 8, unroll = 4,
// CHECK-LABEL: func @narrow_and_small
// CHECK: block = 128, elements = 8, unroll = 1,
#id = affine_map<(d0) -> (d0)>
func.func @narrow(%x: tensor<?xbf16>, %e: tensor<?xi8>) -> tensor<?xi8> {
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<?xbf16>) outs(%e : tensor<?xi8>) {
  ^bb0(%a: bf16, %o: i8):
    %0 = ew.cast %a : bf16 to i8
    linalg.yield %0 : i8
  } -> tensor<?xi8>
  return %r : tensor<?xi8>
}
func.func @narrow_and_small(%x: tensor<4096xbf16>, %e: tensor<4096xi8>) -> tensor<4096xi8> {
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<4096xbf16>) outs(%e : tensor<4096xi8>) {
  ^bb0(%a: bf16, %o: i8):
    %0 = ew.cast %a : bf16 to i8
    linalg.yield %0 : i8
  } -> tensor<4096xi8>
  return %r : tensor<4096xi8>
}
