#!/usr/bin/env python3
"""The workflow of docs/examples/kernels.yml: its scripts exist, and its steps that run perfmodel pass a pull request
that leaves kernels as they were and fail one that makes a kernel slower.
PERFMODEL is the program; ctest sets it. SPDX-License-Identifier: GPL-3.0-or-later
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(1, sys.path[0] + "/..")
from program import PERFMODEL, ROOT

try:
    import yaml
except ImportError:
    print("skipped: no PyYAML")
    sys.exit(77)

SOURCE = """__global__ void scale(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i * STRIDE % n] *= 2;
}

int main(void)
{
    float *x;
    cudaMalloc(&x, (1 << 20) * sizeof(float));
    scale<<<4096, 256>>>(x, 1 << 20);
}
"""


class Workflow(unittest.TestCase):
    def setUp(self):
        self.workflow = yaml.safe_load((ROOT / "docs/examples/kernels.yml").read_text(encoding="utf-8"))
        self.steps = self.workflow["jobs"]["check"]["steps"]

    def test_each_step_is_a_command_or_an_action(self):
        self.assertEqual(self.workflow[True], "pull_request")  # YAML reads the key `on` as true
        for step in self.steps:
            self.assertEqual(len({"run", "uses"} & set(step)), 1, step)
            self.assertIn("name", step)

    def test_its_scripts_exist(self):
        scripts = re.findall(r"perfmodel/(scripts/\S+) (\w+)", "\n".join(step.get("run", "") for step in self.steps))
        self.assertEqual(len(scripts), 2)
        for script, word in scripts:
            self.assertTrue(os.access(ROOT / script, os.X_OK), script)
            self.assertIn(word, (ROOT / script).read_text(encoding="utf-8"))

    def run_steps(self, folder):
        """Runs the steps that start perfmodel, as the CI runner does, until one fails. Returns the
        last exit code."""
        (folder / "bin").mkdir()
        (folder / "bin/perfmodel").symlink_to(pathlib.Path(PERFMODEL).resolve())
        environment = {**os.environ, **self.workflow["env"], "RUNNER_TEMP": str(folder),
                       "PATH": f"{folder}/bin:{os.environ['PATH']}"}
        code = None
        for step in self.steps:
            if code in (None, 0) and step.get("run", "").startswith("perfmodel "):
                code = subprocess.run(["bash", "-e", "-c", step["run"]], cwd=folder / step["working-directory"],
                                      env=environment, check=False, capture_output=True).returncode
        return code

    def test_it_fails_slower_kernels_only(self):
        for stride, expected in (1, 0), (33, 1):
            with self.subTest(stride=stride), tempfile.TemporaryDirectory() as name:
                folder = pathlib.Path(name)
                for state, step in ("old", 1), ("new", stride):
                    (folder / state / "kernels").mkdir(parents=True)
                    (folder / state / "kernels/scale.cu").write_text(SOURCE.replace("STRIDE", str(step)), encoding="utf-8")
                self.assertEqual(self.run_steps(folder), expected)
                found = json.loads((folder / "check.sarif").read_text(encoding="utf-8"))["runs"][0]["results"]
                self.assertEqual(bool(found), bool(expected), found)


if __name__ == "__main__":
    unittest.main()
