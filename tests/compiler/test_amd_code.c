/* Tests the registers, local memory and spills of kernels that perfmodel reads from the assembly of
 * LLVM's back end for AMD GPUs.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "compiler/amd/amd_code.h"

#include "compiler/compile.h"
#include "unit.h"

/* Two kernels: one with a loop and spills through a resource, one with LLVM's scratch instructions
 * that calls a function. */
static const char assembly[] =
    "\t.text\n"
    "\t.globl\tadd                             ; -- Begin function add\n"
    "add:                                    ; @add\n"
    "; %bb.0:\n"
    "\ts_load_dwordx2 s[0:1], s[4:5], 0x0\n"
    "\tbuffer_load_dword v1, off, s[4:7], 0\n"
    "\tbuffer_store_dword v9, off, s[20:23], 0 offset:168 ; 4-byte Folded Spill\n"
    "\tbuffer_store_dwordx2 v[2:3], off, s[20:23], 0 offset:172 ; 8-byte Folded Spill\n"
    "\tv_add_f32_e32 v0, v0, v1\n"
    "\tbuffer_store_dword v0, v4, s[20:23], 0 offen\n"
    ".LBB0_2:                                ; =>This Inner Loop Header: Depth=1\n"
    "                                        ; the remarks go on\n"
    "\tbuffer_load_dword v9, off, s[20:23], 0 offset:168\n"
    "\tv_fmac_f32_e32 v0, v9, v1\n"
    "; %bb.3:                                ;   in Loop: Header=BB0_2 Depth=1\n"
    "\tbuffer_load_dword v2, off, s[8:11], 0\n"
    "\ts_cbranch_scc1 .LBB0_2\n"
    ".LBB0_4:\n"
    "\ts_endpgm\n"
    "\t.section\t.rodata,\"a\"\n"
    ".Lfunc_end0:\n"
    "\t.size\tadd, .Lfunc_end0-add\n"
    "; ScratchSize: 16\n"
    "calls:                                  ; @calls\n"
    "; %bb.0:\n"
    "\tscratch_store_b64 off, v[4:5], off offset:8 ; 8-byte Folded Spill\n"
    "\tscratch_load_b128 v[4:7], off, off offset:8\n"
    "\tscratch_load_b32 v8, v3, off\n"
    "\ts_swappc_b64 s[30:31], s[16:17]\n"
    "\ts_endpgm\n"
    ".Lfunc_end1:\n"
    "\t.amdgpu_metadata\n"
    "---\n"
    "amdhsa.kernels:\n"
    "  - .args:\n"
    "      - .name:           out\n"
    "        .offset:         0\n"
    "    .group_segment_fixed_size: 512\n"
    "    .name:           add\n"
    "    .private_segment_fixed_size: 16\n"
    "    .vgpr_count:     64\n"
    "    .vgpr_spill_count: 3\n"
    "  - .agpr_count:     0\n"
    "    .name:           calls\n"
    "    .vgpr_count:     32\n"
    "    .vgpr_spill_count: 0\n"
    "amdhsa.target:   amdgcn-amd-amdhsa--gfx906\n"
    "    .vgpr_count:     99\n"
    "...\n";

typedef struct {
    char *text;
    pm_amd_code *code;
} reading;

static void read_it(void *user)
{
    reading *r = user;

    pm_amd_read(r->text, r->code);
}

static void read_text(const char *text, pm_amd_code *code)
{
    reading r = {.text = owned_memory(strdup(text)), .code = code};

    *code = (pm_amd_code){.count = 0};
    assert_int_equal(pm_attempt(&code->memory, read_it, &r, told()), PM_OK);
}

TEST(test_spills_and_loops)
{
    pm_amd_code code;
    const pm_kernel_resources *add;

    read_text(assembly, &code);
    assert_int_equal(code.count, 2);
    add = &code.kernels[0].taken;
    assert_string_equal(code.kernels[0].kernel, "add");
    assert_false(code.kernels[0].calls);
    assert_int_equal(add->registers, 64);
    assert_int_equal(add->spilled, 3);
    assert_int_equal(add->shared_bytes, 512);
    assert_float_equal(add->outside.instructions, 7.0, 0.0);
    assert_float_equal(add->inside.instructions, 4.0, 0.0);
    assert_float_equal(add->outside.stores, 3.0, 0.0);
    assert_float_equal(add->outside.loads, 0.0, 0.0);
    assert_float_equal(add->inside.stores, 0.0, 0.0);
    assert_float_equal(add->inside.loads, 1.0, 0.0);
    pm_memory_free(&code.memory);
}

TEST(test_scratch_and_calls)
{
    pm_amd_code code;

    read_text(assembly, &code);
    assert_string_equal(code.kernels[1].kernel, "calls");
    assert_true(code.kernels[1].calls);
    assert_int_equal(code.kernels[1].taken.registers, 32);
    assert_float_equal(code.kernels[1].taken.outside.stores, 2.0, 0.0);
    assert_float_equal(code.kernels[1].taken.outside.loads, 4.0, 0.0);
    pm_memory_free(&code.memory);
}

/* The loads outside of the loop are in flight together. The two loads in the loop are one after the
 * other. */
