/* Random loops.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "nest.h"

typedef struct {
    const char *type, *name, *low, *high;
    unsigned trips, step;
} range;

/* Limit of iterations of all loops of a kernel together, per work-item. */
enum { MOST_TRIPS = 300 };

static unsigned choose_trips(rd_gen *g)
{
    static const unsigned char all[] = {0, 1, 2, 3, 3, 4, 5, 7, 8, 8, 9, 16, 16, 17, 20, 33};
    unsigned trips = all[rd_below(g, sizeof all)];

    while (trips * g->nest->trips > MOST_TRIPS)
        trips /= 2;
    return trips;
}

/* Chooses bounds from an enclosing loop. */
static bool choose_triangle(rd_gen *g, range *r)
{
    const rd_var *outer = rd_find_kind(g, ST_LOOP);

    if (!rd_has(g, ST_TRIANGLE) || !outer || rd_chance(g, 50) ||
        outer->trips * g->nest->trips > MOST_TRIPS)
        return false;
    r->trips = outer->trips;
    r->high = rd_format(g, "%s$( + 1|)", outer->name);
    r->low = "0";
    if (rd_chance(g, 30)) {
        r->low = rd_format(g, "%s + 1", outer->name);
        r->high = rd_format(g, "%u", outer->trips + 2);
    }
    return true;
}

static range choose_range(rd_gen *g)
{
    struct st_state *s = g->nest;
    range r = {.type = s->type, .low = "0", .step = 1, .trips = choose_trips(g)};
    unsigned start = rd_chance(g, 25) ? rd_below(g, 5) : 0, end;

    r.name = rd_name(g, rd_format(g, "$(k|j|t|kk|l|i|r)"));
    if (rd_has(g, ST_MIXED) && rd_chance(g, 40))
        r.type = rd_format(g, "$(int|uint|size_t|long|ulong)");
    if (rd_chance(g, 20))
        r.step = 2 + rd_below(g, 3);
    if (start)
        r.low = rd_format(g, "%u", start);
    if (choose_triangle(g, &r))
        return r;
    if (rd_chance(g, 10) && s->trips * 100 <= MOST_TRIPS) {
        r.trips = 100;
        r.step = 1;
        r.high = s->extent[rd_below(g, s->dimensions)];
        return r;
    }
    end = start + r.trips * r.step;
    if (rd_chance(g, 40))
        r.high = rd_format(g, "%u", end);
    else
        r.high = st_int(g, rd_name(g, "count"), end, rd_chance(g, 50) ? 0 : end);
    return r;
}

static const char *head(rd_gen *g, const range *r)
{
    bool is_unsigned = r->type[0] == 'u' || r->type[0] == 's';
    const char *step =
        rd_format(g, r->step > 1 ? "%1$s += %2$u" : "$(%1$s++|++%1$s|%1$s += 1)", r->name, r->step);
    const char *condition =
        rd_format(g, "$70(%1$s < %2$s|$(%2$s > %1$s|%1$s + 1 <= %2$s))", r->name, r->high);

    if (rd_has(g, ST_DOWNWARD) && !is_unsigned && rd_chance(g, 40))
        return rd_format(g, "for (%1$s %2$s = (%1$s)(%3$s) - 1; %2$s >= %4$s; %2$s%5$s)", r->type,
                         r->name, r->high, r->low,
                         r->step > 1 ? rd_format(g, " -= %u", r->step) : "--");
    if (rd_chance(g, 8))
        return rd_format(g, "%1$s %2$s;\nfor (%2$s = %3$s; %4$s; %5$s)", r->type, r->name, r->low,
                         condition, step);
    return rd_format(g, "for$90( )(%s %s = %s; %s; %s$gap)", r->type, r->name, r->low, condition,
                     step);
}

/* Adds the loop's body, with or without braces. */
static void body(rd_gen *g, const range *r, unsigned most, bool braces)
{
    struct st_state *s = g->nest;
    unsigned trips = s->trips;
    rd_mark mark = rd_open(g);
    rd_var *v = rd_declare(g, r->name);

    v->kind = ST_LOOP;
    v->trips = r->trips;
    s->trips *= r->trips ? r->trips : 1;
    s->depth++;
    if (braces)
        st_statements(g, 1 + rd_below(g, most));
    else
        rd_emit(g, "$addup");
    s->depth--;
    s->trips = trips;
    rd_close(g, mark);
}

static const char *counted(rd_gen *g)
{
    range r = choose_range(g);
    bool braces = !rd_has(g, ST_BRACELESS) || rd_chance(g, 50);
    const char *text = head(g, &r);

    /* A declaration may precede the loop unless the loop has a pragma. */
    if (strncmp(text, "for", 3) == 0 && rd_has(g, ST_UNROLL) && rd_chance(g, 50))
        rd_emit(g, "#pragma unroll$( 4|)");
    rd_emit(g, "%s$gap%s", text, braces ? " {" : "");
    body(g, &r, 3, braces);
    if (braces)
        rd_emit(g, "}");
    return "";
}

/* A variable is incremented in each iteration. */
static const char *march(rd_gen *g)
{
    const char *name = rd_name(g, "at"), *step = rd_format(g, "$40($pitch|$($plane_pitch|$[1-4]))");
    range r = choose_range(g);
    const char *text = head(g, &r), *start = rd_format(g, "$sum");
    rd_mark mark;

    if (rd_chance(g, 20))
        rd_emit(g, "for (%1$s %2$s = 0, %3$s = %4$s; %2$s < %5$u; %2$s++) {", g->nest->type, r.name,
                name, start, r.trips);
    else
        rd_emit(g, "%s %s = %s;\n%s {", g->nest->type, name, start, text);
    mark = rd_open(g);
    rd_declare(g, name)->kind = ST_MARCHING;
    body(g, &r, 2, true);
    rd_emit(g, "$70(%1$s += %2$s|%1$s = %1$s + %2$s);", name, step);
    rd_close(g, mark);
    rd_emit(g, "}");
    return "";
}

const rd_rule st_loop_rules[] = {{"counted", counted}, {"march", march}, {NULL}};
