/* Finds for a value the number of instructions until it is used again.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/backend/registers/next_use.h"

#include <stdlib.h>
#include <string.h>

#include "collector/engine/backend/ir/ir.h"

/* Assumed distance, in instructions, of a use in the same loop, if the use is neither in the basic
 * block from which the distance is counted nor in a block that directly follows. */
enum { FAR = 100000 };

uint32_t pm_set_next(const pm_liveness *l, const uint64_t *set, uint32_t from)
{
    size_t w = from / 64;
    uint64_t bits;

    if (from >= l->variable_count)
        return (uint32_t)l->variable_count;
    bits = set[w] >> from % 64 << from % 64;
    while (bits == 0 && ++w < l->set_words)
        bits = set[w];
    return bits ? (uint32_t)(w * 64) + (uint32_t)__builtin_ctzll(bits)
                : (uint32_t)l->variable_count;
}

static void note_use(void *user, uint32_t number)
{
    pm_next_uses *n = user;

    if (n->l->sizes[number] > 0)
        *pm_add(n->memory, n->uses, n->use_count) =
            (pm_use){.variable = number, .position = n->position};
}

/* Lists in n->uses the uses of variables (values of instructions) by the instructions of a basic
 * block, in program order. */
static void list_uses(pm_next_uses *n, LLVMBasicBlockRef block)
{
    n->use_count = 0;
    n->position = 0;
    PM_EACH_INSTRUCTION(i, block) {
        if (!pm_is_opcode(i, LLVMPHI) && !pm_liveness_folded(n->l, i))
            for (unsigned o = 0; o < (unsigned)LLVMGetNumOperands(i); o++)
                pm_liveness_visit(n->l, LLVMGetOperand(i, o), note_use, n);
        n->position++;
    }
    for (size_t u = n->use_count; u-- > 0;) {
        n->uses[u].next = n->head[n->uses[u].variable];
        n->head[n->uses[u].variable] = (uint32_t)u + 1;
    }
}

static int by_variable(const void *a, const void *b)
{
    const pm_first_use *x = a, *y = b;

    return (x->variable > y->variable) - (x->variable < y->variable);
}

static void forget_uses(pm_next_uses *n)
{
    for (size_t u = 0; u < n->use_count; u++)
        n->head[n->uses[u].variable] = 0;
}

/* Describes a basic block in n->blocks: its length, its loop, and the first use in it of each
 * variable (value of an instruction). All blocks must be described before registers are assigned in
 * any of them. */
static void describe(pm_next_uses *n, LLVMBasicBlockRef block)
{
    const size_t b = pm_next_uses_index(n, block);
    pm_block_uses *state = &n->blocks[b];

    list_uses(n, block);
    state->length = n->position;
    for (size_t u = 0; u < n->use_count; u++) {
        const pm_use *at = &n->uses[u];

        if (n->head[at->variable] == u + 1)
            *pm_add(n->memory, state->firsts, state->first_count) =
                (pm_first_use){at->variable, at->position};
        for (unsigned loop = state->loop; loop != 0; loop = n->loops[loop].parent)
            pm_set_add(n->used_in[loop], at->variable);
    }
    qsort(state->firsts, state->first_count, sizeof *state->firsts, by_variable);
    forget_uses(n);
    PM_EACH_INSTRUCTION(i, block)
        n->home[pm_liveness_variable(n->l, i)->number] = (uint32_t)b;
    pm_liveness_start(n->l, block);
    for (LLVMValueRef i = LLVMGetLastInstruction(block); state->loop != 0 && i;
         i = LLVMGetPreviousInstruction(i)) {
        const unsigned words = pm_set_words(n->l, n->l->live);

        for (unsigned loop = state->loop; loop != 0; loop = n->loops[loop].parent)
            if (words > n->pressure[loop])
                n->pressure[loop] = words;
        pm_liveness_step(n->l, i);
    }
}

static uint32_t first_in(const pm_block_uses *state, uint32_t variable)
{
    const pm_first_use key = {.variable = variable};
    const pm_first_use *found =
        state->first_count > 0
            ? bsearch(&key, state->firsts, state->first_count, sizeof key, by_variable)
            : NULL;

    return found ? found->position : PM_NEVER;
}

