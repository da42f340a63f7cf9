/* Machine code is parsed, and its blocks are counted by the PTX blocks from which they were made.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/sass/sass.h"
#include "rng.h"
#include "unit.h"

enum { MOST = 64 };

static pm_memory memory;
static pm_ptx_origin origins[MOST];

static int forget(void **state)
{
    (void)state;
    pm_memory_free(&memory);
    memset(origins, 0, sizeof origins);
    return 0;
}

/* Says that PTX instruction `from` to `to` are one basic block. */
static void block(uint32_t from, uint32_t to)
{
    for (uint32_t n = from; n <= to; n++)
        origins[n] = (pm_ptx_origin){.block = from};
}

typedef struct {
    const char *text;
    pm_sass_program program;
} job;

static void read_text(void *user)
{
    job *j = user;

    j->program = pm_sass_read(&memory, j->text, origins, MOST);
}

static const pm_sass *read_kernel(const char *text)
{
    job j = {.text = text};

    assert_ok(pm_attempt(&memory, read_text, &j, &last_error) == PM_OK);
    assert_int_equal(j.program.count, 1);
    assert_string_equal(j.program.names[0], "k");
    assert_null(pm_sass_of(&j.program, "other"));
    return pm_sass_of(&j.program, "k");
}

/* Executions of the PTX block that begins with instruction `home`: by warps, and by threads. */
typedef struct {
    uint32_t home;
    double warps, items, parted;
} executed;

static pm_sass_total count(const pm_sass *sass, const executed *blocks, size_t n)
{
    pm_sass_counter *counter = pm_sass_counter_create(sass);
    pm_sass_total total;

    assert_non_null(counter);
    pm_sass_clear(counter);
    for (size_t k = 0; k < n; k++) {
        const pm_sass_executions e = {blocks[k].warps, blocks[k].items, blocks[k].parted};

        pm_sass_add(counter, blocks[k].home, &e, true);
    }
    total = pm_sass_sum(counter);
    pm_sass_counter_free(counter);
    return total;
}
#define COUNT(sass, ...)                                                                           \
    count(sass, (const executed[]){__VA_ARGS__},                                                   \
          sizeof((const executed[]){__VA_ARGS__}) / sizeof(executed))

#define HEAD "\t.section\t.text.k,\"ax\",@progbits\nk:\n.text.k:\n"
#define LINE(n) "\t//## File \"kernel.ptx\", line " #n "\n"
#define I(text) "        /*0000*/                   " text " ;\n"

TEST_WITH(classes, NULL, forget)
{
    static const char text[] = HEAD LINE(1) I("LDC R1, c[0x0][0x28]") LINE(2)
        I("FFMA R2, R3, R4, R5") I("FADD R2, R3, R4") LINE(3) I("DFMA R2, R4, R6, R8") LINE(4)
            I("IMAD.WIDE R2, R3, 0x4, R4") I("IADD3 R2, R3, R4, RZ") LINE(5)
                I("LDG.E R2, desc[UR4][R2.64]") I("MUFU.RCP R1, R2") LINE(6)
                    I("F2I.TRUNC.NTZ R1, R2") I("UIADD3 UR4, UR5, UR6, URZ") LINE(7)
                        I("STL [R1], R2") I("EXIT") ".L_x_0:\n" I("BRA `(.L_x_0)");
    pm_sass_total total;

    block(0, 6);
    total = COUNT(read_kernel(text), {0, 2, 50, 0});
    assert_float_equal(total.warps.total, 2 * 12, 0);
    assert_float_equal(total.thread_total, 50 * 12, 0);
    assert_float_equal(total.items.fp32, 50 * 3, 0);
    assert_float_equal(total.items.flop32, 50 * 3, 0);
    assert_float_equal(total.items.flop64, 50 * 2, 0);
    assert_float_equal(total.items.integer, 50 * 2, 0);
    assert_float_equal(total.items.special, 50 * 2, 0);
    assert_float_equal(total.items.conversion, 50, 0);
    assert_float_equal(total.items.memory, 50 * 3, 0);
    assert_float_equal(total.warps.branches, 2, 0);
    assert_float_equal(total.warps.fma, 2 * 3, 0);
    assert_float_equal(total.spill_stores, 2, 0);
    assert_float_equal(total.spill_loads, 0, 0);
}

