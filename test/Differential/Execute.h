//===- Execute.h - Runs a program everywhere and compares -------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_TEST_DIFFERENTIAL_EXECUTE_H
#define EW_TEST_DIFFERENTIAL_EXECUTE_H

#include "Program.h"
#include "ew/Pipelines/Compile.h"
#include "ew/Runtime/Device.h"

namespace ew::fuzz {

/// What is wrong with a program, the kinds in the order of their exit codes.
struct Failure {
  enum class Kind : uint8_t {
    None,
    Invalid, // the generator made what the verifier refuses
    Compile, // an error where there should be none
    Run,
    Oracle, // cannot interpret the program
    Wrong,  // outside of what the oracle allows
    Differ, // other bits than the first device gave
    Views,  // other bits for the same elements elsewhere in memory
    Crash,
    Hang,
  };
  Kind kind = Kind::None;
  /// Devices, by their place in the options.
  unsigned device = 0;
  unsigned result = 0;
  std::string text;

  explicit operator bool() const { return kind != Kind::None; }
};

llvm::StringRef getName(Failure::Kind kind);

struct ExecuteOptions {
  std::vector<std::string> devices = {"cpu", "emulated"};
  /// Elements of a result that the oracle looks at, at most.
  int64_t checkLimit = 256;
  /// The operands of this op are exchanged in what is compiled: a fault that
  /// must be found. Empty for none.
  std::string plant;
};

/// Elements, summed over results and devices.
struct Counts {
  uint64_t elements = 0;  // that the oracle judged
  uint64_t undecided = 0; // of them
  uint64_t compared = 0;  // bit for bit with another run
  uint64_t nans = 0;      // of those judged, on the first device
  uint64_t inPlace = 0;   // programs with a result in an argument's memory
  uint64_t refused = 0;   // of them, since it is read elsewhere too
  uint64_t tiled = 0;     // launches that go through tiles
  uint64_t units = 0;     // of them, in units of several elements
  double seconds[3] = {}; // on hosts, on GPUs, in the oracle
};

/// Devices and a context, which are used for one program after the other.
class Executor {
public:
  Executor(const OpTable &table, mlir::MLIRContext *context,
           const ExecuteOptions &options);

  /// Opens the devices.
  llvm::Error open();
  Failure run(const Program &program, Counts &counts);

private:
  struct Results;
  Failure runAsIs(const Program &program, Counts &counts);
  Failure compileFor(unsigned device, const Program &program,
                     mlir::ModuleOp module, CompileOptions compileOptions,
                     runtime::Program &code);
  Failure runOn(unsigned device, const Program &program, mlir::ModuleOp module,
                bool views, Results &results, Counts &counts);
  Failure judge(unsigned device, const Program &program, mlir::ModuleOp module,
                const Results &results, Counts &counts);
  Failure compare(Failure::Kind kind, unsigned device, const Program &program,
                  const Results &expected, const Results &actual,
                  Counts &counts);

  /// Whether a comparison of this device with the first one is with a GPU.
  bool involvesGPU(unsigned device) const;

  const OpTable &table;
  mlir::MLIRContext *context;
  const ExecuteOptions &options;
  std::vector<std::unique_ptr<runtime::Device>> devices;
};

/// Whether a name in the list of devices stands for code that is only made:
/// "ptx", and "cubin", which CUDA's ptxas makes of it.
inline bool isCodeOnly(llvm::StringRef name) {
  return name == "ptx" || name == "cubin";
}

/// Whether there is such a device to run on.
llvm::Expected<std::unique_ptr<runtime::Device>>
openDevice(llvm::StringRef name);

} // namespace ew::fuzz

#endif // EW_TEST_DIFFERENTIAL_EXECUTE_H
