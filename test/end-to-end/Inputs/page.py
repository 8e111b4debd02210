"""What a page says, checked and in short: page.py FILE.

The page has to be whole: elements are closed in order, references inside the
page lead somewhere, nothing is fetched, nothing runs. Prints a line for each
element with text. page.py --make-hostile FOLDER writes sources that try to get
out of the text of a page instead.
"""

import html.parser
import os
import sys

VOID = {"meta", "br", "img", "link", "hr", "input"}
ALLOWED = {
    *"html head meta title style body header footer main nav section article".split(),
    *"h1 h2 h3 h4 p a b i code small span pre ul li dl dt dd div details".split(),
    *"summary table thead tbody tr th td figure figcaption svg rect text path".split(),
}
SHOWN = set("title h1 h2 h3 h4 p a b dd li pre summary td th".split())


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open, self.ids, self.links, self.lines = [], set(), [], []

    def handle_starttag(self, tag, attributes):
        assert tag in ALLOWED, (tag, attributes, self.getpos())
        names = dict(attributes)
        for name, value in attributes:
            assert not name.startswith("on"), (tag, attributes, self.getpos())
            assert name not in ("src", "srcdoc", "xlink:href"), (tag, attributes)
            if name == "id":
                assert value not in self.ids, value
                self.ids.add(value)
        if "href" in names:
            assert names["href"].startswith("#"), names
            self.links.append(names["href"])
        if tag == "svg":
            self.lines.append("svg: " + names["aria-label"])
        if tag not in VOID:
            self.open.append([tag, names, ""])

    def handle_endtag(self, tag):
        assert self.open and self.open[-1][0] == tag, (tag, self.getpos())
        _, names, text = self.open.pop()
        text = " ".join(text.split())
        if tag == "a":
            text += " -> " + names["href"]
        if tag == "span" and self.open and self.open[-1][0] == "pre":
            tag = ("pre " + names["class"]).strip()
        if tag.split()[0] in SHOWN and text:
            self.lines.append(tag + ": " + text)
        elif self.open and not tag.startswith("pre"):
            self.open[-1][2] += text
        if tag == "b" and self.open:
            self.open[-1][2] += text

    def handle_data(self, data):
        if self.open:
            self.open[-1][2] += data


def make_hostile(folder):
    os.makedirs(folder)
    name = "<img src=x onerror=alert(1)>&amp;.cu"
    with open(os.path.join(folder, name), "w") as file:
        file.write(
            "__global__ void k(float *Out, const float *In) {\n"
            "  __shared__ float Tile[32][32];\n"
            "  Tile[threadIdx.y][threadIdx.x] = In[threadIdx.y * 32 + threadIdx.x];\n"
            "  __syncthreads();\n"
            "  /* </pre><script>alert(1)</script> \" onload='alert(2)' &lt; "
            "<svg onload=alert(3)> */\n"
            "  float &To = Out[threadIdx.y * 32 + threadIdx.x];\n"
            "  To = Tile[threadIdx.x][threadIdx.y];\n"
            "}\n"
            "void f(float *Out, const float *In) {\n"
            "  k<<<4096, dim3(32, 32)>>>(Out, In);\n"
            "}\n"
        )
    with open(os.path.join(folder, "broken.cu"), "w") as file:
        file.write(
            '#define SAY _Static_assert(0, "Nothing</li></ul><script>")\n'
            "__global__ void broken(float *Out) { SAY; }\n"
        )


def main():
    if sys.argv[1] == "--make-hostile":
        return make_hostile(sys.argv[2])
    page = Page()
    with open(sys.argv[1], encoding="utf-8") as file:
        text = file.read()
    assert text.startswith("<!doctype html>")
    assert "default-src 'none'" in text
    page.feed(text)
    page.close()
    assert not page.open, page.open
    for link in page.links:
        assert link[1:] in page.ids, link
    sys.stdout.reconfigure(encoding="utf-8")
    print("\n".join(page.lines))


main()
