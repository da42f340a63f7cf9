/* PTX that cannot be traced is refused in one line, with the file, the line, the instruction and
 * what to do.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "compiler/ptx/emit/compile.h"
#include "unit.h"

static const char head[] = ".version 8.5\n.target sm_90\n.address_size 64\n";
/* The body of a kernel begins in line 7. */
static const char begin[] = ".visible .entry k(.param .u64 in, .param .u32 n) {\n"
                            ".reg .b64 %rd<9>; .reg .b32 %r<9>; .reg .f32 %f<9>;\n"
                            ".reg .b16 %h<9>; .reg .pred %p<9>;\n";

typedef struct {
    bool is_body; /* true: `text` is in the body of a kernel; false: behind the head */
    const char *text, *message;
} refusal;

static const refusal refusals[] = {
    {true, "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f0}, {%r0}, {%r1}, {%f0};",
     "k.ptx:7: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32: it needs more registers than "
     "the 1 that it has"},
    {true, "mma.sync.aligned.m16n8k24.row.col.f32.f16.f16.f32 {%f0}, {%r0}, {%r1}, {%f0};",
     "the modifier .m16n8k24 cannot be traced"},
    {true, "mma.sync.aligned.m16n8k8.row.col.f32.f16.s8.f32 {%f0}, {%r0}, {%r1}, {%f0};",
     "a product of this shape and these types cannot be traced"},
    {true, "mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f0}, {%r0}, {%r1}, {%f0}, %r2;",
     "the modifier .sp cannot be traced"},
    {true, "tcgen05.wait::ld.sync.aligned;", "tensor cores of this generation cannot be traced"},
    {true, "cp.async.cg.shared.global [%r0], [%rd0], 12;",
     "k.ptx:7: cp.async.cg.shared.global: it needs .ca or .cg, two addresses and the number 4, 8 "
     "or "
     "16"},
    {true, "cp.async.wait_group;", "cp.async.wait_group: it needs a number of groups"},
    {true, "tex.2d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [%rd0, {%f0, %f1}];",
     "textures and surfaces cannot be traced from PTX; pass the array itself"},
    {true, "\n\nfrobnicate.b32 %r0, %r1;",
     "k.ptx:9: frobnicate.b32: this instruction is not known"},
    {true, "add.odd.s32 %r0, %r1, %r2;",
     "k.ptx:7: add.odd.s32: the modifier .odd cannot be traced"},
    {true, "add.pred %p0, %p1, %p2;", "k.ptx:7: add.pred: its type cannot be traced"},
    {true, "add %r0, %r1, %r2;", "k.ptx:7: add: its type cannot be traced"},
    {true, "add.s32 %r0, %r1;", "k.ptx:7: add.s32: it needs 3 to 3 operands, and has 2"},
    {true, "add.s64 %rd0, %rd1, %r2;",
     "k.ptx:7: add.s64: register %r2 is .b32, which is no operand of type .s64"},
    {true, "add.s64 %r0, %rd1, %rd2;",
     "k.ptx:7: add.s64: register %r0 is .b32, which takes no result of type .s64"},
    {true, "mov.u32 %r0, %p1;", "register %p1 is .pred, which is no operand of type .u32"},
    {true, "mov.u32 %r0, %r99;", "k.ptx:7: mov.u32: the value of %r99 is not known in a trace"},
    {true, "mov.u32 %r0, %total_smem_size;", "the value of %total_smem_size is not known"},
    {true, "mov.u32 %r0, missing;", "k.ptx:7: mov.u32: missing is not declared"},
    {true, "@%r0 mov.u32 %r1, 5;", "k.ptx:7: %r0 is no predicate"},
    {true, "bra nowhere;", "k.ptx:7: bra: there is no label nowhere"},
    {true, "ld.global.u32 %r0, %r1;",
     "k.ptx:7: ld.global.u32: it needs an address such as [%rd1+4]"},
    {true, "ld.global.v2.u32 %r0, [%rd1];", "ld.global.v2.u32: it needs 2 registers"},
    {true, "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%r0], [%rd0], 16;",
     "k.ptx:7: cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes: it needs two "
     "addresses, a size and a barrier"},
    {true,
     "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%r0], "
     "[%rd0], 16, [%r1], %h1;",
     "copies to several blocks of a cluster cannot be traced; compile the kernel for clusters of "
     "one block"},
    {true,
     "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r0], [%r2], 16, "
     "[%r1];",
     "copies between the blocks of a cluster cannot be traced"},
    {true, "cp.async.bulk.global.shared::cta [%rd0], [%r0], 16;",
     "it needs .mbarrier::complete_tx::bytes or .bulk_group"},
    {true, "cp.reduce.async.bulk.global.shared::cta.bulk_group.u32 [%rd0], [%r0], 16;",
     "it needs an operation such as .add and a type"},
    {true,
     "cp.async.bulk.tensor.3d.shared::cta.global.im2col.mbarrier::complete_tx::bytes [%r0], [%rd0, "
     "{%r1, %r2, %r3}], [%r4], {%h1};",
     "only boxes in tile mode can be traced, no im2col, gather or scatter"},
    {true,
     "cp.async.bulk.tensor.2d.shared::cta.global.mbarrier::complete_tx::bytes [%r0], [%rd0, "
     "{%r1}], [%r4];",
     "it needs [map, {coordinates}] with as many coordinates as dimensions, an address and a "
     "barrier"},
    {true, "cp.async.bulk.tensor.2d.shared::cta.global.mbarrier::complete_tx::bytes [%r0];",
     "it needs [map, {coordinates}]"},
    {true, "tensormap.replace.tile.rank.shared::cta.b1024.b32 [%rd0], 0, 1;",
     "it needs a field of a tensor map, and the field's operands"},
    {true, "cp.async.odd.shared.global [%r0], [%rd0], 16;",
     "cp.async.odd.shared.global: this form of an asynchronous copy is not known"},
    {true, "call.uni %rd0;", "calls by the address of a function cannot be traced"},
    {true, "bar.arrive 1;", "it needs a barrier, and for .arrive a number of threads"},
    {true, "mbarrier.init.shared.b64 [%r0];", "it needs the address of a barrier and a number"},
    {true, "atom.global.add.u16 %h0, [%rd0], %h1;", "atomics of this type cannot be traced"},
    {true, "atom.global.max.f32 %f0, [%rd0], %f1;", "floating-point numbers have only .add"},
    {true, "shfl.up.b32 %r0, %r1, %r2, %r3;", "compile for compute capability 7.0 or later"},
    {true, "setp.lo.f32 %p0, %f0, %f1;", "it has no comparison for numbers of type .f32"},
    {true, "add.s32 %r0, %r1, %r2", "; after an operand of add is expected, and not }"},
    {true, "add.s32 %r0, [%r1, %r2;", "k.ptx:7: a comma or ] after an operand is expected"},
    {true, "mov.f32 %f0, 0f12;", "k.ptx:7: a floating-point number needs 8 hexadecimal digits"},
    {true, "mov.u32 %r0, \x01;", "k.ptx:7: PTX has no character with code 1"},
    {false, ".visible .entry k() .reqnctapercluster 2, 1, 1 { ret; }",
     "clusters of several blocks (.reqnctapercluster) cannot be traced"},
    {false, ".visible .entry k(.param .u64 p) { ret;",
     "k.ptx:5: } at the end of a function is expected, and not the end of the file"},
    {false, ".global .texref t;", "variables of type .texref cannot be traced"},
    {false, ".shared .b8 a[3000000000];", "the variable a is larger than 1 GiB"},
    {false, ".global .u32 a[2] = {1, 2, 3};", "a has more initial values than elements"},
    {false, ".address_size 32", "addresses of 32 bits cannot be traced: compile for 64 bits"},
    {false, ".func f(.reg .b32 a) { ret; }", "parameters in registers cannot be traced"},
};

