/* Estimates which values a kernel spills to private memory because of a register limit.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/backend/registers/spill.h"

#include <stdlib.h>
#include <string.h>

#include "collector/engine/backend/ir/ir.h"
#include "collector/engine/backend/registers/next_use.h"

/* Sets of the variables (values of instructions) that are in registers at a basic block's start
 * (including its phis) and at its end; NULL: the block was not processed yet. */
typedef struct {
    uint64_t *in, *out;
} block_state;

typedef struct {
    pm_next_uses n;
    pm_liveness *l;
    pm_memory *memory;
    pm_spills spills;
    unsigned room;
    block_state *blocks; /* state of each block, in the order of l->blocks */
    uint64_t *stored;    /* set of the variables that have been stored to private memory */
    uint32_t *members;   /* list of the variables (values of instructions) that are in registers;
                            `held` is the same as a set */
    uint64_t *held;
    size_t member_count;
    unsigned words;
} spiller;

static size_t index_of(const spiller *s, LLVMBasicBlockRef block)
{
    return pm_next_uses_index(&s->n, block);
}

/* ---- registers of one block ---------------------------------------------------------------- */

static void store(spiller *s, uint32_t variable)
{
    if (pm_set_has(s->stored, variable))
        return;
    pm_set_add(s->stored, variable);
    s->spills.blocks[s->n.home[variable]].stores += s->l->sizes[variable];
}

static void leave(spiller *s, size_t member)
{
    s->words -= s->l->sizes[s->members[member]];
    pm_set_remove(s->held, s->members[member]);
    s->members[member] = s->members[--s->member_count];
}

/* Moves values from registers to private memory until `size` registers are free. Operands of the
 * current instruction stay in registers, because the distance to their next use is 0. */
static void make_room(spiller *s, uint32_t size)
{
    while (s->member_count > 0 && s->words + size > s->room) {
        size_t furthest = 0;
        uint32_t most = 0;

        for (size_t m = 0; m < s->member_count; m++) {
            const uint32_t away = pm_next_use_distance(&s->n, s->members[m]);

            if (away > most) {
                most = away;
                furthest = m;
            }
        }
        if (most == 0)
            return;
        if (most != PM_NEVER)
            store(s, s->members[furthest]);
        leave(s, furthest);
    }
}

static void enter(spiller *s, uint32_t variable)
{
    make_room(s, s->l->sizes[variable]);
    pm_set_add(s->held, variable);
    s->members[s->member_count++] = variable;
    s->words += s->l->sizes[variable];
}

/* Frees the registers of values that are not used any more. Called before a register is assigned to
 * an instruction's result. */
static void drop_dead(spiller *s)
{
    for (size_t m = s->member_count; m-- > 0;)
        if (pm_next_use_distance(&s->n, s->members[m]) == PM_NEVER)
            leave(s, m);
}

static void go_through(spiller *s, LLVMBasicBlockRef block)
{
    size_t u = 0, behind;

    s->n.position = 0;
    PM_EACH_INSTRUCTION(i, block) {
        const uint32_t own = pm_liveness_variable(s->l, i)->number;

        for (behind = u; behind < s->n.use_count && s->n.uses[behind].position == s->n.position;
             behind++)
            if (!pm_set_has(s->held, s->n.uses[behind].variable)) {
                s->spills.blocks[s->n.current].loads += s->l->sizes[s->n.uses[behind].variable];
                store(s, s->n.uses[behind].variable);
                enter(s, s->n.uses[behind].variable);
            }
        for (; u < behind; u++)
            s->n.head[s->n.uses[u].variable] = s->n.uses[u].next;
        if (behind > 0)
            drop_dead(s);
        if (s->l->sizes[own] > 0 && !pm_is_opcode(i, LLVMPHI) &&
            pm_next_use_distance(&s->n, own) != PM_NEVER)
            enter(s, own);
        s->n.position++;
    }
}

/* ---- registers at a block's start ----------------------------------------------------------- */

typedef struct {
    uint32_t variable, away;
    bool absent; /* true: at the end of some predecessor of the basic block, the variable is not in
                    a register */
} candidate;

static int by_worth(const void *a, const void *b)
{
    const candidate *x = a, *y = b;

    if (x->absent != y->absent)
        return x->absent ? 1 : -1;
    if (x->away != y->away)
        return x->away > y->away ? 1 : -1;
    return (x->variable > y->variable) - (x->variable < y->variable);
}

static void find_in(void *user, uint32_t number)
{
    const uint64_t **out = user;

    if (*out && !pm_set_has(*out, number))
        *out = NULL;
}

/* Returns whether a variable (value of an instruction) that is live at the start of a basic block
 * is in a register at the end of its predecessor `from`. If the variable is a phi of the block,
 * `phi` is the variable, and its incoming value must be in a register; otherwise `phi` is NULL. The
 * result is true if the predecessor was not processed yet. */
