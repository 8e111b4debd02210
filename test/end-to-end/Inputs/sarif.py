"""What a SARIF file says, checked and in short: sarif.py FILE.

Every reference in it has to lead somewhere: rules, places in files that are
there, replacements that delete what they say. Prints a line for each result.
"""

import json
import os
import sys
import urllib.parse


def text_at(lines, region):
    """The text of a region; columns are UTF-16 code units."""
    assert region["startLine"] == region["endLine"], region
    line = lines[region["startLine"] - 1].encode("utf-16-le")
    cut = line[2 * (region["startColumn"] - 1) : 2 * (region["endColumn"] - 1)]
    return cut.decode("utf-16-le")


class Run:
    def __init__(self, run):
        self.run = run
        root = run["originalUriBaseIds"]["SRCROOT"]["uri"]
        assert root.startswith("file:///") and root.endswith("/"), root
        self.root = urllib.parse.unquote(root[len("file://") :])
        assert run["columnKind"] == "utf16CodeUnits"
        self.rules = run["tool"]["driver"]["rules"]
        for rule in self.rules:
            assert rule["id"].startswith("cuda-memory-")
            assert rule["help"]["markdown"].startswith("# " + rule["id"])
            assert rule["helpUri"].endswith(rule["id"] + "/README.md")
            assert rule["shortDescription"]["text"].endswith(".")

    def lines_of(self, artifact):
        uri = artifact["uri"]
        path = urllib.parse.unquote(uri)
        if "uriBaseId" in artifact:
            assert artifact["uriBaseId"] == "SRCROOT" and uri[0] != "/", uri
            path = os.path.join(self.root, path)
        else:
            assert uri.startswith("file:///"), uri
            path = path[len("file://") :]
        with open(path, encoding="utf-8", newline="") as file:
            return uri, file.read().split("\n")

    def place(self, location):
        physical = location["physicalLocation"]
        uri, lines = self.lines_of(physical["artifactLocation"])
        region = physical["region"]
        line = lines[region["startLine"] - 1]
        column = region.get("startColumn", 1)
        rest = line.encode("utf-16-le")[2 * (column - 1) :].decode("utf-16-le")
        assert rest.strip(), (uri, region)
        return f"{uri}:{region['startLine']}", rest

    def result(self, result):
        assert self.rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert 0 <= result.get("rank", 0) <= 100
        (location,) = result["locations"]
        where, rest = self.place(location)
        print(f"{where}: {result['ruleId']}: {result['message']['text']}")
        print("  at:", rest)
        for name, value in sorted(result["partialFingerprints"].items()):
            print("  fingerprint:", name, value)
        for other in result["relatedLocations"]:
            where, _ = self.place(other)
            print(f"  see {where}: {other['message']['text']}")
        for fix in result.get("fixes", []):
            for change in fix["artifactChanges"]:
                _, lines = self.lines_of(change["artifactLocation"])
                for one in change["replacements"]:
                    was = text_at(lines, one["deletedRegion"])
                    now = one["insertedContent"]["text"]
                    print(f"  fix: '{was}' becomes '{now}'")
        for name, value in sorted(result["properties"].items()):
            print(f"  {name}: {value}")


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        document = json.load(file)
    assert document["version"] == "2.1.0"
    (run,) = document["runs"]
    (invocation,) = run["invocations"]
    print("successful:", invocation["executionSuccessful"])
    for error in invocation["toolExecutionNotifications"]:
        print("error:", error["message"]["text"])
    reader = Run(run)
    for result in run["results"]:
        reader.result(result)


main()
