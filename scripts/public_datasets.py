#!/usr/bin/env python3
"""Makes the datasets in datasets/public: for each GPU, times of kernels that others measured and published, and counters
of the same kernels, which the trace engine counts by the GPU's rules.

    public_datasets.py times FOLDER [-o DIR]               FOLDER contains the published tables (docs/published.md)
    public_datasets.py trace [--jobs N] [--perfmodel PATH] [-o DIR] [GPU...]
    public_datasets.py commands [-o DIR] [GPU...]          prints the commands that trace runs
    public_datasets.py sizes FOLDER                        prints sampled configurations as sections of workload files

A configuration (a set of parameters of a kernel) is a size of a workload file in kernels/public. Published times of
configurations without such a size are left out. Times under 40 us are left out, too, because they consist mostly of the
overhead of the launch. `trace` traces the samples that are in DIR/NAME.csv, but not in DIR/NAME-trace.csv. It writes
partial datasets into DIR/parts and joins them at the end. After an interruption, the same command traces the missing
samples.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import argparse
import collections
import concurrent.futures
import csv
import hashlib
import json
import pathlib
import re
import shlex
import statistics
import subprocess
import sys

from public_sources import READERS, SOURCES, BadInput

ROOT = pathlib.Path(__file__).resolve().parent.parent
WORKLOADS = ROOT / "kernels" / "public"
LEAST_S = 40e-6
CHUNK = 8
# Program, source of the times, number of charges (coulomb_grid only), and number of configurations
# to take from the space.
SAMPLES = (("convolve_15x15", "benchmark_hub", None, 300), ("convolve_15x15", "ktt", None, 300),
           ("coulomb_grid", "ktt", 64, 300), ("coulomb_grid", "ktt", 256, 300), ("dedisperse", "benchmark_hub", None, 300),
           ("point_in_polygon", "ktt", None, 300), ("layer_norm", "neusight", None, 30),
           ("softmax_warp", "neusight", None, 15), ("softmax_block", "neusight", None, 30))
# Fraction of the work-groups to count, for programs whose work-groups differ so much that the usual
# sample is too small.
SHARES = {"dedisperse": "0.006"}
COLUMNS = ("device", "program", "variant", "size", "kernel", "counter_source", "origin", "time_s", "time_mad_s", "runs",
           "work_items", "work_group")


class Workload:
    """The names of kernels and sizes in a workload file that has one launch."""

    def __init__(self, path):
        self.path, self.sizes, self.kernels = path, {}, {}
        section = name = None
        launch = {}
        for line in path.read_text(encoding="utf-8").splitlines():
            head = re.fullmatch(r"\[(\w+)(?: (\S+))?\]", line)
            pair = re.match(r"([\w.]+) *= *(.+)", line)
            if head:
                section, name = head.groups()
                if section == "size":
                    self.sizes[name] = {}
                if section == "launch":
                    launch = {"kernel": name}
            elif pair:
                key, value = pair.groups()
                if section == "workload" and key in ("name", "base"):
                    setattr(self, key, value)
                elif section == "size":
                    self.sizes[name][key] = int(value) if value.lstrip("-").isdigit() else value
                elif section == "launch" and key == "kernel":
                    launch["kernel"] = value
                elif section == "variant" and re.fullmatch(r"launch\.\w+\.kernel", key):
                    self.kernels[name] = value
        self.default = launch.get("kernel")

    base = "plain"

    def kernel(self, variant):
        """Returns the name of the kernel that a variant runs."""
        return self.kernels.get(variant, self.default)

    def size(self, parameters):
        """Returns the first size with these parameters; None: there is none."""
        return next((name for name, has in self.sizes.items()
                     if all(has.get(key) == value for key, value in parameters.items())), None)


def workloads():
    """Returns {program: Workload} of the workload files in kernels/public."""
    found = [Workload(path) for path in sorted(WORKLOADS.glob("*.workload"))]
    return {workload.name: workload for workload in found}


def key_of(point, known):
    """Returns (program, variant, size) of a published time; None: no workload has that
    configuration."""
    workload = known.get(point.program)
    size = workload.size(point.parameters) if workload else None
    return (point.program, point.variant or workload.base, size) if size else None


def times(folder, known):
    """Returns {GPU: {(program, variant, size, origin): [points]}} of all sources."""
    found = collections.defaultdict(lambda: collections.defaultdict(list))
    for origin, reader in READERS.items():
        for point in reader(folder):
            key = key_of(point, known)
            if key and point.time_s >= LEAST_S:
                found[point.device][(*key, origin)].append(point)
    return found


def row_of(device, key, points, known):
    """Returns a row of a dataset. If there are several times for one configuration, it has their
    median."""
    program, variant, size, origin = key
    return {"device": device, "program": program, "variant": variant, "size": size,
            "kernel": known[program].kernel(variant), "counter_source": "none", "origin": origin,
            "time_s": f"{statistics.median(point.time_s for point in points):.6g}", "time_mad_s": "",
            "runs": points[0].runs or "", "work_items": points[0].work_items, "work_group": points[0].work_group}


def name_of(parameters):
    """Returns the name of a size in a sampled space of parameters."""
    return "_".join(f"{key}{value}" for key, value in parameters.items())


def sampled(names, count):
    """Returns the first `count` names by their SHA-256. The choice is thus the same for all GPUs
    and independent of other measurements."""
    return sorted(set(names), key=lambda name: hashlib.sha256(name.encode()).hexdigest())[:count]


def print_sizes(folder):
    """Prints the [size] sections of SAMPLES' workloads. Convolutions with more than four pixels per
    work-item are left out, because their unrolled code takes minutes to count."""
    spaces, known = collections.defaultdict(dict), {}
    for origin in sorted({origin for _, origin, _, _ in SAMPLES}):
        for point in READERS[origin](folder):
            tile = point.parameters.get("tx", 1) * point.parameters.get("ty", 1)
            if point.program != "convolve_15x15" or tile <= 4:
                name = name_of(point.parameters)
                known[name] = point.parameters
                spaces[point.program, origin, point.parameters.get("a")][name] = True
    seen = set()
    for program, origin, atoms, count in SAMPLES:
        print(f"# {program}, {count} of {len(spaces[program, origin, atoms])} of {origin}")
        for name in sampled(spaces[program, origin, atoms], count):
            if (program, name) not in seen:
                seen.add((program, name))
                print(f"[size {name}]")
                print("\n".join(f"{key} = {value}" for key, value in known[name].items()))


def names_of_gpus():
    """Returns {device: full name} of devices.csv."""
    with open(ROOT / "datasets" / "devices.csv", newline="", encoding="utf-8") as table:
        return {row["device"]: row["name"] for row in csv.DictReader(table)}


def write_times(folder, out):
    """Writes NAME.csv and NAME.json of each GPU with published times."""
    known, gpus = workloads(), names_of_gpus()
    out.mkdir(parents=True, exist_ok=True)
    for device, figures in sorted(times(folder, known).items()):
        if device not in gpus:
            raise BadInput(f"{device} has no row in datasets/devices.csv; add one")
        rows = [row_of(device, key, points, known) for key, points in sorted(figures.items())]
        with open(out / f"{device}.csv", "w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
        count = collections.Counter(row["origin"] for row in rows)
        document = {"format": 1, "published": True, "device": {"id": device, "name": gpus[device]},
                    "sources": [{"id": origin, **SOURCES[origin], "rows": n} for origin, n in sorted(count.items())],
                    "runs": []}
        (out / f"{device}.json").write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
        print(f"{device}: {len(rows)} rows ({', '.join(f'{n} {origin}' for origin, n in sorted(count.items()))})")


def published(out, gpus):
    """Returns {GPU: {program: (variants, sizes)}} of the datasets in a folder."""
    found = {}
    for path in sorted(out.glob("*.csv")):
        if path.stem.endswith("-trace") or (gpus and path.stem not in gpus):
            continue
        programs = collections.defaultdict(lambda: (set(), set()))
        with open(path, newline="", encoding="utf-8") as table:
            for row in csv.DictReader(table):
                programs[row["program"]][0].add(row["variant"])
                programs[row["program"]][1].add(row["size"])
        found[path.stem] = programs
    missing = sorted(set(gpus) - set(found))
    if missing:
        raise BadInput(f"no published times of {', '.join(missing)} in {out}; there are {', '.join(sorted(found))}")
    return found


def counted(path):
    """Returns {(program, variant, size)} of a dataset of traced counters."""
    if not path.is_file():
        return set()
    with open(path, newline="", encoding="utf-8") as table:
        return {(row["program"], row["variant"], row["size"]) for row in csv.DictReader(table)}


def commands(perfmodel, out, gpus):
    """Returns [(GPU, command)] that count published configurations without counters. A command
    counts at most CHUNK sizes of a workload and writes a dataset of its own into parts/. The first
    sizes of each workload come first. If the run stops, the counted part of a space is therefore a
    sample by the same rule."""
    found, known = [], workloads()
    for gpu, programs in published(out, gpus).items():
        there = counted(out / f"{gpu}-trace.csv")
        for program, (variants, sizes) in sorted(programs.items()):
            missing = [size for size in known[program].sizes
                       if size in sizes and any((program, variant, size) not in there for variant in variants)]
            for begin in range(0, len(missing), CHUNK):
                found.append((begin, gpu, [
                    perfmodel, "collect", "--device", "none", "--target", gpu,
                    *(word for variant in sorted(variants) for word in ("--variant", variant)),
                    *(word for size in missing[begin:begin + CHUNK] for word in ("--size", size)),
                    *(("--sample", SHARES[program]) if program in SHARES else ()),
                    str(WORKLOADS / f"{program}.workload"),
                    "-o", str(out / "parts" / f"{gpu}-{program}-{missing[begin]}.csv")]))
    return [(gpu, line) for _, gpu, line in sorted(found, key=lambda part: part[0])]


def run(line):
    """Runs a command. Returns a list with its error, or an empty list."""
    done = subprocess.run(line, check=False, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    print(pathlib.Path(line[-1]).name, done.returncode, flush=True)
    return [] if done.returncode == 0 else [f"{shlex.join(line)}: {(done.stderr.strip().splitlines() or [''])[-1]}"]


def rounded(text):
    """Rounds a count to seven digits, because sampling makes the other digits meaningless."""
    return f"{float(text):.7g}" if re.fullmatch(r"-?[\d.]+(e[-+]?\d+)?", text) and len(text) > 8 else text


def join(gpu, out):
    """Joins the partial datasets of a GPU into one, without standard errors, and their provenance,
    too."""
    parts = sorted((out / "parts").glob(f"{gpu}-*.csv"))
    whole = out / f"{gpu}-trace.csv"
    rows, columns, document = {}, [], None
    for path in [whole, *parts] if whole.is_file() else parts:
        with open(path, newline="", encoding="utf-8") as table:
            reader = csv.DictReader(table)
            columns = columns or [name for name in reader.fieldnames if not name.endswith("_se")]
            for row in reader:
                rows[row["program"], row["variant"], row["size"], row["kernel"]] = row
        more = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
        document = document or more
        for program, variants in more.get("definitions", {}).items():
            for variant, sizes in variants.items():
                document.setdefault("definitions", {}).setdefault(program, {}).setdefault(variant, {}).update(sizes)
    if not rows:
        return
    document["runs"] = document["runs"][:1]
    document["runs"][0]["command"] = f"scripts/public_datasets.py trace {gpu}"
    with open(whole, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        for key in sorted(rows):
            writer.writerow([rounded(rows[key][name]) for name in columns])
    whole.with_suffix(".json").write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    for path in parts:
        path.unlink()
        path.with_suffix(".json").unlink()


def trace(perfmodel, out, gpus, jobs):
    """Counts missing configurations by parallel commands, and joins the results."""
    (out / "parts").mkdir(exist_ok=True)
    todo = commands(perfmodel, out, gpus)
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        failed = [line for lines in pool.map(run, (line for _, line in todo)) for line in lines]
    for gpu in published(out, gpus):
        join(gpu, out)
    if not any((out / "parts").iterdir()):
        (out / "parts").rmdir()
    for line in failed:
        print(line, file=sys.stderr)
    return 1 if failed else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=("times", "trace", "commands", "sizes"))
    parser.add_argument("names", nargs="*", metavar="FOLDER or GPU")
    parser.add_argument("-o", "--out", type=pathlib.Path, default=ROOT / "datasets" / "public")
    parser.add_argument("--perfmodel", default="perfmodel")
    parser.add_argument("--jobs", type=int, default=1)
    o = parser.parse_args()
    try:
        if o.what in ("times", "sizes"):
            if len(o.names) != 1:
                parser.error(f"{o.what} takes the folder of the figures")
            if o.what == "times":
                write_times(pathlib.Path(o.names[0]), o.out)
            else:
                print_sizes(pathlib.Path(o.names[0]))
            return 0
        if o.what == "trace":
            return trace(o.perfmodel, o.out, o.names, o.jobs)
        for _, line in commands(o.perfmodel, o.out, o.names):
            print(shlex.join(line))
        return 0
    except BadInput as error:
        print(f"public_datasets.py: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
