#!/usr/bin/env python3
"""Times that others published: the shipped datasets hold together (datasets/public), and scripts/public_datasets.py makes
of figures that were made up for this test what it should.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import csv
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PUBLIC = ROOT / "datasets" / "public"
SCRIPT = ROOT / "scripts" / "public_datasets.py"
KEY = ("program", "variant", "size", "kernel")

SIMPLE = "gpu,trace_dir,program,size,grid_x,grid_y,block_x,block_y,runs,time_s_median\n"
ELEMENTWISE = "op,device,latency_ms,B,H,grid_x,grid_y,block_x,block_y,kernel\n"
TUNED = "block_size_x,block_size_y,tile_size_x,tile_size_y,"
COULOMB = ("work_group_size_x,work_group_size_y,inner_unroll_factor,z_iterations,use_soa,global_x,global_y,global_z,"
           "local_x,local_y,local_z,time_us,inst_executed,private_mem_bytes\n")
EMPTY = {
    "gpuperfpredict/simple_kernels_times.csv": SIMPLE,
    "neusight_elementwise/elementwise.csv": ELEMENTWISE,
    "benchmark_hub/convolution_milo.csv": TUNED + "read_only,use_padding,use_shmem,time_ms_a100,time_ms_w7800\n",
    "benchmark_hub/convolution_milo_old.csv": TUNED + "read_only,use_padding,time_ms_a4000,time_ms_mi50\n",
    "benchmark_hub/convolution_milo_a6000_original.csv": TUNED + "read_only,use_padding,time_ms_a6000\n",
    "benchmark_hub/dedispersion_milo.csv": TUNED + "tile_stride_x,tile_stride_y,time_ms_a100\n",
    "ktt_counters/conv_2080ti.csv": TUNED + "padding,read_only,global_x,global_y,global_z,local_x,local_y,local_z,time_us\n",
    "ktt_counters/conv_3090.csv": TUNED + "padding,read_only,global_x,global_y,global_z,local_x,local_y,local_z,time_us\n",
    "ktt_counters/pnpoly_2080ti.csv": "block_size_x,tile_size,between_method,use_method,time_us\n",
    "ktt_counters/pnpoly_3090.csv": "block_size_x,tile_size,between_method,use_method,time_us\n",
    "ktt_counters/coulomb3d_2080ti.csv": COULOMB,
    "ktt_counters/coulomb3d_1070_tutorial.csv": COULOMB,
    "babelstream/babelstream.csv": "device,implementation,array_mb,reduction_config,kernel,mbytes_per_s\n",
    **{f"gpu_benches/raw/gpu-stream_{name}.txt": "block smBlocks threads occ% | init read scale triad 3pt 5pt\n"
       for name in ("a40", "gh200", "h100_pcie", "l40", "mi210", "mi300a", "mi300x", "rx6900xt")},
    "clpeak/clpeak.csv": "path,test,variant,value\n",
    "shoc/results.csv": "device,platform,gmem_readbw,gmem_writebw,gmem_readbw_strided,gmem_writebw_strided,lmem_readbw,"
                        "reduction,stencil,stencil_dp,Test Size,md_sp_bw\n",
}


def rows_of(path):
    """Rows of a CSV file by column."""
    with open(path, newline="", encoding="utf-8") as table:
        return list(csv.DictReader(table))


class Shipped(unittest.TestCase):
    """Tests of datasets/public as shipped."""

    def setUp(self):
        self.paths = sorted(path for path in PUBLIC.glob("*.csv") if not path.stem.endswith("-trace"))
        self.assertGreater(len(self.paths), 30)

    def test_rows(self):
        """The datasets have only times, of GPUs in devices.csv, each from a source that the JSON
        file names."""
        gpus = {row["device"]: row["name"] for row in rows_of(ROOT / "datasets" / "devices.csv")}
        for path in self.paths:
            rows, about = rows_of(path), json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
            self.assertEqual(about["device"], {"id": path.stem, "name": gpus[path.stem]})
            self.assertIs(about["published"], True)
            self.assertEqual({s["id"]: s["rows"] for s in about["sources"]},
                             {o: sum(row["origin"] == o for row in rows) for o in {row["origin"] for row in rows}})
            for source in about["sources"]:
                self.assertTrue(source["licence"] and source["commit"] and source["conditions"], path.name)
                self.assertRegex(source["repository"], r"^https://github\.com/")
            for row in rows:
                self.assertEqual((row["device"], row["counter_source"]), (path.stem, "none"))
                self.assertGreaterEqual(float(row["time_s"]), 40e-6)
            self.assertEqual(len({tuple(row[c] for c in KEY) for row in rows}), len(rows), path.name)

    def test_workloads(self):
        """Every row's program has a workload file with its size and variant, and a class."""
        texts = {path.stem: path.read_text(encoding="utf-8") for path in (ROOT / "kernels" / "public").glob("*.workload")}
        classes = {row["program"]: row["class"] for row in rows_of(ROOT / "datasets" / "classes.csv")}
        for path in self.paths:
            for row in rows_of(path):
                text = texts[row["program"]]
                self.assertIn(f"[size {row['size']}]\n", text)
                base = re.search(r"^base *= *(\S+)", text, re.M)
                self.assertTrue(row["variant"] == (base[1] if base else "plain")
                                or f"[variant {row['variant']}]\n" in text, row)
                self.assertEqual(classes[row["program"]], re.search(r"^class *= *(\S+)", text, re.M)[1])

    def test_traces(self):
        """Traced rows have the same kernel and number of work-items as the published ones, and no
        time."""
        count = 0
        for path in self.paths:
            trace = path.with_name(f"{path.stem}-trace.csv")
            if not trace.is_file():
                continue
            published = {tuple(row[c] for c in KEY): row for row in rows_of(path)}
            for row in rows_of(trace):
                self.assertEqual((row["time_s"], row["counter_source"]), ("", "trace"))
                there = published.get(tuple(row[c] for c in KEY))
                if there:
                    count += 1
                    self.assertEqual([float(row[c]) for c in ("work_items", "work_group")],
                                     [float(there[c]) for c in ("work_items", "work_group")], row["size"])
        self.assertGreater(count, 300)


