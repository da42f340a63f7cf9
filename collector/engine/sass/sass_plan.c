/* Finds, for each basic block of machine code, the basic block of the PTX that is executed equally
 * often (its home). See sass_plan.h.
 *
 * ptxas moves instructions between blocks (constants into loops, invariants out of them), but not
 * accesses to memory and barriers (anchors). The anchors in a block of machine code therefore
 * decide from which PTX block it was made.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/sass/sass_plan.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

typedef struct {
    pm_memory *memory;
    pm_sass *sass;
    /* votes[n]: sum of the votes for the PTX block whose first instruction has the number n */
    double *votes;
    uint32_t *seen; /* seen[n]: mark of PTX instruction n, SEEN or COUNTED; always 0 between uses */
} planner;

/* Blocks of machine code that were made from the same PTX instructions, as copies of an unrolled
 * loop are. */
typedef struct {
    uint32_t first; /* index of the largest of the blocks */
    uint32_t *blocks;
    size_t count;
    /* index + 1, in the list of these structs, of other blocks that were made from the same PTX
     * block; 0: there are none */
    uint32_t earlier;
} alike;

/* Numbers of the PTX instructions from which a block of machine code was made. all: all of them.
 * anchors: those that became an access to memory or a barrier (PM_SASS_ANCHOR). */
typedef struct {
    unsigned all, anchors;
} own_count;

/* Marks of PTX instructions in planner.seen. SEEN: the instruction was counted by a call of
 * count_own before. COUNTED: the running call of count_own has counted the instruction. */
enum { SEEN = 1, COUNTED = 2 };

/* Weights with which a machine instruction votes for the PTX block that it was made from. ANCHORED:
 * access to memory, barrier, or end of the kernel. PLAIN: other instruction. GUARDED: instruction
 * with a predicate. WEAK: instruction that ptxas may have added or moved for the flow of control.
 */
static const double ANCHORED = 1000, PLAIN = 10, GUARDED = 1, WEAK = 0.01;

static const pm_ptx_origin *origin_of(const planner *p, const pm_sass_instruction *i)
{
    return i->origin == PM_SASS_NONE ? NULL : &p->sass->origins[i->origin];
}

/* ---- loops ------------------------------------------------------------------------------------
 */

static bool is_in_loop(const pm_sass_code *code, uint32_t b, uint32_t loop)
{
    uint32_t at = code->blocks[b].loop;

    while (at != PM_SASS_NONE && at != loop)
        at = code->outer[at];
    return at == loop;
}

/* Returns the header of the outermost loop that contains block b but not block `outside`;
 * PM_SASS_NONE: there is none. */
static uint32_t loop_without(const pm_sass_code *code, uint32_t b, uint32_t outside)
{
    uint32_t found = PM_SASS_NONE;

    for (uint32_t at = code->blocks[b].loop; at != PM_SASS_NONE; at = code->outer[at])
        if (!is_in_loop(code, outside, at))
            found = at;
    return found;
}

/* Returns the nearest dominator of block b whose enclosing loops all contain b, too. */
static uint32_t outside_before(const pm_sass_code *code, uint32_t b)
{
    uint32_t at = code->blocks[b].dominator;

    while (at != 0 && code->blocks[at].loop != PM_SASS_NONE &&
           !is_in_loop(code, b, code->blocks[at].loop))
        at = code->blocks[at].dominator;
    return at;
}

/* ---- the PTX block of a block of machine code ---------------------------------------------------
 */

static double weight_of(const pm_sass_instruction *i, const pm_ptx_origin *origin)
{
    const pm_sass_flow flow = i->rule->flow;

    if (flow == PM_SASS_MEET || flow == PM_SASS_SYNC || flow == PM_SASS_PADDING)
        return WEAK;
    if (flow == PM_SASS_JUMP)
        return i->may_go_on ? PLAIN : WEAK;
    if (i->is_guarded || origin->is_guarded)
        return GUARDED;
    return flow == PM_SASS_ANCHOR || flow == PM_SASS_END ? ANCHORED : PLAIN;
}

/* Returns the PTX block from which a block of machine code was made: the one that gets the most
 * votes of the block's instructions. PM_SASS_NONE: all instructions of the block have an unknown
 * origin in the PTX. */
