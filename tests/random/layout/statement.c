/* Random statements on numbers and members: stores, updates, declarations, branches and loops.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "structs.h"

static bool is_sum(const rd_var *var, const void *with)
{
    (void)with;
    return var->kind == LR_NUMBER && var->writable;
}

static const char *sum(rd_gen *g)
{
    return rd_find(g, is_sum, NULL)->name;
}

const char *lr_fold(rd_gen *g, const char *value)
{
    rd_emit(g, "$(%1$s = %1$s * 31u + |%1$s ^= |%1$s += )%2$s;", sum(g), value);
    return "";
}

static const char *fold(rd_gen *g)
{
    return lr_fold(g, rd_format(g, "$uint"));
}

const char *lr_sum(rd_gen *g, const char *start)
{
    rd_var *sum = rd_declare(g, NULL);

    sum->kind = LR_NUMBER;
    sum->pinned = sum->writable = true;
    rd_emit(g, "uint %s = %s;", sum->name, start);
    return sum->name;
}

/* ---- members -------------------------------------------------------------------------------- */

static bool is_real(const lr_member *m)
{
    return m->scalar == LR_FLOAT || m->scalar == LR_DOUBLE;
}

static const char *vector_literal(rd_gen *g, const lr_member *m)
{
    const char *list = lr_scalar_value(g, m);

    for (unsigned i = 1; i < m->width; i++)
        list = rd_format(g, "%s, %s", list, lr_scalar_value(g, m));
    return rd_format(g, rd_is_cuda(g) ? "make_%s(%s)" : "(%s)(%s)", lr_type(g, m), list);
}

/* @1: vector or scalar; @2: value of its type; @3: scalar of @1; @4: half of @1; @5: value of the
 * scalar's type; @6: the scalar's type. */
static const char *choose_store(rd_gen *g, const lr_member *m)
{
    static const char *const steps[] = {"@1$(++|--);", "$(++|--)@1;",
                                        "$sum += $((uint)@1$(++|--)|(uint)(@1$(++|--)));", NULL};
    static const char *const real[] = {"@1 *= @4;", "@1 $(+|-)= (@6)($uint & 63u);", "@1$(++|--);",
                                       "@1 = @2;", NULL};
    static const char *const vectors[] = {"@1.xy = @1.yx;", "@3 = @5;", "@1 = @2;", "@1 = @2;",
                                          NULL};
    bool wraps = m->scalar == LR_UINT || m->scalar == LR_ULONG;
    unsigned which = rd_below(g, 6);

    if (m->width > 1 && rd_is_cuda(g)) /* CUDA has no operators for vectors */
        return which > 1 ? "@3 = @5;" : "@1 = @2;";
    if (m->width > 1 && which > 1)
        return rd_pick(g, vectors);
    if (m->width > 1 && is_real(m))
        return which ? "@1 = @1 * @4 + @2 * @4;" : "@1 -= @1 * @4;";
    if (m->width > 1)
        return which ? "@1 $bitwise= @2;" : "@1 = ~@1;";
    if (is_real(m))
        return rd_pick(g, real);
    if (which == 0 && (wraps || m->scalar <= LR_USHORT))
        return rd_pick(g, steps);
    if (which <= 1)
        return "@1 $gap $bitwise= @2;";
    if (which == 2)
        return wraps ? "@1 $(+|-|*)= @2;" : "@1 ^= @2;";
    if (which == 3)
        return wraps ? "@1 $(<<=|%=) $[1-7]u;" : "@1 %= $[1-7]u;";
    return "@1$gap=$gap@2;";
}

static const char *store(rd_gen *g)
{
    const char *form = "@1 = @2;", *arguments[6];
    lr_place place;
    const lr_member *m;
    lr_leaf leaf;

    if (!lr_place_find(g, NULL, true, &place) || !lr_leaf_find(g, &place, &leaf))
        return NULL;
    m = leaf.member;
    if (m->role != LR_INDEX)
        form = choose_store(g, m);
    arguments[0] = leaf.text;
    arguments[1] = m->width > 1 ? vector_literal(g, m) : lr_scalar_value(g, m);
    arguments[2] = lr_component(g, &leaf);
    arguments[3] = m->scalar == LR_FLOAT ? "0.5f" : "0.5";
    arguments[4] = lr_scalar_value(g, m);
    arguments[5] = lr_scalar_type(m->scalar);
    rd_emit_with(g, form, arguments);
    return "";
}

/* ---- variables ------------------------------------------------------------------------------ */

static const char *declaration(rd_gen *g)
{
    rd_var *var = rd_declare(g, NULL);
    int kind = rd_chance(g, 50) ? LR_NUMBER : LR_REAL;

    rd_emit(g, kind == LR_NUMBER ? "uint %s = $uint;" : "float %s = $float;", var->name);
    var->kind = kind;
    var->writable = true;
    return "";
}

/* Copies a whole vector member to a variable. */
static const char *vector_variable(rd_gen *g)
{
    lr_place place;
    lr_leaf leaf, copy;

    for (unsigned tries = 0; tries < 6; tries++) {
        if (!lr_place_find(g, NULL, false, &place) || !lr_leaf_find(g, &place, &leaf) ||
            leaf.member->width == 1)
            continue;
        /* The new variable's initial value must not name a variable that the new one hides. */
        copy = (lr_leaf){rd_declare(g, rd_has(g, LR_SHADOW) ? rd_name(g, "v") : NULL)->name,
                         leaf.member};
        rd_emit(g, "%s %s = %s;", lr_type(g, leaf.member), copy.text, leaf.text);
        return lr_fold(g, lr_leaf_uint(g, &copy));
    }
    return NULL;
}

