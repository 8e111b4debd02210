#!/usr/bin/env python3
"""Measures what the memory instructions of a suite's kernels do, with Nsight Compute.

Usage: measure.py --manifest=FOLDER/manifest.json --tree=TREE --build=DIR
                  [--output=FILE.csv.gz | --times=FILE.csv.gz]
                  [--run-in=DIR] [--jobs=2] [--timeout=60] [NAME ...]

TREE is a work tree of the manifest's repository; if the manifest has several,
a folder that has one named for each suite. Builds what DIR lacks; with
--output, which needs a GPU, runs each program with the manifest's arguments in
its root, or in --run-in's folder of its name, and writes a row for each memory
instruction of the first launch of each kernel. What is built already may have
been built on another machine, if in a tree of the same name. The columns are
those of the ground truth (its README explains them). With --times instead, a
row for each kernel, grid and block says how long its launches took, by CUPTI
(LaunchTimes.cpp), in the program's own run with the caches as it leaves them.
Programs run one after the other; a program that fails, times out, launches
nothing or leaves a report that cannot be read is named, and has no rows.
"""

import argparse
import collections
import concurrent.futures
import csv
import gzip
import io
import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

COLUMNS = """suite program file line kernel grid block dynamic_smem_bytes
address_space op size_bits executions threads_executed sectors sectors_ideal
sectors_per_request shared_wavefronts shared_wavefronts_ideal nway opcode launch
invocation pc predicated threads_active tag_requests local_sectors const_bank
const_index inline_chain kernel_mangled""".split()

TIME_COLUMNS = """suite program kernel_mangled grid block dynamic_smem_bytes
launches median_ns least_ns most_ns""".split()


def build(program, folder):
    """Compiles `program` as its suite's figures say; the reason of a failure."""
    binary = folder / program["name"]
    if binary.exists():
        return None
    command = ["nvcc", "-arch=sm_90", "-lineinfo", "-O3", "-std=c++17",
               "-cudart=shared", *program["flags"], *program["src"],
               "-o", str(binary.resolve())]
    try:
        done = subprocess.run(command, cwd=program["tree"] / program["root"],
                              text=True, capture_output=True, timeout=900)
    except subprocess.TimeoutExpired:
        return "nvcc took more than 15 minutes"
    if done.returncode == 0:
        return None
    said = (done.stderr + done.stdout).splitlines()
    return next((line for line in said if "error" in line), "nvcc failed")


def line_table(binary, work):
    """{mangled kernel: {offset: frames of the source, innermost first}}.

    nvdisasm -gi names a position before the instructions that have it:
        //## File "F", line 3 inlined at "G", line 7
        //## File "G", line 7
    """
    subprocess.run(["cuobjdump", "-xelf", "all", str(binary)], cwd=work,
                   capture_output=True, check=False)
    table = {}
    for cubin in sorted(work.glob("*.cubin")):
        text = subprocess.run(["nvdisasm", "-c", "-gi", str(cubin)], text=True,
                              capture_output=True, check=False).stdout
        rows, frames, fresh = {}, [], True
        for line in text.splitlines():
            if section := re.match(r"\.text\.(\S+):$", line.strip()):
                rows = table.setdefault(section[1], {})
                frames, fresh = [], True
            elif place := re.search(r'//## File "([^"]*)", line (\d+)', line):
                frames = [] if fresh else frames
                frames.append((place[1], int(place[2])))
                fresh = False
            elif code := re.match(r"\s*/\*([0-9a-f]{4,})\*/", line):
                rows[int(code[1], 16)] = frames
                fresh = True
    return table


def inside(frames, tree):
    """The frames that lie in the suite's tree, as path from there, line."""
    found = []
    for file, line in frames:
        path = pathlib.PurePath(os.path.normpath(file))
        if path.is_relative_to(tree):
            found.append((str(path.relative_to(tree)), line))
    return found


def page(report, *options):
    """A page of the report as rows of CSV."""
    text = subprocess.run(["ncu", "--import", str(report), "--csv", "--page", *options],
                          text=True, capture_output=True, check=True).stdout
    return list(csv.reader(io.StringIO(text)))


def tables(report):
    """{mangled kernel: its tables of the source page, in the order of launches}."""
    found, rows, header = {}, [], None
    for row in page(report, "source", "--print-source", "sass",
                    "--print-kernel-base", "mangled"):
        if row and row[0] == "Kernel Name":
            rows, header = [], None
            found.setdefault(row[1], []).append(rows)
        elif row and header is None:
            header = row
        elif row:
            rows.append(dict(zip(header, row)))
    return found


