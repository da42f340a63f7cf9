/* Parses variables and their initial values, and parameters of functions. See parse.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "compiler/ptx/parse.h"

enum { MOST_DIMENSIONS = 8 };
/* Largest variables in bytes: in global memory, and in other memory. */
static const uint64_t MOST_GLOBAL = UINT64_C(1) << 40, MOST_OTHER = UINT64_C(1) << 30;

/* Extents of an array. steps[d]: number of array elements from one index of dimension d to the
 * next. */
typedef struct {
    size_t count;
    uint64_t extents[MOST_DIMENSIONS], steps[MOST_DIMENSIONS];
} shape;

uint64_t pm_ptx_variable_bytes(const pm_ptx_variable *variable)
{
    return variable->elements * ((pm_ptx_type_bits(variable->type) + 7) / 8);
}

uint64_t pm_ptx_variable_align(const pm_ptx_variable *variable)
{
    return variable->align ? variable->align : (pm_ptx_type_bits(variable->type) + 7) / 8;
}

bool pm_ptx_at_space(const pm_ptx_parser *p, pm_ptx_space *space)
{
    static const struct {
        const char *name;
        pm_ptx_space space;
    } spaces[] = {{"global", PM_PTX_GLOBAL},
                  {"shared", PM_PTX_SHARED},
                  {"const", PM_PTX_CONST},
                  {"local", PM_PTX_LOCAL},
                  {"param", PM_PTX_PARAM}};

    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
        if (pm_ptx_at_dotted(p, spaces[i].name)) {
            *space = spaces[i].space;
            return true;
        }
    return false;
}

/* ---- declarations ---------------------------------------------------------------------------- */

static uint64_t read_align(pm_ptx_parser *p)
{
    const unsigned line = p->token.line;
    const uint64_t align = pm_ptx_demand_integer(p, "a number of bytes after .align");

    if (align == 0 || align > 4096 || (align & (align - 1)) != 0)
        pm_ptx_fault(p, line, ".align is a power of two up to 4096");
    return align;
}

static void skip_attribute(pm_ptx_parser *p)
{
    pm_ptx_demand_sign(p, '(', ".attribute");
    while (p->token.kind != PM_PTX_END && !pm_ptx_take_sign(p, ')'))
        pm_ptx_advance(p);
}

static const pm_ptx_type *read_type(pm_ptx_parser *p)
{
    const pm_ptx_type *type =
        p->token.kind == PM_PTX_DOTTED ? pm_ptx_type_find(p->token.text) : NULL;

    if (!type && p->token.kind == PM_PTX_DOTTED)
        pm_ptx_fault(p, p->token.line,
                     "variables of type .%.40s cannot be traced: pass an array in global memory",
                     p->token.text);
    if (!type || type->number == PM_PTX_PREDICATE)
        pm_ptx_unexpected(p, "the type of a variable");
    pm_ptx_advance(p);
    return type;
}

/* Reads the words before the names of variables: alignment, vector and type. A vector becomes an
 * array. */
static pm_ptx_variable read_kind(pm_ptx_parser *p, pm_ptx_space space)
{
    pm_ptx_variable kind = {.line = p->token.line, .space = space, .elements = 1};

    for (;;) {
        if (pm_ptx_take_dotted(p, "align"))
            kind.align = read_align(p);
        else if (pm_ptx_take_dotted(p, "attribute"))
            skip_attribute(p);
        else if (pm_ptx_take_dotted(p, "v2"))
            kind.elements = 2;
        else if (pm_ptx_take_dotted(p, "v4"))
            kind.elements = 4;
        else
            break;
    }
    kind.is_array = kind.elements > 1;
    kind.type = read_type(p);
    if (kind.is_array && !kind.align)
        kind.align = kind.elements * pm_ptx_type_bits(kind.type) / 8;
    return kind;
}

