/* Records and times the kernels that CUDA graphs launch. See cuda.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The kernels of a graph are read when the program instantiates it, because the program may then
 * destroy the graph. The contents of a recorded kernel's buffers are those before the graph is
 * launched, also if another kernel of the graph changes them. So the contents after the kernel are
 * unknown.
 */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "capture/cuda/cuda.h"

enum { MOST_NODES = 4096 };

/* A kernel of a graph. The struct owns `arguments`, pointers to copies of the argument values. */
typedef struct {
    const void *function;
    unsigned grid[3], block[3], shared;
    unsigned argument_count;
    void **arguments;
} graph_kernel;

/* A graph that can be launched. Its handle is the CUgraphExec. */
typedef struct {
    const void *handle;
    size_t count;
    graph_kernel *kernels;
} graph;

/* A launch of a CUDA graph that is in progress, from the beginning to the end of the driver's
 * call. begun: host time when the call began. kernels: the launches of the graph's kernels, one
 * for each. */
typedef struct {
    double begun;
    bool has_turn; /* true: this thread may record, and no other thread does (pm_rec_take_turn) */
    size_t count;
    pm_cuda_running *kernels;
} graph_launch;

/* ---- graphs ---------------------------------------------------------------------------------- */

static void forget(void *object)
{
    graph *g = object;

    for (size_t k = 0; k < g->count; k++) {
        for (unsigned a = 0; a < g->kernels[k].argument_count; a++)
            free(g->kernels[k].arguments[a]);
        free(g->kernels[k].arguments);
    }
    free(g->kernels);
}

/* Copies the kernel of a node with its arguments. False if memory runs out, or if the arguments are
 * not known. */
static bool copy_kernel(const pm_cu_kernel_node *node, graph_kernel *to)
{
    const void *function = node->function ? node->function : node->kernel;
    const pm_cuda_kernel *kernel = function ? pm_cuda_find_kernel(function, NULL) : NULL;

    if (!kernel || !kernel->laid_out || (!node->arguments && kernel->param_count > 0))
        return false;
    *to = (graph_kernel){.function = function, .shared = node->shared};
    memcpy(to->grid, node->grid, sizeof to->grid);
    memcpy(to->block, node->block, sizeof to->block);
    to->arguments = calloc(kernel->param_count + 1, sizeof *to->arguments);
    for (unsigned a = 0; to->arguments && a < kernel->param_count; a++) {
        to->arguments[a] = malloc(kernel->params[a].bytes + 1);
        if (!to->arguments[a])
            return false;
        memcpy(to->arguments[a], node->arguments[a], kernel->params[a].bytes);
        to->argument_count++;
    }
    return to->arguments != NULL;
}

static void read_nodes(pm_cu_graph_node *nodes, size_t count, graph *g)
{
    const pm_cuda_layer *cuda = pm_cuda_layer_get();

    for (size_t n = 0; n < count; n++) {
        pm_cu_kernel_node node = {0};
        int type = -1;

        if (cuda->node_type(nodes[n], &type) == 0 && type == PM_CU_KERNEL_NODE &&
            cuda->kernel_node(nodes[n], &node) == 0)
            g->count += copy_kernel(&node, &g->kernels[g->count]);
    }
}

void pm_cuda_graph_made(const void *handle, const void *from)
{
    pm_cuda_layer *cuda = pm_cuda_layer_get();
    pm_cu_graph_node *nodes = NULL;
    graph made = {.handle = handle}, *g;
    size_t count = 0;

    if (cuda->graph_nodes(from, NULL, &count) != 0 || count == 0 || count > MOST_NODES)
        return;
    nodes = calloc(count, sizeof(pm_cu_graph_node));
    made.kernels = calloc(count, sizeof *made.kernels);
    if (nodes && made.kernels && cuda->graph_nodes(from, nodes, &count) == 0)
        read_nodes(nodes, count, &made);
    free(nodes);
    pm_rec_lock();
    g = pm_rec_put(&cuda->graphs, handle, sizeof *g, forget);
    if (g)
        *g = made;
    pm_rec_unlock();
    if (!g)
        forget(&made);
}

void pm_cuda_graph_forget(const void *handle)
{
    graph *g;

    pm_rec_lock();
    g = pm_rec_find(&pm_cuda_layer_get()->graphs, handle);
    if (g) {
        forget(g);
        *g = (graph){.handle = handle};
    }
    pm_rec_unlock();
}

/* ---- launches -------------------------------------------------------------------------------- */

static bool is_chosen_before(const graph_launch *launch, size_t k)
{
    for (size_t i = 0; i < k; i++)
        if (launch->kernels[i].reason == PM_CAPTURED &&
            launch->kernels[i].entry == launch->kernels[k].entry &&
            launch->kernels[i].items == launch->kernels[k].items)
            return true;
    return false;
}

/* Chooses which kernels of the graph are recorded. If a graph has the same kernel with the same
 * size several times, only the first is. */
static void choose(graph_launch *launch)
{
    for (size_t k = 0; k < launch->count; k++) {
        pm_cuda_running *kernel = &launch->kernels[k];

        kernel->reason = pm_rec_choose(kernel->entry, kernel->items);
        if (kernel->reason == PM_CAPTURED && is_chosen_before(launch, k))
            kernel->reason = PM_LEFT_NOT_LONGEST;
        launch->has_turn |= kernel->reason == PM_CAPTURED;
    }
}

