"""Looks at a page in headless Chromium: browse.py CHROMIUM FILE.

Says how many findings the browser sees, what it complains about, whether the
page fits a narrow screen, whether the dark scheme is another one, and how many
sheets of paper it takes.
"""

import os
import re
import subprocess
import sys
import tempfile


class Browser:
    def __init__(self, program, file, folder):
        self.command = [program, "--headless=new", "--no-sandbox", "--disable-gpu"]
        self.command += ["--hide-scrollbars", "--user-data-dir=" + folder]
        self.url = "file://" + os.path.realpath(file)
        self.folder = folder

    def run(self, *options):
        return subprocess.run(
            [*self.command, *options, self.url],
            capture_output=True,
            text=True,
            timeout=120,
            check=True,
        )

    def file(self, option, ending, *more):
        path = os.path.join(self.folder, "out" + ending)
        self.run(f"--{option}={path}", *more)
        with open(path, "rb") as file:
            return file.read()


def measured(file, folder):
    """A copy of the page that may run a script, which says how wide it is."""
    with open(file, encoding="utf-8") as page:
        text = page.read()
    text = re.sub(r"<meta http-equiv=[^>]*>", "", text)
    script = "document.title = document.documentElement.scrollWidth"
    copy = os.path.join(folder, "measured.html")
    with open(copy, "w", encoding="utf-8") as page:
        page.write(text.replace("</body>", f"<script>{script}</script></body>"))
    return copy


def main():
    with tempfile.TemporaryDirectory() as folder:
        browser = Browser(sys.argv[1], sys.argv[2], folder)
        seen = browser.run("--dump-dom", "--enable-logging=stderr", "--v=0")
        print("articles:", len(re.findall(r"<article\b", seen.stdout)))
        said = [line for line in seen.stderr.splitlines() if "CONSOLE" in line]
        print("complaints:", len(said), *said)
        copy = Browser(sys.argv[1], measured(sys.argv[2], folder), folder)
        narrow = copy.run("--dump-dom", "--window-size=500,900").stdout
        width = int(re.search(r"<title>(\d+)</title>", narrow)[1])
        print("fits a narrow window:", width <= 500)
        light = browser.file("screenshot", ".png")
        scheme = "--blink-settings=preferredColorScheme=0"
        dark = browser.file("screenshot", ".png", scheme)
        print("dark differs from light:", light != dark)
        paper = browser.file("print-to-pdf", ".pdf", "--no-pdf-header-footer")
        print("pages:", len(re.findall(rb"/Type\s*/Page\b", paper)))


main()
