#!/usr/bin/env python3
"""Writes docs/guidelines.md: the 23 guidelines, the rules that speak of them,
and what each built-in profile found.

Usage: guidelines.py [--check]

Statements come from profiler/inference/guidelines, verdicts from
profiler/profiles, rules from the first lines of their pages. --check writes
nothing and fails where the page is not what it would be.
"""

import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "guidelines.md"

HEAD = """# The 23 guidelines

Written by `test/tools/guidelines.py`; edit what it reads, not this page.

Fang et al. (2017) drew 23 guidelines
from a Tesla K20c. Here they are hypotheses: `warpwise profile` tests each on the GPU
at hand (`docs/profile-format.md`), and a rule whose guideline does not hold there
keeps quiet. A guideline without a rule is tested and otherwise left to the price of a
kernel ([price](price.md)), or asks for silence: broadcasts, parallel access and
unaligned rows are no findings.

"""

VERDICTS = {"holds": "holds", "does-not-hold": "**does not hold**",
            "not-tested": "not tested", "inconclusive": "inconclusive"}


def statements():
    """What is tested, by guideline."""
    found = {}
    for source in sorted((ROOT / "profiler/inference/guidelines").glob("*.cpp")):
        for name, text in re.findall(
                r'\{"([CGLST]_\d)",\s*((?:"[^"]*"\s*)+),', source.read_text()):
            found[name] = "".join(re.findall(r'"([^"]*)"', text))
    return found


def rules():
    """Names of rules by guideline, and those of the rules without one."""
    by_guideline, others = {}, []
    for page in sorted((ROOT / "rules").glob("cuda-memory-*/README.md")):
        name = page.parent.name
        summary = page.read_text().split("\n\n")[1]
        ids = re.findall(r"\b[CGLST]_\d\b", summary)
        for each in ids:
            by_guideline.setdefault(each, []).append(name)
        if not ids:
            others.append(name)
    return by_guideline, others


def page():
    profiles = [json.loads(path.read_text()) for path in
                sorted((ROOT / "profiler/profiles").glob("*.json"))]
    texts, (by_guideline, others) = statements(), rules()
    names = [profile.get("name") or profile["device"]["name"]
             for profile in profiles]
    lines = ["| | as it is tested | rule | " + " | ".join(names) + " |",
             "|---|---|---|" + "---|" * len(names)]
    for which in sorted(texts, key=lambda name: ("LSCGT".index(name[0]), name)):
        row = [which, texts[which],
               ", ".join(f"`{rule.removeprefix('cuda-memory-')}`"
                         for rule in by_guideline.get(which, []))]
        for profile in profiles:
            verdict = profile["guidelines"].get(which, {}).get("verdict")
            row.append(VERDICTS.get(verdict, verdict or "not tested"))
        lines.append("| " + " | ".join(row) + " |")
    tail = ("\nRules that no guideline speaks of: " +
            ", ".join(f"`{rule}`" for rule in others) + ".\n") if others else ""
    return HEAD + "\n".join(lines) + "\n" + tail


def main():
    text = page()
    if "--check" not in sys.argv[1:]:
        PAGE.write_text(text)
    elif not PAGE.exists() or PAGE.read_text() != text:
        sys.exit("docs/guidelines.md is not what test/tools/guidelines.py writes")


if __name__ == "__main__":
    main()
