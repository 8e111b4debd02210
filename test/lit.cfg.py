"""Configuration of the tests that run the warpwise command (lit, FileCheck).

There are two suites with this configuration: test/, and rules/, where a rule's
tests stand beside the rule.
"""

import os
import shutil
import subprocess
import sys

import lit.formats

config.name = "warpwise-" + config.warpwise_suite
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".cu", ".test"]
config.excludes = ["Inputs", "unit", "oracle", "tools"]
config.test_source_root = os.path.join(
    config.warpwise_source_root, config.warpwise_suite
)
config.test_exec_root = os.path.join(
    config.warpwise_test_output, config.warpwise_suite
)

config.substitutions += [
    # What a finding would gain, and how little is said by default, is the business
    # of the tests that say so.
    ("%checkpriced", config.warpwise_binary + " check"),
    ("%warpwise check", config.warpwise_binary + " check --min-gain=0 --explain"),
    ("%warpwise", config.warpwise_binary),
    ("%python", sys.executable),
    ("%tidy", "clang-tidy-19 -load " + config.warpwise_tidy),
    ("%module", config.warpwise_tidy),
    ("%build", config.warpwise_build),
    ("%bin", os.path.dirname(config.warpwise_binary)),
    ("%inputs", os.path.join(config.warpwise_source_root, "test", "Inputs")),
]
config.environment["PATH"] = os.pathsep.join(
    [config.llvm_tools, config.environment["PATH"]]
)
# Nothing in the user's environment may change what a test sees.
config.environment["XDG_DATA_HOME"] = os.path.join(config.test_exec_root, "data")
config.environment["XDG_CACHE_HOME"] = os.path.join(config.test_exec_root, "cache")
# Tests leave nothing beside their sources.
config.environment["PYTHONDONTWRITEBYTECODE"] = "1"
for name in ("CUDA_PATH", "CUDA_HOME"):
    config.environment.pop(name, None)

toolkit = os.environ.get("CUDA_PATH", "/usr/local/cuda")
if os.path.exists(os.path.join(toolkit, "include", "cuda.h")):
    config.available_features.add("cuda-toolkit")
    config.substitutions.append(("%cuda", toolkit))
if os.access(os.path.join(toolkit, "bin", "nvcc"), os.X_OK):
    config.available_features.add("toolkit-nvcc")
if shutil.which("clang-apply-replacements-19"):
    config.available_features.add("clang-apply-replacements")
# The browser that is asked how a page looks.
chromium = shutil.which("chromium")
if chromium:
    config.available_features.add("chromium")
    config.substitutions.append(("%chromium", chromium))
for program in ("fish", "man", "ninja", "pre-commit", "zsh"):
    if shutil.which(program):
        config.available_features.add(program)
# Debian's Python has Debian's modules, which another one on the path lacks.
for python in (sys.executable, "/usr/bin/python3"):
    if subprocess.run([python, "-c", "import yaml"], capture_output=True).returncode == 0:
        config.available_features.add("yaml")
        config.substitutions.append(("%yamlpython", python))
        break
if config.warpwise_sanitized:
    config.available_features.add("sanitized")
# A package of a sanitized build would be of no use.
if shutil.which("dpkg-shlibdeps") and not config.warpwise_sanitized:
    config.available_features.add("dpkg")
# Of Debian's slurm-wlm; the daemons are in sbin.
slurm_path = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"
if all(
    shutil.which(name, path=slurm_path) for name in ("slurmctld", "slurmd", "sbatch")
):
    config.available_features.add("slurm")
else:
    lit_config.note("no test with a real Slurm: install slurm-wlm")
if shutil.which("nvim"):
    config.available_features.add("neovim")
# Emacs with Eglot, which is built in from 29 on.
if shutil.which("emacs") and not subprocess.run(
    ["emacs", "--batch", "-f", "package-initialize", "-l", "eglot"],
    stdout=subprocess.DEVNULL,
    stderr=subprocess.DEVNULL,
).returncode:
    config.available_features.add("emacs")
# Older ones do not know the GPUs of the tests.
clangd = shutil.which("clangd-19")
if clangd:
    config.available_features.add("clangd")
    config.substitutions.append(("%clangd", clangd))
# npm's package vscode-languageserver-protocol, where `./dev test` puts it or
# NODE_PATH leads to.
node = shutil.which("node")
node_packages = os.path.join(
    config.warpwise_source_root, "build", "node", "node_modules"
)
node_path = os.environ.get("NODE_PATH", "") + os.pathsep + node_packages
if node and not subprocess.run(
    [node, "-e", "require('vscode-languageserver-protocol/node')"],
    env={**os.environ, "NODE_PATH": node_path},
    stdout=subprocess.DEVNULL,
    stderr=subprocess.DEVNULL,
).returncode:
    config.available_features.add("node-client")
    config.environment["NODE_PATH"] = node_path
else:
    lit_config.note(
        "no test with VS Code's client: install node and npm, and run ./dev test"
    )
# npm's packages @vscode/vsce and vscode-languageclient, from there as well.
if (
    shutil.which("npm")
    and os.path.exists(os.path.join(node_packages, ".bin", "vsce"))
    and os.path.exists(os.path.join(node_packages, "vscode-languageclient"))
):
    config.available_features.add("vsce")
    config.substitutions.append(("%node_packages", node_packages))
if shutil.which("clang-tidy-19") and os.path.exists(config.warpwise_tidy):
    config.available_features.add("clang-tidy")
# The program of npm's package @microsoft/sarif-multitool itself: the package's
# script hands its arguments to a shell without quotes.
multitool = shutil.which(
    "Sarif.Multitool",
    path=os.environ["PATH"]
    + os.pathsep
    + os.path.join(node_packages, "@microsoft", "sarif-multitool-linux"),
)
if multitool:
    config.available_features.add("sarif-multitool")
    config.substitutions.append(("%sarif", multitool))
# This build has the microbenchmarks.
if config.warpwise_cuda:
    config.available_features.add("nvcc")
# Tests below gpu/ measure; everything else runs without a GPU.
if os.path.exists("/dev/nvidia0"):
    config.available_features.add("gpu")
# Tests of minutes: lit --param slow=1.
if lit_config.params.get("slow"):
    config.available_features.add("slow")
# Root reads every file, so tests of missing permissions cannot fail for it.
if os.geteuid() != 0:
    config.available_features.add("not-root")
