"""A workload file that is right, and ways to make it wrong.

SPDX-License-Identifier: GPL-3.0-or-later
"""
SOURCE = """typedef struct { float x, y; int id[2]; } Pair;
__kernel void add(__global const float *a, __global float *b, __global Pair *pairs, int n, float f,
                  __local float *tile)
{
    const int i = get_global_id(0), l = get_local_id(0);

    tile[l] = a[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < n)
        b[i] = tile[l] * f + pairs[i].x + pairs[i].id[1];
}
__kernel void scale(__global float *b, float2 by)
{
    b[get_global_id(0)] *= by.x;
}
"""

GOOD = """[workload]
name = good
source = good.cl
options = -cl-std=CL1.2 -DM={n / 2}

[size small]
n = 1024
[size large]
n = 4096

[buffer a]
type = float
count = n
contents = random -1, 1
[buffer b]
type = float
count = n
output = yes
[buffer pairs]
type = Pair
count = n
contents = range 0, 1
contents.y = constant 0.5

[launch first]
kernel = add
global = n
local = 128
arguments = a, b, pairs, int n, float 1.5,
    local 4 * 128
[launch second]
kernel = scale
global = n
local = 64
arguments = b, float2 (1, 2)
repeat = 2

[variant wide]
launch.second.local = 256
"""

