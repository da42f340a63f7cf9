/* Which buffers a kernel does not write, and which have contents that change only computed values.
 * buffer_use.ptx is what nvcc 13.0 makes of buffer_use.cu (nvcc -O3 -arch=sm_80 -ptx).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/file.h"
#include "compiler/ptx/buffer_use.h"
#include "compiler/ptx/describe.h"
#include "unit.h"

#define KERNELS PM_SOURCE_DIR "/tests/ptx/buffer_use.ptx"

/* A letter for each parameter: s, S: the contents change only computed values; k, K: they have to
 * be kept; S, K: the kernel does not write the buffer; -: a value. */
static const struct {
    const char *kernel, *letters;
} expected[] = {
    {"add", "SSs-"},
    {"gather", "KSs"},
    {"count", "KSs"},
    {"branch", "KSs"},
    {"choose", "KKs"},
    {"through_shared", "KSs"},
    {"through_buffer", "KkSs"},
    {"rows", "KSSs"},
    {"lists", "kk"},
    {"queue", "kSs"},
    {"reduce", "Ss"},
    {"called", "kk"},
    /* choose: nvcc compares the elements, and then loads the larger one again by its address;
     * viewed: memory behind a pointer in a struct counts as memory of the struct */
    {"viewed", "-s"},
};

/* The state of a test: PTX with its kernels. */
typedef struct {
    pm_memory memory;
    const char *text;
    pm_ptx_kernel *kernels;
    pm_ptx_buffer_use **uses; /* uses[k]: those of kernels[k] */
    size_t count;
} described;

static void describe_text(void *user)
{
    described *d = user;
    const pm_ptx_module *module = pm_ptx_parse(&d->memory, d->text, "k.ptx");

    d->kernels = pm_ptx_describe(&d->memory, module, &d->count);
    d->uses = pm_take(&d->memory, d->count + 1, sizeof *d->uses);
    for (size_t k = 0; k < d->count; k++)
        d->uses[k] = pm_ptx_find_buffer_use(&d->memory, d->kernels[k].function);
}

static char letter_of(const pm_ptx_kernel_parameter *parameter, pm_ptx_buffer_use use)
{
    if (!parameter->is_pointer)
        return '-';
    return use.has_spare_contents ? (use.is_read_only ? 'S' : 's') : (use.is_read_only ? 'K' : 'k');
}

static void check_kernel(const described *d, const char *name, const char *letters)
{
    const pm_ptx_kernel *kernel = pm_ptx_find_kernel(d->kernels, d->count, name);
    char found[16] = "";

    assert_non_null(kernel);
    for (size_t p = 0; p < kernel->parameter_count; p++)
        found[p] = letter_of(&kernel->parameters[p], d->uses[kernel - d->kernels][p]);
    if (strcmp(found, letters) != 0)
        fail_msg("%s: %s in place of %s", name, found, letters);
}

static void check_text(const char *text, const char *name, const char *letters)
{
    described d = {.text = text};
    pm_error err = {0};

    assert_int_equal(pm_attempt(&d.memory, describe_text, &d, &err), PM_OK);
    if (name)
        check_kernel(&d, name, letters);
    for (size_t k = 0; !name && k < sizeof expected / sizeof *expected; k++)
        check_kernel(&d, expected[k].kernel, expected[k].letters);
    pm_memory_free(&d.memory);
}

TEST(kernels_of_nvcc)
{
    pm_error err = {0};
    char *text;

    assert_int_equal(pm_file_read(KERNELS, 1 << 20, "PTX", &text, &err), PM_OK);
    free_later(text, free);
    check_text(text, NULL, NULL);
}

/* Returns PTX of a kernel with two buffers, a and b, whose addresses are in %rd1 and %rd2. */
static const char *kernel_with(const char *body)
{
    char *text = room(4096, 1);

    snprintf(text, 4096,
             ".version 8.5\n.target sm_90\n.address_size 64\n"
             ".visible .entry k(.param .u64 a, .param .u64 b) {\n"
             ".reg .b64 %%rd<9>; .reg .b32 %%r<9>; .reg .f32 %%f<9>; .reg .pred %%p<9>;\n"
             ".shared .align 16 .b8 tile[1024];\n"
             "ld.param.u64 %%rd1, [a]; ld.param.u64 %%rd2, [b];\n%s\nret;\n}\n",
             body);
    return text;
}

TEST(single_instructions)
{
    static const struct {
        const char *body, *letters;
    } bodies[] = {
        {"ld.global.u32 %r1, [%rd1]; st.global.u32 [%rd2], %r1;", "Ss"},
        {"ld.global.u32 %r1, [%rd1]; setp.gt.s32 %p1, %r1, 3;\n@%p1 mov.u32 %r2, 5;\n"
         "st.global.u32 [%rd2], %r2;",
         "Ss"},
        {"ld.global.u32 %r1, [%rd1]; setp.gt.s32 %p1, %r1, 3;\n@%p1 st.global.u32 [%rd2], 7;",
         "Ks"},
        {"ld.global.u32 %r1, [%rd1]; setp.gt.s32 %p1, %r1, 3;\n@%p1 mov.u64 %rd3, 8;\n"
         "add.s64 %rd4, %rd2, %rd3; st.global.u32 [%rd4], %r1;",
         "Ks"},
        {"ld.global.u32 %r1, [%rd1]; st.shared.u32 [tile], %r1; ld.shared.u32 %r2, [tile+4];\n"
         "mul.wide.u32 %rd3, %r2, 4; add.s64 %rd4, %rd2, %rd3; st.global.u32 [%rd4], 0;",
         "Ks"},
        {"mov.u32 %r1, tile; cp.async.ca.shared.global [%r1], [%rd1], 16;\n"
         "ld.shared.f32 %f1, [tile]; st.global.f32 [%rd2], %f1;",
         "Ss"},
        {"mov.u32 %r1, tile; cp.async.ca.shared.global [%r1], [%rd1], 16;\n"
         "ld.shared.u32 %r2, [tile]; cvt.u64.u32 %rd3, %r2; add.s64 %rd4, %rd2, %rd3;\n"
         "st.global.f32 [%rd4], %f1;",
         "Ks"},
        {"ld.global.u32 %r1, [%rd1]; shfl.sync.down.b32 %r2|%p1, %r1, 1, 31, -1;\n"
         "st.global.u32 [%rd2], %r2;",
         "Ss"},
        {"ld.global.u32 %r1, [%rd1]; setp.gt.s32 %p1, %r1, 3; vote.sync.any.pred %p2, %p1, -1;\n"
         "@%p2 bra LATER; st.global.u32 [%rd2], %r1; LATER:",
         "Ks"},
        {"ld.global.u64 %rd3, [%rd1]; ld.global.u32 %r1, [%rd3]; st.global.u32 [%rd2], %r1;", "kk"},
        {"atom.global.add.u32 %r1, [%rd1], 1; st.global.u32 [%rd2], %r1;", "ss"},
        {"cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%r0], [%rd1], 16, [%r1];\n"
         "ld.global.u32 %r1, [%rd2];",
         "kk"},
    };

    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++)
        check_text(kernel_with(bodies[i].body), "k", bodies[i].letters);
}

TEST_MAIN(NULL, NULL)