/* Returns the number of instructions from the start of basic block `b` to the next use of a
 * variable (value of an instruction). If the block does not use the variable, the distance is
 * assumed: FAR if the innermost loop around the block uses it, and ten times as far for each loop
 * further out. */
static uint32_t from_start(const pm_next_uses *n, size_t b, uint32_t variable)
{
    const uint32_t at = first_in(&n->blocks[b], variable);
    uint32_t far = FAR;

    if (at != PM_NEVER)
        return at;
    for (unsigned loop = n->blocks[b].loop; loop != 0; loop = n->loops[loop].parent, far *= 10)
        if (pm_set_has(n->used_in[loop], variable) || far >= PM_NEVER / 100)
            return far;
    return far;
}

static void come_nearer(pm_next_uses *n, uint32_t variable, uint32_t at)
{
    if (at < n->after[variable])
        n->after[variable] = at;
}

typedef struct {
    pm_next_uses *n;
    uint32_t at;
} phi_use;

static void note_phi_use(void *user, uint32_t number)
{
    const phi_use *use = user;

    come_nearer(use->n, number, use->at);
}

/* Sets n->after: for each value live at the end of a basic block, the number of instructions from
 * the block's end to the next use of the value, which may be by a phi of a successor. */
static void find_after(pm_next_uses *n, LLVMBasicBlockRef block)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);

    pm_liveness_start(n->l, block);
    memcpy(n->live_out, n->l->live, n->l->set_words * sizeof *n->live_out);
    PM_EACH_MEMBER(n->l, n->live_out, v)
    n->after[v] = PM_NEVER;
    for (unsigned k = 0; end && k < LLVMGetNumSuccessors(end); k++) {
        LLVMBasicBlockRef to = LLVMGetSuccessor(end, k);
        const uint64_t *live_in = pm_liveness_block(n->l, to)->live_in;
        const size_t b = pm_next_uses_index(n, to);

        PM_EACH_MEMBER(n->l, live_in, v)
        come_nearer(n, v, from_start(n, b, v));
        PM_EACH_PHI(phi, to)
            for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
                if (LLVMGetIncomingBlock(phi, i) == block) {
                    phi_use use = {n, from_start(n, b, pm_liveness_variable(n->l, phi)->number)};

                    pm_liveness_visit(n->l, LLVMGetIncomingValue(phi, i), note_phi_use, &use);
                }
    }
}

uint32_t pm_next_use_distance(const pm_next_uses *n, uint32_t variable)
{
    if (n->head[variable] > 0)
        return n->uses[n->head[variable] - 1].position - n->position;
    if (!pm_set_has(n->live_out, variable) || n->after[variable] == PM_NEVER)
        return PM_NEVER;
    return n->blocks[n->current].length - n->position + n->after[variable];
}

void pm_next_uses_begin(pm_next_uses *n, LLVMBasicBlockRef block)
{
    n->current = pm_next_uses_index(n, block);
    find_after(n, block);
    list_uses(n, block);
    n->position = 0;
}

void pm_next_uses_end(pm_next_uses *n)
{
    forget_uses(n);
}

void pm_next_uses_find(LLVMValueRef function, pm_liveness *l, pm_next_uses *n, pm_memory *memory)
{
    const pm_structure structure = pm_structure_find(function, NULL, memory);

    *n = (pm_next_uses){.l = l, .memory = memory, .loops = structure.loops};
    n->blocks = pm_take(memory, l->block_count, sizeof *n->blocks);
    n->used_in = pm_take(memory, structure.loop_count, sizeof *n->used_in);
    for (size_t i = 0; i < structure.loop_count; i++)
        n->used_in[i] = pm_take(memory, l->set_words, sizeof *n->used_in[i]);
    n->pressure = pm_take(memory, structure.loop_count, sizeof *n->pressure);
    n->home = pm_take(memory, l->variable_count, sizeof *n->home);
    n->live_out = pm_take(memory, l->set_words, sizeof *n->live_out);
    n->head = pm_take(memory, l->variable_count, sizeof *n->head);
    n->after = pm_take(memory, l->variable_count, sizeof *n->after);
    for (size_t k = 0; k < structure.count; k++)
        n->blocks[pm_next_uses_index(n, structure.segments[k].block)].loop =
            structure.segments[k].loop;
    PM_EACH_BLOCK(block, function)
        describe(n, block);
}