static void expect_refusal(const char *ptx, const char *message)
{
    const pm_ptx_request request = {.text = ptx, .path = "k.ptx"};
    LLVMContextRef context = LLVMContextCreate();
    pm_error err = {0};
    LLVMModuleRef module = pm_ptx_compile(context, &request, &err);

    if (module)
        LLVMDisposeModule(module);
    LLVMContextDispose(context);
    if (module || err.status != PM_BAD_INPUT || !strstr(err.text, message) ||
        strncmp(err.text, "k.ptx:", 6) != 0 || strchr(err.text, '\n'))
        fail_msg("the message is: %s\nwanted: %s", module ? "(none)" : err.text, message);
}

TEST(what_cannot_be_traced_is_refused)
{
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        const refusal *r = &refusals[i];
        char *ptx = room(4096, 1);

        snprintf(ptx, 4096, "%s%s%s\n%s", head, r->is_body ? begin : "", r->text,
                 r->is_body ? "}\n" : "");
        expect_refusal(ptx, r->message);
    }
}

TEST(a_text_that_is_no_ptx_is_refused)
{
    expect_refusal("__kernel void k() {}", "k.ptx: PTX begins with the directive .version");
}

/* A register gets two parameters one after the other, so that the second is not known as a pointer.
 * The address is then made of an integer argument. */
TEST(an_address_of_an_unknown_argument_is_translated)
{
    char *ptx = room(4096, 1);
    const pm_ptx_request request = {.text = ptx, .path = "k.ptx"};
    LLVMContextRef context = LLVMContextCreate();
    pm_error err = {0};
    LLVMModuleRef module;

    snprintf(ptx, 4096,
             "%s.entry k(.param .u64 a, .param .u64 b) {\n.reg .b64 %%rd<4>; .reg .b32 %%r<2>;\n"
             "ld.param.u64 %%rd1, [a];\nld.param.u64 %%rd1, [b];\nmov.u32 %%r1, %%tid.x;\n"
             "mul.wide.u32 %%rd2, %%r1, 4;\nadd.s64 %%rd3, %%rd1, %%rd2;\n"
             "st.global.u32 [%%rd3], %%r1;\nret;\n}\n",
             head);
    module = pm_ptx_compile(context, &request, &err);
    assert_non_null(module);
    LLVMDisposeModule(module);
    LLVMContextDispose(context);
}

/* A kernel that is not requested is not translated, and need not be traceable. */
TEST(other_kernels_are_not_checked)
{
    const char *const wanted = "good";
    char *ptx = room(4096, 1);
    const pm_ptx_request request = {
        .text = ptx, .path = "k.ptx", .kernels = &wanted, .kernel_count = 1};
    LLVMContextRef context = LLVMContextCreate();
    pm_error err = {0};
    LLVMModuleRef module;

    snprintf(ptx, 4096, "%s.entry bad() { frobnicate; }\n.entry good() { ret; }\n", head);
    module = pm_ptx_compile(context, &request, &err);
    assert_non_null(module);
    LLVMDisposeModule(module);
    LLVMContextDispose(context);
}

TEST_MAIN(NULL, NULL)
