/* Estimates the cost of a memory layout of a struct: how many L1 lines and L2 sectors the accesses
 * of a warp touch. See search.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "transform/layout/search.h"

#include <math.h>
#include <stdlib.h>

enum { LINE = 128, SECTOR = 32, WIDEST = 16 };

/* The uses of fields in one loop of a kernel: uses[begin] ... uses[end - 1]. */
typedef struct {
    const pm_field_use *uses;
    size_t begin, end;
} visit;

/* Numbers of L1 lines and L2 sectors that one memory request of a warp touches. */
typedef struct {
    double lines, sectors;
} touched;

static touched touch(const pm_field_use *use, double stride, double bytes)
{
    double n = use->pattern == PM_SHARED ? 1 : use->elements;
    double lines = ceil(bytes / LINE), sectors = ceil(bytes / SECTOR);
    touched t = {n * lines, n * sectors};

    if (use->pattern != PM_CONSECUTIVE)
        return t;
    t.lines = fmax(1, fmin(t.lines, n * stride / LINE));
    t.sectors = fmax(1, fmin(t.sectors, n * stride / SECTOR));
    return t;
}

/* Returns the member of a part (buffer of the new layout) that contains a field. Returns NULL if
 * the field is in another part. */
static const pm_member *member_of(const pm_part *part, size_t field)
{
    for (size_t m = 0; m < part->member_count; m++)
        if (part->members[m].field == field)
            return &part->members[m];
    return NULL;
}

typedef struct {
    double requests; /* memory requests per warp in one iteration of the loop */
    double width;    /* bytes that a work-item accesses in one request */
    double span;     /* bytes from the start of the first used field to the end of the last one */
    double executions;
    /* the use of a field in this buffer with the most executions */
    const pm_field_use *use;
} part_use;

/* Computes the memory requests that a loop makes to one part (buffer) of the new layout. written:
 * true: the requests that write; false: the requests that read. If the part is aligned, one vector
 * request accesses several fields. */
static part_use use_part(const pm_plan *plan, const pm_part *part, const visit *v, bool written)
{
    const pm_field *fields = plan->structure->fields;
    size_t used = 0, first = part->bytes, last = 0, most = 0;
    part_use p = {0};

    for (size_t i = v->begin; i < v->end; i++) {
        const pm_field_use *use = &v->uses[i];
        const pm_member *m = member_of(part, use->field);

        if (!m || !(written ? use->written : use->read))
            continue;
        size_t bytes = fields[use->field].bytes;
        size_t in_item = part->by_element ? bytes : bytes * pm_field_elements(&fields[use->field]);
        used++;
        p.requests += (double)pm_field_elements(&fields[use->field]);
        most = bytes > most ? bytes : most;
        first = m->offset < first ? m->offset : first;
        last = m->offset + in_item > last ? m->offset + in_item : last;
        if (!p.use || use->executions > p.executions) {
            p.executions = use->executions;
            p.use = use;
        }
    }
    p.span = used ? (double)(last - first) : 0;
    p.width = (double)most;
    if (used > 1 && plan->layout.align) {
        double wide = fmin((double)part->align, WIDEST);

        p.requests = ceil((double)last / wide) - floor((double)first / wide);
        p.width = wide;
    }
    return p;
}

static double visit_cost(const pm_plan *plan, const visit *v, double miss)
{
    double cost = 0;

    for (size_t k = 0; k < plan->part_count; k++)
        for (int written = 0; written < 2; written++) {
            const pm_part *part = &plan->parts[k];
            part_use p = use_part(plan, part, v, written);
            double stride = plan->tile > 1 || part->scalar ? p.width : (double)part->bytes;

            if (!p.use)
                continue;
            touched each = touch(p.use, stride, p.width);
            touched all = touch(p.use, stride, plan->tile > 1 ? p.width : p.span);
            double sectors = written ? each.sectors * p.requests : all.sectors * miss;

            cost += p.executions * (fmax(1, each.lines) * p.requests + sectors / 2);
        }
    return cost;
}

double pm_layout_estimate(const pm_plan *plan, const pm_field_use *uses, size_t use_count,
                          const pm_search_options *options)
{
    double sum = 0;

    for (size_t begin = 0, end; begin < use_count; begin = end) {
        visit v = {uses, begin, begin};

        while (v.end < use_count && uses[v.end].kernel == uses[begin].kernel &&
               uses[v.end].loop == uses[begin].loop)
            v.end++;
        end = v.end;
        sum += visit_cost(plan, &v, options->misses ? options->misses[uses[begin].kernel] : 1);
    }
    return sum;
}
