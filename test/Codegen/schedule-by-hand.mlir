// RUN: ew-opt %s --ew-to-gpu -split-input-file -verify-diagnostics

// Schedules written by hand.


#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @fill(%x: tensor<?x?xf32>, %e: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{has a schedule with rows that its accesses do not fill}}
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>)
      attrs = {ew.schedule = #ew.schedule<block = 128, elements = 4, unroll = 1, collapse = [1, 1], access = [dense, dense],
        variants = [<"rows", contiguous = true, alignment = 16, multiple = 4, rows = 2, index_width = 32>]>} {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#tr = affine_map<(d0, d1) -> (d1, d0)>
func.func @fill_tile(%x: tensor<?x?xf32>, %e: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{has a schedule with a tile that its block cannot fill}}
  %r = linalg.generic {indexing_maps = [#tr, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>)
      attrs = {ew.schedule = #ew.schedule<block = 128, elements = 4, unroll = 1, collapse = [1, 1], access = [transposed, dense],
        tile = [32, 32, 0], variants = [<"tile", contiguous = true, alignment = 1, multiple = 1, index_width = 64>]>} {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>
func.func @both(%x: tensor<?x?xbf16>, %y: tensor<?xbf16>, %e: tensor<?x?xbf16>) -> tensor<?x?xbf16> {
  // expected-error @+1 {{has a schedule whose version 'rows' has both rows and an unroll of its own, which are the same}}
  %r = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<?x?xbf16>, tensor<?xbf16>) outs(%e : tensor<?x?xbf16>)
      attrs = {ew.schedule = #ew.schedule<block = 128, elements = 8, unroll = 2, collapse = [1, 1], access = [dense, row, dense],
        variants = [<"rows", contiguous = true, alignment = 16, multiple = 8, rows = 2, unroll = 2, index_width = 32>,
                    <"general", contiguous = false, alignment = 1, multiple = 1, index_width = 64>]>} {
  ^bb0(%a: bf16, %b: bf16, %o: bf16):
    %0 = ew.add %a, %b : bf16
    linalg.yield %0 : bf16
  } -> tensor<?x?xbf16>
  return %r : tensor<?x?xbf16>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>
func.func @overflow(%x: tensor<?x?xbf16>, %y: tensor<?xbf16>, %e: tensor<?x?xbf16>) -> tensor<?x?xbf16> {
  // expected-error @+1 {{has a schedule for other loops or operands}}
  %r = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<?x?xbf16>, tensor<?xbf16>) outs(%e : tensor<?x?xbf16>)
      attrs = {ew.schedule = #ew.schedule<block = 128, elements = 8, unroll = 2, collapse = [9223372036854775807, 9223372036854775807, 4], access = [dense, row, dense], variants = [<"wide", contiguous = true, alignment = 16, multiple = 8, index_width = 32>]>} {
  ^bb0(%a: bf16, %b: bf16, %o: bf16):
    %0 = ew.add %a, %b : bf16
    linalg.yield %0 : bf16
  } -> tensor<?x?xbf16>
  return %r : tensor<?x?xbf16>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>
func.func @row_as_one(%x: tensor<?x?xbf16>, %y: tensor<?xbf16>, %e: tensor<?x?xbf16>) -> tensor<?x?xbf16> {
  // expected-error @+1 {{has a schedule that collapses loops that some operand does not walk one after the other}}
  %r = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<?x?xbf16>, tensor<?xbf16>) outs(%e : tensor<?x?xbf16>)
      attrs = {ew.schedule = #ew.schedule<block = 128, elements = 8, unroll = 2, collapse = [2], access = [dense, row, dense], variants = [<"wide", contiguous = true, alignment = 16, multiple = 8, index_width = 32>]>} {
  ^bb0(%a: bf16, %b: bf16, %o: bf16):
    %0 = ew.add %a, %b : bf16
    linalg.yield %0 : bf16
  } -> tensor<?x?xbf16>
  return %r : tensor<?x?xbf16>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>
func.func @huge(%x: tensor<?x?xbf16>, %y: tensor<?xbf16>, %e: tensor<?x?xbf16>) -> tensor<?x?xbf16> {
  // expected-error @+1 {{has a schedule of more threads or elements than are compiled}}
  %r = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<?x?xbf16>, tensor<?xbf16>) outs(%e : tensor<?x?xbf16>)
      attrs = {ew.schedule = #ew.schedule<block = 128, elements = 4294967295, unroll = 2, collapse = [1, 1], access = [dense, row, dense], variants = [<"wide", contiguous = true, alignment = 16, multiple = 8, index_width = 32>]>} {
  ^bb0(%a: bf16, %b: bf16, %o: bf16):
    %0 = ew.add %a, %b : bf16
    linalg.yield %0 : bf16
  } -> tensor<?x?xbf16>
  return %r : tensor<?x?xbf16>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>
func.func @threads(%x: tensor<?x?xbf16>, %y: tensor<?xbf16>, %e: tensor<?x?xbf16>) -> tensor<?x?xbf16> {
  // expected-error @+1 {{has a schedule of more threads or elements than are compiled}}
  %r = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<?x?xbf16>, tensor<?xbf16>) outs(%e : tensor<?x?xbf16>)
      attrs = {ew.schedule = #ew.schedule<block = 4294967295, elements = 8, unroll = 2, collapse = [1, 1], access = [dense, row, dense], variants = [<"wide", contiguous = true, alignment = 16, multiple = 8, index_width = 32>]>} {
  ^bb0(%a: bf16, %b: bf16, %o: bf16):
    %0 = ew.add %a, %b : bf16
    linalg.yield %0 : bf16
  } -> tensor<?x?xbf16>
  return %r : tensor<?x?xbf16>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>
func.func @alignment(%x: tensor<?x?xbf16>, %y: tensor<?xbf16>, %e: tensor<?x?xbf16>) -> tensor<?x?xbf16> {
  // expected-error @+1 {{has a schedule with a version without a name, or with a condition that makes no sense}}
  %r = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<?x?xbf16>, tensor<?xbf16>) outs(%e : tensor<?x?xbf16>)
      attrs = {ew.schedule = #ew.schedule<block = 128, elements = 8, unroll = 2, collapse = [1, 1], access = [dense, row, dense], variants = [<"wide", contiguous = true, alignment = -16, multiple = 8, index_width = 32>]>} {
  ^bb0(%a: bf16, %b: bf16, %o: bf16):
    %0 = ew.add %a, %b : bf16
    linalg.yield %0 : bf16
  } -> tensor<?x?xbf16>
  return %r : tensor<?x?xbf16>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>
func.func @multiple(%x: tensor<?x?xbf16>, %y: tensor<?xbf16>, %e: tensor<?x?xbf16>) -> tensor<?x?xbf16> {
  // expected-error @+1 {{has a schedule with a version without a name, or with a condition that makes no sense}}
  %r = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<?x?xbf16>, tensor<?xbf16>) outs(%e : tensor<?x?xbf16>)
      attrs = {ew.schedule = #ew.schedule<block = 128, elements = 8, unroll = 2, collapse = [1, 1], access = [dense, row, dense], variants = [<"wide", contiguous = true, alignment = 16, multiple = 0, index_width = 32>]>} {
  ^bb0(%a: bf16, %b: bf16, %o: bf16):
    %0 = ew.add %a, %b : bf16
    linalg.yield %0 : bf16
  } -> tensor<?x?xbf16>
  return %r : tensor<?x?xbf16>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>
func.func @access(%x: tensor<?x?xbf16>, %y: tensor<?xbf16>, %e: tensor<?x?xbf16>) -> tensor<?x?xbf16> {
  // expected-error @+1 {{has a schedule that takes operand 1 as 'dense', and by its indexing map and layout it is 'row'}}
  %r = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<?x?xbf16>, tensor<?xbf16>) outs(%e : tensor<?x?xbf16>)
      attrs = {ew.schedule = #ew.schedule<block = 128, elements = 8, unroll = 2, collapse = [1, 1], access = [dense, dense, dense], variants = [<"wide", contiguous = true, alignment = 16, multiple = 8, index_width = 32>]>} {
  ^bb0(%a: bf16, %b: bf16, %o: bf16):
    %0 = ew.add %a, %b : bf16
    linalg.yield %0 : bf16
  } -> tensor<?x?xbf16>
  return %r : tensor<?x?xbf16>
}

// -----

// An alignment that the host looks at for wide accesses only: this would read 16 bytes where nobody has looked.
#id = affine_map<(d0) -> (d0)>
func.func @narrow(%x: tensor<?xf32>, %e: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{has a schedule that takes operand 0 as 'column', and by its indexing map and layout it is 'dense'}}
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<?xf32>) outs(%e : tensor<?xf32>)
      attrs = {ew.schedule = #ew.schedule<block = 128, elements = 4, unroll = 1, collapse = [1], access = [column, dense],
        variants = [<"wide", contiguous = true, alignment = 16, multiple = 1, index_width = 64>]>} {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

#id = affine_map<(d0) -> (d0)>
func.func @strides(%x: tensor<?xf32>, %e: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{has a schedule whose version 'general' takes buffers of any strides (contiguous = false), and asks for an alignment, a multiple or rows of dense ones}}
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<?xf32>) outs(%e : tensor<?xf32>)
      attrs = {ew.schedule = #ew.schedule<block = 128, elements = 4, unroll = 1, collapse = [1], access = [dense, dense],
        variants = [<"general", contiguous = false, alignment = 16, multiple = 1, index_width = 64>]>} {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

#id = affine_map<(d0) -> (d0)>
func.func @order(%x: tensor<?xf32>, %e: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{has a schedule whose version 'wide' is never launched: 'general' stands before it, and may be launched wherever it may}}
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<?xf32>) outs(%e : tensor<?xf32>)
      attrs = {ew.schedule = #ew.schedule<block = 128, elements = 4, unroll = 1, collapse = [1], access = [dense, dense],
        variants = [<"general", contiguous = false, alignment = 1, multiple = 1, index_width = 64>,
                    <"wide", contiguous = true, alignment = 16, multiple = 1, index_width = 64>]>} {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

#id = affine_map<(d0) -> (d0)>
func.func @few(%x: tensor<?xf32>, %e: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{version 'few' is never launched: 'some' stands before it}}
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<?xf32>) outs(%e : tensor<?xf32>)
      attrs = {ew.schedule = #ew.schedule<block = 128, elements = 4, unroll = 4, collapse = [1], access = [dense, dense],
        variants = [<"some", contiguous = true, alignment = 16, multiple = 1, unroll = 2, below = 2000, index_width = 64>,
                    <"few", contiguous = true, alignment = 16, multiple = 1, unroll = 1, below = 1000, index_width = 64>]>} {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

#id = affine_map<(d0) -> (d0)>
func.func @names(%x: tensor<?xf32>, %e: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{has a schedule with two versions 'wide'}}
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<?xf32>) outs(%e : tensor<?xf32>)
      attrs = {ew.schedule = #ew.schedule<block = 128, elements = 4, unroll = 1, collapse = [1], access = [dense, dense],
        variants = [<"wide", contiguous = true, alignment = 16, multiple = 1, index_width = 64>,
                    <"wide", contiguous = true, alignment = 1, multiple = 1, index_width = 64>]>} {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

#id = affine_map<(d0) -> (d0)>
func.func @registers(%x: tensor<?xf32>, %e: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{has a schedule whose registers must be from 24 to 255; no thread gets fewer}}
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<?xf32>) outs(%e : tensor<?xf32>)
      attrs = {ew.schedule = #ew.schedule<block = 128, elements = 4, unroll = 1, collapse = [1], access = [dense, dense], registers = 16,
        variants = [<"wide", contiguous = true, alignment = 16, multiple = 1, index_width = 64>]>} {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// Vectors of three are none of a machine's.
#id = affine_map<(d0) -> (d0)>
func.func @three(%x: tensor<?xf32>, %e: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{has a schedule whose elements are no power of two}}
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<?xf32>) outs(%e : tensor<?xf32>)
      attrs = {ew.schedule = #ew.schedule<block = 128, elements = 4, unroll = 1, collapse = [1], access = [dense, dense],
        variants = [<"wide", contiguous = true, alignment = 4, multiple = 1, elements = 3, index_width = 64>]>} {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>
func.func @whole_rows_of_any_alignment(%x: tensor<?x?xbf16>, %y: tensor<?xbf16>, %e: tensor<?x?xbf16>) -> tensor<?x?xbf16> {
  // expected-error @+1 {{has a schedule whose version 'wide' takes buffers of any alignment, and asks for rows of a multiple}}
  %r = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<?x?xbf16>, tensor<?xbf16>) outs(%e : tensor<?x?xbf16>)
      attrs = {ew.schedule = #ew.schedule<block = 128, elements = 8, unroll = 1, collapse = [1, 1], access = [dense, row, dense],
        variants = [<"wide", contiguous = true, alignment = 1, multiple = 8, index_width = 32>]>} {
  ^bb0(%a: bf16, %b: bf16, %o: bf16):
    linalg.yield %b : bf16
  } -> tensor<?x?xbf16>
  return %r : tensor<?x?xbf16>
}

// -----

// The host takes the last version where no other holds.
#id = affine_map<(d0) -> (d0)>
func.func @last(%x: tensor<?xf32>, %e: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{has a schedule whose last version 'wide' must hold for every buffer, and asks for dense buffers (contiguous = true), an alignment}}
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<?xf32>) outs(%e : tensor<?xf32>)
      attrs = {ew.schedule = #ew.schedule<block = 128, elements = 4, unroll = 1, collapse = [1], access = [dense, dense],
        variants = [<"wide", contiguous = true, alignment = 16, multiple = 1, index_width = 64>]>} {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

#id = affine_map<(d0) -> (d0)>
func.func @last_of_few(%x: tensor<?xf32>, %e: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{whose last version 'few' must hold for every buffer, and asks for few elements (below), fewer than 2^31 elements (index_width = 32)}}
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<?xf32>) outs(%e : tensor<?xf32>)
      attrs = {ew.schedule = #ew.schedule<block = 128, elements = 4, unroll = 1, collapse = [1], access = [dense, dense],
        variants = [<"few", contiguous = false, alignment = 1, multiple = 1, below = 1000, index_width = 32>]>} {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// As many elements as 32 bits count.
#id = affine_map<(d0) -> (d0)>
func.func @last_of_known(%x: tensor<1000xf32>, %e: tensor<1000xf32>) -> tensor<1000xf32> {
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<1000xf32>) outs(%e : tensor<1000xf32>)
      attrs = {ew.schedule = #ew.schedule<block = 128, elements = 4, unroll = 1, collapse = [1], access = [dense, dense],
        variants = [<"general", contiguous = false, alignment = 1, multiple = 1, index_width = 32>]>} {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<1000xf32>
  return %r : tensor<1000xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#tr = affine_map<(d0, d1) -> (d1, d0)>
func.func @shared(%x: tensor<?x?xf64>, %y: tensor<?x?xf64>, %e: tensor<?x?xf64>) -> tensor<?x?xf64> {
  // expected-error @+1 {{has a schedule whose version 'tile' goes through a tile of 64 by 64: it takes 66560 bytes of shared memory, and a block has at most 49152}}
  %r = linalg.generic {indexing_maps = [#tr, #tr, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<?x?xf64>, tensor<?x?xf64>) outs(%e : tensor<?x?xf64>)
      attrs = {ew.schedule = #ew.schedule<block = 512, elements = 8, unroll = 1, collapse = [1, 1], access = [transposed, transposed, dense],
        tile = [64, 64, 0], variants = [<"tile", contiguous = true, alignment = 1, multiple = 1, index_width = 64>,
                                        <"general", contiguous = false, alignment = 1, multiple = 1, index_width = 64>]>} {
  ^bb0(%a: f64, %b: f64, %o: f64):
    %0 = ew.add %a, %b : f64
    linalg.yield %0 : f64
  } -> tensor<?x?xf64>
  return %r : tensor<?x?xf64>
}

// -----

// The tile of one version.
#id = affine_map<(d0, d1) -> (d0, d1)>
#tr = affine_map<(d0, d1) -> (d1, d0)>
func.func @shared_of_version(%x: tensor<?x?xf32>, %e: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{has a schedule whose version 'long' goes through a tile of 256 by 128: it takes 131584 bytes of shared memory, and a block has at most 49152}}
  %r = linalg.generic {indexing_maps = [#tr, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>)
      attrs = {ew.schedule = #ew.schedule<block = 256, elements = 4, unroll = 1, collapse = [1, 1], access = [transposed, dense],
        tile = [32, 32, 0], variants = [<"tile", contiguous = true, alignment = 1, multiple = 1, index_width = 32>,
                                        <"long", contiguous = true, alignment = 1, multiple = 1, elements = 128, tile = [256, 128], index_width = 64>,
                                        <"general", contiguous = false, alignment = 1, multiple = 1, index_width = 64>]>} {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

// Units of four rows, and threads that are not enough for a column of the tile.
#id = affine_map<(d0, d1) -> (d0, d1)>
#tr = affine_map<(d0, d1) -> (d1, d0)>
func.func @units(%x: tensor<?x?xi8>, %e: tensor<?x?xi8>) -> tensor<?x?xi8> {
  // expected-error @+1 {{has a schedule whose version 'packed' reads a tile in accesses that do not fit it}}
  %r = linalg.generic {indexing_maps = [#tr, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<?x?xi8>) outs(%e : tensor<?x?xi8>)
      attrs = {ew.schedule = #ew.schedule<block = 256, elements = 16, unroll = 1, collapse = [1, 1], access = [transposed, dense], tile = [64, 64, 0], variants = [<"packed", contiguous = true, alignment = 4, multiple = 4, rows = 4, block = 16, elements = 256, tile = [256, 16], index_width = 32>, <"general", contiguous = false, alignment = 1, multiple = 1, index_width = 64>]>} {
  ^bb0(%a: i8, %o: i8):
    linalg.yield %a : i8
  } -> tensor<?x?xi8>
  return %r : tensor<?x?xi8>
}

// -----

// Two bytes would be said to be aligned to four.
#id = affine_map<(d0, d1) -> (d0, d1)>
#tr = affine_map<(d0, d1) -> (d1, d0)>
func.func @unit_alignment(%x: tensor<?x?xi8>, %e: tensor<?x?xi8>) -> tensor<?x?xi8> {
  // expected-error @+1 {{has a schedule whose version 'packed' reads a tile in accesses that do not fit it}}
  %r = linalg.generic {indexing_maps = [#tr, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<?x?xi8>) outs(%e : tensor<?x?xi8>)
      attrs = {ew.schedule = #ew.schedule<block = 256, elements = 16, unroll = 1, collapse = [1, 1], access = [transposed, dense], tile = [64, 64, 0], variants = [<"packed", contiguous = true, alignment = 2, multiple = 4, rows = 4, index_width = 32>, <"general", contiguous = false, alignment = 1, multiple = 1, index_width = 64>]>} {
  ^bb0(%a: i8, %o: i8):
    linalg.yield %a : i8
  } -> tensor<?x?xi8>
  return %r : tensor<?x?xi8>
}

// -----

// Runs of an operand that does not lie column by column.
#id3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#tr3 = affine_map<(d0, d1, d2) -> (d2, d0, d1)>
func.func @no_runs(%x: tensor<?x?x?xi8>, %e: tensor<?x?x?xi8>) -> tensor<?x?x?xi8> {
  // expected-error @+1 {{has a schedule whose version 'run' reads a tile in accesses that do not fit it}}
  %r = linalg.generic {indexing_maps = [#tr3, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : tensor<?x?x?xi8>) outs(%e : tensor<?x?x?xi8>)
      attrs = {ew.schedule = #ew.schedule<block = 256, elements = 16, unroll = 1, collapse = [1, 1, 1], access = [transposed, dense], tile = [64, 64, 1], variants = [<"run", contiguous = true, alignment = 16, multiple = 16, block = 128, elements = 32, tile = [4, 1024], index_width = 32>, <"general", contiguous = false, alignment = 1, multiple = 1, index_width = 64>]>} {
  ^bb0(%a: i8, %o: i8):
    linalg.yield %a : i8
  } -> tensor<?x?x?xi8>
  return %r : tensor<?x?x?xi8>
}

// -----

// More threads than the tile has units: some would store behind it.
#id = affine_map<(d0, d1) -> (d0, d1)>
#tr = affine_map<(d0, d1) -> (d1, d0)>
func.func @run_threads(%x: tensor<?x?xi8>, %e: tensor<?x?xi8>) -> tensor<?x?xi8> {
  // expected-error @+1 {{has a schedule whose version 'run' reads a tile in accesses that do not fit it}}
  %r = linalg.generic {indexing_maps = [#tr, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<?x?xi8>) outs(%e : tensor<?x?xi8>)
      attrs = {ew.schedule = #ew.schedule<block = 256, elements = 16, unroll = 1, collapse = [1, 1], access = [transposed, dense], tile = [64, 64, 0], variants = [<"run", contiguous = true, alignment = 16, multiple = 16, block = 128, elements = 4, tile = [4, 128], index_width = 32>, <"general", contiguous = false, alignment = 1, multiple = 1, index_width = 64>]>} {
  ^bb0(%a: i8, %o: i8):
    linalg.yield %a : i8
  } -> tensor<?x?xi8>
  return %r : tensor<?x?xi8>
}

// -----

// Runs that begin and end within an access of 16 bytes.
#id = affine_map<(d0, d1) -> (d0, d1)>
#tr = affine_map<(d0, d1) -> (d1, d0)>
func.func @run_columns(%x: tensor<?x?xi8>, %e: tensor<?x?xi8>) -> tensor<?x?xi8> {
  // expected-error @+1 {{has a schedule whose version 'run' reads a tile in accesses that do not fit it}}
  %r = linalg.generic {indexing_maps = [#tr, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<?x?xi8>) outs(%e : tensor<?x?xi8>)
      attrs = {ew.schedule = #ew.schedule<block = 256, elements = 16, unroll = 1, collapse = [1, 1], access = [transposed, dense], tile = [64, 64, 0], variants = [<"run", contiguous = true, alignment = 16, multiple = 16, block = 16, elements = 8, tile = [16, 8], index_width = 32>, <"general", contiguous = false, alignment = 1, multiple = 1, index_width = 64>]>} {
  ^bb0(%a: i8, %o: i8):
    linalg.yield %a : i8
  } -> tensor<?x?xi8>
  return %r : tensor<?x?xi8>
}

// -----

#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#tr = affine_map<(d0, d1, d2) -> (d0, d2, d1)>
func.func @along(%x: tensor<?x?x?xbf16>, %e: tensor<?x?x?xbf16>) -> tensor<?x?x?xbf16> {
  // expected-error @+1 {{has a schedule with a tile of rows along dimension 0, and no transposed operand is contiguous along it}}
  %r = linalg.generic {indexing_maps = [#tr, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : tensor<?x?x?xbf16>) outs(%e : tensor<?x?x?xbf16>)
      attrs = {ew.schedule = #ew.schedule<block = 512, elements = 8, unroll = 1, collapse = [1, 1, 1], access = [transposed, dense], tile = [64, 64, 0],
        variants = [<"tile", contiguous = true, alignment = 1, multiple = 1, index_width = 32>, <"general64", contiguous = false, alignment = 1, multiple = 1, index_width = 64>]>} {
  ^bb0(%a: bf16, %o: bf16):
    linalg.yield %a : bf16
  } -> tensor<?x?x?xbf16>
  return %r : tensor<?x?x?xbf16>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#tr = affine_map<(d0, d1) -> (d1, d0)>
func.func @dims_of_dense(%x: tensor<?x?xf32>, %e: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{whose version 'pitched' takes dense buffers (contiguous = true), and asks for a number of dimensions, which is of others}}
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>)
      attrs = {ew.schedule = #ew.schedule<block = 128, elements = 4, unroll = 1, collapse = [2], access = [dense, dense],
        variants = [<"pitched", contiguous = true, dims = 2, alignment = 16, multiple = 4, index_width = 32>, <"general", contiguous = false, alignment = 1, multiple = 1, index_width = 64>]>} {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#tr = affine_map<(d0, d1) -> (d1, d0)>
func.func @more_dims(%x: tensor<?x?xf32>, %e: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{asks for 3 dimensions of merged loops, which it cannot walk}}
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>)
      attrs = {ew.schedule = #ew.schedule<block = 128, elements = 4, unroll = 1, collapse = [2], access = [dense, dense],
        variants = [<"pitched", contiguous = false, dims = 3, alignment = 16, multiple = 4, index_width = 32>, <"general", contiguous = false, alignment = 1, multiple = 1, index_width = 64>]>} {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#tr = affine_map<(d0, d1) -> (d1, d0)>
func.func @dims_of_transposed(%x: tensor<?x?xf32>, %e: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{asks for 2 dimensions of merged loops, which it cannot walk}}
  %r = linalg.generic {indexing_maps = [#tr, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>)
      attrs = {ew.schedule = #ew.schedule<block = 128, elements = 4, unroll = 1, collapse = [1, 1], access = [transposed, dense],
        variants = [<"pitched", contiguous = false, dims = 2, alignment = 16, multiple = 4, index_width = 32>, <"general", contiguous = false, alignment = 1, multiple = 1, index_width = 64>]>} {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#tr = affine_map<(d0, d1) -> (d1, d0)>
func.func @dims_of_indexed(%x: tensor<?x?xf32>, %e: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{asks for 1 dimension of merged loops, which it cannot walk}}
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>)
      attrs = {ew.schedule = #ew.schedule<block = 128, elements = 4, unroll = 1, collapse = [1, 1], access = [dense, dense],
        variants = [<"strided", contiguous = false, dims = 1, alignment = 1, multiple = 1, index_width = 32>, <"general", contiguous = false, alignment = 1, multiple = 1, index_width = 64>]>} {
  ^bb0(%a: f32, %o: f32):
    %i = linalg.index 1 : index
    %j = arith.index_cast %i : index to i32
    %0 = ew.cast %j : i32 to f32
    linalg.yield %0 : f32
  } -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#tr = affine_map<(d0, d1) -> (d1, d0)>
func.func @last_of_dims(%x: tensor<?x?xf32>, %e: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{whose last version 'pitched' must hold for every buffer, and asks for evenly spaced elements (dims), an alignment, rows of a multiple}}
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>)
      attrs = {ew.schedule = #ew.schedule<block = 128, elements = 4, unroll = 1, collapse = [2], access = [dense, dense],
        variants = [<"pitched", contiguous = false, dims = 2, alignment = 16, multiple = 4, index_width = 64>]>} {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

// Accepted: vectors that do not fill rows go element by element.
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @odd(%x: tensor<?x?xf32>, %e: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>)
      attrs = {ew.schedule = #ew.schedule<block = 128, elements = 4, unroll = 1, collapse = [2], access = [dense, dense],
        variants = [<"pitched", contiguous = false, dims = 2, alignment = 16, multiple = 2, index_width = 32>, <"general", contiguous = false, alignment = 1, multiple = 1, index_width = 64>]>} {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
