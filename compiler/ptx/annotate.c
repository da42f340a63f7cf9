/* Adds line numbers to PTX. See annotate.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "compiler/ptx/annotate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strings.h"
#include "base/text.h"

/* A PTX instruction: the position of its first character in the text, and its number. */
typedef struct {
    const char *at;
    size_t number;
} position;

typedef struct {
    pm_memory *memory;
    const pm_ptx_module *module;
    pm_ptx_annotated *result;
    unsigned capability;
    pm_text out;
    const char *at; /* position in the input; the text before it has been copied to `out` */
    size_t count;
    position *positions; /* in the order of the text */
} annotation;

static int by_position(const void *a, const void *b)
{
    const position *x = a, *y = b;

    return (x->at > y->at) - (x->at < y->at);
}

/* ---- instructions ---------------------------------------------------------------------------- */

static bool accesses_local(const pm_ptx_instruction *i)
{
    static const char *const accesses[] = {"ld", "st", "atom", NULL};
    static const char *const elsewhere[] = {"global", "shared", "shared::cta", "shared::cluster",
                                            "const",  "param",  NULL};

    return pm_listed(accesses, i->opcode) && !pm_ptx_choice(i, elsewhere);
}

static void add_function(annotation *a, const pm_ptx_function *f)
{
    const size_t *first = pm_ptx_find_blocks(a->memory, f);
    pm_ptx_annotated *r = a->result;
    const size_t base = r->origin_count;

    for (size_t k = 0; k < f->instruction_count; k++) {
        const pm_ptx_instruction *i = &f->instructions[k];

        *pm_add(a->memory, r->origins, r->origin_count) = (pm_ptx_origin){
            .block = (uint32_t)(base + first[k]),
            .is_local = accesses_local(i),
            .is_guarded = i->guard && strcmp(i->opcode, "bra") != 0,
            .is_several = strcmp(i->opcode, "wmma") == 0,
        };
        *pm_add(a->memory, a->positions, a->count) = (position){i->at, base + k};
    }
}

/* ---- text between instructions ----------------------------------------------------------------
 */

static const char *end_of_line(const char *at, const char *end)
{
    while (at < end && *at != '\n')
        at++;
    return at < end ? at + 1 : end;
}

static bool begins_with_word(const char *at, const char *end, const char *word)
{
    const size_t length = strlen(word);

    return (size_t)(end - at) > length && strncmp(at, word, length) == 0 && !pm_is_word(at[length]);
}

/* Returns the end of a debug section that begins at `at`: the end of the line with its closing
 * brace. */
static const char *end_of_section(const char *at, const char *end)
{
    while (at < end && *at != '}')
        at++;
    return end_of_line(at, end);
}

/* Writes the directive .target for the GPU for which ptxas assembles. A name with a or f at its
 * end, such as sm_90a, allows instructions that only GPUs of this compute capability (family) have.
 * The letter is kept if the GPU has the same compute capability. */
static void write_target(annotation *a, const char *at)
{
    char *chip = a->result->chip;
    unsigned asked = 0;
    char suffix = '\0';

    sscanf(at, ".target sm_%u%c", &asked, &suffix);
    if (asked == a->capability && (suffix == 'a' || suffix == 'f'))
        snprintf(chip, sizeof a->result->chip, "sm_%u%c", asked, suffix);
    if (asked > 0 && asked < a->capability)
        pm_text_add(&a->out, ".target sm_%u\n", asked);
    else
        pm_text_add(&a->out, ".target %s\n", chip);
}

/* Returns the end of a declaration of a kernel without body, such as ".entry name(...);", that
 * begins at `at`. Returns NULL if there is none. These declarations are left out, because they mean
 * for ptxas that other kernels launch the kernel, which changes its code. */
static const char *end_of_declaration(const char *at, const char *end)
{
    const char *word = at;

    if (begins_with_word(word, end, ".visible") || begins_with_word(word, end, ".weak")) {
        word += strcspn(word, " \t\n");
        word += strspn(word, " \t");
    }
    if (!begins_with_word(word, end, ".entry"))
        return NULL;
    word += strcspn(word, ";{");
    return word < end && *word == ';' ? word + 1 : NULL;
}

/* Returns whether a line declares a variable whose initial value is the address of a kernel. These
 * lines are left out, because ptxas otherwise assumes that other kernels launch the kernel, and
 * gives it more registers. */
static bool has_kernel_address(const annotation *a, const char *at, const char *end)
{
    const char *value = memchr(at, '=', (size_t)(end - at));
    size_t length;

    if (!value || !begins_with_word(at, end, ".global"))
        return false;
    value += 1 + strspn(value + 1, " \t");
    length = strcspn(value, "; \t\n");
    for (size_t f = 0; f < a->module->function_count; f++) {
        const char *name = a->module->functions[f]->name;

        if (a->module->functions[f]->is_kernel && strlen(name) == length &&
            strncmp(name, value, length) == 0)
            return true;
    }
    return false;
}

/* Returns whether a line is a label that only debug information uses. These lines are left out,
 * because ptxas would begin a basic block there. */
static bool is_debug_label(const char *at, const char *end)
{
    static const char *const prefixes[] = {"$L__tmp", "$L__func_"};

    for (size_t k = 0; k < sizeof prefixes / sizeof *prefixes; k++) {
        const size_t length = strlen(prefixes[k]);

        if ((size_t)(end - at) > length && strncmp(at, prefixes[k], length) == 0)
            return true;
    }
    return false;
}

/* Copies the text up to `end`, without its line information and debug sections. */
static void copy_between(annotation *a, const char *end)
{
    while (a->at < end) {
        const char *word = a->at, *next = end_of_line(word, end), *declared;

        word += strspn(word, " \t");
        declared = end_of_declaration(word, end);
        if (declared)
            next = declared;
        else if (begins_with_word(word, end, ".section"))
            next = end_of_section(word, end);
        else if (begins_with_word(word, end, ".target"))
            write_target(a, word);
        else if (!begins_with_word(word, end, ".loc") && !begins_with_word(word, end, ".file") &&
                 !is_debug_label(word, next) && !has_kernel_address(a, word, next))
            pm_text_put(&a->out, a->at, (size_t)(next - a->at));
        a->at = next;
    }
}

/* Copies an instruction, and writes the directive .loc before it, whose line is the instruction's
 * number plus 1. */
static void copy_instruction(annotation *a, const position *instruction)
{
    const size_t length = strcspn(instruction->at, ";") + 1;

    copy_between(a, instruction->at);
    pm_text_add(&a->out, "\n.loc 1 %zu 0\n", instruction->number + 1);
    pm_text_put(&a->out, instruction->at, length);
    a->at = instruction->at + length;
}

pm_ptx_annotated pm_ptx_annotate(pm_memory *memory, const char *text, const pm_ptx_module *module,
                                 unsigned capability)
{
    pm_ptx_annotated result = {.origin_count = 0};
    annotation a = {.memory = memory,
                    .module = module,
                    .result = &result,
                    .capability = capability,
                    .out = {.memory = memory},
                    .at = text};

    snprintf(result.chip, sizeof result.chip, "sm_%u", capability);
    for (size_t f = 0; f < module->function_count; f++)
        add_function(&a, module->functions[f]);
    if (a.count > 0)
        qsort(a.positions, a.count, sizeof *a.positions, by_position);
    for (size_t k = 0; k < a.count; k++)
        copy_instruction(&a, &a.positions[k]);
    copy_between(&a, text + strlen(text));
    pm_text_add(&a.out, "\n.file 1 \"kernel.ptx\"\n");
    result.text = a.out.data;
    return result;
}
