/* Generates the types and functions that the rewritten kernel source calls to access structs in
 * their new memory layout, such as T_load and T_ref. See rewrite.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "transform/layout/clang/rewrite.h"

enum { MOST_SUBSCRIPTS = 8 };

static const char *const verbs[PM_NEED_COUNT] = {
    "load", "store", "ref", "ref_at", "ref_add", "ref_minus", "ref_same", "ref_load", "ref_store"};

const char *pm_generate_name(pm_rewrite *rw, const pm_pointee *to, pm_need_kind kind)
{
    pm_rewrite_struct *s = &rw->structs[to->structure];

    s->need[to->constant][kind] = true;
    s->need[to->constant][PM_NEED_REF] |= kind >= PM_NEED_REF;
    s->need[to->constant][PM_NEED_LOAD] |= kind == PM_NEED_REF_LOAD;
    s->need[to->constant][PM_NEED_STORE] |= kind == PM_NEED_REF_STORE;
    return pm_format(&rw->memory, "%s_%s%s", s->names.prefix, verbs[kind],
                     to->constant ? "_constant" : "");
}

const char *pm_generate_member_name(pm_rewrite *rw, const pm_pointee *to,
                                    const pm_need_member *member)
{
    static const char *const member_verbs[] = {"of", "load", "store"};
    pm_rewrite_struct *s = &rw->structs[to->structure];
    char *path = pm_copy(&rw->memory, member->path);

    s->need[to->constant][PM_NEED_REF] = true;
    for (char *c = path; *c; c++)
        *c = *c == '.' ? '_' : *c;
    return pm_format(&rw->memory, "%s_%s_%s%s", s->names.prefix, path, member_verbs[member->kind],
                     member->constant ? "_constant" : "");
}

/* ---- references ---------------------------------------------------------------------------- */

/* Input for generating the functions of one struct for one address space (global or constant
 * memory). Each pair of struct and address space gets its own functions. */
typedef struct {
    pm_rewrite *rw;
    pm_rewrite_struct *s;
    pm_pointee to;
    const pm_kernel_words *words;
    /* space: keyword of the address space followed by a blank, or ""; suffix: end of the generated
     * functions' names, such as _constant */
    const char *space, *suffix;
    const char *ref; /* name of the generated reference type, such as T_ref */
} job;

static const char *name(const job *j, pm_need_kind kind)
{
    return pm_format(&j->rw->memory, "%s_%s%s", j->s->names.prefix, verbs[kind], j->suffix);
}

static void add_ref_type(const job *j, pm_text *out)
{
    const pm_plan *plan = j->s->names.plan;

    pm_text_add(out,
                "/* Stands for a pointer to an element: the parts, and the element's number. */\n"
                "typedef struct {\n");
    for (size_t i = 0; i < plan->part_count; i++) {
        pm_text_add(out, "    %s", j->space);
        pm_plan_text_part_type(out, &j->s->names, i);
        pm_text_add(out, " *p%zu;\n", i);
    }
    if (plan->needs_count)
        pm_text_add(out, "    %s count;\n", j->words->count);
    pm_text_add(out, "    %s i;\n} %s;\n", j->words->index, j->ref);
}

static void add_ref_at(const job *j, pm_text *out)
{
    const pm_plan *plan = j->s->names.plan;

    pm_text_add(out, "%s%s %s(", j->words->function, j->ref, name(j, PM_NEED_REF_AT));
    for (size_t i = 0; i < plan->part_count; i++) {
        pm_text_add(out, "%sconst ", j->space);
        pm_plan_text_part_type(out, &j->s->names, i);
        pm_text_add(out, " *p%zu, ", i);
    }
    if (plan->needs_count)
        pm_text_add(out, "%s count, ", j->words->count);
    pm_text_add(out, "%s i)\n{\n    %s r;\n\n", j->words->index, j->ref);
    for (size_t i = 0; i < plan->part_count; i++) {
        pm_text_add(out, "    r.p%zu = (%s", i, j->space);
        pm_plan_text_part_type(out, &j->s->names, i);
        pm_text_add(out, " *)p%zu;\n", i);
    }
    pm_text_add(out, plan->needs_count ? "    r.count = count;\n" : "");
    pm_text_add(out, "    r.i = i;\n    return r;\n}\n");
}

