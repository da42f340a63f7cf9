#!/usr/bin/env python3
"""A capture names nothing but what is in its folder: whatever leads out of it is refused by one line that says where,
and is not read. Workload files by hand may name what they like.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import os
import pathlib
import sys
import unittest

sys.path.insert(1, sys.path[0] + "/..")
from program import Base

SOURCE = """#include "scale.h"
__kernel void scale(__global const float *in, __global float *out)
{
    out[get_global_id(0)] = SCALE * in[get_global_id(0)];
}
"""
WORKLOAD = """[workload]
name = captured
source = sources/scale.cl
options = -Iheaders -DN=1
[size captured]
n = 256
[buffer in]
type = float
count = n
contents = file contents/in.bin
[buffer out]
type = float
count = n
expected = file contents/out.bin
[launch scale]
global = n
local = 64
arguments = in, out
"""
SECRET = "#define SCALE 4711 /* do not tell */\n"


class Confined(Base):
    """A capture in a folder next to files of another user."""

    def setUp(self):
        super().setUp()
        self.fill("app.perfmodel")
        self.write("secret.h", SECRET)
        self.write("secret.bin", bytes(4096))

    def fill(self, name):
        """Makes a capture with this name and returns its folder."""
        folder = self.folder / name
        for below in ("sources", "headers/deep", "contents"):
            (folder / below).mkdir(parents=True)
        for path, content in (("capture.workload", WORKLOAD), ("sources/scale.cl", SOURCE),
                              ("headers/scale.h", '#include "deep/two.h"\n#define SCALE TWO\n'),
                              ("headers/deep/two.h", "#define TWO 2\n"),
                              ("contents/in.bin", bytes(1024)), ("contents/out.bin", bytes(1024))):
            self.write(f"{name}/{path}", content)
        return folder

    def told(self, path, line, *words):
        """Checks that trace refuses the capture with file and line, and shows no content of files
        that it must not read."""
        done = self.refused([f"capture.workload:{line}:" if line else "capture.workload", *words], "trace", path)
        self.assertNotIn("4711", done.stderr)

    def change(self, file, old, new, line, *words):
        """Makes a capture with a changed text and checks that trace refuses it."""
        path = self.folder / "app.perfmodel" / file
        before = path.read_text(encoding="utf-8")
        self.assertIn(old, before)
        path.write_text(before.replace(old, new), encoding="utf-8")
        self.told(self.folder / "app.perfmodel", line, *words)
        path.write_text(before, encoding="utf-8")

    def link(self, file, to, line, *words):
        """Makes a capture with a link in place of a file or folder and checks that trace refuses
        it."""
        path = self.folder / "app.perfmodel" / file
        aside = path.with_name("aside")
        path.rename(aside)
        path.symlink_to(to)
        self.told(self.folder / "app.perfmodel", line, *words)
        path.unlink()
        aside.rename(path)

    def test_paths(self):
        """Absolute paths and paths with .. are refused, whether the target exists or not."""
        out = "leads out of the capture"
        for path in ("../secret.h", str(self.folder / "secret.h"), "sources/../../secret.h", "../missing", "/dev/zero",
                     "../app.perfmodel/../secret.h", "/etc/passwd"):
            self.change("capture.workload", "sources/scale.cl", path, 3, out, path)
            self.change("capture.workload", "file contents/in.bin", f"file {path}", 10, out, path)
            self.change("capture.workload", "file contents/out.bin", f"file {path}, 4", 14, out, path)
        for folder in ("..", "/usr/include", str(self.folder), "headers/../.."):
            self.change("capture.workload", "-Iheaders", f"-I{folder}", 4, out, folder)
            self.change("capture.workload", "-Iheaders", f"-I '{folder}' -Iheaders", 4, out, folder)
        self.change("capture.workload", "in.bin", "in.bin\n[variant x]\nsource = ../secret.h", 12, out)
        self.change("capture.workload", "in.bin", "in.bin\n[reference]\nsource = ../secret.h", 12, out)

    def test_options(self):
        """Options that name files, or that a driver could take for such options, are refused."""
        for option in ("-include ../secret.h", "-imacros /etc/passwd", "-o made", "-Xclang", "@made", "-isystem.."):
            self.change("capture.workload", "-DN=1", option, 4, "OpenCL has no such option")

    def test_links(self):
        """Links to targets outside of the folder are refused. Links to targets inside are
        accepted."""
        out = "leads out of the capture"
        self.link("sources/scale.cl", "../../secret.h", 3, out)
        self.link("sources/scale.cl", self.folder / "secret.h", 3, out)
        self.link("contents/in.bin", "../../secret.bin", 10, out)
        self.link("contents", "/dev", 10, out)
        self.link("headers", self.folder, 4, out)
        self.link("headers/scale.h", "../../secret.h", 3, "includes", "not in the capture")
        self.link("headers/deep/two.h", "/dev/zero", 3, "includes", "not in the capture")
        self.link("headers/scale.h", "scale.h", None, "scale")
        self.link("capture.workload", self.write("other.workload", WORKLOAD), None, out)
        for file, to in (("sources/scale.cl", "aside"), ("contents/in.bin", "out.bin"), ("headers", "aside")):
            path = self.folder / "app.perfmodel" / file
            path.rename(path.with_name("aside"))
            path.symlink_to(to)
        self.good("trace", self.folder / "app.perfmodel")

    def test_includes(self):
        """Each form of #include that a compiler accepts is refused if its file is not in the
        capture."""
        secret = self.folder / "secret.h"
        for line in (f'#include "{secret}"', f"#include <{secret}>", '#include "../../secret.h"',
                     "#include <../../secret.h>", f'  #  include  "{secret}"', f'/*\n*/ # /* \n */ include "{secret}"',
                     f'#inc\\\nlude "{secret}"', f'#in\\ \t\r\nclude "{secret}"', f'%:include "{secret}"',
                     f'// a comment\r#include "{secret}"', f'#import "{secret}"', f'#include_next <{secret}>',
                     f'\N{BOM}#include "{secret}"', f'\N{NO-BREAK SPACE}#include "{secret}"',
                     f'#if 0\n#include "{secret}"\n#endif', f'#if __has_include("{secret}")\n#include "{secret}"\n#endif',
                     f'char *s = "/*";\n#include "{secret}"', f'#include /*/ */ "{secret}"'):
            self.change("sources/scale.cl", '#include "scale.h"', '#include "scale.h"\n' + line, 3, "includes", str(secret.name),
                        "not in the capture")
            self.change("headers/deep/two.h", "#define", line + "\n#define", 3, "includes", str(secret.name))
        for line, why in (("#define NAME </etc/passwd>\n#include NAME", "macro"), ("#define A(x) #x\n#include A(/etc/passwd)", "macro"),
                          ('# /* */ include NAME', "macro"), ('?''?=include "x.h"', "trigraphs"), ("// ?""?/\n", "trigraphs"),
                          ('#include "x\\"/../../secret.h"', "no \\")):
            self.change("sources/scale.cl", '#include "scale.h"', '#include "scale.h"\n' + line, 3, why)
        self.change("capture.workload", "scale.cl", "scale.cu", 3, "scale.cu")

    def test_includes_left(self):
        """Text that only looks like an #include, and includes of missing files, are accepted."""
        path = self.folder / "app.perfmodel/sources/scale.cl"
        path.write_text('// we cannot #include headers, nor "include" them\n/* include all: no # include <missing.h> */\n'
                        '#if 0\n#include "../nowhere.h"\n#include </nowhere.h>\n#endif\n'
                        '__constant char embedded[] = "#embed", include_me[] = "# include";\n' + SOURCE, encoding="utf-8")
        self.good("trace", self.folder / "app.perfmodel")

    def test_which(self):
        """A folder is a capture by its name or by a capture.workload in it. This also holds for the
        folders directly below it."""
        bad = WORKLOAD.replace("sources/scale.cl", f"{self.folder}/secret.h")
        deep = self.folder / "app.perfmodel/a/b"
        deep.mkdir(parents=True)
        named = self.folder / "app.perfmodel"
        for name in ("x.workload", "a/x.workload", "a/b/x.workload"):
            self.write(f"app.perfmodel/{name}", bad)
            self.refused([f"{name}:3", "leads out"], "trace", named / name)
            self.refused(["x.workload:3", "leads out"], "trace", pathlib.Path(name).name, cwd=(named / name).parent)
            self.refused(["x.workload:3", "leads out"], "trace", os.path.join(".", name), cwd=named)
            (named / name).unlink()
        plain = self.fill("plain")
        (plain / "a").mkdir()
        for name in ("x.workload", "a/x.workload"):
            self.write(f"plain/{name}", bad)
            self.refused([f"{name}:3", "leads out"], "trace", plain / name)
        (self.folder / "by").symlink_to("plain")
        self.refused(["by/x.workload:3", "leads out"], "trace", self.folder / "by/x.workload")

    def test_folder_of_links(self):
        """A capture that links to a folder elsewhere is refused, although the same folder would be
        accepted on its own."""
        elsewhere = self.folder / "elsewhere"
        elsewhere.mkdir()
        self.write("elsewhere/x.workload", SECRET)
        (self.folder / "app.perfmodel/sub").symlink_to(elsewhere)
        (self.folder / "app.perfmodel/capture.workload").unlink()
        for arguments, cwd in (([self.folder / "app.perfmodel"], None), (["sub/x.workload"], self.folder / "app.perfmodel"),
                               (["./sub/x.workload"], self.folder / "app.perfmodel"), (["."], self.folder / "app.perfmodel")):
            done = self.refused(["leads out of the capture"], "trace", *arguments, cwd=cwd)
            self.assertNotIn("4711", done.stderr)

    def test_by_hand(self):
        """A workload file outside of captures may use all of these paths."""
        for name in ("sources", "headers", "contents"):
            (self.folder / "app.perfmodel" / name).rename(self.folder / name)
        (self.folder / "mine").mkdir()
        text = WORKLOAD.replace("sources/", "../sources/").replace("-Iheaders", f"-I{self.folder}/headers").replace(
            "file contents/in", f"file {self.folder}/contents/in").replace("file contents/out", "file ../contents/out")
        self.good("trace", self.write("mine/mine.workload", text))


if __name__ == "__main__":
    unittest.main()
