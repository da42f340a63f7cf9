/* Parses functions: their parameters, directives and instructions. See parse.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "base/strings.h"
#include "compiler/ptx/parse.h"

/* ---- directives without effect on the code --------------------------------------------------- */

/* Reads the file number, line and column of a place in .loc. The first place is where the code is;
 * further places are the calls into which it was inlined. Sets p->source_line from the first place,
 * and again from the first place in the source file itself. is_own: whether an earlier place was in
 * the source file. Returns whether this or an earlier place was. */
static bool read_place(pm_ptx_parser *p, bool is_first, bool is_own)
{
    uint64_t numbers[3] = {0};
    bool is_here;

    for (int i = 0; i < 3 && p->token.kind == PM_PTX_INTEGER; i++) {
        numbers[i] = p->token.integer;
        pm_ptx_advance(p);
    }
    is_here = p->source_file > 0 && numbers[0] == p->source_file && numbers[1] > 0;
    if (is_first || (is_here && !is_own))
        p->source_line = (unsigned)numbers[1];
    return is_own || is_here;
}

/* Reads .loc: a place (file, line, column) and the places of the calls into which the code was
 * inlined. nvcc names only the innermost call. If neither place is in the source file itself, the
 * line of the .loc before is kept, which nvcc writes for the outer call. */
static void read_location(pm_ptx_parser *p)
{
    const unsigned before = p->source_line;
    bool is_own, is_inlined = false;

    pm_ptx_advance(p);
    is_own = read_place(p, true, false);
    while (pm_ptx_take_sign(p, ',')) {
        if (p->token.kind == PM_PTX_WORD)
            pm_ptx_advance(p);
        if (p->token.kind == PM_PTX_WORD)
            pm_ptx_advance(p);
        if (pm_ptx_take_sign(p, '+') && p->token.kind != PM_PTX_INTEGER)
            pm_ptx_unexpected(p, "an offset");
        is_own = read_place(p, false, is_own);
        is_inlined = true;
    }
    if (is_inlined && !is_own && before > 0)
        p->source_line = before;
}

/* Skips .file: a number, a name, and possibly a time and a size. */
static void skip_file(pm_ptx_parser *p)
{
    pm_ptx_advance(p);
    while (p->token.kind == PM_PTX_INTEGER || p->token.kind == PM_PTX_STRING ||
           pm_ptx_at_sign(p, ','))
        pm_ptx_advance(p);
}

/* Skips .section: a name, and text between braces. */
static void skip_section(pm_ptx_parser *p)
{
    size_t open = 0;

    while (p->token.kind != PM_PTX_END && !pm_ptx_at_sign(p, '{'))
        pm_ptx_advance(p);
    do {
        open += pm_ptx_at_sign(p, '{');
        open -= pm_ptx_at_sign(p, '}');
        pm_ptx_advance(p);
    } while (open > 0 && p->token.kind != PM_PTX_END);
}

static void skip_pragma(pm_ptx_parser *p)
{
    while (p->token.kind != PM_PTX_END && !pm_ptx_take_sign(p, ';'))
        pm_ptx_advance(p);
}

bool pm_ptx_skip_directive(pm_ptx_parser *p)
{
    if (pm_ptx_at_dotted(p, "loc"))
        read_location(p);
    else if (pm_ptx_at_dotted(p, "file"))
        skip_file(p);
    else if (pm_ptx_at_dotted(p, "section"))
        skip_section(p);
    else if (pm_ptx_at_dotted(p, "pragma"))
        skip_pragma(p);
    else
        return false;
    return true;
}

/* ---- labels ---------------------------------------------------------------------------------- */

const pm_ptx_label *pm_ptx_find_label(const pm_ptx_function *function, size_t scope,
                                      const char *name)
{
    for (;;) {
        for (size_t i = 0; i < function->label_count; i++)
            if (function->labels[i].scope == scope && strcmp(function->labels[i].name, name) == 0)
                return &function->labels[i];
        if (scope == 0)
            return NULL;
        scope = function->scopes[scope];
    }
}

static void read_targets(pm_ptx_parser *p, pm_ptx_label *label)
{
    const char **targets = NULL;

    do
        *pm_add(p->memory, targets, label->target_count) =
            pm_ptx_demand_word(p, "a label after .branchtargets");
    while (pm_ptx_take_sign(p, ','));
    pm_ptx_demand_sign(p, ';', "the labels");
    label->targets = targets;
}

/* Reads the directive that may follow a label: .branchtargets with a list of labels, or a prototype
 * of functions to be called, which is skipped. */
static void read_label(pm_ptx_parser *p, const char *name, unsigned line)
{
    pm_ptx_function *f = p->function;
    pm_ptx_label *label = pm_add(p->memory, f->labels, f->label_count);

    *label =
        (pm_ptx_label){.name = name, .line = line, .at = f->instruction_count, .scope = p->scope};
    if (pm_ptx_take_dotted(p, "branchtargets"))
        read_targets(p, label);
    else if (pm_ptx_at_dotted(p, "callprototype") || pm_ptx_at_dotted(p, "calltargets"))
        skip_pragma(p);
}

