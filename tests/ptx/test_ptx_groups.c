/* Products of a warp group (wgmma) of matrices in shared memory are those of plain loops.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "kernel_run.h"

enum { THREADS = 128, M = 64, N = 8, K = 16, B_AT = 2048, TILE_BYTES = 4096, EACH = 32 };

static int a_at(unsigned row, unsigned k)
{
    return (int)((row * 5 + k * 3) % 9) - 4;
}

static int b_at(unsigned k, unsigned column)
{
    return (int)((k * 7 + column * 2) % 7) - 3;
}

/* Bits of a small whole number as f16. */
static uint16_t half_of(int value)
{
    static const uint16_t sizes[] = {0, 0x3c00, 0x4000, 0x4200, 0x4400};

    return (uint16_t)(sizes[abs(value)] | (value < 0 ? 0x8000 : 0));
}

/* Offset of element k of a line, whose elements follow each other. Without a swizzle 8 lines of 16
 * bytes are a block; the second half of the elements follows 128 bytes later. With the swizzle of
 * 32 bytes, lines of 32 bytes follow each other, and the halves of lines 4 to 7 are exchanged. */
static unsigned place_of(unsigned line, unsigned k, bool swizzled)
{
    return swizzled ? line * 32 + (k / 8 ^ (line / 4 & 1)) * 16 + k % 8 * 2
                    : line / 8 * 256 + k / 8 * 128 + line % 8 * 16 + k % 8 * 2;
}

static const uint8_t *tile_of(bool swizzled)
{
    uint8_t *tile = room(TILE_BYTES, 1);
    uint16_t bits;

    for (unsigned line = 0; line < M; line++)
        for (unsigned k = 0; k < K; k++) {
            bits = half_of(a_at(line, k));
            memcpy(tile + place_of(line, k, swizzled), &bits, sizeof bits);
            bits = half_of(b_at(k, line % N));
            if (line < N)
                memcpy(tile + B_AT + place_of(line, k, swizzled), &bits, sizeof bits);
        }
    return tile;
}

/* Computes D = A B, and with `twice` D = D - A B after that. from_registers: A is in registers. */
static void check(const pm_counter_table *table, bool swizzled, bool from_registers, bool twice)
{
    /* fields of the descriptors, in units of 16 bytes: 128 bytes between halves, 256 between blocks
     * of 8 lines; the number of the swizzle */
    const uint64_t fields =
        UINT64_C(8) << 16 | UINT64_C(16) << 32 | (swizzled ? UINT64_C(3) << 62 : 0);
    const char *a = from_registers ? "{%r20,%r21,%r22,%r23}" : "%b1";
    const char *list = from_registers ? "" : "0, ";
    suite_counts counts;
    const float *found;
    char code[2400];

    snprintf(
        code, sizeof code,
        "mad.lo.u32 %%at, %%l, 32, %%tile;\n"
        "ld.global.v4.b32 {%%r0,%%r1,%%r2,%%r3}, [%%p];\n"
        "ld.global.v4.b32 {%%r4,%%r5,%%r6,%%r7}, [%%p+16];\n"
        "st.shared.v4.b32 [%%at], {%%r0,%%r1,%%r2,%%r3};\n"
        "st.shared.v4.b32 [%%at+16], {%%r4,%%r5,%%r6,%%r7};\n"
        "fence.proxy.async.shared::cta; bar.sync 0;\n"
        /* without a swizzle, ldmatrix reads the fragment of the warp: blocks of 128 bytes are in
         * the order of rows 0 to 7 with k 0 to 7, with k 8 to 15, rows 8 to 15 */
        "shr.u32 %%r8, %%l, 5; and.b32 %%r9, %%l, 31; mad.lo.u32 %%r8, %%r8, 512, %%tile;\n"
        "mad.lo.u32 %%r8, %%r9, 16, %%r8;\n"
        "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%%r20,%%r22,%%r21,%%r23}, [%%r8];\n"
        "cvt.u64.u32 %%b0, %%tile; and.b64 %%b0, %%b0, 0x3ffff; shr.u64 %%b0, %%b0, 4;\n"
        "or.b64 %%b1, %%b0, 0x%llx; add.s64 %%b2, %%b1, %d;\n"
        "mov.b32 %%r10, 0; mov.b32 %%r11, 0; mov.b32 %%r12, 0; mov.b32 %%r13, 0;\n"
        "setp.ne.u32 %%c0, %%tile, %%tile;\nwgmma.fence.sync.aligned;\n"
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%%r10,%%r11,%%r12,%%r13}, %s, %%b2, "
        "%%c0, 1, 1, %s0;\n"
        "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n",
        (unsigned long long)fields, B_AT / 16, a, list);
    if (twice)
        snprintf(code + strlen(code), sizeof code - strlen(code),
                 "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%%r10,%%r11,%%r12,%%r13}, %s, "
                 "%%b2, 1, -1, 1, %s0;\nwgmma.wait_group.sync.aligned 0;\n",
                 a, list);
    snprintf(code + strlen(code), sizeof code - strlen(code),
             "st.global.v4.b32 [%%q], {%%r10,%%r11,%%r12,%%r13};\n");
    found = run_text(table, kernel_of(code, EACH, 16), THREADS,
                     (input[]){{tile_of(swizzled), TILE_BYTES}, {NULL, (size_t)THREADS * 16}}, 2,
                     &counts);
    for (unsigned t = 0; t < THREADS; t++)
        for (unsigned i = 0; i < 4; i++) {
            const unsigned row = t / 32 * 16 + t % 32 / 4 + i / 2 * 8, column = t % 4 * 2 + i % 2;
            int sum = 0;

            for (unsigned k = 0; k < K; k++)
                sum += a_at(row, k) * b_at(k, column);
            assert_int_equal((int)found[t * 4 + i], twice ? 0 : sum);
        }
    assert_int_equal(counter(table, &counts, "inst_tensor"), twice ? 8 : 4);
    assert_int_equal(counter(table, &counts, "tensor_f16"), (twice ? 2 : 1) * M * N * K);
    assert_int_equal(counter(table, &counts, "tensor_warp"), 0);
}

TEST(groups_multiply_matrices_in_shared_memory)
{
    if (!engine_is_there())
        skip();
    for (unsigned k = 0; k < 4; k++)
        check(*state, k % 2, false, k / 2);
}

TEST(groups_multiply_matrices_in_registers)
{
    if (!engine_is_there())
        skip();
    check(*state, false, true, false);
    check(*state, false, true, true);
}

TEST_MAIN(open_table, close_table)
