/* Finds the basic blocks of a kernel's machine code (SASS), their dominators and the loops. See
 * sass_parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdlib.h>

#include "collector/engine/sass/sass_parts.h"

typedef struct {
    pm_memory *memory;
    pm_sass_code *code;
    uint32_t *block_of; /* block_of[i]: the block of instruction i */
    /* The predecessors of block b are from[first_from[b]] to from[first_from[b + 1] - 1]. */
    uint32_t *first_from, *from;
    uint32_t *rank; /* rank[b]: position of block b in code->order */
} graph;

/* ---- blocks ---------------------------------------------------------------------------------- */

static bool ends_block(const pm_sass_instruction *i)
{
    return i->rule->flow == PM_SASS_JUMP || i->rule->flow == PM_SASS_END ||
           i->rule->flow == PM_SASS_SYNC;
}

static void cut_blocks(graph *g)
{
    pm_sass_code *code = g->code;
    bool *begins = pm_take(g->memory, code->instruction_count + 1, sizeof *begins);
    pm_sass_block *block = NULL;

    begins[0] = true;
    for (size_t i = 0; i < code->instruction_count; i++) {
        const pm_sass_instruction *at = &code->instructions[i];

        begins[i + 1] |= ends_block(at);
        for (uint32_t t = 0; t < at->target_count; t++)
            begins[at->targets[t]] = true;
    }
    g->block_of = pm_take(g->memory, code->instruction_count + 1, sizeof *g->block_of);
    for (size_t i = 0; i < code->instruction_count; i++) {
        if (begins[i]) {
            block = pm_add(g->memory, code->blocks, code->block_count);
            *block = (pm_sass_block){.first = (uint32_t)i, .loop = PM_SASS_NONE};
        }
        block->count++;
        g->block_of[i] = (uint32_t)(code->block_count - 1);
    }
}

/* Returns whether control may pass from a block to the next instruction in the code. last: the
 * block's last instruction. It may after a BSYNC, because the threads reconverge at the next
 * instruction. */
static bool falls_through(const pm_sass_instruction *last)
{
    return !(last->rule->flow == PM_SASS_JUMP || last->rule->flow == PM_SASS_END) ||
           last->may_go_on;
}

static void link_blocks(graph *g)
{
    pm_sass_code *code = g->code;

    for (size_t b = 0; b < code->block_count; b++) {
        pm_sass_block *block = &code->blocks[b];
        const pm_sass_instruction *last = &code->instructions[block->first + block->count - 1];
        const uint32_t targets = last->rule->flow == PM_SASS_JUMP ? last->target_count : 0;
        uint32_t *successors = pm_take(g->memory, targets + 1, sizeof *successors);

        if (falls_through(last) && b + 1 < code->block_count)
            successors[block->successor_count++] = (uint32_t)(b + 1);
        for (uint32_t t = 0; t < targets; t++)
            successors[block->successor_count++] = g->block_of[last->targets[t]];
        block->successors = successors;
    }
}

static void find_predecessors(graph *g)
{
    const pm_sass_code *code = g->code;
    uint32_t *next;

    g->first_from = pm_take(g->memory, code->block_count + 2, sizeof *g->first_from);
    for (size_t b = 0; b < code->block_count; b++)
        for (uint32_t s = 0; s < code->blocks[b].successor_count; s++)
            g->first_from[code->blocks[b].successors[s] + 1]++;
    for (size_t b = 0; b < code->block_count; b++)
        g->first_from[b + 1] += g->first_from[b];
    g->from = pm_take(g->memory, g->first_from[code->block_count] + 1, sizeof *g->from);
    next = pm_take(g->memory, code->block_count + 1, sizeof *next);
    for (size_t b = 0; b < code->block_count; b++)
        for (uint32_t s = 0; s < code->blocks[b].successor_count; s++) {
            const uint32_t to = code->blocks[b].successors[s];

            g->from[g->first_from[to] + next[to]++] = (uint32_t)b;
        }
    for (size_t b = 0; b < code->block_count; b++)
        g->code->blocks[b].predecessor_count = next[b];
    for (size_t b = 0; b < code->block_count; b++)
        g->code->blocks[b].predecessors = &g->from[g->first_from[b]];
}

/* ---- order: reverse post-order of a depth-first search -----------------------------------------
 */

static void find_order(graph *g)
{
    pm_sass_code *code = g->code;
    const size_t count = code->block_count;
    uint32_t *path = pm_take(g->memory, count + 1, sizeof *path);
    uint32_t *next = pm_take(g->memory, count + 1, sizeof *next);
    size_t depth = 0, left = count;

    code->order = pm_take(g->memory, count + 1, sizeof *code->order);
    g->rank = pm_take(g->memory, count + 1, sizeof *g->rank);
    code->blocks[0].is_reachable = true;
    path[depth++] = 0;
    while (depth > 0) {
        const uint32_t at = path[depth - 1];
        const pm_sass_block *block = &code->blocks[at];

        if (next[at] == block->successor_count) {
            code->order[--left] = at;
            depth--;
            continue;
        }
        const uint32_t to = block->successors[next[at]++];

        if (!code->blocks[to].is_reachable) {
            code->blocks[to].is_reachable = true;
            path[depth++] = to;
        }
    }
    code->order_count = count - left;
    for (size_t k = 0; k < code->order_count; k++) {
        code->order[k] = code->order[left + k];
        g->rank[code->order[k]] = (uint32_t)k;
    }
}

