/* Chooses names and types of the operands in code that staging writes into the source. See emit.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <ctype.h>
#include <string.h>

#include "transform/staging/tile/emit.h"
#include "transform/staging/tile/parts.h"

const char *pm_emit_scoped(pm_emit *e, const char *wish)
{
    const char *name = wish;

    for (unsigned n = 2; pm_names_has(e->names, name); n++)
        name = pm_format(e->memory, "%s%u", wish, n);
    return name;
}

const char *pm_emit_fresh(pm_emit *e, const char *wish)
{
    const char *name = pm_emit_scoped(e, wish);

    pm_names_add(e->names, name);
    return name;
}

/* ---- types ---------------------------------------------------------------------------------- */

static bool is_piece(const pm_emit *e, const char *name, size_t length, enum CXTypeKind kind)
{
    for (size_t p = 0; p < e->piece_count; p++)
        if (strlen(e->pieces[p].name) == length && strncmp(e->pieces[p].name, name, length) == 0)
            return e->pieces[p].kind == kind;
    return false;
}

/* Returns true if all identifiers in an expression are variables of type `kind`. own: an identifier
 * that is known to have this type; NULL: none. */
static bool is_of_type(const pm_emit *e, const char *text, const char *own, enum CXTypeKind kind)
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
            !is_piece(e, text + begin, end - begin, kind) &&
            !pm_stage_declared_as(e->s, text + begin, end - begin, kind))
            return false;
    }
    return true;
}

/* Returns the variable of the loop whose iteration number the atom (symbolic value) is, if the
 * variable has the type `kind`. Otherwise returns NULL. */
static const char *counted(const pm_emit *e, const pm_atom *atom, enum CXTypeKind kind)
{
    for (size_t l = 0; l < e->s->index.loop_count; l++) {
        const pm_loop *loop = &e->s->index.loops[l];

        if (atom->variable == loop->node && loop->atom != PM_NO_ATOM &&
            e->s->index.atoms[loop->atom].variable->type.kind == kind)
            return e->s->index.atoms[loop->atom].text;
    }
    return NULL;
}

/* Returns the code of a digit of a local id, (id / divisor) % n, such as (x & 7) or (x >> 3). If
 * the divisors are not powers of two, the code has / and %. */
