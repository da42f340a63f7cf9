/* Chooses the names and types of variables in the code that is added to a kernel to copy arrays to
 * local memory (staging). See emit.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <ctype.h>
#include <string.h>

#include "transform/staging/emit/emit.h"

/* ---- types ---------------------------------------------------------------------------------- */

/* Returns true if the name is that of the variable of an outer loop around a tiled loop, and if the
 * variable has the type `kind`. */
static bool is_piece(const pm_operands *o, const char *name, size_t length, enum CXTypeKind kind)
{
    for (size_t p = 0; p < o->piece_count; p++)
        if (strlen(o->pieces[p].name) == length && strncmp(o->pieces[p].name, name, length) == 0)
            return o->pieces[p].kind == kind;
    return false;
}

/* Returns true if all identifiers in an expression are variables of type `kind`. own: an identifier
 * that is known to have this type; NULL: none. */
static bool is_of_type(const pm_operands *o, const char *text, const char *own,
                       enum CXTypeKind kind)
{
    size_t begin, end = 0, length = strlen(text);

    while (pm_token(text, end, length, &begin, &end)) {
        if (isdigit((unsigned char)text[begin])) {
            if (isalpha((unsigned char)text[end - 1]))
                return false;
            continue;
        }
        if ((isalpha((unsigned char)text[begin]) || text[begin] == '_') &&
            !(own && pm_token_is(text, begin, end, own)) &&
            !is_piece(o, text + begin, end - begin, kind) &&
            !pm_index_is_declared_as(o->index, text + begin, end - begin, kind))
            return false;
    }
    return true;
}

/* Returns the variable of the loop whose iteration number the atom (symbolic value) is, if the
 * variable has the type `kind`. Otherwise returns NULL. */
static const char *find_loop_variable(const pm_operands *o, const pm_atom *atom,
                                      enum CXTypeKind kind)
{
    for (size_t l = 0; l < o->index->loop_count; l++) {
        const pm_loop *loop = &o->index->loops[l];

        if (atom->variable == loop->node && loop->atom != PM_NO_ATOM &&
            o->index->atoms[loop->atom].variable->type.kind == kind)
            return o->index->atoms[loop->atom].text;
    }
    return NULL;
}

/* Returns the code of a digit of a local id, (id / divisor) % n, such as (x & 7) or (x >> 3). If
 * the divisors are not powers of two, the code has / and %. */
static const char *write_digit(pm_operands *o, const pm_atom *atom)
{
    pm_text out = {.memory = o->memory};
    long long count = atom->high + 1, divisor = atom->divisor;
    bool top = divisor * count == (long long)o->index->work_group[atom->dimension];
    bool powers = (count & (count - 1)) == 0 && (divisor & (divisor - 1)) == 0;

    pm_text_add(&out, "(%s", pm_operands_local(o, atom->dimension));
    if (divisor > 1 && powers)
        pm_text_add(&out, " >> %d", __builtin_ctzll((unsigned long long)divisor));
    else if (divisor > 1)
        pm_text_add(&out, " / %lld", divisor);
    if (!top && powers)
        pm_text_add(&out, " & %lld", count - 1);
    else if (!top)
        pm_text_add(&out, " %% %lld", count);
    pm_text_add(&out, ")");
    return pm_text_get(&out);
}

/* Returns the name of an int variable with the block id. CUDA's own ids, such as blockIdx.x, are
 * unsigned. */
static const char *name_group(pm_operands *o, unsigned dimension)
{
    static const char *const wishes[] = {"bx", "by", "bz"};

    if (!o->group[dimension])
        o->group[dimension] = pm_names_fresh(o->names, wishes[dimension]);
    return o->group[dimension];
}

/* Returns the code of an atom (symbolic value) as an operand of type int, or of a 64-bit type if
 * `wide`. */
