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

    - `contiguous`: every operand is stored densely in the order that its access
      class says (a stretched dimension that turned out to be 1 is not);
    - `alignment`: every operand that is read or written in wide accesses starts at
      a multiple of this many bytes (1: no condition);
    - `multiple`: the size of the innermost collapsed dimension is a multiple of
      this (1: no condition);
    - `index_width`: 32 where the number of elements, rounded up to whole blocks,
      is below 2^31, else 64.

    The last variant of a kernel has no conditions.

    Example: `#ew.variant<"wide", contiguous = true, alignment = 16, multiple = 1, index_width = 32>`
  }];
  let parameters = (ins StringRefParameter<"how its kernel's name ends">:$name,
                        "bool":$contiguous, "int64_t":$alignment, "int64_t":$multiple,
                        "unsigned":$index_width);
  let assemblyFormat = [{
    `<` $name `,` `contiguous` `=` $contiguous `,` `alignment` `=` $alignment `,`
    `multiple` `=` $multiple `,` `index_width` `=` $index_width `>`
  }];
}

def Ew_ScheduleAttr : Ew_Attr<"Schedule", "schedule"> {
  let summary = "How a kernel walks its iteration space";
  let description = [{
    Decided once, by `ew-schedule`; later passes only read it.

    - `block`: threads per block (GPU), or 1 (CPU);
    - `elements`: consecutive elements that a thread computes at a time;
    - `unroll`: how many times it does so, a block's width apart;
    - `collapse`: how many consecutive loops each collapsed dimension takes,
      outermost first; their sum is the number of loops;
    - `access`: the access class of every operand, inputs first;
    - `tile`: rows and columns of the shared-memory tile through which transposed
      operands go; empty where there is none;
    - `variants`: the versions to compile, in the order in which the host tries them.
  }];
  let parameters = (ins "unsigned":$block, "unsigned":$elements, "unsigned":$unroll,
                        ArrayRefParameter<"int64_t">:$collapse,
                        ArrayRefParameter<"::ew::AccessClass">:$access,
                        OptionalArrayRefParameter<"int64_t">:$tile,
                        ArrayRefParameter<"::ew::VariantAttr">:$variants);
  let assemblyFormat = [{
    `<` `block` `=` $block `,` `elements` `=` $elements `,` `unroll` `=` $unroll `,`
    `collapse` `=` `[` $collapse `]` `,` `access` `=` `[` $access `]` `,`
    (`tile` `=` `[` $tile^ `]` `,`)? `variants` `=` `[` $variants `]` `>`
  }];
}

#endif // EW_DIALECT_EW_IR_EWATTRS_TD
