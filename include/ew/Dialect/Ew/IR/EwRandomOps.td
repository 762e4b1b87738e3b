//===- EwRandomOps.td - Random numbers ---------------------*- tablegen -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_DIALECT_EW_IR_EWRANDOMOPS_TD
#define EW_DIALECT_EW_IR_EWRANDOMOPS_TD

include "ew/Dialect/Ew/IR/EwOpBase.td"

def Ew_Seed : AnyTypeOf<[I64, UI64, TensorRankOf<[I64, UI64], [0]>],
                        "integer of 64 bits, or a tensor of rank 0 of it">;

def Ew_SeedLane : Ew_Like<AnyTypeOf<[I64, UI64], "integer of 64 bits">>;
def Ew_IndexLane : Ew_Like<I64>;
def Ew_RandomLane : Ew_Like<AnyTypeOf<[F64, F32, F16, BF16, I32, UI32], "f64, f32, f16, bf16, i32 or ui32">>;

def Ew_PhiloxOp : Ew_Op<"philox", [Pure]> {
  let summary = "Random numbers, by element";
  let description = Ew_Doc<[{
    A function of seed, offset, stream and an element's place alone: Philox4x32-10 (Salmon et al., 2011), which turns a key and a
    counter into four words of 32 bits. Element i, counted in row-major order over the result's shape, has word i mod 4 of the block
    whose key is the seed and whose counter is (i / 4 + offset) mod 2^64 in its low half and `stream` in its high half
    (low words first); an element of f64 has two words, 2i and 2i + 1 of that sequence. A view of the result moves the values along.

    - `bits` (i32, ui32): the word.
    - `uniform` (floating point): in [0, 1), 0 included. The upper 24 bits of the word over 2^24 in f32, 11 over 2^11 in f16, 8 over 2^8 in bf16;
      in f64 the upper 53 bits of the two words, the second one above the first, over 2^53.
    - `normal` (f32, f16, bf16): mean 0, variance 1, by Box and Muller from pairs of words: a of an even element and b of the one
      after it give it r cos(t) and the other r sin(t), where r = sqrt(-2 ln u), t = 2 pi floor(b / 2^8) / 2^24, and u is
      (a + 1/2) / 2^32 computed in f32 (a rounded, then one fma). Within 5 ulps in f32, then rounded to the type; |x| < 6.77.

    To draw again, let the offset grow by the number of blocks that were used, or take another `stream` for each op of a
    program. A dynamic size is that of the operand `like`, which has the result's shape.}],
    "%u = ew.philox %seed, %offset distribution(uniform) like(%x : tensor<?xf32>) : i64, i64 to tensor<?xf32>\n"
    "%z = ew.philox %seed, %offset distribution(normal) stream(3) : tensor<ui64>, i64 to tensor<4x8xbf16>">.text;
  let arguments = (ins Ew_Seed:$seed, Ew_Seed:$offset, Ew_DistributionAttr:$distribution,
                       DefaultValuedAttr<I64Attr, "0">:$stream, Optional<Ew_Tensor>:$like);
  let results = (outs RankedTensorOf<[F64, F32, F16, BF16, I32, UI32]>:$result);
  let assemblyFormat = [{
    $seed `,` $offset `distribution` `(` custom<Enum>($distribution) `)` (`stream` `(` $stream^ `)`)?
    (`like` `(` $like^ `:` type($like) `)`)? attr-dict `:` type($seed) `,` type($offset) `to` type($result)
  }];
  let hasVerifier = 1;
}

def Ew_DropoutOp : Ew_Op<"dropout", [Pure, AllTypesMatch<["operand", "result"]>]> {
  let summary = "Sets elements to zero at random and scales the others";
  let description = Ew_Doc<[{
    Element i is 0, whatever the operand, where the word that `ew.philox` with these seed, offset and stream has for element i is
    below `rate` 2^32; elsewhere it is the operand times 1 / (1 - `rate`), which is computed in f64 and rounded to the type that the
    product is computed in. The same seed, offset and stream on a gradient drop the same elements. `rate` is from 0, which
    gives the operand back, to 1.}],
    "%y = ew.dropout %x, %seed, %offset rate(0.1) : tensor<?xf32>, i64, i64\n"
    "%z = ew.dropout %x, %seed, %offset rate(0.5) stream(1) : tensor<?x8xbf16>, tensor<i64>, i64">.text;
  let arguments = (ins RankedTensorOf<[F64, F32, F16, BF16, F8E4M3FN, F8E5M2]>:$operand, Ew_Seed:$seed, Ew_Seed:$offset,
                       Ew_F64Attr:$rate, DefaultValuedAttr<I64Attr, "0">:$stream);
  let results = (outs RankedTensorOf<[F64, F32, F16, BF16, F8E4M3FN, F8E5M2]>:$result);
  let assemblyFormat = [{
    $operand `,` $seed `,` $offset `rate` `(` $rate `)` (`stream` `(` $stream^ `)`)? attr-dict
    `:` type($operand) `,` type($seed) `,` type($offset)
  }];
  let hasFolder = 1;
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// In kernels
//===----------------------------------------------------------------------===//

def Ew_LinearIndexOp : Ew_Op<"linear_index", [Pure]> {
  let summary = "The position of an iteration, in row-major order";
  let description = [{
    What `linalg.index` is to one loop of the surrounding `linalg.generic`, this is to all of them: the place of the iteration in
    row-major order over the loops' sizes. Put in by fusion; loops that it runs over may still be merged.
  }];
  let results = (outs I64:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Ew_PhiloxAtOp : Ew_Op<"philox_at", [Pure] # ElementwiseMappable.traits> {
  let summary = "The element of ew.philox at an index";
  let description = Ew_Doc<[{
    Element `index` of `ew.philox`, in a kernel. With `runs`, which code generation puts on vectors, the indices come in runs of that
    many: they follow each other, and the first is a multiple of it. So those of one block share its evaluation.}],
    "%e = ew.philox_at %seed, %offset, %index distribution(uniform) : i64, i64, i64 to f32\n"
    "%v = ew.philox_at %seed, %offset, %index distribution(bits) runs(4)"
    " : vector<4xi64>, vector<4xi64>, vector<4xi64> to vector<4xui32>">.text;
  let arguments = (ins Ew_SeedLane:$seed, Ew_SeedLane:$offset, Ew_IndexLane:$index, Ew_DistributionAttr:$distribution,
                       DefaultValuedAttr<I64Attr, "0">:$stream, DefaultValuedAttr<I64Attr, "1">:$runs);
  let results = (outs Ew_RandomLane:$result);
  let assemblyFormat = [{
    $seed `,` $offset `,` $index `distribution` `(` custom<Enum>($distribution) `)` (`stream` `(` $stream^ `)`)?
    (`runs` `(` $runs^ `)`)? attr-dict `:` type($seed) `,` type($offset) `,` type($index) `to` type($result)
  }];
  let hasVerifier = 1;
}

#endif // EW_DIALECT_EW_IR_EWRANDOMOPS_TD
