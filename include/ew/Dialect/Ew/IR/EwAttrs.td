//===- EwAttrs.td - Attributes of the ew dialect -----------*- tablegen -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_DIALECT_EW_IR_EWATTRS_TD
#define EW_DIALECT_EW_IR_EWATTRS_TD

include "mlir/IR/AttrTypeBase.td"
include "ew/Dialect/Ew/IR/EwEnums.td"

class Ew_Attr<string name, string attrMnemonic> : AttrDef<Ew_Dialect, name> {
  let mnemonic = attrMnemonic;
}

def Ew_VariantAttr : Ew_Attr<"Variant", "variant"> {
  let summary = "One version of a kernel and when the host may launch it";
  let description = [{
    A kernel is compiled in a few versions. The host launches the first one whose
    conditions hold for the buffers at hand:

    - `contiguous`: every operand is stored densely in its memory order (row-major,
      or as its `ew.layout` says), and no dimension is stretched at run time. Such a
      version walks the collapsed dimensions of the schedule; one that is not
      contiguous walks the loops themselves, with a stride for every operand and loop;
    - `dims`: of one that is not contiguous (0: no condition). Loops that every operand walks one
      after the other in memory, as its strides at run time have it, are taken as one, and what is left are
      at most so many dimensions. With 1, every operand has one stride. With more, every operand that walks the
      last one has its elements side by side there, in rows that begin at multiples of the alignment;
    - `alignment`: every operand that is read or written in wide accesses starts at
      a multiple of this many bytes (1: no condition);
    - `multiple`: the size of the innermost dimension, collapsed or of `dims`, is a multiple
      of this (1: no condition);
    - `rows`: the size of the dimension before the innermost collapsed one, or of that which a
      tile's rows walk, is a multiple of this (1: no condition);
    - `below`: there are fewer elements than this (0: no condition);
    - `index_width`: 32 where the number of elements, rounded up to whole blocks, and what
      every operand spans are below 2^31, else 64. Positions, sizes and strides have this width.

    The last variant of a kernel holds for every buffer that its types allow.

    A thread's `elements` are consecutive where the alignment is above 1 (or the block is one
    thread, as on the CPU), else a block's width apart. The `unroll` accesses of a thread follow each
    other a block's width apart, or stand one below the other in `rows` rows, which are then as many:
    what is stretched over rows is read once for all of them. With a `tile` in the schedule, the
    contiguous versions go through it, where at least an eighth of the tiles that cover the space lies inside of it;
    those with an alignment in accesses of several elements: squares of `multiple` by `rows`, which are
    the same number, or with `rows` of 1 all rows there are at once, no more than the tile has.

    What a version has of its own it takes in place of the schedule's: `block`, `elements`, `unroll`, and
    `tile`, of rows and columns. On a CPU the schedule has no tile, and that of a version names the collapsed
    dimension that the rows walk, too: a block computes one tile, which has `elements * unroll` elements, and
    operands that are contiguous along that dimension are turned in a buffer first (but for complex numbers).

    Example: `#ew.variant<"wide", contiguous = true, alignment = 16, multiple = 1, index_width = 32>`
  }];
  let parameters = (ins StringRefParameter<"how its kernel's name ends">:$name,
                        "bool":$contiguous, DefaultValuedParameter<"int64_t", "0">:$dims,
                        "int64_t":$alignment, "int64_t":$multiple,
                        DefaultValuedParameter<"int64_t", "1">:$rows,
                        DefaultValuedParameter<"unsigned", "0">:$block,
                        DefaultValuedParameter<"unsigned", "0">:$elements,
                        DefaultValuedParameter<"unsigned", "0">:$unroll,
                        OptionalArrayRefParameter<"int64_t">:$tile,
                        DefaultValuedParameter<"int64_t", "0">:$below, "unsigned":$index_width);
  let assemblyFormat = [{
    `<` $name `,` `contiguous` `=` $contiguous `,` (`dims` `=` $dims^ `,`)? `alignment` `=` $alignment `,`
    `multiple` `=` $multiple `,` (`rows` `=` $rows^ `,`)?
    (`block` `=` $block^ `,`)? (`elements` `=` $elements^ `,`)? (`unroll` `=` $unroll^ `,`)?
    (`tile` `=` `[` $tile^ `]` `,`)? (`below` `=` $below^ `,`)? `index_width` `=` $index_width `>`
  }];
}

def Ew_ScheduleAttr : Ew_Attr<"Schedule", "schedule"> {
  let summary = "How a kernel walks its iteration space";
  let description = [{
    Decided once, by `ew-schedule`; later passes only read it.

    - `block`: threads per block (GPU), or 1 (CPU);
    - `elements`: elements that a thread computes at a time;
    - `unroll`: how many times it does so; a block computes
      `block * elements * unroll` consecutive elements of the iteration space (unless it
      goes through a tile);
    - `collapse`: how many consecutive loops each collapsed dimension takes,
      outermost first; their sum is the number of loops;
    - `access`: the access class of every operand, inputs first;
    - `tile`: where some operand is contiguous along another dimension than the outputs, the
      shared-memory tile through which it goes, as rows, columns and the collapsed dimension that the
      rows walk (the columns walk the innermost one); a block, whose threads are a multiple of both, computes
      one tile. Empty where there is none, and on a CPU;
    - `registers`: how many a thread may have in versions with an alignment and no `unroll` of
      their own, 0 where that is left to the assembler;
    - `variants`: the versions to compile, in the order in which the host tries them.
  }];
  let parameters = (ins "unsigned":$block, "unsigned":$elements, "unsigned":$unroll,
                        ArrayRefParameter<"int64_t">:$collapse,
                        ArrayRefParameter<"::ew::AccessClass">:$access,
                        OptionalArrayRefParameter<"int64_t">:$tile,
                        DefaultValuedParameter<"unsigned", "0">:$registers,
                        ArrayRefParameter<"::ew::VariantAttr">:$variants);
  let assemblyFormat = [{
    `<` `block` `=` $block `,` `elements` `=` $elements `,` `unroll` `=` $unroll `,`
    `collapse` `=` custom<Sizes>($collapse) `,` `access` `=` `[` $access `]` `,`
    (`tile` `=` `[` $tile^ `]` `,`)? (`registers` `=` $registers^ `,`)? `variants` `=` `[` $variants `]` `>`
  }];
}

#endif // EW_DIALECT_EW_IR_EWATTRS_TD