/* ---- instructions ---------------------------------------------------------------------------- */

static void read_guard(pm_ptx_parser *p, pm_ptx_instruction *i)
{
    const char *name;

    i->guard_negated = pm_ptx_take_sign(p, '!');
    name = pm_ptx_demand_word(p, "a predicate after @");
    i->guard = pm_ptx_find_register(p, name);
    if (!i->guard || i->guard->type->number != PM_PTX_PREDICATE)
        pm_ptx_fault(p, i->line, "%.60s is no predicate", name);
}

/* Reads the dotted words behind an opcode: types, and other modifiers. */
static void read_modifiers(pm_ptx_parser *p, pm_ptx_instruction *i)
{
    for (; p->token.kind == PM_PTX_DOTTED; pm_ptx_advance(p)) {
        const pm_ptx_type *type = pm_ptx_type_find(p->token.text);

        if (!type)
            *pm_add(p->memory, i->modifiers, i->modifier_count) = p->token.text;
        else if (i->type_count++ < PM_PTX_MOST_TYPES)
            i->types[i->type_count - 1] = type;
    }
}

bool pm_ptx_has(const pm_ptx_instruction *instruction, const char *modifier)
{
    for (size_t i = 0; i < instruction->modifier_count; i++)
        if (strcmp(instruction->modifiers[i], modifier) == 0)
            return true;
    return false;
}

const char *pm_ptx_choice(const pm_ptx_instruction *instruction, const char *const *list)
{
    for (size_t i = 0; i < instruction->modifier_count; i++)
        if (pm_listed(list, instruction->modifiers[i]))
            return instruction->modifiers[i];
    return NULL;
}

/* Reads the modifiers and operands of an instruction, and adds it to the function. i: its guard and
 * opcode, which have been read. */
static void read_instruction(pm_ptx_parser *p, pm_ptx_instruction i)
{
    pm_ptx_function *f = p->function;

    i.scope = p->scope;
    if (p->source_file > 0)
        i.line = p->source_line;
    read_modifiers(p, &i);
    while (!pm_ptx_take_sign(p, ';')) {
        *pm_add(p->memory, i.operands, i.operand_count) = pm_ptx_read_operand(p);
        if (!pm_ptx_take_sign(p, ',') && !pm_ptx_at_sign(p, ';'))
            pm_ptx_unexpected(
                p, pm_format(p->memory, "a comma or ; after an operand of %.40s", i.opcode));
    }
    *pm_add(p->memory, f->instructions, f->instruction_count) = i;
}

/* ---- bodies ---------------------------------------------------------------------------------- */

static void read_statement(pm_ptx_parser *p);

/* Reads statements up to the closing brace. Names that they declare are forgotten there. */
static void read_block(pm_ptx_parser *p)
{
    const pm_ptx_binding *mark = p->names.latest;
    const size_t outer = p->scope;
    pm_ptx_function *f = p->function;

    pm_ptx_enter(p);
    p->scope = f->scope_count;
    *pm_add(p->memory, f->scopes, f->scope_count) = outer;
    while (!pm_ptx_take_sign(p, '}'))
        read_statement(p);
    p->scope = outer;
    p->depth--;
    pm_ptx_names_leave(&p->names, mark);
}

static void read_statement(pm_ptx_parser *p)
{
    pm_ptx_instruction i = {.line = p->token.line, .at = p->token.at};
    pm_ptx_space space;

    if (p->token.kind == PM_PTX_END)
        pm_ptx_unexpected(p, "} at the end of a function");
    if (pm_ptx_take_sign(p, '{')) {
        read_block(p);
    } else if (pm_ptx_take_dotted(p, "reg")) {
        pm_ptx_read_registers(p);
    } else if (pm_ptx_at_space(p, &space)) {
        pm_ptx_advance(p);
        pm_ptx_read_variables(p, space, false);
    } else if (pm_ptx_take_sign(p, ';') || pm_ptx_skip_directive(p)) {
        return;
    } else {
        if (pm_ptx_take_sign(p, '@'))
            read_guard(p, &i);
        i.opcode = pm_ptx_demand_word(p, "an instruction");
        if (!i.guard && pm_ptx_take_sign(p, ':'))
            read_label(p, i.opcode, i.line);
        else
            read_instruction(p, i);
    }
}

/* ---- functions ------------------------------------------------------------------------------- */

/* Reads a list of a function's parameters or results up to its ). The ( has been read. are_results:
 * true if it is the list of results. */
static pm_ptx_variable **read_parameters(pm_ptx_parser *p, size_t *count, bool are_results)
{
    pm_ptx_variable **list = NULL;

    *count = 0;
    while (!pm_ptx_take_sign(p, ')')) {
        pm_ptx_variable *parameter = pm_ptx_read_parameter(p);

        parameter->number = *count;
        parameter->is_result = are_results;
        *pm_add(p->memory, list, *count) = parameter;
        pm_ptx_bind(p, parameter->name, PM_PTX_IS_VARIABLE)->variable = parameter;
        if (!pm_ptx_take_sign(p, ',') && !pm_ptx_at_sign(p, ')'))
            pm_ptx_unexpected(p, "a comma or ) after a parameter");
    }
    return list;
}

