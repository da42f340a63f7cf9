/* Which loads are scalar, and which wait, by the rules of AMD's GPUs: counted by hand for small
 * kernels, for an MI250X (wavefronts of 64) and a W6600 (of 32). LLVM's AMDGPU target (clang 19,
 * gfx90a) makes s_load of the same ones.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "trace_counts_fixture.h"

enum { ITEMS = 1024, GROUP = 128, ROUNDS = 16 };

static double wavefronts(void)
{
    return ITEMS / (strcmp(tested_gpu, "w6600") == 0 ? 32.0 : 64.0);
}

#define LOOP_OVER(body)                                                                            \
    KERNEL("int sum = 0;\n" LOOP "for (int j = 0; j < 16; j++)\n" body "\nout[i] = sum;")

/* vector, scalar: loads of a wavefront */
static void check(trace_fixture *f, const char *what, const char *source, double vector,
                  double scalar)
{
    COUNT(f, ITEMS, GROUP, source);
    EXPECT(f, what, {"gld_request", vector * wavefronts()},
           {"constant_pass", scalar * wavefronts()});
}

static void one_place_is_loaded_once(void **state)
{
    check(*state, "a constant place", KERNEL("out[i] = a[3] + b[i];"), 1, 1);
    check(*state, "of the group", KERNEL("out[i] = a[get_group_id(0)] + b[i];"), 1, 1);
    check(*state, "of the loop", LOOP_OVER("sum += a[j] * b[i + j];"), ROUNDS, ROUNDS);
    check(*state, "of a work-item", KERNEL("out[i] = a[lid / 64] + b[i];"), 2, 0);
}

/* The cache of scalars does not see what stores write. */
static void what_may_have_been_written_is_not(void **state)
{
    check(*state, "a store before", KERNEL("out[i] = b[i]; out[i + 1024] = a[3];"), 2, 0);
    check(*state, "a store behind", KERNEL("out[i] = a[3]; out[i + 1024] = b[i];"), 1, 1);
    check(*state, "a store in the loop",
          KERNEL(LOOP "for (int j = 0; j < 16; j++) out[i + 1024 * j] = a[j];"), ROUNDS, 0);
    check(*state, "a barrier between",
          KERNEL("const int x = b[i]; barrier(CLK_GLOBAL_MEM_FENCE); out[i] = x + a[3];"), 1, 1);
}

/* A pointer without another name may be read behind any store. */
static void restrict_lets_it(void **state)
{
    check(*state, "restrict",
          "__kernel void k(__global const int *restrict a, __global const int *restrict b,\n"
          "                __global int *restrict out)\n"
          "{\n"
          "    const int i = get_global_id(0);\n" LOOP
          "    for (int j = 0; j < 16; j++) out[i + 1024 * j] = a[j];\n"
          "}\n",
          0, ROUNDS);
}

static void bytes_are_not(void **state)
{
    check(*state, "char",
          "__kernel void k(__global const char *a, __global const int *b, __global int *out)\n"
          "{ out[get_global_id(0)] = a[3]; }\n",
          1, 0);
    check(*state, "int4",
          "__kernel void k(__global const int4 *a, __global const int *b, __global int *out)\n"
          "{ out[get_global_id(0)] = a[3].x + a[3].w; }\n",
          0, 1);
}

/* A pointer to __constant memory is one of global memory that nothing writes. */
static void constant_memory_is_loaded(void **state)
{
    check(*state, "one place",
          "__kernel void k(__constant int *a, __global const int *b, __global int *out)\n"
          "{ out[get_global_id(0)] = a[get_group_id(0)]; }\n",
          0, 1);
    check(*state, "places of work-items",
          "__kernel void k(__constant int *a, __global const int *b, __global int *out)\n"
          "{ out[get_global_id(0)] = a[get_global_id(0)]; }\n",
          1, 0);
}

/* The branches stay, and where sides meet what they load is wanted; NVIDIA's GPUs have both loads
 * under way together (test_trace_waits.c). */
static void sides_wait_each(void **state)
{
    COUNT(*state, ITEMS, GROUP,
          KERNEL("int x = 0, y = 0;\n"
                 "if (lid & 1) x = a[i];\n"
                 "if (lid & 2) y = b[i];\n"
                 "out[i] = x + y;\n"));
    EXPECT(*state, "sides", {"gld_request", 2 * wavefronts()}, {"load_wait", 2 * wavefronts()});
}

#define SCALAR                                                                                     \
    {                                                                                              \
        cmocka_unit_test(one_place_is_loaded_once),                                                \
            cmocka_unit_test(what_may_have_been_written_is_not),                                   \
            cmocka_unit_test(restrict_lets_it), cmocka_unit_test(bytes_are_not),                   \
            cmocka_unit_test(constant_memory_is_loaded), cmocka_unit_test(sides_wait_each)         \
    }

int main(void)
{
    static const gpu_tests groups[] = {{"mi250x", SCALAR}, {"w6600", SCALAR}};

    return run_by_gpu(groups, sizeof groups / sizeof *groups, setup_tested_gpu);
}
