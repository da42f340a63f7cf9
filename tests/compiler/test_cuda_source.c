/* Tests how names of CUDA kernels are demangled and split, and how kernels are found in the text of
 * a source.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "capture/cuda_names.h"
#include "capture/cuda_text.h"
#include "unit.h"

static void free_memory(void *memory)
{
    pm_memory_free(memory);
}

static pm_memory *memory_of_test(void)
{
    pm_memory *memory = room(1, sizeof *memory);

    free_later(memory, free_memory);
    return memory;
}

/* ---- names ----------------------------------------------------------------------------------- */

static void is_named(const char *symbol, const char *name, const char *plain, size_t types)
{
    const pm_cuda_name found = pm_cuda_name_of(memory_of_test(), symbol);

    assert_string_equal(found.name, name);
    assert_string_equal(found.plain, plain);
    assert_int_equal(found.type_count, types);
    assert_int_equal(found.has_types, strncmp(symbol, "_Z", 2) == 0 && strchr(name, '<') != name);
}

TEST(test_names)
{
    is_named("_Z5scalePKfPf5Setup", "scale", "scale", 3);
    is_named("_Z3sumIfLi64EEvPKT_PS0_i", "sum<float, 64>", "sum", 3);
    is_named("_ZN5space4moveEP4int2iPh", "space::move", "move", 3);
    is_named("_Z4noneIbLb1EEvv", "none<bool, true>", "none", 0);
    is_named("_ZN35_GLOBAL__N__035e96c8_4_t_cu__Z2goPi3hidEPi", "hid", "hid", 1);
    is_named("_ZN2ns1kINS_1SIiEEEEvPT_", "ns::k<ns::S<int> >", "k", 1);
}

TEST(test_names_of_c)
{
    is_named("plain", "plain", "plain", 0);
    assert_false(pm_cuda_name_of(memory_of_test(), "_Znonsense").has_types);
    assert_string_equal(pm_cuda_name_of(memory_of_test(), "_Z").name, "_Z");
    assert_string_equal(pm_cuda_name_of(memory_of_test(), "_Z1kI3a\nbEvT_").plain, "");
}

TEST(test_types)
{
    pm_memory *memory = memory_of_test();

    assert_string_equal(pm_cuda_element(memory, "float const*"), "float");
    assert_string_equal(pm_cuda_element(memory, "const unsigned long long *__restrict__"), "ulong");
    assert_string_equal(pm_cuda_element(memory, "unsigned char*"), "uchar");
    assert_string_equal(pm_cuda_element(memory, "float3*"), "float");
    assert_string_equal(pm_cuda_element(memory, "double2"), "double2");
    assert_string_equal(pm_cuda_element(memory, "Setup"), "");
    assert_string_equal(pm_cuda_element(memory, "bool"), "uchar");
}

/* ---- sources --------------------------------------------------------------------------------- */

static bool has_kernel(const char *text, const char *name, size_t count, pm_cuda_params *params)
{
    pm_memory *memory = memory_of_test();

    return pm_cuda_text_kernel(memory, pm_cuda_text_bare(memory, text), name, count, params);
}

TEST(test_kernels)
{
    static const char text[] =
        "// __global__ void first(int) {}\n"
        "const char *words = \"__global__ void second() {\";\n"
        "__global__ void third(int *a, const float b);\n"
        "template <typename T, int N = (3)>\n"
        "static __global__ /* x */ __launch_bounds__(N, 2) void third(const T (&a)[2], float b[]) "
        "{}\n"
        "void __global__ fourth(void (*call)(int, int), float4 const *__restrict__ in = nullptr,\n"
        "                       unsigned) { }\n"
        "extern \"C\" __global__ void fifth()\n{\n}\n";
    pm_cuda_params params;

    assert_false(has_kernel(text, "first", 1, &params));
    assert_false(has_kernel(text, "second", 0, &params));
    assert_true(has_kernel(text, "third", 2, &params));
    assert_string_equal(params.names[1], "b");
    assert_string_equal(pm_cuda_element(memory_of_test(), params.types[1]), "float");
    assert_true(strchr(params.types[1], '*') != NULL);
    assert_true(has_kernel(text, "fourth", 3, &params));
    assert_string_equal(params.names[1], "in");
    assert_string_equal(pm_cuda_element(memory_of_test(), params.types[1]), "float4");
    assert_false(has_kernel(text, "fourth", 2, &params));
    assert_true(has_kernel(text, "fifth", 0, &params));
}

/* Texts that are cut off anywhere. */
TEST(test_cut_texts)
{
    static const char text[] =
        "__global__ __launch_bounds__(64) void k(float *a, int n) { a[n] = 1; }";
    pm_cuda_params params;

    for (size_t length = 0; length < sizeof text; length++) {
        char *cut = room(length + 1, 1);

        memcpy(cut, text, length);
        assert_int_equal(has_kernel(cut, "k", 2, &params), length > strcspn(text, "{"));
    }
}

TEST(test_constants)
{
    pm_memory *memory = memory_of_test();
    const char *bare = pm_cuda_text_bare(
        memory, "__constant__ float a[4], b = 3;\nstatic __device__ __constant__ const int c{2};\n"
                "/* __constant__ int d; */ __device__ int e; __constant__ S f = {1}; int g;\n");

    assert_true(pm_cuda_text_constant(bare, "a"));
    assert_true(pm_cuda_text_constant(bare, "b"));
    assert_true(pm_cuda_text_constant(bare, "c"));
    assert_false(pm_cuda_text_constant(bare, "d"));
    assert_false(pm_cuda_text_constant(bare, "e"));
    assert_true(pm_cuda_text_constant(bare, "f"));
    assert_false(pm_cuda_text_constant(bare, "g"));
}