/* ---- dominators (Cooper, Harvey and Kennedy, A Simple, Fast Dominance Algorithm, 2001) ---------
 */

static uint32_t meet(const graph *g, uint32_t a, uint32_t b)
{
    while (a != b)
        if (g->rank[a] > g->rank[b])
            a = g->code->blocks[a].dominator;
        else
            b = g->code->blocks[b].dominator;
    return a;
}

static void find_dominators(graph *g)
{
    pm_sass_code *code = g->code;
    bool changed = true;

    for (size_t b = 0; b < code->block_count; b++)
        code->blocks[b].dominator = b == 0 ? 0 : PM_SASS_NONE;
    while (changed) {
        changed = false;
        for (size_t k = 1; k < code->order_count; k++) {
            const uint32_t b = code->order[k];
            uint32_t found = PM_SASS_NONE;

            for (uint32_t p = g->first_from[b]; p < g->first_from[b + 1]; p++)
                if (code->blocks[g->from[p]].dominator != PM_SASS_NONE)
                    found = found == PM_SASS_NONE ? g->from[p] : meet(g, found, g->from[p]);
            changed |= found != code->blocks[b].dominator;
            code->blocks[b].dominator = found;
        }
    }
}

static bool dominates(const graph *g, uint32_t a, uint32_t b)
{
    while (g->rank[b] > g->rank[a])
        b = g->code->blocks[b].dominator;
    return a == b;
}

/* ---- loops ----------------------------------------------------------------------------------- */

/* Returns the header of the outermost loop that contains block b, among the loops that have been
 * found so far. PM_SASS_NONE: b is in none of them. */
static uint32_t outermost(const pm_sass_code *code, uint32_t b)
{
    uint32_t loop = code->blocks[b].loop;

    while (loop != PM_SASS_NONE && code->outer[loop] != PM_SASS_NONE)
        loop = code->outer[loop];
    return loop;
}

/* Finds the blocks of the loop with header h: all blocks from which one of its back edges is
 * reached without passing h. waiting: list of `count` blocks at which back edges start. Inner loops
 * have been found before, and become parts of this loop as a whole. */
static void collect_loop(graph *g, uint32_t h, uint32_t *waiting, size_t count)
{
    pm_sass_code *code = g->code;

    while (count > 0) {
        uint32_t b = waiting[--count];
        const uint32_t inner = outermost(code, b);

        if (b == h || inner == h)
            continue;
        if (inner == PM_SASS_NONE)
            code->blocks[b].loop = h;
        else
            code->outer[b = inner] = h;
        for (uint32_t p = g->first_from[b]; p < g->first_from[b + 1]; p++)
            if (code->blocks[g->from[p]].is_reachable && g->from[p] != h &&
                outermost(code, g->from[p]) != h)
                waiting[count++] = g->from[p];
    }
}

static void find_loops(graph *g)
{
    pm_sass_code *code = g->code;
    uint32_t *waiting =
        pm_take(g->memory, 2 * (size_t)g->first_from[code->block_count] + 1, sizeof *waiting);

    code->outer = pm_take(g->memory, code->block_count + 1, sizeof *code->outer);
    for (size_t b = 0; b < code->block_count; b++)
        code->outer[b] = PM_SASS_NONE;
    for (size_t k = code->order_count; k-- > 0;) { /* inner headers come first */
        const uint32_t h = code->order[k];
        size_t count = 0;

        for (uint32_t p = g->first_from[h]; p < g->first_from[h + 1]; p++)
            if (code->blocks[g->from[p]].is_reachable && dominates(g, h, g->from[p]))
                waiting[count++] = g->from[p];
        if (count == 0)
            continue;
        code->blocks[h].loop = code->blocks[h].loop == PM_SASS_NONE ? h : code->blocks[h].loop;
        collect_loop(g, h, waiting, count);
    }
}

/* ---- unlikely blocks ---------------------------------------------------------------------------
 */

/* Marks as unlikely the blocks that are reached only from other unlikely blocks or by unlikely
 * jumps. An unlikely jump is taken only by warps with diverged threads. */
static void find_unlikely(graph *g)
{
    pm_sass_code *code = g->code;

    for (size_t k = 1; k < code->order_count; k++) {
        const uint32_t b = code->order[k];
        bool unlikely = true;

        for (uint32_t p = g->first_from[b]; unlikely && p < g->first_from[b + 1]; p++) {
            const pm_sass_block *from = &code->blocks[g->from[p]];
            const pm_sass_instruction *last = &code->instructions[from->first + from->count - 1];

            unlikely = !from->is_reachable || from->is_unlikely ||
                       (last->is_unlikely && g->from[p] + 1 != b);
        }
        code->blocks[b].is_unlikely = unlikely;
    }
}

void pm_sass_find_blocks(pm_memory *memory, pm_sass_code *code)
{
    graph g = {.memory = memory, .code = code};

    if (code->instruction_count == 0)
        return;
    cut_blocks(&g);
    link_blocks(&g);
    find_predecessors(&g);
    find_order(&g);
    find_dominators(&g);
    find_loops(&g);
    find_unlikely(&g);
}
