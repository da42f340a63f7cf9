/* The shape of a kernel. See structure.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Work-items of a warp that part at a branch meet again at its immediate post-dominator, as in the
 * reconvergence that NVIDIA's hardware and compilers keep.
 */
#include "structure.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

#include "collector/error.h"
#include "graph.h"
#include "module.h"

void pm_structure_free(pm_structure *s)
{
    free(s->segments);
    free(s->successors);
    free(s->loops);
    *s = (pm_structure){0};
}

uint32_t pm_structure_head(const pm_structure *s, LLVMBasicBlockRef block)
{
    for (uint32_t i = 0; i < s->count; i++)
        if (s->segments[i].block == block && s->segments[i].first == LLVMGetFirstInstruction(block))
            return i;
    return PM_NO_BLOCK;
}

/* ---- blocks cut at barriers --------------------------------------------------------------- */

static bool is_barrier(LLVMValueRef instruction)
{
    unsigned dimension;

    return LLVMGetInstructionOpcode(instruction) == LLVMCall &&
           pm_call_kind(instruction, &dimension) == PM_CALL_BARRIER;
}

static size_t count_segments(LLVMValueRef kernel, size_t *successors)
{
    size_t count = 0;

    *successors = 0;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(kernel); b; b = LLVMGetNextBasicBlock(b)) {
        count++;
        *successors += LLVMGetNumSuccessors(LLVMGetBasicBlockTerminator(b));
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (is_barrier(i)) {
                count++;
                *successors += 1;
            }
    }
    return count;
}

static pm_block_end terminator_end(LLVMValueRef terminator)
{
    unsigned successors = LLVMGetNumSuccessors(terminator);

    return successors == 0 ? PM_END_RETURN : successors == 1 ? PM_END_JUMP : PM_END_BRANCH;
}

static void cut(LLVMValueRef kernel, pm_structure *s)
{
    size_t n = 0;

    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(kernel); b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef first = LLVMGetFirstInstruction(b), end = LLVMGetBasicBlockTerminator(b);

        for (LLVMValueRef i = first; i; i = LLVMGetNextInstruction(i))
            if (is_barrier(i)) {
                s->segments[n++] = (pm_segment){
                    .block = b, .first = first, .last = i, .end = PM_END_BARRIER, .successors = 1};
                first = LLVMGetNextInstruction(i);
            }
        s->segments[n++] = (pm_segment){.block = b,
                                        .first = first,
                                        .last = end,
                                        .end = terminator_end(end),
                                        .successors = LLVMGetNumSuccessors(end)};
    }
}

static void connect(pm_structure *s)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < s->count; i++) {
        pm_segment *segment = &s->segments[i];

        segment->first_successor = n;
        for (uint32_t k = 0; k < segment->successors; k++)
            s->successors[n++] = segment->end == PM_END_BARRIER
                                     ? i + 1
                                     : pm_structure_head(s, LLVMGetSuccessor(segment->last, k));
    }
    s->successor_count = n;
}

/* ---- where work-items meet again ---------------------------------------------------------- */

/* The segments and one exit behind all that return. */
static pm_status make_graph(const pm_structure *s, pm_graph *graph, pm_error *err)
{
    uint32_t n = 0;

    *graph = (pm_graph){.nodes = s->count + 1,
                        .first = calloc(s->count + 2, sizeof *graph->first),
                        .to = calloc(s->successor_count + s->count + 1, sizeof *graph->to)};
    if (!graph->first || !graph->to) {
        pm_graph_free(graph);
        return pm_fail(err, PM_FAILED, "out of memory for a kernel of %zu blocks", s->count);
    }
    for (uint32_t i = 0; i < s->count; i++) {
        const pm_segment *segment = &s->segments[i];

        graph->first[i] = n;
        for (uint32_t k = 0; k < segment->successors; k++)
            graph->to[n++] = s->successors[segment->first_successor + k];
        if (segment->end == PM_END_RETURN)
            graph->to[n++] = (uint32_t)s->count;
    }
    graph->first[s->count] = graph->first[s->count + 1] = n;
    return PM_OK;
}