/* A loop whose body has an access and a sum is unrolled four times. Two copies follow it, and then
 * a loop of one copy. The blocks before and between them test how many iterations are left. */
static const char unrolled[] = HEAD LINE(1) I("S2R R0, SR_TID.X") LINE(2) I("MOV R1, RZ") LINE(5)
    I("ISETP.GT.AND P1, PT, R8, 0x3, PT") LINE(
        6) "        /*0000*/ @!P1 BRA `(.L_x_2) ;\n"
           ".L_x_1:\n" LINE(3) I("LDG.E R2, desc[UR4][R2.64]") LINE(4) I("FADD R5, R2, R5") LINE(
               3) I("LDG.E R2, desc[UR4][R2.64+0x4]") LINE(4) I("FADD R5, R2, R5") LINE(3)
               I("LDG.E R2, desc[UR4][R2.64+0x8]") LINE(4) I("FADD R5, R2, R5") LINE(3) I(
                   "LDG.E R2, desc[UR4][R2.64+0xc]") LINE(4) I("FADD R5, R2, R5") LINE(5)
                   I("ISETP.GT.AND P1, PT, R8, 0x3, PT") LINE(
                       6) "        /*0000*/ @P1 BRA `(.L_x_1) ;\n"
                          ".L_x_2:\n" LINE(5) I("ISETP.GT.AND P1, PT, R8, 0x1, PT")
                              LINE(6) "        /*0000*/ @!P1 BRA `(.L_x_3) ;\n" LINE(3) I(
                                  "LDG.E R2, desc[UR4][R2.64]") LINE(4) I("FADD R5, R2, R5") LINE(3)
                                  I("LDG.E R2, desc[UR4][R2.64+0x4]") LINE(4) I(
                                      "FADD R5, R2, R5") ".L_x_3:\n" LINE(5)
                                      I("ISETP.NE.AND P1, PT, R8, RZ, PT") LINE(
                                          6) "        /*0000*/ @!P1 BRA `(.L_x_4) ;\n"
                                             ".L_x_5:\n" LINE(3)
                                                 I("LDG.E R2, desc[UR4][R2.64]") LINE(4) I(
                                                     "FADD R5, R2, R5") LINE(5)
                                                     I("ISETP.NE.AND P1, PT, R8, RZ, PT") LINE(
                                                         6) "        /*0000*/ @P1 BRA `(.L_x_5) ;\n"
                                                            ".L_x_4:\n" LINE(7)
                                                                I("STG.E desc[UR4][R2.64], R5")
                                                                    LINE(8) I("EXIT");

TEST_WITH(unrolled_loop, NULL, forget)
{
    const pm_sass *sass;
    pm_sass_total total;

    block(0, 1);
    block(2, 5);
    block(6, 7);
    sass = read_kernel(unrolled);
    /* 11 iterations: two of the unrolled loop (10 instructions), two copies (4), one iteration of
     * the rest (4); 4 instructions before, 2 + 2 tests, 2 behind */
    total = COUNT(sass, {0, 8, 256, 0}, {2, 88, 2816, 0}, {6, 8, 256, 0});
    assert_float_equal(total.items.fp32, 11 * 256, 1e-9);
    assert_float_equal(total.items.memory, 11 * 256 + 256, 1e-9);
    assert_float_equal(total.warps.total, 8 * (4 + 2 * 10 + 2 + 4 + 2 + 4 + 2), 1e-9);
    /* 8 iterations need no rest */
    total = COUNT(sass, {0, 8, 256, 0}, {2, 64, 2048, 0}, {6, 8, 256, 0});
    assert_float_equal(total.items.fp32, 8 * 256, 1e-9);
    assert_float_equal(total.warps.total, 8 * (4 + 2 * 10 + 2 + 2 + 2), 1e-9);
}

