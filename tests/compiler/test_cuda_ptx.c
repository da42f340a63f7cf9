/* Tests the changes to PTX from NVIDIA's OpenCL compiler that let the CUDA driver launch it. Needs
 * no GPU.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/cupti/cuda_ptx.h"
#include "collector/cupti/cuda_variables.h"
#include "compiler/nvidia/ptxas.h"
#include "unit.h"

#define HEAD ".version 8.7\n.target sm_90, texmode_independent\n.address_size 64\n"

static const char two_kernels[] =
    HEAD ".entry one(\n\t.param .u64 .ptr .global .align 4 one_param_0,\n"
         "\t.param .u64 .ptr .shared .align 4 one_param_1,\n\t.param .u32 one_param_2,\n"
         "\t.param .align 16 .b8 one_param_3[16]\n)\n{\n\t.reg .b64 %rd<9>;\n"
         "\tld.param.u64 \t%rd1, [one_param_0];\n\tld.param.u64 \t%rd2, [one_param_1];\n"
         "\tmov.b32 %r1, %envreg3;\n\tmov.b32 %r4, %envreg1;\n\tmov.b32 %r2, %envreg7;\n\tmov.b32 "
         "%r3, %envreg9;\n\tret;\n}\n"
         ".entry one_more(\n\t.param .u64 .ptr .const .align 4 one_more_param_0\n)\n"
         "{\n\tld.param.u64 %rd1, [one_more_param_0];\n\tret;\n}\n"
         ".entry none()\n{\n\tret;\n}\n";

TEST(test_parameters)
{
    pm_ptx_parameter p[PM_PTX_MAX_PARAMETERS];
    size_t count;

    assert_int_equal(pm_ptx_parameters(two_kernels, "one", p, &count, told()), PM_OK);
    assert_int_equal(count, 4);
    assert_int_equal(p[0].space, PM_PTX_GLOBAL);
    assert_int_equal(p[1].space, PM_PTX_SHARED);
    assert_memory_equal(p[1].name, "one_param_1", p[1].name_length);
    assert_int_equal(p[2].space, PM_PTX_VALUE);
    assert_int_equal(p[2].bytes, 4);
    assert_int_equal(p[3].bytes, 16);
    assert_memory_equal(p[3].name, "one_param_3", p[3].name_length);
    assert_int_equal(pm_ptx_parameters(two_kernels, "one_more", p, &count, told()), PM_OK);
    assert_int_equal(count, 1);
    assert_int_equal(p[0].space, PM_PTX_CONST);
    assert_int_equal(pm_ptx_parameters(two_kernels, "none", p, &count, told()), PM_OK);
    assert_int_equal(count, 0);
    assert_int_equal(pm_ptx_parameters(two_kernels, "on", p, &count, told()), PM_FAILED);
    assert_non_null(strstr(last_error.text, "no kernel on"));
}

/* Kernels with a barrier of the grid, as NVRTC 12 and 13 compile it, and without. */
TEST(test_barriers_of_the_grid)
{
    static const char own[] =
        HEAD ".visible .entry waits(\n)\n{\n\tmov.u32 %r1, %envreg2;\n\tmov.u32 %r2, %envreg1;\n}\n"
             ".visible .entry plain(\n)\n{\n\tret;\n}\n";
    static const char function[] =
        HEAD ".func wait(\n)\n{\n\tmov.u32 %r1, %envreg1;\n}\n.visible .entry calls(\n)\n{\n}\n";

    assert_true(pm_ptx_waits_for_grid(own, "waits"));
    assert_false(pm_ptx_waits_for_grid(own, "plain"));
    assert_false(pm_ptx_waits_for_grid(own, "none"));
    assert_true(pm_ptx_waits_for_grid(function, "calls"));
    assert_false(pm_ptx_waits_for_grid(".version 8.7", "plain"));
}

