/* Atoms as operands of OpenCL C. See index.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdlib.h>
#include <string.h>

#include "index_parts.h"

/* A variable of the kernel's body that always is the local id; NULL: there is none. */
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
        if (pm_poly_equal(&value, &id))
            return symbol->node;
    }
    return NULL;
}

static void add_local(const pm_atom *atom, pm_node *const *locals, pm_text *text)
{
    char name[128] = "";

    if (locals[atom->dimension])
        pm_node_name(locals[atom->dimension], name, sizeof name);
    if (name[0])
        pm_text_add(text, "%s", name);
    else
        pm_text_add(text, "get_local_id(%u)", atom->dimension);
}

static bool is_power(long long value)
{
    return (value & (value - 1)) == 0;
}

static unsigned log_of(long long power)
{
    unsigned log = 0;

    while (power > 1) {
        power /= 2;
        log++;
    }
    return log;
}

/* Bits of the id; digits, where the bases are no powers of two. */
static void add_part(const pm_index *index, const pm_atom *atom, pm_node *const *locals,
                     pm_text *text)
{
    long long size = (long long)index->work_group[atom->dimension], base = atom->high + 1;
    bool shifts = is_power(atom->divisor), top = atom->divisor * base == size;

    pm_text_add(text, "(");
    add_local(atom, locals, text);
    if (atom->divisor > 1 && shifts)
        pm_text_add(text, " >> %u", log_of(atom->divisor));
    else if (atom->divisor > 1)
        pm_text_add(text, " / %lld", atom->divisor);
    if (!top && is_power(base))
        pm_text_add(text, " & %lld", base - 1);
    else if (!top)
        pm_text_add(text, " %% %lld", base);
    pm_text_add(text, ")");
}

/* "(at - (y * stride + x))". */
static void add_difference(const pm_index *index, const pm_atom *atom, pm_text *text)
{
    const char **names = calloc(index->atom_count + 1, sizeof *names);
    char name[128];

    pm_node_name(atom->variable, name, sizeof name);
    for (size_t a = 0; names && a < index->atom_count; a++)
        names[a] = index->atoms[a].text ? index->atoms[a].text : "";
    pm_text_add(text, "(%s - ", name);
    if (atom->node) { /* a pointer, from the beginning of its array */
        pm_node_name(atom->node, name, sizeof name);
        pm_text_add(text, atom->inner.count ? "%s - " : "%s", name);
    }
    if (atom->node && atom->inner.count == 0)
        pm_text_add(text, "%s", "");
    else if (names)
        pm_poly_operand(&atom->inner, names, text);
    else
        text->failed = true;
    pm_text_add(text, ")");
    free((void *)names);
}

static void write_text(pm_reader *r, pm_atom *atom, pm_node *const *locals)
{
    static const char *const functions[] = {
        [PM_ATOM_GROUP] = "get_group_id", [PM_ATOM_OFFSET] = "get_global_offset"};
    pm_text text = {0};
    char name[128] = "";

    switch (atom->kind) {
    case PM_ATOM_LOCAL:
        add_local(atom, locals, &text);
        break;
    case PM_ATOM_GROUP:
    case PM_ATOM_OFFSET:
        pm_text_add(&text, "%s(%u)", functions[atom->kind], atom->dimension);
        break;
    case PM_ATOM_PART:
        add_part(r->index, atom, locals, &text);
        break;
    case PM_ATOM_LOOP:
    case PM_ATOM_VALUE:
        if (atom->inner.known)
            add_difference(r->index, atom, &text);
        else {
            pm_node_name(atom->variable, name, sizeof name);
            pm_text_add(&text, "%s", name);
        }
        break;
    default:
        break;
    }
    pm_text_put(&text, "", 0);
    atom->text = text.failed ? NULL : pm_text_take(&text);
    if (!atom->text)
        pm_reader_fail(r, PM_FAILED, "out of memory for the kernel's values");
}

void pm_index_write_texts(pm_reader *r, pm_frame *frame)
{
    pm_node *locals[3];
    size_t count;

    for (unsigned d = 0; d < 3; d++)
        locals[d] = name_of_local(r, frame, d);
    count = r->index->atom_count;
    /* Differences have the texts of other atoms in them. */
    for (int pass = 0; pass < 2; pass++)
        for (size_t a = 0; r->status == PM_OK && a < count; a++) {
            pm_atom *atom = &r->index->atoms[a];

            if (atom->kind == PM_ATOM_LOCAL || atom->kind == PM_ATOM_PART)
                atom->variable = locals[atom->dimension];
            if (!atom->text && (pass == 1) == (atom->kind == PM_ATOM_VALUE && atom->inner.known))
                write_text(r, atom, locals);
        }
}
