#!/usr/bin/env python3
"""Makes workload files from launches that the OpenCL Intercept Layer recorded with its CaptureReplay controls.

Usage: perfmodel-intercept -o DIR [--tolerance N] FOLDER...

FOLDER is the folder of a launch, or a folder that contains folders of launches, such as dump/Replay or dump. For each
launch NAME the script makes DIR/NAME.perfmodel, a folder like those that `perfmodel capture` makes. Every command of
perfmodel accepts this folder, or DIR, as a workload.

The script checks a launch's files and writes them as the records of a captured program (capture/record.h). It then runs
`perfmodel capture`, which reads the types of the kernel's arguments from the source and writes the workload file. These
are the files of a launch:

    enqueueNumber.txt               marks the folder of a launch
    worksizes.txt                   three lines: global size, local size (0: the driver chooses), offset
    kernelName.txt, buildOptions.txt
    kernel.cl                       the source, with a NUL at its end; missing if the program was not made from source
    ArgumentN.bin                   what clSetKernelArg got: a value, or the handle of a buffer
    LocalN.txt                      bytes of local memory, or of a null pointer
    SVM_Arg_Offset_N.txt            of memory objects: distance of the argument from the start of its allocation
    Image_MetaData_N.txt, SamplerN.txt
    ArgumentDataTypes.txt           a line for each argument, if the driver knows the types
    Pre/..._Arg_N_Buffer_M.bin      contents of a buffer before the launch
    Post/..._Arg_N_Buffer_M.bin     and after it

The folders may come from another person, so the script does not follow links.
Exit code: 0 done; 1 perfmodel failed; 2 an input or the command line is wrong; 3 done, but some launches were left out.
SPDX-License-Identifier: GPL-3.0-or-later
"""
import argparse
import hashlib
import json
import os
import pathlib
import re
import shutil
import stat
import subprocess
import sys

MOST_ARGUMENTS = 128  # largest number of arguments of a kernel, as in captures
MOST_VALUE = 4096  # bytes of a value
MOST_BUFFER = 1 << 30  # bytes of a buffer
MOST_TEXT = 16 << 10
MOST_TYPES = 1 << 20
MOST_SOURCE = 64 << 20
CHUNK = 1 << 20
AGAIN = "record the launch again"


class Fault(Exception):
    """An error of a launch. The text says where, what, and how to mend it. code: exit code."""

    def __init__(self, text, code=2):
        super().__init__(text)
        self.code = code


# ---- files of a launch -----------------------------------------------------------------------------

def has(folder, name):
    """Returns whether the folder has an entry of any kind with this name."""
    return os.path.lexists(folder / name)


def opened(path, most, least=1):
    """Opens a regular file of `least` to `most` bytes for reading. Links and pipes are refused
    without waiting for them."""
    try:
        file = os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb")
    except OSError as error:
        if path.is_symlink() or path.is_dir():
            raise Fault(f"{path}: is no regular file; {AGAIN}") from error
        raise Fault(f"{path}: cannot be read: {error.strerror}; {AGAIN}") from error
    there = os.fstat(file.fileno())
    if stat.S_ISREG(there.st_mode) and least <= there.st_size <= most:
        return file
    file.close()
    if not stat.S_ISREG(there.st_mode):
        raise Fault(f"{path}: is no regular file; {AGAIN}")
    raise Fault(f"{path}: has {there.st_size} bytes, and {least} to {most} are possible; {AGAIN}")


def data_of(path, most, least=1):
    """Returns the bytes of a file."""
    with opened(path, most, least) as file:
        return file.read(most)


def text_of(path, most=MOST_TEXT, least=1):
    """Returns the text of a file."""
    return data_of(path, most, least).decode("utf-8", "surrogateescape")


def number_of(path):
    """Returns the number that is the whole content of a file."""
    text = text_of(path, 64).strip()
    if not re.fullmatch(r"[0-9]+", text) or int(text) >= 1 << 63:
        raise Fault(f"{path}: is no number; {AGAIN}")
    return int(text)


def sizes_of(path):
    """Returns global size, local size and offset of the launch."""
    text = text_of(path)
    good = re.fullmatch(r"([ \t]*[0-9]+([ \t]+[0-9]+){0,2}[ \t\r]*\n){3}\s*", text)
    sizes = [[int(number) for number in line.split()] for line in text.splitlines()[:3]] if good else [[1 << 63]]
    if any(len(size) != len(sizes[0]) or max(size) >= 1 << 63 for size in sizes):
        raise Fault(f"{path}: is not three lines of 1 to 3 numbers each: global size, local size, offset; {AGAIN}")
    return sizes