TEST(test_variables)
{
    static const char text[] =
        HEAD ".visible .global .align 4 .u32 counter = 5;\n.global .align 8 .b8 bins[1024];\n"
             ".visible .const .align 4 .b8 table[16];\n.global .align 1 .b8 $str[3] = {37, 100};\n"
             ".visible .global .attribute(.managed) .align 4 .u32 shown;\n"
             ".visible .entry k(\n)\n{\n\tld.global.u32 %r1, [counter];\n}\n";
    const char *at = text, *name;
    size_t length;

    name = pm_ptx_next_variable(&at, &length);
    assert_true(length == 7 && memcmp(name, "counter", length) == 0);
    name = pm_ptx_next_variable(&at, &length);
    assert_true(length == 4 && memcmp(name, "bins", length) == 0);
    name = pm_ptx_next_variable(&at, &length);
    assert_true(name && length == 5 && memcmp(name, "shown", length) == 0);
    assert_null(pm_ptx_next_variable(&at, &length));
}

TEST(test_rewrite)
{
    char *text = owned_memory(pm_ptx_for_cuda(two_kernels, 2, 0, told()));

    assert_non_null(strstr(text, "mov.b32 %r1, %envreg3;"));
    assert_non_null(strstr(text, "mov.b32 %r4, 0;"));
    assert_non_null(strstr(text, "mov.b32 %r2, %nctaid.y;"));
    assert_non_null(strstr(text, "mov.b32 %r3, 2;"));
    assert_non_null(strstr(text, "[one_param_1];\n{ .reg .b64 %pm_base;"));
    assert_non_null(strstr(text, "add.s64 %rd2, %rd2, %pm_base;"));
    assert_null(strstr(text, "add.s64 %rd1"));
    assert_non_null(strstr(text, ".extern .shared"));
    assert_non_null(strstr(text, "[one_more_param_0];\n\tret;"));
    pm_ptx_drop_pointer_notes(text);
    assert_null(strstr(text, ".ptr"));
    assert_null(strstr(text, ".align 4 one"));
    assert_non_null(strstr(text, ".param .align 16 .b8 one_param_3[16]"));
}

/* ---- __constant arguments ------------------------------------------------------------------ */

#define CONSTANTS(chip)                                                                            \
    ".version 7.8\n.target sm_" chip ", texmode_independent\n.address_size 64\n"                   \
    ".const .align 4 .b8 table[16] = {0, 0, 128, 63, 0, 0, 0, 64, 0, 0, 64, 64, 0, 0, 128, 64};\n" \
    ".entry k(\n\t.param .u64 .ptr .const .align 4 k_param_0,\n"                                   \
    "\t.param .u64 .ptr .const .align 16 k_param_1,\n"                                             \
    "\t.param .u64 .ptr .global .align 4 k_param_2\n)\n{\n"                                        \
    "\t.reg .b64 %rd<9>;\n\t.reg .b32 %r<4>;\n\t.reg .f32 %f<9>;\n"                                \
    "\tld.param.u64 \t%rd1, [k_param_0];\n\tld.param.u64 \t%rd2, [k_param_1];\n"                   \
    "\tld.param.u64 \t%rd3, [k_param_2];\n\tmov.u32 %r1, %tid.x;\n"                                \
    "\tmul.wide.u32 %rd4, %r1, 4;\n\tadd.s64 %rd5, %rd1, %rd4;\n"                                  \
    "\tld.const.f32 %f1, [%rd5];\n"                                                                \
    "\tld.const.v4.f32 {%f2, %f3, %f4, %f5}, [%rd2+16];\n"                                         \
    "\tmov.u64 %rd6, table;\n\tand.b64 %rd7, %rd4, 15;\n\tadd.s64 %rd6, %rd6, %rd7;\n"             \
    "\tld.const.f32 %f6, [%rd6];\n\tadd.f32 %f7, %f1, %f3;\n\tadd.f32 %f7, %f7, %f6;\n"            \
    "\tadd.s64 %rd8, %rd3, %rd4;\n\tst.global.f32 [%rd8], %f7;\n\tret;\n}\n"

static const char constants_86[] = CONSTANTS("86"), constants_90[] = CONSTANTS("90");

TEST(test_constant_addresses)
{
    char *text = owned_memory(pm_ptx_for_cuda(constants_90, 1, 0, told()));

    assert_true(pm_ptx_constants_are_global(constants_90));
    assert_true(pm_ptx_constants_are_global(HEAD));
    assert_true(pm_ptx_constants_are_global(".target sm_120"));
    assert_false(pm_ptx_constants_are_global(constants_86));
    assert_false(pm_ptx_constants_are_global(".target"));
    assert_false(pm_ptx_constants_are_global(""));
    assert_non_null(strstr(text, ".ptr .const .align 4 k_param_0"));
    assert_null(strstr(text, PM_PTX_CONSTANTS));
}