static const char *write_operand(pm_operands *o, size_t a, bool wide)
{
    const pm_atom *atom = &o->index->atoms[a];
    const char *text = atom->text ? atom->text : "";
    const enum CXTypeKind kind = !wide               ? CXType_Int
                                 : o->words->is_cuda ? CXType_LongLong
                                                     : CXType_Long;
    bool own = atom->kind == PM_ATOM_FIRST;

    if (atom->kind == PM_ATOM_LOCAL)
        return pm_operands_local(o, atom->dimension);
    if (atom->kind == PM_ATOM_PART)
        return write_digit(o, atom);
    if (atom->kind == PM_ATOM_GROUP && o->words->is_cuda)
        return pm_format(o->memory, "%s%s", wide ? "(long long)" : "",
                         name_group(o, atom->dimension));
    if (own && o->wide_ids && !wide)
        return pm_format(o->memory, "(int)%s", text);
    if (own || atom->kind == PM_ATOM_CLAMP ||
        is_of_type(o, text, find_loop_variable(o, atom, kind), kind))
        return text;
    return pm_format(o->memory, "(%s)%s", wide ? o->words->index : "int", text);
}

const char *const *pm_operands_code(pm_operands *o, bool wide)
{
    while (o->code_count[wide] < o->index->atom_count) {
        const char *name = write_operand(o, o->code_count[wide], wide);

        *pm_add(o->memory, o->code[wide], o->code_count[wide]) = name;
    }
    return o->code[wide];
}

bool pm_tile_is_wide(const pm_index *index, const pm_tile *tile)
{
    for (size_t m = 0; m < tile->member_count; m++) {
        const pm_node *node = pm_tile_access(index, tile, m)->node;
        const pm_node *subscript = pm_ast_child(node, 1);
        enum CXTypeKind kind;

        if (node->kind != CXCursor_ArraySubscriptExpr || !subscript)
            return true;
        kind = subscript->type.kind;
        if (kind == CXType_Long || kind == CXType_ULong || kind == CXType_LongLong ||
            kind == CXType_ULongLong)
            return true;
        if (pm_ast_strip(node->first)->type.kind == CXType_Pointer &&
            pm_ast_strip(node->first)->declaration != index->arrays[tile->array].node)
            return true;
    }
    return false;
}

/* ---- ids ------------------------------------------------------------------------------------ */

/* Returns an int variable of the source that equals the local id and can be used before every
 * region (statements before which tiles are filled). Returns NULL if there is none. */
static const char *find_own_local(const pm_operands *o, unsigned dimension)
{
    const pm_index *index = o->index;

    for (size_t a = 0; a < index->atom_count; a++) {
        const pm_atom *atom = &index->atoms[a];
        bool seen = atom->kind == PM_ATOM_LOCAL && atom->dimension == dimension &&
                    !strchr(atom->text, '(') && is_of_type(o, atom->text, NULL, CXType_Int);

        for (size_t p = 0; p < o->places->count && seen; p++)
            seen = pm_region_sees_text(index, &o->places->items[p].region, atom->text, NULL);
        if (seen)
            return atom->text;
    }
    return NULL;
}

const char *pm_operands_local(pm_operands *o, unsigned dimension)
{
    static const char *const wishes[] = {"lx", "ly", "lz"};
    const char *own;

    if (o->local[dimension])
        return o->local[dimension];
    own = find_own_local(o, dimension);
    o->is_own[dimension] = own != NULL;
    o->local[dimension] = own ? own : pm_names_fresh(o->names, wishes[dimension]);
    return o->local[dimension];
}

/* Returns the atom (symbolic value) of a local id. Adds it if the kernel's table has only values
 * such as id / 8 and id % 8. */
static size_t find_local_id(pm_operands *o, unsigned dimension)
{
    pm_atom id = {.kind = PM_ATOM_LOCAL,
                  .dimension = dimension,
                  .low_known = true,
                  .high_known = true,
                  .high = (long long)o->index->work_group[dimension] - 1};

    for (size_t a = 0; a < o->index->atom_count; a++)
        if (o->index->atoms[a].kind == PM_ATOM_LOCAL && o->index->atoms[a].dimension == dimension)
            return a;
    id.text = o->words->local_id[dimension];
    return pm_index_add_atom(o->index, &id);
}