def kernel_of(path):
    """Returns the name of the kernel."""
    name = (text_of(path).splitlines() or [""])[0]
    if not re.fullmatch(r"[A-Za-z0-9_$]+", name):
        raise Fault(f"{path}: is not the name of a kernel; {AGAIN}")
    return name


def options_of(path):
    """Returns the build options. They must not contain {, # or ;, which have a meaning in workload files."""
    options = text_of(path, least=0).strip() if os.path.lexists(path) else ""
    if re.search(r"[\x00-\x08\x0a-\x1f\x7f{]|(^|[ \t])[#;]", options):
        raise Fault(f"{path}: a workload cannot have options with {{, # or ; in them; write them into kernel.cl")
    return options


def source_of(path):
    """Returns the source, without the NUL at its end."""
    source = data_of(path, MOST_SOURCE).removesuffix(b"\0")
    if b"\0" in source:
        raise Fault(f"{path}: has a NUL in it; {AGAIN}")
    return source


def headers_of(folder, source):
    """Returns {name: text} of the files beside the source that it includes directly or
    indirectly."""
    headers, texts = {}, [source]
    while texts:
        for name in re.findall(rb'^[ \t]*(?:#|%:)[ \t]*include[ \t]*["<]([^">\n]+)[">]', texts.pop(), re.M):
            name = os.path.normpath(os.fsdecode(name))
            if name in headers or name.startswith(("/", "..")) or not has(folder, name):
                continue
            if any((folder / parent).is_symlink() for parent in pathlib.Path(name).parents):
                raise Fault(f"{folder / name}: is behind a link; {AGAIN}")
            headers[name] = data_of(folder / name, MOST_SOURCE)
            texts.append(headers[name])
    return headers


def check_kind(folder):
    """Refuses launches that cannot become workloads."""
    for name in ("worksizes.txt", "kernelName.txt"):
        if not has(folder, name):
            raise Fault(f"{folder}: has no {name}, as of a program that was killed; {AGAIN}")
    for argument in range(MOST_ARGUMENTS):
        if has(folder, f"Image_MetaData_{argument}.txt") or has(folder, f"Sampler{argument}.txt"):
            raise Fault(f"{folder}: argument {argument} of its kernel is an image or a sampler, which no workload has; "
                        "record a launch with buffers")
    source = folder / "kernel.cl"
    # A driver may return an empty source for a program that was created from a binary.
    if not has(folder, source.name) or source.is_file() and not source.is_symlink() and source.stat().st_size <= 1:
        raise Fault(f"{folder}: has no kernel.cl: its program was made from a binary or from SPIR-V; put the OpenCL C "
                    "source there")


# ---- records of a capture --------------------------------------------------------------------------

def word(text):
    """Encodes a text as one word of a record."""
    data = text.encode("utf-8", "surrogateescape")
    return re.sub(rb"[^A-Za-z0-9_./:=+,@-]", lambda found: b"%%%02x" % found[0][0], data).decode() or "%"


class Records:
    """Writes the records of one launch into DIR/records/1."""

    def __init__(self, folder):
        self.contents, self.journal = folder / "records" / "1" / "contents", folder / "records" / "1" / "journal"
        self.contents.mkdir(parents=True)
        self.lines = []

    def line(self, *words):
        """Adds a record."""
        self.lines.append(" ".join(map(str, words)) + "\n")

    def data(self, data):
        """Stores contents and returns their name."""
        name = hashlib.blake2b(data, digest_size=16).hexdigest()
        (self.contents / name).write_bytes(data)
        return name

    def file(self, path):
        """Copies the contents of a buffer. Returns their name and size."""
        digest, size, zero = hashlib.blake2b(digest_size=16), 0, True
        with opened(path, MOST_BUFFER) as file, open(self.contents / "new", "wb") as copy:
            while chunk := file.read(CHUNK):
                digest.update(chunk)
                copy.write(chunk)
                size += len(chunk)
                zero = zero and chunk.count(0) == len(chunk)
        if zero:
            (self.contents / "new").unlink()
            return "=00", size
        (self.contents / "new").replace(self.contents / digest.hexdigest())
        return digest.hexdigest(), size

    def write(self):
        """Writes the journal."""
        self.journal.write_text("".join(self.lines), encoding="ascii")


# ---- arguments -------------------------------------------------------------------------------------

def buffers_of(folder, below):
    """Returns {argument: path} of the contents of buffers in the folder Pre or Post."""
    where, found = folder / below, {}
    if not os.path.lexists(where):
        return found
    if where.is_symlink() or not where.is_dir():
        raise Fault(f"{where}: is no folder that can be read; {AGAIN}")
    for name in sorted(os.listdir(where)):
        match = re.fullmatch(r"Enqueue_.*_Arg_([0-9]{1,9})_Buffer_[0-9]{1,9}\.bin", name, re.S)
        argument = int(match[1]) if match else MOST_ARGUMENTS
        if argument >= MOST_ARGUMENTS:
            continue
        if argument in found:
            raise Fault(f"{where}: has more than one file of argument {argument}, of several runs; remove the older "
                        "ones")
        found[argument] = where / name
    return found


