//===- HostTensors.h - The oracle's view of what a run had ------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_REFERENCE_HOSTTENSORS_H
#define EW_REFERENCE_HOSTTENSORS_H

#include "ew/Dialect/Ew/IR/Mode.h"
#include "ew/Reference/Reference.h"
#include "ew/Runtime/HostTensor.h"

namespace ew::reference {

inline TensorView makeView(const runtime::HostTensor &tensor) {
  TensorView view;
  view.type = tensor.getType();
  view.shape.assign(tensor.getShape().begin(), tensor.getShape().end());
  view.strides.assign(tensor.getStrides().begin(), tensor.getStrides().end());
  view.data = tensor.getData();
  return view;
}

inline std::vector<TensorView>
makeViews(llvm::ArrayRef<runtime::HostTensor> tensors) {
  std::vector<TensorView> views;
  for (const runtime::HostTensor &tensor : tensors)
    views.push_back(makeView(tensor));
  return views;
}

/// The oracle's mode for what was compiled in a mode.
inline Mode getMode(ew::Mode mode) {
  return mode == ew::Mode::Strict ? Mode::Strict
         : mode == ew::Mode::Fast ? Mode::Fast
                                  : Mode::Default;
}

} // namespace ew::reference

#endif // EW_REFERENCE_HOSTTENSORS_H