static const char *part_name(pm_emit *e, const pm_atom *atom)
{
    pm_text out = {.memory = e->memory};
    long long count = atom->high + 1, divisor = atom->divisor;
    bool top = divisor * count == (long long)e->s->index.work_group[atom->dimension];
    bool powers = (count & (count - 1)) == 0 && (divisor & (divisor - 1)) == 0;

    pm_text_add(&out, "(%s", pm_emit_local(e, atom->dimension));
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
static const char *group_name(pm_emit *e, unsigned dimension)
{
    static const char *const wishes[] = {"bx", "by", "bz"};

    if (!e->group[dimension])
        e->group[dimension] = pm_emit_fresh(e, wishes[dimension]);
    return e->group[dimension];
}

static const char *name_of(pm_emit *e, size_t a, bool wide)
{
    const pm_atom *atom = &e->s->index.atoms[a];
    const char *text = atom->text ? atom->text : "";
    const enum CXTypeKind kind = !wide               ? CXType_Int
                                 : e->words->is_cuda ? CXType_LongLong
                                                     : CXType_Long;
    bool own = a == e->s->first_id[atom->dimension];

    if (atom->kind == PM_ATOM_LOCAL)
        return pm_emit_local(e, atom->dimension);
    if (atom->kind == PM_ATOM_PART)
        return part_name(e, atom);
    if (atom->kind == PM_ATOM_GROUP && e->words->is_cuda)
        return pm_format(e->memory, "%s%s", wide ? "(long long)" : "",
                         group_name(e, atom->dimension));
    if (own && e->wide_ids && !wide)
        return pm_format(e->memory, "(int)%s", text);
    if (own || atom->kind == PM_ATOM_CLAMP || is_of_type(e, text, counted(e, atom, kind), kind))
        return text;
    return pm_format(e->memory, "(%s)%s", wide ? e->words->index : "int", text);
}

const char *const *pm_emit_names(pm_emit *e, bool wide)
{
    while (e->operand_count[wide] < e->s->index.atom_count) {
        const char *name = name_of(e, e->operand_count[wide], wide);

        *pm_add(e->memory, e->operands[wide], e->operand_count[wide]) = name;
    }
    return e->operands[wide];
}

bool pm_emit_is_wide(const pm_emit *e, const pm_tile *tile)
{
    for (size_t m = 0; m < tile->member_count; m++) {
        const pm_node *node = e->s->index.accesses[tile->members[m].access].node;
        const pm_node *index = pm_ast_child(node, 1);
        enum CXTypeKind kind;

        if (node->kind != CXCursor_ArraySubscriptExpr || !index)
            return true;
        kind = index->type.kind;
        if (kind == CXType_Long || kind == CXType_ULong || kind == CXType_LongLong ||
            kind == CXType_ULongLong)
            return true;
        if (pm_ast_strip(node->first)->type.kind == CXType_Pointer &&
            pm_ast_strip(node->first)->declaration != e->s->index.arrays[tile->array].node)
            return true;
    }
    return false;
}

/* ---- ids ------------------------------------------------------------------------------------ */

/* Returns an int variable of the source that equals the local id and can be used before every
 * region. Returns NULL if there is none. */
static const char *own_local(const pm_emit *e, unsigned dimension)
{
    const pm_sharing *s = e->s;

    for (size_t a = 0; a < s->index.atom_count; a++) {
        const pm_atom *atom = &s->index.atoms[a];
        bool seen = atom->kind == PM_ATOM_LOCAL && atom->dimension == dimension &&
                    !strchr(atom->text, '(') && is_of_type(e, atom->text, NULL, CXType_Int);

        for (size_t p = 0; p < e->place_count && seen; p++)
            seen = pm_region_sees_text(s, &e->places[p].region, atom->text, NULL);
        if (seen)
            return atom->text;
    }
    return NULL;
}

const char *pm_emit_local(pm_emit *e, unsigned dimension)
{
    static const char *const wishes[] = {"lx", "ly", "lz"};
    const char *own;

    if (e->local[dimension])
        return e->local[dimension];
    own = own_local(e, dimension);
    e->is_own[dimension] = own != NULL;
    e->local[dimension] = own ? own : pm_emit_fresh(e, wishes[dimension]);
    return e->local[dimension];
}

/* Returns the atom (symbolic value) of a local id. Adds it if the kernel's table has only values
 * such as id / 8 and id % 8. */
static size_t whole_id(pm_emit *e, unsigned dimension)
{
    pm_atom id = {.kind = PM_ATOM_LOCAL,
                  .dimension = dimension,
                  .low_known = true,
                  .high_known = true,
                  .high = (long long)e->s->index.work_group[dimension] - 1};

    for (size_t a = 0; a < e->s->index.atom_count; a++)
        if (e->s->index.atoms[a].kind == PM_ATOM_LOCAL &&
            e->s->index.atoms[a].dimension == dimension)
            return a;
    id.text = e->words->local_id[dimension];
    return pm_stage_atom(e->s, &id);
}

pm_poly pm_emit_whole_ids(pm_emit *e, const pm_poly *poly)
{
    const pm_index *index = &e->s->index;
    pm_poly shortest = *poly;

    for (size_t a = 0; a < index->atom_count; a++) {
        const pm_atom *lowest = &index->atoms[a];
        pm_poly whole, other;

        if (lowest->kind != PM_ATOM_PART || lowest->divisor != 1 || !pm_poly_has(poly, a))
            continue;
        whole = pm_poly_atom(whole_id(e, lowest->dimension));
        /* read this pointer again, because whole_id() may have moved the table of symbolic
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

const char *pm_emit_item(pm_emit *e)
{
    const size_t *group = e->s->index.work_group;

    if (group[1] == 1 && group[2] == 1)
        return pm_emit_local(e, 0);
    if (e->item)
        return e->item;
    if (group[2] > 1)
        e->item =
            pm_format(e->memory, "(%s * %zu + %s * %zu + %s)", pm_emit_local(e, 2),
                      group[1] * group[0], pm_emit_local(e, 1), group[0], pm_emit_local(e, 0));
    else
        e->item = pm_format(e->memory, "(%s * %zu + %s)", pm_emit_local(e, 1), group[0],
                            pm_emit_local(e, 0));
    return e->item;
}

static bool is_written(const pm_emit *e, const char *word)
{
    for (size_t i = 0; i < e->edits->count; i++)
        if (pm_has_token(e->edits->items[i].text, word))
            return true;
    return false;
}

void pm_emit_ids(pm_emit *e, pm_text *out)
{
    for (unsigned d = 0; d < 3; d++)
        if (e->local[d] && !e->is_own[d] && is_written(e, e->local[d]))
            pm_text_add(out, "\n    const int %s = %s;", e->local[d], e->words->local_id[d]);
    for (unsigned d = 0; d < 3; d++)
        if (e->group[d] && is_written(e, e->group[d]))
            pm_text_add(out, "\n    const int %s = %s;", e->group[d], e->words->group_id[d]);
    for (unsigned d = 0; d < 3; d++) {
        const char *name =
            e->s->first_id[d] == PM_NO_ATOM ? NULL : e->s->index.atoms[e->s->first_id[d]].text;

        if (name && is_written(e, name))
            pm_text_add(out, "\n    const %s %s = %s - %s;", e->wide_ids ? e->words->index : "int",
                        name, e->words->global_id[d], e->words->local_id[d]);
    }
}

void pm_emit_subscript(const pm_poly *at, const char *const *names, pm_text *out)
{
    pm_text text = {.memory = out->memory};
    const char *plain;
    size_t depth = 0, closed = 0;

    pm_poly_text(at, names, &text);
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