class Arguments:
    """The arguments of a launch, read from the launch's files."""

    def __init__(self, folder):
        self.folder, self.before, self.after = folder, buffers_of(folder, "Pre"), buffers_of(folder, "Post")
        self.values = self.files("Argument{}.bin", lambda path: data_of(path, MOST_VALUE))
        self.locals = self.files("Local{}.txt", number_of)
        self.offsets = self.files("SVM_Arg_Offset_{}.txt", number_of)
        self.count = max([-1, *self.values, *self.locals, *self.before]) + 1
        types = folder / "ArgumentDataTypes.txt"
        self.types = text_of(types, MOST_TYPES).splitlines() if has(folder, types.name) else []
        # A driver leaves out lines for types that it does not know. The numbering of all lines is
        # then wrong.
        if len(self.types) != self.count:
            self.types = [""] * self.count

    def files(self, name, read):
        """Returns {argument: content} of the files whose names have the form `name`."""
        paths = {number: self.folder / name.format(number) for number in range(MOST_ARGUMENTS)}
        return {number: read(path) for number, path in paths.items() if os.path.lexists(path)}

    def is_null(self, number):
        """Returns whether all bytes of a value are zero. For a pointer this is a null pointer."""
        return number in self.values and not any(self.values[number])

    def parameters(self):
        """Yields the kernel's parameters as ADDRESS:TYPE:NAME, for a source that perfmodel cannot
        read."""
        for number, kind in enumerate(self.types):
            is_buffer = number in self.before or "*" in kind and number in self.values
            address = "global" if is_buffer else "local" if number in self.locals else "private"
            yield word(f"{address}:{kind[:60]}:argument_{number}")

    def record(self, number, records):
        """Returns an argument as a word of the launch's record."""
        value = self.values.get(number)
        if value is not None and number in self.locals and not self.is_null(number):
            raise Fault(f"{self.folder}: argument {number} was set to a buffer and to NULL, and which came last is not "
                        f"recorded; remove Argument{number}.bin or Local{number}.txt")
        if number in self.locals:
            return f"local:{self.locals[number]}"
        if number in self.before and not self.is_null(number):
            return self.buffer(number, records)
        if value is None:
            raise Fault(f"{self.folder}: Argument{number}.bin and Local{number}.txt are missing: argument {number} has "
                        f"no value; {AGAIN}")
        if number in self.offsets and not self.is_null(number):
            raise Fault(f"{self.folder}: Pre/ has no file with what argument {number} held; record the launch with "
                        "buffers that the host may read, or with pointers into allocations of OpenCL, without pipes")
        return f"value:{value.hex()}"

    def buffer(self, number, records):
        """Returns the word for an argument that is a buffer."""
        before, size = records.file(self.before[number])
        after, offset = "?", self.offsets.get(number, 0)
        if offset >= size:
            raise Fault(f"{self.folder}: argument {number} is said to start {offset} bytes into {size}; {AGAIN}")
        if number in self.after:
            after, size_after = records.file(self.after[number])
            if size_after != size:
                raise Fault(f"{self.folder}: {self.after[number].relative_to(self.folder)} has {size_after} bytes, but "
                            f"{self.before[number].relative_to(self.folder)} {size}; {AGAIN}")
        # Arguments with the same handle are one buffer.
        same = [n for n in sorted(self.before) if self.values.get(n) == self.values.get(number) is not None
                and self.before[n].lstat().st_size == size]
        return f"buffer:{min([number, *same])}:0:{size}:{offset}:{before}:{after}"


# ---- a launch --------------------------------------------------------------------------------------

def write_records(launch, folder):
    """Writes the records of a launch into the new folder."""
    records, kernel = Records(folder), kernel_of(launch / "kernelName.txt")
    sizes, source = sizes_of(launch / "worksizes.txt"), source_of(launch / "kernel.cl")
    arguments, place = Arguments(launch), str(launch.resolve())
    records.line("process", 1, 1, word(place))
    records.line("program", 1, "source", records.data(source), word(options_of(launch / "buildOptions.txt")))
    for name, text in headers_of(launch, source).items():
        records.line("header", 1, word(f"{place}/{name}"), records.data(text))
    records.line("kernel", 1, 1, kernel, *arguments.parameters())
    records.line("device", word("the device that the OpenCL Intercept Layer saw"))
    records.line("launch", number_of(launch / "enqueueNumber.txt"), 1, 0, *(",".join(map(str, size)) for size in sizes),
                 *(arguments.record(number, records) for number in range(arguments.count)))
    records.line("end")
    records.write()
    if not arguments.after:
        tell(f"{launch}: has no folder Post, so that there is nothing to compare results with")


