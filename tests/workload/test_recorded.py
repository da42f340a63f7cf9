#!/usr/bin/env python3
"""scripts/intercept_to_workload.py makes workload files from launches that the OpenCL Intercept Layer recorded: every
command takes them, a launch that runs as it was recorded has the recorded results, and a folder that cannot be used, or
is not as the layer writes it, is one line of error.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import os
import re
import struct
import subprocess
import sys
import unittest

sys.path.insert(1, sys.path[0] + "/..")
from program import PERFMODEL, ROOT, Base, rows_of, run
from recorded import ITEMS, SOURCE, Recorded, cells, ends, floats

TRACE = ("trace", "--target", "gtx980", "--sample", "all")


class Script(Base):
    """Runs of the script."""

    def converted(self, *folders, code=0):
        """Returns the folder that the script makes, and its standard error."""
        output = self.folder / "made" / folders[0].name
        done = subprocess.run([sys.executable, ROOT / "scripts" / "intercept_to_workload.py", "-o", output, *folders],
                              check=False, capture_output=True, text=True, stdin=subprocess.DEVNULL,
                              env={**os.environ, "PERFMODEL": PERFMODEL}, timeout=300)
        self.assertEqual(done.returncode, code, done.stderr)
        return output, done.stderr

    def made(self, launch, name="Enqueue_3_x"):
        """Returns the folder that the script makes of the launch."""
        return self.converted(launch.write(self.folder / name))[0]

    def unusable(self, words, folder):
        """The script must fail with one line that contains the words, and leave no files."""
        output, told = self.converted(folder, code=2)
        self.assertEqual(told.count("\n"), 1, told)
        for word in words:
            self.assertIn(word, told)
        self.assertEqual(list(output.glob("*")), [])
        return told


class Used(Script):
    """Tests commands on a converted launch."""

    def traces(self, launch, name="Enqueue_3_x"):
        """Traces the launch. Its results must be the recorded ones."""
        return self.json_of(*TRACE, self.made(launch, name))

    def fails(self, words, launch, name="Enqueue_3_x"):
        """The trace must end with a wrong result."""
        return self.refused(words, *TRACE, self.made(launch, name), code=1)

    def test_every_command(self):
        folder = self.made(cells(), "Enqueue_3_cells")
        document = self.json_of(*TRACE, folder)
        self.assertEqual((document["program"], document["size"]), ("Enqueue_3_cells", "captured"))
        self.good("collect", folder, "--counters", "none", "-o", self.folder / "x.csv")
        self.assertEqual([row["program"] for row in rows_of(self.folder / "x.csv")], ["Enqueue_3_cells"])
        self.assertIn("cells", self.good("predict", "--target", "gtx980", folder).stdout)
        self.assertIn("soa", self.good("advise", "--target", "gtx980", folder).stdout)
        self.good("transform", "--layout", "soa", "-o", self.folder / "out", folder)
        self.assertIn("cells", "".join(path.name for path in (self.folder / "out").iterdir()))
        self.good("report", "--target", "gtx980", folder, "-o", self.folder / "x.html")
        self.assertIn("Enqueue_3_cells", (self.folder / "x.html").read_text(encoding="utf-8"))
        self.good("trace", "--target", "gtx980", "--workload", f"{folder}/Enqueue_3_cells.perfmodel/")

    def test_recorded_folder(self):
        """A folder of the Intercept Layer is refused with the name of the script that converts
        it."""
        launch = cells().write(self.folder / "dump" / "Replay" / "Enqueue_3_cells")
        for folder in (launch, launch.parent, launch.parent.parent):
            self.refused(["Enqueue_3_cells", "perfmodel-intercept -o"], *TRACE, folder)

    def test_workload_file(self):
        """Names of buffers come from the source. A buffer of zeros needs no file."""
        launch = ends(handles=(1, 2))
        launch.files[launch.contents(1, "Pre")] = bytes(4 * ITEMS)
        folder = self.made(launch, "a" * 20 + "-" + "b" * 20) / f"{'a' * 20}-{'b' * 20}.perfmodel"
        text = (folder / "capture.workload").read_text(encoding="utf-8")
        self.assertIn("name = " + "a" * 20 + "-" + "b" * 11 + "\n", text)
        self.assertIn("[buffer to]\ntype = float\ncount = 256\ncontents = zeros\nexpected = file", text)
        self.assertIn("# number 3 of the program\n", text)
        self.assertIn("arguments = from, to, int 128\n", text)

    def test_results(self):
        """The contents recorded after the launch are the expected results. Floats have a
        tolerance."""
        near, far, other = cells(), cells(), cells()
        path = near.contents(0, "Post")
        for launch, value in ((near, 159.75 + 1e-4), (far, 159.75 + 1), (other, 159.75)):
            changed = bytearray(launch.files[path])
            self.assertEqual(struct.unpack_from("<f", changed, 8 * 5)[0], 5 + 58 * 1.25 + 3)
            struct.pack_into("<f", changed, 8 * 5, value - 159.75 + 5 + 58 * 1.25 + 3)
            struct.pack_into("<i", changed, 8 * 9 + 4, 7 * 9 + 43 + (launch is other))
            launch.files[path] = bytes(changed)
        self.traces(near, "near")
        self.fails(["wrong result", "c.x[5]"], far, "far")
        self.fails(["wrong result", "c.id[9]"], other, "other")
        # predict tells it and goes on, also if the counts come from the cache
        folder = self.made(far, "predicted")
        for _ in range(2):
            done = self.good("predict", "--target", "gtx980", folder)
            self.assertIn("wrong result on the trace engine: c.x[5]", done.stderr)

    def test_nothing_recorded(self):
        """Without the folder Post there are no expected results. Written buffers are still
        restored."""
        launch = cells()
        launch.without(*[name for name in launch.files if name.startswith("Post")])
        folder, told = self.converted(launch.write(self.folder / "x"))
        self.assertEqual(told.count("nothing to compare results with"), 1, told)
        text = next(folder.glob("*/capture.workload")).read_text(encoding="utf-8")
        self.assertEqual((text.count("restore = yes"), text.count("expected =")), (2, 0))
        self.good(*TRACE, folder)
        self.good("collect", folder, "--counters", "none", "-o", self.folder / "x.csv")
        self.assertIn("checked", self.good("advise", "--target", "gtx980", folder).stdout)

    def test_one_argument_not_recorded(self):
        launch = ends(handles=(1, 2))
        launch.files[launch.contents(1, "Post")] = floats([9] * ITEMS)
        self.fails(["wrong result", "to[0]"], launch, "a")
        launch = ends(handles=(1, 2))
        self.traces(launch.without(launch.contents(1, "Post")), "b")

    def test_same_handle(self):
        """Two arguments with one handle are one buffer."""
        self.traces(ends(handles=(7, 7)), "one")
        self.traces(ends(handles=(7, 8)), "two")
        launch = ends(handles=(7, 7))
        launch.value(1, struct.pack("<Q", 8))
        self.fails(["wrong result", "from[128]"], launch, "taken-apart")

    def test_pointer_to_nothing(self):
        """A null pointer has no value, or a value of zeros. With a buffer, the kernel writes to
        it."""
        launch = cells()
        launch.without("Local2.txt").value(2, bytes(8))
        # of a buffer that was set earlier
        launch.files[launch.contents(2, "Pre")] = bytes(4 * ITEMS)
        self.traces(launch, "zeros")
        launch = cells().without("Local2.txt")
        launch.buffer(2, bytes(4 * ITEMS), struct.pack("<i", 1) * ITEMS)
        self.traces(launch, "buffer")
        launch.local(2, 8)
        self.unusable(["both: argument 2", "which came last"], launch.write(self.folder / "both"))

    def test_into_an_allocation(self):
        """Arguments may be pointers of shared virtual memory."""
        launch = ends(n=0, handles=(1, 2))
        launch.files["SVM_Arg_Offset_0.txt"] = "256\n"
        launch.files[launch.contents(1, "Post")] = floats([i + 64 + 1 if i < 128 else i for i in range(ITEMS)])
        self.traces(launch, "whole")
        launch.files["SVM_Arg_Offset_0.txt"] = "1024\n"
        self.unusable(["behind: argument 0", "1024 bytes into 1024"], launch.write(self.folder / "behind"))

    def test_sizes(self):
        """A local size that the driver chose, global offsets, and two dimensions."""
        source = "__kernel void at(__global int *a) { a[get_global_id(1) * 8 + get_global_id(0)] = get_global_id(0); }"
        launch = Recorded("at", [[4, 16], [0, 0], [2, 1]])
        launch.files["kernel.cl"] = source
        before = [-1] * 17 * 8
        after = [i % 8 if i >= 8 and 2 <= i % 8 < 6 else -1 for i in range(17 * 8)]
        launch.buffer(0, struct.pack("<136i", *before), struct.pack("<136i", *after))
        self.traces(launch)

    def test_options(self):
        """Build options are used. Folders of headers belong to another machine, and headers are
        beside the source."""
        launch = ends()
        launch.files["kernel.cl"] = '#include "one.h"\n#include <two.h>\n' + SOURCE.replace("+ 1;", "+ ONE * TWO;")
        launch.files["one.h"], launch.files["two.h"] = "#define ONE 1\n", "#define TWO (HALF * 2)\n"
        launch.files["buildOptions.txt"] = '-cl-std=CL2.0 -I /nowhere/include "-DHALF=0.5f" -I"/no/where" \n'
        self.traces(launch, "there")
        self.refused(["capture.cl", "two.h"], *TRACE, self.made(launch.without("two.h"), "missing"))

    def test_unreadable_source(self):
        """If perfmodel's clang cannot compile the source, its error is reported. The source may
        still run on a device."""
        launch = cells()
        launch.files["kernel.cl"] = "#ifndef POCL_DEVICE_ADDRESS_BITS\n#error of a vendor\n#endif\n" + SOURCE
        folder = self.made(launch, "vendor")
        self.refused(["capture.cl", "of a vendor"], *TRACE, folder)
        self.good("collect", folder, "--counters", "none", "-o", self.folder / "x.csv")
        self.assertEqual(len(rows_of(self.folder / "x.csv")), 1)
        wrong = cells()
        wrong.files["kernel.cl"] = launch.files["kernel.cl"]
        wrong.files[wrong.contents(0, "Post")] = bytes(8 * ITEMS)
        done = run("collect", self.made(wrong, "wrong"), "--counters", "none", "-o", self.folder / "y.csv")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("wrong result", done.stderr)

    def test_folder_of_many(self):
        """Launches that cannot become a workload are left out and reported."""
        dump = self.folder / "dump"
        replay = dump / "Replay"
        cells().write(replay / "Enqueue_1_cells")
        ends().write(replay / "Enqueue_10_ends")
        ends().without("kernel.cl").write(replay / "Enqueue_2_binary")
        ends().without("worksizes.txt").write(replay / "Enqueue_3_killed")
        for number, name in ((4, "Image_MetaData_1.txt"), (5, "Sampler2.txt")):
            launch = ends()
            launch.files[name] = "64\n"
            launch.write(replay / f"Enqueue_{number}_ends")
        (replay / "Enqueue_6_link").symlink_to(replay / "Enqueue_10_ends")
        for path in (replay, dump):
            folder, told = self.converted(path, code=3)
            done = self.good("trace", "--json", folder)
            self.assertEqual(re.findall(r'"program": "(\w+)"', done.stdout), ["Enqueue_10_ends", "Enqueue_1_cells"])
            left = re.findall(r"left out: \S*/(Enqueue_\w+): (.*)", told)
            self.assertEqual([name for name, _ in left], ["Enqueue_2_binary", "Enqueue_3_killed", "Enqueue_4_ends",
                                                          "Enqueue_5_ends", "Enqueue_6_link"])
            self.assertIn("SPIR-V", left[0][1])
            self.assertIn("argument 1 of its kernel is an image or a sampler", left[2][1])
        self.converted(replay, code=2)  # into the same folder

    def test_bounds(self):
        """The error for an access beyond a buffer names the workload file."""
        self.refused(["capture.workload:", "buffer to has 1024 bytes", "capture.cl:17"], *TRACE, self.made(ends(n=200)))


class Refused(Script):
    """Tests files that differ from those that the layer writes."""

    def wrong(self, words, change, make=cells):
        """A changed text must give an error of one line."""
        launch = make()
        change(launch)
        with self.subTest(words=words):
            folder = launch.write(self.folder / f"x{len(list(self.folder.iterdir()))}")
            self.unusable([folder.name, *words], folder)

    def files(self, words, **changes):
        """Replaces files by other texts; None removes a file. Each must give an error of one
        line."""
        def change(launch):
            for name, text in changes.items():
                name = name.replace("__", ".")
                if text is None:
                    del launch.files[name]
                else:
                    launch.files[name] = text
        self.wrong(words, change)

    def test_missing(self):
        self.files(["worksizes.txt"], worksizes__txt=None)
        self.files(["kernelName.txt"], kernelName__txt=None)
        self.files(["kernel.cl", "SPIR-V"], kernel__cl=None)
        self.files(["kernel.cl", "SPIR-V"], kernel__cl="\0")
        self.files(["Argument3.bin", "argument 3 has no value"], Argument3__bin=None)
        self.files(["Local4.txt", "argument 4 has no value"], Local4__txt=None)
        self.wrong(["argument 1 held"], lambda launch: launch.without(launch.contents(1, "Pre")))

    def test_sizes(self):
        for text in ("", "256\n64\n", "256\n64\n0", "256 \n64 \n0 0 \n", "256\n64 1\n0\n", "1 1 1 1\n1 1 1 1\n0 0 0 0\n",
                     "-256\n64\n0\n", "256\n64\n0\n7\n", "9223372036854775808\n1\n0\n", "0x100\n64\n0\n", "256\n64\nzero\n"):
            self.files(["worksizes.txt"], worksizes__txt=text)
        self.files(["work-groups that do not divide"], worksizes__txt="256\n60\n0\n")
        self.files(["no work-item"], worksizes__txt="0\n64\n0\n")
        self.files(["more than 1024"], worksizes__txt="4096\n4096\n0\n")
        self.files(["more than 1024"], worksizes__txt="9223372036854775807\n9223372036854775807\n0\n")

    def test_values(self):
        self.files(["Argument6.bin", "0 bytes"], Argument6__bin=b"")
        self.files(["Argument6.bin", "5000 bytes"], Argument6__bin=bytes(5000))
        self.files(["argument 7", "(k)", "ulong"], Argument6__bin=bytes(4))
        self.files(["argument 4", "(s)", "Setup"], Argument3__bin=bytes(12))
        self.files(["argument 7 has no value"], Argument9__bin=bytes(4))
        self.files(["more or fewer arguments"], Argument7__bin=bytes(4))
        self.files(["argument 6", "pipe"], SVM_Arg_Offset_6__txt="0\n")
        for text in ("", "x", "-4", "4 4", "99999999999999999999"):
            self.files(["Local4.txt"], Local4__txt=text)
        self.files(["local"], Local4__txt="0")
        self.files(["local"], Local4__txt="9223372036854775807")

    def test_names(self):
        self.files(["kernels that the source does not show"], kernelName__txt="cell")
        for text in ("", "\n", "two words", "../cells", "a" * 20000):
            self.files(["kernelName.txt"], kernelName__txt=text)
        for option in ("-DX={2}", '"-DX= #"', "-DX=1 ;-DY"):
            self.files(["buildOptions.txt"], buildOptions__txt=option)
        self.files(["-include"], buildOptions__txt="-include /etc/passwd")
        self.files(["kernel.cl", "NUL"], kernel__cl="\0" + SOURCE)

    def test_contents(self):
        self.wrong(["more than one file of argument 0"],
                   lambda launch: launch.files.update({launch.contents(0, "Pre").replace("0000.bin", "7.bin"): b"1234"}))
        self.wrong(["Post/", "1024 bytes, but", "2048"],
                   lambda launch: launch.files.update({launch.contents(0, "Post"): bytes(1024)}))
        self.wrong(["Pre/", "has 0 bytes"], lambda launch: launch.files.update({launch.contents(1, "Pre"): b""}))

    def test_large(self):
        """A size that only a sparse file can have."""
        launch = cells()
        folder = launch.write(self.folder / "x")
        os.truncate(folder / launch.contents(1, "Pre"), 1 << 40)
        launch.without(launch.contents(1, "Post"))
        (folder / launch.contents(1, "Post")).unlink()
        self.unusable(["Pre/Enqueue_0003", "has 1099511627776 bytes"], folder)

    def test_nothing_outside(self):
        """Links and #include do not lead out of the folder, and pipes are not waited for."""
        secret = self.write("secret.h", "int secret_value;\n")
        names = ["worksizes.txt", "kernelName.txt", "kernel.cl", "buildOptions.txt", "Argument3.bin", "Local4.txt",
                 "SVM_Arg_Offset_0.txt", "ArgumentDataTypes.txt", cells().contents(0, "Pre"), cells().contents(0, "Post")]
        for kind in ("link", "pipe", "folder"):
            for name in names:
                folder = cells().write(self.folder / f"{kind}{names.index(name)}")
                (folder / name).rename(self.folder / f"{folder.name}.moved")
                if kind == "link":
                    (folder / name).symlink_to(self.folder / f"{folder.name}.moved")
                elif kind == "pipe":
                    os.mkfifo(folder / name)
                else:
                    (folder / name).mkdir()
                with self.subTest(kind=kind, name=name):
                    self.unusable([f"{folder.name}/{name}", "no regular file"], folder)
        for below in ("Pre", "Post"):
            folder = cells().write(self.folder / f"below{below}")
            (folder / below).rename(self.folder / below)
            (folder / below).symlink_to(self.folder / below)
            self.unusable([f"{folder.name}/{below}", "no folder"], folder)
        for number, line in enumerate((f'#include "{secret}"', '#include "../secret.h"', "#include <../secret.h>",
                                       "#define F <../secret.h>\n#include F", "%:include <../secret.h>")):
            launch = cells()
            launch.files["kernel.cl"] = line + "\n" + SOURCE
            with self.subTest(line=line):
                folder = launch.write(self.folder / f"include{number}")
                if number in (0, 3):
                    told = self.unusable(["capture.cl"], folder)
                else:
                    told = self.refused(["capture.cl"], "trace", self.converted(folder)[0]).stderr
                self.assertNotIn("secret_value", told)
                self.assertEqual(list((self.folder / "made").rglob("*secret*")), [])

    def test_none_left(self):
        ends().without("kernel.cl").write(self.folder / "many" / "Enqueue_1_ends")
        self.unusable(["left out", "Enqueue_1_ends", "no kernel.cl"], self.folder / "many")
        (self.folder / "none").mkdir()
        self.unusable(["none: has no folder with a file enqueueNumber.txt"], self.folder / "none")
        self.unusable(["missing: is no folder"], self.folder / "missing")


if __name__ == "__main__":
    unittest.main()
