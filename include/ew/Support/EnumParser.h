//===- EnumParser.h - Options that are one of a few words -------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_SUPPORT_ENUMPARSER_H
#define EW_SUPPORT_ENUMPARSER_H

#include "ew/Support/Suggest.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/CommandLine.h"

namespace ew {

/// As LLVM's parser of an enumeration, but that the message about any other
/// word lists those that there are.
template <typename Enum>
class EnumParser : public llvm::cl::parser<Enum> {
public:
  using llvm::cl::parser<Enum>::parser;

  bool parse(llvm::cl::Option &option, llvm::StringRef name,
             llvm::StringRef text, Enum &value) {
    llvm::SmallVector<llvm::StringRef> known;
    for (unsigned i = 0; i < this->getNumOptions(); ++i)
      known.push_back(this->getOption(i));
    llvm::StringRef given = option.hasArgStr() ? text : name;
    if (llvm::is_contained(known, given))
      return llvm::cl::parser<Enum>::parse(option, name, text, value);
    return option.error("'" + given + "' is none of its values: it is " +
                        listChoices(known));
  }
};

} // namespace ew

#endif // EW_SUPPORT_ENUMPARSER_H