/* Both pointers become offsets into the array and lose their .ptr attribute. The rest of the text
 * stays the same. */
TEST(test_constant_array)
{
    char *text = owned_memory(pm_ptx_for_cuda(constants_86, 1, 768, told()));
    char *plain = owned_memory(pm_ptx_for_cuda(constants_86, 1, 0, told()));

    assert_non_null(strstr(text, ".visible .const .align 256 .b8 " PM_PTX_CONSTANTS "[768];"));
    assert_non_null(strstr(text, "[k_param_0];\n{ .reg .b64 %pm_base; mov.u64 %pm_base, "
                                 "" PM_PTX_CONSTANTS "; add.s64 %rd1, %rd1, %pm_base; }"));
    assert_non_null(strstr(text, "add.s64 %rd2, %rd2, %pm_base; }"));
    assert_null(strstr(text, "add.s64 %rd3, %rd3, %pm_base"));
    assert_null(strstr(text, ".ptr .const"));
    assert_non_null(strstr(text, ".ptr .global .align 4 k_param_2"));
    assert_string_equal(strstr(text, "mov.u32 %r1, %tid.x"), strstr(plain, "mov.u32 %r1, %tid.x"));
}

static void expect_assembled(const pm_ptxas *ptxas, const char *ptx, size_t constant_bytes,
                             unsigned capability)
{
    char *text = owned_memory(pm_ptx_for_cuda(ptx, 1, constant_bytes, told()));
    pm_ptxas_kernels kernels;
    char chip[16];

    snprintf(chip, sizeof chip, "sm_%u", capability);
    assert_ok(pm_ptxas_run(ptxas, text, strlen(text), chip, "constants", NULL, &kernels, told()) ==
              PM_OK);
    assert_int_equal(kernels.count, 1);
    assert_string_equal(kernels.kernels[0].kernel, "k");
    assert_true(kernels.kernels[0].registers > 0);
    pm_memory_free(&kernels.memory);
}

TEST(test_constants_are_assembled)
{
    const pm_compiler_limits limits = {.seconds = 60};
    pm_ptxas ptxas;

    if (pm_ptxas_find("", &limits, &ptxas, told()) != PM_OK) {
        print_message("SKIPPED test_constants_are_assembled: %s\n", last_error.text);
        skip();
    }
    expect_assembled(&ptxas, constants_86, 768, 86);
    expect_assembled(&ptxas, constants_86, PM_PTX_CONSTANT_BYTES - 16, 86);
    expect_assembled(&ptxas, constants_86, 768, 90);
}

/* ---- refused PTX --------------------------------------------------------------------------- */

static void expect_refusal(const char *ptx, unsigned dimensions, const char *word)
{
    assert_null(pm_ptx_for_cuda(ptx, dimensions, 0, told()));
    assert_int_equal(last_error.status, PM_FAILED);
    if (!strstr(last_error.text, word))
        fail_msg("expected \"%s\" in: %s", word, last_error.text);
}

TEST(test_refusals)
{
    expect_refusal("", 1, "not PTX");
    expect_refusal("\x7f"
                   "ELF",
                   1, "not PTX");
    expect_refusal(HEAD ".entry k()\n{ mov.b32 %r1, %envreg12; }\n", 1, "%envreg12");
    expect_refusal(HEAD ".entry k()\n{ mov.b32 %r1, %envreg9; }\n", 0, "%envreg9");
}

static void tear(const char *whole, const char *kernel)
{
    pm_ptx_parameter p[PM_PTX_MAX_PARAMETERS];
    size_t count;

    for (size_t length = 0; length <= strlen(whole); length++) {
        char *torn = need(malloc(length + 1));

        memcpy(torn, whole, length);
        torn[length] = '\0';
        free(pm_ptx_for_cuda(torn, 1, 0, told()));
        free(pm_ptx_for_cuda(torn, 1, 512, told()));
        pm_ptx_constants_are_global(torn);
        pm_ptx_parameters(torn, kernel, p, &count, told());
        pm_ptx_drop_pointer_notes(torn);
        free(torn);
    }
}

/* Text that is cut off anywhere is refused or passed on, and never read beyond its end. */
TEST(test_torn)
{
    tear(two_kernels, "one");
    tear(constants_86, "k");
}
