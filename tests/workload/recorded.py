"""Folders as the Intercept Layer for OpenCL Applications writes them of a launch, with its CaptureReplay controls.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import struct

ITEMS = 256
SOURCE = """typedef struct { float x; int id; } Cell;
typedef struct { int n; float f; } Setup;
__kernel void cells(__global Cell *c, __global const float *w, __global int *optional, Setup s, __local float *l,
                    float4 v, ulong k)
{
    size_t i = get_global_id(0);

    l[get_local_id(0)] = w[i] * s.f;
    barrier(CLK_LOCAL_MEM_FENCE);
    c[i].x += l[get_local_size(0) - 1 - get_local_id(0)] + v.z;
    c[i].id += s.n + (int)k;
    if (optional)
        optional[i] = 1;
}
__kernel void ends(__global float *from, __global float *to, int n)
{
    to[get_global_id(0) + n] = from[get_global_id(0)] + 1;
}
"""


def floats(values):
    return b"".join(struct.pack("<f", value) for value in values)


class Recorded:
    """A recorded launch, which becomes a folder. Tests change its parts before that."""

    def __init__(self, kernel, sizes):
        self.kernel, self.number = kernel, 3
        self.files = {"enqueueNumber.txt": f"{self.number}\n", "kernelName.txt": kernel, "run.py": "pass\n",
                      "kernel.cl": SOURCE + "\0", "buildOptions.txt": "\n", "DeviceBinary0.bin": b"\x7fELF",
                      "worksizes.txt": "".join(" ".join(map(str, line)) + " \n" for line in sizes)}

    def value(self, arg, value):
        self.files[f"Argument{arg}.bin"] = value

    def local(self, arg, size):
        self.files[f"Local{arg}.txt"] = str(size)

    def contents(self, arg, below):
        """Returns the path of the recorded contents of the argument's buffer."""
        return f"{below}/Enqueue_{self.number:04}_Kernel_{self.kernel}_Arg_{arg}_Buffer_{arg:04}.bin"

    def buffer(self, arg, before, after=None, handle=None, offset=0):
        self.value(arg, struct.pack("<Q", handle or 0x5000 + arg))
        self.files[f"SVM_Arg_Offset_{arg}.txt"] = f"{offset}\n"
        self.files[self.contents(arg, "Pre")] = before
        self.files[self.contents(arg, "Post")] = before if after is None else after

    def without(self, *names):
        for name in names:
            del self.files[name]
        return self

    def write(self, folder):
        """Writes the folder with all files of the launch."""
        folder.mkdir(parents=True)
        for name, content in self.files.items():
            path = folder / name
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return folder


def cells(local=64, f=2.5):
    """Structs, by value and in a buffer, local memory, a vector and a null pointer."""
    launch = Recorded("cells", [[ITEMS], [local], [0]])
    reversed_in_group = [i // 64 * 64 + 63 - i % 64 for i in range(ITEMS)]
    before = b"".join(struct.pack("<fi", i, 7 * i) for i in range(ITEMS))
    after = b"".join(struct.pack("<fi", i + 0.5 * j * f + 3, 7 * i + 3 + 40) for i, j in enumerate(reversed_in_group))
    launch.buffer(0, before, after)
    launch.buffer(1, floats(0.5 * i for i in range(ITEMS)))
    launch.local(2, 8)
    launch.value(3, struct.pack("<if", 3, f))
    launch.local(4, 4 * 64)
    launch.value(5, struct.pack("<4f", 1, 2, 3, 4))
    launch.value(6, struct.pack("<Q", 40))
    launch.files["ArgumentDataTypes.txt"] = "Cell*\nfloat*\nint*\nSetup\nfloat*\nfloat4\nulong\n"
    return launch


def ends(n=128, handles=(1, 2)):
    """Two arguments with one handle are the same buffer. There are no types, as with drivers that
    do not report them."""
    launch = Recorded("ends", [[128], [0], [0]])
    before = floats(range(ITEMS))
    after = floats(i if i < n else i - n + 1 for i in range(ITEMS))
    launch.buffer(0, before, after if handles[0] == handles[1] else before, handle=handles[0])
    launch.buffer(1, before, after, handle=handles[1])
    launch.value(2, struct.pack("<i", n))
    return launch
