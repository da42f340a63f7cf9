/* Array indices of a kernel are represented as polynomials. Creates their atoms: integers that are
 * not analysed further, such as a work-item id, a loop variable or a kernel argument. See index.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "transform/staging/index/parts.h"

/* ---- table of atoms ------------------------------------------------------------------------- */

/* Returns true if all identifiers in two expressions with equal texts refer to the same
 * declarations, so that the expressions are equal. */
static bool names_same(const pm_reader *r, const pm_node *a, const pm_node *b)
{
    size_t i = a->number, k = b->number, a_behind = a->behind, b_behind = b->behind;

    if (a_behind - i != b_behind - k)
        return false;
    for (; i < a_behind; i++, k++)
        if (r->ast->nodes[i]->kind != r->ast->nodes[k]->kind ||
            (r->ast->nodes[i]->kind == CXCursor_DeclRefExpr &&
             r->ast->nodes[i]->declaration != r->ast->nodes[k]->declaration))
            return false;
    return true;
}

static bool is_same(const pm_reader *r, size_t a, const pm_atom *atom, const pm_frame *frame,
                    const pm_node *key)
{
    const pm_atom *other = &r->index->atoms[a];

    if (other->kind != atom->kind || other->dimension != atom->dimension)
        return false;
    if (atom->kind == PM_ATOM_CLAMP)
        return pm_poly_equal(other->inner, atom->inner) &&
               pm_poly_is_same(other->least, atom->least) &&
               pm_poly_is_same(other->most, atom->most) && other->most_last == atom->most_last;
    if (atom->kind == PM_ATOM_VALUE && atom->text)
        return other->variable == atom->variable && other->text &&
               strcmp(other->text, atom->text) == 0 && names_same(r, other->node, atom->node);
    if (atom->kind == PM_ATOM_VALUE)
        return !other->text && other->variable == atom->variable && other->node == atom->node &&
               pm_poly_is_same(other->inner, atom->inner);
    if (atom->kind == PM_ATOM_PART)
        return other->divisor == atom->divisor;
    return r->atom_key[a] == key && (!key || r->atom_frame[a] == frame->number);
}

size_t pm_index_atom(pm_reader *r, const pm_atom *atom, const pm_frame *frame, pm_node *key)
{
    pm_index *index = r->index;

    for (size_t a = 0; a < index->atom_count; a++)
        if (is_same(r, a, atom, frame, key))
            return a;
    if (index->atom_count >= PM_MOST_ATOMS)
        return PM_NO_ATOM;
    r->atom_frame[index->atom_count] = key && frame ? frame->number : 0;
    r->atom_key[index->atom_count] = key;
    *pm_add(&index->memory, index->atoms, index->atom_count) = *atom;
    return index->atom_count - 1;
}

/* ---- ids ------------------------------------------------------------------------------------ */

pm_poly pm_index_dimension(pm_reader *r, pm_atom_kind kind, unsigned dimension)
{
    pm_atom atom = {
        .kind = kind, .dimension = dimension, .uniform = kind != PM_ATOM_LOCAL, .low_known = true};

    if (kind == PM_ATOM_LOCAL && r->index->sized) {
        atom.high_known = true;
        atom.high = (long long)r->index->work_group[dimension] - 1;
    }
    return pm_poly_atom(pm_index_atom(r, &atom, NULL, NULL));
}

/* Returns a local id as a polynomial. If the kernel divides the id by constants d_1 < d_2 < ...,
 * the id is a sum of digits times divisors. Digit k is (id / d_k) % (d_{k+1} / d_k), and its
 * divisor is d_k. The first divisor is d_0 = 1, and the last one is the work-group size. Each digit
 * is a symbolic value (atom). If the kernel does not divide the id, the id itself is the only
 * atom. */
