#!/usr/bin/env python3
"""The published figures in datasets/published.csv: each row says where it is from, numbers are numbers, GPUs, programs
and variants are those that perfmodel has, nothing stands there twice, and what papers print twice agrees. And what
scripts/findings.py makes of them, with a stand-in for perfmodel whose predictions are known.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import csv
import importlib
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(1, sys.path[0] + "/..")
import program  # selects this part of the tests  # pylint: disable=unused-import

ROOT = pathlib.Path(__file__).resolve().parents[2]
PUBLISHED = ROOT / "datasets" / "published.csv"
COLUMNS = ["source", "place", "device", "program", "variant", "size", "quantity", "value", "unit", "note"]
# Pattern of a source: a paper, or a repository on GitHub with the path of a file.
SOURCE = re.compile(r"[A-Z][A-Za-z]+( and [A-Z][A-Za-z]+| et al\.)? (19|20)\d\d|[\w.-]+/[\w.-]+")
PLACE = re.compile(r"section \d+(\.\d+)*, text|tables? \d+(\.\d+)?|figures? \d+( to \d+)?(, (text|line \d+))?"
                   r"|[\w./-]+\.(log|txt|md)")
UNITS = {"%", "sign", "rank", "bool", "s", "GB/s", "KB", "byte", "core", "instruction", "launch", "particles", "ratio",
         "weight", "work-group", "work-item"}
# Programs that are not in the suite: Kamiya's product by rows, a struct that a paper discusses, and
# its example.
OTHER_PROGRAM = re.compile(r"matmul_rows|struct of \d floats|example")


def faults(path, devices):
    """Returns the faults of a file of published figures, one line each."""
    found, seen = [], {}
    with open(path, encoding="utf-8", newline="") as file:
        reader = csv.reader(file)
        header = next(reader, [])
        if header != COLUMNS:
            return [f"1: the header is {header}"]
        for cells in reader:
            line = reader.line_num
            if len(cells) != len(COLUMNS):
                found.append(f"{line}: {len(cells)} cells")
                continue
            row = dict(zip(COLUMNS, cells))
            found += [f"{line}: {what}" for what in row_faults(row, devices)]
            key = tuple(row[c] for c in COLUMNS if c not in ("value", "note"))
            if key in seen:
                found.append(f"{line}: stands in line {seen[key]} already")
            seen.setdefault(key, line)
    return found


def row_faults(row, devices):
    """Returns the faults of one row."""
    if not SOURCE.fullmatch(row["source"]):
        yield f"source '{row['source']}'"
    if not PLACE.fullmatch(row["place"]):
        yield f"place '{row['place']}'"
    if row["device"] and row["device"] not in devices:
        yield f"device '{row['device']}'"
    if not re.fullmatch(r"[a-z][a-z0-9_]*(-[a-z0-9-]+)?", row["quantity"]):
        yield f"quantity '{row['quantity']}'"
    if row["unit"] not in UNITS:
        yield f"unit '{row['unit']}'"
    if not re.fullmatch(r"-?\d+(\.\d+)?", row["value"]):
        yield f"value '{row['value']}'"
    elif row["unit"] == "sign" and row["value"] not in ("-1", "0", "1"):
        yield f"sign {row['value']}"
    elif row["unit"] == "bool" and row["value"] not in ("0", "1"):
        yield f"bool {row['value']}"


def devices_of(path):
    """Returns the device names in devices.csv."""
    with open(path, encoding="utf-8", newline="") as file:
        return {row["device"] for row in csv.DictReader(file)}


def rows():
    """Returns the rows of the shipped file."""
    with open(PUBLISHED, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


class Published(unittest.TestCase):
    """Tests the shipped file, and files with faults."""

    def test_shipped(self):
        """The shipped file has no fault."""
        self.assertEqual(faults(PUBLISHED, devices_of(ROOT / "datasets" / "devices.csv")), [])
        self.assertGreater(len(rows()), 100)

    def test_wrong(self):
        """Each kind of fault is found in its line."""
        good = ["Anybody et al. 2010", "table 1", "k20c", "p", "v", "1", "time", "1.5", "s", ""]
        wrong = {"source": "", "place": "somewhere", "device": "k20", "quantity": "", "unit": "", "value": "about 3"}
        for column, text in wrong.items():
            bad = list(good)
            bad[COLUMNS.index(column)] = text
            self.assertEqual({f.split(":")[0] for f in self.faults_of(good, bad)}, {"3"}, column)
        other = list(good)
        other[7], other[9] = "2.5", "another value"
        self.assertEqual(self.faults_of(good, other), ["3: stands in line 2 already"])
        self.assertEqual(self.faults_of(good, good[:9]), ["3: 9 cells"])
        self.assertEqual(len(self.faults_of([*good[:7], "2", "sign", ""], [*good[:7], "2", "bool", ""])), 2)
        self.assertEqual(self.faults_of(good), [])

    def faults_of(self, *lines):
        """Returns the faults of a file with these rows."""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "published.csv"
            with open(path, "w", encoding="utf-8", newline="") as file:
                csv.writer(file).writerows([COLUMNS, *lines])
            return faults(path, {"k20c"})

    def test_copies(self):
        """A copy reaches at least half of the row's peak bandwidth and not more than the peak, or a
        tenth more on an overclocked card."""
        with open(ROOT / "datasets" / "devices.csv", encoding="utf-8", newline="") as file:
            peaks = {row["device"]: float(row["dram_gb_s"]) for row in csv.DictReader(file)}
        copies = [r for r in rows() if r["quantity"] == "copy_bandwidth"]
        self.assertGreaterEqual(len({r["device"] for r in copies}), 9)
        for r in copies:
            share = float(r["value"]) / peaks[r["device"]]
            self.assertTrue(0.5 < share < (1.1 if "ran at" in r["note"] else 0.97), r)

    def test_ratios(self):
        """Kamiya's printed ratios equal the ratios of the printed times, up to the printed
        digit."""
        times = {(r["device"], r["program"], r["size"], r["variant"]): float(r["value"])
                 for r in rows() if r["quantity"] == "time"}
        ratios = [r for r in rows() if r["quantity"] == "time_over_nolocal" and r["place"].startswith("table")]
        self.assertEqual((len(times), len(ratios)), (32, 16))
        for r in ratios:
            where = r["device"], r["program"], r["size"]
            self.assertLess(abs(100 * times[*where, "shared"] / times[*where, "nolocal"] - float(r["value"])), 0.1)

    @unittest.skipUnless("PERFMODEL" in os.environ, "PERFMODEL names the program to test")
    def test_names(self):
        """Programs and variants are in the suite."""
        listed = subprocess.run([os.environ["PERFMODEL"], "collect", "--list", "--json"], check=True, capture_output=True,
                                text=True).stdout
        programs = {program["program"]: " ".join(program["variants"]) for program in json.loads(listed)}
        for r in rows():
            if not r["program"] or OTHER_PROGRAM.fullmatch(r["program"]):
                continue
            self.assertIn(r["program"], programs)
            # `shared` is generated by perfmodel and not listed.
            self.assertIn(r["variant"], ["", "shared", *programs[r["program"]].split()], r["program"])

    @unittest.skipUnless("PERFMODEL" in os.environ, "PERFMODEL names the program to test")
    def test_accesses(self):
        """Each phase of the suite's sph reads and writes the fields in Takada's table 1."""
        done = subprocess.run([os.environ["PERFMODEL"], "trace", "--program", "sph", "--variant", "aos", "--json"],
                              check=True, capture_output=True, text=True)
        groups = {"density": "density_pressure", "pressure": "density_pressure"}
        traced = {(kernel["kernel"], groups.get(access["field"]) or access["field"].split("_")[0],
                   {"load": "read", "store": "written"}[access["kind"]])
                  for kernel in json.loads(done.stdout)["kernels"] for access in kernel["accesses"]
                  if access["structure"]}
        parts = [re.fullmatch("([a-z]+)_(own|neighbour)_([a-z_]+)_(read|written)", r["quantity"])
                 for r in rows() if r["place"] == "table 1" and r["program"] == "sph"]
        self.assertEqual(len(parts), 15)
        self.assertEqual({(m[1], m[3], m[4]) for m in parts}, traced)

    @unittest.skipUnless("PERFMODEL" in os.environ and "CC" in os.environ, "PERFMODEL and CC name programs")
    def test_padding(self):
        """Aligned clusters waste the number of bytes per particle that the paper says."""
        listed = {"3-3-3-2-align": "pos_x+pos_y+pos_z/vel_x+vel_y+vel_z/accel_x+accel_y+accel_z/density+pressure",
                  "8-3-align": "pos_x+pos_y+pos_z+vel_x+vel_y+vel_z+density+pressure/accel_x+accel_y+accel_z",
                  "4-4-3-align": "pos_x+pos_y+pos_z+density/vel_x+vel_y+vel_z+pressure/accel_x+accel_y+accel_z"}
        published = {r["variant"]: int(r["value"]) for r in rows() if r["quantity"] == "padding"}
        self.assertEqual(published.keys(), listed.keys())
        for name, clusters in listed.items():
            parts = "+".join(f"sizeof(Particle_{i})" for i in range(clusters.count("/") + 1))
            with tempfile.TemporaryDirectory() as folder:
                subprocess.run([os.environ["PERFMODEL"], "transform", "--program", "sph", "--layout",
                                f"cluster-align:{clusters}", "-o", folder], check=True, capture_output=True)
                source = pathlib.Path(folder) / "bytes.c"
                source.write_text('#include "Particle_layout.h"\n'
                                  f"int main(void) {{ return (int)({parts} - sizeof(Particle)); }}\n", encoding="utf-8")
                subprocess.run([os.environ["CC"], "-o", source.with_suffix(""), source], check=True)
                done = subprocess.run([source.with_suffix("")], check=False)
            self.assertEqual(done.returncode, published[name], name)

    @unittest.skipUnless("PERFMODEL" in os.environ, "PERFMODEL names the program to test")
    def test_no_dataset(self):
        """The file of published figures is not a dataset from which perfmodel predicts."""
        done = subprocess.run([os.environ["PERFMODEL"], "predict", "--target", "h100", "--from", "nothing",
                               "--datasets", ROOT / "datasets"], check=False, capture_output=True, text=True)
        self.assertEqual(done.returncode, 2)
        self.assertIn("no dataset is called 'nothing'", done.stderr)
        self.assertNotIn("published", done.stderr)


SCRIPT = ROOT / "scripts" / "findings.py"
# A substitute for perfmodel. Each variant takes the seconds in PREDICTED, in two kernels. Variants
# that are not in it fail.
STAND_IN = '''#!/usr/bin/env python3
import csv, json, os, sys
words = sys.argv[1:]
of = lambda name: [words[i + 1] for i, word in enumerate(words) if word == name]
seconds = json.loads(os.environ["PREDICTED"])
gpu = of("--target")[0]
assert "--json" in words, words
if words[0] == "trace":
    (size,), (program,) = of("--size"), of("--program") + of("--workload")
    (variant,) = of("--variant") or [os.path.basename(program).removesuffix(".workload")]
    counters = {"gld_request": {"value": seconds.get(gpu, {}).get(variant, 0), "unit": "", "error": 0.5}}
    json.dump({"kernels": [{"kernel": k, "launches": 1, "counters": counters} for k in "ab"]}, sys.stdout)
elif gpu not in seconds:
    sys.exit("perfmodel: no profile of " + gpu)
else:
    assert words[0] == "predict", words
    with open(of("--datasets")[0] + "/" + gpu + "-trace.csv") as file:
        rows = list(csv.DictReader(file))
    assert all(r["device"] == gpu and r["time_s"] == "" and r["launches"] == "1" for r in rows), rows
    parts = {"a": 0.25, "b": 0.75}
    json.dump({"basis": os.environ["BASIS"], "predictions": [
        {"program": r["program"], "variant": r["variant"], "size": r["size"],
         "predicted_s": parts[r["kernel"]] * float(r["gld_request"])}
        for r in rows] + [{"program": "other", "variant": "aos", "size": "1", "predicted_s": 1}]}, sys.stdout)
'''
HEAD = ",".join(COLUMNS)
T, K = "Takada and Ohno 2016,table 1,", "Kamiya et al. 2013,table 1,"
LAYOUTS = ["aos", "soa", "4-4-3", "3-3-3-2", "8-3", "aos-align", "4-4-3-align", "3-3-3-2-align", "8-3-align"]


class Findings(unittest.TestCase):
    """Each test writes published figures and predictions, and checks the tables."""

    def run_it(self, published, predicted, *words, basis="profile"):
        """Runs the script and returns the finished process. Its standard output must equal the
        written file."""
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            stand_in = folder / "perfmodel"
            stand_in.write_text(STAND_IN, encoding="utf-8")
            stand_in.chmod(0o755)
            (folder / "published.csv").write_text("\n".join([HEAD, *published, ""]), encoding="utf-8")
            done = subprocess.run([sys.executable, SCRIPT, "--perfmodel", stand_in,
                                   "--published", folder / "published.csv", "--output", folder / "out.md", "--particles", "500", *words],
                                  check=False, capture_output=True, text=True,
                                  env=os.environ | {"PREDICTED": json.dumps(predicted), "BASIS": basis})
            self.assertEqual((folder / "out.md").read_text(encoding="utf-8"), done.stdout, done.stderr)
            self.assertEqual(sorted(p.name for p in folder.iterdir()), ["out.md", "perfmodel", "published.csv"])
            return done

    def rows_of(self, done):
        """Returns the cells of all table rows without headers. Every row must have as many cells as
        its header."""
        rows_found, head = [], 0
        for line in done.stdout.splitlines():
            cells = [cell.strip() for cell in line.strip("|").split("|")] if line.startswith("|") else []
            if not cells:
                head = 0
            elif not head:
                head = len(cells)
            else:
                self.assertEqual(len(cells), head, line)
                rows_found += [cells] if set(line) - set("|-") else []
        return rows_found

    def test_gains(self):
        """A gain is the base's time over the variant's. Signs are compared, and points are
        predicted minus published gain."""
        seconds = dict.fromkeys(LAYOUTS, 2.0) | {"aos": 3.0, "8-3": 4.0, "4-4-3": 2.99}
        done = self.run_it([T + "k20c,sph,soa,800000,gain_over_aos,5,%,", T + "k20c,sph,8-3,800000,gain_over_aos,5,%,",
                            T + "k20c,sph,8-3,800000,gain_over_soa,-1,sign,",
                            T + "k20c,sph,4-4-3,800000,gain_over_aos,5,%,"],
                           {"k20c": seconds}, "--only", "takada")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([row[3:] for row in self.rows_of(done)],
                         [["`soa` over `aos`", "+5 %", "+50.0 %", "yes", "+45.0"],
                          ["`8-3` over `aos`", "+5 %", "-25.0 %", "no", "-30.0"],
                          ["`8-3` over `soa`", "slower", "-50.0 %", "yes", ""],
                          ["`4-4-3` over `aos`", "+5 %", "+0.3 %", "no", "-4.7"]])
        self.assertIn("- sign right: 2 of 4 findings (50 %)\n", done.stdout)

    def test_ranks(self):
        """The fastest of all layouts, and of those without alignment."""
        seconds = dict.fromkeys(LAYOUTS, 2.0) | {"soa": 1.5, "8-3-align": 1.0}
        done = self.run_it([T + "k20c,sph,soa,800000,rank,1,rank,", T + "k20c,sph,soa,800000,rank_unaligned,1,rank,"],
                           {"k20c": seconds}, "--only", "takada")
        self.assertEqual([row[5:7] for row in self.rows_of(done)],
                         [["50.0 % slower than `8-3-align`", "no"], ["fastest", "yes"]])

    def test_ratios(self):
        """Ratios of times with and without shared memory, and their relative error."""
        published = [K + f"c2050,inverse,{variant},{size},time,{seconds},s," for variant, size, seconds in
                     (("nolocal", 1024, 4), ("shared", 1024, 2), ("nolocal", 2048, 4), ("shared", 2048, 5))]
        done = self.run_it(published, {"c2050": {"nolocal": 10.0, "shared": 6.0}}, "--only", "kamiya")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([row[5:] for row in self.rows_of(done)],
                         [["50.0 %", "10", "6", "60.0 %", "+20 %", "yes", ""],
                          ["125.0 %", "10", "6", "60.0 %", "-52 %", "no", ""]])
        self.assertIn("- inverse 2048, c2050: time of `shared` over that without shared memory: published 125.0 %, "
                      "predicted 60.0 %, error -52 %: not within 30 %", done.stdout)

    def test_not_predicted(self):
        """Failed predictions are reported, the other rows are present, and the exit code is 1.
        Times of a dataset are not used."""
        published = [T + "k20c,sph,soa,800000,gain_over_aos,5,%,", T + "gtx980,sph,soa,800000,gain_over_aos,5,%,"]
        seconds = {"k20c": dict.fromkeys(LAYOUTS, 2.0)}
        done = self.run_it(published, seconds, "--only", "takada")
        self.assertEqual(done.returncode, 1)
        self.assertEqual([row[5] for row in self.rows_of(done)], ["+0.0 %", "not predicted: no profile of gtx980"])
        done = self.run_it(published[:1], seconds, "--only", "takada", basis="dataset")
        self.assertEqual([row[5] for row in self.rows_of(done)],
                         ["not predicted: k20c has a dataset: not from its profile alone"])

    @unittest.skipUnless("PERFMODEL" in os.environ, "PERFMODEL names the program to test")
    def test_real(self):
        """Traces the smallest matrices: every time is present and is at least a microsecond per
        launch."""
        with tempfile.TemporaryDirectory() as name:
            out = pathlib.Path(name) / "out.md"
            done = subprocess.run([sys.executable, SCRIPT, "--perfmodel", os.environ["PERFMODEL"], "--output", out,
                                   "--only", "kamiya", "--order", "256"], check=False, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr + done.stdout)
        found = self.rows_of(done)
        self.assertEqual([row[:3] for row in found], [[gpu, program, "256"] for gpu in ("c2050", "gtx680")
                                                      for program in ("matmul_rows", "inverse")])
        for row in found:
            for seconds in (float(row[6]), float(row[7])):
                self.assertTrue(256 * 1e-6 < seconds < 1, row)

    @unittest.skipUnless("PERFMODEL" in os.environ, "PERFMODEL names the program to test")
    def test_members(self):
        """Loads per pair of points, and the integer instructions by which layouts differ on a GTX
        980: an address of 12-byte structs, of aligned structs, and one address for each of three
        arrays."""
        sys.path.insert(0, str(SCRIPT.parent))
        points, count, counted = importlib.import_module("points"), 256, {}
        for variant in points.LAYOUTS:
            with tempfile.TemporaryDirectory() as name:
                workload = points.write_workload(pathlib.Path(name), variant, count)
                done = subprocess.run([os.environ["PERFMODEL"], "trace", "--target", "gtx980", "--workload", workload, "--json"],
                                      check=False, capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            counters = json.loads(done.stdout)["kernels"][0]["counters"]
            counted[variant] = [counters["gld_request"]["value"] / (count // 32) / count,
                                counters["inst_int"]["value"] / count / count]
        for variant, loads in (("aos", 3), ("aos-align", 2), ("soa", 3)):
            self.assertAlmostEqual(counted[variant][0], loads, delta=0.02, msg=variant)
        self.assertAlmostEqual(counted["aos"][1] - counted["aos-align"][1], 10 - 3, delta=0.2)
        self.assertAlmostEqual(counted["soa"][1] - counted["aos-align"][1], 4 + 2 + 2 - 3, delta=0.2)

    def test_shipped(self):
        """Every paper of the shipped figures has its table, with stand-in predictions for all
        figures."""
        variants = LAYOUTS + ["nolocal", "shared", "figure14", "float", "float2", "float4", "float8", "float16",
                              "cluster-align:cdf/x+y+xj+yj+weight+likelihood+u+seed"]
        lines = PUBLISHED.read_text(encoding="utf-8").splitlines()[1:]
        gpus = ("k20c", "gtx980", "c2050", "gtx680", "gtx285", "gtx480", "hd5870")
        done = self.run_it(lines, {gpu: dict.fromkeys(variants, 1.0) for gpu in gpus})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.count("\n## "), 5)
        self.assertEqual(sum(row[0] in ("c2050", "gtx680") for row in self.rows_of(done)), 16)
        self.assertEqual(done.stdout.count("- aligned AoS"), 2)


if __name__ == "__main__":
    unittest.main()