def launches(report):
    """(mangled and demangled name, grid, block, bytes of dynamic shared memory)."""
    names = ["launch__grid_dim_x", "launch__grid_dim_y", "launch__grid_dim_z",
             "launch__block_dim_x", "launch__block_dim_y", "launch__block_dim_z",
             "launch__shared_mem_per_block_dynamic"]
    found = []
    for base in ("mangled", "demangled"):
        header, _, *rows = page(report, "raw", "--print-units", "base", "--metrics",
                                ",".join(names), "--print-kernel-base", base)
        found.append([dict(zip(header, row)) for row in rows])
    for mangled, plain in zip(*found):
        numbers = [str(int(float(plain[name].replace(",", "")))) for name in names]
        yield (mangled["Kernel Name"], plain["Kernel Name"], "x".join(numbers[:3]),
               "x".join(numbers[3:6]), numbers[6])


def read(program, binary, report, work):
    """The rows of `program`, or why its report gives none."""
    try:
        return list(rows_of(program, binary, report, work))
    except (KeyError, ValueError, subprocess.CalledProcessError) as error:
        return f"its report cannot be read: {error!r}"


def rows_of(program, binary, report, work):
    """The rows of the memory instructions of each launch in `report`."""
    lines = line_table(binary, work)
    code_of, launched = tables(report), list(launches(report))
    seen = collections.Counter()
    for number, (mangled, name, grid, block, shared) in enumerate(launched):
        # ncu may print the table of a launch more than once.
        copies, extra = divmod(len(code_of[mangled]),
                               sum(other[0] == mangled for other in launched))
        if extra:
            raise ValueError(f"{mangled}: not as many tables as launches")
        code = code_of[mangled][seen[mangled] * copies]
        seen[mangled] += 1
        first = int(code[0]["Address"], 16) if code else 0
        for row in code:
            if row.get("Address Space", "-") in ("", "-"):
                continue
            pc = int(row["Address"], 16) - first
            frames = inside(lines.get(mangled, {}).get(pc, []),
                            program["tree"])
            words = row["Source"].split()
            opcode = words[1] if words[0].startswith("@") else words[0]
            executed = int(row["Instructions Executed"])
            space = row["Address Space"]
            # A kernel without accesses of a space has no columns for it.
            sectors, ideal = (int(row.get(f"L2 Theoretical Sectors Global{word}", 0))
                              for word in ("", " Ideal"))
            waves, best = (int(row.get(f"L1 Wavefronts Shared{word}", 0))
                           for word in ("", " Ideal"))
            out = dict.fromkeys(COLUMNS, "")
            out.update(
                suite=program["suite"], program=program["name"],
                file=frames[0][0] if frames else "", line=frames[0][1] if frames else "",
                kernel=name, grid=grid, block=block, dynamic_smem_bytes=shared,
                address_space=space, op=row.get("Access Operation", ""),
                size_bits=row.get("Access Size", ""), executions=executed,
                threads_executed=row["Thread Instructions Executed"],
                opcode=opcode, launch=number, invocation=1, pc=f"{pc:x}",
                predicated=int(words[0].startswith("@")),
                threads_active=row["Predicated-On Thread Instructions Executed"],
                inline_chain="<".join(f"{file}:{line}" for file, line in frames)
                if len(frames) > 1 else "", kernel_mangled=mangled)
            if "Global" in space and executed:
                out.update(sectors=sectors, sectors_ideal=ideal,
                           sectors_per_request=f"{sectors / executed:.4g}",
                           tag_requests=row.get("L1 Tag Requests Global", 0))
            if "Shared" in space and executed:
                out.update(shared_wavefronts=waves, shared_wavefronts_ideal=best)
                if best:
                    out["nway"] = f"{waves / best:.4g}"
            yield out


def profile(program, folder, binary, report, timeout):
    """Runs `program` under Nsight Compute; the reason if it left no report."""
    command = ["ncu", "--clock-control", "none", "--section", "SourceCounters",
               "--section", "LaunchStats", "--kernel-id", ":::1",
               "--export", str(report), "--force-overwrite", str(binary),
               *program["args"]]
    try:
        done = subprocess.run(command, cwd=folder, timeout=timeout,
                              capture_output=True, text=True, errors="replace",
                              stdin=subprocess.DEVNULL)
        why = f"exit status {done.returncode}"
    except subprocess.TimeoutExpired:
        why = f"more than {timeout} s"
    return None if report.exists() else f"no launch, {why}"


def counted(programs, folder, run_in, timeout, jobs):
    """(program, its rows or the reason why there are none), in order.

    One program at a time has the GPU; reports are read beside that.
    """
    with (tempfile.TemporaryDirectory() as scratch,
          concurrent.futures.ThreadPoolExecutor(jobs) as pool):
        reading = []
        for program in programs:
            work = pathlib.Path(scratch) / program["name"]
            work.mkdir()
            binary = (folder / program["name"]).resolve()
            report = work / "r.ncu-rep"
            why = profile(program, place(program, run_in), binary, report, timeout)
            reading.append((program, why or pool.submit(
                read, program, binary, report, work)))
        for program, rows in reading:
            yield program, rows if isinstance(rows, str) else rows.result()