/* Reads the extents of an array behind its name. */
static void read_extents(pm_ptx_parser *p, pm_ptx_variable *variable, shape *s)
{
    const uint64_t most = variable->space == PM_PTX_GLOBAL ? MOST_GLOBAL : MOST_OTHER;

    while (pm_ptx_take_sign(p, '[')) {
        uint64_t extent = 0;

        if (s->count == MOST_DIMENSIONS)
            pm_ptx_fault(p, p->token.line, "an array of more than %d dimensions", MOST_DIMENSIONS);
        variable->is_array = true;
        if (pm_ptx_at_sign(p, ']') && s->count == 0)
            variable->is_unsized = true;
        else
            extent = pm_ptx_demand_integer(p, "the number of elements of an array");
        pm_ptx_demand_sign(p, ']', "the number of elements");
        s->extents[s->count++] = extent;
        if (extent > 0 && variable->elements > most / extent)
            pm_ptx_fault(p, p->token.line, "the variable %.100s is larger than %llu GiB",
                         variable->name, (unsigned long long)(most >> 30));
        variable->elements *= variable->is_unsized && s->count == 1 ? 1 : extent;
    }
    if (variable->elements > 0 && pm_ptx_variable_bytes(variable) > most)
        pm_ptx_fault(p, p->token.line, "the variable %.100s is larger than %llu GiB",
                     variable->name, (unsigned long long)(most >> 30));
    for (size_t i = s->count; i-- > 0;)
        s->steps[i] = i + 1 < s->count ? s->steps[i + 1] * s->extents[i + 1] : 1;
}

/* ---- initial values -------------------------------------------------------------------------- */

typedef struct {
    pm_ptx_parser *p;
    pm_ptx_variable *variable;
    const shape *shape;
    pm_ptx_initial *items;
    size_t count;
    uint64_t index;
} filling;

/* Returns the bit pattern of a number in the type of the variable. */
static uint64_t convert_number(const pm_ptx_token *token, const pm_ptx_type *type, bool negative)
{
    const double real = token->kind == PM_PTX_INTEGER ? (double)token->integer : token->real;
    const double value = negative ? -real : real;
    const float narrow = (float)value;
    uint32_t word;
    uint64_t bits;

    if (type->number != PM_PTX_FLOAT)
        return negative ? -token->integer : token->integer;
    if (token->kind == PM_PTX_SINGLE && type->bits == 32)
        return negative ? token->integer ^ UINT64_C(0x80000000) : token->integer;
    memcpy(&word, &narrow, sizeof word);
    memcpy(&bits, &value, sizeof bits);
    return type->bits == 64 ? bits : word;
}

/* Reads the initial value of a pointer: "symbol", "symbol + number" or "generic(symbol)". */
static void read_address(filling *f, pm_ptx_initial *item)
{
    pm_ptx_parser *p = f->p;
    const bool generic = p->token.kind == PM_PTX_WORD && strcmp(p->token.text, "generic") == 0;

    if (generic) {
        pm_ptx_advance(p);
        pm_ptx_demand_sign(p, '(', "generic");
    }
    item->symbol = pm_ptx_demand_word(p, "a number or the name of a variable");
    if (generic)
        pm_ptx_demand_sign(p, ')', "the name of a variable");
    if (pm_ptx_take_sign(p, '+'))
        item->bits = pm_ptx_demand_integer(p, "an offset");
}

static void read_value(filling *f)
{
    pm_ptx_parser *p = f->p;
    pm_ptx_initial *item;
    bool negative = false;

    if (f->index >= f->variable->elements && !f->variable->is_unsized)
        pm_ptx_fault(p, p->token.line, "%.100s has more initial values than elements",
                     f->variable->name);
    item = pm_add(p->memory, f->items, f->count);
    *item = (pm_ptx_initial){.index = f->index++};
    while (pm_ptx_take_sign(p, '-'))
        negative = !negative;
    if (p->token.kind == PM_PTX_INTEGER || p->token.kind == PM_PTX_REAL ||
        p->token.kind == PM_PTX_SINGLE) {
        item->bits = convert_number(&p->token, f->variable->type, negative);
        pm_ptx_advance(p);
    } else {
        read_address(f, item);
    }
}

/* Reads initial values: one value, or values between braces. level: number of open braces, so index
 * of the array's dimension. */
static void read_values(filling *f, size_t level)
{
    pm_ptx_parser *p = f->p;
    const uint64_t start = f->index;

    if (!pm_ptx_take_sign(p, '{')) {
        read_value(f);
        return;
    }
    pm_ptx_enter(p);
    while (!pm_ptx_take_sign(p, '}')) {
        read_values(f, level + 1);
        if (!pm_ptx_take_sign(p, ',') && !pm_ptx_at_sign(p, '}'))
            pm_ptx_unexpected(p, "a comma or } after an initial value");
    }
    p->depth--;
    if (level > 0 && level < f->shape->count)
        f->index = start + f->shape->steps[level - 1];
}