pm_poly pm_index_local(pm_reader *r, unsigned dimension)
{
    long long size = (long long)r->index->work_group[dimension];
    pm_poly sum = pm_poly_constant(0);

    if (r->index->sized && size == 1)
        return sum;
    if (r->divisor_count[dimension] == 0)
        return pm_index_dimension(r, PM_ATOM_LOCAL, dimension);
    for (size_t d = 0; d <= r->divisor_count[dimension]; d++) {
        long long from = d ? r->divisors[dimension][d - 1] : 1;
        long long to = d < r->divisor_count[dimension] ? r->divisors[dimension][d] : size;
        pm_atom atom = {.kind = PM_ATOM_PART,
                        .dimension = dimension,
                        .low_known = true,
                        .high_known = true,
                        .high = to / from - 1,
                        .divisor = from};

        if (to > from)
            sum = pm_poly_add(
                sum, pm_poly_scale(pm_poly_atom(pm_index_atom(r, &atom, NULL, NULL)), from));
    }
    return sum;
}

pm_poly pm_index_id_value(pm_reader *r, const pm_id *id, long long dimension)
{
    pm_poly local, group;

    if (dimension < 0 || dimension > 2)
        return (pm_poly){.known = false};
    if (id->kind == PM_ID_LOCAL)
        return pm_index_local(r, (unsigned)dimension);
    if (id->kind == PM_ID_GROUP)
        return pm_index_dimension(r, PM_ATOM_GROUP, (unsigned)dimension);
    if (id->kind == PM_ID_OFFSET)
        return pm_index_dimension(r, PM_ATOM_OFFSET, (unsigned)dimension);
    if (!r->index->sized)
        return (pm_poly){.known = false};
    if (id->kind == PM_ID_LOCAL_SIZE)
        return pm_poly_constant((long long)r->index->work_group[dimension]);
    if (id->kind != PM_ID_GLOBAL)
        return (pm_poly){.known = false};
    /* Evaluate the local id before the group id in separate statements, because C does not fix the
     * order of a call's arguments. The numbers of the symbolic values (atoms), and with them the
     * order of the terms in messages, would otherwise differ between compilers. */
    local = pm_index_local(r, (unsigned)dimension);
    group = pm_index_dimension(r, PM_ATOM_GROUP, (unsigned)dimension);
    group = pm_poly_scale(group, (long long)r->index->work_group[dimension]);
    return pm_poly_add(pm_poly_add(group, local),
                       pm_index_dimension(r, PM_ATOM_OFFSET, (unsigned)dimension));
}

/* Requests that the next analysis of the kernel splits a local id at `divisor` into a sum of
 * digits: id = id / divisor * divisor + id % divisor. The request has an effect only if `divisor`
 * divides the work-group size and the next larger divisor, and is a multiple of the next smaller
 * one. */
static void ask_for_divisor(pm_reader *r, unsigned dimension, long long divisor)
{
    long long *list = r->divisors[dimension];
    size_t count = r->divisor_count[dimension], at = 0;
    long long size = (long long)r->index->work_group[dimension];

    while (at < count && list[at] < divisor)
        at++;
    if (!r->index->sized || divisor <= 1 || divisor >= size || size % divisor ||
        count == PM_MOST_DIVISORS || (at < count && list[at] % divisor) ||
        (at > 0 && divisor % list[at - 1]) || (at < count && list[at] == divisor))
        return;
    memmove(list + at + 1, list + at, (count - at) * sizeof *list);
    list[at] = divisor;
    r->divisor_count[dimension]++;
    r->more_divisors = true;
}

