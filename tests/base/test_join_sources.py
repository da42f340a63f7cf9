#!/usr/bin/env python3
"""cmake/join_sources.py: the names that a C file declares, and which files are compiled together.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "cmake"))
sys.dont_write_bytecode = True
import join_sources  # noqa: E402  pylint: disable=wrong-import-position


class JoinSources(unittest.TestCase):
    """Names and groups of C files."""

    def test_names(self):
        """A declaration of each kind gives its names."""
        for text, names in (("int f(int a) __attribute__((format(printf, 1, 2)));", "f"),
                            ("static void g(void (*call)(int))\n{\n    int local; (void)local;\n}", "g"),
                            ("static const int a[2] = {1, 2}, b;", "a b"),
                            ("typedef struct {\n    int x;\n} visit;", "visit"),
                            ("typedef struct other other;", "other"),
                            ("enum { FIRST = 1, SECOND };", "FIRST SECOND"),
                            ("struct tag { struct { int y; } z; };", "tag"),
                            ("typedef bool (*test)(int value);", "test")):
            self.assertEqual(join_sources.names_declared(text), set(names.split()), text)

    def groups(self, texts):
        """Returns the numbers of the files that are joined, by joined file."""
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            (folder / "common.h").write_text("typedef struct { int x; } point;\nint sum(point p);\n")
            (folder / "other.h").write_text("int point(void);\n")
            for number, text in enumerate(texts):
                (folder / f"{number}.c").write_text(text)
            files = [str(folder / f"{number}.c") for number in range(len(texts))]
            words = [sys.executable, ROOT / "cmake/join_sources.py", folder / "out", "all", "100", *files]
            done = subprocess.run(words, check=True, capture_output=True, text=True)
            return [[int(pathlib.Path(line.split('"')[1]).stem) for line in pathlib.Path(path).read_text().splitlines()]
                    for path in done.stdout.split(";")]

    def test_groups(self):
        """Files are apart if both or their headers declare a name, or if one has a macro that the other uses."""
        both = '#include "common.h"\n'
        for texts, groups in ((("static int a;", "static int b;", "static int a;"), [[0, 1], [2]]),
                              ((both + "int sum(point p) { return p.x; }", both + "int c;"), [[0, 1]]),
                              ((both + "int d;", '#include "other.h"\nint e;'), [[0], [1]]),
                              (("#define NEXT 1", "int f(void) { int NEXT = 2; return NEXT; }"), [[0], [1]]),
                              (("/* int a; */ int g; // {", 'const char *text = "int g;}";', "int a;"), [[0, 1, 2]]),
                              (("typedef struct s s;\nint a;", "typedef struct s s;", "typedef struct {} s;"),
                               [[0, 1], [2]]),
                              (("\n" * 60, "\n" * 60, "\n"), [[0, 2], [1]])):
            self.assertEqual(self.groups(texts), groups, texts)


if __name__ == "__main__":
    unittest.main()
