// RUN: ew-opt %s --ew-schedule -split-input-file | FileCheck %s
// RUN: ew-opt %s --ew-schedule="choice=many=1" -split-input-file | FileCheck %s --check-prefix=MANY

// Where sizes are known when it runs, versions in which a thread takes fewer elements
// come first: of what hardly computes, half as many.
// CHECK-LABEL: func @any_number
// CHECK: ew.schedule = #ew.schedule<block = 128, elements = 8, unroll = 1, collapse = [1],
// CHECK-SAME: variants = [<"few4", contiguous = true, alignment = 8, multiple = 1, block = 256, elements = 4, unroll = 1, below = 135168, index_width = 64>,
// CHECK-SAME: <"medium", contiguous = true, alignment = 16, multiple = 1, block = 256, below = 4194304, index_width = 64>,
// CHECK-SAME: <"wide", contiguous = true, alignment = 16, multiple = 1, index_width = 64>,
// CHECK-SAME: <"dense",
// CHECK-SAME: <"general1", contiguous = false, alignment = 1, multiple = 1, block = 256, elements = 1, unroll = 1, below = 67584, index_width = 32>,
// CHECK-SAME: <"general",
// CHECK-SAME: <"general64",
// MANY-LABEL: func @any_number
// MANY: block = 128, elements = 8,
// MANY-SAME: variants = [<"wide",
#id = affine_map<(d0) -> (d0)>
func.func @any_number(%x: tensor<?xbf16>, %e: tensor<?xbf16>) -> tensor<?xbf16> {
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<?xbf16>) outs(%e : tensor<?xbf16>) {
  ^bb0(%a: bf16, %o: bf16):
    %n = ew.neg %a : bf16
    linalg.yield %n : bf16
  } -> tensor<?xbf16>
  return %r : tensor<?xbf16>
}

// -----

// Of elements of four bytes, two vectors of two.
// CHECK-LABEL: func @words
// CHECK: ew.schedule = #ew.schedule<block = 256, elements = 4, unroll = 1, collapse = [1],
// CHECK-SAME: variants = [<"few2", contiguous = true, alignment = 8, multiple = 1, block = 256, elements = 2, unroll = 2, below = 67584, index_width = 64>,
// CHECK-SAME: <"wide",
// MANY-LABEL: func @words
// MANY: block = 256, elements = 4,
// MANY-SAME: variants = [<"wide",
#id = affine_map<(d0) -> (d0)>
func.func @words(%x: tensor<?xf32>, %e: tensor<?xf32>) -> tensor<?xf32> {
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<?xf32>) outs(%e : tensor<?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %n = ew.neg %a : f32
    linalg.yield %n : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// Rows have to be of whole accesses.
// CHECK-LABEL: func @rows
// CHECK: collapse = [1, 1], access = [dense, row, dense],
// CHECK-SAME: variants = [<"few2", contiguous = true, alignment = 8, multiple = 2, block = 256, elements = 2, unroll = 1, below = 67584, index_width = 32>,
// CHECK-SAME: <"wide",
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>
func.func @rows(%x: tensor<?x?xf32>, %y: tensor<?xf32>, %e: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<?x?xf32>, tensor<?xf32>) outs(%e : tensor<?x?xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = ew.add %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

// Where something is stretched over rows, one row for each thread.
// CHECK-LABEL: func @stretched
// CHECK: block = 128, elements = 8, unroll = 2, collapse = [1, 1],
// CHECK-SAME: <"few4",
// CHECK-SAME: <"medium", contiguous = true, alignment = 16, multiple = 8, block = 256, unroll = 1, below = 4194304, index_width = 32>,
// CHECK-SAME: <"rows", contiguous = true, alignment = 16, multiple = 8, rows = 2, index_width = 32>,
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>
func.func @stretched(%x: tensor<?x?xbf16>, %y: tensor<?xbf16>, %e: tensor<?x?xbf16>) -> tensor<?x?xbf16> {
  %r = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<?x?xbf16>, tensor<?xbf16>) outs(%e : tensor<?x?xbf16>) {
  ^bb0(%a: bf16, %b: bf16, %o: bf16):
    %s = ew.add %a, %b : bf16
    linalg.yield %s : bf16
  } -> tensor<?x?xbf16>
  return %r : tensor<?x?xbf16>
}

// -----

// Several accesses a thread are fewer, and blocks larger.
// CHECK-LABEL: func @narrow
// CHECK: block = 128, elements = 8, unroll = 4, collapse = [1],
// CHECK-SAME: <"wide2", contiguous = true, alignment = 16, multiple = 1, block = 256, unroll = 2, below = 33554432, index_width = 64>,
// CHECK-SAME: <"wide",
#id = affine_map<(d0) -> (d0)>
func.func @narrow(%x: tensor<?xbf16>, %e: tensor<?xf8E4M3FN>) -> tensor<?xf8E4M3FN> {
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<?xbf16>) outs(%e : tensor<?xf8E4M3FN>) {
  ^bb0(%a: bf16, %o: f8E4M3FN):
    %c = ew.cast %a : bf16 to f8E4M3FN
    linalg.yield %c : f8E4M3FN
  } -> tensor<?xf8E4M3FN>
  return %r : tensor<?xf8E4M3FN>
}