def perfmodel(*words):
    """Runs perfmodel and returns its standard output. Uses the program beside this script, else the
    one in PATH."""
    beside = pathlib.Path(__file__).resolve().parent / "perfmodel"
    program = os.environ.get("PERFMODEL") or (str(beside) if beside.exists() else "perfmodel")
    try:
        done = subprocess.run([program, *map(str, words)], check=False, capture_output=True, text=True)
    except OSError as error:
        raise Fault(f"{program}: cannot be started: {error.strerror}; install perfmodel, or add its folder to PATH",
                    1) from error
    if done.returncode != 0:
        told = (done.stderr.splitlines() or ["failed"])[-1].removeprefix("perfmodel: ")
        raise Fault(told, 2 if done.returncode == 2 else 1)
    return done.stdout


def convert(launch, folder, tolerance):
    """Makes the capture of one launch."""
    check_kind(launch)
    try:
        folder.mkdir(parents=True)
    except OSError as error:
        raise Fault(f"{folder}: cannot be made: {error.strerror}; give a new folder by -o") from error
    try:
        write_records(launch, folder)
        finish(launch, folder, tolerance)
    except (Fault, OSError):
        shutil.rmtree(folder, ignore_errors=True)
        raise


def finish(launch, folder, tolerance):
    """Lets perfmodel make a workload file from the records, and checks that perfmodel can read the
    file."""
    try:
        document = json.loads(perfmodel("capture", "-o", folder, "--tolerance", tolerance, "--json", "--quiet"))
        if not document["workloads"]:
            why = ", ".join(left["why"] for left in document["left_out"])
            raise Fault(f"there are no workloads of {why}; record another launch")
        perfmodel("collect", "--list", folder / document["workloads"][0])
    except Fault as fault:
        raise Fault(f"{launch}: {str(fault).replace(f'{folder}/', '')}", fault.code) from fault


def launches_in(folder, deeper=True):
    """Returns the folders of launches in a folder and in its subfolders."""
    found = []
    for entry in sorted(folder.iterdir()):
        if entry.is_dir() and has(entry, "enqueueNumber.txt"):
            found.append(entry)
        elif deeper and entry.is_dir() and not entry.is_symlink():
            found += launches_in(entry, False)
    return found


def tell(text):
    """Prints a line on standard error."""
    print(f"perfmodel-intercept: {text}", file=sys.stderr)


def convert_many(launches, output, tolerance):
    """Converts the launches of a folder. Returns the numbers of converted launches and of launches
    that cannot become workloads."""
    done, left = 0, 0
    for launch in launches:
        try:
            if launch.is_symlink():
                raise Fault(f"{launch}: is a link; name what it leads to")
            convert(launch, output / f"{launch.name}.perfmodel", tolerance)
            done += 1
        except Fault as fault:
            tell(f"left out: {fault}")
            left += 1
    return done, left


def main():
    """Converts all launches that the command line names."""
    parser = argparse.ArgumentParser(prog="perfmodel-intercept", description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("-o", "--output", metavar="DIR", type=pathlib.Path, required=True,
                        help="folder for the captures, one for each launch")
    parser.add_argument("--tolerance", metavar="N", type=float, default=1e-5,
                        help="tolerance of floats when results are compared with the recorded ones; default: 1e-5")
    parser.add_argument("folders", metavar="FOLDER", nargs="+", type=pathlib.Path,
                        help="folder of a launch, or a folder of such folders, such as dump/Replay")
    given = parser.parse_args()
    done, left = 0, 0
    try:
        for folder in given.folders:
            if not folder.is_dir():
                raise Fault(f"{folder}: is no folder; name what the OpenCL Intercept Layer wrote, such as dump/Replay")
            if has(folder, "enqueueNumber.txt"):
                convert(folder, given.output / f"{folder.resolve().name}.perfmodel", given.tolerance)
                done += 1
                continue
            launches = launches_in(folder)
            if not launches:
                raise Fault(f"{folder}: has no folder with a file enqueueNumber.txt; record with CLI_CaptureReplay=1")
            more, less = convert_many(launches, given.output, given.tolerance)
            done, left = done + more, left + less
    except Fault as fault:
        tell(str(fault))
        return fault.code
    except OSError as error:
        tell(f"{error.filename}: {error.strerror}; make room, or give another folder by -o")
        return 2
    print(f"{given.output}: {done} of {done + left} launches")
    return 2 if not done else 3 if left else 0


if __name__ == "__main__":
    sys.exit(main())