static pm_cuda_call call_of(const graph_kernel *kernel)
{
    return (pm_cuda_call){.function = kernel->function,
                          .grid = kernel->grid,
                          .block = kernel->block,
                          .shared = kernel->shared,
                          .arguments = kernel->arguments};
}

static void record(const graph *g, graph_launch *launch)
{
    for (size_t k = 0; k < launch->count; k++) {
        pm_cuda_running *running = &launch->kernels[k];
        const pm_cuda_call call = call_of(&g->kernels[k]);
        const pm_cuda_kernel *kernel =
            running->reason == PM_CAPTURED ? pm_cuda_find_kernel(call.function, NULL) : NULL;

        if (kernel)
            running->recorded = pm_cuda_begin_recording(kernel, &call, &running->reason);
    }
}

static graph_launch *make(const graph *g)
{
    graph_launch *launch = calloc(1, sizeof *launch);

    if (launch)
        launch->kernels = calloc(g->count + 1, sizeof *launch->kernels);
    if (!launch || !launch->kernels) {
        free(launch);
        return NULL;
    }
    launch->begun = pm_now_s();
    for (size_t k = 0; k < g->count; k++) {
        const pm_cuda_call call = call_of(&g->kernels[k]);
        const pm_cuda_kernel *kernel = pm_cuda_find_kernel(call.function, NULL);

        launch->kernels[k].entry = kernel ? kernel->entry : NULL;
        launch->kernels[k].items = pm_cuda_items(&call);
        if (!launch->kernels[k].entry)
            break;
        launch->count++;
    }
    return launch;
}

void pm_cuda_graph_begins(const pm_cupti_call_data *data, const void *handle, pm_cu_stream stream)
{
    graph_launch *launch = NULL;
    const graph *g;

    *data->kept = 0;
    if (!pm_recording_get()->active || pm_cuda_is_capturing(stream))
        return;
    pm_rec_lock();
    g = pm_rec_find(&pm_cuda_layer_get()->graphs, handle);
    pm_rec_unlock();
    if (g && g->count > 0)
        launch = make(g);
    if (!launch)
        return;
    pm_rec_lock();
    choose(launch);
    if (launch->has_turn)
        pm_rec_take_turn();
    pm_rec_unlock();
    if (launch->has_turn)
        record(g, launch);
    *data->kept = (uintptr_t)launch;
}

/* Marks the contents of buffers after this launch as unknown, because other kernels of the graph
 * ran before they could be read. Contents that the kernel cannot write stay known. */
static void leave_after(pm_rec_launch *launch)
{
    for (size_t r = 0; r < launch->region_count; r++)
        launch->regions[r].unknown = !launch->regions[r].read_only;
}

static void find_times(const graph_launch *launch, bool done)
{
    pm_rec_launch **recorded = calloc(launch->count + 1, sizeof(pm_rec_launch *));

    for (size_t k = 0; recorded && k < launch->count; k++)
        recorded[k] = launch->kernels[k].recorded;
    if (recorded && done)
        pm_cuda_find_times(recorded, launch->count);
    free(recorded);
}

static void end_recording(graph_launch *launch, bool launched)
{
    pm_cuda_layer *cuda = pm_cuda_layer_get();
    const bool done = launched && cuda->synchronize() == 0;
    const double seconds = pm_now_s() - launch->begun;

    find_times(launch, done);
    for (size_t k = 0; k < launch->count; k++) {
        pm_rec_launch *recorded = launch->kernels[k].recorded;

        if (!recorded)
            continue;
        /* CUPTI has no record of the kernel's time, so the kernel gets an equal share of the
         * graph's time */
        if (done && recorded->ns == 0)
            recorded->ns = (uint64_t)(seconds * 1e9 / (double)launch->count);
        leave_after(recorded);
        if (done)
            pm_rec_done(recorded, PM_CAPTURED);
        else
            pm_rec_undone(recorded, PM_LEFT_UNREADABLE);
        pm_rec_free_args(recorded);
        free(recorded);
    }
    pm_rec_lock();
    pm_rec_spend(launch->kernels[0].entry, pm_now_s() - launch->begun);
    pm_rec_give_turn();
    pm_rec_unlock();
}

void pm_cuda_graph_ends(const pm_cupti_call_data *data)
{
    const pm_cuda_layer *cuda = pm_cuda_layer_get();
    graph_launch *launch = (graph_launch *)(uintptr_t)*data->kept;
    const bool launched = data->result && *(const pm_cu_result *)data->result == 0;

    *data->kept = 0;
    if (!launch)
        return;
    pm_rec_lock();
    for (size_t k = 0; launched && k < launch->count; k++) {
        if (launch->kernels[k].recorded)
            continue;
        pm_recording_get()->number++;
        if (cuda->has_activity)
            pm_cuda_await(&launch->kernels[k]);
        else
            pm_rec_count(launch->kernels[k].entry, launch->kernels[k].reason, false, 0);
    }
    pm_rec_unlock();
    if (launch->has_turn)
        end_recording(launch, launched);
    free(launch->kernels);
    free(launch);
}
