#!/usr/bin/env python3
"""Compares the errors of predictions from OpenCL C and from CUDA C++ sources of the same kernels (in kernels/public). The
kernels are traced by the rules of the measured GPU, and predicted without the published times of their program.

    public_twins.py [--perfmodel PATH] [--sizes N] [--programs A,B] GPU...

Prints a row for each GPU and program: the number of published times, and the mean error of the predictions from each
source. --sizes is the number of sizes of a program (default: 2), which are evenly spaced in the order of its workload
file. With --write FOLDER, the script only writes the workload files, for `perfmodel collect`.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import argparse
import csv
import json
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
WORKLOADS = ROOT / "kernels" / "public"
LOCAL_ARGUMENT = re.compile(r"(?m)^(arguments = .*?)\blocal ([^,\n]+), ")


def programs():
    return sorted(path.stem for path in WORKLOADS.glob("*.workload")
                  if path.with_suffix(".cl").exists() and path.with_suffix(".cu").exists())


def published(gpu):
    """Returns {(program, variant, size): seconds}, the median over several sources."""
    times = {}
    with open(ROOT / "datasets" / "public" / f"{gpu}.csv", encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            times.setdefault((row["program"], row["variant"], row["size"]), []).append(float(row["time_s"]))
    return {key: statistics.median(values) for key, values in times.items()}


def spaced(names, count):
    if len(names) <= count:
        return names
    return [names[round(i * (len(names) - 1) / (count - 1))] for i in range(count)] if count > 1 else names[:1]


def with_sizes(text, keep):
    """Returns the workload's text with only these sizes."""
    head, *rest = re.split(r"(?m)^(?=\[)", text)
    return head + "".join(part for part in rest
                          if not part.startswith("[size ") or part[6:part.index("]")] in keep)


def in_language(text, program, ending):
    """Returns the workload's text with the program's source of this ending. The CUDA version is a
    twin of the program with a name of its own."""
    is_cuda = ending == ".cu"
    was_cuda = f"source = {program}.cu" in text
    text = re.sub(r"(?m)^source = .*$", f"source = {WORKLOADS / program}{ending}", text, count=1)
    if is_cuda:
        text = re.sub(r"(?m)^name = .*$", f"name = {program}_cuda", text, count=1)
        text = text.replace("-cl-std=CL1.2 ", "")
        text = LOCAL_ARGUMENT.sub(r"shared = \2\n\1", text, count=1)
    elif was_cuda:
        text = text.replace("--use_fast_math", "-cl-std=CL1.2 -cl-fast-relaxed-math")
        grid = re.search(r"(?m)^grid = (.*)\nblock = (.*)$", text)
        if grid:
            blocks, threads = (part.split(", ") for part in grid.groups())
            product = ", ".join(f"({b}) * ({t})" for b, t in zip(blocks, threads))
            text = text.replace(grid[0], f"global = {product}\nlocal = {grid[2]}")
    return text


def write(folder, chosen, times, count):
    """Writes both workload files of each program. Returns their paths."""
    paths = []
    for program in chosen:
        text = (WORKLOADS / f"{program}.workload").read_text(encoding="utf-8")
        sizes = [name for name in re.findall(r"(?m)^\[size (\S+)\]", text)
                 if times is None or any(key[0] == program and key[2] == name for key in times)]
        if not sizes:
            continue
        text = with_sizes(text, spaced(sizes, count))
        for ending in (".cl", ".cu"):
            path = pathlib.Path(folder) / f"{program}{ending[1:]}.workload"
            path.write_text(in_language(text, program, ending), encoding="utf-8")
            paths.append(str(path))
    return paths


def predict(options, gpu, paths):
    command = [options.perfmodel, "predict", "--target", gpu, "--leave-out", "program", "--basis", "profile", "--json",
               *paths]
    done = subprocess.run(command, check=False, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL)
    if done.returncode not in (0, 1) or not done.stdout:
        sys.exit(f"public_twins.py: {' '.join(command)}: exit code {done.returncode}")
    return json.loads(done.stdout)["totals"]


def errors_of(totals, times):
    """Returns {program: {ending: [errors]}} of the predictions of published times."""
    errors = {}
    for total in totals:
        twin = total["program"].endswith("_cuda")
        program = total["program"].removesuffix("_cuda")
        seconds = times.get((program, total["variant"], total["size"]))
        if seconds and total["predicted_s"]:
            errors.setdefault(program, {"cl": [], "cu": []})["cu" if twin else "cl"].append(
                total["predicted_s"] / seconds - 1)
    return errors


def mean_off(values):
    return f"{100 * statistics.mean(map(abs, values)):.1f} %" if values else "-"


def show(gpu, errors):
    for program, of in sorted(errors.items()):
        print(f"| {gpu} | {program} | {len(of['cl'])} | {mean_off(of['cl'])} | {mean_off(of['cu'])} |", flush=True)
    every = {ending: [e for of in errors.values() for e in of[ending]] for ending in ("cl", "cu")}
    print(f"| {gpu} | all | {len(every['cl'])} | {mean_off(every['cl'])} | {mean_off(every['cu'])} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gpus", nargs="*", metavar="GPU")
    parser.add_argument("--perfmodel", default=str(ROOT / "build" / "bin" / "perfmodel"))
    parser.add_argument("--programs", default=",".join(programs()))
    parser.add_argument("--sizes", type=int, default=2)
    parser.add_argument("--write", metavar="FOLDER")
    options = parser.parse_args()
    chosen = options.programs.split(",")
    if options.write:
        pathlib.Path(options.write).mkdir(parents=True, exist_ok=True)
        write(options.write, chosen, None, options.sizes)
        return
    print("| GPU | program | published times | mean error from OpenCL C | mean error from CUDA |\n|---|---|---|---|---|")
    for gpu in options.gpus:
        times = published(gpu)
        with tempfile.TemporaryDirectory() as folder:
            show(gpu, errors_of(predict(options, gpu, write(folder, chosen, times, options.sizes)), times))


if __name__ == "__main__":
    main()
