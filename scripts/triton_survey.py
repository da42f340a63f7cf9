#!/usr/bin/env python3
"""Draws public Triton kernels by a rule, compiles them for sm_80 and sm_90, and counts which ones perfmodel predicts.

    triton_survey.py FOLDER [--more N]             all repositories; prints a row for each kernel and the counts
    triton_survey.py FOLDER --one REPOSITORY FILE one kernel, in this process

FOLDER has a checkout of each repository of REPOSITORIES. The rule of the draw: of the files below the folders of a
repository that contain "@triton.jit", in the order of the SHA-256 of their paths, the first function of each file
that calls tl.program_id and stores to memory is a kernel, and the first files that have one count. All tutorials
that are no gluon count. Modules that are not installed, such as torch, are replaced by empty ones. Arguments are made
by a rule, too (class Arguments), so the predicted times mean nothing.
SPDX-License-Identifier: GPL-3.0-or-later
"""
import argparse
import ast
import collections
import copy
import csv
import hashlib
import importlib.abc
import importlib.machinery
import importlib.util
import inspect
import pathlib
import re
import subprocess
import sys
import types

# repository: folders of its kernels, number of kernels to draw, folder of its packages
REPOSITORIES = {
    "lightseekorg+triton": (["python/tutorials"], 99, "python/tutorials"),
    "linkedin+Liger-Kernel": (["src/liger_kernel/ops"], 8, "src"),
    "unslothai+unsloth": (["unsloth/kernels"], 6, "."),
    "fla-org+flash-linear-attention": (["fla/ops", "fla/modules"], 8, "."),
    "FlagOpen+FlagGems": (["src/flag_gems/ops"], 8, "src"),
}
LEFT_OUT = re.compile(r"/(backends|experimental|gluon|tileir)/")
TARGETS = ("a100", "h100")
MOST_SECONDS = 300


# ---- modules that are not installed ----------------------------------------------------------------------