static bool is_brought(const spiller *s, LLVMBasicBlockRef from, LLVMValueRef phi,
                       uint32_t variable)
{
    const block_state *state = &s->blocks[index_of(s, from)];
    const uint64_t *out = state->out;

    if (!out)
        return true;
    if (!phi)
        return pm_set_has(out, variable);
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
        if (LLVMGetIncomingBlock(phi, i) == from) {
            LLVMValueRef value = LLVMGetIncomingValue(phi, i);
            const pm_live_value *v =
                LLVMIsAInstruction(value) ? pm_liveness_variable(s->l, value) : NULL;

            if (v && s->l->sizes[v->number] > 0)
                pm_liveness_visit(s->l, value, find_in, &out);
        }
    return out != NULL;
}

/* A use of a basic block as an operand is a jump to it if the user is a terminator. Returns the
 * block that the terminator ends; NULL: the user is not a terminator. */
static LLVMBasicBlockRef comes_from(LLVMUseRef use)
{
    LLVMValueRef user = LLVMGetUser(use);

    return LLVMIsATerminatorInst(user) ? LLVMGetInstructionParent(user) : NULL;
}

static void add_candidate(spiller *s, LLVMBasicBlockRef block, LLVMValueRef phi, uint32_t variable,
                          candidate **candidates, size_t *count)
{
    candidate found = {.variable = variable, .away = pm_next_use_distance(&s->n, variable)};

    if (s->l->sizes[variable] == 0)
        return;
    PM_EACH_USE(of, LLVMBasicBlockAsValue(block))
        if (comes_from(of) && !is_brought(s, comes_from(of), phi, variable))
            found.absent = true;
    *pm_add(s->memory, *candidates, *count) = found;
}

static bool is_head_of_loop(const spiller *s, LLVMBasicBlockRef block)
{
    bool head = false;

    PM_EACH_USE(of, LLVMBasicBlockAsValue(block))
        head = head || (comes_from(of) && !s->blocks[index_of(s, comes_from(of))].out);
    return head && s->n.blocks[s->n.current].loop != 0;
}

/* Some values are live throughout a loop but not used in it. Returns the number of registers that
 * remain for such values in the loop of the processed basic block. candidates: values that are live
 * at the loop's start. */
static unsigned left_by_loop(const spiller *s, const candidate *candidates, size_t count)
{
    const unsigned loop = s->n.blocks[s->n.current].loop;
    unsigned around = 0, within;

    for (size_t c = 0; c < count; c++)
        if (!pm_set_has(s->n.used_in[loop], candidates[c].variable))
            around += s->l->sizes[candidates[c].variable];
    within = s->n.pressure[loop] > around ? s->n.pressure[loop] - around : 0;
    return s->room > within ? s->room - within : 0;
}

static void choose_start(spiller *s, LLVMBasicBlockRef block)
{
    block_state *state = &s->blocks[s->n.current];
    const uint64_t *live_in = s->l->blocks[s->n.current].live_in;
    const bool head = is_head_of_loop(s, block);
    candidate *candidates = NULL;
    size_t count = 0;
    unsigned left;

    PM_EACH_PHI(phi, block)
        add_candidate(s, block, phi, pm_liveness_variable(s->l, phi)->number, &candidates, &count);
    PM_EACH_MEMBER(s->l, live_in, v)
    add_candidate(s, block, NULL, v, &candidates, &count);
    if (count > 0)
        qsort(candidates, count, sizeof *candidates, by_worth);
    left = head ? left_by_loop(s, candidates, count) : s->room;
    for (size_t c = 0; c < count; c++) {
        const uint32_t v = candidates[c].variable, size = s->l->sizes[v];
        const bool around = head && !pm_set_has(s->n.used_in[s->n.blocks[s->n.current].loop], v);

        if (s->words + size > s->room || (around && size > left))
            continue;
        left -= around ? size : 0;
        enter(s, v);
    }
    state->in = pm_take(s->memory, s->l->set_words, sizeof *state->in);
    memcpy(state->in, s->held, s->l->set_words * sizeof *state->in);
}

static void spill_block(spiller *s, LLVMBasicBlockRef block)
{
    block_state *state;

    pm_next_uses_begin(&s->n, block);
    state = &s->blocks[s->n.current];
    s->member_count = s->words = 0;
    memset(s->held, 0, s->l->set_words * sizeof *s->held);
    choose_start(s, block);
    go_through(s, block);
    pm_next_uses_end(&s->n);
    state->out = pm_take(s->memory, s->l->set_words, sizeof *state->out);
    memcpy(state->out, s->held, s->l->set_words * sizeof *state->out);
}

/* ---- edges between blocks ------------------------------------------------------------------- */

static void load(spiller *s, size_t where, uint32_t variable)
{
    s->spills.blocks[where].loads += s->l->sizes[variable];
    store(s, variable);
}

typedef struct {
    spiller *s;
    size_t from;
    bool *missing;
} incoming;

static void note_missing(void *user, uint32_t number)
{
    const incoming *in = user;

    if (in->s->l->sizes[number] > 0 && !pm_set_has(in->s->blocks[in->from].out, number)) {
        *in->missing = true;
        store(in->s, number);
    }
}

