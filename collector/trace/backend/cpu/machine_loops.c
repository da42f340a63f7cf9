/* Loops of machine code. See machine_loops.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/trace/backend/cpu/machine_loops.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A round of a loop counts as much as this many of what is around it. */
static const double ROUNDS = 8;
/* Arithmetic of general registers for each of a vector that makes a loop no vectors': addresses and
 * counters are a few. */
static const double INTEGERS = 8;
enum { MNEMONIC = 24 };

/* ---- an instruction -------------------------------------------------------------------------- */

static bool starts_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

static bool ends_with(const char *text, const char *end)
{
    const size_t length = strlen(text), ends = strlen(end);

    return length >= ends && strcmp(text + length - ends, end) == 0;
}

static bool is_of(const char *mnemonic, const char *const *starts)
{
    for (; *starts; starts++)
        if (starts_with(mnemonic, *starts))
            return true;
    return false;
}

/* Bytes of the widest register; 0: none of vectors. */
static unsigned width_of(const char *operands)
{
    return strstr(operands, "%zmm")   ? 64
           : strstr(operands, "%ymm") ? 32
           : strstr(operands, "%xmm") ? 16
                                      : 0;
}

/* Bytes of a number of an integer vector, by the end of the mnemonic. */
static unsigned integer_bytes(const char *mnemonic)
{
    return ends_with(mnemonic, "b")   ? 1
           : ends_with(mnemonic, "w") ? 2
           : ends_with(mnemonic, "q") ? 8
                                      : 4;
}

/* Moves what is in a register to another place there, or makes it 0 or its absolute value: vectors
 * of work-items and single ones are both in the same registers. */
static bool only_moves(const char *mnemonic, const char *operands)
{
    static const char *const shuffles[] = {
        "broadcast", "insert", "extract", "unpck",      "shuf", "perm",  "movh", "movl",
        "movd",      "movq",   "movmsk",  "zero",       "and",  "or",    "xor",  "pinsr",
        "pextr",     "pshuf",  "punpck",  "pbroadcast", "pmov", "pperm", "pack", "palign",
        "pblend",    "blend",  "pand",    "por",        "pxor", "ptest", "test", NULL};

    if (starts_with(mnemonic, "mov") && !strchr(operands, '('))
        return true;
    return is_of(mnemonic, shuffles);
}

static pm_machine_kind kind_of(const char *mnemonic, const char *operands, unsigned *lanes)
{
    static const char *const integers[] = {"add", "sub",  "imul", "mul",  "and", "or",  "xor",
                                           "sh",  "sa",   "cmp",  "test", "not", "neg", "cmov",
                                           "div", "idiv", "bt",   "ro",   NULL};
    const unsigned width = width_of(operands);
    const char *m = *mnemonic == 'v' ? mnemonic + 1 : mnemonic;

    *lanes = 1;
    if (width == 0)
        return is_of(mnemonic, integers) ? PM_MACHINE_INTEGER : PM_MACHINE_OTHER;
    if (only_moves(m, operands))
        return PM_MACHINE_OTHER;
    if (*m != 'p' &&
        (ends_with(m, "ss") || ends_with(m, "sd") || strstr(m, "si2s") || ends_with(m, "2si")))
        return PM_MACHINE_SCALAR;
    *lanes = width / (*m == 'p' ? integer_bytes(m) : ends_with(m, "pd") ? 8 : 4);
    return PM_MACHINE_VECTOR;
}

pm_machine_instruction pm_machine_instruction_of(const char *text, size_t at, size_t bytes)
{
    pm_machine_instruction found = {.at = at, .target = SIZE_MAX};
    char mnemonic[MNEMONIC] = "";
    const char *operands;
    size_t length;

    text += strspn(text, " \t");
    length = strcspn(text, " \t");
    operands = text + length;
    if (length < sizeof mnemonic)
        memcpy(mnemonic, text, length);
    if (*mnemonic == 'j') {
        const long long by = strtoll(operands, NULL, 0);

        if (by < 0 && (size_t)-by <= at + bytes)
            found.target = at + bytes - (size_t)-by;
        return found;
    }
    found.kind = kind_of(mnemonic, operands, &found.lanes);
    return found;
}

