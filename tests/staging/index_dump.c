/* A kernel's index as lines of text. See index_dump.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "index_dump.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "transform/source/clang/source_unit.h"

static const char *const kinds[] = {"LOCAL", "GROUP", "OFFSET", "LOOP",
                                    "VALUE", "PART",  "ITEM",   "CLAMP"};

/* Returns the names of atoms in the dump: L0, G1, O0, k, {n}, P0.8, ITEM7[0..255], CLAMP(..). */
static char **names_of(const pm_index *index)
{
    char **names = calloc(index->atom_count + 1, sizeof *names);

    for (size_t a = 0; names && a < index->atom_count; a++) {
        const pm_atom *atom = &index->atoms[a];
        pm_text name = {0};

        if (atom->kind == PM_ATOM_LOCAL || atom->kind == PM_ATOM_GROUP ||
            atom->kind == PM_ATOM_OFFSET)
            pm_text_add(&name, "%c%u", kinds[atom->kind][0], atom->dimension);
        else if (atom->kind == PM_ATOM_PART)
            pm_text_add(&name, "P%u%s", atom->dimension, atom->text);
        else if (atom->kind == PM_ATOM_LOOP)
            pm_text_add(&name, "%s", atom->text);
        else if (atom->kind == PM_ATOM_VALUE)
            pm_text_add(&name, "{%s}", atom->text);
        else if (atom->kind == PM_ATOM_ITEM)
            pm_text_add(&name, "ITEM[%lld..%lld]", atom->low, atom->high);
        else {
            pm_text_add(&name, "CLAMP(");
            pm_poly_text(&atom->inner, (const char *const *)names, &name);
            pm_text_add(&name, ", ");
            if (atom->least.known)
                pm_poly_text(&atom->least, (const char *const *)names, &name);
            pm_text_add(&name, "..");
            if (atom->most.known)
                pm_poly_text(&atom->most, (const char *const *)names, &name);
            pm_text_add(&name, ")");
        }
        names[a] = pm_text_take(&name);
    }
    return names;
}

static void add_poly(const pm_poly *poly, char **names, pm_text *out)
{
    if (poly->known)
        pm_poly_text(poly, (const char *const *)names, out);
    else
        pm_text_add(out, "?");
}

static void dump_atoms(const pm_index *index, char **names, pm_text *out)
{
    for (size_t a = 0; a < index->atom_count; a++) {
        const pm_atom *atom = &index->atoms[a];

        pm_text_add(out, "atom %s %s", names[a], kinds[atom->kind]);
        if (atom->low_known)
            pm_text_add(out, " >= %lld", atom->low);
        if (atom->high_known)
            pm_text_add(out, " <= %lld", atom->high);
        pm_text_add(out, "%s `%s`", atom->uniform ? " uniform" : "", atom->text);
        if (atom->assumed.known) {
            pm_text_add(out, " assumes ");
            add_poly(&atom->assumed, names, out);
        }
        pm_text_add(out, "\n");
    }
}

static void dump_loops(const pm_index *index, char **names, pm_text *out)
{
    for (size_t l = 0; l < index->loop_count; l++) {
        const pm_loop *loop = &index->loops[l];

        pm_text_add(out, "loop %zu line %u", l, pm_ast_line(loop->node, NULL));
        if (loop->parent != PM_NONE)
            pm_text_add(out, " in %zu", loop->parent);
        if (loop->atom != PM_NO_ATOM) {
            pm_text_add(out, " %s = ", names[loop->atom]);
            add_poly(&loop->start, names, out);
            pm_text_add(out, " .. ");
            add_poly(&loop->end, names, out);
            pm_text_add(out, " by %lld", loop->step);
        }
        pm_text_add(out, "%s%s\n", loop->uniform ? " uniform" : "", loop->jumps ? " jumps" : "");
    }
}

static void dump_guards(const pm_index *index, char **names, pm_text *out)
{
    for (size_t g = 0; g < index->guard_count; g++) {
        const pm_guard *guard = &index->guards[g];

        pm_text_add(out, "guard %zu line %u%s%s%s%s:", g, pm_ast_line(guard->node, NULL),
                    guard->negated ? " not" : "", guard->leaves ? " leaves" : "",
                    guard->uniform ? " uniform" : "", guard->exact ? " exact" : "");
        for (size_t b = 0; b < guard->bound_count; b++) {
            pm_text_add(out, b ? ", " : " ");
            add_poly(&guard->bounds[b], names, out);
        }
        if (guard->assumed.known) {
            pm_text_add(out, " assumes ");
            add_poly(&guard->assumed, names, out);
        }
        pm_text_add(out, "\n");
    }
}

