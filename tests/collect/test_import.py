#!/usr/bin/env python3
"""collect --import: the tables of profilers become rows of a dataset. All values in the files are invented.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import json
import os
import pathlib
import random
import sys
import unittest

sys.path.insert(1, sys.path[0] + "/..")
from program import Base, rows_of, run
from seed import chosen_seed

DAMAGED = int(os.environ.get("DAMAGED", "30"))  # number of damaged files

COPY = """__global__ void copy(const float *from, float *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        to[i] = from[i];
}
"""
WORKLOAD = """[workload]
name = copied
source = copy.cu
[size small]
n = 1024
[size large]
n = 65536
[buffer from]
type = float
count = n
[buffer to]
type = float
count = n
[launch copy]
kernel = copy
grid = n / 256
block = 256
arguments = from, to, int n
[launch again]
kernel = copy
grid = n / 256
block = 256
arguments = to, from, int n
"""
LOADS = "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"
SECTORS = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"
NAME = "copy(const float *, float *, int)"

# Nsight Compute's page "details": the program's output and the profiler's progress stand before and after it.
DETAILS_HEAD = ('"ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream","Block Size","Grid Size",'
                '"Device","CC","Section Name","Metric Name","Metric Unit","Metric Value","Rule Name","Rule Type"\n')


def details(launches, grid=256, name=NAME, head=DETAILS_HEAD):
    """Returns a table with the metrics of launches: [[(metric, unit, value), ...], ...]."""
    text = head
    for i, metrics in enumerate(launches):
        start = f'"{i}","77","app","host","{name}","1","7","(256, 1, 1)","({grid}, 1, 1)","0","9.0"'
        for metric, unit, value in metrics:
            text += f'{start},"Section","{metric}","{unit}","{value}"\n'
        text += f'{start},"Section","","","","SOLBottleneck","OPT"\n'
    return text


TWO_LAUNCHES = [[("Duration", "usecond", "2.5"), (LOADS, "request", "2,048"), ("dram__bytes_read.sum", "Kbyte", "262.14"),
                 ("smsp__no_such_counter.sum", "inst", "5")],
                [("Duration", "nsecond", "3,500"), (LOADS, "request", "2,048"), ("dram__bytes_read.sum", "byte", "262,140"),
                 ("smsp__no_such_counter.sum", "inst", "5")]]

RAW = (
    f'==PROF== Profiling "copy" - 0: 0%....100% - 1 pass\n"ID","Process ID","Kernel Name","Block Size","Grid Size",'
    f'"CC","gpu__time_duration.sum","{SECTORS}","launch__registers_per_thread"\n'
    '"","","","","","","us","sector","register/thread"\n'
    f'"0","77","void scale<(int)4, float>(float *)","(128, 2, 1)","(16, 4, 1)","9.0","1.25","1,024","18"\n'
    f'"1","77","void scale<(int)8, float>(float *)","(128, 2, 1)","(16, 4, 1)","9.0","2.25","n/a","20"\n')
KERNELS = (
    "Generating SQLite file report1.sqlite from report1.nsys-rep\n"
    "Processing [report1.sqlite] with [cuda_api_sum.py]...\n\n"
    "Time (%),Total Time (ns),Num Calls,Avg (ns),Name\n100.0,5000,3,1666.7,cudaLaunchKernel\n\n"
    "Processing [report1.sqlite] with [cuda_gpu_kern_sum.py]...\n\n"
    "Time (%),Total Time (ns),Instances,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Name\n"
    '60.0,9000,3,3000.0,2900.0,2800,3300,264.6,"void copy<float>(const T1 *, T1 *, int)"\n'
    "40.0,6000,1,6000.0,6000.0,6000,6000,0.0,fill(int *)\n")
LAUNCHES = (
    "Start (ns),Duration (ns),CorrId,GrdX,GrdY,GrdZ,BlkX,BlkY,BlkZ,Reg/Trd,Bytes (MB),Device,Ctx,Strm,Name\n"
    "100,600,1,,,,,,,,4.194,NVIDIA H100 80GB HBM3 (0),1,7,[CUDA memcpy Host-to-Device]\n"
    "900,2000,2,256,1,1,256,1,1,16,,NVIDIA H100 80GB HBM3 (0),1,7,copy(float *)\n"
    "3900,3000,3,256,1,1,256,1,1,16,,NVIDIA H100 80GB HBM3 (0),1,7,copy(float *)\n"
    "7900,1000,4,128,1,1,256,1,1,16,,NVIDIA H100 80GB HBM3 (0),1,7,copy(float *)\n")
NVPROF = (
    "==9== NVPROF is profiling process 9, command: ./app\n==9== Profiling result:\n"
    '"Type","Time(%)","Time","Calls","Avg","Min","Max","Name"\n,%,us,,us,us,us,\n'
    '"GPU activities",90.0,24.0,2,12.0,11.0,13.0,"copy(float const *, float*, int)"\n'
    '"GPU activities",10.0,3.0,1,3.0,3.0,3.0,"[CUDA memcpy HtoD]"\n'
    '"API calls",100.0,30.0,2,15.0,1.0,29.0,"cudaLaunchKernel"\n')
NVPROF_METRICS = (
    '==9== Metric result:\n"Device","Kernel","Invocations","Metric Name","Metric Description","Min","Max","Avg"\n'
    '"GeForce GTX 1080 Ti (0)","copy(float const *, float*, int)",2,"gld_transactions","Loads",32768,32768,32768\n'
    '"GeForce GTX 1080 Ti (0)","copy(float const *, float*, int)",2,"gld_efficiency","Loads",100.0%,100.0%,100.0%\n'
    '"GeForce GTX 1080 Ti (0)","copy(float const *, float*, int)",2,"inst_executed","Loads",1GB/s,1GB/s,1GB/s\n')
ROCPROF = (
    '"Index","KernelName","gpu-id","queue-id","queue-index","pid","tid","grd","wgr","lds","scr","arch_vgpr",'
    '"accum_vgpr","sgpr","wave_size","sig","obj","SQ_WAVES","FETCH_SIZE","VALUBusy","DispatchNs","BeginNs","EndNs",'
    '"CompleteNs","DurationNs"\n'
    '0,"scale(float*, int) [clone .kd]",1,0,0,9,9,65536,256,0,0,8,0,16,64,0x0,0x7f,1024,256.0000000000,4.5,100,'
    '1000,6000,7000,5000\n')
COMPUTE = (
    "Dispatch_ID,Kernel_Name,GPU_ID,Grid_Size,Workgroup_Size,LDS_Per_Workgroup,wave_size,obj,TCC_EA_RDREQ[0],"
    "TCC_EA_RDREQ[1],TCC_EA_RDREQ_32B[0],TCC_EA_RDREQ_32B[1],wave_size_1,obj_1,SQ_WAVES,Start_Timestamp,"
    "End_Timestamp\n"
    '0,"scale(float*, int) [clone .kd]",2,65536,256,0,64,0x7f,1000,1000,10,20,64,0x7f,1024,5000,9000\n'
    '1,"scale(float*, int) [clone .kd]",2,65536,256,0,64,0x7f,1000,1000,10,20,64,0x7f,1024,15000,17000\n')


class Import(Base):
    def setUp(self):
        super().setUp()
        self.write("copy.cu", COPY)
        self.workload = self.write("copy.workload", WORKLOAD)

    def imported(self, text, *options, name="profile.csv"):
        """Imports a file and returns the document and the rows."""
        document = self.json_of("collect", "--import", self.write(name, text), "-o", self.folder / "out.csv", *options)
        return document, rows_of(self.folder / "out.csv")

    def test_ncu_details(self):
        text = "program says 1, 2\n==PROF== Connected to process 77\n" + details(TWO_LAUNCHES) + \
               "==PROF== Disconnected from process 77\n"
        text = text.replace(DETAILS_HEAD, DETAILS_HEAD + "\n")
        document, rows = self.imported(text, "--target", "h100")
        self.assertEqual(document["unknown_counters"], ["smsp__no_such_counter.sum"])
        self.assertEqual((document["device"], document["tool"], document["measured"]), ("h100", "ncu", 1))
        row = rows[0]
        self.assertEqual([row[key] for key in ("device", "program", "variant", "size", "kernel", "counter_source")],
                         ["h100", "copy", "plain", "256x256", "copy", "ncu"])
        self.assertEqual([float(row[key]) for key in ("time_s", "runs", "work_items", "work_group", "gld_request",
                                                      "dram_read_bytes", "work_groups", "launches")],
                         [3e-6, 2, 65536, 256, 2048, 262140, 256, 1])
        self.assertEqual(row["gst_request"], "")

    def test_unknown_counters_are_told(self):
        done = self.good("collect", "--import", self.write("p.csv", details(TWO_LAUNCHES)), "--target", "h100",
                         "-o", self.folder / "out.csv")
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertIn("smsp__no_such_counter.sum", done.stderr)

    def test_ncu_raw(self):
        document, rows = self.imported(RAW, "--target", "h100")
        self.assertEqual(document["unknown_counters"], [])
        self.assertEqual([(row["program"], row["kernel"], row["size"], row["gld_sector"], row["registers"]) for row in rows],
                         [("scale", "scale<4, float>", "64x256", "1024", "18"), ("scale", "scale<8, float>", "64x256", "", "20")])
        self.assertAlmostEqual(float(rows[1]["time_s"]), 2.25e-6)

    def test_ncu_summary(self):
        text = ('"Process ID","Kernel Name","Block Size","Grid Size","Device","CC","Invocations","Section Name","Metric Name",'
                '"Metric Unit","Minimum","Maximum","Average"\n'
                '"7","copy","(256, 1, 1)","(4, 1, 1)","0","9.0","5","S","Duration","us","1","3","2"\n'
                f'"7","copy","(256, 1, 1)","(4, 1, 1)","0","9.0","5","S","{LOADS}","","32","32","32"\n')
        row = self.imported(text, "--target", "h100")[1][0]
        self.assertEqual((float(row["time_s"]), row["runs"], row["gld_request"]), (2e-6, "5", "32"))

    def test_nsys(self):
        rows = self.imported(KERNELS, "--target", "NVIDIA H100 80GB HBM3")[1]
        self.assertEqual([(r["program"], r["kernel"], r["size"], r["counter_source"], r["runs"], float(r["time_s"]))
                          for r in rows],
                         [("copy", "copy<float>", "all", "none", "3", 2.9e-6), ("fill", "fill", "all", "none", "1", 6e-6)])

    def test_nsys_trace(self):
        rows = self.imported(LAUNCHES)[1]
        self.assertEqual([(r["device"], r["size"], r["runs"], round(float(r["time_s"]), 12)) for r in rows],
                         [("h100", "256x256", "2", 2.5e-6), ("h100", "128x256", "1", 1e-6)])
        other = LAUNCHES.replace("HBM3 (0),1,7,copy(float *)\n7900", "HBM3 (0),1,7,copy(float *)\n7900", 1) + \
            "9900,1000,4,128,1,1,256,1,1,16,,NVIDIA A100-SXM4-80GB (1),1,7,copy(float *)\n"
        self.refused(["two.csv:6", "A100", "one GPU"], "collect", "--import", self.write("two.csv", other))

    def test_nvprof(self):
        row = self.imported(NVPROF + NVPROF_METRICS)[1]
        self.assertEqual([(r["device"], r["kernel"], float(r["time_s"]), r["gld_sector"], r["inst_executed"],
                           r["counter_source"]) for r in row], [("gtx1080ti", "copy", 1.2e-5, "8192", "", "nvprof")])

    def test_rocprof(self):
        document, rows = self.imported(ROCPROF, "--target", "mi250x")
        self.assertEqual(document["unknown_counters"], ["VALUBusy"])
        self.assertEqual([(r["kernel"], r["size"], float(r["time_s"]), r["launched_warps"], r["dram_read_bytes"])
                          for r in rows], [("scale", "256x256", 5e-6, "1024", "262144")])

    def test_rocprof_compute(self):
        document, rows = self.imported(COMPUTE, "--target", "mi210")
        self.assertEqual(document["unknown_counters"], [])
        self.assertEqual([(r["runs"], float(r["time_s"]), r["dram_read_bytes"]) for r in rows],
                         [("2", 3e-6, str(2000 * 64 - 30 * 32))])

    def test_rocprofv3(self):
        trace = self.write("1_kernel_trace.csv", (
            '"Kind","Agent_Id","Queue_Id","Thread_Id","Dispatch_Id","Kernel_Id","Kernel_Name","Correlation_Id","Start_Timestamp",'
            '"End_Timestamp","Private_Segment_Size","Group_Segment_Size","Workgroup_Size_X","Workgroup_Size_Y",'
            '"Workgroup_Size_Z","Grid_Size_X","Grid_Size_Y","Grid_Size_Z"\n'
            '"KERNEL_DISPATCH","Agent 1",1,9,1,10,"scale(float*, int)",1,1000,9000,0,0,16,16,1,256,256,1\n'))
        counters = self.write("1_counter_collection.csv", (
            '"Correlation_Id","Dispatch_Id","Agent_Id","Queue_Id","Process_Id","Thread_Id","Grid_Size","Kernel_Id","Kernel_Name",'
            '"Workgroup_Size","Counter_Name","Counter_Value"\n'
            '1,1,"Agent 1",1,9,9,65536,10,"scale(float*, int)",256,"SQ_WAVES",1024.000000\n'
            '1,1,"Agent 1",1,9,9,65536,10,"scale(float*, int)",256,"WRITE_SIZE",8.000000\n'))
        self.refused(["1_counter_collection.csv", "no times", "--kernel-trace"], "collect", "--import", counters,
                     "--target", "mi250x")
        self.json_of("collect", "--import", counters, "--import", trace, "--target", "mi250x", "-o", self.folder / "o.csv")
        self.assertEqual([(r["counter_source"], float(r["time_s"]), r["launched_warps"], r["dram_write_bytes"])
                          for r in rows_of(self.folder / "o.csv")], [("rocprof", 8e-6, "1024", "8192")])

    def test_times_of_another_file(self):
        """Nsight Compute lowers clocks, so that times of Nsight Systems are preferred."""
        counters = self.write("ncu.csv", details(TWO_LAUNCHES))
        times = self.write("nsys.csv", "Time (%),Total Time (us),Instances,Avg (us),Med (us),Name\n100,4,2,2,1.5,"
                                       '"copy(const float *, float *, int)"\n')
        for files in ((counters, times), (times, counters)):
            output = self.folder / f"{files[0].stem}-first.csv"
            self.json_of("collect", "--import", files[0], "--import", files[1], "--target", "h100", "-o", output)
            self.assertEqual([(r["counter_source"], float(r["time_s"]), r["gld_request"], r["size"]) for r in rows_of(output)],
                             [("ncu", 1.5e-6, "2048", "256x256")])

    def test_workload(self):
        """With a workload, the size is found by the launches, and a row is a run of two launches."""
        document, rows = self.imported(details(TWO_LAUNCHES * 2), "--target", "h100", self.workload)
        self.assertEqual([(r["program"], r["variant"], r["size"], r["kernel"], r["runs"], r["gld_request"], r["launches"])
                          for r in rows], [("copied", "plain", "large", "copy", "2", "4096", "2")])
        self.assertAlmostEqual(float(rows[0]["time_s"]), 6e-6)
        compared = {c["counter"]: (c["profiled"], c["traced"]) for c in document["comparison"]}
        self.assertEqual(compared["gld_request"], (4096, 4096))
        self.assertNotIn("gst_request", compared)
        table = run("collect", "--import", self.folder / "profile.csv", "--target", "h100", self.workload, "-o",
                    self.folder / "out2.csv", environment={"COLUMNS": "120"}).stdout
        self.assertRegex(table, r"gld_request +4096 +4096 +1\.000 +l1tex__t_requests")

    def test_traced_counters(self):
        """--counters trace gives rows that models learn from."""
        profile = self.write("p.csv", details(TWO_LAUNCHES))
        self.json_of("collect", "--import", profile, "--target", "h100", self.workload, "--counters", "trace",
                     "-o", self.folder / "mine.csv")
        row = rows_of(self.folder / "mine.csv")[0]
        self.assertEqual((row["counter_source"], row["gst_request"]), ("trace", "4096"))
        predicted = self.json_of("predict", "--target", "h100", "--with", self.folder / "mine.csv", self.workload, "--size",
                                 "large")
        self.assertAlmostEqual(predicted["predictions"][0]["measured_s"], 6e-6)

    def test_names(self):
        """Options name the rows and the GPU."""
        row = self.imported(details(TWO_LAUNCHES), "--device", "NVIDIA H100 SXM5 80GB", "--program", "mine", "--variant", "old",
                            "--size", "big")[1][0]
        self.assertEqual([row[key] for key in ("device", "program", "variant", "size", "kernel")],
                         ["h100", "mine", "old", "big", "copy"])
        two = self.write("two.csv", details(TWO_LAUNCHES) + details(TWO_LAUNCHES, grid=8))
        self.refused(["several sizes", "--size"], "collect", "--import", two, "--target", "h100", "--size", "big")
        three = self.write("three.csv", details(TWO_LAUNCHES) + details(TWO_LAUNCHES, name="copy(double *)"))
        self.json_of("collect", "--import", three, "--target", "h100", "-o", self.folder / "three.out.csv")
        self.assertEqual([row["kernel"] for row in rows_of(self.folder / "three.out.csv")], ["copy", "copy(double *)"])
        self.refused(["--device", "--target"], "collect", "--import", two, "--target", "h100", "--device", "h100")
        self.refused(["no such GPU"], "collect", "--import", two, "--device", "h1000")

    def test_wrong_workload(self):
        profile = self.write("p.csv", details(TWO_LAUNCHES, grid=100))
        self.refused(["25600 work-items", "65536"], "collect", "--import", profile, "--target", "h100", self.workload)
        other = self.write("o.csv", details(TWO_LAUNCHES, name="other(int)"))
        self.refused(["its kernels are other", "copy"], "collect", "--import", other, "--target", "h100", self.workload)
        bare = self.write("n.csv", 'Time (%),Total Time (ns),Instances,Name\n100,4,2,"copy(float *)"\n')
        self.refused(["--size"], "collect", "--import", bare, "--target", "h100", self.workload)

    def test_refused(self):
        whole = details(TWO_LAUNCHES)
        no_time = details([[(LOADS, "request", "2048")]])
        cases = {
            "unknown form": ("a,b\n1,2\n", ["ncu --csv", "rocprofv3"]),
            "empty": ("", ["no table"]),
            "cut off in a row": (whole[:whole.rindex("Kbyte")] + 'Kbyte"\n', ["p.csv:4", "14 cells", "cut off"]),
            "cut off in a cell": (whole[:-30], ["p.csv:11", "never closed"]),
            "cut off without a line break": (whole[:-3], ["p.csv:11"]),
            "header alone": (DETAILS_HEAD, ["no launch"]),
            "without times": (no_time, ["no times", "gpu__time_duration.sum"]),
            "a failed profiler": ("==PROF== Connected\n==ERROR== ERR_NVGPUCTRPERM - no permission\n", ["p.csv:2", "ERR_NVGPU"]),
            "another GPU": (whole.replace('"9.0"', '"8.0"'), ["compute capability 8", "h100"]),
            "a negative time": (whole.replace('"2.5"', '"-2.5"'), ["p.csv:2", "time"]),
            "a comma for the point": (whole.replace('"2.5"', '"2,5"'), ["p.csv:2", "2,5", "LC_ALL=C"]),
            "points between thousands": (whole.replace('"3,500"', '"3.500.000"'), ["p.csv:7", "3.500.000", "LC_ALL=C"]),
            "NUL": (whole.replace("copy", "co\0py", 1), ["NUL"]),
            "not UTF-8": (whole.encode().replace(b"copy", b"co\xffpy"), ["UTF-8"]),
            "AMD's profiler": ('"Name","Calls","TotalDurationNs","AverageNs","Percentage"\n"f(int)",1,5,5,100\n',
                               ["rocprof", "AMD"])}
        for what, (text, words) in cases.items():
            with self.subTest(what):
                self.refused(words, "collect", "--import", self.write("p.csv", text), "--target", "h100",
                             "-o", self.folder / "out.csv")
        self.refused(["--target"], "collect", "--import", self.write("p.csv", whole), "-o", self.folder / "out.csv")
        self.refused(["missing.csv"], "collect", "--import", self.folder / "missing.csv", "--target", "h100")
        self.refused(["--energy", "--import"], "collect", "--import", self.folder / "p.csv", "--energy")
        self.refused(["--counters cupti", "trace"], "collect", "--import", self.folder / "p.csv", "--counters", "cupti",
                     "--target", "h100")

    def test_again(self):
        """Rows that the dataset has are kept, and sources of counters are not mixed."""
        self.imported(details(TWO_LAUNCHES), "--target", "h100")
        document, rows = self.imported(details(TWO_LAUNCHES), "--target", "h100")
        self.assertEqual((document["measured"], document["kept"], len(rows)), (0, 1, 1))
        times = self.write("t.csv", 'Time (%),Total Time (ns),Instances,Name\n100,4,2,"fill(float *)"\n')
        self.refused(["out.csv:2", "'ncu', not 'none'"], "collect", "--import", times, "--target", "h100", "-o",
                     self.folder / "out.csv")
        provenance = json.loads(pathlib.Path(self.folder / "out.json").read_text(encoding="utf-8"))
        self.assertEqual((provenance["device"]["name"], provenance["runs"][0]["counter_tool"]),
                         ("NVIDIA H100 SXM5 80GB", "ncu"))

    def test_validate(self):
        """validate and predict --from read imported rows like others."""
        launches = [[(f"Duration", "us", f"{2 + i}"), (LOADS, "", f"{1000 * (2 + i)}"), (SECTORS, "", f"{4000 * (2 + i)}")]
                    for i in range(8)]
        text = details([])
        for i, launch in enumerate(launches):
            text += details([launch], grid=64 * (1 + i), name=f"kernel{i}(int)", head="")
        self.imported(text, "--target", "h100")
        document = self.json_of("validate", self.folder / "out.csv")
        self.assertEqual((document["n"], len({s["program"] for s in document["samples"]})), (8, 8))

    def test_damaged_files(self):
        """A damaged file gives rows or one line, and never a signal. PERFMODEL_TEST_SEED repeats a failed run."""
        seed = chosen_seed()
        draw = random.Random(seed)
        whole = [details(TWO_LAUNCHES), RAW, KERNELS, LAUNCHES, NVPROF + NVPROF_METRICS, ROCPROF, COMPUTE]
        for i in range(DAMAGED):
            text = damaged(draw, draw.choice(whole).encode())
            path = self.write("p.csv", text)
            done = run("collect", "--import", path, "--target", draw.choice(("h100", "mi210", "gtx1080ti")), "-o",
                       self.folder / f"out{i}.csv")
            self.assertIn(done.returncode, (0, 2, 3), f"PERFMODEL_TEST_SEED={seed}, {i}: {done.stderr}\n{text!r}")
            if done.returncode == 2:
                self.assertRegex(done.stderr, r"^perfmodel: [^\n]+\n$", f"PERFMODEL_TEST_SEED={seed}, {i}")


def damaged(draw, text):
    """Returns the text with one to four changes: bytes replaced, deleted or repeated, and lines dropped."""
    for _ in range(draw.randint(1, 4)):
        at, end = sorted(draw.randrange(len(text) + 1) for _ in range(2))
        end = min(end, at + draw.choice((1, 3, 40)))
        kind = draw.randrange(5)
        if kind == 0:
            text = text[:at] + draw.choice((b'"', b",", b"\n", b"(", b"<", b"-", b"9" * 30, b"\xff", b"nan", b"1e999")) + text[end:]
        elif kind == 1:
            text = text[:at] + text[end:]
        elif kind == 2:
            text = text[:end] + text[at:end] * draw.choice((1, 2, 50)) + text[end:]
        elif kind == 3:
            lines = text.splitlines(keepends=True) or [b""]
            lines.insert(draw.randrange(len(lines)), draw.choice(lines))
            text = b"".join(lines)
        else:
            text = text[:end] if draw.random() < 0.3 else text
    return text


if __name__ == "__main__":
    unittest.main()
