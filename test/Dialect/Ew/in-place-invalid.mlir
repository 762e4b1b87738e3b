// RUN: ew-opt %s --ew-fuse --ew-inplace --split-input-file --verify-diagnostics

// expected-error@+1 {{'func.func' op argument 0: 'ew.inplace' must be the number of a result; there are 1}}
func.func @number(%p: tensor<8xf32> {ew.inplace = 1}) -> tensor<8xf32> {
  return %p : tensor<8xf32>
}

// -----

// expected-error@+1 {{'func.func' op argument 0: 'ew.inplace' must be the number of a result; there are 1}}
func.func @negative(%p: tensor<8xf32> {ew.inplace = -1}) -> tensor<8xf32> {
  return %p : tensor<8xf32>
}

// -----

// expected-error@+1 {{'func.func' op argument 0: 'ew.inplace' must be the number of a result; there are 1}}
func.func @no_number(%p: tensor<8xf32> {ew.inplace}) -> tensor<8xf32> {
  return %p : tensor<8xf32>
}

// -----

// expected-error@+1 {{'func.func' op argument 0: 'ew.inplace' names result 0 of type 'tensor<8xf16>', which cannot be written to a buffer of type 'tensor<8xf32>'}}
func.func @element(%p: tensor<8xf32> {ew.inplace = 0}) -> tensor<8xf16> {
  %0 = ew.cast %p : tensor<8xf32> to tensor<8xf16>
  return %0 : tensor<8xf16>
}

// -----

// expected-error@+1 {{'func.func' op argument 0: 'ew.inplace' names result 0 of type 'tensor<8x1xf32>', which cannot be written to a buffer of type 'tensor<8xf32>'}}
func.func private @shape(%p: tensor<8xf32> {ew.inplace = 0}) -> tensor<8x1xf32>

// -----

// expected-error@+1 {{'func.func' op argument 0: 'ew.inplace' names result 0 of type 'f32', which cannot be written to a buffer of type 'f32'}}
func.func private @scalar(%p: f32 {ew.inplace = 0}) -> f32

// -----

// expected-error@+1 {{'func.func' op argument 1: 'ew.inplace' names result 0, and so does argument 0}}
func.func private @twice(%p: tensor<8xf32> {ew.inplace = 0}, %q: tensor<8xf32> {ew.inplace = 0}) -> tensor<8xf32>

// -----

// expected-error@+1 {{'func.func' op argument 0: 'ew.inplace' does not go with 'ew.layout'}}
func.func private @layout(%p: tensor<8x8xf32> {ew.inplace = 0, ew.layout = array<i64: 1, 0>}) -> tensor<8x8xf32>

// -----

func.func @transposed(%p: tensor<8x8xf32> {ew.inplace = 0}) -> tensor<8x8xf32> {
  %t = ew.transpose %p [1, 0] : tensor<8x8xf32> to tensor<8x8xf32>
  // expected-error@+1 {{argument 0 is read in another order than the one in which result 0 is written in its place}}
  %0 = ew.exp %t : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

func.func @row(%p: tensor<1x8xf32> {ew.inplace = 0}, %x: tensor<1x8xf32>) -> (tensor<1x8xf32>, tensor<8x8xf32>) {
  %h = ew.iota dimension(1) : tensor<1x8xf32>
  %i = ew.pow %p, %x : tensor<1x8xf32>
  %j = ew.pow %i, %h : tensor<1x8xf32>
  %k = ew.pow %j, %i : tensor<1x8xf32>
  %l = ew.pow %k, %j : tensor<1x8xf32>
  %m = ew.pow %l, %k : tensor<1x8xf32>
  // expected-note@+1 {{written here}}
  %0 = ew.pow %m, %l : tensor<1x8xf32>
  %b = ew.broadcast %p : tensor<1x8xf32> to tensor<8x8xf32>
  %c = ew.broadcast %0 : tensor<1x8xf32> to tensor<8x8xf32>
  // expected-error@+1 {{argument 0 is read here, after result 0 was written in its place}}
  %1 = ew.add %b, %c : tensor<8x8xf32>
  return %0, %1 : tensor<1x8xf32>, tensor<8x8xf32>
}

// -----

func.func @returned(%p: tensor<8xf32> {ew.inplace = 0}) -> (tensor<8xf32>, tensor<8xf32>) {
  // expected-note@+1 {{written here}}
  %0 = ew.exp %p : tensor<8xf32>
  // expected-error@+1 {{argument 0 is read here, after result 0 was written in its place}}
  return %0, %p : tensor<8xf32>, tensor<8xf32>
}

// -----

// A kernel that adds to an output reads it.
func.func @accumulated(%p: tensor<8xf32> {ew.inplace = 0}, %x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  // expected-note@+1 {{written here}}
  %0 = ew.exp %x : tensor<8xf32>
  // expected-error@+1 {{argument 0 is read here, after result 0 was written in its place}}
  %1 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%0 : tensor<8xf32>) outs(%p : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %2 = arith.addf %in, %out : f32
    linalg.yield %2 : f32
  } -> tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}

