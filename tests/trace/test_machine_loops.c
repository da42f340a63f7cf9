/* Which loops of machine code are over vectors of work-items, from the text of their instructions.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/trace/backend/cpu/machine_loops.h"

#include <math.h>

#include "unit.h"

enum { BYTES = 4, MOST = 64 }; /* of an instruction, as all are here */

/* Lanes of a function of these instructions, one a line. */
static double lanes_of(const char *text)
{
    pm_machine_instruction code[MOST];
    pm_memory memory = {0};
    size_t count = 0;
    double lanes;

    for (const char *at = text; *at; at += strcspn(at, "\n") + 1) {
        char line[96];

        snprintf(line, sizeof line, "%.*s", (int)strcspn(at, "\n"), at);
        code[count] = pm_machine_instruction_of(line, count * BYTES, BYTES);
        assert_true(++count < MOST);
    }
    lanes = pm_machine_loops_lanes(&memory, code, count);
    pm_memory_free(&memory);
    return lanes;
}

#define SCALAR "\tvmulss\t(%rax), %xmm0, %xmm1\n\tvaddss\t%xmm1, %xmm2, %xmm1\n"
#define VECTOR "\tvmulps\t(%rax), %ymm0, %ymm1\n\tvaddps\t%ymm1, %ymm2, %ymm1\n"
#define LOOP_BACK "\taddq\t$4, %rax\n\tjne\t-16\n" /* of four instructions */

TEST(instructions_are_of_one_number_or_of_several)
{
    static const struct {
        const char *text;
        pm_machine_kind kind;
        unsigned lanes;
    } cases[] = {
        {"\tvaddps\t%ymm1, %ymm2, %ymm1", PM_MACHINE_VECTOR, 8},
        {"\tvaddpd\t%ymm1, %ymm2, %ymm1", PM_MACHINE_VECTOR, 4},
        {"\tmulps\t%xmm1, %xmm2", PM_MACHINE_VECTOR, 4},
        {"\tvpaddd\t(%rax), %ymm2, %ymm1", PM_MACHINE_VECTOR, 8},
        {"\tvpabsd\t%ymm2, %ymm1", PM_MACHINE_VECTOR, 8},
        {"\tvmovups\t%ymm1, (%rdi,%rax,4)", PM_MACHINE_VECTOR, 8},
        {"\tvaddss\t%xmm1, %xmm2, %xmm1", PM_MACHINE_SCALAR, 1},
        {"\tvsqrtsd\t%xmm1, %xmm2, %xmm1", PM_MACHINE_SCALAR, 1},
        {"\tvcvttss2si\t%xmm1, %eax", PM_MACHINE_SCALAR, 1},
        {"\timull\t%ecx, %eax", PM_MACHINE_INTEGER, 1},
        {"\tmovq\t(%rax), %rcx", PM_MACHINE_OTHER, 1},
        {"\tvmovaps\t%ymm1, %ymm2", PM_MACHINE_OTHER, 1},
        {"\tvxorps\t%xmm1, %xmm1, %xmm1", PM_MACHINE_OTHER, 1},
        {"\tvbroadcastss\t(%rax), %ymm1", PM_MACHINE_OTHER, 1},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const pm_machine_instruction found = pm_machine_instruction_of(cases[i].text, 0, BYTES);

        if (found.kind != cases[i].kind || found.lanes != cases[i].lanes)
            fail_msg("%s: kind %d of %u", cases[i].text + 1, (int)found.kind, found.lanes);
    }
}

TEST(jumps_back_are_told_from_others)
{
    assert_int_equal(pm_machine_instruction_of("\tjne\t-16", 12, 4).target, 0);
    assert_true(pm_machine_instruction_of("\tjne\t16", 12, 4).target == SIZE_MAX);
    /* before the function's start */
    assert_true(pm_machine_instruction_of("\tjne\t-160", 12, 4).target == SIZE_MAX);
}

TEST(a_loop_is_of_vectors_by_its_arithmetic)
{
    assert_true(lanes_of(SCALAR LOOP_BACK) == 1);
    assert_true(lanes_of(VECTOR LOOP_BACK) == 8);
    assert_true(lanes_of(VECTOR) == 8); /* unrolled whole */
    assert_true(lanes_of("") == 0);
}

/* What is left of the work-items goes through a copy of the loop, one by one. */
TEST(the_rest_of_a_loop_does_not_count)
{
    assert_true(lanes_of(VECTOR LOOP_BACK SCALAR LOOP_BACK) == 8);
}

/* A loop of other arithmetic does, by its length. */
TEST(other_loops_do)
{
    static const char both[] =
        VECTOR LOOP_BACK SCALAR SCALAR SCALAR "\taddq\t$4, %rax\n\tjne\t-32\n";

    assert_true(fabs(lanes_of(both) - (4 + 8) / (4 / 8.0 + 8)) < 1e-9);
}

TEST_MAIN(NULL, NULL)