static uint32_t elect(planner *p, const pm_sass_block *block)
{
    const pm_sass_instruction *first = &p->sass->code.instructions[block->first];
    uint32_t best = PM_SASS_NONE;

    for (uint32_t k = 0; k < block->count; k++) {
        const pm_ptx_origin *origin = origin_of(p, &first[k]);

        if (!origin)
            continue;
        p->votes[origin->block] += weight_of(&first[k], origin);
        if (best == PM_SASS_NONE || p->votes[origin->block] > p->votes[best])
            best = origin->block;
    }
    for (uint32_t k = 0; k < block->count; k++)
        if (origin_of(p, &first[k]))
            p->votes[origin_of(p, &first[k])->block] = 0;
    return best;
}

static const pm_sass_instruction *last_of(const pm_sass_code *code, uint32_t b)
{
    return &code->instructions[code->blocks[b].first + code->blocks[b].count - 1];
}

/* Returns the number of the PTX instruction from which all instructions of a block were made;
 * PM_SASS_NONE: there are several, or it is unknown. */
static uint32_t only_origin(const pm_sass_code *code, const pm_sass_block *block)
{
    const pm_sass_instruction *first = &code->instructions[block->first];

    for (uint32_t k = 1; k < block->count; k++)
        if (first[k].origin != first[0].origin)
            return PM_SASS_NONE;
    return first[0].origin;
}

static bool has_flow(const pm_sass_code *code, const pm_sass_block *block, pm_sass_flow flow)
{
    for (uint32_t k = 0; k < block->count; k++)
        if (code->instructions[block->first + k].rule->flow == flow)
            return true;
    return false;
}

static bool only_controls(const pm_sass_code *code, const pm_sass_block *block)
{
    for (uint32_t k = 0; k < block->count; k++) {
        const pm_sass_flow flow = code->instructions[block->first + k].rule->flow;

        if (flow != PM_SASS_MEET && flow != PM_SASS_SYNC && flow != PM_SASS_PADDING)
            return false;
    }
    return true;
}

/* Sets the home of block b of the machine code: the PTX block from which it was made. The following
 * blocks have no home. Unlikely blocks are taken as never executed, and so are blocks inside the
 * code of one PTX instruction (such as a division) that call a function for operands near the
 * limits. Blocks at which threads reconverge are executed by each group of threads that arrives. */
static void find_home(planner *p, uint32_t b)
{
    const pm_sass_code *code = &p->sass->code;
    const pm_sass_block *block = &code->blocks[b];
    const uint32_t only = only_origin(code, block);
    pm_sass_step *step = &p->sass->steps[b];

    step->home = step->like = PM_SASS_NONE;
    if (!block->is_reachable || block->is_unlikely)
        return;
    if (b > 0 && only != PM_SASS_NONE && last_of(code, block->dominator)->origin == only &&
        has_flow(code, block, PM_SASS_CALL))
        return;
    step->gathers = b > 0 && only_controls(code, block) && has_flow(code, block, PM_SASS_SYNC);
    if (b == 0 || !only_controls(code, block))
        step->home = elect(p, block);
    if (b > 0 && step->home == PM_SASS_NONE)
        step->like = outside_before(code, b);
}

/* ---- instructions of a block --------------------------------------------------------------------
 */

static void add_to_part(planner *p, pm_sass_step *step, uint32_t home, const pm_mix *mix)
{
    pm_sass_part *part = NULL;

    for (size_t k = 0; k < step->part_count && !part; k++)
        part = step->parts[k].home == home ? &step->parts[k] : NULL;
    if (!part) {
        part = pm_add(p->memory, step->parts, step->part_count);
        *part = (pm_sass_part){.home = home};
    }
    pm_mix_add_row(mix, 1, &part->mix);
}

