#!/usr/bin/env python3
"""Adds up a test run: googletest cases and lit tests in one line.

  summarize.py RESULTS

RESULTS holds ctest.xml (JUnit, one entry per test program), gtest/*.xml (one
file per program, written by the program itself) and lit.json. A program that
crashed left no file, or one without its last cases; ctest knows that it failed.
A runner that did not get to its end left nothing, which counts as one failure.
"""

import json
import pathlib
import sys
import xml.etree.ElementTree


def count_gtest(results):
    passed = failed = 0
    failed_programs = set()
    for file in sorted(results.glob("gtest/*.xml")):
        suites = xml.etree.ElementTree.parse(file).getroot()
        wrong = int(suites.get("failures")) + int(suites.get("errors"))
        skipped = int(suites.get("disabled")) + sum(
            int(suite.get("skipped", 0)) for suite in suites
        )
        failed += wrong
        passed += int(suites.get("tests")) - wrong - skipped
        if wrong:
            failed_programs.add(file.stem)
    return passed, failed, failed_programs


def count_crashes(results, already_counted):
    """Programs that ctest saw fail without a failed case in their own file."""
    if not (results / "ctest.xml").exists():
        return 1
    suite = xml.etree.ElementTree.parse(results / "ctest.xml").getroot()
    failures = [c for c in suite.iter("testcase") if c.find("failure") is not None]
    names = {c.get("name").removeprefix("unit.") + "_test" for c in failures}
    return len(names - already_counted)


def count_lit(results):
    if not (results / "lit.json").exists():
        return 0, 1
    codes = [t["code"] for t in json.loads((results / "lit.json").read_text())["tests"]]
    passed = sum(code in ("PASS", "XFAIL", "FLAKYPASS") for code in codes)
    failed = sum(code in ("FAIL", "XPASS", "UNRESOLVED", "TIMEOUT") for code in codes)
    return passed, failed


def main():
    results = pathlib.Path(sys.argv[1])
    passed, failed, failed_programs = count_gtest(results)
    failed += count_crashes(results, failed_programs)
    lit_passed, lit_failed = count_lit(results)
    print(f"{passed + lit_passed} passed, {failed + lit_failed} failed")
    return 1 if failed + lit_failed or passed == 0 or lit_passed == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
