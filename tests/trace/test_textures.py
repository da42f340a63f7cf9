#!/usr/bin/env python3
"""Fetches of textures count as loads of their texels, with the addresses that the texture unit computes.

A bare source makes the textures in its host code. SPDX-License-Identifier: GPL-3.0-or-later
"""
import sys
import unittest

sys.path.insert(1, sys.path[0] + "/..")
from program import Base

# A table of 4096 floats that is read at random indices. FETCH, TABLE and GIVEN stand for the two
# ways to read it.
LOOKUP = """
__global__ void lookup(TABLE table, const int *index, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = FETCH * 2.0f;
}
int main()
{
    const int n = 65536, entries = 4096;
    float *d_table, *d_out;
    int *d_index;
    cudaMalloc(&d_table, entries * sizeof(float));
    cudaMalloc(&d_out, n * sizeof(float));
    cudaMalloc(&d_index, n * sizeof(int));
    cudaResourceDesc resource;
    memset(&resource, 0, sizeof(resource));
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = d_table;
    resource.res.linear.desc = cudaCreateChannelDesc<float>();
    resource.res.linear.sizeInBytes = entries * sizeof(float);
    cudaTextureDesc how = {};
    how.readMode = cudaReadModeElementType;
    cudaTextureObject_t texture = 0;
    cudaCreateTextureObject(&texture, &resource, &how, NULL);
    lookup<<<n / 256, 256>>>(GIVEN, d_index, d_out, n);
    cudaDestroyTextureObject(texture);
}
"""

# A mean of 3 x 3 texels of an image, with blocks of 32 x 8 threads. MAKE makes the texture.
FILTER = """
__global__ void mean(cudaTextureObject_t image, float *out, int width)
{
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    float sum = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            sum += tex2D<float>(image, x + dx + 0.5f, y + dy + 0.5f);
    out[y * width + x] = sum / 9;
}
int main()
{
    const int width = 256, height = 64;
    float *d_out;
    cudaResourceDesc resource = {};
    cudaTextureDesc how = {};
    cudaTextureObject_t texture;
    cudaChannelFormatDesc format = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
    how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
    MAKE
    cudaCreateTextureObject(&texture, &resource, &how, NULL);
    cudaMalloc(&d_out, width * height * sizeof(float));
    mean<<<dim3(width / 32, height / 8), dim3(32, 8)>>>(texture, d_out, width);
}
"""
PITCHED = """float *d_image;
    size_t pitch;
    cudaMallocPitch(&d_image, &pitch, width * sizeof(float), height);
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D.devPtr = d_image;
    resource.res.pitch2D.desc = format;
    resource.res.pitch2D.width = width;
    resource.res.pitch2D.height = height;
    resource.res.pitch2D.pitchInBytes = pitch;"""
ARRAY = """cudaArray_t array;
    cudaMallocArray(&array, &format, width, height);
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;"""