static void add_instructions(planner *p, uint32_t b)
{
    const pm_sass_code *code = &p->sass->code;
    const pm_sass_block *block = &code->blocks[b];
    pm_sass_step *step = &p->sass->steps[b];

    for (uint32_t k = 0; k < block->count; k++) {
        const pm_sass_instruction *i = &code->instructions[block->first + k];
        const pm_ptx_origin *origin = origin_of(p, i);

        pm_mix_add_row(&i->rule->mix, 1, &step->mix);
        if (i->may_go_on && (i->rule->flow == PM_SASS_JUMP || i->rule->flow == PM_SASS_END)) {
            step->mix.control -= i->rule->mix.control;
            step->leaves = true;
        }
        step->spill_loads += i->rule->local == 1 && !(origin && origin->is_local);
        step->spill_stores += i->rule->local == 2 && !(origin && origin->is_local);
        if (i->is_guarded && origin && step->home != PM_SASS_NONE && origin->block != step->home &&
            i->rule->flow != PM_SASS_JUMP)
            add_to_part(p, step, origin->block, &i->rule->mix);
    }
    for (size_t k = 0; k < step->part_count; k++) {
        const unsigned copies = pm_sass_anchors(p->sass, b, step->parts[k].home, true);

        p->sass->guarded[step->parts[k].home] += copies > 0 ? copies : 1;
    }
}

/* ---- blocks that have code of the same PTX instructions
 * -------------------------------------------- */

/* Returns whether a machine instruction was made from PTX block `home` and is neither a jump nor a
 * call, nor an instruction for reconvergence. */
static bool is_of_home(const planner *p, const pm_sass_instruction *i, uint32_t home)
{
    const pm_ptx_origin *origin = origin_of(p, i);

    return origin && origin->block == home &&
           (i->rule->flow == PM_SASS_PLAIN || i->rule->flow == PM_SASS_ANCHOR ||
            i->rule->flow == PM_SASS_END);
}

/* Counts the PTX instructions of PTX block `home` from which block b of the machine code has an
 * instruction (is_of_home). seen: true if only PTX instructions with the mark SEEN in p->seen
 * count. marks: true if the counted ones get the mark SEEN, which unmark() removes. */
static own_count count_own(planner *p, uint32_t b, uint32_t home, bool seen, bool marks)
{
    const pm_sass_block *block = &p->sass->code.blocks[b];
    const pm_sass_instruction *first = &p->sass->code.instructions[block->first];
    own_count count = {0};

    /* Accesses to memory and barriers (anchors) are visited first. A PTX instruction from which
     * both an anchor and other machine instructions were made then counts as an anchor. */
    for (uint32_t k = 0; k < 2 * block->count; k++) {
        const pm_sass_instruction *at = &first[k < block->count ? k : k - block->count];
        const bool anchored = at->rule->flow == PM_SASS_ANCHOR;
        uint32_t *mark = at->origin == PM_SASS_NONE ? NULL : &p->seen[at->origin];

        if (!mark || anchored != (k < block->count) || !is_of_home(p, at, home) ||
            *mark != (seen ? SEEN : 0))
            continue;
        *mark = COUNTED;
        count.all++;
        count.anchors += anchored;
    }
    for (uint32_t k = 0; k < block->count; k++)
        if (first[k].origin != PM_SASS_NONE && p->seen[first[k].origin] == COUNTED)
            p->seen[first[k].origin] = marks || seen ? SEEN : 0;
    return count;
}

static void unmark(planner *p, uint32_t b)
{
    const pm_sass_block *block = &p->sass->code.blocks[b];

    for (uint32_t k = 0; k < block->count; k++)
        if (p->sass->code.instructions[block->first + k].origin != PM_SASS_NONE)
            p->seen[p->sass->code.instructions[block->first + k].origin] = 0;
}

/* Returns whether blocks a and b of the machine code are copies of the same code. They count as
 * copies if at least half of the PTX instructions from which the smaller block was made also have
 * code in the larger block. home: PTX block that both were made from. */
static bool are_alike(planner *p, uint32_t a, uint32_t b, uint32_t home)
{
    const own_count of_b = count_own(p, b, home, false, false);
    const own_count of_a = count_own(p, a, home, false, true);
    const own_count both = count_own(p, b, home, true, false);
    const unsigned least = of_a.all < of_b.all ? of_a.all : of_b.all;

    unmark(p, a);
    return 2 * both.all >= least;
}

/* Makes block b one without a home (made from no PTX block), which is executed as often as another
 * block: its nearest dominator whose enclosing loops all contain b, too. */
static void follow_dominator(planner *p, uint32_t b)
{
    if (b == 0)
        return;
    p->sass->steps[b].home = PM_SASS_NONE;
    p->sass->steps[b].like = outside_before(&p->sass->code, b);
}

