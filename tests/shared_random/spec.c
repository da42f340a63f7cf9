/* Random transforms. See spec.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "spec.h"

#include <stdio.h>
#include <string.h>

#include "gen.h"

/* The first variant leaves the choice of arrays to the transform, the others name some. */
void sr_spec_choose(const sr_program *p, unsigned variant, const char *only, sr_case *c)
{
    static const unsigned char tiles[] = {4, 8, 16, 3, 1};
    sr_gen g = {.random = p->seed * 3 + variant + 12345};
    size_t names = 0, start = sr_below(&g, (unsigned)p->array_count);
    char *to = c->spec;
    const char *end = c->spec + sizeof c->spec;

    to += snprintf(to, sizeof c->spec, "%s", only ? only : "shared");
    if (only || variant == 0)
        return;
    for (size_t i = 0; i < p->array_count && names < 2; i++) {
        const sr_array *a = &p->arrays[(start + i) % p->array_count];

        if ((a->written && !sr_chance(&g, 8)) || (names > 0 && sr_chance(&g, 60)))
            continue;
        if (a->written && !*c->odd)
            snprintf(c->odd, sizeof c->odd, "a written array is named");
        to += snprintf(to, (size_t)(end - to), "%c%s", names++ ? '+' : ':', a->name);
    }
    if (names > 0 && sr_chance(&g, 40))
        to += snprintf(to, (size_t)(end - to), "/%u", tiles[sr_below(&g, sizeof tiles)]);
    if (sr_chance(&g, 10))
        snprintf(to, (size_t)(end - to), "@%s", p->kernel);
}
