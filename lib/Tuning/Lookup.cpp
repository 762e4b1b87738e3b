//===- Lookup.cpp - Tuned schedules for a program -------------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Tuning/Lookup.h"

#include "ew/Tuning/Database.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"

using namespace ew;
using namespace ew::tuning;

namespace rt = ew::runtime;
using llvm::StringRef;

static llvm::Error lookUp(const rt::Plan &plan,
                          llvm::ArrayRef<rt::Tensor> arguments,
                          uint64_t maxGrid, StringRef device, bool forGPU,
                          StringRef path, std::vector<KernelSchedule> &found) {
  llvm::Expected<Database> database = Database::openToRead(path);
  if (!database)
    return database.takeError();
  llvm::Expected<std::vector<LaunchSize>> sizes =
      getLaunchSizes(plan, arguments, maxGrid);
  if (!sizes) {
    // What is wrong with the arguments is reported where they meet the plan.
    llvm::consumeError(sizes.takeError());
    return llvm::Error::success();
  }
  std::vector<KernelSchedule> result(plan.launches.size());
  for (auto [launch, size, schedule] :
       llvm::zip_equal(plan.launches, *sizes, result)) {
    if (size.elements == 0)
      continue;
    auto entry = database->find(
        {launch.fingerprint, device.str(), size.sizes, launch.schedule});
    if (!entry)
      return entry.takeError();
    if (!*entry)
      continue;
    std::string origin = ("database '" + path + "'").str();
    if (forGPU)
      if (llvm::Error error = (*entry)->schedule.verifyForGPU())
        return llvm::createStringError(
            origin + ": schedule " + (*entry)->schedule.str() + " of kernel '" +
            launch.name + "': " + llvm::toString(std::move(error)));
    schedule = {(*entry)->schedule, kTunedSource.str(), origin};
  }
  found = std::move(result);
  return llvm::Error::success();
}

static std::vector<KernelSchedule> find(const rt::Plan &plan,
                                        llvm::ArrayRef<rt::Tensor> arguments,
                                        uint64_t maxGrid, StringRef device,
                                        bool forGPU, StringRef database,
                                        const Warn &warn) {
  std::vector<KernelSchedule> found;
  // Most users have none: nothing is worked out then.
  if (database.empty() || device.empty() || !llvm::sys::fs::exists(database))
    return found;
  if (llvm::Error error =
          lookUp(plan, arguments, maxGrid, device, forGPU, database, found)) {
    std::string why = llvm::toString(std::move(error));
    if (warn)
      warn("working without tuned schedules: " + why);
  }
  return found;
}

std::vector<KernelSchedule>
tuning::findSchedules(const rt::Plan &plan,
                      llvm::ArrayRef<rt::Tensor> arguments,
                      const rt::Device &device, StringRef chip,
                      StringRef database, const Warn &warn) {
  return find(plan, arguments, device.maxGrid(), getDeviceKey(device, chip),
              device.getTarget() == rt::Target::CUDA, database, warn);
}

std::function<std::vector<KernelSchedule>(const rt::Plan &)>
tuning::makeLookup(const rt::Device &device, StringRef chip,
                   std::vector<rt::Tensor> arguments, Warn warn) {
  return [key = getDeviceKey(device, chip), maxGrid = device.maxGrid(),
          forGPU = device.getTarget() == rt::Target::CUDA,
          arguments = std::move(arguments), warn = std::move(warn),
          path = Database::getDefaultPath()](const rt::Plan &plan) {
    return find(plan, arguments, maxGrid, key, forGPU, path, warn);
  };
}