class Kind(type):
    """The type of empty classes, which have every attribute."""

    def __getattr__(cls, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return empty(name)

    def __call__(cls, *args, **named):
        if len(args) == 1 and not named and (inspect.isfunction(args[0]) or hasattr(args[0], "fn")):
            return args[0]      # a decorator
        return empty("value")

    def __bool__(cls):
        return False

    def __iter__(cls):
        return iter(())

    def __or__(cls, other):
        return cls

    __ror__ = __or__
    __lt__ = __le__ = __gt__ = __ge__ = lambda cls, other: False
    __getitem__ = __add__ = __sub__ = __mul__ = __truediv__ = __floordiv__ = __or__
    __radd__ = __rsub__ = __rmul__ = __enter__ = __or__

    def __exit__(cls, *_):
        return None

    def __int__(cls):
        return 8


def empty(name):
    """Returns an empty class."""
    return Kind(name, (), {})


class Empty(types.ModuleType):
    """A module that has every attribute."""

    __path__: list = []
    __version__ = "2.9.0"

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return empty(name)


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds the modules of a repository, and an empty module for each module that is not installed. Of the
    repository's modules, statements that fail without the empty modules are left out, and of a function's decorators
    all but @triton.jit if one fails. The code of packages (__init__.py) is not run."""

    def __init__(self, root):
        self.root = root

    def find_spec(self, fullname, path=None, target=None):
        place = self.root / fullname.replace(".", "/")
        if place.is_dir():
            return importlib.machinery.ModuleSpec(fullname, self, origin=str(place), is_package=True)
        if place.with_suffix(".py").exists():
            return importlib.machinery.ModuleSpec(fullname, self, origin=f"{place}.py")
        top = fullname.split(".")[0]
        if top in sys.stdlib_module_names or top in ("triton", "perfmodel", "cffi", "packaging", "numpy"):
            return None
        return importlib.machinery.ModuleSpec(fullname, self, is_package=True)

    def create_module(self, spec):
        return types.ModuleType(spec.name) if spec.origin else Empty(spec.name)

    def exec_module(self, module):
        path = pathlib.Path(module.__spec__.origin or "")
        if path.is_file():
            module.__file__ = str(path)
            run_statements(path, vars(module))
        elif module.__spec__.origin:
            def member(name):
                if (path / f"{name}.py").exists() or (path / name).is_dir():
                    return importlib.import_module(f"{module.__name__}.{name}")
                return empty(name)
            module.__getattr__ = member


def run_statements(path, names):
    """Runs the statements of a file one after another, as far as they do not fail."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        tries = [node]
        if isinstance(node, ast.FunctionDef):
            bare = copy.copy(node)
            bare.decorator_list = [each for each in node.decorator_list if "triton.jit" in ast.unparse(each)]
            tries.append(bare)
        for each in tries:
            try:
                exec(compile(ast.Module([each], []), str(path), "exec"), names)
                break
            except Exception as error:
                print(f"{path}:{node.lineno}: {type(error).__name__}: {error}", file=sys.stderr)


# ---- the draw --------------------------------------------------------------------------------------------


def is_kernel(function):
    """Returns whether the syntax tree of a function is that of a kernel of Triton."""
    if not any("jit" in ast.unparse(decorator) and "triton" in ast.unparse(decorator)
               for decorator in function.decorator_list):
        return False
    body = ast.unparse(function)
    return "program_id(" in body and re.search(r"\btl\.(store|atomic_\w+)\(|\.store\(", body) is not None


def kernel_of(path):
    """Returns the name of the first kernel of a file; None: it has none."""
    try:
        tree = ast.parse(path.read_text(encoding="utf-8"))
    except SyntaxError:
        return None
    return next((node.name for node in tree.body if isinstance(node, ast.FunctionDef) and is_kernel(node)), None)


def draw(folder, repository, more):
    """Returns the paths of the files of a repository whose kernels count, `more` times as many."""
    places, most, _ = REPOSITORIES[repository]
    root = folder / repository
    files = [path for place in places for path in (root / place).rglob("*.py")
             if not LEFT_OUT.search(f"/{path.relative_to(root)}") and "@triton.jit" in path.read_text(encoding="utf-8")]
    files.sort(key=lambda path: hashlib.sha256(str(path.relative_to(root)).encode()).hexdigest())
    return [str(path.relative_to(root)) for path in files if kernel_of(path)][:most * more]


def load(root, file, name):
    """Imports a file of a repository, and returns its function of @triton.jit with this name, the parameters of the
    first configuration of its autotuner, and the functions of its heuristics."""
    import triton
    packages = root / REPOSITORIES[root.name][2]
    configs, heuristics, made = {}, {}, {}

    def autotune(configs_, *args, **named):
        return lambda function: configs.setdefault(function.__name__, configs_) and function

    def heuristic(values):
        return lambda function: heuristics.setdefault(function.__name__, {}).update(values) or function

    def jit(function=None, **named):
        if function is None:
            return lambda function: jit(function, **named)
        made[function.__globals__["__name__"], function.__name__] = real_jit(function, **named)
        return made[function.__globals__["__name__"], function.__name__]

    real_jit, triton.jit, triton.heuristics = triton.jit, jit, heuristic
    triton.autotune = lambda *args, configs=None, **named: autotune(configs if configs is not None else args[0])
    sys.meta_path.insert(0, Finder(packages))
    module = str((root / file).relative_to(packages))[:-3].replace("/", ".")
    importlib.import_module(module)
    first = next(iter(configs.get(name, ())), None)
    return made[module, name], first.all_kwargs() if first else {}, heuristics.get(name, {})


# ---- arguments -------------------------------------------------------------------------------------------

INDICES = re.compile(r"ind(ex|ices)|idx|ids?\b|_id|cu_|offsets|seqlens|label|target|mask|table|slot|loc\b|topk", re.I)


class Arguments:
    """Makes arguments of a kernel from its syntax tree: pointers are parameters from which addresses start; their
    elements are half, or int32 if their names are those of indices, with contents 0."""

    def __init__(self, kernel, config, floats):
        import triton.language as tl
        self.kernel, self.config, self.floats, self.tl = kernel, config, floats, tl
        self.tree = kernel.parse().body[0]
        self.names = kernel.arg_names
        self.starts = {name: name for name in self.names}
        self.pointers = set()
        for _ in range(3):
            for node in ast.walk(self.tree):
                self.visit(node)

    def start(self, node):
        """Returns the parameter from which an address starts, such as p of p + 4 * i."""
        while True:
            if isinstance(node, ast.BinOp):
                node = node.left
            elif isinstance(node, ast.Subscript):
                node = node.value
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in (
                    "to", "make_block_ptr", "advance", "cast", "multiple_of", "max_contiguous"):
                node = node.args[0] if node.args and ast.unparse(node.func.value) in ("tl", "triton.language") \
                    else node.func.value
            else:
                return self.starts.get(node.id) if isinstance(node, ast.Name) else None

    def visit(self, node):
        """Learns from a node of the tree."""
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            start = self.start(node.value)
            if start and node.targets[0].id not in self.names:
                self.starts[node.targets[0].id] = start
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and (
                node.func.attr in ("load", "store", "make_block_ptr", "make_tensor_descriptor")
                or node.func.attr.startswith("atomic")):
            base = node.func.value if ast.unparse(node.func.value) not in ("tl", "triton.language") else (
                node.args[0] if node.args else None)
            if base is None:
                base = next((word.value for word in node.keywords if word.arg in ("base", "pointer")), None)
            start = self.start(base) if base is not None else None
            if start:
                self.pointers.add(start)

    def pointer(self, name):
        """Returns a tensor."""
        from perfmodel.triton import tensor
        if INDICES.search(name):
            return tensor(1 << 20, "i32", "zeros")
        return tensor(1 << 24, self.floats)

    def constant(self, name, default):
        """Returns the value of a parameter that is a constant of the kernel."""
        if name in self.config:
            return self.config[name]
        if default is not inspect.Parameter.empty:
            return default
        if re.search(r"dtype|type$", name, re.I):
            return self.tl.float32
        if re.match(r"(is|has|use|store|no|do|output|return|with|save|even|need|enable|causal|varlen|allow|reverse)_?", name, re.I):
            return False
        if name in ("H", "HQ", "HV", "G", "NT", "GROUP_SIZE_M", "NUM_STAGES", "num_stages", "num_warps"):
            return 4
        return 64 if re.match(r"B|K$|V$|D|HEAD", name) else 16 if re.search("GROUP", name) else 128

    def make(self, heuristics):
        """Returns positional arguments by name, and keywords: constants by name and options."""
        args, constants = {}, {}
        for parameter in self.kernel.params:
            name = parameter.name
            if parameter.is_constexpr:
                constants[name] = self.constant(name, parameter.default)
            elif name in self.pointers or re.search(r"ptr$|^desc_|_desc$", name, re.I) or parameter.annotation.startswith("*"):
                args[name] = self.pointer(name)
            elif re.search(r"eps|scale|alpha|beta|prob|^p$|momentum|cap$|inv|norm|clip|ratio|slope|float|soft", name, re.I):
                args[name] = 0.5
            else:
                args[name] = 128
        for name, function in heuristics.items():
            try:
                constants[name] = function({**args, **constants})
            except Exception:
                constants[name] = False
        return args, {**constants, **self.config}


def reason_of(error):
    """Returns the first line of an error's text."""
    return str(error).splitlines()[0][:300] if str(error) else type(error).__name__


def try_one(folder, repository, file):
    """Compiles and predicts the kernel of a file, and prints a row for each target."""
    import perfmodel
    import perfmodel.triton as of_triton
    from perfmodel._triton_compiler import compile_kernel, named_arguments
    root = folder / repository
    name = kernel_of(root / file)
    write = csv.writer(sys.stdout)
    try:
        kernel, config, heuristics = load(root, file, name)
    except Exception as error:
        write.writerow([repository, file, name, "", "not loaded", reason_of(error)])
        return
    for target, capability in zip(TARGETS, (80, 90)):
        stage, reason = "not compiled", ""
        for floats in ("bf16", "fp16", "fp32", "i32"):
            args, constants = Arguments(kernel, config, floats).make(heuristics)
            try:
                compile_kernel(kernel, [], (4, 4, 2), named_arguments(kernel, args, constants), constants, capability)
            except Exception as error:
                reason = reason or reason_of(error)
                continue
            stage, reason = "predicted", ""
            try:
                of_triton.predict(kernel, (4, 4, 2), args, target, **constants)
            except perfmodel.Error as error:
                stage, reason = "compiled", reason_of(error)
            break
        write.writerow([repository, file, name, target, stage, reason])


def main():
    """Runs the survey."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--one", nargs=2, metavar=("REPOSITORY", "FILE"))
    parser.add_argument("--more", type=int, default=1, help="draw this many times as many kernels")
    options = parser.parse_args()
    if options.one:
        try_one(options.folder, *options.one)
        return
    counts = collections.Counter()
    for repository in REPOSITORIES:
        for file in draw(options.folder, repository, options.more):
            command = [sys.executable, __file__, options.folder, "--one", repository, file]
            try:
                done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=MOST_SECONDS)
                text, reason = done.stdout, (done.stderr.strip().splitlines() or [""])[-1]
            except subprocess.TimeoutExpired as error:
                text, reason = (error.stdout or b"").decode(), f"longer than {MOST_SECONDS} s"
            rows = [row for row in csv.reader(text.splitlines()) if len(row) == 6 and row[0] == repository]
            for row in rows or [[repository, file, "", "", "not finished", reason]]:
                csv.writer(sys.stdout).writerow(row)
                sys.stdout.flush()
                counts[repository, row[3], row[4]] += 1
    for key, count in sorted(counts.items()):
        print(*key, count)


if __name__ == "__main__":
    main()
