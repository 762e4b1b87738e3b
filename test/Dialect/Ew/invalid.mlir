// RUN: ew-opt %s --verify-diagnostics --split-input-file

func.func @unknown_op(%x: tensor<?xf32>) {
  // expected-error @+1 {{custom op 'ew.gelux' is unknown}}
  %y = ew.gelux %x : tensor<?xf32>
  return
}

// -----

func.func @wrong_element(%x: tensor<?xi1>) {
  // expected-error @+1 {{operand #0 must be floating point or integer of 8 to 64 bits or complex, or a vector or ranked tensor of it, but got 'tensor<?xi1>'}}
  %y = ew.add %x, %x : tensor<?xi1>
  return
}

// -----

func.func @not_floating_point(%x: tensor<?xi32>) {
  // expected-error @+1 {{operand #0 must be floating point of 8 to 64 bits or complex, or a vector or ranked tensor of it, but got 'tensor<?xi32>'}}
  %y = ew.exp %x : tensor<?xi32>
  return
}

// -----

func.func @not_integer(%x: f32) {
  // expected-error @+1 {{operand #0 must be integer of 8 to 64 bits}}
  %y = ew.shl %x, %x : f32
  return
}

// -----

func.func @unranked(%x: tensor<*xf32>) {
  // expected-error @+1 {{vector or ranked tensor of it, but got 'tensor<*xf32>'}}
  %y = ew.neg %x : tensor<*xf32>
  return
}

// -----

// expected-note @+1 {{prior use here}}
func.func @two_element_types(%x: tensor<?xf32>, %y: tensor<?xf64>) {
  // expected-error @+1 {{use of value '%y' expects different type than prior uses: 'tensor<?xf32>' vs 'tensor<?xf64>'}}
  %z = ew.add %x, %y : tensor<?xf32>
  return
}

// -----

