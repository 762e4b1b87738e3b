import os

import lit.formats

config.name = "EW"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.ew_binary_dir, "test")
config.environment["PATH"] = os.pathsep.join(
    [os.path.join(config.ew_binary_dir, "bin"), config.llvm_tools_dir, os.environ["PATH"]]
)
