#!/usr/bin/env python3
"""Adds up a test run: googletest cases, oracle runs and lit tests in one line.

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
    passed = failed = left_out = 0
    failed_programs = set()
    for file in sorted(results.glob("gtest/*.xml")):
        suites = xml.etree.ElementTree.parse(file).getroot()
        wrong = int(suites.get("failures")) + int(suites.get("errors"))
        skipped = int(suites.get("disabled")) + sum(
            int(suite.get("skipped", 0)) for suite in suites
        )
        failed += wrong
        left_out += skipped
        passed += int(suites.get("tests")) - wrong - skipped
        if wrong:
            failed_programs.add(file.stem)
    return passed, failed, left_out, failed_programs


def count_programs(results, already_counted):
    """Programs that ctest saw pass and that keep no count of their own, and
    those that it saw fail without a failed case in their own file."""
    if not (results / "ctest.xml").exists():
        return 0, 1
    suite = xml.etree.ElementTree.parse(results / "ctest.xml").getroot()
    cases = list(suite.iter("testcase"))
    failures = [c for c in cases if c.find("failure") is not None]
    names = {c.get("name").removeprefix("unit.") + "_test" for c in failures}
    others = [c for c in cases if not c.get("name").startswith("unit.")]
    passed = sum(c.find("failure") is None for c in others)
    return passed, len(names - already_counted)


def count_lit(results):
    if not (results / "lit.json").exists():
        return 0, 1, 0, 0
    codes = [t["code"] for t in json.loads((results / "lit.json").read_text())["tests"]]
    passed = sum(code in ("PASS", "FLAKYPASS") for code in codes)
    expected = codes.count("XFAIL")
    left_out = sum(code in ("UNSUPPORTED", "SKIPPED") for code in codes)
    failed = sum(code in ("FAIL", "XPASS", "UNRESOLVED", "TIMEOUT") for code in codes)
    return passed, failed, left_out, expected


def main():
    results = pathlib.Path(sys.argv[1])
    passed, failed, left_out, failed_programs = count_gtest(results)
    programs_passed, programs_failed = count_programs(results, failed_programs)
    passed += programs_passed
    failed += programs_failed
    lit_passed, lit_failed, lit_left_out, expected = count_lit(results)
    print(
        f"{left_out + lit_left_out} skipped (no device, compiler or kernel support "
        f"here), {expected} expected to fail (known gaps)"
    )
    print(f"{passed + lit_passed} passed, {failed + lit_failed} failed")
    return 1 if failed + lit_failed or passed == 0 or lit_passed == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
