#!/usr/bin/env python3
"""docs/counters.md has every counter as scripts/make_counters.py writes it from the tables.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import configparser
import re
import subprocess
import sys
import unittest

sys.path.insert(1, sys.path[0] + "/..")
from program import ROOT

PAGE = (ROOT / "docs" / "counters.md").read_text(encoding="utf-8")


class CountersPage(unittest.TestCase):
    def test_up_to_date(self):
        done = subprocess.run([sys.executable, ROOT / "scripts" / "make_counters.py", "--check"], check=False,
                              capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout), (0, ""))

    def test_every_counter(self):
        counters = configparser.ConfigParser(interpolation=None, empty_lines_in_values=False)
        counters.read(ROOT / "machine" / "counters" / "counters.ini", encoding="utf-8")
        for name in counters.sections():
            if name != "families":
                what = " ".join(counters[name]["what"].split())
                self.assertIn(f"### {name}\n\n{what} Unit: ", PAGE)

    def test_profilers_names(self):
        """A counter's names in the profilers are in its section."""
        section = re.search(r"### gld_sector\n(.*?)\n### ", PAGE, re.DOTALL)[1]
        for name in ("`gld_transactions` / 4", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"):
            self.assertIn(name, section)
        section = re.search(r"### dram_read_bytes\n(.*?)\n### ", PAGE, re.DOTALL)[1]
        for name in ("`dram__bytes_read.sum`", "blackwell_rtx: `dram__bytes_op_read.sum`", "`FETCH_SIZE` × 1024"):
            self.assertIn(name, section)


if __name__ == "__main__":
    unittest.main()