/* A set of copies of a PTX block may contain blocks of machine code that have only the test of the
 * loop. Removes the home of these blocks, so that they no longer count as made from the PTX block.
 * ptxas puts such blocks before and between the copies of an unrolled loop. They are executed as
 * often as the blocks that dominate them. blocks->first becomes one of the remaining blocks. */
static void drop_tests(planner *p, alike *blocks, uint32_t home)
{
    own_count most = {0};

    for (size_t k = 0; k < blocks->count; k++) {
        const own_count own = count_own(p, blocks->blocks[k], home, false, false);

        most.all = own.all > most.all ? own.all : most.all;
        most.anchors = own.anchors > most.anchors ? own.anchors : most.anchors;
    }
    for (size_t k = 0; k < blocks->count; k++) {
        const uint32_t b = blocks->blocks[k];
        const own_count own = count_own(p, b, home, false, false);

        if (b != 0 && (most.anchors > 0 ? own.anchors == 0 : 2 * own.all < most.all))
            follow_dominator(p, b);
        else
            blocks->first = b;
    }
}

/* Returns the nearest block that dominates block b and was made from another PTX block; 0 (the
 * kernel's entry): there is no such block. */
static uint32_t entry_of(const pm_sass *sass, uint32_t b)
{
    uint32_t at = sass->code.blocks[b].dominator;

    while (at != 0 &&
           (sass->steps[at].home == sass->steps[b].home || sass->steps[at].home == PM_SASS_NONE))
        at = sass->code.blocks[at].dominator;
    return at;
}

/* Returns whether one of the copies of a PTX block is in a loop of the machine code that does not
 * contain the block before all copies (entry_of). */
static bool repeats(const planner *p, const alike *blocks)
{
    const pm_sass *sass = p->sass;
    const uint32_t entry = entry_of(sass, blocks->blocks[0]);

    for (size_t k = 0; k < blocks->count; k++)
        if (sass->steps[blocks->blocks[k]].home != PM_SASS_NONE &&
            loop_without(&sass->code, blocks->blocks[k], entry) != PM_SASS_NONE)
            return true;
    return false;
}

/* Removes the home of a set of copies of a PTX block, so that they no longer count as made from it,
 * if none of them is in a loop but other copies of the PTX block are. They are then tests before
 * this loop. */
static void drop_straight(planner *p, const alike *all, size_t count, alike *blocks)
{
    const uint32_t home = p->sass->steps[blocks->first].home;
    bool others_repeat = false;

    for (size_t k = 0; k < count && !others_repeat; k++)
        others_repeat =
            &all[k] != blocks && p->sass->steps[all[k].first].home == home && repeats(p, &all[k]);
    if (!others_repeat || repeats(p, blocks))
        return;
    for (size_t k = 0; k < blocks->count; k++)
        follow_dominator(p, blocks->blocks[k]);
}

/* Divides the blocks of machine code that were made from a PTX block into sets. The blocks of a set
 * are copies of the same code (are_alike). The sets are in the order of the code. Returns the sets,
 * *count of them. */
static alike *find_alike(planner *p, size_t *count)
{
    const pm_sass *sass = p->sass;
    uint32_t *latest = pm_take(p->memory, sass->origin_count + 1, sizeof *latest);
    alike *all = NULL;

    for (size_t k = 0; k < sass->code.order_count; k++) {
        const uint32_t b = sass->code.order[k], home = sass->steps[b].home;
        alike *found = NULL;

        if (home == PM_SASS_NONE)
            continue;
        for (uint32_t at = latest[home]; all && at > 0 && !found; at = all[at - 1].earlier)
            found = are_alike(p, all[at - 1].first, b, home) ? &all[at - 1] : NULL;
        if (!found) {
            found = pm_add(p->memory, all, *count);
            *found = (alike){.first = b, .earlier = latest[home]};
            latest[home] = (uint32_t)*count;
        }
        *pm_add(p->memory, found->blocks, found->count) = b;
        if (sass->code.blocks[b].count > sass->code.blocks[found->first].count)
            found->first = b;
    }
    return all;
}

/* ---- copies -----------------------------------------------------------------------------------
 */

/* Returns the number of machine instructions of block b that were made from its home, the PTX block
 * that b was made from. */
