//===- FileCheck.cpp - LLVM's FileCheck, for the packaged tests -*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tests in the package run where there is no LLVM. This offers LLVM's own
// checking, with the options that EW's tests use.
//
//===----------------------------------------------------------------------===//

#include "llvm/FileCheck/FileCheck.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

/// Reads a file, or the standard input for "-", into the source manager.
static StringRef addFile(SourceMgr &sourceMgr, StringRef name,
                         FileCheck &fileCheck, SmallVectorImpl<char> &text) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> file =
      MemoryBuffer::getFileOrSTDIN(name, /*IsText=*/true);
  if (!file) {
    errs() << "FileCheck: error: cannot read '" << name
           << "': " << file.getError().message() << "\n";
    return StringRef();
  }
  StringRef canonical = fileCheck.CanonicalizeFile(**file, text);
  sourceMgr.AddNewSourceBuffer(
      MemoryBuffer::getMemBuffer(canonical, (*file)->getBufferIdentifier()),
      SMLoc());
  return canonical;
}

int ewFileCheckMain(int argc, char **argv) {
  cl::opt<std::string> checkFile(cl::Positional, cl::Required,
                                 cl::desc("<check-file>"));
  cl::opt<std::string> inputFile("input-file", cl::init("-"));
  cl::list<std::string> prefixes("check-prefix");
  cl::alias prefixesAlias("check-prefixes", cl::aliasopt(prefixes),
                          cl::NotHidden);
  cl::list<std::string> implicitNot("implicit-check-not");
  cl::list<std::string> defines("D", cl::Prefix);
  cl::opt<bool> allowEmpty("allow-empty");
  cl::opt<bool> matchFullLines("match-full-lines");
  cl::opt<bool> strictWhitespace("strict-whitespace");
  cl::ParseCommandLineOptions(argc, argv);

  FileCheckRequest request;
  for (StringRef list : prefixes) {
    SmallVector<StringRef> parts;
    list.split(parts, ',');
    request.CheckPrefixes.insert(request.CheckPrefixes.end(), parts.begin(),
                                 parts.end());
  }
  request.ImplicitCheckNot.assign(implicitNot.begin(), implicitNot.end());
  request.GlobalDefines.assign(defines.begin(), defines.end());
  request.AllowEmptyInput = allowEmpty;
  request.MatchFullLines = matchFullLines;
  request.NoCanonicalizeWhiteSpace = strictWhitespace;

  FileCheck fileCheck(request);
  if (!fileCheck.ValidateCheckPrefixes())
    return 2;
  SourceMgr sourceMgr;
  SmallString<4096> checkText, inputText;
  StringRef checks = addFile(sourceMgr, checkFile, fileCheck, checkText);
  if (checks.data() == nullptr || fileCheck.readCheckFile(sourceMgr, checks))
    return 2;
  StringRef input = addFile(sourceMgr, inputFile, fileCheck, inputText);
  if (input.data() == nullptr)
    return 2;
  if (input.empty() && !allowEmpty) {
    errs() << "FileCheck: error: '" << inputFile << "' is empty.\n";
    return 2;
  }
  return fileCheck.checkInput(sourceMgr, input) ? 0 : 1;
}
