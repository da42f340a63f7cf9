/* Random loops.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "gen.h"

typedef struct {
    const char *type, *name, *low, *high;
    unsigned trips, step;
} range;

/* So many iterations are all loops of a kernel together, for one work-item. */
enum { MOST_TRIPS = 300 };

static unsigned choose_trips(sr_gen *g)
{
    static const unsigned char all[] = {0, 1, 2, 3, 3, 4, 5, 7, 8, 8, 9, 16, 16, 17, 20, 33};
    unsigned trips = all[sr_below(g, sizeof all)];

    while (trips * (g->trips ? g->trips : 1) > MOST_TRIPS)
        trips /= 2;
    return trips;
}

static range choose_range(sr_gen *g)
{
    static const char *const names[] = {"k", "j", "t", "kk", "l", "i", "r", NULL};
    range r = {.type = g->type, .low = "0", .step = 1, .trips = choose_trips(g)};
    const sr_var *outer = sr_find(g, SR_VAR_LOOP);
    unsigned start = sr_chance(g, 25) ? sr_below(g, 5) : 0;

    r.name = sr_name(g, sr_pick(g, names));
    if (sr_has(g, SR_F_MIXED) && sr_chance(g, 40)) {
        static const char *const types[] = {"int", "uint", "size_t", "long", "ulong", NULL};

        r.type = sr_pick(g, types);
    }
    if (sr_chance(g, 20))
        r.step = 2 + sr_below(g, 3);
    if (start)
        r.low = sr_format(g, "%u", start);
    if (sr_has(g, SR_F_TRIANGLE) && outer && sr_chance(g, 50) &&
        outer->trips * g->trips <= MOST_TRIPS) {
        r.trips = outer->trips;
        r.high = sr_chance(g, 50) ? outer->name : sr_format(g, "%s + 1", outer->name);
        r.low = "0";
        if (sr_chance(g, 30)) {
            r.low = sr_format(g, "%s + 1", outer->name);
            r.high = sr_format(g, "%u", outer->trips + 2);
        }
        return r;
    }
    if (sr_chance(g, 10) && (g->trips ? g->trips : 1) * 100 <= MOST_TRIPS) {
        r.trips = 100;
        r.step = 1;
        r.high = g->extent[sr_below(g, g->program->dimensions)];
        return r;
    }
    if (sr_chance(g, 40))
        r.high = sr_format(g, "%u", start + r.trips * r.step);
    else
        r.high = sr_add_int(g, sr_name(g, "count"), start + r.trips * r.step,
                            sr_chance(g, 50) ? 0 : start + r.trips * r.step);
    return r;
}

static bool is_unsigned(const char *type)
{
    return type[0] == 'u' || type[0] == 's';
}

static const char *head(sr_gen *g, const range *r)
{
    const char *n = r->name;
    const char *step = r->step > 1        ? sr_format(g, "%s += %u", n, r->step)
                       : sr_chance(g, 50) ? sr_format(g, "%s++", n)
                       : sr_chance(g, 50) ? sr_format(g, "++%s", n)
                                          : sr_format(g, "%s += 1", n);
    const char *condition = sr_chance(g, 70)   ? sr_format(g, "%s < %s", n, r->high)
                            : sr_chance(g, 50) ? sr_format(g, "%s > %s", r->high, n)
                                               : sr_format(g, "%s + 1 <= %s", n, r->high);

    if (sr_has(g, SR_F_DOWNWARD) && !is_unsigned(r->type) && sr_chance(g, 40))
        return sr_format(
            g, "for (%s %s = (%s)(%s) - 1; %s >= %s; %s)", r->type, n, r->type, r->high, n, r->low,
            r->step > 1 ? sr_format(g, "%s -= %u", n, r->step) : sr_format(g, "%s--", n));
    if (sr_chance(g, 8)) {
        sr_emit(g, "%s %s;", r->type, n);
        return sr_format(g, "for (%s = %s; %s; %s)", n, r->low, condition, step);
    }
    return sr_format(g, "for%s(%s %s = %s; %s; %s%s)", sr_chance(g, 90) ? " " : "", r->type, n,
                     r->low, condition, step, sr_gap(g));
}

void sr_loop(sr_gen *g)
{
    sr_piece piece = sr_piece_begin(g);
    range r = choose_range(g);
    size_t vars = g->var_count;
    unsigned trips = g->trips;
    bool braces = !sr_has(g, SR_F_BRACELESS) || sr_chance(g, 50);
    const char *text = head(g, &r);
    sr_var *v;

    if (sr_has(g, SR_F_UNROLL) && sr_chance(g, 50))
        sr_emit(g, sr_chance(g, 50) ? "#pragma unroll" : "#pragma unroll 4");
    sr_emit(g, "%s%s%s", text, sr_gap(g), braces ? " {" : "");
    v = sr_declare(g, r.name, SR_VAR_LOOP);
    v->trips = r.trips;
    g->trips = (g->trips ? g->trips : 1) * (r.trips ? r.trips : 1);
    g->indent++;
    g->depth++;
    if (braces)
        sr_statements(g, 1 + sr_below(g, 3));
    else
        sr_add_up(g);
    g->depth--;
    g->indent--;
    if (braces)
        sr_emit(g, "}");
    g->trips = trips;
    g->var_count = vars;
    sr_piece_end(g, piece);
}

/* A variable that moves on with each iteration. */
bool sr_march_loop(sr_gen *g)
{
    const char *name = sr_name(g, "at");
    const char *step = sr_chance(g, 40)   ? g->pitch[0]
                       : sr_chance(g, 50) ? g->pitch[1]
                                          : sr_format(g, "%u", 1 + sr_below(g, 4));
    range r = choose_range(g);
    size_t vars = g->var_count;
    unsigned trips = g->trips;
    const char *text = head(g, &r);
    sr_piece piece = sr_piece_begin(g);

    if (sr_chance(g, 20))
        text = sr_format(g, "for (%s %s = 0, %s = %s; %s < %u; %s++)", g->type, r.name, name,
                         sr_plain_index(g), r.name, r.trips, r.name);
    else
        sr_emit(g, "%s %s = %s;", g->type, name, sr_plain_index(g));
    sr_emit(g, "%s {", text);
    sr_declare(g, r.name, SR_VAR_LOOP)->trips = r.trips;
    sr_declare(g, name, SR_VAR_MARCH);
    g->trips = (g->trips ? g->trips : 1) * (r.trips ? r.trips : 1);
    g->indent++;
    g->depth++;
    sr_statements(g, 1 + sr_below(g, 2));
    if (sr_chance(g, 70))
        sr_emit(g, "%s += %s;", name, step);
    else
        sr_emit(g, "%s = %s + %s;", name, name, step);
    g->depth--;
    g->indent--;
    sr_emit(g, "}");
    g->trips = trips;
    g->var_count = vars;
    sr_piece_end(g, piece);
    return true;
}
