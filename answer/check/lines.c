/* Finds the lines of a kernel's source that have changed since the baseline was written: those
 * outside of a longest common subsequence of both texts. See parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "answer/check/parts.h"

/* Largest number of cells of the table from which the longest common subsequence of lines is found.
 * If the sources need a larger table, everything between the common start and the common end counts
 * as one changed range. */
static const size_t MOST_CELLS = (size_t)1 << 24;

/* The lines between the common start and the common end of two texts: the n lines `a` of the
 * earlier source, and the m lines `b` of the current source. */
typedef struct {
    const uint64_t *a, *b;
    size_t n, m;
    size_t first; /* index of the line b[0] in the current source */
} middle;

static middle trim(const pm_check_source *before, const pm_check_source *after)
{
    middle s = {before->lines, after->lines, before->line_count, after->line_count, 0};

    while (s.n > 0 && s.m > 0 && *s.a == *s.b) {
        s.a++;
        s.b++;
        s.n--;
        s.m--;
        s.first++;
    }
    while (s.n > 0 && s.m > 0 && s.a[s.n - 1] == s.b[s.m - 1]) {
        s.n--;
        s.m--;
    }
    return s;
}

static void add(pm_memory *memory, pm_check_lines *lines, size_t first, size_t last)
{
    *pm_add(memory, lines->runs, lines->count) =
        (pm_check_run_of_lines){(unsigned)first, (unsigned)last};
}

/* Returns an array `length`: length[i * (m + 1) + k] is the length of the longest common
 * subsequence of a[i ...] and b[k ...]. */
static unsigned *lengths_of(pm_memory *memory, const middle *s)
{
    const size_t wide = s->m + 1;
    unsigned *length = pm_take(memory, (s->n + 1) * wide, sizeof *length);

    for (size_t i = s->n; i-- > 0;)
        for (size_t k = s->m; k-- > 0;) {
            const unsigned down = length[(i + 1) * wide + k], right = length[i * wide + k + 1];

            length[i * wide + k] = s->a[i] == s->b[k] ? length[(i + 1) * wide + k + 1] + 1
                                   : down > right     ? down
                                                      : right;
        }
    return length;
}

/* Adds the ranges of changed lines of b, the current source: the lines outside of its longest
 * common subsequence with a, the earlier source. If lines of a were only deleted, adds the line of
 * b that follows them. */
static void walk(pm_memory *memory, const middle *s, const unsigned *length, pm_check_lines *lines)
{
    const size_t wide = s->m + 1;
    size_t i = 0, k = 0;

    while (i < s->n || k < s->m) {
        const size_t from = k, gone = i;

        while ((i < s->n || k < s->m) && !(i < s->n && k < s->m && s->a[i] == s->b[k])) {
            if (k == s->m || (i < s->n && length[(i + 1) * wide + k] >= length[i * wide + k + 1]))
                i++;
            else
                k++;
        }
        if (k > from)
            add(memory, lines, s->first + from + 1, s->first + k);
        else if (i > gone)
            add(memory, lines, s->first + k + 1, s->first + k + 1);
        while (i < s->n && k < s->m && s->a[i] == s->b[k]) {
            i++;
            k++;
        }
    }
}

pm_check_lines pm_check_lines_of(pm_memory *memory, const pm_check_source *before,
                                 const pm_check_source *after)
{
    const middle s = trim(before, after);
    pm_check_lines lines = {0};

    if (s.n == 0 && s.m == 0)
        return lines;
    if (s.n + 1 > MOST_CELLS / (s.m + 1)) {
        add(memory, &lines, s.first + 1, s.first + (s.m > 0 ? s.m : 1));
        return lines;
    }
    walk(memory, &s, lengths_of(memory, &s), &lines);
    return lines;
}