/* Threads of a warp take both sides of a branch, and wait for each other after it. */
TEST_WITH(divergence, NULL, forget)
{
    static const char text[] = HEAD LINE(1) I("S2R R0, SR_TID.X") LINE(2)
        I("BSSY B0, `(.L_x_2)") "        /*0000*/ @P0 BRA `(.L_x_1) ;\n" LINE(3)
            I("STG.E desc[UR4][R2.64], R5") LINE(4) I("BRA `(.L_x_3)") ".L_x_1:\n" LINE(5)
                I("STG.E desc[UR4][R2.64], R6") ".L_x_3:\n" I("BSYNC B0") ".L_x_2:\n" LINE(6)
                    I("EXIT");
    const pm_sass *sass;
    pm_sass_total total;

    block(0, 1);
    block(2, 3);
    block(4, 4);
    block(5, 5);
    sass = read_kernel(text);
    total = COUNT(sass, {0, 10, 320, 10}, {2, 10, 160, 0}, {4, 10, 160, 0}, {5, 10, 320, 0});
    /* BSYNC is executed once by each side */
    assert_float_equal(total.warps.total, 10 * (3 + 2 + 1 + 2 + 1), 1e-9);
    assert_float_equal(total.thread_total, 320 * 3 + 160 * 2 + 160 + 320 + 320, 1e-9);
    total = COUNT(sass, {0, 10, 320, 0}, {2, 4, 128, 0}, {4, 6, 192, 0}, {5, 10, 320, 0});
    assert_float_equal(total.warps.total, 10 * 3 + 4 * 2 + 6 + 10 + 10, 1e-9);
}

/* A division calls a function for operands near the limits. The call is taken as never executed. */
TEST_WITH(rare_call, NULL, forget)
{
    static const char text[] =
        HEAD LINE(1) I("LDG.E R2, desc[UR4][R2.64]") LINE(2) I("MUFU.RCP R1, R2")
            I("FCHK P0, R2, R3") "        /*0000*/ @!P0 BRA `(.L_x_1) ;\n" I("MOV R4, 0x0")
                I("CALL.REL.NOINC `($k$slow)") ".L_x_1:\n" LINE(3) I("STG.E desc[UR4][R2.64], R5")
                    I("EXIT") "$k$slow:\n" LINE(2) I("FMUL R1, R2, R3") I("RET.REL.NODEC R4 `(k)");
    pm_sass_total total;

    block(0, 2);
    total = COUNT(read_kernel(text), {0, 3, 96, 0});
    assert_float_equal(total.warps.total, 3 * 6, 1e-9);
}

TEST_WITH(no_code, NULL, forget)
{
    job j = {.text = "nothing\n"};

    assert_int_equal(pm_attempt(&memory, read_text, &j, &last_error), PM_BAD_INPUT);
    assert_string_equal(last_error.text, "the text that nvdisasm printed has no machine code");
}

/* Wrong text ends neither the process nor the sums' being numbers. */
TEST_WITH(damaged, NULL, forget)
{
    const size_t length = sizeof unrolled - 1;
    gsl_rng *rng = rng_of(1);
    char *text = room(length + 1, 1);

    block(0, 1);
    block(2, 5);
    block(6, 7);
    for (int round = 0; round < 2000; round++) {
        job j = {.text = text};

        memcpy(text, unrolled, length + 1);
        for (int n = 0; n < 4; n++) {
            const size_t at = gsl_rng_uniform_int(rng, length);

            if (gsl_rng_uniform_int(rng, 2) == 0)
                text[at] = (char)(1 + gsl_rng_uniform_int(rng, 126));
            else
                memmove(text + at, text + at + (length - at) / 2,
                        length - at - (length - at) / 2 + 1);
        }
        if (pm_attempt(&memory, read_text, &j, &last_error) == PM_OK)
            for (size_t k = 0; k < j.program.count; k++)
                assert_true(
                    COUNT(j.program.kernels[k], {0, 8, 256, 0}, {2, 88, 2816, 0}).warps.total >= 0);
        pm_memory_free(&memory);
    }
}