static void add_ref_functions(const job *j, pm_text *out)
{
    const bool *need = j->s->need[j->to.constant];

    if (need[PM_NEED_REF])
        add_ref_type(j, out);
    if (need[PM_NEED_REF_AT])
        add_ref_at(j, out);
    if (need[PM_NEED_REF_ADD])
        pm_text_add(out, "%s%s %s(%s r, %s n)\n{\n    r.i += n;\n    return r;\n}\n",
                    j->words->function, j->ref, name(j, PM_NEED_REF_ADD), j->ref, j->words->index);
    if (need[PM_NEED_REF_MINUS])
        pm_text_add(out, "%s%s %s(%s a, %s b)\n{\n    return a.i - b.i;\n}\n", j->words->function,
                    j->words->index, name(j, PM_NEED_REF_MINUS), j->ref, j->ref);
    if (need[PM_NEED_REF_SAME])
        pm_text_add(out, "%sint %s(%s a, %s b)\n{\n    return a.p0 == b.p0 && a.i == b.i;\n}\n",
                    j->words->function, name(j, PM_NEED_REF_SAME), j->ref, j->ref);
}

static bool is_wide_for_any(const job *j, size_t part, bool load);

/* ---- functions for whole structs ----------------------------------------------------------- */

static void add_parts_of_ref(const job *j, pm_text *out)
{
    const pm_plan *plan = j->s->names.plan;

    for (size_t i = 0; i < plan->part_count; i++)
        pm_text_add(out, "r.p%zu, ", i);
    pm_text_add(out, plan->needs_count ? "r.count, r.i" : "r.i");
}

/* Appends declarations of the vector types by which rewritten code accesses parts (buffers) of the
 * new layout. */
static void add_words(const job *j, pm_text *out)
{
    const pm_plan *plan = j->s->names.plan;

    for (size_t i = 0; j->words->is_cuda && i < plan->part_count; i++) {
        const bool copied = pm_plan_part_is_wide(plan, i) &&
                            (j->s->need[j->to.constant][PM_NEED_LOAD] ||
                             j->s->need[j->to.constant][PM_NEED_STORE] ||
                             is_wide_for_any(j, i, true) || is_wide_for_any(j, i, false));

        if (j->s->has_words[i] || copied)
            pm_plan_text_word_type(out, &j->s->names, i);
    }
}

static void add_copies(const job *j, pm_text *out)
{
    const bool *need = j->s->need[j->to.constant];
    bool load = need[PM_NEED_LOAD], store = need[PM_NEED_STORE];
    const char *structure = j->s->names.structure;

    for (size_t i = 0; i < j->s->names.plan->part_count; i++) {
        if (!pm_plan_part_is_wide(j->s->names.plan, i))
            continue;
        if (load || is_wide_for_any(j, i, true))
            pm_plan_text_part_load(out, &j->s->names, i, j->to.constant);
        if (store || is_wide_for_any(j, i, false))
            pm_plan_text_part_store(out, &j->s->names, i);
    }
    if (load)
        pm_plan_text_load(out, &j->s->names, j->to.constant);
    if (store)
        pm_plan_text_store(out, &j->s->names);
    if (need[PM_NEED_REF_LOAD]) {
        pm_text_add(out, "%s%s %s(%s r)\n{\n    return %s(", j->words->function, structure,
                    name(j, PM_NEED_REF_LOAD), j->ref, name(j, PM_NEED_LOAD));
        add_parts_of_ref(j, out);
        pm_text_add(out, ");\n}\n");
    }
    if (need[PM_NEED_REF_STORE]) {
        pm_text_add(out, "%s%s %s(%s r, %s value)\n{\n    return %s(", j->words->function,
                    structure, name(j, PM_NEED_REF_STORE), j->ref, structure,
                    name(j, PM_NEED_STORE));
        add_parts_of_ref(j, out);
        pm_text_add(out, ", value);\n}\n");
    }
}

/* ---- functions for members ----------------------------------------------------------------- */

static const char *const outer[] = {"s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7"};
static const char *const inner[] = {"k0", "k1", "k2", "k3", "k4", "k5", "k6", "k7"};

/* Appends code for field number `field` of the element to which the generated reference r refers,
 * as an lvalue such as r.p0[r.i].x. If the field is an array, its first `given` subscripts are the
 * parameters s0, s1 and so on of the generated function. The other subscripts are the loop
 * variables k0, k1 and so on if `loops` is true, else 0. */
static void add_place(const job *j, size_t field, size_t given, bool loops, pm_text *out)
{
    const pm_plan *plan = j->s->names.plan;
    const char *subscripts[MOST_SUBSCRIPTS] = {NULL};
    size_t part, member, extents = plan->structure->fields[field].extent_count;
    const char **parts = pm_take(&j->rw->memory, plan->part_count, sizeof *parts);
    const pm_plan_element element = {.parts = parts, .index = "r.i", .count = "r.count"};

    for (size_t d = 0; d < extents; d++)
        subscripts[d] = d < given ? outer[d] : loops ? inner[d - given] : "0";
    pm_plan_find(plan, field, &part, &member);
    parts[part] = pm_format(&j->rw->memory, "r.p%zu", part);
    pm_plan_text_member(out, plan, &element, field, subscripts, extents);
}