// -----

// Each is to be read before it is overwritten.
func.func @swap(%p: tensor<8xf32> {ew.inplace = 0}, %q: tensor<8xf32> {ew.inplace = 1})
    -> (tensor<8xf32>, tensor<8xf32>) {
  // expected-error@+2 {{is read here, after result}}
  // expected-note@+1 {{written here}}
  return %q, %p : tensor<8xf32>, tensor<8xf32>
}

// -----

// expected-error@+1 {{argument 0 cannot be written in place in a function of several blocks}}
func.func @blocks(%p: tensor<8xf32> {ew.inplace = 0}, %c: i1) -> tensor<8xf32> {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  return %p : tensor<8xf32>
^bb2:
  %0 = ew.neg %p : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// Also where nothing leads to the others.
// expected-error@+1 {{argument 0 cannot be written in place in a function of several blocks}}
func.func @unreachable(%p: tensor<8xf32> {ew.inplace = 0}) -> tensor<8xf32> {
  %0 = ew.exp %p : tensor<8xf32>
  return %0 : tensor<8xf32>
^bb1:
  %1 = ew.neg %p : tensor<8xf32>
  return %1 : tensor<8xf32>
}

// -----

// What may have effects stays where it is.
func.func private @look(tensor<8xf32>)
func.func @called(%p: tensor<8xf32> {ew.inplace = 0}, %e: tensor<8xf32>) -> tensor<8xf32> {
  // expected-note@+1 {{written here}}
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%p : tensor<8xf32>) outs(%e : tensor<8xf32>) attrs = {ew.ops = "exp"} {
  ^bb0(%in: f32, %out: f32):
    %1 = ew.exp %in : f32
    linalg.yield %1 : f32
  } -> tensor<8xf32>
  // expected-error@+1 {{argument 0 is read here, after result 0 was written in its place}}
  call @look(%p) : (tensor<8xf32>) -> ()
  return %0 : tensor<8xf32>
}

// -----

func.func @size(%p: tensor<4xf32> {ew.inplace = 0}, %x: tensor<5xf32>) -> tensor<?xf32> {
  // expected-error@+1 {{result 0 of type 'tensor<5xf32>' cannot be written in place of argument 0 of type 'tensor<4xf32>'}}
  %0 = ew.exp %x : tensor<5xf32>
  %1 = tensor.cast %0 : tensor<5xf32> to tensor<?xf32>
  return %1 : tensor<?xf32>
}

// -----

// expected-error@+1 {{'func.func' op has an 'ew.inplace', which is for arguments of functions}}
func.func private @function(%p: tensor<8xf32>) -> tensor<8xf32> attributes {ew.inplace = 0}

// -----

func.func @op(%p: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{'ew.exp' op has an 'ew.inplace', which is for arguments of functions}}
  %0 = ew.exp %p {ew.inplace = 0} : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// expected-error@+1 {{'ew.inplace' names result 0 of type 'memref<8xf32>', which cannot be written to a buffer of type 'memref<9xf32>'}}
func.func private @buffers(%p: memref<9xf32> {ew.inplace = 0}) -> memref<8xf32>