/* ---- loops ----------------------------------------------------------------------------------- */

typedef struct {
    size_t first, last; /* instructions */
    unsigned depth;     /* loops that it is in */
    bool innermost;
    double length, vectors, scalars, integers, lanes;
    bool rest; /* of a loop of vectors: what is left of its work-items, or where they may not be */
} machine_loop;

static bool is_within(const machine_loop *inner, const machine_loop *outer)
{
    return inner != outer && inner->first >= outer->first && inner->last <= outer->last &&
           (inner->first > outer->first || inner->last < outer->last);
}

/* Jumps back to one place are one loop. */
static size_t find_loops(const pm_machine_instruction *code, size_t count, machine_loop *loops)
{
    size_t found = 0;

    for (size_t i = 0; i < count; i++) {
        size_t first = 0, k = 0;

        if (code[i].target > code[i].at)
            continue;
        while (first < count && code[first].at < code[i].target)
            first++;
        while (k < found && loops[k].first != first)
            k++;
        if (k == found)
            loops[found++] = (machine_loop){.first = first};
        loops[k].last = i;
    }
    return found;
}

static void describe(const pm_machine_instruction *code, machine_loop *loop)
{
    for (size_t i = loop->first; i <= loop->last; i++) {
        const pm_machine_instruction *one = &code[i];

        loop->length++;
        loop->scalars += one->kind == PM_MACHINE_SCALAR;
        loop->integers += one->kind == PM_MACHINE_INTEGER;
        loop->vectors += one->kind == PM_MACHINE_VECTOR;
        loop->lanes += one->kind == PM_MACHINE_VECTOR ? one->lanes : 0;
    }
    if (loop->vectors > 0 && loop->vectors >= loop->scalars + loop->integers / INTEGERS)
        loop->lanes /= loop->vectors;
    else
        loop->lanes = 1;
}

/* A loop over single work-items beside one of vectors that does the same, once or several times in
 * a round, goes through those that are no whole vector. */
static bool is_rest_of(const machine_loop *single, const machine_loop *vector)
{
    const double ratio = vector->vectors / fmax(single->scalars, 1), near = 1.4;

    if (single->lanes > 1 || !(vector->lanes > 1) || single->depth != vector->depth)
        return false;
    for (unsigned rounds = 1; rounds <= 8; rounds *= 2)
        if (ratio > rounds / near && ratio < rounds * near)
            return single->scalars > 0;
    return false;
}

static void find_rests(machine_loop *loops, size_t count)
{
    for (size_t k = 0; k < count; k++)
        for (size_t j = k > 0 ? k - 1 : 0; j < count && j <= k + 1; j++)
            loops[k].rest |= j != k && is_rest_of(&loops[k], &loops[j]);
}

/* How each loop lies in the others. */
static void nest(machine_loop *loops, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        loops[k].innermost = true;
        for (size_t j = 0; j < count; j++) {
            loops[k].depth += is_within(&loops[k], &loops[j]);
            loops[k].innermost &= !is_within(&loops[j], &loops[k]);
        }
    }
}

/* The innermost ones, moved to the front and described. */
static size_t keep_innermost(const pm_machine_instruction *code, machine_loop *loops, size_t count)
{
    size_t kept = 0;

    for (size_t k = 0; k < count; k++) {
        if (!loops[k].innermost)
            continue;
        loops[kept] = loops[k];
        describe(code, &loops[kept++]);
    }
    return kept;
}

double pm_machine_loops_lanes(pm_memory *memory, const pm_machine_instruction *code, size_t count)
{
    machine_loop *loops = pm_take(memory, count + 1, sizeof *loops);
    size_t found = find_loops(code, count, loops);
    double one = 0, together = 0;

    if (count == 0)
        return 0;
    if (found == 0)
        loops[found++] = (machine_loop){.last = count - 1};
    nest(loops, found);
    found = keep_innermost(code, loops, found);
    find_rests(loops, found);
    for (size_t k = 0; k < found; k++) {
        const double weight =
            loops[k].rest ? 0 : pow(ROUNDS, loops[k].depth) * (double)loops[k].length;

        one += weight;
        together += weight / loops[k].lanes;
    }
    return together > 0 ? one / together : 1;
}
