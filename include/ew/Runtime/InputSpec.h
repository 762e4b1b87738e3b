//===- InputSpec.h - --input and --output on the command line ---*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An input says what a tensor is and what it holds:
//
//   input   := type [view] ['=' data] | ['='] data
//   type    := (size 'x')* element       2x3xf32, f32 (rank 0), 4xsi8 (= 4xi8)
//   value   := number | '(' number ',' number ')'            complex: (1,-2.5)
//   view    := (',strides=' int (':' int)* | ',offset=' int)*
//   data    := '@' path '.npy'            shape and element type must agree
//            | '@' path                   raw little-endian elements
//            | value ([', []'] value)*    one value fills the tensor
//            | 'zeros' | 'ones' | 'iota'  iota: 0, 1, 2, ... in row-major order
//            | 'random' [':' low ':' high [':' seed]]
//
//   2x3xf32=1,2,3,4,5,6      2x3xf32=[1 2 3][4 5 6]      4xi32=7      f32=1.5
//   67108864xf32=random:-3:3:42      8xbf16=@x.npy      @x.npy      1.5
//   8x8xf32,strides=1:8,offset=3=random
//
// Without data a tensor holds zeros. Without a type it is that of the file or
// else what the function expects. Strides and offset count elements and make a
// view; its storage is sized to fit, without an offset by the smallest that
// does, and elements that share a place hold the last of their values.
//
// Random values are uniform: in [low, high] for floating point (default [0,
// 1]), among the integers low to high for integers (default 0 to 100), false or
// true for i1; both parts of a complex number. They depend on the seed and the
// element's row-major index alone, on every platform. Inputs without a seed get
// different ones, by their number.
//
//===----------------------------------------------------------------------===//

#ifndef EW_RUNTIME_INPUTSPEC_H
#define EW_RUNTIME_INPUTSPEC_H

#include "ew/Runtime/HostTensor.h"

namespace ew::runtime {

/// A tensor type as a function declares it; a size of -1 stands for any.
struct TensorType {
  ElementType element = ElementType::F32;
  Sizes shape;
};

struct InputSpec {
  enum class Data : uint8_t { Values, Zeros, Ones, Iota, Random, Npy, Raw };

  std::string text; // all of it, for messages
  std::optional<TensorType> type;
  std::optional<Sizes> strides;
  std::optional<int64_t> offset;
  Data data = Data::Zeros;
  size_t dataBegin = 0; // where in the text the data begins
  /// Where in the text the values stand: begin and end of each.
  std::vector<std::pair<size_t, size_t>> values;
  /// Values between innermost brackets, if there are any.
  std::optional<size_t> rowLength;
  std::string path;
  std::string low, high;
  std::optional<uint64_t> seed;
};

/// What is wrong with the text of an --input or --output by itself, whatever
/// the function, the files and the machine are.
class SpecError : public llvm::ErrorInfo<SpecError, llvm::StringError> {
public:
  static char ID;
  using ErrorInfo::ErrorInfo;
};

/// Parses an --input. Errors show the text and, under it, where they stand.
llvm::Expected<InputSpec> parseInputSpec(llvm::StringRef text);

/// Makes the tensor. `expected` is what the function declares for it, if known:
/// it gives the type where the text doesn't, and must not contradict it.
/// `number` (of the input, from 0) tells inputs without a seed apart.
llvm::Expected<HostTensor> makeInput(const InputSpec &spec,
                                     const TensorType *expected = nullptr,
                                     unsigned number = 0);

/// Makes what result number `result`, of the type `actual`, must be.
llvm::Expected<HostTensor>
makeExpected(const InputSpec &spec, const TensorType &actual, unsigned result);

/// The order of an input's dimensions in memory, outermost first, if it is
/// dense in another order than row-major: by its strides, or by a file's
/// header.
std::optional<std::vector<int64_t>> getLayout(const InputSpec &spec);

/// An --output: `@x.npy`, `@x.bin` (raw), or `-` (printed).
struct OutputSpec {
  enum class Kind : uint8_t { Print, Npy, Raw };
  Kind kind = Kind::Print;
  std::string path;
};

llvm::Expected<OutputSpec> parseOutputSpec(llvm::StringRef text);
llvm::Error writeOutput(const OutputSpec &spec, const HostTensor &tensor,
                        llvm::raw_ostream &os);

/// Fills a tensor with random values as described above. The bounds are text so
/// that they are rounded to the element type once; empty for the defaults.
llvm::Error fillRandom(HostTensor &tensor, llvm::StringRef low,
                       llvm::StringRef high, uint64_t seed);

} // namespace ew::runtime

#endif // EW_RUNTIME_INPUTSPEC_H
