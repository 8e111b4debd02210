"""An editor for tests: a client of the language server on the wire.

It needs nothing but Python. Requests wait for their answer; notifications that
arrive meanwhile are kept.
"""

import collections
import json
import os
import select
import subprocess
import time
import urllib.parse


class Gone(Exception):
    """The server has ended."""


class Editor:
    def __init__(self, command, folder=None, patience=60, **initialization):
        self.server = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=folder
        )
        self.patience = patience
        self.buffer = b""
        self.kept = collections.deque()
        self.number = 0
        self.versions = {}
        self.settings = None
        self.capabilities = None
        self.initialization = initialization

    # On the wire.

    def write(self, data):
        self.server.stdin.write(data)
        self.server.stdin.flush()

    def send(self, message):
        text = json.dumps(dict(jsonrpc="2.0", **message)).encode()
        self.write(b"Content-Length: %d\r\n\r\n%s" % (len(text), text))

    def read(self, patience=None):
        """The next message, or None when none comes."""
        end = time.monotonic() + (self.patience if patience is None else patience)
        while True:
            head, found, rest = self.buffer.partition(b"\r\n\r\n")
            if found:
                size = int(head.split(b":")[1])
                if len(rest) >= size:
                    self.buffer = rest[size:]
                    return json.loads(rest[:size])
            left = end - time.monotonic()
            if left <= 0 or not select.select([self.server.stdout], [], [], left)[0]:
                return None
            data = os.read(self.server.stdout.fileno(), 1 << 16)
            if not data:
                raise Gone()
            self.buffer += data

    def next(self, wanted, patience=None):
        """The next message that is wanted; the others are kept."""
        for message in list(self.kept):
            if wanted(message):
                self.kept.remove(message)
                return message
        end = time.monotonic() + (self.patience if patience is None else patience)
        while True:
            message = self.read(max(0, end - time.monotonic()))
            if message is None:
                return None
            if "method" in message and "id" in message:
                self.answer(message)
            if wanted(message):
                return message
            self.kept.append(message)

    def answer(self, request):
        """What the server asks of an editor."""
        result = None
        if request["method"] == "workspace/configuration":
            result = [self.settings for _ in request["params"]["items"]]
        self.send(dict(id=request["id"], result=result))

    # What editors do.

    def request(self, method, params=None, patience=None):
        self.number += 1
        number = self.number
        self.send(dict(id=number, method=method, params=params))
        answer = self.next(
            lambda m: m.get("id") == number and "method" not in m, patience
        )
        if answer is None:
            raise TimeoutError(method)
        return answer

    def notify(self, method, params=None):
        self.send(dict(method=method, params=params))

    def start(self, capabilities=None):
        answer = self.request(
            "initialize",
            dict(
                processId=os.getpid(),
                rootUri=None,
                capabilities=capabilities or {},
                **self.initialization,
            ),
        )
        self.notify("initialized", {})
        return answer["result"]

    def open(self, path, text=None):
        if text is None:
            with open(path, encoding="utf-8") as file:
                text = file.read()
        self.versions[path] = 1
        self.notify(
            "textDocument/didOpen",
            dict(
                textDocument=dict(
                    uri=uri(path), languageId="cuda-cpp", version=1, text=text
                )
            ),
        )

    def change(self, path, *changes):
        """Changes are whole texts, or (line, column, line, column, text)."""
        self.versions[path] += 1
        events = []
        for change in changes:
            if isinstance(change, str):
                events.append(dict(text=change))
            else:
                a, b, c, d, text = change
                events.append(dict(range=span(a, b, c, d), text=text))
        self.notify(
            "textDocument/didChange",
            dict(
                textDocument=dict(uri=uri(path), version=self.versions[path]),
                contentChanges=events,
            ),
        )

    def save(self, path):
        self.notify("textDocument/didSave", dict(textDocument=dict(uri=uri(path))))

    def close(self, path):
        self.notify("textDocument/didClose", dict(textDocument=dict(uri=uri(path))))

    def diagnostics(self, path, patience=None):
        """Of the version that was sent last."""
        message = self.next(
            lambda m: m.get("method") == "textDocument/publishDiagnostics"
            and m["params"]["uri"] == uri(path)
            and m["params"].get("version") == self.versions[path],
            patience,
        )
        if message is None:
            raise TimeoutError("diagnostics of " + path)
        return message["params"]["diagnostics"]

    def stop(self):
        """The status that the server ends with."""
        answer = self.request("shutdown")
        assert answer["result"] is None, answer
        self.notify("exit")
        return self.server.wait(self.patience)


def uri(path):
    return "file://" + urllib.parse.quote(os.path.abspath(path))


def span(a, b, c, d):
    return dict(
        start=dict(line=a, character=b), end=dict(line=c, character=d)
    )


def show(diagnostics):
    """One line for each, and one for each related place."""
    for one in diagnostics:
        where, end = one["range"]["start"], one["range"]["end"]
        print(
            f"{where['line']}:{where['character']}-{end['line']}:{end['character']}"
            f" {one['severity']} {one.get('code')} {one['message']}"
        )
        for related in one.get("relatedInformation", []):
            place = related["location"]
            at = place["range"]["start"]
            name = os.path.basename(place["uri"])
            print(f"  {name}:{at['line']}:{at['character']} {related['message']}")
    if not diagnostics:
        print("nothing")