func.func @two_shapes(%x: tensor<4xf32>, %y: tensor<5xf32>) {
  // expected-error @+1 {{all non-scalar operands/results must have the same shape and base type}}
  %z = "ew.add"(%x, %y) : (tensor<4xf32>, tensor<5xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @changes_shape(%x: tensor<4xf32>) {
  // expected-error @+1 {{all non-scalar operands/results must have the same shape and base type}}
  %z = ew.cast %x : tensor<4xf32> to tensor<5xi32>
  return
}

// -----

func.func @result_is_no_boolean(%x: tensor<4xf32>) {
  // expected-error @+1 {{result is a boolean of the shape of lhs}}
  %z = "ew.cmp"(%x, %x) <{predicate = #ew<predicate olt>}> : (tensor<4xf32>, tensor<4xf32>) -> tensor<5xi1>
  return
}

// -----

func.func @condition_is_no_boolean(%x: tensor<4xf32>) {
  // expected-error @+1 {{operand #0 must be boolean, or a vector or ranked tensor of it}}
  %z = "ew.select"(%x, %x, %x) : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @unknown_predicate(%x: f32) {
  // expected-error @+1 {{custom op 'ew.cmp' expected one of [eq, ne, lt, le, gt, ge, oeq, one, olt, ole, ogt, oge, ord, ueq, une, ult, ule, ugt, uge, uno] for a comparison, got: less}}
  %z = ew.cmp less, %x, %x : f32
  return
}

// -----

func.func @integer_predicate(%x: f32) {
  // expected-error @+1 {{predicate 'lt' is for integers and booleans; floating point takes oeq, one, olt, ole, ogt, oge, ord, ueq, une, ult, ule, ugt, uge or uno, and the operands are 'f32'}}
  %z = ew.cmp lt, %x, %x : f32
  return
}

// -----

func.func @float_predicate(%x: ui8) {
  // expected-error @+1 {{predicate 'olt' is for floating point; integers take eq, ne, lt, le, gt or ge, and the operands are 'ui8'}}
  %z = ew.cmp olt, %x, %x : ui8
  return
}

// -----

func.func @boolean_order(%x: i1) {
  // expected-error @+1 {{booleans have no order: the predicate must be eq or ne, not ge}}
  %z = ew.cmp ge, %x, %x : i1
  return
}

// -----

func.func @celu(%x: f32) {
  // expected-error @+1 {{alpha must be a number of f32 other than 0}}
  %z = ew.celu %x {alpha = 0.0 : f64} : f32
  return
}

// -----

func.func @celu_rounded(%x: f64, %y: f16) {
  %z = ew.celu %x {alpha = 1.0e300 : f64} : f64
  // expected-error @+1 {{alpha must be a number of f32 other than 0}}
  %w = ew.celu %y {alpha = 1.0e300 : f64} : f16
  return
}

// -----

func.func @gelu(%x: f32) {
  // expected-error @+1 {{expected one of [none, tanh] for a definition of GELU, got: sigmoid}}
  %z = ew.gelu %x approximate(sigmoid) : f32
  return
}

// -----

func.func @constant_type() {
  // expected-error @+1 {{result #0 must be floating point, integer, boolean or complex, or a vector or ranked tensor of it, but got 'index'}}
  %c = ew.constant 1 : index
  return
}

// -----

func.func @constant_value() {
  // expected-error @+1 {{value must be a number, a boolean or dense elements}}
  %c = "ew.constant"() <{value = "one" : f32}> : () -> f32
  return
}

// -----

func.func @iota_like() {
  // expected-error @+1 {{needs `like` to give the result 'tensor<?xi32>' its dynamic sizes}}
  %i = ew.iota dimension(0) : tensor<?xi32>
  return
}

// -----

func.func @iota_dimension() {
  // expected-error @+1 {{dimension 2 is out of range for a result of rank 2}}
  %i = ew.iota dimension(2) : tensor<2x2xi32>
  return
}

// -----

func.func @iota_negative() {
  // expected-error @+1 {{attribute 'dimension' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative}}
  %i = "ew.iota"() <{dimension = -1 : i64}> : () -> tensor<2x2xi32>
  return
}

// -----

func.func @iota_shape(%x: tensor<4xf32>) {
  // expected-error @+1 {{`like` must have the result's shape, but is 'tensor<4xf32>'}}
  %i = ew.iota dimension(0) like(%x : tensor<4xf32>) : tensor<5xi32>
  return
}

// -----

func.func @cast_rounds_nothing(%x: i32) {
  // expected-error @+1 {{`round` has no meaning from 'i32' to 'i8'}}
  %y = ew.cast %x round(upward) : i32 to i8
  return
}

// -----

func.func @cast_saturates_nothing(%x: i1) {
  // expected-error @+1 {{`saturate` has no meaning from 'i1' to 'f16'}}
  %y = ew.cast %x saturate : i1 to f16
  return
}

// -----

func.func @cast_wraps_nothing(%x: f32) {
  // expected-error @+1 {{`wrap` has no meaning from 'f32' to 'f16': it is for floating point to integers of 8 to 64 bits}}
  %y = ew.cast %x wrap : f32 to f16
  return
}

// -----

func.func @cast_wraps_integers(%x: i32) {
  // expected-error @+1 {{`wrap` has no meaning from 'i32' to 'i8'}}
  %y = ew.cast %x wrap : i32 to i8
  return
}

// -----

func.func @cast_wraps_and_saturates(%x: f32) {
  // expected-error @+1 {{`wrap` and `saturate` exclude each other}}
  %y = ew.cast %x saturate wrap : f32 to i8
  return
}

// -----

func.func @cast_mode(%x: f32) {
  // expected-error @+1 {{expected one of [nearest_even, toward_zero, upward, downward, nearest_away] for how a conversion rounds, got: up}}
  %y = ew.cast %x round(up) : f32 to f16
  return
}

// -----

func.func @bitcast(%x: f32) {
  // expected-error @+1 {{types must have one width, but 'f32' has 32 bits and 'i16' has 16}}
  %y = ew.bitcast %x : f32 to i16
  return
}

// -----

func.func @broadcast_element(%x: tensor<1xf32>) {
  // expected-error @+1 {{element type of the result must be 'f32', not 'f64'}}
  %y = ew.broadcast %x : tensor<1xf32> to tensor<4xf64>
  return
}

// -----

func.func @broadcast_size(%x: tensor<3xf32>) {
  // expected-error @+1 {{operand 'tensor<3xf32>' does not broadcast to 'tensor<2x4xf32>': dimension 0 is 3 and cannot become 4}}
  %y = ew.broadcast %x : tensor<3xf32> to tensor<2x4xf32>
  return
}

// -----

func.func @broadcast_rank(%x: tensor<1x4xf32>) {
  // expected-error @+1 {{operand 'tensor<1x4xf32>' has a higher rank than the result 'tensor<4xf32>'}}
  %y = ew.broadcast %x : tensor<1x4xf32> to tensor<4xf32>
  return
}

// -----

func.func @broadcast_no_like(%x: f32) {
  // expected-error @+1 {{needs `like` to give the result 'tensor<?xf32>' its dynamic sizes}}
  %y = ew.broadcast %x : f32 to tensor<?xf32>
  return
}

// -----

func.func @broadcast_like(%x: f32, %l: tensor<3xf32>) {
  // expected-error @+1 {{`like` 'tensor<3xf32>' does not broadcast to 'tensor<4xf32>': dimension 0 is 3 and cannot become 4}}
  %y = ew.broadcast %x like(%l : tensor<3xf32>) : f32 to tensor<4xf32>
  return
}

// -----

func.func @broadcast_like_rank(%x: f32, %l: tensor<?xf32>) {
  // expected-error @+1 {{result 'tensor<2x?xf32>' must have rank 1, the larger of the operand's and that of `like`}}
  %y = ew.broadcast %x like(%l : tensor<?xf32>) : f32 to tensor<2x?xf32>
  return
}

// -----

func.func @broadcast_like_size(%x: tensor<1xf32>, %l: tensor<?x1xf32>) {
  // expected-error @+1 {{dimension 1 of the result is 2, but that of the operand and of `like` is 1}}
  %y = ew.broadcast %x like(%l : tensor<?x1xf32>) : tensor<1xf32> to tensor<?x2xf32>
  return
}

// -----

func.func @transpose_element(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{element type of the result must be 'f32', not 'i32'}}
  %y = ew.transpose %x [1, 0] : tensor<2x3xf32> to tensor<3x2xi32>
  return
}

// -----

func.func @transpose_permutation(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{permutation must name every one of 2 dimensions once, for operand and result of one rank}}
  %y = ew.transpose %x [1, 1] : tensor<2x3xf32> to tensor<3x2xf32>
  return
}

// -----

func.func @transpose_size(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{dimension 0 of the result is 2, but dimension 1 of the operand is 3}}
  %y = ew.transpose %x [1, 0] : tensor<2x3xf32> to tensor<2x3xf32>
  return
}

// -----

func.func @check_ranks(%x: tensor<?xf32>, %y: tensor<?x?xf32>) {
  // expected-error @+1 {{operands have ranks 1 and 2}}
  ew.check_shapes %x, %y : tensor<?xf32>, tensor<?x?xf32>
  return
}

// -----

#id = affine_map<(d0) -> (d0)>
#schedule = #ew.schedule<block = 1, elements = 4, unroll = 1, collapse = [1], access = [dense, dense], variants = [<"all", contiguous = false, alignment = 1, multiple = 1, index_width = 64>]>
func.func @launch_maps(%x: tensor<4xf32>, %o: tensor<4xf32>) {
  // expected-error @+1 {{needs one indexing map and one access class for each of 2 operands}}
  %r = ew.launch [@k] ins(%x : tensor<4xf32>) outs(%o : tensor<4xf32>) {schedule = #schedule, indexing_maps = [#id]} -> tensor<4xf32>
  return
}

// -----

#id = affine_map<(d0) -> (d0)>
#schedule = #ew.schedule<block = 1, elements = 4, unroll = 1, collapse = [1], access = [dense, dense], variants = [<"all", contiguous = false, alignment = 1, multiple = 1, index_width = 64>]>
func.func @launch_kernels(%x: tensor<4xf32>, %o: tensor<4xf32>) {
  // expected-error @+1 {{needs one kernel for each of 1 variants}}
  %r = ew.launch [@k, @l] ins(%x : tensor<4xf32>) outs(%o : tensor<4xf32>) {schedule = #schedule, indexing_maps = [#id, #id]} -> tensor<4xf32>
  return
}

// -----

#id = affine_map<(d0) -> (d0)>
#schedule = #ew.schedule<block = 1, elements = 4, unroll = 1, collapse = [1], access = [dense, dense], variants = [<"all", contiguous = false, alignment = 1, multiple = 1, index_width = 64>]>
func.func @launch_symbols(%x: tensor<4xf32>, %o: tensor<4xf32>) {
  // expected-error @+1 {{kernels must be symbols}}
  %r = ew.launch ["k"] ins(%x : tensor<4xf32>) outs(%o : tensor<4xf32>) {schedule = #schedule, indexing_maps = [#id, #id]} -> tensor<4xf32>
  return
}

// -----

#id = affine_map<(d0) -> (d0)>
#schedule = #ew.schedule<block = 1, elements = 4, unroll = 1, collapse = [1], access = [dense, dense], variants = [<"all", contiguous = false, alignment = 1, multiple = 1, index_width = 64>]>
func.func @launch_results(%x: tensor<4xf32>, %o: tensor<4xf32>) {
  // expected-error @+1 {{results must have the types of the outputs}}
  ew.launch [@k] ins(%x : tensor<4xf32>) outs(%o : tensor<4xf32>) {schedule = #schedule, indexing_maps = [#id, #id]}
  return
}

// -----

// expected-error @+1 {{argument 0 has an attribute 'ew.inplce' that ew does not know; there are 'ew.inplace' and 'ew.layout'}}
func.func @misspelt(%p: tensor<?xf32> {ew.inplce = 0}) -> tensor<?xf32> {
  %0 = ew.neg %p : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// expected-error @+1 {{argument 0: 'ew.layout' must be the order of the dimensions of a tensor, as array<i64: 1, 0>}}
func.func private @layout_list(tensor<?x?xf32> {ew.layout = [1, 0]})

// -----

// expected-error @+1 {{argument 0: 'ew.layout' must be the order of the dimensions of a tensor, as array<i64: 1, 0>}}
func.func private @layout_width(tensor<?x?xf32> {ew.layout = array<i32: 1, 0>})

// -----

// expected-error @+1 {{argument 0: 'ew.layout' must be the order of the dimensions of a tensor, as array<i64: 1, 0>}}
func.func private @layout_twice(tensor<?x?xf32> {ew.layout = array<i64: 1, 1>})

// -----

// expected-error @+1 {{argument 0: 'ew.layout' must be the order of the dimensions of a tensor, as array<i64: 1, 0>}}
func.func private @layout_rank(tensor<?x?xf32> {ew.layout = array<i64: 0>})

// -----

// expected-error @+1 {{argument 1: 'ew.layout' must be the order of the dimensions of a tensor, as array<i64: 1, 0>}}
func.func private @layout_number(tensor<?xf32>, f32 {ew.layout = array<i64: 0>})

// -----

// expected-error @+1 {{result 0 has an attribute 'ew.inplace': ew's are for arguments}}
func.func private @of_result(tensor<?xf32>) -> (tensor<?xf32> {ew.inplace = 0})

// -----

func.func @sizes_known_better(%x: tensor<4xf32>, %y: tensor<?xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{requires all operands to have the same type}}
  %0 = "ew.add"(%x, %y) : (tensor<4xf32>, tensor<?xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @sizes_known_better(%x: tensor<4xf32>, %y: tensor<?xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{requires all operands to have the same type}}
  %0 = "ew.fma"(%x, %y, %x) : (tensor<4xf32>, tensor<?xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @misspelt_mode(%x: f32) -> f32 {
  // expected-error @+1 {{'ew.sin' op has an attribute 'ew.moed' that ew does not know}}
  %0 = ew.sin %x {ew.moed = "fast"} : f32
  return %0 : f32
}

// -----

// expected-error @+1 {{'func.func' op has an attribute 'ew.modes' that ew does not know}}
func.func private @misspelt_mode() attributes {ew.modes = "fast"}
