/* The PTX that NVIDIA's OpenCL makes, made fit for CUDA. Needs no GPU.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/cupti/cuda_ptx.h"
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
    assert_string_equal(p[1].name, "one_param_1");
    assert_int_equal(p[2].space, PM_PTX_VALUE);
    assert_int_equal(p[2].bytes, 4);
    assert_int_equal(p[3].bytes, 16);
    assert_string_equal(p[3].name, "one_param_3");
    assert_int_equal(pm_ptx_parameters(two_kernels, "one_more", p, &count, told()), PM_OK);
    assert_int_equal(count, 1);
    assert_int_equal(p[0].space, PM_PTX_CONST);
    assert_int_equal(pm_ptx_parameters(two_kernels, "none", p, &count, told()), PM_OK);
    assert_int_equal(count, 0);
    assert_int_equal(pm_ptx_parameters(two_kernels, "on", p, &count, told()), PM_FAILED);
    assert_non_null(strstr(last_error.text, "no kernel on"));
}

TEST(test_rewrite)
{
    char *text = owned_memory(pm_ptx_for_cuda(two_kernels, 2, told()));

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

static void expect_refusal(const char *ptx, unsigned dimensions, const char *word)
{
    assert_null(pm_ptx_for_cuda(ptx, dimensions, told()));
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

/* Torn text is refused or passed on, never read beyond its end. */
TEST(test_torn)
{
    pm_ptx_parameter p[PM_PTX_MAX_PARAMETERS];
    size_t count;

    for (size_t length = 0; length < sizeof two_kernels; length++) {
        char *torn = need(malloc(length + 1)), *text;

        memcpy(torn, two_kernels, length);
        torn[length] = '\0';
        text = pm_ptx_for_cuda(torn, 1, told());
        free(text);
        pm_ptx_parameters(torn, "one", p, &count, told());
        pm_ptx_drop_pointer_notes(torn);
        free(torn);
    }
}