/* Reads the numbers of threads of a block, or of blocks of a cluster, in one to three dimensions.
 * Dimensions that are not given become 1. */
static void read_extents(pm_ptx_parser *p, unsigned extents[3])
{
    for (unsigned d = 0; d < 3; d++)
        extents[d] = 1;
    for (unsigned d = 0; d < 3; d++) {
        const uint64_t extent = pm_ptx_demand_integer(p, "a number of threads");

        if (extent == 0 || extent > 1024)
            pm_ptx_fault(
                p, p->token.line,
                "a block has 1 to 1024 threads in a dimension, and a cluster as many blocks");
        extents[d] = (unsigned)extent;
        if (!pm_ptx_take_sign(p, ','))
            break;
    }
}

/* Reads the directives between a function's parameters and its body. Only those about the size of
 * blocks and clusters are stored; others are skipped. */
static void read_properties(pm_ptx_parser *p, pm_ptx_function *f)
{
    while (p->token.kind == PM_PTX_DOTTED) {
        if (pm_ptx_take_dotted(p, "reqntid")) {
            read_extents(p, f->required);
        } else if (pm_ptx_take_dotted(p, "maxntid")) {
            read_extents(p, f->most);
        } else if (pm_ptx_take_dotted(p, "reqnctapercluster")) {
            read_extents(p, f->cluster);
        } else if (!pm_ptx_skip_directive(p)) {
            pm_ptx_advance(p);
            while (p->token.kind == PM_PTX_INTEGER || p->token.kind == PM_PTX_WORD ||
                   pm_ptx_at_sign(p, ',') || pm_ptx_at_sign(p, '(') || pm_ptx_at_sign(p, ')'))
                pm_ptx_advance(p);
        }
    }
}

/* Returns the function with this name if it was declared before without a body. Otherwise adds a
 * new function to the module. */
static pm_ptx_function *declare(pm_ptx_parser *p, const char *name, unsigned line)
{
    pm_ptx_module *m = p->module;
    const pm_ptx_meaning *known = pm_ptx_names_find(&p->names, name);
    pm_ptx_function *f;

    if (known && known->kind == PM_PTX_IS_FUNCTION && !known->function->has_body)
        return known->function;
    if (known && known->kind == PM_PTX_IS_FUNCTION)
        pm_ptx_fault(p, line, "the function %.100s is in line %u, too", name,
                     known->function->line);
    f = pm_take(p->memory, 1, sizeof *f);
    f->number = m->function_count;
    *pm_add(p->memory, m->functions, m->function_count) = f;
    pm_ptx_bind(p, name, PM_PTX_IS_FUNCTION)->function = f;
    return f;
}

/* A kernel's parameter that is an array of 8 bytes, aligned to 8, becomes a scalar of 64 bits. It
 * may be a struct with one pointer, so that a launch passes a buffer. */
static void join_bytes(pm_ptx_function *f)
{
    for (size_t k = 0; k < f->parameter_count; k++) {
        pm_ptx_variable *v = f->parameters[k];

        if (!v->is_array || pm_ptx_variable_bytes(v) != 8 || pm_ptx_variable_align(v) < 8)
            continue;
        v->is_array = false;
        v->type = pm_ptx_type_find("b64");
        v->elements = 1;
    }
}

void pm_ptx_read_function(pm_ptx_parser *p, bool is_kernel)
{
    pm_ptx_function read = {.is_kernel = is_kernel, .line = p->token.line}, *f;
    const pm_ptx_binding *mark;
    bool results = false;

    if (!is_kernel && pm_ptx_take_dotted(p, "attribute"))
        pm_ptx_unexpected(p, "a function");
    mark = p->names.latest;
    if (!is_kernel && pm_ptx_take_sign(p, '(')) {
        read.results = read_parameters(p, &read.result_count, true);
        results = read.result_count > 0;
    }
    if (read.result_count > 1)
        pm_ptx_fault(p, read.line, "a function with several results cannot be traced");
    read.name = pm_ptx_demand_word(p, "the name of a function");
    pm_ptx_names_leave(&p->names, mark);
    f = declare(p, read.name, read.line);
    mark = p->names.latest;
    if (results)
        pm_ptx_bind(p, read.results[0]->name, PM_PTX_IS_VARIABLE)->variable = read.results[0];
    if (pm_ptx_take_sign(p, '('))
        read.parameters = read_parameters(p, &read.parameter_count, false);
    if (is_kernel)
        join_bytes(&read);
    read_properties(p, &read);
    read.number = f->number;
    *f = read;
    if (!pm_ptx_take_sign(p, ';')) {
        if (!pm_ptx_take_sign(p, '{'))
            pm_ptx_unexpected(p, "{ or ; after the parameters of a function");
        f->has_body = true;
        p->function = f;
        p->scope = 0;
        read_block(p);
        p->function = NULL;
    }
    pm_ptx_names_leave(&p->names, mark);
}
