/* Finds the basic blocks of a PTX function. See tree.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/strings.h"
#include "compiler/ptx/tree.h"

/* Returns whether the basic block ends with this instruction, so that the next instruction begins
 * another. */
static bool ends_block(const pm_ptx_instruction *i)
{
    static const char *const ends[] = {"bra", "brx", "ret", "exit", "trap", NULL};

    return pm_listed(ends, i->opcode);
}

size_t pm_ptx_first_number(const pm_ptx_module *module, const pm_ptx_function *function)
{
    size_t number = 0;

    for (size_t f = 0; f < function->number; f++)
        number += module->functions[f]->instruction_count;
    return number;
}

/* Sets begins[k] to true for the instruction k that follows the label `name`, to which instruction
 * i jumps. If the label is a list of labels (.branchtargets), does so for all labels of the
 * list. */
static void mark_target(const pm_ptx_function *f, const pm_ptx_instruction *i, const char *name,
                        bool *begins)
{
    const pm_ptx_label *label = name ? pm_ptx_find_label(f, i->scope, name) : NULL;

    if (!label)
        return;
    begins[label->at] = true;
    for (size_t t = 0; t < label->target_count; t++) {
        const pm_ptx_label *target = pm_ptx_find_label(f, i->scope, label->targets[t]);

        if (target)
            begins[target->at] = true;
    }
}

size_t *pm_ptx_find_blocks(pm_memory *memory, const pm_ptx_function *function)
{
    const size_t count = function->instruction_count;
    size_t *first = pm_take(memory, count + 1, sizeof *first);
    bool *begins = pm_take(memory, count + 1, sizeof *begins);

    begins[0] = true;
    for (size_t k = 0; k < count; k++) {
        const pm_ptx_instruction *i = &function->instructions[k];

        if (!ends_block(i))
            continue;
        begins[k + 1] = true;
        for (size_t o = 0; o < i->operand_count; o++)
            mark_target(function, i, i->operands[o].text, begins);
    }
    for (size_t k = 1; k < count; k++)
        first[k] = begins[k] ? k : first[k - 1];
    return first;
}