# Texels by texture compared with the same texels by pointers. In an array, a tile of 512 bytes has 64
# bytes in each of 8 rows, and a block has as many tiles on top of each other as 48 rows need: 8.
CHECKS = """#define CHECK(...) do { if (!(__VA_ARGS__)) failed[0] = __LINE__; } while (0)
typedef cudaTextureObject_t T;
__global__ void check(T pitched, T bordered, T smooth, T wrapped, T colours, T line, T blocks, const float *p,
                      const uchar4 *c, const float *b, int *failed, int w, int h)
{
    int x = threadIdx.x, y = blockIdx.x;
    CHECK(tex2D<float>(pitched, x + 0.5f, y + 0.5f) == p[y * w + x]);
    CHECK(tex2D<float>(pitched, x, y) == p[y * w + x]);
    CHECK(tex2D<float>(pitched, x - 3.5f, y + 2.5f) == p[min(y + 2, h - 1) * w + max(x - 4, 0)]);
    CHECK(tex2D<float>(bordered, x - 3.5f, y + 2.5f) == (y + 2 < h && x >= 4 ? p[(y + 2) * w + x - 4] : 0));
    CHECK(x == w - 1 || tex2D<float>(smooth, x + 1.0f, y + 0.5f) == (p[y * w + x] + p[y * w + x + 1]) / 2);
    CHECK(y == h - 1 || tex2D<float>(smooth, x + 0.5f, y + 0.75f) == p[y * w + x] * 0.75f + p[y * w + x + w] * 0.25f);
    CHECK(tex2D<float>(smooth, x - 100.0f, 0) == p[0] || x > 99);
    CHECK(tex2D<float>(wrapped, (x + 0.5f) / w + 2, (y + 0.5f) / h) == p[y * w + x]);
    CHECK(tex2D<float>(wrapped, (x + 0.5f) / w - 1, 2 - (y + 0.5f) / h) == p[y * w + x]);
    float4 v = tex1Dfetch<float4>(colours, y * w + x);
    CHECK(v.x == c[y * w + x].x / 255.0f && v.y == c[y * w + x].y / 255.0f && v.z == c[y * w + x].z / 255.0f && v.w == c[y * w + x].w / 255.0f);
    CHECK(tex1Dfetch<float>(line, x + 1) == (x + 1 < w ? p[x + 1] : 0) && tex1Dfetch<float>(line, x - 1) == (x ? p[x - 1] : 0));
    CHECK(tex1D<float>(line, x + 0.7f) == p[x]);
    int xb = 4 * x, pitch = 4 * w;
    int at = ((y / 64 * (pitch / 64) + xb / 64) * 8 + y / 8 % 8) * 512 + xb % 64 / 32 * 256 + y % 8 / 2 * 64 + xb % 32 / 16 * 32 + y % 2 * 16 + xb % 16;
    CHECK(tex2D<float>(blocks, x + 0.25f, y + 0.25f) == b[at / 4]);
}
"""
CHECKED = """[workload]
name = checks
source = checks.cu
[size s]
w = 64
h = 48
[buffer image]
type = float
count = w * h
contents = each i
[buffer array]
type = float
count = w * 64
contents = random 0, 1
[buffer bytes]
type = uchar4
count = w * h
contents = random 0, 255
[buffer failed]
type = int
count = 64
output = yes
[texture pitched]
buffer = image
width = w
height = h
[texture bordered]
buffer = image
width = w
height = h
address = border
[texture smooth]
buffer = image
width = w
height = h
filter = linear
[texture wrapped]
buffer = image
width = w
height = h
coordinates = normalized
address = wrap, mirror
[texture colours]
buffer = bytes
width = w * h
read = normalized
[texture line]
buffer = image
width = w
[texture blocks]
buffer = array
width = w
height = h
array = yes
[launch check]
grid = h
block = w
arguments = texture pitched, texture bordered, texture smooth, texture wrapped, texture colours, texture line, texture blocks, image, bytes, array, failed, int w, int h
"""

# A texture reference, to which the host code binds an array, and its workload file.
REFERENCE = """
texture<TEXEL, 2, cudaReadModeMODE> image;
__device__ float at(float x, float y) { return tex2D(image, x, y); }
__global__ void turn(float *out, int width, int height, float angle)
{
    int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    float u = (float)x - width / 2, v = (float)y - height / 2;
    out[y * width + x] = at((u * cosf(angle) - v * sinf(angle)) / width, (v * cosf(angle) + u * sinf(angle)) / height);
}
int main()
{
    const int width = 256, height = 128;
    float *d_out;
    cudaArray *array;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<TEXEL>();
    cudaMalloc((void **)&d_out, width * height * sizeof(float));
    cudaMallocArray(&array, &format, width, height);
    image.addressMode[0] = cudaAddressModeWrap;
    image.addressMode[1] = cudaAddressModeWrap;
    image.filterMode = cudaFilterModeLinear;
    image.normalized = true;
    cudaBindTextureToArray(image, array, format);
    turn<<<dim3(width / 8, height / 8), dim3(8, 8)>>>(d_out, width, height, 0.5f);
}
"""
BOUND = """[workload]
name = bound
source = bound.cu
[size only]
n = 128
[buffer table]
type = int
count = n
contents = each 3 * i
[buffer failed]
type = int
count = 1
[launch check]
grid = n / 32
block = 32
arguments = failed, int n
"""