def build_clock(folder):
    """The library that writes down how long launches take."""
    library = folder.resolve() / "liblaunchtimes.so"
    home = pathlib.Path(shutil.which("nvcc")).resolve().parents[1]
    subprocess.run(["g++", "-O2", "-shared", "-fPIC", f"-I{home / 'include'}",
                    str(pathlib.Path(__file__).parent / "LaunchTimes.cpp"),
                    "-o", str(library), f"-L{home / 'lib64'}",
                    f"-L{home / 'lib64' / 'stubs'}", f"-Wl,-rpath,{home / 'lib64'}",
                    "-lcupti", "-lcuda"], check=True)
    return library


def timed(programs, folder, library, run_in, timeout):
    """(program, a row for each kernel and shape or the reason for none)."""
    with tempfile.TemporaryDirectory() as scratch:
        for program in programs:
            lines = pathlib.Path(scratch) / (program["name"] + ".csv")
            try:
                done = subprocess.run(
                    [str((folder / program["name"]).resolve()), *program["args"]],
                    cwd=place(program, run_in), timeout=timeout, capture_output=True,
                    stdin=subprocess.DEVNULL,
                    env={**os.environ, "CUDA_INJECTION64_PATH": str(library),
                         "LAUNCH_TIMES": str(lines)})
            except subprocess.TimeoutExpired:
                yield program, f"more than {timeout} s"
                continue
            if done.returncode:
                yield program, f"exit status {done.returncode}"
                continue
            if not lines.exists():  # it has not asked for the GPU
                yield program, "no launch"
                continue
            found = collections.defaultdict(list)
            for line in lines.read_text().splitlines():
                time, *shape, name = line.split(",", 4)
                if name != "spinBeforeTheFirstLaunch":
                    found[name, *shape].append(int(time))
            yield program, [
                dict(zip(TIME_COLUMNS,
                         (program["suite"], program["name"], *key, len(times),
                          round(statistics.median(times)), min(times), max(times))))
                for key, times in found.items()] or "no launch"


def place(program, run_in):
    return run_in / program["name"] if run_in else program["tree"] / program["root"]


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--manifest", type=pathlib.Path, required=True)
    parser.add_argument("--tree", type=pathlib.Path, required=True)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    wanted = parser.add_mutually_exclusive_group()
    wanted.add_argument("--output", type=pathlib.Path)
    wanted.add_argument("--times", type=pathlib.Path)
    parser.add_argument("--run-in", type=pathlib.Path, metavar="DIR")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--timeout", type=int, default=60, metavar="SECONDS")
    parser.add_argument("names", nargs="*", metavar="NAME")
    given = parser.parse_args()
    manifest = json.loads(given.manifest.read_text())
    programs = manifest["programs"]
    for program in programs:
        several = len(manifest["suites"]) > 1
        program["tree"] = (given.tree.resolve() / program["suite"] if several
                           else given.tree.resolve())
    if unknown := set(given.names) - {program["name"] for program in programs}:
        sys.exit("error: no program is called " + ", ".join(sorted(unknown)))
    if given.names:
        programs = [p for p in programs if p["name"] in given.names]
    given.build.mkdir(parents=True, exist_ok=True)
    tools = (["ncu", "cuobjdump", "nvdisasm"] if given.output else
             ["nvcc", "g++"] if given.times else [])
    for tool in tools:
        if not shutil.which(tool):
            sys.exit(f"{tool} is needed to measure, and is not on the path")
    clock = build_clock(given.build) if given.times else None
    with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        builds = [(p, pool.submit(build, p, given.build)) for p in programs]
        # Programs run while later ones are built: that does not disturb a GPU.
        built = (p for p, reason in builds if not unbuilt(p, reason.result()))
        if given.output:
            write(given.output, COLUMNS, counted(built, given.build, given.run_in,
                                                 given.timeout, given.jobs))
        elif given.times:
            write(given.times, TIME_COLUMNS, timed(built, given.build, clock,
                                                   given.run_in, given.timeout))
        else:
            collections.deque(built, maxlen=0)
    return 0


def unbuilt(program, why):
    if why:
        print(f"{program['name']}: not built: {why}", file=sys.stderr)
    return bool(why)


def write(path, columns, results):
    with gzip.open(path, "wt", newline="") as file:
        writer = csv.DictWriter(file, columns, lineterminator="\n")
        writer.writeheader()
        for program, rows in results:
            if isinstance(rows, str):
                print(f"{program['name']}: {rows}", file=sys.stderr)
                continue
            writer.writerows(rows)
            print(f"{program['name']}: {len({r['kernel_mangled'] for r in rows})} "
                  f"kernels, {len(rows)} rows", flush=True)


if __name__ == "__main__":
    sys.exit(main())
