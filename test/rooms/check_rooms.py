"""Checks which room of the code uses which: check_rooms.py ROOT [TABLE].

A room is a folder of the table (rooms.txt explains how to read it). Each file
of ROOT's rooms may include its own room and those that the table allows it, and
its CMake targets may link these; a library that the table names may not even
come through another room's header. Prints every include and link that goes
against the table and exits with 1.
"""

import fnmatch
import os
import re
import sys

SOURCES = (".h", ".cpp", ".cuh", ".cu")
TARGET = re.compile(r"\b(?:\w+_library|add_executable)\(\s*([\w-]+)")
LINKS = re.compile(
    r"\b(?:\w+_library\([^)]*\bLINKS\b|target_link_libraries\()([^)]*)"
)
INCLUDE = re.compile(r'\s*#\s*include\s*(?:"([^"]+)"|<([^>]+)>)')
# Tests may look into everything; headers/ is the text of embedded headers.
NOT_ROOMS = ("test", "Inputs", "headers")


class Table:
    def __init__(self, path):
        self.rooms = {}  # pattern of folders -> what they may include
        self.libraries = {}  # name -> how the names of its headers begin
        self.targets = {}  # what is linked -> the library that it is
        with open(path) as lines:
            for number, line in enumerate(lines, 1):
                line = line.split("#")[0].strip()
                if not line:
                    continue
                name, colon, rest = line.partition(":")
                if not colon:
                    self.fail(path, number, "no colon")
                self.add(path, number, name.split(), rest.split())

    def add(self, path, number, name, rest):
        if name[:1] == ["library"] and len(name) == 2:
            if "=" in rest:
                at = rest.index("=")
                self.targets.update((t, name[1]) for t in rest[at + 1 :])
                rest = rest[:at]
            self.libraries[name[1]] = tuple(rest)
            return
        if len(name) != 1 or name[0] in self.rooms:
            self.fail(path, number, f"'{' '.join(name)}' is no new room")
        for one in rest:
            # Only what stands above: so there can be no circle.
            if one not in self.rooms and one not in self.libraries:
                self.fail(path, number, f"'{one}' is not above '{name[0]}'")
        self.rooms[name[0]] = rest

    @staticmethod
    def fail(path, number, what):
        sys.exit(f"{path}:{number}: {what}")

    def room_of(self, file):
        """The deepest folder with a line of its own, and that line's name."""
        folder = os.path.dirname(file)
        while folder:
            for pattern in self.rooms:
                if folder.count("/") == pattern.count("/"):
                    if fnmatch.fnmatchcase(folder, pattern):
                        return folder, pattern
            folder = os.path.dirname(folder)
        return None, None

    def library_of(self, header):
        for name, beginnings in self.libraries.items():
            if header.startswith(beginnings):
                return name
        return None


class Tree:
    def __init__(self, root, tops):
        self.includes = {}  # file -> [(line, what it includes)]
        self.builds = {}  # folder -> its CMakeLists.txt
        for top in tops:
            for folder, folders, files in os.walk(os.path.join(root, top)):
                folders[:] = sorted(f for f in folders if f not in NOT_ROOMS)
                for file in sorted(files):
                    path = os.path.join(folder, file)
                    if file.endswith(SOURCES):
                        self.read(root, path)
                    elif file == "CMakeLists.txt":
                        with open(path, encoding="utf-8") as lines:
                            text = "".join(l.split("#")[0] + "\n" for l in lines)
                        self.builds[os.path.relpath(folder, root)] = text

    def read(self, root, path):
        with open(path, encoding="utf-8", errors="replace") as lines:
            found = []
            for number, line in enumerate(lines, 1):
                match = INCLUDE.match(line)
                if match:
                    found.append((number, match[1] or match[2]))
        self.includes[os.path.relpath(path, root)] = found


class Check:
    def __init__(self, table, tree):
        self.table = table
        self.tree = tree
        self.errors = []
        self.used = set()
        self.known_libraries = {}

    def run(self):
        for file in self.tree.includes:
            room, pattern = self.table.room_of(file)
            if room:
                self.file(file, room, pattern)
            else:
                self.errors.append(f"{file}: is in no room of the table")
        self.links()
        for pattern, allowed in self.table.rooms.items():
            for one in allowed:
                if (pattern, one) not in self.used:
                    self.errors.append(
                        f"{pattern}: the table allows {one}, which nothing uses"
                    )
        return self.errors

    def file(self, file, room, pattern):
        allowed = self.table.rooms[pattern]
        for line, header in self.tree.includes[file]:
            if header in self.tree.includes:
                other, name = self.table.room_of(header)
                if other == room:
                    continue
                self.used.add((pattern, name))
                if name not in allowed:
                    self.errors.append(
                        f"{file}:{line}: {room} may not include {header}"
                    )
                    continue
            for library, way in self.libraries(header).items():
                self.used.add((pattern, library))
                if library not in allowed:
                    through = ", through " + ", ".join(way) if way else ""
                    self.errors.append(
                        f"{file}:{line}: {room} may not include"
                        f" {library}{through}"
                    )

    def links(self):
        folders = {
            target: folder
            for folder, text in self.tree.builds.items()
            for target in TARGET.findall(text)
        }
        for folder, text in self.tree.builds.items():
            room, pattern = self.table.room_of(folder + "/CMakeLists.txt")
            for linked in " ".join(LINKS.findall(text)).split() if room else ():
                name = self.table.targets.get(linked)
                if linked in folders:
                    other, name = self.table.room_of(folders[linked] + "/.")
                    if other == room:
                        continue
                if name and name not in self.table.rooms[pattern]:
                    self.errors.append(
                        f"{folder}/CMakeLists.txt: {room} may not link {linked}"
                    )

    def libraries(self, header):
        """The libraries that come with a header: name -> the headers passed."""
        if header in self.known_libraries:
            return self.known_libraries[header]
        found = {}
        if header in self.tree.includes:
            self.known_libraries[header] = found  # ends a circle of headers
            for _, one in self.tree.includes[header]:
                for library, way in self.libraries(one).items():
                    found.setdefault(library, [header] + way)
        elif library := self.table.library_of(header):
            found[library] = []
        self.known_libraries[header] = found
        return found


def main():
    root = sys.argv[1]
    beside = os.path.join(os.path.dirname(__file__), "rooms.txt")
    table = Table(sys.argv[2] if len(sys.argv) > 2 else beside)
    tops = dict.fromkeys(room.split("/")[0] for room in table.rooms)
    errors = Check(table, Tree(root, tops)).run()
    print("\n".join(errors) if errors else "every include and link goes one way")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