static void read_initial(pm_ptx_parser *p, pm_ptx_variable *variable, const shape *s)
{
    filling f = {.p = p, .variable = variable, .shape = s};

    read_values(&f, 0);
    if (variable->is_unsized) {
        variable->is_unsized = false;
        variable->elements = f.index;
    }
    variable->initial = f.items;
    variable->initial_count = f.count;
}

/* ---- variables ------------------------------------------------------------------------------- */

static void keep_variable(pm_ptx_parser *p, pm_ptx_variable *variable)
{
    pm_ptx_module *m = p->module;
    pm_ptx_function *f = p->function;

    pm_ptx_bind(p, variable->name, PM_PTX_IS_VARIABLE)->variable = variable;
    variable->number = f ? f->variable_count : m->variable_count;
    if (f)
        *pm_add(p->memory, f->variables, f->variable_count) = variable;
    else
        *pm_add(p->memory, m->variables, m->variable_count) = variable;
}

/* Reads the <count> that may follow a variable's name in the state space .param: .param .b32 p<4>
 * declares the variables p0 to p3. Returns the count; 0 if there is none. */
static uint64_t read_family(pm_ptx_parser *p)
{
    uint64_t count;

    if (!pm_ptx_take_sign(p, '<'))
        return 0;
    count = pm_ptx_demand_integer(p, "a number of variables");
    pm_ptx_demand_sign(p, '>', "the number of variables");
    if (count > 1024)
        pm_ptx_fault(p, p->token.line, "more than 1024 variables of one name");
    return count;
}

static void read_variable(pm_ptx_parser *p, const pm_ptx_variable *kind)
{
    const char *name = pm_ptx_demand_word(p, "the name of a variable");
    const uint64_t family = read_family(p);

    for (uint64_t i = 0; i < family; i++) {
        pm_ptx_variable *member = pm_take(p->memory, 1, sizeof *member);

        *member = *kind;
        member->name = pm_format(p->memory, "%s%llu", name, (unsigned long long)i);
        keep_variable(p, member);
    }
    if (family == 0) {
        pm_ptx_variable *variable = pm_take(p->memory, 1, sizeof *variable);
        shape s = {0};

        *variable = *kind;
        variable->name = name;
        read_extents(p, variable, &s);
        if (pm_ptx_take_sign(p, '='))
            read_initial(p, variable, &s);
        if (variable->is_unsized)
            variable->elements = 0;
        keep_variable(p, variable);
    }
}

void pm_ptx_read_variables(pm_ptx_parser *p, pm_ptx_space space, bool is_extern)
{
    pm_ptx_variable kind = read_kind(p, space);

    kind.is_extern = is_extern;
    do
        read_variable(p, &kind);
    while (pm_ptx_take_sign(p, ','));
    pm_ptx_demand_sign(p, ';', "a variable");
}

/* Skips .ptr, its state space and alignment behind the type of a kernel's parameter. */
static bool read_pointer(pm_ptx_parser *p)
{
    pm_ptx_space space;

    if (!pm_ptx_take_dotted(p, "ptr"))
        return false;
    if (pm_ptx_at_space(p, &space))
        pm_ptx_advance(p);
    if (pm_ptx_take_dotted(p, "align"))
        read_align(p);
    return true;
}

pm_ptx_variable *pm_ptx_read_parameter(pm_ptx_parser *p)
{
    pm_ptx_variable *parameter = pm_take(p->memory, 1, sizeof *parameter);
    shape s = {0};

    if (pm_ptx_at_dotted(p, "reg"))
        pm_ptx_fault(p, p->token.line,
                     "parameters in registers cannot be traced: declare them with .param");
    if (!pm_ptx_take_dotted(p, "param"))
        pm_ptx_unexpected(p, ".param");
    *parameter = read_kind(p, PM_PTX_PARAM);
    parameter->is_pointer = read_pointer(p);
    parameter->name = pm_ptx_demand_word(p, "the name of a parameter");
    read_extents(p, parameter, &s);
    if (parameter->is_unsized || parameter->elements == 0)
        pm_ptx_fault(p, parameter->line, "the parameter %.100s has no size", parameter->name);
    return parameter;
}
