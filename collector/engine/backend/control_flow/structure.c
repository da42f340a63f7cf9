/* Finds the segments (basic blocks cut at barriers), loops and reconvergence points of a kernel.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Work-items of a warp that diverge at a branch reconverge at its immediate post-dominator, as on
 * NVIDIA's GPUs.
 */
#include "collector/engine/backend/control_flow/structure.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

#include "collector/engine/backend/control_flow/graph.h"
#include "collector/engine/backend/control_flow/meet.h"
#include "collector/engine/backend/control_flow/merges.h"
#include "collector/engine/backend/ir/intrinsics.h"
#include "collector/engine/backend/ir/ir.h"

/* ---- cutting blocks ------------------------------------------------------------------------ */

static pm_block_end terminator_end(LLVMValueRef terminator)
{
    unsigned successors = LLVMGetNumSuccessors(terminator);

    return successors == 0 ? PM_END_RETURN : successors == 1 ? PM_END_JUMP : PM_END_BRANCH;
}

bool pm_segment_is_cut(const pm_code_segment *segment)
{
    return segment->end == PM_END_JUMP && !LLVMIsATerminatorInst(segment->last);
}

static void add_segment(pm_structure *s, LLVMValueRef first, LLVMValueRef last, pm_block_end end,
                        uint32_t successors, pm_memory *memory)
{
    const uint32_t number = (uint32_t)s->count;
    const bool goes_on = number > 0 && pm_segment_is_cut(&s->segments[number - 1]);

    *pm_add(memory, s->segments, s->count) =
        (pm_code_segment){.block = LLVMGetInstructionParent(last),
                          .first = first,
                          .last = last,
                          .end = end,
                          .successors = successors,
                          .whole = goes_on ? s->segments[number - 1].whole : number};
}

static bool is_cut_after(const pm_cuts *cuts, LLVMValueRef instruction)
{
    for (size_t i = 0; cuts && i < cuts->count; i++)
        if (cuts->after[i] == instruction)
            return true;
    return false;
}

static void cut(LLVMValueRef kernel, const pm_cuts *cuts, pm_structure *s, pm_memory *memory)
{
    PM_EACH_BLOCK(b, kernel) {
        LLVMValueRef first = LLVMGetFirstInstruction(b), end = LLVMGetBasicBlockTerminator(b);

        PM_EACH_INSTRUCTION(i, b)
            if (pm_is_barrier(i) || is_cut_after(cuts, i)) {
                add_segment(s, first, i, pm_is_barrier(i) ? PM_END_BARRIER : PM_END_JUMP, 1,
                            memory);
                first = LLVMGetNextInstruction(i);
            }
        add_segment(s, first, end, terminator_end(end), LLVMGetNumSuccessors(end), memory);
    }
}

/* A basic block is cut into segments at barriers. Returns the index of the block's first
 * segment. */
static uint32_t head_of(const pm_structure *s, LLVMBasicBlockRef block)
{
    for (uint32_t i = 0; i < s->count; i++)
        if (s->segments[i].block == block && s->segments[i].first == LLVMGetFirstInstruction(block))
            return i;
    return PM_NO_BLOCK;
}

static void connect(pm_structure *s, pm_memory *memory)
{
    for (uint32_t i = 0; i < s->count; i++) {
        pm_code_segment *segment = &s->segments[i];

        segment->first_successor = (uint32_t)s->successor_count;
        for (uint32_t k = 0; k < segment->successors; k++)
            *pm_add(memory, s->successors, s->successor_count) =
                segment->end == PM_END_BARRIER || pm_segment_is_cut(segment)
                    ? i + 1
                    : head_of(s, LLVMGetSuccessor(segment->last, k));
    }
}

/* ---- reconvergence points ------------------------------------------------------------------ */

/* Returns the control-flow graph of the segments (basic blocks, cut at barriers), with one
 * additional exit node after all returns. Unreachable code (the default of a switch with all cases)
 * has no edge to the exit. */
static pm_graph make_graph(const pm_structure *s, pm_memory *memory)
{
    pm_graph graph = {.nodes = s->count + 1,
                      .first = pm_take(memory, s->count + 2, sizeof *graph.first),
                      .to = pm_take(memory, s->successor_count + s->count, sizeof *graph.to)};
    uint32_t n = 0;

    for (uint32_t i = 0; i < s->count; i++) {
        const pm_code_segment *segment = &s->segments[i];

        graph.first[i] = n;
        for (uint32_t k = 0; k < segment->successors; k++)
            graph.to[n++] = s->successors[segment->first_successor + k];
        if (segment->end == PM_END_RETURN && !LLVMIsAUnreachableInst(segment->last))
            graph.to[n++] = (uint32_t)s->count;
    }
    graph.first[s->count] = graph.first[s->count + 1] = n;
    return graph;
}

/* ---- loops -------------------------------------------------------------------------------- */

/* Returns the source line of a loop: from the metadata of its back edge, or else the line of its
 * header. */
