/* Creates frames. A function that a kernel calls is analysed once for each sequence of calls that
 * leads to it. A frame has the results for one such sequence: the values of the function's
 * variables. See parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "transform/staging/index/parts.h"

static pm_frame *new_frame(pm_reader *r, pm_frame *caller, pm_node *call, pm_node *function)
{
    pm_frame frame = {.caller = caller,
                      .call = call,
                      .function = function,
                      .number = r->frame_count + 1,
                      .depth = caller ? caller->depth + 1 : 0};
    pm_frame *made;

    for (size_t s = 0; s < r->symbol_count; s++)
        if (r->symbols[s].function == function && frame.symbols++ == 0)
            frame.first_symbol = s;
    for (size_t c = 0; c < r->change_count; c++)
        if (r->symbols[r->changes[c].symbol].function == function && frame.changes++ == 0)
            frame.first_change = c;
    r->memo_count += 2 * frame.symbols + frame.changes;
    if (r->memo_count > PM_MOST_MEMOS)
        pm_ast_refuse(r->memory, r->index->kernel,
                      "the kernel and its functions have too many variables");
    frame.memo = pm_take(&r->index->memory, 2 * frame.symbols + frame.changes, sizeof *frame.memo);
    made = pm_take(&r->index->memory, 1, sizeof *made);
    *made = frame;
    r->frames[r->frame_count++] = made;
    return made;
}

pm_frame *pm_index_kernel_frame(pm_reader *r)
{
    return new_frame(r, NULL, NULL, r->index->kernel);
}

pm_frame *pm_index_frame(pm_reader *r, pm_frame *caller, pm_node *call)
{
    pm_node *function = pm_ast_callee(call);

    for (size_t f = 0; f < r->frame_count; f++)
        if (r->frames[f]->caller == caller && r->frames[f]->call == call)
            return r->frames[f];
    if (!function || r->frame_count == PM_MOST_FRAMES || caller->depth >= PM_MOST_FRAME_DEPTH)
        return NULL;
    return new_frame(r, caller, call, function);
}

pm_memo *pm_index_memo(pm_frame *frame, size_t symbol, size_t change)
{
    return change == PM_NONE ? &frame->memo[symbol - frame->first_symbol]
                             : &frame->memo[frame->symbols + change - frame->first_change];
}

pm_memo *pm_index_all(pm_frame *frame, size_t symbol)
{
    return &frame->memo[frame->symbols + frame->changes + symbol - frame->first_symbol];
}
