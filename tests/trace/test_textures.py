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

    def test_what_is_refused(self):
        for call, words in (("tex3D<float>(image, x, y, 0.5f)", ["tex3D"]), ("tex2DLod<float>(image, x, y, 0)", ["tex2DLod"]),
                            ("tex2DLayered<float>(image, x, y, 0)", ["tex2DLayered"])):
            source = FILTER.replace("MAKE", ARRAY).replace("tex2D<float>(image, x + dx + 0.5f, y + dy + 0.5f)", call)
            with self.subTest(call):
                self.refused(["texture.cu:8: a texture, by", "tex1Dfetch, tex1D and tex2D", *words], "trace", "--target", "h100",
                             self.write("texture.cu", source))


if __name__ == "__main__":
    unittest.main()
