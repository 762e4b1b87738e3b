//===- WriteProgram.cpp - A failing program as files ----------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Campaign.h"
#include "ew/Runtime/Element.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace ew;
using namespace ew::fuzz;

namespace rt = ew::runtime;

static llvm::Error writeFile(llvm::StringRef path, llvm::StringRef text) {
  std::error_code error;
  llvm::raw_fd_ostream os(path, error);
  os << text;
  os.close();
  if (!error)
    error = os.error();
  os.clear_error();
  return error ? llvm::createFileError(path, error) : llvm::Error::success();
}

/// "=1,2,3" if that gives these bits again, else nothing.
static std::string formatData(const Node &node) {
  if (node.data.empty() || node.data.size() > 8 || rt::isComplex(node.type))
    return "";
  std::string text;
  for (uint64_t bits : node.data) {
    std::string element = rt::formatElement(bits, node.type);
    auto parsed = rt::parseElement(element, node.type);
    if (!parsed) {
      llvm::consumeError(parsed.takeError());
      return "";
    }
    if (*parsed != bits)
      return "";
    text += (text.empty() ? "=" : ",") + element;
  }
  return text;
}

/// An --input of ew-run; elements that text cannot hold go into a file.
static llvm::Expected<std::string> describeInput(const fuzz::Program &program,
                                                 const Node &node,
                                                 const rt::HostTensor &tensor,
                                                 const std::string &path) {
  std::string text = " --input=" + tensor.getTypeName();
  if (!tensor.isRowMajor() || tensor.getOffset() != 0) {
    if (tensor.getRank() > 0) {
      text += ",strides=";
      llvm::raw_string_ostream os(text);
      llvm::interleave(tensor.getStrides(), os, ":");
    }
    if (tensor.getOffset() != 0)
      text += ",offset=" + std::to_string(tensor.getOffset());
  }
  std::string data = formatData(node);
  if (!data.empty())
    return text + data;
  rt::ElementType part = rt::getPartType(node.type);
  unsigned width = rt::getByteWidth(part);
  std::string bytes(node.data.size() * width, '\0');
  for (auto [i, bits] : llvm::enumerate(node.data))
    rt::storeElement(bytes.data() + i * width, part, bits);
  if (llvm::Error error = writeFile(path, bytes))
    return std::move(error);
  return text + "=@" + path;
}

llvm::Expected<std::string>
ew::fuzz::writeProgram(const fuzz::Program &program, const OpTable &table,
                       MLIRContext *context, const CampaignOptions &options,
                       const Failure &failure, llvm::StringRef name) {
  if (std::error_code error = llvm::sys::fs::create_directories(options.keep))
    return llvm::createFileError(options.keep, error);
  llvm::SmallString<128> base(options.keep);
  llvm::sys::path::append(base, name);
  std::string path = (base + ".mlir").str();

  const auto &devices = options.execute.devices;
  const std::string &device = devices[failure.device];
  bool views = failure.kind == Failure::Kind::Views;
  auto tensors = makeInputs(program, /*asViews=*/false);
  if (!tensors)
    return tensors.takeError();
  auto viewTensors = makeInputs(program, /*asViews=*/true);
  if (!viewTensors)
    return viewTensors.takeError();
  std::string inputs, viewInputs;
  for (auto [i, number] : llvm::enumerate(program.getInputs())) {
    for (bool asView : {false, true}) {
      auto text = describeInput(program, program.nodes[number],
                                (asView ? *viewTensors : *tensors)[i],
                                (base + ".x" + llvm::Twine(i) + ".bin").str());
      if (!text)
        return text.takeError();
      (asView ? viewInputs : inputs) += *text;
    }
  }
  std::string command =
      "ew-run " + path + " --mode=" + getName(program.mode).str();
  auto on = [&](const std::string &where) {
    return command + " --device=" + where +
           (where == "emulated" ? " --chip=" + program.chip : "") +
           (program.many && where != "cpu" ? " --schedule=many=1" : "");
  };
  auto inputsOn = [&](unsigned index, bool other) -> const std::string & {
    return (program.viewsOn >> index & 1) != other ? viewInputs : inputs;
  };
  // The results of the one run, compared with those of the other.
  if (failure.kind == Failure::Kind::Differ || views) {
    std::string outputs, expected;
    for (size_t i = 0; i < program.results.size(); ++i) {
      const Node &node = program.nodes[program.results[i]];
      std::string file = (base + ".y" + llvm::Twine(i) + ".bin").str();
      outputs += " --output=@" + file;
      expected += " --expected_output=" +
                  rt::formatType(node.type, program.getSizes(node)) + "=@" +
                  file;
    }
    unsigned first = views ? failure.device : 0;
    command = on(devices[first]) + inputsOn(first, false) + outputs + " && " +
              on(device) + inputsOn(failure.device, views) + expected;
  } else if (isCodeOnly(device)) {
    command += " --emit=" + device + " --chip=" + program.chip +
               (program.many ? " --schedule=many=1" : "");
  } else {
    command = on(device) + inputsOn(failure.device, false) + " --check";
  }

  std::string text;
  llvm::raw_string_ostream os(text);
  os << "// ew-fuzz --seed=" << options.seed << ": "
     << fuzz::getName(failure.kind) << " on " << device << "\n";
  SmallVector<llvm::StringRef> lines;
  llvm::StringRef(failure.text).split(lines, '\n', -1, false);
  for (llvm::StringRef line : lines)
    os << "//   " << line << "\n";
  if (program.optLevel != 3)
    os << "// with LLVM's optimization level " << program.optLevel
       << ", not 3 as in ew-run\n";
  os << "// " << command << "\n";
  build(program, table, context)->print(os);
  os << "\n";
  if (llvm::Error error = writeFile(path, text))
    return std::move(error);
  return command;
}
