/* Parses registers and operands of instructions. See parse.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdlib.h>
#include <string.h>

#include "base/strings.h"
#include "compiler/ptx/parse.h"

/* ---- registers ------------------------------------------------------------------------------- */

static pm_ptx_register *make_register(pm_ptx_parser *p, const char *name, const pm_ptx_type *type)
{
    pm_ptx_function *f = p->function;
    pm_ptx_register *made = pm_take(p->memory, 1, sizeof *made);

    *made = (pm_ptx_register){
        .name = name, .type = type, .line = p->token.line, .number = f->register_count};
    *pm_add(p->memory, f->registers, f->register_count) = made;
    return made;
}

/* Returns the register of a family such as %r<100> with a name such as %r7; NULL: there is none. */
static const pm_ptx_register *find_member(pm_ptx_parser *p, const char *name)
{
    const size_t length = strlen(name);
    size_t stem = length;
    const pm_ptx_meaning *family = NULL;
    pm_ptx_register *member;

    while (stem > 0 && name[stem - 1] >= '0' && name[stem - 1] <= '9')
        stem--;
    for (; stem < length; stem++) {
        family = pm_ptx_names_find(&p->names, pm_format(p->memory, "%.*s", (int)stem, name));
        if (family && family->kind == PM_PTX_IS_FAMILY && (name[stem] != '0' || !name[stem + 1]) &&
            length - stem < 12 && strtoull(name + stem, NULL, 10) < family->count)
            break;
    }
    if (stem == length || !family)
        return NULL;
    member = pm_ptx_names_find(family->members, name);
    if (!member) {
        member = make_register(p, name, family->type);
        pm_ptx_names_add(p->memory, family->members, name, member);
    }
    return member;
}

const pm_ptx_register *pm_ptx_find_register(pm_ptx_parser *p, const char *name)
{
    const pm_ptx_meaning *meaning = pm_ptx_names_find(&p->names, name);

    if (meaning && meaning->kind == PM_PTX_IS_REGISTER)
        return meaning->reg;
    return meaning && meaning->kind != PM_PTX_IS_FAMILY ? NULL : find_member(p, name);
}

static void read_register(pm_ptx_parser *p, const pm_ptx_type *type)
{
    const char *name = pm_ptx_demand_word(p, "the name of a register");
    pm_ptx_meaning *meaning;

    if (!pm_ptx_take_sign(p, '<')) {
        pm_ptx_bind(p, name, PM_PTX_IS_REGISTER)->reg = make_register(p, name, type);
        return;
    }
    meaning = pm_ptx_bind(p, name, PM_PTX_IS_FAMILY);
    meaning->type = type;
    meaning->count = pm_ptx_demand_integer(p, "a number of registers");
    meaning->members = pm_take(p->memory, 1, sizeof *meaning->members);
    pm_ptx_demand_sign(p, '>', "the number of registers");
}

void pm_ptx_read_registers(pm_ptx_parser *p)
{
    const pm_ptx_type *type =
        p->token.kind == PM_PTX_DOTTED ? pm_ptx_type_find(p->token.text) : NULL;

    if (!type)
        pm_ptx_unexpected(p, "the type of a register");
    pm_ptx_advance(p);
    do
        read_register(p, type);
    while (pm_ptx_take_sign(p, ','));
    pm_ptx_demand_sign(p, ';', "a register");
}

/* ---- operands -------------------------------------------------------------------------------- */

/* Reads "+ 4" or "- 4" that follows an operand, and adds the number to the operand's `bits`. */
static void read_offset(pm_ptx_parser *p, pm_ptx_operand *operand)
{
    while (pm_ptx_at_sign(p, '+') || pm_ptx_at_sign(p, '-')) {
        bool negative = false;
        uint64_t offset;

        for (; pm_ptx_at_sign(p, '+') || pm_ptx_at_sign(p, '-'); pm_ptx_advance(p))
            negative ^= p->token.sign == '-';
        offset = pm_ptx_demand_integer(p, "an offset");
        operand->bits += negative ? -offset : offset;
    }
}

static pm_ptx_operand read_number(pm_ptx_parser *p)
{
    pm_ptx_operand operand = {.kind = PM_PTX_NUMBER};
    bool negative = false;

    for (; pm_ptx_at_sign(p, '-') || pm_ptx_at_sign(p, '+'); pm_ptx_advance(p))
        negative ^= p->token.sign == '-';
    operand.is_real = p->token.kind == PM_PTX_REAL;
    operand.is_single = p->token.kind == PM_PTX_SINGLE;
    if (!operand.is_real && !operand.is_single && p->token.kind != PM_PTX_INTEGER)
        pm_ptx_unexpected(p, "a number");
    operand.real = operand.is_real || operand.is_single ? p->token.real : (double)p->token.integer;
    operand.real = negative ? -operand.real : operand.real;
    operand.bits = negative ? -p->token.integer : p->token.integer;
    if (negative && operand.is_real)
        operand.bits = p->token.integer ^ UINT64_C(1) << 63;
    else if (negative && operand.is_single)
        operand.bits = p->token.integer ^ UINT64_C(1) << 31;
    pm_ptx_advance(p);
    if (!operand.is_real && !operand.is_single)
        read_offset(p, &operand);
    return operand;
}