static void note_stored(void *user, uint32_t number)
{
    const incoming *in = user;

    if (pm_set_has(in->s->stored, number))
        *in->missing = true;
}

/* Adds the loads and stores that a phi needs on the edge from basic block `from` to block `to`. If
 * the phi is in a register, its value from `from` must be loaded unless that value is in a
 * register. If the phi is in private memory, the value must be stored unless that value is in
 * private memory, too. The loads and stores are counted in the block with the index `where`. */
static void pass_phi(spiller *s, size_t from, size_t to, size_t where, LLVMValueRef phi)
{
    const uint32_t own = pm_liveness_variable(s->l, phi)->number;
    const bool in_register = pm_set_has(s->blocks[to].in, own);
    bool found = false;
    incoming in = {s, from, &found};

    if (s->l->sizes[own] == 0)
        return;
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        if (LLVMGetIncomingBlock(phi, i) != s->l->blocks[from].block)
            continue;
        pm_liveness_visit(s->l, LLVMGetIncomingValue(phi, i),
                          in_register ? note_missing : note_stored, &in);
        if (in_register && found)
            s->spills.blocks[where].loads += s->l->sizes[own];
        else if (!in_register && !found && !LLVMIsUndef(LLVMGetIncomingValue(phi, i)))
            s->spills.blocks[where].stores += s->l->sizes[own];
        return;
    }
}

/* Adds the loads on the edge from basic block `from` to block `to`: of variables that `to` expects
 * in registers and that are not in registers at the end of `from`. alone: true if `from` has no
 * other successor. The loads are counted in `to` if the edge is the only one to `to` and not the
 * only one from `from`, otherwise in `from`. */
static void pass(spiller *s, size_t from, size_t to, bool alone)
{
    const uint64_t *live_in = s->l->blocks[to].live_in, *in = s->blocks[to].in;
    LLVMBasicBlockRef block = s->l->blocks[to].block;
    size_t ways = 0, where;

    PM_EACH_USE(of, LLVMBasicBlockAsValue(block))
        ways += comes_from(of) != NULL;
    where = !alone && ways == 1 ? to : from;
    PM_EACH_MEMBER(s->l, live_in, v)
    {
        if (s->l->sizes[v] == 0)
            continue;
        if (pm_set_has(in, v) && !pm_set_has(s->blocks[from].out, v))
            load(s, where, v);
        else if (!pm_set_has(in, v))
            store(s, v);
    }
    PM_EACH_PHI(phi, block)
        pass_phi(s, from, to, where, phi);
}

static void pass_all(spiller *s, LLVMBasicBlockRef block)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    const unsigned ways = end ? LLVMGetNumSuccessors(end) : 0;

    for (unsigned k = 0; k < ways; k++)
        pass(s, index_of(s, block), index_of(s, LLVMGetSuccessor(end, k)), ways == 1);
}

/* ---- the kernel ---------------------------------------------------------------------------- */

static void take_all(spiller *s)
{
    const pm_liveness *l = s->l;
    pm_memory *memory = s->memory;

    s->blocks = pm_take(memory, l->block_count, sizeof *s->blocks);
    s->spills.blocks = pm_take(memory, l->block_count, sizeof *s->spills.blocks);
    s->spills.count = l->block_count;
    s->stored = pm_take(memory, l->set_words, sizeof *s->stored);
    s->held = pm_take(memory, l->set_words, sizeof *s->held);
    s->members = pm_take(memory, l->variable_count, sizeof *s->members);
    for (size_t b = 0; b < l->block_count; b++)
        s->spills.blocks[b].block = l->blocks[b].block;
}

/* Returns the largest number of 32-bit values that are in private memory at the start of any basic
 * block. */
static unsigned most_stored(const spiller *s)
{
    unsigned most = 0;

    for (size_t b = 0; b < s->l->block_count; b++) {
        unsigned words = 0;

        PM_EACH_MEMBER(s->l, s->l->blocks[b].live_in, v)
        words += pm_set_has(s->blocks[b].in, v) ? 0 : s->l->sizes[v];
        PM_EACH_PHI(phi, s->l->blocks[b].block) {
            const uint32_t v = pm_liveness_variable(s->l, phi)->number;

            words += pm_set_has(s->blocks[b].in, v) ? 0 : s->l->sizes[v];
        }
        most = words > most ? words : most;
    }
    return most;
}

pm_spills pm_spills_find(LLVMValueRef function, pm_liveness *liveness, unsigned room,
                         pm_memory *memory)
{
    spiller s = {.l = liveness, .memory = memory, .room = room};

    pm_next_uses_find(function, liveness, &s.n, memory);
    take_all(&s);
    PM_EACH_BLOCK(block, function)
        spill_block(&s, block);
    PM_EACH_BLOCK(block, function)
        pass_all(&s, block);
    s.spills.words = most_stored(&s);
    return s.spills;
}

pm_block_spills pm_spills_of(const pm_spills *spills, LLVMBasicBlockRef block)
{
    for (size_t b = 0; b < spills->count; b++)
        if (spills->blocks[b].block == block)
            return spills->blocks[b];
    return (pm_block_spills){.block = block};
}
