"""Runs a composite action as GitHub's runner does: action.py FOLDER NAME=VALUE...

Steps of other actions are only described, after a look at what they are given.
"""

import json
import os
import re
import subprocess
import sys
import tempfile

import yaml

EXPRESSION = re.compile(r"\$\{\{\s*(.*?)\s*\}\}")


class Runner:
    def __init__(self, folder, given):
        self.folder = os.path.realpath(folder)
        with open(os.path.join(folder, "action.yml"), encoding="utf-8") as file:
            self.action = yaml.safe_load(file)
        declared = self.action["inputs"]
        assert all(set(each) == {"description", "default"} for each in declared.values())
        assert not set(given) - set(declared), given
        self.values = {
            "inputs." + name: given.get(name, each["default"])
            for name, each in declared.items()
        }
        self.values["github.action_path"] = self.folder
        self.ids = {step.get("id") for step in self.action["runs"]["steps"]}
        self.temporary = tempfile.mkdtemp()

    def value(self, name):
        step = re.fullmatch(r"steps\.([a-z-]+)\.outputs\.[a-z-]+", name)
        if step:
            assert step[1] in self.ids, name
            return self.values.get(name, "")
        return self.values[name]

    def expand(self, text):
        return EXPRESSION.sub(lambda match: self.value(match[1]), str(text))

    def wanted(self, condition):
        for part in condition.split(" && "):
            name, operator, literal = re.fullmatch(
                r"(\S+) (==|!=) '([^']*)'", part
            ).groups()
            if (self.value(name) == literal) != (operator == "=="):
                return False
        return True

    def file(self, name):
        path = os.path.join(self.temporary, name)
        open(path, "a").close()
        return path

    def run(self, step):
        assert step["shell"] == "bash"
        assert not EXPRESSION.search(step["run"]), "a value would be read as code"
        environment = dict(os.environ)
        for name in ("GITHUB_OUTPUT", "GITHUB_PATH", "GITHUB_STEP_SUMMARY"):
            environment[name] = self.file(name)
        environment["GITHUB_ACTION_PATH"] = self.folder
        for name, text in step["env"].items():
            environment[name] = self.expand(text)
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", step["run"]],
            env=environment,
            stdout=subprocess.PIPE,
            text=True,
        )
        with open(self.file("GITHUB_OUTPUT"), encoding="utf-8") as file:
            for line in file.read().splitlines():
                name, text = line.split("=", 1)
                self.values[f"steps.{step.get('id')}.outputs.{name}"] = text
        os.remove(self.file("GITHUB_OUTPUT"))
        with open(self.file("GITHUB_PATH"), encoding="utf-8") as file:
            for line in file.read().splitlines():
                os.environ["PATH"] = line + os.pathsep + os.environ["PATH"]
        os.remove(self.file("GITHUB_PATH"))
        return done

    def upload(self, step):
        with open(self.expand(step["with"]["sarif_file"]), encoding="utf-8") as file:
            results = json.load(file)["runs"][0]["results"]
        plural = "" if len(results) == 1 else "s"
        return (
            f"upload {self.expand(step['with']['sarif_file'])} "
            f"with {len(results)} result{plural}"
        )

    def steps(self):
        assert self.action["runs"]["using"] == "composite"
        failed = False
        for step in self.action["runs"]["steps"]:
            if failed or not self.wanted(step.get("if", "inputs.paths != '\\0'")):
                print(f"step {step['name']}: skipped")
            elif "uses" in step:
                assert re.fullmatch(r"[a-z-]+/[a-z-/]+@v\d+", step["uses"])
                print(f"step {step['name']}: {self.upload(step)}")
            else:
                done = self.run(step)
                failed = done.returncode != 0
                print(f"step {step['name']}: {done.returncode}")
                print(done.stdout, end="")
        with open(self.file("GITHUB_STEP_SUMMARY"), encoding="utf-8") as file:
            for line in file.read().splitlines():
                print("summary:", line)
        for name, output in self.action["outputs"].items():
            print(f"output {name}: {self.expand(output['value'])}")


sys.stdout.reconfigure(line_buffering=True)
Runner(sys.argv[1], dict(each.split("=", 1) for each in sys.argv[2:])).steps()