// -----

// Of sizes that are known, the schedule itself: 2^21 elements of bf16 in blocks of 256, 2^22 in blocks of 128.
// CHECK-LABEL: func @medium
// CHECK: block = 256, elements = 8, unroll = 1, collapse = [1],
// CHECK-LABEL: func @many
// CHECK: block = 128, elements = 8, unroll = 1, collapse = [1],
// CHECK-LABEL: func @known
// CHECK: ew.schedule = #ew.schedule<block = 256, elements = 2, unroll = 2, collapse = [1],
// CHECK-SAME: variants = [<"wide", contiguous = true, alignment = 8, multiple = 1, index_width = 64>,
// MANY-LABEL: func @known
// MANY: block = 256, elements = 4, unroll = 1,
#id = affine_map<(d0) -> (d0)>
func.func @medium(%x: tensor<2097152xbf16>, %e: tensor<2097152xbf16>) -> tensor<2097152xbf16> {
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<2097152xbf16>) outs(%e : tensor<2097152xbf16>) {
  ^bb0(%a: bf16, %o: bf16):
    %n = ew.neg %a : bf16
    linalg.yield %n : bf16
  } -> tensor<2097152xbf16>
  return %r : tensor<2097152xbf16>
}
func.func @many(%x: tensor<4194304xbf16>, %e: tensor<4194304xbf16>) -> tensor<4194304xbf16> {
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<4194304xbf16>) outs(%e : tensor<4194304xbf16>) {
  ^bb0(%a: bf16, %o: bf16):
    %n = ew.neg %a : bf16
    linalg.yield %n : bf16
  } -> tensor<4194304xbf16>
  return %r : tensor<4194304xbf16>
}
func.func @known(%x: tensor<4096xf32>, %e: tensor<4096xf32>) -> tensor<4096xf32> {
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<4096xf32>) outs(%e : tensor<4096xf32>) {
  ^bb0(%a: f32, %o: f32):
    %n = ew.neg %a : f32
    linalg.yield %n : f32
  } -> tensor<4096xf32>
  return %r : tensor<4096xf32>
}

// -----

// Of what computes more, one, which needs no alignment, and two; and where a thread takes
// several accesses, there are also versions of fewer.
// CHECK-LABEL: func @arithmetic
// CHECK: block = 128, elements = 4, unroll = 4,
// CHECK-SAME: variants = [<"few1", {{[^>]*}}>, <"few2", {{[^>]*}}>,
// CHECK-SAME: <"wide1", contiguous = true, alignment = 16, multiple = 1, block = 256, unroll = 1, below = 2097152, index_width = 64>,
// CHECK-SAME: <"wide2", contiguous = true, alignment = 16, multiple = 1, unroll = 2, below = 8388608, index_width = 64>,
// CHECK-SAME: <"wide", contiguous = true, alignment = 16, multiple = 1, index_width = 64>
// MANY-LABEL: func @arithmetic
// MANY: block = 128, elements = 4, unroll = 4,
// MANY-SAME: variants = [<"wide",
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

// Of many streams, two vectors a thread where those find room at once, and one does not.
// CHECK-LABEL: func @streams
// CHECK: block = 256, elements = 4, unroll = 1, collapse = [1],
// CHECK-SAME: <"wide1", contiguous = true, alignment = 16, multiple = 1, unroll = 1, below = 811008, index_width = 64>,
// CHECK-SAME: <"wide2", contiguous = true, alignment = 16, multiple = 1, block = 128, unroll = 2, below = 1081344, index_width = 64>,
// CHECK-SAME: <"wide", contiguous = true, alignment = 16, multiple = 1, index_width = 64>,
// MANY-LABEL: func @streams
// MANY: variants = [<"wide",
// CHECK-LABEL: func @too_many_streams
// CHECK-NOT: "wide2"
// CHECK: <"wide",
#id = affine_map<(d0) -> (d0)>
func.func @streams(%x: tensor<?xf32>, %e: tensor<?xf32>) -> tensor<?xf32> {
  %r = linalg.generic {indexing_maps = [#id, #id, #id, #id, #id, #id], iterator_types = ["parallel"]}
      ins(%x, %x, %x, %x, %x : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>)
      outs(%e : tensor<?xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %d: f32, %f: f32, %o: f32):
    %0 = ew.add %a, %b : f32
    %1 = ew.add %c, %d : f32
    %2 = ew.add %0, %1 : f32
    %3 = ew.add %2, %f : f32
    linalg.yield %3 : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}
func.func @too_many_streams(%x: tensor<?xf64>, %e: tensor<?xf32>) -> tensor<?xf32> {
  %r = linalg.generic {indexing_maps = [#id, #id, #id, #id, #id, #id], iterator_types = ["parallel"]}
      ins(%x, %x, %x, %x, %x : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>)
      outs(%e : tensor<?xf32>) {
  ^bb0(%a: f64, %b: f64, %c: f64, %d: f64, %f: f64, %o: f32):
    %0 = ew.add %a, %b : f64
    %1 = ew.add %c, %d : f64
    %2 = ew.add %0, %1 : f64
    %3 = ew.add %2, %f : f64
    %4 = ew.cast %3 : f64 to f32
    linalg.yield %4 : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}
