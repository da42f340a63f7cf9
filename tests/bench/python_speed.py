#!/usr/bin/env python3
"""How fast the Python package is: what importing it costs, and predictions in a loop beside the same loop in C over the same
library, in one run and by turns.
PYTHONPATH has the package, CC a C compiler. SPDX-License-Identifier: GPL-3.0-or-later
"""
import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import perfmodel

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LOOP = r"""
#include <perfmodel.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Each line of standard input is a number of predictions to make; their time goes out. */
int main(void)
{
    pm_error err = {0};
    const char *programs[] = {"nbody", NULL};
    const pm_predict_options options = {.target = "gtx980", .programs = programs};
    pm_session *session = pm_session_create(NULL, &err);
    int count;

    while (session && scanf("%d", &count) == 1) {
        struct timespec from, to;
        double sum = 0;

        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
        for (int i = 0; i < count; i++) {
            pm_predictions *found = pm_predict_on(session, &options, &err);

            if (!found)
                return puts(err.text), 1;
            for (size_t k = 0; k < found->n; k++)
                sum += found->predictions[k].predicted_s;
            pm_predictions_free(found);
        }
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
        printf("%.9g %.9g\n", (double)(to.tv_sec - from.tv_sec) + 1e-9 * (double)(to.tv_nsec - from.tv_nsec), sum);
        fflush(stdout);
    }
    pm_session_free(session);
}
"""


def import_cost(module):
    """Returns the processor time of a start that imports perfmodel, the least of eleven runs."""
    times = []
    for _ in range(11):
        before = os.times()
        subprocess.run([sys.executable, "-c", f"import {module}"], check=True)
        after = os.times()
        times.append(after.children_user + after.children_system - before.children_user - before.children_system)
    return min(times)


def predict(session, count):
    """Returns the processor time of a number of predictions, and the sum of the predicted times."""
    start, total = time.process_time(), 0.0
    for _ in range(count):
        total += sum(session.predict("gtx980", programs="nbody").seconds)
    return time.process_time() - start, total


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--predictions", type=int, default=1000)
    parser.add_argument("--turns", type=int, default=50, help="of each loop; the predictions are shared out among them")
    options = parser.parse_args()
    nothing = import_cost("sys")
    for module in ("perfmodel", "json, cffi", "pandas"):
        try:
            print(f"import {module}: {1000 * (import_cost(module) - nothing):.0f} ms of processor time")
        except subprocess.CalledProcessError:
            print(f"import {module}: not there")
    library = pathlib.Path(perfmodel.__file__).parent / "lib"
    with tempfile.TemporaryDirectory() as name, perfmodel.Session(log=lambda line: None) as session:
        source, program = pathlib.Path(name) / "loop.c", pathlib.Path(name) / "loop"
        source.write_text(LOOP, encoding="utf-8")
        subprocess.run([os.environ.get("CC", "cc"), "-O2", f"-I{ROOT / 'include'}", source, "-o", program,
                        library / "libperfmodel.so.1", f"-Wl,-rpath,{library.resolve()}"], check=True)
        with subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as c_loop:
            def in_c(count):
                c_loop.stdin.write(f"{count}\n")
                c_loop.stdin.flush()
                return tuple(map(float, c_loop.stdout.readline().split()))

            # fits the models before timing  # pylint: disable=expression-not-assigned
            in_c(1), predict(session, 1)
            turns, count = options.turns, options.predictions // options.turns
            of_c, of_python = [], []
            for turn in range(turns):
                loops = [(of_c, in_c), (of_python, lambda times: predict(session, times))]
                for kept, loop in loops if turn % 2 else reversed(loops):
                    kept.append(loop(count))
            c_loop.stdin.close()
    c_time, python_time = (sum(time for time, _ in loop) for loop in (of_c, of_python))
    ratios = sorted(python / c for (c, _), (python, _) in zip(of_c, of_python))
    print(f"{turns * count} predictions: {c_time:.2f} s in C, {python_time:.2f} s in Python, {python_time / c_time:.3f} times "
          f"(median of {turns} turns {statistics.median(ratios):.3f}, from {ratios[0]:.3f} to {ratios[-1]:.3f})")
    if not all(abs(c - python) < 1e-7 * c for (_, c), (_, python) in zip(of_c, of_python)):
        raise SystemExit("the two do not predict the same")


if __name__ == "__main__":
    main()