pm_poly pm_operands_whole_ids(pm_operands *o, const pm_poly *poly)
{
    const pm_index *index = o->index;
    pm_poly shortest = *poly;

    for (size_t a = 0; a < index->atom_count; a++) {
        const pm_atom *lowest = &index->atoms[a];
        pm_poly whole, other;

        if (lowest->kind != PM_ATOM_PART || lowest->divisor != 1 || !pm_poly_has(poly, a))
            continue;
        whole = pm_poly_atom(find_local_id(o, lowest->dimension));
        /* read this pointer again, because find_local_id() may have moved the table of symbolic
         * values */
        lowest = &index->atoms[a];
        for (size_t i = 0; i < index->atom_count; i++) {
            const pm_atom *part = &index->atoms[i];

            if (part->kind == PM_ATOM_PART && part->dimension == lowest->dimension && i != a)
                whole = pm_poly_subtract(whole, pm_poly_scale(pm_poly_atom(i), part->divisor));
        }
        other = pm_poly_replace(shortest, a, whole);
        if (other.known && other.count < shortest.count)
            shortest = other;
    }
    return shortest;
}

const char *pm_operands_item(pm_operands *o)
{
    const size_t *group = o->index->work_group;

    if (group[1] == 1 && group[2] == 1)
        return pm_operands_local(o, 0);
    if (o->item)
        return o->item;
    if (group[2] > 1)
        o->item = pm_format(o->memory, "(%s * %zu + %s * %zu + %s)", pm_operands_local(o, 2),
                            group[1] * group[0], pm_operands_local(o, 1), group[0],
                            pm_operands_local(o, 0));
    else
        o->item = pm_format(o->memory, "(%s * %zu + %s)", pm_operands_local(o, 1), group[0],
                            pm_operands_local(o, 0));
    return o->item;
}

/* Returns true if the text of an edit contains the word. */
static bool is_written(const pm_edits *edits, const char *word)
{
    for (size_t i = 0; i < edits->count; i++)
        if (pm_has_token(edits->items[i].text, word))
            return true;
    return false;
}

void pm_operands_declare(const pm_operands *o, const pm_edits *edits, pm_text *out)
{
    for (unsigned d = 0; d < 3; d++)
        if (o->local[d] && !o->is_own[d] && is_written(edits, o->local[d]))
            pm_text_add(out, "\n    const int %s = %s;", o->local[d], o->words->local_id[d]);
    for (unsigned d = 0; d < 3; d++)
        if (o->group[d] && is_written(edits, o->group[d]))
            pm_text_add(out, "\n    const int %s = %s;", o->group[d], o->words->group_id[d]);
    for (unsigned d = 0; d < 3; d++) {
        const size_t first = pm_index_find_atom(o->index, PM_ATOM_FIRST, d);
        const char *name = first == PM_NO_ATOM ? NULL : o->index->atoms[first].text;

        if (name && is_written(edits, name))
            pm_text_add(out, "\n    const %s %s = %s - %s;", o->wide_ids ? o->words->index : "int",
                        name, o->words->global_id[d], o->words->local_id[d]);
    }
}

void pm_write_subscript(const pm_poly *at, const char *const *code, pm_text *out)
{
    pm_text text = {.memory = out->memory};
    const char *plain;
    size_t depth = 0, closed = 0;

    pm_poly_text(at, code, &text);
    plain = pm_text_get(&text);
    for (size_t i = 0; plain[i] && closed == 0; i++) {
        depth += plain[i] == '(';
        depth -= plain[i] == ')' && depth > 0;
        closed = depth == 0 ? i + 1 : 0;
    }
    if (plain[0] == '(' && closed == text.length && closed > 1)
        pm_text_add(out, "[%.*s]", (int)(text.length - 2), plain + 1);
    else
        pm_text_add(out, "[%s]", plain);
}