# More faults of expressions are in test_workload_file.c. Each item: what to change in GOOD, and the
# words after FILE:LINE of the change; None: no line.
WRONG = [
    ("[workload]\n", "", "before the first [section]"),
    ("[workload]", "[worklaod]", "no section is called [worklaod]"),
    ("[workload]", "[workload x]", "takes no name"),
    ("name = good\n", "", "has no \"name\""),
    ("name = good", "name = nbody", "program of the suite"),
    ("name = good", "name = a,b", "letters, digits"),
    ("name = good", "name = ..", "a letter or a digit is missing"),
    ("name = good", "name = " + "n" * 48, "47 characters"),
    ("name = good", "name =", "value is missing"),
    ("name = good", "name = # nothing", "value is missing"),
    ("name = good", "name = good\nname = good", "has this key already"),
    ("name = good", "colour = red", "no key \"colour\""),
    ("name = good", "good", "neither [section], key = value"),
    ("name = good", "name = " + "x" * 300, "47 characters"),
    ("-DM={n / 2}", "-DM=" + "x" * 16384, "more than 16384 characters"),
    ("name = good", "name = a\0b", "NUL byte"),
    ("name = good", "n me = good", "bad key"),
    ("name = good", " name = good\n name = good", "indented key"),
    ("source = good.cl\n", "", "has no \"source\""),
    ("source = good.cl", "source = none.cl", "none.cl: cannot be read: No such file"),
    ("source = good.cl", "source = .", "directory"),
    ("source = good.cl", "source = nul.cl", "NUL byte"),
    ("source = good.cl", "source = -x.cl", "-x.cl: cannot be read: No such file"),
    ("{n / 2}", "{n / 2", "closing }"),
    ("{n / 2}", "{m}", "\"m\" is no parameter"),
    ("{n / 2}", "{n / 0}", "division by zero"),
    ("[size small]\n", "[size]\n", "needs a name"),
    ("[size small]\nn = 1024\n[size large]\nn = 4096\n", "", None),
    ("[size small]", "[size small", "bad section"),
    ("[size small]", "[size " + "s" * 60 + "]", "bad section"),
    ("[size small]", "[size a b]", "bad section"),
    ("[size small]", " [size small]", "indented section"),
    ("[size small]", "[size small] n = 1", "behind the section's ]"),
    ("[size large]", "[size small]", "there already"),
    ("n = 1024", "i = 1024", "cannot be a parameter's name"),
    ("n = 1024", "min = 1024", "cannot be a parameter's name"),
    ("n = 1024", "n = 1024\nm = 1", None),
    ("n = 4096", "n = 4096\nm = 1", "not in the first size"),
    ("n = 4096", "m = 4096", None),
    ("n = 4096", "n = 4.5", "is no integer"),
    ("n = 1024", "n = m\nm = 1", "\"m\" is no parameter"),
    ("n = 4096", "n = n", "\"n\" is no parameter"),
    ("n = 4096", "n = 1 << 64", "from 0 to 62 bits"),
    ("n = 4096", "n = 2 ** 64", "larger than 64 bits"),
    ("n = 4096", "n = 99999999999999999999", "larger than 64 bits"),
    ("n = 4096", "n = " + "(" * 90 + "1", "more than 64"),
    ("n = 4096", "n = " + "-" * 90 + "1", "more than 64"),
    ("type = float\ncount = n\ncontents", "count = n\ncontents", "has no \"type\""),
    ("type = float\ncount = n\ncontents", "type = float\ncontents", "has no \"count\""),
    ("type = float", "type = flaot", "neither a scalar or vector"),
    ("type = float", "type = float5", "neither a scalar or vector"),
    ("type = float", "type = float\nbytes = 8", "but float has 4"),
    ("type = Pair", "type = Triple", "nor a struct"),
    ("type = Pair", "type = Pair\nbytes = 8", "but Pair has 16"),
    ("type = Pair", "type = Triple\nbytes = 0", "at least 1"),
    ("count = n", "count = n - n", "0 elements"),
    ("count = n", "count = -n", "elements in size small"),
    ("count = n", "count = n n", "operator before it"),
    ("count = n", "count = n * 1000000000000", "more than any GPU has"),
    ("count = n", "count = n * 9000000000000000 * 9000000000000000", "64 bits"),
    ("count = n", "count = i", "\"i\" is no parameter"),
    ("contents = random", "contents = rnadom", "contents are zeros, constant"),
    ("contents = random -1, 1", "contents = random 1, -1", "above the upper"),
    ("contents = random -1, 1", "contents = random -1", "write random"),
    ("contents = random -1, 1", "contents = random -1, 1, 2, 3", "write random"),
    ("contents = random -1, 1", "contents = constant", "write constant VALUE"),
    ("contents = random -1, 1", "contents = constant 1e300", "not all of the values fit a float"),
    ("contents = random -1, 1", "contents = constant 1e999", "larger than a double"),
    ("contents = random -1, 1", "contents = list", "the list has 0 values, the buffer has 1024 in size small"),
    ("contents = random -1, 1", "contents = list 1, 2", "the list has 2 values"),
    ("contents = random -1, 1", "contents = list 1, , 2", "missing beside a comma"),
    ("contents = random -1, 1", "contents = list 1e39", "\"1e39\" does not fit a float"),
    ("contents.y = constant 0.5", "contents.id = list 1, 3000000000", "\"3000000000\" does not fit a int"),
    ("contents.y = constant 0.5", "contents.y = list 0.5", "field y has 1024 in size small"),
    ("contents = random -1, 1", "contents = zeros 1", "nothing may follow"),
    ("contents = random -1, 1", "contents = file none.bin", "No such file"),
    ("contents = random -1, 1", "contents = file", "write file PATH"),
    ("contents = random -1, 1", "contents = file .", "Is a directory"),
    ("contents = random -1, 1", "contents = file short.bin", "needs 4096 bytes"),
    ("contents = random -1, 1", "contents = file long.bin, 16380", "from byte 16380"),
    ("contents = random -1, 1", "contents = file long.bin, -1", "below 0"),
    ("contents = random -1, 1", "contents = file long.bin, 4", None),
    ("contents = random -1, 1", "contents.x = zeros", "has no fields"),
    ("contents.y =", "contents.w =", "no field \"w\"; it has: x, y, id"),
    ("contents.y = constant 0.5", "contents.id = constant 0.5", "is no integer"),
    ("contents.y = constant 0.5", "contents.id = constant 3000000000", "not all of the values"),
    ("contents.y = constant 0.5", "contents.id = range 0, 1000000000", "not all of the values"),
    ("output = yes", "output = maybe", "yes or no"),
    ("[launch first]", "[launch first]\ncolour = red", None),
    ("kernel = add", "kernel = sub", "has no kernel sub; it has: add, scale"),
    ("kernel = add", "kernel = add\ngroups = 3", "no key \"groups\""),
    ("kernel = add", "kernel = add\ngrid = 3", "has grid or block beside global or local"),
    ("kernel = add", "kernel = add\nshared = 1024", "CUDA's extern __shared__ arrays"),
    ("[launch first]", "[symbol table]\ntype = float\ncount = 2\ncontents = zeros\n[launch first]",
     "symbols are __constant__ or __device__ variables of CUDA"),
    ("global = n", "global = n, n, n, n", "1 to 3 expressions"),
    ("global = n", "global = n, n", None),
    ("global = n", "global = 0", "from 1 to"),
    ("global = n", "global = n,", None),
    ("global = n", "global = n * n * n * n * n", "from 1 to"),
    ("local = 128", "local = 100", "does not divide global 1024"),
    ("local = 128", "local = 2048", "up to 1024"),
    ("local = 128", "local = 0", "from 1 to"),
    ("local = 128", "local = n / (n - 1024)", "division by zero"),
    ("local = 128", "local = 128\noffset = 0, 0", "need as many"),
    ("local = 128", "local = 128\noffset = -1", "from 0 to"),
    ("arguments = a, b,", "arguments = a, c,", "neither a buffer (there are: a, b, pairs)"),
    ("arguments = a, b,", "arguments = a,", "takes 6 arguments, given are 5"),
    ("arguments = a, b,", "arguments = a, b, b,", "takes 6 arguments, given are 7"),
    ("arguments = a, b,", "arguments = a, , b,", "missing beside a comma"),
    ("arguments = a, b,", "arguments = a, int 3,", "(b) takes a buffer"),
    ("int n", "float n", "(n) is of type int"),
    ("int n", "int n * 4000000000", "does not hold"),
    ("int n", "a", "(n) takes a value, int"),
    ("float 1.5", "double 1.5", "(f) is of type float"),
    ("float 1.5", "float 1.5 *", "missing at the end"),
    ("float 1.5", "float 1e40", "larger than a float"),
    ("float 1.5", "half 1.5", "no half"),
    ("float2 (1, 2)", "float2 (1, 2, 3)", "fewer components"),
    ("float2 (1, 2)", "float2 (1)", "more components"),
    ("float2 (1, 2)", "float2 1, 2", "in parentheses"),
    ("float2 (1, 2)", "float8 (1, 2)", "more components"),
    ("local 4 * 128", "float 1", None),
    ("local 4 * 128", "local 0", None),
    ("local 4 * 128", "b", None),
    ("repeat = 2", "repeat = -1", "from 0 to 10000"),
    ("repeat = 2", "repeat = n * n", "from 0 to 10000"),
    ("repeat = 2", "repeat = with third", "right before this one"),
    ("[variant wide]", "[variant soa]", "name of a transform"),
    ("[variant wide]", "[variant shared]", "name of a transform"),
    ("[variant wide]", "[variant aos]", "name of a transform"),
    ("launch.second.local = 256", "", "changes nothing"),
    ("launch.second.local = 256", "launch.third.local = 256", "NAME of a [launch NAME]"),
    ("launch.second.local = 256", "launch.second.colour = 256", "no key \"colour\""),
    ("launch.second.local = 256", "launch.second = 256", "NAME of a [launch NAME]"),
    ("launch.second.local = 256", "launch.second.local = 100", "does not divide"),
    ("launch.second.local = 256", "launch.second.kernel = add", "takes 6 arguments"),
    ("launch.second.local = 256", "source = none.cl", "No such file"),
]
