/* Parts of libclc: a source that is compiled several times with different options gives the same
 * bitcode as if all of libclc were linked each time. Skipped without clang.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <unistd.h>

#include "collector/worker/worker.h"
#include "compiler/run_clang.h"
#include "unit.h"

static const char VECTORS[] = "#define JOIN(a, b) a##b\n"
                              "#define JOINED(a, b) JOIN(a, b)\n"
                              "kernel void k(global float *a)\n"
                              "{\n"
                              "    int i = get_global_id(0);\n"
                              "#if WIDTH > 1\n"
                              "    JOINED(float, WIDTH) x = JOINED(vload, WIDTH)(i, a);\n"
                              "    JOINED(vstore, WIDTH)(FUNCTION(x) * SCALE, i, a);\n"
                              "#else\n"
                              "    a[i] = FUNCTION(a[i]) * SCALE;\n"
                              "#endif\n"
                              "}\n";
/* the square root of CUDA calls a function of libclc */
static const char ROOTS[] = "__global__ void k(float *a)\n"
                            "{\n"
                            "    a[threadIdx.x] = FUNCTION(a[threadIdx.x]) * SCALE;\n"
                            "}\n";

OWNED(worker, pm_worker, pm_worker_free)
OWNED(compiler, pm_compiler, pm_compiler_free)

static char *compile(pm_compiler *compiler, const char *source, const char *path,
                     const char *options, size_t *bytes)
{
    char *bitcode = NULL;

    assert_ok(pm_compile(compiler, source, path, options, &bitcode, bytes, NULL, told()) == PM_OK);
    free_later(bitcode, free);
    return bitcode;
}

/* Returns whether the compiler has a part of libclc for the source. */
static bool has_part(pm_compiler *compiler, const char *path)
{
    char libclc[4096];
    int part;

    assert_int_equal(pm_find_libclc(libclc, sizeof libclc, told()), PM_OK);
    part = pm_libclc_parts_open(pm_compiler_libclc_parts(compiler), path, libclc);
    if (part < 0)
        return false;
    close(part);
    return true;
}

/* Compiles a source with each of the options by a compiler that makes parts, and by one that does
 * not. */
static void compare(const char *source, const char *path, const char *const *options, size_t count)
{
    pm_worker *worker = owned_worker(pm_worker_create(NULL, told()));
    pm_compiler *whole =
        owned_compiler(pm_compiler_create(&(pm_compiler_limits){.seconds = 300}, told()));

    for (size_t i = 0; i < count; i++) {
        size_t bytes[2];
        const char *with = compile(pm_worker_compiler(worker), source, path, options[i], &bytes[0]);
        const char *without = compile(whole, source, path, options[i], &bytes[1]);

        if (bytes[0] != bytes[1] || memcmp(with, without, bytes[0]) != 0)
            fail_msg("%s %s: another bitcode", path, options[i]);
        /* the first three compilations link all of libclc */
        assert_int_equal(has_part(pm_worker_compiler(worker), path), i >= 2);
        assert_false(has_part(whole, path));
    }
}

TEST(parts_give_the_same_bitcode)
{
    static const char *const options[] = {
        "-DWIDTH=2 -DFUNCTION=sqrt -DSCALE=1", "-DWIDTH=2 -DFUNCTION=sqrt -DSCALE=2",
        "-DWIDTH=2 -DFUNCTION=sqrt -DSCALE=3", "-DWIDTH=2 -DFUNCTION=sqrt -DSCALE=4",
        "-DWIDTH=2 -DFUNCTION=sqrt -DSCALE=4 -cl-fast-relaxed-math",
        /* functions that the part lacks */
        "-DWIDTH=4 -DFUNCTION=sin -DSCALE=1", "-DWIDTH=4 -DFUNCTION=sin -DSCALE=2",
        /* no function of libclc */
        "-DWIDTH=1 -DFUNCTION=-1+ -DSCALE=1"};

    compare(VECTORS, "vectors.cl", options, sizeof options / sizeof *options);
}

TEST(parts_serve_cuda)
{
    static const char *const options[] = {
        "-DFUNCTION=sqrtf -DSCALE=1", "-DFUNCTION=sqrtf -DSCALE=2", "-DFUNCTION=sqrtf -DSCALE=3",
        "-DFUNCTION=sqrtf -DSCALE=4", "-DFUNCTION=expf -DSCALE=1",  "-DFUNCTION=expf -DSCALE=2"};

    compare(ROOTS, "roots.cu", options, sizeof options / sizeof *options);
}

/* A part that lacks a function is recognised by the bitcode, which then mentions the function. */
TEST(a_part_that_lacks_a_function_does_not_suffice)
{
    pm_worker *worker = owned_worker(pm_worker_create(NULL, told()));
    pm_compiler *compiler = pm_worker_compiler(worker);
    char libclc[4096], options[64];
    const pm_libclc_names *names;
    size_t bytes[2];
    const char *bitcode[2];
    int part;

    assert_int_equal(pm_find_libclc(libclc, sizeof libclc, told()), PM_OK);
    names = pm_compiler_libclc_names(compiler, libclc);
    for (int i = 0; i < 3; i++) {
        snprintf(options, sizeof options, "-DWIDTH=2 -DFUNCTION=exp -DSCALE=%d", i);
        bitcode[0] = compile(compiler, VECTORS, "vectors.cl", options, &bytes[0]);
    }
    bitcode[1] =
        compile(compiler, VECTORS, "other.cl", "-DWIDTH=4 -DFUNCTION=log -DSCALE=1", &bytes[1]);
    part = pm_libclc_parts_open(pm_compiler_libclc_parts(compiler), "vectors.cl", libclc);
    assert_true(part >= 0);
    assert_true(pm_libclc_parts_suffice(part, names, bitcode[0], bytes[0]));
    assert_false(pm_libclc_parts_suffice(part, names, bitcode[1], bytes[1]));
    assert_false(pm_libclc_parts_suffice(part, names, bitcode[0], 3));
    close(part);
}