bool pm_index_divide(pm_reader *r, pm_poly e, long long divisor, pm_poly *quotient, pm_poly *rest)
{
    long long high;

    *quotient = *rest = pm_poly_constant(0);
    if (!e.known || divisor <= 0)
        return false;
    for (size_t t = 0; t < e.count; t++) {
        pm_poly term = pm_poly_of_term(&e.terms[t]);
        long long whole = e.terms[t].coefficient / divisor;
        long long over = e.terms[t].coefficient % divisor;

        if (over < 0) {
            over += divisor;
            whole--;
        }
        term.terms[0].coefficient = 1;
        *quotient = pm_poly_add(*quotient, pm_poly_scale(term, whole));
        *rest = pm_poly_add(*rest, pm_poly_scale(term, over));
    }
    if (pm_index_is_not_negative(r->index, *rest) && pm_index_high(r->index, *rest, &high) &&
        high < divisor)
        return quotient->known;
    for (size_t t = 0; t < rest->count; t++) {
        const pm_term *term = &rest->terms[t];
        const pm_atom *atom = &r->index->atoms[term->factors[0]];

        if (term->factor_count != 1 || divisor % term->coefficient)
            continue;
        if (atom->kind == PM_ATOM_LOCAL)
            ask_for_divisor(r, atom->dimension, divisor / term->coefficient);
        else if (atom->kind == PM_ATOM_PART)
            ask_for_divisor(r, atom->dimension, atom->divisor * (divisor / term->coefficient));
    }
    return false;
}

/* ---- atoms for unknown integers, clamps and values ------------------------------------------ */

pm_poly pm_index_item(pm_reader *r, const pm_frame *frame, pm_node *node, long long low,
                      long long high)
{
    const pm_atom atom = {
        .kind = PM_ATOM_ITEM, .low_known = true, .low = low, .high_known = true, .high = high};

    return pm_poly_atom(pm_index_atom(r, &atom, frame, node));
}

pm_poly pm_index_symbol_value(pm_reader *r, const pm_symbol *symbol, const pm_poly *varying,
                              pm_node *array)
{
    pm_atom atom = {
        .kind = PM_ATOM_VALUE, .variable = symbol->node, .node = array, .uniform = true};
    pm_poly value;

    if (varying)
        atom.inner = *varying;
    else
        atom.low_known = pm_is_unsigned(symbol->node);
    value = pm_poly_atom(pm_index_atom(r, &atom, NULL, NULL));
    return atom.inner.known ? pm_poly_add(value, atom.inner) : value;
}

/* Returns true if a symbol (variable) has only one value while the kernel runs: it never changes
 * and is not declared in a loop. */
static bool is_lasting(const pm_reader *r, const pm_symbol *symbol)
{
    if (symbol->first_change != PM_NONE)
        return false;
    for (const pm_node *node = symbol->scope; node != r->index->kernel; node = node->parent)
        if (!node->parent || pm_is_loop(node))
            return false;
    return true;
}

static bool is_size(const pm_node *node)
{
    const pm_id_kind kind = pm_id_of(node).kind;

    return kind == PM_ID_GROUP_COUNT || kind == PM_ID_GLOBAL_SIZE || kind == PM_ID_LOCAL_SIZE;
}

pm_poly pm_index_text_value(pm_reader *r, const pm_frame *frame, pm_node *node)
{
    const pm_poly unknown = {.known = false};
    pm_atom atom = {.kind = PM_ATOM_VALUE,
                    .uniform = true,
                    .low_known = pm_is_unsigned(node),
                    .low = is_size(node)};
    const char *before = node->kind != CXCursor_UnexposedExpr ? "("
                         : pm_is_unsigned(node)               ? "((ulong)("
                                                              : "((long)(";
    pm_range piece;

    if (frame->caller || !pm_ast_piece(r->ast, node, &piece))
        return unknown;
    PM_EACH_NODE(r->ast, node, use) {
        const pm_symbol *symbol =
            use->kind == CXCursor_DeclRefExpr ? pm_index_symbol(r, use) : NULL;

        if (pm_changes_operand(use))
            /* The code of a value may be executed twice, so the text of an expression with a side
             * effect cannot be used as this code. */
            return unknown;
        if (!symbol || is_lasting(r, symbol))
            continue;
        if (atom.variable && atom.variable != symbol->node)
            return unknown;
        atom.variable = symbol->node;
    }
    atom.text = pm_format(&r->index->memory, "%s%.*s%s", before, (int)(piece.end - piece.begin),
                          r->ast->text + piece.begin, before[1] ? "))" : ")");
    atom.node = node;
    return pm_poly_atom(pm_index_atom(r, &atom, NULL, NULL));
}
