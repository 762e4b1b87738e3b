import ctypes
import importlib.util
import os
import shutil
import sys

import lit.formats

config.name = "EW"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs", "Unit", "Fuzz", "consumer"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.ew_binary_dir, "test")


def nvidia_gpu_present():
    """Whether NVIDIA's driver is there and sees a device."""
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return False
    count = ctypes.c_int(0)
    return (
        driver.cuInit(0) == 0
        and driver.cuDeviceGetCount(ctypes.byref(count)) == 0
        and count.value > 0
    )


def cuda_home():
    homes = [os.environ.get("CUDA_HOME"), os.environ.get("CUDA_PATH"), "/usr/local/cuda"]
    return next((home for home in homes if home and os.path.isdir(home)), None)


cuda = cuda_home()
path = [os.path.join(config.ew_binary_dir, "bin"), config.llvm_tools_dir, os.environ["PATH"]]
if cuda:
    path.append(os.path.join(cuda, "bin"))
    config.environment["CUDA_HOME"] = cuda
config.environment["PATH"] = os.pathsep.join(path)

# Features: what a test may ask for with REQUIRES.
#   nvidia-gpu  NVIDIA's driver and a device
#   ptxas       CUDA's assembler
#   libdevice   CUDA's device library of math functions
#   golden      the folder of values from elsewhere, EW_GOLDEN_DIR
#   large       EW_LARGE_TESTS is set: tests of many gigabytes
#   matplotlib  the Python that runs the tests can draw: the benchmarks' report
#   clang-format  its version 22
#   build       what only a build has: scripts, the plugin, mlir-opt
config.available_features.add("build")
if shutil.which("clang-format-22"):
    config.available_features.add("clang-format")
if nvidia_gpu_present():
    config.available_features.add("nvidia-gpu")
if shutil.which("ptxas", path=config.environment["PATH"]):
    config.available_features.add("ptxas")
if cuda and os.path.exists(os.path.join(cuda, "nvvm/libdevice/libdevice.10.bc")):
    config.available_features.add("libdevice")

golden = os.environ.get("EW_GOLDEN_DIR")
if golden and os.path.exists(os.path.join(golden, "numpy_umath.tsv")):
    config.available_features.add("golden")
    config.substitutions.append(("%golden", os.path.abspath(golden)))
elif golden:
    lit_config.warning(f"EW_GOLDEN_DIR is {golden}, which has no numpy_umath.tsv")

if importlib.util.find_spec("matplotlib"):
    config.available_features.add("matplotlib")
if os.environ.get("EW_LARGE_TESTS"):
    config.available_features.add("large")

# Tests share no compiled programs with each other's runs or with the user's.
config.environment["EW_CACHE_DIR"] = os.path.join(config.test_exec_root, "ew-cache")
# And no schedules with anybody.
config.environment["EW_TUNE_DB"] = ""
# A script's own processes (ewrun.py). lit runs several scripts at once, and each process
# opens its device.
config.environment["EW_TEST_JOBS"] = os.environ.get("EW_TEST_JOBS") or str(max(2, os.cpu_count() // 4))
for name in ("CUDA_VISIBLE_DEVICES", "ASAN_OPTIONS", "LD_LIBRARY_PATH"):
    if name in os.environ:
        config.environment[name] = os.environ[name]

config.substitutions.append(("%python", sys.executable))
config.substitutions.append(("%ops", os.path.join(config.ew_binary_dir, "ops.json")))
config.substitutions.append(("%examples", os.path.join(config.ew_source_dir, "examples")))
config.substitutions.append(("%scripts", os.path.join(config.ew_source_dir, "scripts")))
config.substitutions.append(("%bootstrap", os.path.join(config.ew_source_dir, "scripts", "bootstrap.sh")))
config.substitutions.append(("%plugin", os.path.join(config.ew_binary_dir, "lib", "libEwPlugin.so")))
config.substitutions.append(
    ("%fakecuda", os.path.join(config.ew_binary_dir, "test", "Unit", "Runtime", "libEWFakeCuda.so")))
config.substitutions.append(("%docs", os.path.join(config.ew_binary_dir, "docs")))