static unsigned loop_line(const pm_code_segment *latch, const pm_code_segment *head,
                          pm_memory *memory)
{
    static const char name[] = "llvm.loop";
    LLVMContextRef context =
        LLVMGetModuleContext(LLVMGetGlobalParent(LLVMGetBasicBlockParent(latch->block)));
    LLVMValueRef node =
        LLVMGetMetadata(latch->last, LLVMGetMDKindIDInContext(context, name, sizeof name - 1));
    unsigned operands = node ? LLVMGetMDNodeNumOperands(node) : 0, line = 0;
    LLVMValueRef *values = pm_take(memory, operands, sizeof *values);

    if (node)
        LLVMGetMDNodeOperands(node, values);
    for (unsigned i = 1; i < operands && line == 0; i++) {
        LLVMMetadataRef metadata = values[i] ? LLVMValueAsMetadata(values[i]) : NULL;

        if (metadata && LLVMGetMetadataKind(metadata) == LLVMDILocationMetadataKind)
            line = LLVMDILocationGetLine(metadata);
    }
    for (LLVMValueRef i = head->first; i && line == 0; i = LLVMGetNextInstruction(i))
        line = LLVMGetDebugLocLine(i);
    return line;
}

/* Sets body[k] to true for each segment k (basic block, cut at barriers) of the loop with header
 * `head` and back edge from `latch`. The loop consists of all segments from which `latch` is
 * reached without passing `head`. */
static void flood(const pm_graph *reverse, uint32_t head, uint32_t latch, bool *body,
                  uint32_t *stack)
{
    size_t depth = 0;

    body[head] = true;
    if (!body[latch]) {
        body[latch] = true;
        stack[depth++] = latch;
    }
    while (depth > 0) {
        uint32_t n = stack[--depth];

        for (uint32_t e = reverse->first[n]; e < reverse->first[n + 1]; e++)
            if (!body[reverse->to[e]]) {
                body[reverse->to[e]] = true;
                stack[depth++] = reverse->to[e];
            }
    }
}

/* Adds the loop with header `head`, if `head` is the header of a loop. Outer loops must be added
 * before inner ones. body and stack: memory for one member per node. */
static void add_loop(pm_structure *s, const pm_graph *reverse, const uint32_t *dominator,
                     uint32_t head, bool *body, uint32_t *stack, pm_memory *memory)
{
    bool any = false;
    unsigned line = 0;

    memset(body, 0, reverse->nodes * sizeof *body);
    for (uint32_t e = reverse->first[head]; e < reverse->first[head + 1]; e++) {
        uint32_t latch = reverse->to[e];

        if (dominator[latch] == UINT32_MAX || !pm_graph_dominates(dominator, head, latch))
            continue;
        any = true;
        if (line == 0)
            line = loop_line(&s->segments[latch], &s->segments[head], memory);
        flood(reverse, head, latch, body, stack);
    }
    if (!any)
        return;
    *pm_add(memory, s->loops, s->loop_count) =
        (pm_code_loop){.line = line, .parent = s->segments[head].loop, .head = head};
    for (uint32_t i = 0; i < s->count; i++)
        if (body[i])
            s->segments[i].loop = (uint32_t)s->loop_count - 1;
}

/* Finds the loops. Segments (basic blocks, cut at barriers) are visited by their depth in the
 * dominator tree, so that outer loops are found first: their headers dominate those of inner
 * loops. */
static void find_loops(pm_structure *s, const pm_graph *reverse, const uint32_t *dominator,
                       pm_memory *memory)
{
    bool *body = pm_take(memory, reverse->nodes, sizeof *body);
    uint32_t *stack = pm_take(memory, reverse->nodes, sizeof *stack);
    uint32_t *depth = pm_take(memory, reverse->nodes, sizeof *depth), deepest = 0;

    *pm_add(memory, s->loops, s->loop_count) = (pm_code_loop){0};
    for (uint32_t i = 0; i < s->count; i++) {
        for (uint32_t n = i; dominator[i] != UINT32_MAX && dominator[n] != n; n = dominator[n])
            depth[i]++;
        deepest = depth[i] > deepest ? depth[i] : deepest;
    }
    for (uint32_t d = 0; d <= deepest; d++)
        for (uint32_t i = 0; i < s->count; i++)
            if (depth[i] == d && dominator[i] != UINT32_MAX)
                add_loop(s, reverse, dominator, i, body, stack, memory);
}

pm_structure pm_structure_find(LLVMValueRef kernel, const pm_cuts *cuts, pm_memory *memory)
{
    pm_structure s = {0};
    pm_graph graph, reverse;
    const uint32_t *after, *dominator;

    cut(kernel, cuts, &s, memory);
    connect(&s, memory);
    graph = make_graph(&s, memory);
    reverse = pm_graph_reverse(&graph, memory);
    after = pm_graph_dominators(&reverse, &graph, (uint32_t)s.count, memory);
    for (uint32_t i = 0; i < s.count; i++)
        s.segments[i].join = after[i] >= s.count ? PM_NO_BLOCK : after[i];
    dominator = pm_graph_dominators(&graph, &reverse, 0, memory);
    find_loops(&s, &reverse, dominator, memory);
    pm_meet_find(&s, memory);
    pm_merges_find(&s, &reverse, dominator, memory);
    return s;
}
