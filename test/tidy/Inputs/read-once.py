"""A header that can be read only once.

read-once.py TEXT PIPE COMMAND... makes a named pipe PIPE, has COMMAND read the
file TEXT through it and passes its output on. Whoever opens the pipe again gets
nothing and waits; after a minute COMMAND is ended.
"""

import os
import subprocess
import sys
import threading


def write(text, pipe):
    with open(text, "rb") as source, open(pipe, "wb") as out:
        out.write(source.read())


def main():
    text, pipe, *command = sys.argv[1:]
    os.mkfifo(pipe)
    threading.Thread(target=write, args=(text, pipe), daemon=True).start()
    return subprocess.run(command, timeout=60).returncode


sys.exit(main())