class Textures(Base):
    def kernel_of(self, source, target="h100"):
        """Returns the only kernel of the trace of a source."""
        kernel, = self.json_of("trace", "--target", target, self.write("texture.cu", source))["kernels"]
        return kernel

    def counts_of(self, *arguments):
        return {name: counter["value"] for name, counter in self.kernel_of(*arguments)["counters"].items()}

    def test_table_in_linear_memory(self):
        """A fetch has the requests and misses of a load, but the texture unit computes its address. It
        looks up sectors and lines for eight threads at a time."""
        fetch = LOOKUP.replace("TABLE", "cudaTextureObject_t").replace("FETCH", "tex1Dfetch<float>(table, index[i])")
        load = LOOKUP.replace("TABLE", "const float *__restrict__").replace("FETCH", "table[index[i]]")
        fetched = self.counts_of(fetch.replace("GIVEN", "texture"))
        loaded = self.counts_of(load.replace("GIVEN", "d_table"))
        for name in ("gld_request", "l1_global_load_miss", "l2_read_sector", "branch"):
            self.assertEqual(fetched[name], loaded[name], name)
        self.assertEqual(fetched["gld_request"], 2 * 65536 / 32)
        # eight threads mostly read eight of the table's 512 sectors
        self.assertGreater(fetched["gld_sector"], loaded["gld_sector"])
        self.assertAlmostEqual(fetched["gld_sector"] / (65536 / 32) - 4, 4 * 512 * (1 - (1 - 1 / 512) ** 8), delta=0.1)
        # an IMAD.WIDE fewer for each warp
        self.assertEqual(loaded["inst_executed"] - fetched["inst_executed"], 65536 / 32)

    def test_read_only_cache(self):
        """On a GPU whose global loads bypass L1, a fetch goes through the read-only cache."""
        fetch = LOOKUP.replace("TABLE", "cudaTextureObject_t").replace("FETCH", "tex1Dfetch<float>(table, index[i])")
        load = LOOKUP.replace("TABLE", "float *").replace("FETCH", "(table[i & 4095] = table[index[i]])")
        fetched = self.counts_of(fetch.replace("GIVEN", "texture"), "k40c")
        loaded = self.counts_of(load.replace("GIVEN", "d_table"), "k40c")
        self.assertGreater(fetched["l1_global_load_hit"], 0)
        self.assertEqual(loaded["l1_global_load_hit"], 0)

    def test_rows_of_an_image(self):
        """In pitched memory, the fetch of a quad of 4 floats of a row has one sector of 8 floats, or two.
        Clamped coordinates lead into the row."""
        counts = self.counts_of(FILTER.replace("MAKE", PITCHED))
        self.assertEqual(counts["gld_request"], 9 * 256 * 64 / 32)
        # with dx = -1 or 1, every second of the 64 quads of a row is in two sectors, but not the quad
        # at the border
        self.assertEqual(counts["gld_sector"], 3 * 64 * (64 + 2 * (64 + 32 - 1)))

    def test_sectors_of_an_array(self):
        """In a CUDA array, a sector has 16 bytes of two rows."""
        counts = self.counts_of(FILTER.replace("MAKE", ARRAY))
        self.assertEqual(counts["gld_sector"], 3 * 64 * (64 + 2 * (64 + 64 - 1)))
        # each sector of the image is read from L2 at least once
        self.assertGreaterEqual(counts["l2_read_sector"], 256 * 64 * 4 / 32)
        # a quad takes a pass of the texture unit, and the store of a warp one pass
        self.assertEqual(counts["global_wavefront"], (9 * 8 + 1) * 256 * 64 / 32)

    def test_linear_filter(self):
        """A fetch with linear filtering is one request. Four texels in two rows of an array are in two
        sectors, or in four."""
        source = FILTER.replace("MAKE", ARRAY + "how.filterMode = cudaFilterModeLinear;")
        point, linear = self.counts_of(FILTER.replace("MAKE", ARRAY)), self.counts_of(source.replace("0.5f", "0.3f"))
        for name in ("gld_request", "inst_executed", "global_wavefront", "inst_memory"):
            self.assertEqual(linear[name], point[name], name)
        # H200, Nsight Compute: 23.9 sectors for a fetch with x + 0.3f, which are three for a quad
        source = source.replace("+ dx + 0.5f", "+ 0.3f").replace("+ dy + 0.5f", "+ 0.3f")
        once = self.counts_of(source)
        self.assertAlmostEqual(once["gld_sector"] / once["gld_request"], 23.9, delta=0.1)

    def test_normalized_reads(self):
        """A texel of 4 bytes that becomes four floats is a load of 4 bytes."""
        source = FILTER.replace("MAKE", ARRAY + "how.readMode = cudaReadModeNormalizedFloat;")
        source = source.replace("cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat)",
                                "cudaCreateChannelDesc<uchar4>()").replace("tex2D<float>(", "tex2D<float4>(")
        source = source.replace("0.5f);", "0.5f).x;")
        kernel = self.kernel_of(source)
        self.assertEqual([a["bytes"] for a in kernel["accesses"] if a["kind"] == "load"], [4])
        self.assertEqual(kernel["counters"]["gld_sector"]["value"], 3 * 64 * (64 + 2 * (64 + 64 - 1)))

    def test_name_in_the_table(self):
        kernel = self.kernel_of(FILTER.replace("MAKE", ARRAY))
        self.assertEqual([(a["buffer"], a["kind"]) for a in kernel["accesses"]], [("image", "load"), ("out", "store")])

    def failures(self, source, workload):
        """Returns the lines of the source at which a store of a kernel was executed."""
        self.write("checks.cu", source)
        kernel, = self.json_of("trace", "--target", "h100", "--sample", "all",
                               self.write("checks.workload", workload))["kernels"]
        return [a["line"] for a in kernel["accesses"] if a["kind"] == "store" and a["executions"] > 0]

    def test_values(self):
        self.assertEqual(self.failures(CHECKS, CHECKED), [])
        wrong = CHECKS.replace("y + 0.5f) == p[y * w + x]);", "y + 0.5f) == p[y * w + x] + 1);", 1)
        self.assertEqual(self.failures(wrong, CHECKED), [7])

    def test_reference(self):
        """A texture reference has the counts of a texture object."""
        source = REFERENCE.replace("TEXEL", "float").replace("MODE", "ElementType")
        kernel = self.kernel_of(source)
        self.assertEqual([(a["buffer"], a["executions"]) for a in kernel["accesses"]],
                         [("image", 256 * 128 / 32), ("out", 256 * 128 / 32)])
        narrow = self.kernel_of(REFERENCE.replace("TEXEL", "unsigned char").replace("MODE", "NormalizedFloat"))
        self.assertEqual([a["bytes"] for a in narrow["accesses"]], [1, 4])
        self.assertLess(narrow["counters"]["gld_sector"]["value"], kernel["counters"]["gld_sector"]["value"])

    def test_workload_file_of_a_reference(self):
        """init writes the texture of a reference, and the workload file has the source's counts."""
        source = self.write("texture.cu", REFERENCE.replace("TEXEL", "float").replace("MODE", "ElementType"))
        expected = self.kernel_of(source.read_text())["counters"]
        self.good("init", source, "-o", self.folder / "texture.workload")
        self.assertIn("[texture image]", (self.folder / "texture.workload").read_text())
        kernel, = self.json_of("trace", "--target", "h100", self.folder / "texture.workload")["kernels"]
        self.assertEqual({n: c["value"] for n, c in kernel["counters"].items()},
                         {n: c["value"] for n, c in expected.items()})

    def test_section_for_a_reference(self):
        source = "texture<int, 1> table;\n__global__ void check(int *failed, int n)\n{\n" \
                 "    int i = blockIdx.x * 32 + threadIdx.x;\n" \
                 "    if (tex1Dfetch(table, i) != 3 * i) failed[0] = 1;\n}\n"
        self.write("bound.cu", source)
        self.refused(["bound.cu:5: kernel check reads the texture reference table", "[texture table]"], "trace", "--target",
                     "h100", self.write("bound.workload", BOUND))
        text = BOUND.replace("[buffer failed]", "[texture table]\nbuffer = table\nwidth = n\n[buffer failed]")
        kernel, = self.json_of("trace", "--target", "h100", self.write("bound.workload", text))["kernels"]
        self.assertEqual([(a["kind"], a["executions"]) for a in kernel["accesses"]], [("load", 4), ("store", 0)])

    def test_wrong_sections(self):
        self.write("checks.cu", CHECKS)
        for line, by, words in (("width = w", "width = w * 2", [":24: [texture pitched] needs 24576 bytes", "12288"]),
                                ("filter = linear", "filter = cubic", [":36: [texture smooth]", "point, linear"]),
                                ("address = border", "address = wrap", [":31:", "coordinates = normalized"]),
                                ("read = normalized", "type = double", [":46: [texture colours]", "double"]),
                                ("texture pitched, ", "texture pitch, ", [":58:", "[texture pitch]", "pitched, bordered"]),
                                ("w * 64", "w * 48", [":51: [texture blocks] needs 16384 bytes", "12288"]),
                                ("texture pitched, ", "image, ", [":58: argument 1 of kernel check (pitched)",
                                                                  "write texture NAME"]),
                                ("width = w", "", ["[texture pitched]", "width"]),
                                ("width = w", "object = bytes 0x00", [":25:", "24 bytes"])):
            with self.subTest(by):
                self.assertIn(line, CHECKED)
                self.refused(["checks.workload", *words], "trace", "--target", "h100",
                             self.write("checks.workload", CHECKED.replace(line, by, 1)))

    def test_different_textures(self):
        """Launches of a kernel may have different textures of one kind, but not of two kinds."""
        text = CHECKED.replace("texture pitched, texture bordered", "texture pitched|pitched, texture bordered")
        self.assertEqual(self.failures(CHECKS, text + "repeat = 2\n"), [])
        text = CHECKED.replace("texture pitched, texture bordered", "texture pitched|smooth, texture bordered")
        self.refused(["checks.cu: kernel check", "argument 1 (pitched)", "different kinds"], "trace", "--target", "h100",
                     self.write("checks.workload", text + "repeat = 2\n"))

    def test_unknown_texture(self):
        """If the source does not say what a texture is, its size is assumed."""
        alone = FILTER[:FILTER.index("int main")]
        for source in (alone, alone + "void run(cudaTextureObject_t image, float *out, int w)\n{\n"
                       "    mean<<<dim3(8, 8), dim3(32, 8)>>>(image, out, w);\n}\n"):
            found = self.json_of("trace", "--target", "h100", self.write("texture.cu", source))
            self.assertIn("image: float[1048576], random", found["assumed"])
            self.assertEqual([a["buffer"] for a in found["kernels"][0]["accesses"]], ["image", "out"])
        self.write("checks.cu", CHECKS)
        text = CHECKED.replace("texture pitched, ", "bytes 0x" + 48 * "0" + ", ")
        self.refused(["checks.cu:7: kernel check reads the texture pitched", "[texture NAME]", "texture NAME"], "trace",
                     "--target", "h100", self.write("checks.workload", text))

    def test_what_is_refused(self):
        for call, words in (("tex3D<float>(image, x, y, 0.5f)", ["tex3D"]), ("tex2DLod<float>(image, x, y, 0)", ["tex2DLod"]),
                            ("tex2DLayered<float>(image, x, y, 0)", ["tex2DLayered"])):
            source = FILTER.replace("MAKE", ARRAY).replace("tex2D<float>(image, x + dx + 0.5f, y + dy + 0.5f)", call)
            with self.subTest(call):
                self.refused(["texture.cu:8: a texture, by", "tex1Dfetch, tex1D and tex2D", *words], "trace", "--target", "h100",
                             self.write("texture.cu", source))


if __name__ == "__main__":
    unittest.main()
