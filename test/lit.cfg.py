"""Configuration of the tests that run the warpwise command (lit, FileCheck).

They live where their subject lives: a rule's tests in the rule's folder, the
rest below test/. So the suite's root is the repository, and only folders that
hold such tests are entered.
"""

import os

import lit.formats


class WarpwiseTest(lit.formats.ShTest):
    """Shell tests below one of the test folders; other folders are skipped."""

    def getTestsInDirectory(self, suite, path_in_suite, lit_config, local_config):
        folder = "/".join(path_in_suite) + "/"
        rule = folder.startswith("rules/") and "/test/" in folder
        if rule or folder.startswith(TEST_FOLDERS):
            yield from super().getTestsInDirectory(
                suite, path_in_suite, lit_config, local_config
            )


TEST_FOLDERS = (
    "test/accesses/",
    "test/end-to-end/",
    "test/known-gaps/",
    "test/gpu/",
)

config.name = "warpwise"
config.test_format = WarpwiseTest(execute_external=False)
config.suffixes = [".cu", ".test"]
config.excludes = ["Inputs", "build", ".git"]
config.test_source_root = config.warpwise_source_root
config.test_exec_root = config.warpwise_test_output

config.substitutions += [
    ("%warpwise", config.warpwise_binary),
    ("%inputs", os.path.join(config.test_source_root, "test", "Inputs")),
]
config.environment["PATH"] = os.pathsep.join(
    [config.llvm_tools, config.environment["PATH"]]
)
# Neither a profile of the user nor a toolkit of the machine may change what a
# test sees. Tests that want a toolkit ask for it with --cuda-path=%cuda.
config.environment["XDG_DATA_HOME"] = os.path.join(config.test_exec_root, "data")
for name in ("CUDA_PATH", "CUDA_HOME"):
    config.environment.pop(name, None)

toolkit = os.environ.get("CUDA_PATH", "/usr/local/cuda")
if os.path.exists(os.path.join(toolkit, "include", "cuda.h")):
    config.available_features.add("cuda-toolkit")
    config.substitutions.append(("%cuda", toolkit))
if os.path.exists("/proc/driver/nvidia/gpus"):
    config.available_features.add("gpu")
# Root reads every file, so tests of missing permissions cannot fail for it.
if os.geteuid() != 0:
    config.available_features.add("not-root")
