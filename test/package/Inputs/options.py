"""Compares completions and manual with --help: options.py WARPWISE."""

import re
import subprocess
import sys

FOREIGN = ("profile", "profiles")


def says(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def main():
    warpwise = sys.argv[1]
    top = says(warpwise, "--help")
    commands = re.findall(r"^  ([a-z-]+) +- ", top.split("SUBCOMMANDS:")[1], re.M)
    commands = [name for name in commands if not name.startswith("-")]
    bash = says(warpwise, "completion", "bash")
    zsh = says(warpwise, "completion", "zsh")
    fish = says(warpwise, "completion", "fish")
    manual = says(warpwise, "manual").replace("\\-", "-")
    for command in commands:
        if command in FOREIGN:
            continue
        text = says(warpwise, command, "--help").split("\nOptions:\n")
        text = text[1] if len(text) == 2 else ""
        options = re.findall(r"^  (--?[a-z-]+)", text, re.M)
        in_bash = re.search(rf"^  {command}\) words='(.*?)'", bash, re.M)[1]
        in_zsh = re.search(rf"^  {command}\)\n(.*?);;", zsh, re.M | re.S)[1]
        in_fish = re.findall(rf"from {command}' -([sl]) (\S+)", fish)
        in_fish = {("-" if kind == "s" else "--") + name for kind, name in in_fish}
        section = manual.split(f'.SS "warpwise {command}"')[1].split(".SS ")[0]
        in_manual = re.findall(r"\\fB(--?[a-z-]+)\\fR", section)
        for option in options:
            assert option in in_bash.replace("=", "").split(), (command, option)
            assert f"*{option}=" in in_zsh or f"*{option}[" in in_zsh, option
            assert option in in_fish, (command, option)
            assert option in in_manual, (command, option)
        print(f"{command}: {len(options)} options in bash, zsh, fish and the manual")
    assert set(re.search(r"words='(.*?) --help", bash)[1].split()) == set(commands)
    print("all commands agree")


main()
