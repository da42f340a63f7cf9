"""Makes ``perfmodel/_interface.py``: the declarations of perfmodel's C interface, parsed for cffi.

The declarations come from include/perfmodel/*.h, so that no second copy exists. To import the resulting
Python file, neither a compiler nor cffi's parser is needed.

CMake runs ``python _build.py INCLUDE OUTPUT`` (python/CMakeLists.txt).

SPDX-License-Identifier: GPL-3.0-or-later
"""
import pathlib
import re
import sys

import cffi

# Each header uses only types of the headers before it (perfmodel.h).
HEADERS = ("core", "session", "dataset", "device", "trace", "collect", "predict", "transform", "roofline", "advise",
           "tune", "cost", "check", "capture", "report", "document", "launch")
INTEGER = re.compile(r"^#define (PM_\w+) (\d+|0x[0-9a-fA-F]+)\s*(?:/\*.*)?$", re.M)


def declarations(include):
    """Returns the declarations of the headers, without preprocessor directives and C++ code."""
    texts = []
    known = {path.stem for path in (include / "perfmodel").glob("*.h")}
    if known != set(HEADERS):
        raise SystemExit(f"_build.py: headers that it does not know or that are gone: {known ^ set(HEADERS)}")
    for name in HEADERS:
        text = (include / "perfmodel" / f"{name}.h").read_text()
        integers = [f"#define {found} {value}" for found, value in INTEGER.findall(text)]
        text = re.sub(r"#ifdef __cplusplus\n.*?#endif\n", "", text, flags=re.S)
        texts += integers + [re.sub(r"^#.*\n", "", text, flags=re.M)]
    return "\n".join(texts)


def build(include, output):
    """Writes the Python file with the declarations for cffi."""
    ffi = cffi.FFI()
    ffi.cdef(declarations(include) + "\nvoid free(void *);\n")
    ffi.set_source("perfmodel._interface", None)
    ffi.emit_python_code(str(output))


if __name__ == "__main__":
    build(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