/* ---- control flow --------------------------------------------------------------------------- */

/* Returns a nested block of statements. loops: in a loop, it may contain break. */
static const char *block_of(rd_gen *g, unsigned most, bool loops)
{
    rd_mark mark = rd_open(g);
    unsigned depth = g->depth;

    g->layout->loops += loops;
    g->depth -= depth > 0;
    lr_statements(g, 1 + rd_below(g, most));
    if (loops) {
        rd_emit(g, "$20(if ($condition) $(continue|break);)");
        fold(g);
    }
    g->depth = depth;
    g->layout->loops -= loops;
    rd_close(g, mark);
    return "";
}

static const char *block(rd_gen *g)
{
    return block_of(g, 2, false);
}

static const char *case_block(rd_gen *g)
{
    return block_of(g, 1, false);
}

static const char *loop_body(rd_gen *g)
{
    return block_of(g, 3, true);
}

/* Returns a store or an empty statement without braces. The rewritten text must stay a single
 * statement there. */
static const char *bare_store(rd_gen *g)
{
    g->indent++;
    if (!store(g))
        rd_emit(g, ";");
    g->indent--;
    return "";
}

static const char *bare_fold(rd_gen *g)
{
    g->indent++;
    fold(g);
    g->indent--;
    return "";
}

static const char *emit_switch(rd_gen *g)
{
    unsigned cases = 1 + rd_below(g, 3);

    rd_emit(g, "switch ($uint %% 4u) {");
    for (unsigned i = 0; i < cases; i++)
        rd_emit(g, "case %uu: {\n$case_block}$70( break;)", i);
    rd_emit(g, "default: {\n$case_block}$70( break;)\n}");
    return "";
}

static const char *loop(rd_gen *g)
{
    static const char *const loops[] = {
        "for (uint %1$s = 0; %1$s < $[1-4]u; %1$s++) {\n$counts$loop_body}",
        "uint %1$s = $[1-4]u;\ndo {\n$counts$loop_body} while (--%1$s);",
        "uint %1$s = $[1-4]u;\nwhile (%1$s-- > 0u) {\n$counts$loop_body}", NULL};
    const char *form = rd_pick(g, loops);
    rd_mark mark;

    if (g->layout->loops >= 2)
        return NULL;
    rd_emit(g, "{");
    mark = rd_open(g);
    rd_emit(g, form, rd_declare(g, NULL)->name);
    rd_close(g, mark);
    rd_emit(g, "}");
    return "";
}

/* Over all elements. */
static const char *long_loop(rd_gen *g)
{
    rd_mark mark;

    if (g->layout->loops > 0)
        return NULL;
    rd_emit(g, "{");
    mark = rd_open(g);
    g->layout->loops += 2;
    rd_emit(g, "for (uint %1$s = 0; %1$s < $n; ++%1$s)\n$counts$bare_fold",
            rd_declare(g, NULL)->name);
    g->layout->loops -= 2;
    rd_close(g, mark);
    rd_emit(g, "}");
    return "";
}

/* The variable that was declared last is in scope from here on. */
static const char *counts(rd_gen *g)
{
    g->vars[g->var_count - 1].kind = LR_NUMBER;
    return "";
}

static const rd_form flows[] = {{18, "if ($condition) {\n$block}$40( else {\n$block})"},
                                {12, "if ($condition)\n$bare_store$40(else\n$bare_fold)"},
                                {21, "$switch", LR_FLOW},
                                {12, "$long_loop", LR_FLOW},
                                {37, "$loop", LR_FLOW},
                                {0}};

static const char *deep(rd_gen *g)
{
    return g->depth > 0 ? "" : NULL;
}

/* ---- all statements ------------------------------------------------------------------------- */

static const rd_form statements[] = {{1, "$declaration"},
                                     {1, "$fold"},
                                     {2, "$deep$flow"},
                                     {1, "$whole", LR_WHOLE},
                                     {1, "$nested", LR_NESTED},
                                     {1, "$pointer", LR_POINTERS},
                                     {1, "$call_statement"},
                                     {1, "$vector_variable"},
                                     {1, "$walk", LR_WALKS},
                                     {2, "$form"},
                                     {2, "$store"},
                                     {0}};

void lr_statements(rd_gen *g, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (!rd_emit(g, "$statement") && !rd_emit(g, "$store"))
            rd_emit(g, "$fold");
}

const rd_rule lr_statement_rules[] = {{"declaration", declaration},
                                      {"sum", sum},
                                      {"fold", fold},
                                      {"deep", deep},
                                      {"flow", .forms = flows},
                                      {"statement", .forms = statements, .once = true},
                                      {"vector_variable", vector_variable},
                                      {"store", store},
                                      {"block", block},
                                      {"case_block", case_block},
                                      {"loop_body", loop_body},
                                      {"bare_store", bare_store},
                                      {"bare_fold", bare_fold},
                                      {"switch", emit_switch},
                                      {"loop", loop},
                                      {"long_loop", long_loop},
                                      {"counts", counts},
                                      {NULL}};
