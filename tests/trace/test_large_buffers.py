#!/usr/bin/env python3
"""Buffers of gigabytes: a trace needs time and memory for what the sampled work-groups access, and computed contents
have their values. PERFMODEL is the program; ctest sets it. SPDX-License-Identifier: GPL-3.0-or-later
"""
import json
import pathlib
import resource
import sys
import tempfile
import unittest

sys.path.insert(1, sys.path[0] + "/..")
from program import run

SOURCE = """__kernel void add(__global const float *a, __global const float *b, __global float *c)
{
    size_t i = get_global_id(0);
    c[i] = a[i] + b[i];
}
__kernel void gather(__global const uint *index, __global const float *a, __global float *c)
{
    size_t i = get_global_id(0);
    c[i] = a[index[i]];
}
__kernel void chase(__global const uint *index, __global uint *c)
{
    uint i = get_global_id(0);
    for (int k = 0; k < 8; k++)
        i = index[i];
    c[get_global_id(0)] = i;
}
"""
HEAD = "[workload]\nname = large\nsource = large.cl\n[size s]\nn = {n}\n"
BUFFER = "[buffer {name}]\ntype = {type}\ncount = n\ncontents = {contents}\n"
LAUNCH = "[launch go]\nkernel = {kernel}\nglobal = {items}\nlocal = 256\narguments = {arguments}\n"


class Large(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name) / "large.workload"
        (self.path.parent / "large.cl").write_text(SOURCE, encoding="utf-8")

    def trace(self, n, buffers, **launch):
        """Returns the process of a trace of a workload with buffers {name: (type, contents)}."""
        text = HEAD.format(n=n) + "".join(BUFFER.format(name=name, type=kind, contents=contents)
                                          for name, (kind, contents) in buffers.items())
        self.path.write_text(text + LAUNCH.format(**launch), encoding="utf-8")
        done = run("trace", "--target", "h100", "--json", self.path)
        if "userfaultfd" in done.stderr:
            self.skipTest("the system forbids userfaultfd")
        return done

    def counters(self, *arguments, **launch):
        done = self.trace(*arguments, **launch)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def value(self, document, name):
        self.assertEqual(len(document["kernels"]), 1)
        return document["kernels"][0]["counters"][name]["value"]

    def test_vectors_of_16_gigabytes(self):
        vector = ("float", "random")
        document = self.counters(4 << 30, {"a": vector, "b": vector, "c": ("float", "unset")}, kernel="add",
                                 items=1 << 32, arguments="a, b, c")
        # A warp's load of 128 adjacent bytes is one request for four sectors.
        self.assertEqual(self.value(document, "gld_request"), 2 * (1 << 32) / 32)
        self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, 2 << 20)  # KiB

    def sectors(self, contents):
        """Returns sectors of a request of gather, whose indices have the contents."""
        document = self.counters(200 << 20, {"index": ("uint", contents), "a": ("float", "random"),
                                             "c": ("float", "unset")}, kernel="gather", items=200 << 20,
                                 arguments="index, a, c")
        return self.value(document, "gld_sector") / self.value(document, "gld_request")

    def test_computed_indices(self):
        self.assertEqual(self.sectors("range 0, 1"), 4)
        self.assertEqual(self.sectors("each i / 32 * 32"), 2.5)  # 4 for the indices, 1 for one element
        self.assertEqual(self.sectors("each i * 8 % n"), 18)  # 4, and 32

    def test_value_that_does_not_exist(self):
        done = self.trace(200 << 20, {"index": ("uint", "each 1000 / (i % 1000000 - 77) * 0 + i"),
                                      "c": ("uint", "unset")}, kernel="chase", items=1 << 20, arguments="index, c")
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, r"large\.workload:6: buffer index, element \d+: .*division by zero")

    def test_no_gpu_is_so_large(self):
        done = self.trace(1 << 40, {"a": ("float", "random")}, kernel="add", items=256, arguments="a, a, a")
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, "more than any GPU has")

    def test_contents_in_memory(self):
        done = self.trace(2 << 30, {"a": ("float", "random within 0, 64, n")}, kernel="add", items=256,
                          arguments="a, a, a")
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, "are kept in memory")


if __name__ == "__main__":
    unittest.main()