static pm_status find_joins(pm_structure *s, const pm_graph *graph, uint32_t *dominator,
                            pm_error *err)
{
    pm_graph reverse;
    pm_status status;

    if (pm_graph_reverse(graph, &reverse, err) != PM_OK)
        return PM_FAILED;
    status = pm_graph_dominators(&reverse, (uint32_t)s->count, dominator, err);
    pm_graph_free(&reverse);
    for (uint32_t i = 0; status == PM_OK && i < s->count; i++)
        s->segments[i].join = dominator[i] >= s->count ? PM_NO_BLOCK : dominator[i];
    return status;
}

/* ---- loops -------------------------------------------------------------------------------- */

static bool dominates(const uint32_t *dominator, uint32_t a, uint32_t b)
{
    while (b != a && dominator[b] != b)
        b = dominator[b];
    return a == b;
}

/* Line of the loop that this back edge's metadata tells, else of its head. */
static unsigned loop_line(const pm_segment *latch, const pm_segment *head)
{
    static const char name[] = "llvm.loop";
    LLVMContextRef context =
        LLVMGetModuleContext(LLVMGetGlobalParent(LLVMGetBasicBlockParent(latch->block)));
    LLVMValueRef node =
        LLVMGetMetadata(latch->last, LLVMGetMDKindIDInContext(context, name, sizeof name - 1));
    unsigned operands = node ? LLVMGetMDNodeNumOperands(node) : 0, line = 0;
    LLVMValueRef *values = operands ? calloc(operands, sizeof *values) : NULL;

    if (values) {
        LLVMGetMDNodeOperands(node, values);
        for (unsigned i = 1; i < operands && line == 0; i++) {
            LLVMMetadataRef metadata = values[i] ? LLVMValueAsMetadata(values[i]) : NULL;

            if (metadata && LLVMGetMetadataKind(metadata) == LLVMDILocationMetadataKind)
                line = LLVMDILocationGetLine(metadata);
        }
        free(values);
    }
    for (LLVMValueRef i = head->first; i && line == 0; i = LLVMGetNextInstruction(i))
        line = LLVMGetDebugLocLine(i);
    return line;
}

/* Marks in body what reaches latch without passing head. */
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

/* One loop a head, from outer to inner: a head is numbered after the loops around it, because those
 * are found from heads that dominate it. */
static void add_loop(pm_structure *s, const pm_graph *graph, const pm_graph *reverse,
                     const uint32_t *dominator, uint32_t head, bool *body, uint32_t *stack)
{
    bool any = false;
    unsigned line = 0;

    memset(body, 0, graph->nodes * sizeof *body);
    for (uint32_t e = reverse->first[head]; e < reverse->first[head + 1]; e++) {
        uint32_t latch = reverse->to[e];

        if (dominator[latch] == UINT32_MAX || !dominates(dominator, head, latch))
            continue;
        any = true;
        if (line == 0)
            line = loop_line(&s->segments[latch], &s->segments[head]);
        flood(reverse, head, latch, body, stack);
    }
    if (!any)
        return;
    s->loops[s->loop_count] = (pm_loop){.line = line, .parent = s->segments[head].loop};
    for (uint32_t i = 0; i < s->count; i++)
        if (body[i])
            s->segments[i].loop = (uint32_t)s->loop_count;
    s->loop_count++;
}

/* Heads in an order in which a dominator comes before what it dominates: by depth in the tree. */
static pm_status find_loops(pm_structure *s, const pm_graph *graph, const uint32_t *dominator,
                            pm_error *err)
{
    pm_graph reverse;
    bool *body = calloc(graph->nodes, sizeof *body);
    uint32_t *work = calloc(2 * graph->nodes, sizeof *work);
    pm_status status = pm_graph_reverse(graph, &reverse, err);

    s->loop_count = 1;
    if (status == PM_OK && (!body || !work))
        status = pm_fail(err, PM_FAILED, "out of memory for a kernel of %zu blocks", s->count);
    if (status == PM_OK) {
        uint32_t *depth = work + graph->nodes, deepest = 0;

        for (uint32_t i = 0; i < s->count; i++) {
            for (uint32_t n = i; dominator[i] != UINT32_MAX && dominator[n] != n; n = dominator[n])
                depth[i]++;
            deepest = depth[i] > deepest ? depth[i] : deepest;
        }
        for (uint32_t d = 0; d <= deepest; d++)
            for (uint32_t i = 0; i < s->count; i++)
                if (depth[i] == d && dominator[i] != UINT32_MAX)
                    add_loop(s, graph, &reverse, dominator, i, body, work);
    }
    pm_graph_free(&reverse);
    free(body);
    free(work);
    return status;
}