/* Appends the start of the function that is generated for a member of the struct, without the
 * closing parenthesis, such as "T_x_of(T_ref r, long s0". */
static void add_member_head(const job *j, const pm_need_member *member, pm_text *out)
{
    pm_text_add(out, "%s(%s r", pm_generate_member_name(j->rw, &j->to, member), j->ref);
    for (size_t d = 0; d < member->subscript_count; d++)
        pm_text_add(out, ", %s %s", j->words->index, outer[d]);
}

static void add_member_of_ref(const job *j, const pm_need_member *member, pm_text *out)
{
    size_t field = pm_struct_field(j->s->names.plan->structure, member->path);

    pm_text_add(out, "%s%s%s *", j->words->function, j->space,
                pm_kernel_type(j->words, j->s->names.plan->structure->fields[field].type));
    add_member_head(j, member, out);
    pm_text_add(out, ")\n{\n    return &");
    add_place(j, field, member->subscript_count, false, out);
    pm_text_add(out, ";\n}\n");
}

/* Appends code for one field of the nested struct that a generated function loads or stores, as an
 * lvalue such as value.n[k0].x. `value` is the function's variable of the nested struct's type; k0,
 * k1, ... are its loop variables. */
static void add_nested_member(const pm_field *field, const pm_need_member *member, pm_text *out)
{
    const char *c = field->access, *path = member->path;
    size_t subscript = 0;

    while (*path)
        if (*c == '[')
            c += 2;
        else {
            c++;
            path++;
        }
    while (*c == '[')
        c += 2;
    pm_text_add(out, "value");
    for (; *c; c++)
        if (*c == '[')
            pm_text_add(out, "[%s", inner[subscript++]);
        else
            pm_text_put(out, c, 1);
}

static bool is_inside(const pm_field *field, const char *path)
{
    size_t length = strlen(path);

    return strncmp(field->path, path, length) == 0 && field->path[length] == '.';
}

/* Returns true if the generated function loads or stores the fields of a nested struct in buffer
 * number `part` of the new layout by vector accesses. The buffer must have vector accesses and at
 * least one field of the nested struct, and none of these fields may be an array. If the function
 * stores, all fields of the buffer must belong to the nested struct, because a vector store
 * overwrites them all. */
static bool is_wide_for(const job *j, const pm_need_member *member, size_t part)
{
    const pm_plan *plan = j->s->names.plan;
    const pm_part *p = &plan->parts[part];
    bool any = false;

    if (!pm_plan_part_is_wide(plan, part))
        return false;
    for (size_t m = 0; m < p->member_count; m++) {
        const pm_field *field = &plan->structure->fields[p->members[m].field];
        bool inside = is_inside(field, member->path);

        if ((inside && field->extent_count > 0) || (!inside && member->kind == PM_NESTED_STORE))
            return false;
        any |= inside;
    }
    return any;
}

static void add_nested_place(const job *j, const pm_need_member *member, size_t field, pm_text *out)
{
    size_t part, index;

    pm_plan_find(j->s->names.plan, field, &part, &index);
    if (is_wide_for(j, member, part))
        pm_text_add(out, "part%zu.%s", part, j->s->names.plan->structure->fields[field].name);
    else
        add_place(j, field, member->subscript_count, true, out);
}

static void add_nested_copy(const job *j, const pm_need_member *member, size_t f, pm_text *out)
{
    const pm_field *field = &j->s->names.plan->structure->fields[f];
    size_t given = member->subscript_count;
    bool load = member->kind == PM_NESTED_LOAD;

    for (size_t d = given; d < field->extent_count; d++)
        pm_text_add(out, "    for (int %s = 0; %s < %zu; %s++)\n", inner[d - given],
                    inner[d - given], field->extents[d].count, inner[d - given]);
    pm_text_add(out, field->extent_count > given ? "        " : "    ");
    if (load)
        add_nested_member(field, member, out);
    else
        add_nested_place(j, member, f, out);
    pm_text_add(out, " = ");
    if (load)
        add_nested_place(j, member, f, out);
    else
        add_nested_member(field, member, out);
    pm_text_add(out, ";\n");
}

/* Appends declarations of variables part0, part1, ..., one for each buffer of the new layout that
 * the generated function reads or writes by vector accesses. Each is a private copy of the struct
 * that the buffer stores for one element. If the function loads, the declaration also reads this
 * struct from memory. */
static void add_nested_parts(const job *j, const pm_need_member *member, pm_text *out)
{
    const pm_plan *plan = j->s->names.plan;

    for (size_t i = 0; i < plan->part_count; i++) {
        if (!is_wide_for(j, member, i))
            continue;
        if (member->kind == PM_NESTED_LOAD)
            pm_text_add(out, "    const %s_%s part%zu = %s_%s_load%s(r.p%zu + r.i);\n",
                        j->s->names.prefix, plan->parts[i].name, i, j->s->names.prefix,
                        plan->parts[i].name, j->suffix, i);
        else
            pm_text_add(out, "    %s_%s part%zu;\n", j->s->names.prefix, plan->parts[i].name, i);
    }
}

