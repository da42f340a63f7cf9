/* Writes an atom (an integer that array indices are computed from, such as a work-item id or a loop
 * variable) as OpenCL C or CUDA code. See index.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "transform/source/kernel_words.h"
#include "transform/staging/index/parts.h"

/* Returns a variable of the kernel's body that always equals the local id in a dimension. Returns
 * NULL if there is none. */
static pm_node *name_of_local(pm_reader *r, pm_frame *frame, unsigned dimension)
{
    const pm_poly id = pm_index_local(r, dimension);

    for (size_t s = frame->first_symbol; s < frame->first_symbol + frame->symbols; s++) {
        const pm_symbol *symbol = &r->symbols[s];
        pm_poly value;

        if (symbol->scope != r->index->body || symbol->first_change != PM_NONE ||
            !symbol->initializer || !pm_is_integer(symbol->node))
            continue;
        value = pm_index_value(r, frame, symbol->initializer);
        if (pm_poly_equal(value, id))
            return symbol->node;
    }
    return NULL;
}

static const pm_kernel_words *words_of(const pm_reader *r)
{
    return pm_kernel_words_of(r->ast->is_cuda);
}

static const char *local_text(const pm_reader *r, const pm_atom *atom, pm_node *const *locals)
{
    return locals[atom->dimension] ? locals[atom->dimension]->name
                                   : words_of(r)->local_id[atom->dimension];
}

static bool is_power(long long value)
{
    return (value & (value - 1)) == 0;
}

/* Returns the code for a digit of a local id, (id / divisor) % n, with >> and & if the divisors are
 * powers of two. */
static const char *part_text(const pm_reader *r, const pm_atom *atom, pm_node *const *locals)
{
    long long size = (long long)r->index->work_group[atom->dimension], base = atom->high + 1;
    bool shifts = is_power(atom->divisor), top = atom->divisor * base == size;
    pm_text text = {.memory = &r->index->memory};

    pm_text_add(&text, "(%s", local_text(r, atom, locals));
    if (atom->divisor > 1 && shifts)
        pm_text_add(&text, " >> %d", __builtin_ctzll((unsigned long long)atom->divisor));
    else if (atom->divisor > 1)
        pm_text_add(&text, " / %lld", atom->divisor);
    if (!top && is_power(base))
        pm_text_add(&text, " & %lld", base - 1);
    else if (!top)
        pm_text_add(&text, " %% %lld", base);
    pm_text_add(&text, ")");
    return pm_text_get(&text);
}

const char *const *pm_index_names(const pm_index *index, pm_memory *memory, const char *unnamed)
{
    const char **names = pm_take(memory, index->atom_count, sizeof *names);

    for (size_t a = 0; a < index->atom_count; a++)
        names[a] = index->atoms[a].text && *index->atoms[a].text ? index->atoms[a].text : unnamed;
    return names;
}

/* Returns the code for the part of a variable that is equal in all work-items of a group. It
 * subtracts the part that differs between work-items from the variable, such as "(at - (y * stride
 * + x))". */
static const char *difference_text(const pm_reader *r, const pm_atom *atom)
{
    pm_text text = {.memory = &r->index->memory};

    pm_text_add(&text, "(%s - ", atom->variable->name);
    /* subtract the start of a pointer's array, too, so that the result is an offset */
    if (atom->node)
        pm_text_add(&text, atom->inner.count ? "%s - " : "%s", atom->node->name);
    if (!atom->node || atom->inner.count > 0)
        pm_poly_operand(&atom->inner, pm_index_names(r->index, &r->index->memory, ""), &text);
    pm_text_add(&text, ")");
    return pm_text_get(&text);
}

static const char *text_of(const pm_reader *r, const pm_atom *atom, pm_node *const *locals)
{
    switch (atom->kind) {
    case PM_ATOM_LOCAL:
        return local_text(r, atom, locals);
    case PM_ATOM_GROUP:
        return words_of(r)->group_id[atom->dimension];
    case PM_ATOM_OFFSET:
        return pm_format(&r->index->memory, "get_global_offset(%u)", atom->dimension);
    case PM_ATOM_PART:
        return part_text(r, atom, locals);
    case PM_ATOM_LOOP:
    case PM_ATOM_VALUE:
        return atom->inner.known ? difference_text(r, atom) : atom->variable->name;
    default:
        return "";
    }
}

void pm_index_write_texts(pm_reader *r, pm_frame *frame)
{
    pm_node *locals[3];
    size_t count;

    for (unsigned d = 0; d < 3; d++)
        locals[d] = name_of_local(r, frame, d);
    count = r->index->atom_count;
    /* First write the code of all simple values. The code of differences such as "(at - (y * stride
     * + x))" contains the code of other values, so the second pass writes it. */
    for (int pass = 0; pass < 2; pass++)
        for (size_t a = 0; a < count; a++) {
            pm_atom *atom = &r->index->atoms[a];

            if (atom->kind == PM_ATOM_LOCAL || atom->kind == PM_ATOM_PART)
                atom->variable = locals[atom->dimension];
            if (!atom->text && (pass == 1) == (atom->kind == PM_ATOM_VALUE && atom->inner.known))
                atom->text = text_of(r, atom, locals);
        }
}
