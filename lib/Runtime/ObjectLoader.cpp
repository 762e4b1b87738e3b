//===- ObjectLoader.cpp - Object files in memory --------------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Runtime/ObjectLoader.h"

#include "llvm/ADT/Twine.h"
#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/Core.h"
#include "llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h"
#include "llvm/ExecutionEngine/Orc/SelfExecutorProcessControl.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace ew::runtime;
using namespace llvm::orc;

struct ObjectLoader::Session {
  Session(std::string name, std::unique_ptr<ExecutorProcessControl> control)
      : name(std::move(name)), session(std::move(control)), layer(session) {
    // What goes wrong below a lookup is reported here first, in more detail.
    session.setErrorReporter([this](llvm::Error error) {
      if (!details.empty())
        details += "; ";
      details += llvm::toString(std::move(error));
    });
  }
  ~Session() {
    // Nothing more can be done about an object that does not unload.
    llvm::consumeError(session.endSession());
  }

  llvm::Error fail(llvm::Error error) {
    std::string what = llvm::toString(std::move(error));
    if (!details.empty())
      what = std::move(details);
    details.clear();
    return llvm::createStringError("cannot load code '" + name + "': " + what);
  }

  std::string name;
  ExecutionSession session;
  ObjectLinkingLayer layer;
  JITDylib *library = nullptr;
  std::string details;
};

ObjectLoader::ObjectLoader(std::unique_ptr<Session> session)
    : session(std::move(session)) {}
ObjectLoader::~ObjectLoader() = default;

llvm::Expected<std::unique_ptr<ObjectLoader>>
ObjectLoader::load(llvm::StringRef object, llvm::StringRef name) {
  llvm::Expected<std::unique_ptr<SelfExecutorProcessControl>> control =
      SelfExecutorProcessControl::Create(
          nullptr, std::make_unique<InPlaceTaskDispatcher>());
  if (!control)
    return control.takeError();
  auto session = std::make_unique<Session>(name.str(), std::move(*control));
  session->library = &session->session.createBareJITDylib("kernels");

  SymbolMap symbols;
  for (const RuntimeSymbol &symbol : getRuntimeSymbols())
    symbols[session->session.intern(symbol.name)] = {
        ExecutorAddr::fromPtr(symbol.address),
        llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable};
  // Of their own library: an object may define what we offer, too.
  JITDylib &offered = session->session.createBareJITDylib("runtime");
  if (llvm::Error error = offered.define(absoluteSymbols(std::move(symbols))))
    return session->fail(std::move(error));
  session->library->addToLinkOrder(offered);

  if (llvm::Error error = session->layer.add(
          *session->library,
          llvm::MemoryBuffer::getMemBufferCopy(object, name)))
    return session->fail(std::move(error));
  return std::unique_ptr<ObjectLoader>(new ObjectLoader(std::move(session)));
}

llvm::Expected<void *> ObjectLoader::lookup(llvm::StringRef symbol) {
  llvm::Expected<ExecutorSymbolDef> found = session->session.lookup(
      {session->library}, session->session.intern(symbol));
  if (!found)
    return session->fail(found.takeError());
  return found->getAddress().toPtr<void *>();
}