static void add_nested(const job *j, const pm_need_member *member, pm_text *out)
{
    const pm_plan *plan = j->s->names.plan;
    bool load = member->kind == PM_NESTED_LOAD;

    pm_text_add(out, "%s%s ", j->words->function, member->type);
    add_member_head(j, member, out);
    if (load)
        pm_text_add(out, ")\n{\n");
    else
        pm_text_add(out, ", %s value)\n{\n", member->type);
    add_nested_parts(j, member, out);
    if (load)
        pm_text_add(out, "    %s value;\n\n", member->type);
    for (size_t f = 0; f < plan->structure->field_count; f++)
        if (is_inside(&plan->structure->fields[f], member->path))
            add_nested_copy(j, member, f, out);
    for (size_t i = 0; !load && i < plan->part_count; i++)
        if (is_wide_for(j, member, i))
            pm_text_add(out, "    %s_%s_store(r.p%zu + r.i, part%zu);\n", j->s->names.prefix,
                        plan->parts[i].name, i, i);
    pm_text_add(out, "    return value;\n}\n");
}

/* Returns true if functions that load or store nested structs call the vector function of buffer
 * number `part` of the new layout. This function reads the buffer's struct by vectors if `load` is
 * true, and writes it if false. */
static bool is_wide_for_any(const job *j, size_t part, bool load)
{
    for (size_t m = 0; m < j->s->member_count; m++) {
        const pm_need_member *member = &j->s->members[m];

        if (member->constant == j->to.constant &&
            member->kind == (load ? PM_NESTED_LOAD : PM_NESTED_STORE) &&
            is_wide_for(j, member, part))
            return true;
    }
    return false;
}

/* ---- formatting ----------------------------------------------------------------------------- */

enum { LINE = 100, DEEPEST_INDENT = 40 };

/* Appends a line of generated code. If it is longer than LINE characters, breaks it after commas.
 * The further lines are indented to the column after the first '(' of the line, so that the
 * parameters of a function are aligned. */
static void add_broken(const char *line, size_t length, pm_text *out)
{
    const char *bracket = memchr(line, '(', length);
    size_t indent = bracket ? (size_t)(bracket - line) + 1 : 8, room = LINE;

    if (line[0] == ' ' || indent > DEEPEST_INDENT)
        indent = 8;
    while (length > room) {
        size_t at = room;

        while (at >= 2 && strncmp(line + at - 2, ", ", 2) != 0)
            at--;
        if (at < 2)
            break;
        pm_text_put(out, line, at - 1);
        pm_text_add(out, "\n%*s", (int)indent, "");
        line += at;
        length -= at;
        room = LINE - indent;
    }
    pm_text_put(out, line, length);
    pm_text_add(out, "\n");
}

/* Appends generated code with lines of at most LINE characters, and an empty line after each
 * definition. */
static void add_neatly(const char *text, pm_text *out)
{
    bool closed = false;

    while (*text) {
        size_t length = strcspn(text, "\n");

        if (closed)
            pm_text_add(out, "\n");
        add_broken(text, length, out);
        closed = text[0] == '}';
        text += length + (text[length] == '\n');
    }
}

char *pm_generate(pm_rewrite *rw, size_t structure)
{
    pm_rewrite_struct *s = &rw->structs[structure];
    pm_text text = {.memory = &rw->memory}, out = {.memory = &rw->memory};

    pm_plan_text_types(&text, &s->names);
    for (int constant = 0; constant < 2; constant++) {
        job j = {.rw = rw,
                 .s = s,
                 .to = {.structure = structure, .constant = constant},
                 .words = s->names.words,
                 .space = constant ? s->names.words->constant : s->names.words->global,
                 .suffix = constant ? "_constant" : ""};

        j.ref = name(&j, PM_NEED_REF);
        /* declare the vector types only once, for global memory, because both address spaces use
         * the same types in CUDA */
        if (!constant)
            add_words(&j, &text);
        add_ref_functions(&j, &text);
        add_copies(&j, &text);
        for (size_t i = 0; i < s->member_count; i++) {
            const pm_need_member *member = &s->members[i];

            if (member->constant != (constant != 0))
                continue;
            if (member->kind == PM_MEMBER_OF_REF)
                add_member_of_ref(&j, member, &text);
            else
                add_nested(&j, member, &text);
        }
    }
    add_neatly(pm_text_get(&text), &out);
    return pm_text_take(&out);
}