/* ---- predication -------------------------------------------------------------------------- */

/* NVIDIA's compiler runs a short side of a branch under a predicate: every warp issues it, and a
 * work-item whose predicate is off does nothing. How short is not published; this many IR
 * instructions, and none that cannot be predicated, is what its output shows. */
enum { SHORT_SIDE = 16 };

static bool is_short(const pm_segment *side)
{
    unsigned count = 0;

    for (LLVMValueRef i = side->first; i != side->last; i = LLVMGetNextInstruction(i)) {
        LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
        unsigned dimension;

        if (opcode == LLVMPHI ||
            (opcode == LLVMCall && pm_call_kind(i, &dimension) == PM_CALL_NOTHING))
            continue;
        if ((opcode == LLVMCall && !LLVMGetIntrinsicID(LLVMGetCalledValue(i))) ||
            ++count > SHORT_SIDE)
            return false;
    }
    return true;
}

/* A side: entered from the branch alone, straight to where the work-items meet. */
static bool is_side(const pm_structure *s, const pm_graph *reverse, uint32_t from, uint32_t to)
{
    const pm_segment *side = &s->segments[to];

    return to == s->segments[from].join ||
           (side->end == PM_END_JUMP &&
            s->successors[side->first_successor] == s->segments[from].join &&
            reverse->first[to + 1] - reverse->first[to] == 1 && is_short(side));
}

static pm_status find_predicated(pm_structure *s, const pm_graph *graph, pm_error *err)
{
    pm_graph reverse;

    if (pm_graph_reverse(graph, &reverse, err) != PM_OK)
        return PM_FAILED;
    for (uint32_t i = 0; i < s->count; i++) {
        pm_segment *segment = &s->segments[i];

        segment->predicated = segment->end == PM_END_BRANCH && segment->successors == 2 &&
                              segment->join != PM_NO_BLOCK;
        for (uint32_t k = 0; k < segment->successors && segment->predicated; k++)
            segment->predicated =
                is_side(s, &reverse, i, s->successors[segment->first_successor + k]);
    }
    pm_graph_free(&reverse);
    return PM_OK;
}

static pm_status analyse(pm_structure *s, pm_error *err)
{
    uint32_t *dominator = calloc(s->count + 1, sizeof *dominator);
    pm_graph graph = {0};
    pm_status status = make_graph(s, &graph, err);

    if (status == PM_OK && !dominator)
        status = pm_fail(err, PM_FAILED, "out of memory for a kernel of %zu blocks", s->count);
    if (status == PM_OK)
        status = find_joins(s, &graph, dominator, err);
    if (status == PM_OK)
        status = pm_graph_dominators(&graph, 0, dominator, err);
    if (status == PM_OK)
        status = find_loops(s, &graph, dominator, err);
    if (status == PM_OK)
        status = find_predicated(s, &graph, err);
    pm_graph_free(&graph);
    free(dominator);
    return status;
}

pm_status pm_structure_find(LLVMValueRef kernel, pm_structure *s, pm_error *err)
{
    size_t successors;
    pm_status status;

    *s = (pm_structure){.count = count_segments(kernel, &successors)};
    s->segments = calloc(s->count, sizeof *s->segments);
    s->successors = calloc(successors + 1, sizeof *s->successors);
    s->loops = calloc(s->count + 1, sizeof *s->loops);
    if (!s->segments || !s->successors || !s->loops) {
        pm_structure_free(s);
        return pm_fail(err, PM_FAILED, "out of memory for a kernel of %zu blocks", s->count);
    }
    cut(kernel, s);
    connect(s);
    status = analyse(s, err);
    if (status != PM_OK)
        pm_structure_free(s);
    return status;
}
