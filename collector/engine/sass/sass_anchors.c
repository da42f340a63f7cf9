/* Finds how many copies of some PTX code a block of machine code contains, for example after ptxas
 * has unrolled a loop. It counts the memory accesses and barriers that were made from the same PTX
 * instruction, because ptxas neither joins nor drops these when it copies code. See sass_plan.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/sass/sass_plan.h"

/* Returns how many machine instructions of block b are of the same kind as `like`, and made from
 * the same PTX instruction. */
static unsigned count_alike(const pm_sass_code *code, uint32_t b, const pm_sass_instruction *like)
{
    const pm_sass_instruction *first = &code->instructions[code->blocks[b].first];
    unsigned count = 0;

    for (uint32_t n = 0; n < code->blocks[b].count; n++)
        count += first[n].origin == like->origin && first[n].rule == like->rule;
    return count;
}

/* Returns how many such instructions one copy of the PTX instruction has: the fewest of a block. */
static unsigned fewest_alike(const pm_sass_code *code, const pm_sass_instruction *like)
{
    unsigned fewest = 0;

    for (uint32_t b = 0; b < code->block_count; b++) {
        const unsigned count = count_alike(code, b, like);

        fewest = count > 0 && (fewest == 0 || count < fewest) ? count : fewest;
    }
    return fewest;
}

unsigned pm_sass_anchors(const pm_sass *sass, uint32_t b, uint32_t home, bool guarded)
{
    const pm_sass_code *code = &sass->code;
    const pm_sass_instruction *first = &code->instructions[code->blocks[b].first];
    const uint32_t count = code->blocks[b].count;
    unsigned least = 0;

    for (uint32_t k = 0; k < count; k++) {
        const pm_ptx_origin *origin =
            first[k].origin == PM_SASS_NONE ? NULL : &sass->origins[first[k].origin];
        unsigned copies;

        if (!origin || origin->block != home || first[k].rule->flow != PM_SASS_ANCHOR ||
            (guarded && (origin->is_guarded || !first[k].is_guarded)))
            continue;
        copies = count_alike(code, b, &first[k]);
        if (origin->is_several) {
            const unsigned fewest = fewest_alike(code, &first[k]);

            copies = fewest > 0 ? copies / fewest : copies;
        }
        least = least == 0 || copies < least ? copies : least;
    }
    return least;
}
