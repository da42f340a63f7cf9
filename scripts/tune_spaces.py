#!/usr/bin/env python3
"""Ranks the versions of spaces whose times others published. The model for a GPU is fitted without this GPU's times.

    tune_spaces.py OUT [--truth FOLDER] [--leave-out program] [--known] [--budget 150s] [--jobs 1] [--space PROGRAM,GPU]...

FOLDER contains the tables as their authors published them (docs/published.md; default: ../shared/data/public beside the repository).
The script writes these files into OUT:
    PROGRAM-GPU.cache.json          the published times, as a cache file of Kernel Tuner
    PROGRAM-GPU.json, .log          the output and the messages of `perfmodel tune --json`
    table.md                        the fraction of the best performance that is reached, beside random order (tune_results.py)
JSON files that exist already are not written again. The script sets $PERFMODEL_SHARE to a folder of datasets without the GPU's times, so
that no model learns from them. The models learn from times of a sample of the program's versions on other GPUs; with --known, from all
published times of the program on other GPUs; with --leave-out program, from no time of the program.
$PERFMODEL is the path of perfmodel (default: build/bin/perfmodel).

SPDX-License-Identifier: GPL-3.0-or-later
"""
import argparse
import concurrent.futures
import contextlib
import json
import os
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
RESULTS = ROOT / "scripts" / "tune_results.py"
CONVOLUTION, DEDISPERSION = "benchmark_hub/convolution_milo.csv", "benchmark_hub/dedispersion_milo.csv"
COULOMB = "work_group_size_x,work_group_size_y,inner_unroll_factor,z_iterations,use_soa"
# (program, GPU): file of the table, column of the time, columns of parameters ("": all except
# times), size
SPACES = {
    ("coulomb_grid", "rtx2080ti"): ("ktt_counters/coulomb3d_2080ti.csv", "time_us", COULOMB, "a64"),
    ("coulomb_grid", "gtx1070"): ("ktt_counters/coulomb3d_1070_tutorial.csv", "time_us", COULOMB, "a256"),
    **{("dedisperse", gpu): (DEDISPERSION, f"time_ms_{column}", "", "n25000")
       for gpu, column in (("a100pcie40", "a100"), ("a4000", "a4000"), ("a6000", "a6000"), ("mi250x", "mi250x"), ("w6600", "w6600"),
                           ("w7800", "w7800"))},
    **{("convolve_15x15", gpu): (CONVOLUTION, f"time_ms_{column}", "", "n4096")
       for gpu, column in (("a100pcie40", "a100"), ("a4000", "a4000"), ("mi250x", "mi250x"), ("w6600", "w6600"), ("w7800", "w7800"))},
}
# endings of the names of a GPU's datasets with times
OWN = ("", "-shared", "-layouts", "-corpus", "-corpus-blind", "-cuda")
SHARED = {"counters.ini": "machine/counters/counters.ini", "profilers.csv": "machine/counters/profilers.csv", "instructions.ini": "collector/engine/backend/instructions.ini",
          "cuda": "compiler/cuda", "kernels": "kernels", "page": "report/page", "prelude.cl": "compiler/prelude.cl"}


def link_all(source, target, but):
    """Makes links to the entries of a folder, except some names."""
    target.mkdir(parents=True, exist_ok=True)
    for entry in source.iterdir():
        link = target / entry.name
        if entry.name not in but:
            # a link of another space of the same GPU may already exist
            with contextlib.suppress(FileExistsError):
                link.symlink_to(entry.resolve())


def share_without(gpu, folder):
    """Makes a data directory without any times of the GPU."""
    share = folder / f"share-{gpu}"
    own = {f"{gpu}{kind}{ending}" for kind in OWN for ending in (".csv", ".json")}
    link_all(ROOT / "datasets", share / "datasets", own | {"public"})
    link_all(ROOT / "datasets" / "public", share / "datasets" / "public", own)
    for name, place in SHARED.items():
        with contextlib.suppress(FileExistsError):
            (share / name).symlink_to(ROOT / place)
    return share


def make_cache(program, gpu, truth, out):
    """Writes the cache file of the published times, if it does not exist yet. Returns its path."""
    table, column, parameters, _ = SPACES[program, gpu]
    path = out / f"{program}-{gpu}.cache.json"
    if not path.exists():
        subprocess.run([sys.executable, RESULTS, "cache", truth / table, column, "-o", path, "--kernel", program,
                        *(["--parameters", parameters] if parameters else [])], check=True, stdout=subprocess.DEVNULL)
    return path


def rank(program, gpu, options):
    """Writes a ranking if it does not exist yet. Returns None, or an error text."""
    path = options.out / f"{program}-{gpu}.json"
    if path.exists():
        return None
    began = time.monotonic()
    words = ["--leave-out", options.leave_out] if options.leave_out else []
    for other in SPACES if options.known else ():
        if other[0] == program and other[1] != gpu:
            words += ["--known", make_cache(*other, options.truth, options.out)]
    with open(path.with_suffix(".log"), "w", encoding="utf-8") as log:
        done = subprocess.run([os.environ.get("PERFMODEL", ROOT / "build" / "bin" / "perfmodel"), "tune", "--target", gpu, *words,
                               "--budget", options.budget, "--size", SPACES[program, gpu][3], "--json",
                               ROOT / "kernels" / "tune" / f"{program}.workload"], check=False, stdout=subprocess.PIPE, stderr=log,
                              env={**os.environ, "PERFMODEL_SHARE": str(share_without(gpu, options.out))})
    if done.returncode != 0:
        return f"{program} on {gpu}: exit code {done.returncode}, see {path.with_suffix('.log')}"
    unfinished = path.with_suffix(".part")
    unfinished.write_bytes(done.stdout)
    unfinished.rename(path)
    found = json.loads(done.stdout)
    print(f"{program} on {gpu}: {found['examined']} of {found['space']} examined in {time.monotonic() - began:.0f} s", flush=True)
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--truth", type=pathlib.Path, default=ROOT.parent / "shared" / "data" / "public")
    parser.add_argument("--leave-out", choices=["program"])
    parser.add_argument("--known", action="store_true")
    parser.add_argument("--budget", default="150s")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--space", action="append")
    options = parser.parse_args()
    spaces = [tuple(space.split(",")) for space in options.space] if options.space else list(SPACES)
    unknown = [space for space in spaces if space not in SPACES]
    if unknown:
        print(f"tune_spaces.py: {','.join(unknown[0])}: known are " + " ".join(map(",".join, SPACES)), file=sys.stderr)
        return 2
    options.out = options.out.resolve()
    options.out.mkdir(parents=True, exist_ok=True)
    others = [space for space in SPACES if options.known and space[0] in {program for program, _ in spaces}]
    caches = {space: make_cache(*space, options.truth, options.out) for space in dict.fromkeys([*spaces, *others])}
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        faults = list(filter(None, pool.map(lambda space: rank(*space, options), spaces)))
    files = [file for space in spaces if (options.out / f"{'-'.join(space)}.json").exists()
             for file in (options.out / f"{'-'.join(space)}.json", caches[space])]
    table = subprocess.run([sys.executable, RESULTS, "table", *files], check=True, stdout=subprocess.PIPE, text=True).stdout
    (options.out / "table.md").write_text(table, encoding="utf-8")
    print(table, end="")
    for fault in faults:
        print(f"tune_spaces.py: {fault}", file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
