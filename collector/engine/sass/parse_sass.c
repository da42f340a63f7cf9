/* Parses the text that `nvdisasm -g -c` prints. See sass.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The lines that matter are:
 *
 *         .section        .text.kernel,"ax",@progbits
 *         //## File "kernel.ptx", line 28
 *     .L_x_4:
 *             /\*0200*\/              @!P0 BRA `(.L_x_4) ;
 */
#include <stdlib.h>
#include <string.h>

#include "base/strings.h"
#include "collector/engine/sass/sass_parts.h"

enum { LONGEST_NAME = 4096 };

/* A label of the text. It precedes the instruction with the index `at`. */
typedef struct {
    const char *name;
    uint32_t at;
} label;

/* An operand of a jump that is a label. The jump is the instruction with the index `from`. */
typedef struct {
    const char *name;
    uint32_t from;
} jump;

typedef struct {
    pm_memory *memory;
    size_t origin_count, code_count;
    pm_sass_code *codes;
    uint32_t origin; /* of the next instructions */
    size_t label_count, jump_count;
    label *labels; /* of the current kernel */
    jump *jumps;
    pm_strings names;
} reader;

/* ---- kernels --------------------------------------------------------------------------------- */

static int by_name(const void *a, const void *b)
{
    const label *x = a, *y = b;

    return (x->name > y->name) - (x->name < y->name);
}

/* Sets the targets of the current kernel's jumps: the instructions that follow the labels. A label
 * that does not exist is ignored. */
static void link_jumps(reader *r)
{
    pm_sass_code *code = r->code_count > 0 ? &r->codes[r->code_count - 1] : NULL;
    uint32_t *targets = pm_take(r->memory, r->jump_count + 1, sizeof *targets);
    size_t used = 0;

    if (r->label_count > 0)
        qsort(r->labels, r->label_count, sizeof *r->labels, by_name);
    for (size_t j = 0; code && j < r->jump_count; j++) {
        pm_sass_instruction *from = &code->instructions[r->jumps[j].from];
        const label key = {.name = r->jumps[j].name};
        const label *found = r->label_count > 0 ? bsearch(&key, r->labels, r->label_count,
                                                          sizeof *r->labels, by_name)
                                                : NULL;

        if (!found || found->at >= code->instruction_count)
            continue;
        if (from->target_count == 0)
            from->targets = &targets[used];
        targets[used++] = found->at;
        from->target_count++;
    }
    r->labels = NULL;
    r->jumps = NULL;
    r->label_count = r->jump_count = 0;
}

static void begin_kernel(reader *r, const char *name, size_t length)
{
    link_jumps(r);
    r->origin = PM_SASS_NONE;
    *pm_add(r->memory, r->codes, r->code_count) =
        (pm_sass_code){.name = pm_format(r->memory, "%.*s", (int)length, name)};
}

/* Returns a string that is equal to a part of the text. Equal strings have equal addresses, so that
 * names can be compared by address. */
static const char *intern(reader *r, const char *name, size_t length)
{
    const char *found = pm_strings_add(
        &r->names,
        pm_format(r->memory, "%.*s", (int)(length < LONGEST_NAME ? length : LONGEST_NAME), name));

    if (!found)
        pm_leave(r->memory, PM_FAILED, "out of memory for machine code");
    return found;
}

/* ---- instructions ---------------------------------------------------------------------------- */

static size_t label_length(const char *at, const char *end)
{
    const char *from = at;

    while (at < end && (pm_is_word(*at) || *at == '.' || *at == '$'))
        at++;
    return (size_t)(at - from);
}

/* Adds the labels among a jump's operands as its targets. number: index of the jump's instruction.
 */
static void read_targets(reader *r, const char *at, const char *end, uint32_t number)
{
    for (; at < end; at++) {
        size_t length =
            *at == '.' && end - at > 3 && strncmp(at, ".L_", 3) == 0 ? label_length(at, end) : 0;

        if (length == 0)
            continue;
        *pm_add(r->memory, r->jumps, r->jump_count) = (jump){intern(r, at, length), number};
        at += length - 1;
    }
}

