"""Reads a device profile for the checks beside this file."""

import json
import pathlib


def quantities(file):
    """Every quantity of a profile by its dotted path."""
    document = json.loads(pathlib.Path(file).read_text())
    found = {}

    def walk(branch, prefix):
        for name, value in branch.items():
            if not isinstance(value, dict):
                continue
            path = prefix + name
            if "unit" in value and "status" in value:
                found[path] = value
            else:
                walk(value, path + ".")

    for section, value in document.items():
        if section not in ("curves", "guidelines") and isinstance(value, dict):
            walk(value, section + ".")
    return found


def report(problems):
    """Prints the problems; the exit status of a check."""
    for problem in problems:
        print(problem)
    return 1 if problems else 0