static const char waits[] =
    "\t.amdgcn_target \"amdgcn-amd-amdhsa--%s\"\n"
    "sum:                                    ; @sum\n"
    "; %%bb.0:\n"
    "\tglobal_load_dword v1, v[2:3], off\n"
    "\tglobal_load_dword v2, v[4:5], off\n"
    "\tglobal_store_dword v[6:7], v8, off\n"
    "\tglobal_load_dword v3, v[8:9], off\n"
    "\ts_waitcnt vmcnt(%d) lgkmcnt(0)\n"
    "\ts_waitcnt vmcnt(0)\n"
    ".LBB0_1:                                ; =>This Inner Loop Header: Depth=1\n"
    "\tglobal_load_dword v1, v[2:3], off\n"
    "\ts_waitcnt vmcnt(0)\n"
    "\tglobal_load_dword v2, v[4:5], off\n"
    "\ts_waitcnt vmcnt(0)\n"
    ".LBB0_2:\n"
    "\ts_endpgm\n"
    ".Lfunc_end0:\n"
    "amdhsa.kernels:\n"
    "  - .name:           sum\n"
    "    .vgpr_count:     16\n";

TEST(test_waits)
{
    static const struct {
        const char *target;
        int left; /* number of operations in flight; before gfx10 it includes stores */
    } cases[] = {{"gfx90a", 3}, {"gfx1030", 2}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pm_amd_code code;
        char text[2048];

        snprintf(text, sizeof text, waits, cases[i].target, cases[i].left);
        read_text(text, &code);
        assert_int_equal(code.count, 1);
        assert_float_equal(code.kernels[0].taken.outside.fetches, 3.0, 0.0);
        assert_float_equal(code.kernels[0].taken.outside.waits, 1.0, 0.0);
        assert_float_equal(code.kernels[0].taken.inside.fetches, 2.0, 0.0);
        assert_float_equal(code.kernels[0].taken.inside.waits, 2.0, 0.0);
        pm_memory_free(&code.memory);
    }
}

/* The number of kernels is at most the number of names, even in a truncated text. */
TEST(test_cut_text)
{
    pm_amd_code code;

    for (size_t length = 0; length < sizeof assembly; length++) {
        char *text = owned_memory(strndup(assembly, length));

        read_text(text, &code);
        assert_true(code.count <= 2);
        pm_memory_free(&code.memory);
    }
}

/* A tile of a hundred sums, all live at the same time. CDNA 2 adds two sums per instruction. They
 * need more registers than a work-item has in a work-group of 1024, and fewer than in one of 64. */
static const char tile[] =
    "kernel __attribute__((amdgpu_flat_work_group_size(1, GROUP))) void sums(global float *out,\n"
    "        global const float *in)\n"
    "{\n"
    "    float sum[100] = {0};\n"
    "    int id = get_global_id(0);\n"
    "    for (int k = 0; k < 64; k++) {\n"
    "        float x = in[k * 4096 + id];\n"
    "#pragma unroll\n"
    "        for (int i = 0; i < 100; i++)\n"
    "            sum[i] = fma(x, in[k * 100 + i], sum[i]);\n"
    "    }\n"
    "#pragma unroll\n"
    "    for (int i = 0; i < 100; i++)\n"
    "        out[i * 4096 + id] = sqrt(sum[i]);\n"
    "}\n";

static void compile(const char *source, const char *options, const char *processor,
                    pm_amd_code *code)
{
    const pm_compiler_limits limits = {.seconds = 60};
    pm_compiler *compiler = pm_compiler_create(&limits, told());
    pm_status status;

    assert_non_null(compiler);
    status = pm_amd_compile(compiler, source, "tile.cl", options, processor, code, told());
    pm_compiler_free(compiler);
    assert_int_equal(status, PM_OK);
}

TEST(test_registers_of_chips)
{
    static const struct {
        const char *processor, *options;
        unsigned most;
        bool spills;
    } cases[] = {{"gfx906", "-DGROUP=1024", 64, true},
                 {"gfx906", "-DGROUP=64", 256, false},
                 {"gfx90a", "-DGROUP=1024", 128, false},
                 {"gfx1032", "-DGROUP=1024", 128, false}};

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        pm_amd_code code;
        const pm_kernel_resources *taken;

        compile(tile, cases[c].options, cases[c].processor, &code);
        assert_int_equal(code.count, 1);
        taken = &code.kernels[0].taken;
        assert_string_equal(code.kernels[0].kernel, "sums");
        assert_false(code.kernels[0].calls);
        assert_true(taken->registers <= cases[c].most);
        assert_int_equal(taken->spilled > 0, cases[c].spills);
        assert_int_equal(taken->inside.loads + taken->outside.loads > 0, cases[c].spills);
        assert_true(taken->inside.instructions >= 50);
        pm_memory_free(&code.memory);
    }
}

TEST(test_refused)
{
    const pm_compiler_limits limits = {.seconds = 60};
    pm_compiler *compiler = pm_compiler_create(&limits, told());
    pm_amd_code code;

    assert_int_equal(pm_amd_compile(compiler, "kernel void k() { no_such(); }", "bad.cl", "",
                                    "gfx906", &code, told()),
                     PM_FAILED);
    pm_memory_free(&code.memory);
    assert_non_null(strstr(last_error.text, "for gfx906: bad.cl:1:"));
    assert_int_equal(
        pm_amd_compile(compiler, "kernel void k() { }", "no.cl", "", "gfx999", &code, told()),
        PM_FAILED);
    pm_memory_free(&code.memory);
    pm_compiler_free(compiler);
    assert_non_null(strstr(last_error.text, "gfx999"));
}