static const char *skip_blanks(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\t' || *at == '{'))
        at++;
    return at;
}

/* Returns whether a jump has a condition among its operands, as in BRA.U !UP0, `(.L_x_1). */
static bool has_condition(const char *operands, const char *end)
{
    operands = skip_blanks(operands, end);
    if (operands < end && *operands == '!')
        operands++;
    if (operands < end && *operands == 'U')
        operands++;
    return end - operands > 2 && *operands == 'P' && operands[1] >= '0' && operands[1] <= '9';
}

/* Reads the rest of a line with an instruction, after the instruction's address. */
static void read_instruction(reader *r, const char *at, const char *end)
{
    pm_sass_code *code = &r->codes[r->code_count - 1];
    pm_sass_instruction i = {.origin = r->origin};
    const char *opcode;

    at = skip_blanks(at, end);
    if (at < end && *at == '@') {
        i.is_guarded = strncmp(at, "@PT ", 4) != 0;
        while (at < end && *at != ' ')
            at++;
        at = skip_blanks(at, end);
    }
    opcode = at;
    while (at < end && *at != ' ' && *at != ';')
        at++;
    if (at == opcode || *opcode < 'A' || *opcode > 'Z')
        return;
    i.rule = pm_sass_rule_of(opcode, (size_t)(at - opcode));
    i.is_unlikely = at - opcode > 7 && strncmp(opcode, "BRA.DIV", 7) == 0;
    i.may_go_on = i.is_guarded || i.is_unlikely || has_condition(at, end);
    if (i.rule->flow == PM_SASS_JUMP || i.rule->flow == PM_SASS_MEET)
        read_targets(r, at, end, (uint32_t)code->instruction_count);
    *pm_add(r->memory, code->instructions, code->instruction_count) = i;
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* Reads a line such as `//## File "kernel.ptx", line 28`. The machine instructions after it were
 * made from the PTX instruction with the number line - 1 = 27. */
static void read_origin(reader *r, const char *at, const char *end)
{
    static const char word[] = ", line ";
    const size_t length = sizeof word - 1;
    unsigned long line = 0;

    while (at + length < end && strncmp(at, word, length) != 0)
        at++;
    for (at += length; at < end && *at >= '0' && *at <= '9' && line <= UINT32_MAX; at++)
        line = 10 * line + (unsigned long)(*at - '0');
    r->origin = line > 0 && line <= r->origin_count ? (uint32_t)(line - 1) : PM_SASS_NONE;
}

static bool begins(const char *at, const char *end, const char *word)
{
    const size_t length = strlen(word);

    return (size_t)(end - at) >= length && strncmp(at, word, length) == 0;
}

static void read_section(reader *r, const char *at, const char *end)
{
    static const char code[] = ".text.";

    at = skip_blanks(at + sizeof ".section" - 1, end);
    if (begins(at, end, code))
        begin_kernel(r, at + sizeof code - 1, label_length(at + sizeof code - 1, end));
}

static void read_line(reader *r, const char *at, const char *end)
{
    const pm_sass_code *code = r->code_count > 0 ? &r->codes[r->code_count - 1] : NULL;

    at = skip_blanks(at, end);
    if (begins(at, end, ".section")) {
        read_section(r, at, end);
    } else if (code && begins(at, end, "//##")) {
        read_origin(r, at, end);
    } else if (code && begins(at, end, ".L_")) {
        *pm_add(r->memory, r->labels, r->label_count) =
            (label){intern(r, at, label_length(at, end)), (uint32_t)code->instruction_count};
    } else if (code && begins(at, end, "/*")) {
        while (at < end && !begins(at, end, "*/"))
            at++;
        if (begins(at, end, "*/"))
            read_instruction(r, at + 2, end);
    }
}

pm_sass_code *pm_sass_parse(pm_memory *memory, const char *text, size_t origin_count, size_t *count)
{
    reader r = {.memory = memory, .origin_count = origin_count};

    while (*text) {
        const char *end = text + strcspn(text, "\n");

        read_line(&r, text, end);
        text = *end ? end + 1 : end;
    }
    link_jumps(&r);
    pm_strings_clear(&r.names);
    if (r.code_count == 0)
        pm_leave(memory, PM_BAD_INPUT, "the text that nvdisasm printed has no machine code");
    *count = r.code_count;
    return r.codes;
}
