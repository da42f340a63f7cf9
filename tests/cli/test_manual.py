#!/usr/bin/env python3
"""The manual, the completions and the lists of options in docs/ are as scripts/make_manual.py writes them from the
tables in cli/. Bash completes by them, groff takes the manual, and the table of environment variables is complete.
PERFMODEL is the program; ctest sets it. SPDX-License-Identifier: GPL-3.0-or-later
"""
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

sys.path.insert(1, sys.path[0] + "/..")
from program import PERFMODEL, ROOT, Base

ELSEWHERE = {"tests", "scripts", "build", "python", "include"}  # folders without code that reads the environment
HANDED_ON = {"PERFMODEL_CAPTURE", "PERFMODEL_CAPTURE_CHOICE"}  # capture sets them for the program that it runs


class Manual(Base):
    def made(self, *words):
        return subprocess.run([sys.executable, ROOT / "scripts" / "make_manual.py", *words], check=False,
                              capture_output=True, text=True)

    def test_files_are_as_the_script_writes_them(self):
        done = self.made("--check", PERFMODEL)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))

    def test_new_option_and_variable(self):
        """If the program has one more option and one more variable, the script names each file that
        must change."""
        about = self.json_of("help")
        trace = next(command for command in about["commands"] if command["name"] == "trace")
        trace["options"].append({**trace["options"][0], "name": "new-option"})
        about["environment"].append({"name": "PERFMODEL_NEW", "help": "new"})
        program = self.write("program", f"#!{sys.executable}\nimport json\nprint(json.dumps({about!r}))\n")
        program.chmod(0o755)
        done = self.made("--check", program)
        self.assertEqual((done.returncode, done.stderr), (1, ""))
        self.assertEqual({line.split(":")[0] for line in done.stdout.splitlines()},
                         {"docs/man/perfmodel.1", "docs/options.md", "packaging/completions/perfmodel.bash",
                          "packaging/completions/_perfmodel"})

    def test_groff_takes_the_manual(self):
        if not shutil.which("groff"):
            self.skipTest("no groff")
        done = subprocess.run(["groff", "-man", "-ww", "-z", ROOT / "docs/man/perfmodel.1"], check=False,
                              capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_environment(self):
        names = {name for variable in self.json_of("help")["environment"]
                 for name in variable["name"].split(", ") if name.startswith("PERFMODEL_")}
        read = {name for path in ROOT.glob("*/**/*.[ch]")
                if path.relative_to(ROOT).parts[0].split("-")[0] not in ELSEWHERE and path.name != "environment.c"
                for name in re.findall(r'"(PERFMODEL_[A-Z_]+)"', path.read_text(encoding="utf-8"))}
        self.assertEqual(names, read - HANDED_ON)

    def completed(self, *words):
        """Returns bash's completions for the last word."""
        script = ('source "$1" || exit; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _perfmodel; '
                  'printf "%s\\n" "${COMPREPLY[@]}"')
        words = [ROOT / "packaging" / "completions" / "perfmodel.bash", pathlib.Path(PERFMODEL).resolve(), *words]
        done = subprocess.run(["bash", "-c", script, "bash", *words],
                              check=False, capture_output=True, text=True, cwd=self.folder)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return set(done.stdout.split())

    def test_bash(self):
        for name in ("a.cl", "b.workload", "c.json", "d.txt"):
            self.write(name, "")
        (self.folder / "folder").mkdir()
        for words, expected in (
                (["pre"], {"predict"}), (["predict", "--basis", ""], {"dataset", "profile"}),
                (["report", "--format", ""], {"html", "md", "json"}), (["trace", "--format", "c"], {"csv"}),
                (["trace", "--json", ""], {"a.cl", "b.workload", "folder/"}), (["trace", "--st"], {"--step-limit"}),
                (["check", "--against", ""], {"c.json", "folder/"}), (["check", "--fail-on", "sp"], {"spills"}),
                (["capture", "-o", ""], {"folder"}), (["predict", "--arg", ""], set()),
                (["trace", "--target", "h200"], {"h200"}), (["validate", "--leave-out", "s"], {"sample"}),
                (["trace", "--program", "nb"], {"nbody"}), (["transform", "--layout", "soa"], {"soa"})):
            with self.subTest(words=words):
                self.assertEqual(self.completed(*words), expected)


if __name__ == "__main__":
    sys.exit(unittest.main())