static void dump_accesses(const pm_index *index, char **names, pm_text *out)
{
    for (size_t i = 0; i < index->access_count; i++) {
        const pm_index_access *access = &index->accesses[i];

        pm_text_add(out, "%s[", index->arrays[access->array].name);
        add_poly(&access->index, names, out);
        pm_text_add(out, "]");
        if (access->width > 1)
            pm_text_add(out, " x%u", access->width);
        pm_text_add(out, " %s%s%s%s", access->read ? "r" : "", access->written ? "w" : "",
                    access->may ? " may" : "", access->in_helper ? " helper" : "");
        if (access->loop != PM_NONE)
            pm_text_add(out, " loop %zu", access->loop);
        for (size_t g = 0; g < access->guard_count; g++)
            pm_text_add(out, "%s%zu", g ? "," : " guards ", access->guards[g]);
        pm_text_add(out, "\n");
    }
}

static void dump_arrays(const pm_index *index, pm_text *out)
{
    for (size_t a = 0; a < index->array_count; a++) {
        const pm_index_array *array = &index->arrays[a];

        pm_text_add(out, "array %s: %s, %zu bytes%s%s%s %s%s", array->name, array->element,
                    array->element_bytes, array->is_constant ? " constant" : "",
                    array->is_const ? " const" : "", array->is_restrict ? " restrict" : "",
                    array->read ? "r" : "", array->written ? "w" : "");
        for (size_t p = 0; p < array->pointer_count; p++)
            pm_text_add(out, "%s%s", p ? "," : " pointers ", array->pointers[p]->name);
        if (array->escape)
            pm_text_add(out, " ESCAPES %s", array->escape);
        pm_text_add(out, "\n");
    }
}

void index_dump(const pm_index *index, pm_text *out)
{
    char **names = names_of(index);

    pm_text_add(out, "kernel %s", index->name);
    if (index->sized)
        pm_text_add(out, " (%zu, %zu, %zu)", index->work_group[0], index->work_group[1],
                    index->work_group[2]);
    if (index->has_local)
        pm_text_add(out, " local %zu", index->local_bytes);
    pm_text_add(out, " barriers %zu changes %zu\n", index->barrier_count, index->change_count);
    dump_arrays(index, out);
    dump_atoms(index, names, out);
    dump_loops(index, names, out);
    dump_guards(index, names, out);
    dump_accesses(index, names, out);
    for (size_t a = 0; names && a < index->atom_count; a++)
        free(names[a]);
    free(names);
}

typedef struct {
    const pm_ast *ast;
    pm_node *kernel;
    const size_t *work_group;
    pm_index *index;
    pm_memory *memory;
} reading;

static void read_kernel(void *user)
{
    const reading *r = user;

    pm_index_read(r->ast, r->kernel, r->work_group, r->index, r->memory);
}

pm_status index_read(const pm_ast *ast, pm_node *kernel, const size_t work_group[3],
                     pm_index *index, pm_memory *memory, pm_error *err)
{
    reading r = {ast, kernel, work_group, index, memory};
    pm_status status = pm_attempt(memory, read_kernel, &r, err);

    pm_memory_free(&index->memory);
    return status;
}

bool index_dump_source(const char *text, const char *path, const char *const *options,
                       size_t option_count, const size_t work_group[3], pm_text *out)
{
    const pm_parse_request request = {
        .text = text, .path = path, .arguments = options, .argument_count = option_count};
    pm_ast ast;
    pm_error err = {0};
    bool good = pm_ast_parse(&ast, &request, &err) == PM_OK;

    for (pm_node *node = good ? ast.root->first : NULL; node; node = node->next) {
        pm_memory memory = {0};
        pm_index index = {.name = ""};

        if (!node->is_kernel || !clang_isCursorDefinition(node->cursor))
            continue;
        if (index_read(&ast, node, work_group, &index, &memory, &err) == PM_OK)
            index_dump(&index, out);
        else
            good = false;
        pm_memory_free(&memory);
    }
    if (!good)
        pm_text_add(out, "%s\n", err.text);
    pm_ast_free(&ast);
    return good;
}