static unsigned count_instructions(const planner *p, uint32_t b)
{
    const pm_sass_code *code = &p->sass->code;
    const pm_sass_block *block = &code->blocks[b];
    unsigned count = 0;

    for (uint32_t k = 0; k < block->count; k++)
        count += is_of_home(p, &code->instructions[block->first + k], p->sass->steps[b].home);
    return count;
}

/* Returns how many copies of its PTX block a block of machine code contains. If the block has no
 * accesses to memory or barriers, the number of copies is estimated from the block's number of
 * instructions. least: number of instructions of the smallest copy. */
static unsigned count_copies(planner *p, uint32_t b, unsigned least)
{
    const unsigned anchors = pm_sass_anchors(p->sass, b, p->sass->steps[b].home, false);

    if (anchors > 0)
        return anchors;
    return least > 0 ? (unsigned)lround((double)count_instructions(p, b) / least) : 1;
}

/* ptxas makes copies of a PTX block when it unrolls a loop. Adds block b of the machine code to the
 * groups of copies of its PTX block `home`; blocks in the same loop belong to one group. least:
 * number of instructions of the smallest copy. */
static void add_to_group(planner *p, pm_sass_home *home, uint32_t b, unsigned least)
{
    const pm_sass_code *code = &p->sass->code;
    const uint32_t loop = loop_without(code, b, home->entry);
    pm_sass_group *group = NULL;

    for (size_t k = 0; k < home->group_count && loop != PM_SASS_NONE && !group; k++)
        if (home->groups[k].repeats && is_in_loop(code, home->groups[k].blocks[0], loop))
            group = &home->groups[k];
    if (!group) {
        group = pm_add(p->memory, home->groups, home->group_count);
        *group = (pm_sass_group){.repeats = loop != PM_SASS_NONE};
    }
    *pm_add(p->memory, group->blocks, group->block_count) = b;
    group->copies += count_copies(p, b, least);
}

static int most_copies_first(const void *a, const void *b)
{
    const pm_sass_group *x = a, *y = b;

    if (x->copies != y->copies)
        return x->copies < y->copies ? 1 : -1;
    return x->repeats - y->repeats;
}

static void make_home(planner *p, const alike *blocks)
{
    pm_sass *sass = p->sass;
    pm_sass_home *home = pm_add(p->memory, sass->homes, sass->home_count);
    unsigned least = UINT_MAX;

    *home = (pm_sass_home){.home = sass->steps[blocks->first].home};
    home->entry = entry_of(sass, blocks->blocks[0]);
    for (size_t k = 0; k < blocks->count; k++)
        if (sass->steps[blocks->blocks[k]].home != PM_SASS_NONE) {
            const unsigned own = count_instructions(p, blocks->blocks[k]);

            least = own < least ? own : least;
        }
    for (size_t k = 0; k < blocks->count; k++)
        if (sass->steps[blocks->blocks[k]].home != PM_SASS_NONE)
            add_to_group(p, home, blocks->blocks[k], least);
    if (home->group_count > 0)
        qsort(home->groups, home->group_count, sizeof *home->groups, most_copies_first);
}

static void find_homes(planner *p)
{
    size_t count = 0;
    alike *all = find_alike(p, &count);

    for (size_t k = 0; k < count; k++)
        drop_tests(p, &all[k], p->sass->steps[all[k].first].home);
    for (size_t k = 0; k < count; k++)
        if (p->sass->steps[all[k].first].home != PM_SASS_NONE)
            drop_straight(p, all, count, &all[k]);
    for (size_t k = 0; k < count; k++)
        if (p->sass->steps[all[k].first].home != PM_SASS_NONE)
            make_home(p, &all[k]);
}

void pm_sass_make_plan(pm_memory *memory, pm_sass *sass)
{
    planner p = {.memory = memory,
                 .sass = sass,
                 .votes = pm_take(memory, sass->origin_count + 1, sizeof(double)),
                 .seen = pm_take(memory, sass->origin_count + 1, sizeof(uint32_t))};

    sass->steps = pm_take(memory, sass->code.block_count + 1, sizeof *sass->steps);
    sass->guarded = pm_take(memory, sass->origin_count + 1, sizeof *sass->guarded);
    for (uint32_t b = 0; b < sass->code.block_count; b++) {
        find_home(&p, b);
        add_instructions(&p, b);
    }
    find_homes(&p);
}