@unittest.skipUnless("PERFMODEL" in os.environ, "needs the program")
class Program(unittest.TestCase):
    """Tests of commands that use published times."""

    def run_it(self, *arguments):
        """Runs the program with the repository's datasets only, and returns the finished
        process."""
        return subprocess.run([os.environ["PERFMODEL"], *map(str, arguments)], check=False, capture_output=True, text=True,
                              env={**os.environ, "PERFMODEL_DATASETS": str(ROOT / "datasets")})

    def test_devices(self):
        """devices shows how many times were published for a GPU and by whom. An H100 has measured
        times."""
        done = self.run_it("devices", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        times = json.loads(done.stdout)["times"]
        rows = rows_of(PUBLIC / "gtx980.csv")
        self.assertEqual((times["gtx980"]["measured"], times["gtx980"]["published"]), (0, len(rows)))
        self.assertEqual(set(times["gtx980"]["published_by"]), {row["origin"] for row in rows})
        self.assertEqual((times["h100"]["published"], times["h100"]["published_by"]), (0, []))
        self.assertEqual(times["h100"]["measured"], len(rows_of(ROOT / "datasets" / "h100.csv")))
        self.assertEqual(times["rtx4070"], {"measured": 0, "traced": False, "published": 0, "published_by": []})

    def test_notice(self):
        """A command that uses such a dataset gives a notice, and nothing is collected into it."""
        done = self.run_it("validate", PUBLIC / "k20c.csv", "--from", PUBLIC / "k20c-trace.csv", "--method", "ols")
        self.assertIn("k20c.csv: its times were published by others (gpuperfpredict in its first row)", done.stderr)
        if not json.loads(self.run_it("devices", "--json").stdout)["devices"]:
            self.skipTest("collecting needs an OpenCL device")
        with tempfile.TemporaryDirectory() as name:
            copy = pathlib.Path(name) / "mine.csv"
            copy.write_bytes((PUBLIC / "k20m.csv").read_bytes())
            done = self.run_it("collect", "--device", "0", "--program", "copy", "--size", "16", "--counters", "none",
                               "-o", copy)
            self.assertEqual(copy.read_bytes(), (PUBLIC / "k20m.csv").read_bytes())
        self.assertEqual(done.returncode, 2)
        self.assertIn("its times were published by others, column: origin", done.stderr)


class Made(unittest.TestCase):
    """Converts made-up figures of publications."""

    def convert(self, what, **figures):
        """Runs the script. Returns the finished process, and its rows as a mapping from GPU to list
        of rows."""
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            for path, text in EMPTY.items():
                (folder / path).parent.mkdir(parents=True, exist_ok=True)
                (folder / path).write_text(text + figures.get(pathlib.Path(path).stem, ""), encoding="utf-8")
            command = [sys.executable, SCRIPT, what, folder, *(["-o", folder / "out"] if what == "times" else [])]
            done = subprocess.run(command, check=False, capture_output=True, text=True)
            return done, {path.stem: rows_of(path) for path in sorted((folder / "out").glob("*.csv"))}

    def rows(self, **figures):
        """Converts figures that must be accepted. Returns the resulting rows as a mapping from GPU
        to list of rows."""
        done, rows = self.convert("times", **figures)
        self.assertEqual(done.returncode, 0, done.stderr)
        return rows

    def test_simple_kernels(self):
        """Rows are converted by width and work-group. Times below 40 us, unknown sizes and the
        older measurements are left out."""
        rows = self.rows(simple_kernels_times=(
            "Tesla-K20,traces_16,matMul_gpu_uncoalesced,1024,64,64,16,16,10,0.128\n"
            "Tesla-K20,traces_16,matMul_gpu,1024,64,64,16,16,10,0.0000399\n"
            "Tesla-K20,traces_16,matMul_gpu,1280,80,80,16,16,10,0.05\n"
            "Tesla-K20,traces,vectorAdd,4194304,16384,1,256,1,10,0.0003\n"
            "GTX-970,traces_16,vectorAdd,4194304,16384,1,256,1,10,0.0003\n"))
        self.assertEqual(list(rows), ["k20c"])
        self.assertEqual([[row[c] for c in ("program", "variant", "size", "kernel", "origin", "time_s", "runs", "work_items",
                                            "work_group")] for row in rows["k20c"]],
                         [["simple_matmul", "columns", "w1024_t16", "product_columns", "gpuperfpredict", "0.128", "10",
                           "1048576", "256"]])

    def test_several_of_one(self):
        """Arrays of one length with several shapes, and divisions computed as products, are
        combined by their median."""
        rows = self.rows(elementwise=("mulu,Tesla T4,1.0,16384,1280,40960,1,128,1,\n"
                                      "mulu,Tesla T4,1.5,20480,1024,40960,1,128,1,\n"
                                      "divu,Tesla T4,9.0,16384,1280,40960,1,128,1,\n"))
        self.assertEqual([(row["program"], row["size"], float(row["time_s"])) for row in rows["t4"]],
                         [("elementwise_mul_scalar", "n20971520_g128", 0.0015)])

    def test_known_faults(self):
        """Rows of the W7800 with use_shmem = 0, which its source ignored, and rows of KTT with
        PADDING = 1, which no source reads, are left out."""
        size = re.search(r"\[size bx(\d+)_by(\d+)_tx(\d+)_ty(\d+)_ro(\d)_pad0\]",
                         (ROOT / "kernels/public/convolve_15x15.workload").read_text(encoding="utf-8"))
        begin, read_only = ",".join(size.groups()[:4]), size[5]
        rows = self.rows(convolution_milo=f"{begin},{read_only},0,0,5.0,3.0\n{begin},{read_only},0,1,4.0,2.0\n",
                         conv_2080ti=f"{begin},0,{read_only},8,8,1,16,4,1,700.0\n{begin},1,{read_only},8,8,1,16,4,1,900.0\n")
        self.assertEqual([(row["variant"], float(row["time_s"])) for row in rows["a100pcie40"]],
                         [("direct", 0.005), ("tiled", 0.004)])
        self.assertEqual([(row["variant"], float(row["time_s"])) for row in rows["w7800"]], [("tiled", 0.002)])
        self.assertEqual([(row["origin"], float(row["time_s"]), row["work_items"]) for row in rows["rtx2080ti"]],
                         [("ktt", 0.0007, "4096")])

    def test_rates(self):
        """Times are computed from bytes and rates: three arrays of 2^25 doubles; 64 MB."""
        rows = self.rows(babelstream="Tesla K20m,CUDA,268.4,,Triad,150000\nTesla K20m,OpenCL,268.4,,Triad,150000\n",
                         results="m2090,nvocl40,,,,,,100,,,,\nm2090,nvocl41,0,100,,,,110,,,,50\nm2090,cuda41,,,,,,120,,,,\n")
        self.assertAlmostEqual(float(rows["k20m"][0]["time_s"]), 3 * 8 * 2 ** 25 / 150e9, 6)
        self.assertEqual(len(rows["k20m"]), 1)
        self.assertEqual([row["variant"] for row in rows["m2090"]], ["write_even", "plain"])
        self.assertAlmostEqual(float(rows["m2090"][0]["time_s"]), 40960 * 1024 * 16 * 4 / 100e9, 6)
        self.assertAlmostEqual(float(rows["m2090"][1]["time_s"]), 2 ** 26 / 110e9, 6)

    def test_streams(self):
        """The last row with full compute units counts: bytes of one, two or four arrays of 2^28 + 2
        doubles. Of clpeak, rates of memory by up to four floats count."""
        path = "results/old/NVIDIA_CUDA/GeForce_GTX_660.log"
        rows = self.rows(**{"gpu-stream_a40": "384 64512 2 41.7% | GB/s: 600 600 600 600 600 600\n"
                                              "768 129024 2 100.0% | GB/s: 500 400 800 640 200 100\n",
                            "clpeak": f"{path},Global memory bandwidth (GBPS),float2,100\n"
                                      f"{path},Global memory bandwidth (GBPS),float8,100\n"
                                      f"{path},Single-precision compute (GFLOPS),float2,100\n"})
        times = {row["variant"]: float(row["time_s"]) for row in rows["a40"]}
        array = ((1 << 28) + 2) * 8e-9
        self.assertEqual(set(times), {"fill", "read", "scale", "triad", "three_points", "five_points"})
        for variant, wanted in (("fill", array / 500), ("scale", 2 * array / 800), ("triad", 4 * array / 640),
                                ("five_points", 2 * array / 100)):
            self.assertAlmostEqual(times[variant], wanted, 6)
        self.assertEqual({row["work_items"] for row in rows["a40"]}, {str(-(-((1 << 28) + 2) // 768) * 768)})
        self.assertEqual([(row["variant"], row["size"], row["work_items"], float(row["time_s"])) for row in rows["gtx660"]],
                         [("read_float2", "m512", str(1 << 22), round((1 << 29) / 100e9, 8))])

    def test_level_one(self):
        """A stencil has 11 operations per number. Stencils of OpenCL of 2010 are left out. Forces
        are used only if the row has the largest size."""
        rows = self.rows(results="gtx580,nvocl32,,,,,,100,2.4,3.8,,\nm2090,nvocl41,,,,,,,100,50,,90\n"
                                 "K40_Intel,nvocl60,,,,,,,,,4,100\n")
        self.assertEqual([row["program"] for row in rows["gtx580"]], ["sum_pairs"])
        self.assertEqual([(row["program"], float(row["time_s"]), row["work_items"]) for row in rows["m2090"]],
                         [("stencil_nine", round(11 * 2 ** 24 / 100e9, 8), "2097152"),
                          ("stencil_nine_double", round(11 * 2 ** 24 / 50e9, 8), "2097152")])
        self.assertEqual([row["program"] for row in rows["k40c"]], ["lennard_jones"])
        pairs = 73728 * 128
        self.assertAlmostEqual(float(rows["k40c"][0]["time_s"]), (12 * (1 + pairs + 73728) + 4 * pairs) / 100e9, 8)

    def test_rows_of_torch(self):
        """The kernel's name shows which program ran: a block or a warp for each row."""
        names = {program: re.search(r"\[size (rows(\d+)_width(\d+)\S*)\]",
                                    (ROOT / f"kernels/public/{program}.workload").read_text(encoding="utf-8")).groups()
                 for program in ("layer_norm", "softmax_warp", "softmax_block")}
        rows = self.rows(elementwise="".join(
            f"{op},Tesla T4,1.0,{names[program][1]},{names[program][2]},40,1,{block},{kernel}<float>\n"
            for op, program, block, kernel in (
                ("ln", "layer_norm", "32,4", "vectorized_layer_norm_kernel"),
                ("ln", "layer_norm", "32,4", "RowwiseMomentsCUDAKernel"),
                ("softmax", "softmax_warp", "32,4", "softmax_warp_forward"),
                ("softmax", "softmax_block", f"{names['softmax_block'][0].rpartition('group')[2]},1", "cunn_SoftMaxForward"),
                ("softmax", "softmax_block", "1024,1", "cunn_SoftMaxForward"))))
        self.assertEqual([(row["program"], row["size"], row["work_items"]) for row in rows["t4"]],
                         [("layer_norm", names["layer_norm"][0], "5120"),
                          ("softmax_block", names["softmax_block"][0], str(40 * int(rows["t4"][1]["work_group"]))),
                          ("softmax_warp", names["softmax_warp"][0], "5120")])

    def test_sample(self):
        """The sample is the first names by SHA-256, independent of their order. Convolutions with
        more than four pixels per work-item are left out."""
        space = [(x, y, 1, t, s, 0) for x in (1, 2, 4) for y in (32, 64, 96, 128) for t in range(1, 17) for s in (0, 1)]
        figures = [f"{','.join(map(str, c))},1.0\n" for c in space]
        names = [f"bx{c[0]}_by{c[1]}_tx{c[2]}_ty{c[3]}_sx{c[4]}_sy{c[5]}" for c in space]
        first = sorted(names, key=lambda name: hashlib.sha256(name.encode()).hexdigest())[:300]
        for some in (figures, figures[::-1]):
            done, _ = self.convert("sizes", dedispersion_milo="".join(some),
                                   convolution_milo="16,4,2,4,0,0,1,1.0,1.0\n16,4,2,2,0,0,1,1.0,1.0\n")
            self.assertEqual(done.returncode, 0, done.stderr)
            found = re.findall(r"\[size (\S+)\]", done.stdout)
            self.assertEqual([name for name in found if "_sx" in name], first)
            self.assertEqual([name for name in found if "_pad" in name], ["bx16_by4_tx2_ty2_ro0_pad0"])

    def test_order_of_counting(self):
        """The sizes that are counted first of each space are a sample by the same rule: the first
        sizes in the workload, in groups of eight."""
        order = {program: re.findall(r"\[size (\S+)\]", (ROOT / f"kernels/public/{program}.workload").read_text(
            encoding="utf-8")) for program in ("dedisperse", "point_in_polygon")}
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            for ending, sizes in (("", sorted(order["dedisperse"][:20])), ("-trace", order["dedisperse"][1:3])):
                rows = [f"dedisperse,plain,{size}" for size in sizes]
                rows += [f"point_in_polygon,plain,{size}" for size in order["point_in_polygon"][:10] if not ending]
                (folder / f"a6000{ending}.csv").write_text("\n".join(["program,variant,size", *rows, ""]), encoding="utf-8")
            done = subprocess.run([sys.executable, SCRIPT, "commands", "-o", folder], check=False, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        found = [re.findall(r"--size (\S+)", line) for line in done.stdout.splitlines()]
        missing = order["dedisperse"][:1] + order["dedisperse"][3:20]
        self.assertEqual(found, [missing[:8], order["point_in_polygon"][:8], missing[8:16], order["point_in_polygon"][8:10],
                                 missing[16:]])

    def test_no_figures(self):
        """A missing folder gives one line and exit code 2."""
        done = subprocess.run([sys.executable, SCRIPT, "times", "/no/such/folder"], check=False, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1))
        self.assertIn("give the folder that holds the figures", done.stderr)


class Counters(unittest.TestCase):
    """Tests scripts/public_counters.py with made-up counters."""

    def test_ratios(self):
        """Ratios of counted over published counters are grouped by architecture. The replays of a
        vector addition are the difference of two columns."""
        head = ("gpu,program,size,grid_x,grid_y,block_x,block_y,gld_request,instructions_issued,instructions_executed,"
                "shared_load_transactions,shared_store_transactions,device_memory_read_transactions\n")
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            for path, text in EMPTY.items():
                (folder / path).parent.mkdir(parents=True, exist_ok=True)
                (folder / path).write_text(text, encoding="utf-8")
            (folder / "gpuperfpredict/simple_kernels_counters.csv").write_text(
                head + "Tesla-K20,vectorAdd,4194304,16384,1,256,1,100,1500,1000,0,0,10\n"
                + "Titan,vectorAdd,4194304,16384,1,256,1,100,1500,1000,0,0,10\n"
                + "GTX-980,vectorAdd,4194304,16384,1,256,1,100,1500,1000,0,0,10\n", encoding="utf-8")
            for gpu, requests in (("k20c", 100), ("gtxtitan", 50)):
                (folder / f"{gpu}-trace.csv").write_text(
                    "program,variant,size,kernel,gld_request,inst_issued,inst_executed,shared_wavefront,dram_read_bytes\n"
                    f"simple_vectoradd,plain,n22_g256,vector_add,{requests},900,800,0,640\n", encoding="utf-8")
            done = subprocess.run([sys.executable, ROOT / "scripts" / "public_counters.py", folder, "-d", folder],
                                  check=False, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in done.stdout.splitlines()[2:]]
        self.assertEqual({(row[0], row[2]): row[3:6] for row in rows},
                         {("kepler", "`gld_request`"): ["2", "0.750", "50 %"],
                          ("kepler", "`inst_issued`"): ["2", "0.600", "0 %"],
                          ("kepler", "`inst_executed`"): ["2", "0.800", "0 %"],
                          ("kepler", "`inst_issued - inst_executed`"): ["2", "0.200", "0 %"],
                          ("kepler", "`dram_read_bytes`"): ["2", "2.000", "0 %"]})


if __name__ == "__main__":
    sys.exit(0 if unittest.main(exit=False, verbosity=0).result.wasSuccessful() else 1)