static void add_part(pm_ptx_parser *p, pm_ptx_operand *whole, pm_ptx_operand part)
{
    *pm_add(p->memory, whole->parts, whole->part_count) = part;
}

/* Reads operands separated by commas, up to the sign `close`, such as ]. Returns an operand of kind
 * `kind` with these operands as parts. */
static pm_ptx_operand read_parts(pm_ptx_parser *p, pm_ptx_operand_kind kind, char close)
{
    pm_ptx_operand whole = {.kind = kind};

    pm_ptx_advance(p);
    while (!pm_ptx_take_sign(p, close)) {
        add_part(p, &whole, pm_ptx_read_operand(p));
        if (!pm_ptx_take_sign(p, ',') && !pm_ptx_at_sign(p, close))
            pm_ptx_unexpected(p, pm_format(p->memory, "a comma or %c after an operand", close));
    }
    return whole;
}

/* Reads [base + offset], of which the base may be missing. The offset becomes `bits` of the
 * address. */
static pm_ptx_operand read_address(pm_ptx_parser *p)
{
    pm_ptx_operand address = read_parts(p, PM_PTX_ADDRESS, ']');

    if (address.part_count == 1 && address.parts[0].kind == PM_PTX_NUMBER) {
        address.bits = address.parts[0].bits;
        address.part_count = 0;
    } else if (address.part_count >= 1) {
        address.bits = address.parts[0].bits;
        address.parts[0].bits = 0;
    }
    return address;
}

/* Returns the operand that a name means: a register, a variable, a function or a label. An offset
 * may follow the name of a register in an address. */
static pm_ptx_operand read_name(pm_ptx_parser *p)
{
    const unsigned line = p->token.line;
    const char *name = pm_ptx_demand_word(p, "an operand");
    const pm_ptx_meaning *meaning = pm_ptx_names_find(&p->names, name);
    pm_ptx_operand operand = {.kind = PM_PTX_LABEL, .text = name};

    operand.reg = pm_ptx_find_register(p, name);
    if (strcmp(name, "_") == 0) {
        operand.kind = PM_PTX_NOTHING;
    } else if (operand.reg) {
        operand.kind = PM_PTX_REGISTER;
    } else if (meaning && meaning->kind == PM_PTX_IS_VARIABLE) {
        operand.kind = PM_PTX_SYMBOL;
        operand.variable = meaning->variable;
    } else if (meaning && meaning->kind == PM_PTX_IS_FUNCTION) {
        operand.kind = PM_PTX_CALLEE;
        operand.function = meaning->function;
    } else if (name[0] == '%') {
        operand.kind = PM_PTX_SPECIAL;
    } else if (strcmp(name, "WARP_SZ") == 0) {
        operand = (pm_ptx_operand){.kind = PM_PTX_NUMBER, .bits = 32, .real = 32};
    }
    if (p->token.kind == PM_PTX_DOTTED && operand.kind != PM_PTX_SPECIAL)
        pm_ptx_fault(p, line, "%.60s.%.40s: parts of vector registers cannot be traced", name,
                     p->token.text);
    if (p->token.kind == PM_PTX_DOTTED) {
        operand.text = pm_format(p->memory, "%s.%s", name, p->token.text);
        pm_ptx_advance(p);
    }
    read_offset(p, &operand);
    return operand;
}

static pm_ptx_operand read_simple(pm_ptx_parser *p)
{
    pm_ptx_operand operand;

    if (pm_ptx_at_sign(p, '['))
        return read_address(p);
    if (pm_ptx_at_sign(p, '{'))
        return read_parts(p, PM_PTX_LIST, '}');
    if (pm_ptx_at_sign(p, '('))
        return read_parts(p, PM_PTX_LIST, ')');
    if (pm_ptx_take_sign(p, '!')) {
        operand = (pm_ptx_operand){.kind = PM_PTX_NEGATED};
        add_part(p, &operand, pm_ptx_read_operand(p));
        return operand;
    }
    if (p->token.kind == PM_PTX_WORD)
        return read_name(p);
    return read_number(p);
}

pm_ptx_operand pm_ptx_read_operand(pm_ptx_parser *p)
{
    pm_ptx_operand operand, pair = {.kind = PM_PTX_PAIR};

    pm_ptx_enter(p);
    operand = read_simple(p);
    if (pm_ptx_take_sign(p, '|')) {
        add_part(p, &pair, operand);
        add_part(p, &pair, pm_ptx_read_operand(p));
        operand = pair;
    }
    p->depth--;
    return operand;
}
