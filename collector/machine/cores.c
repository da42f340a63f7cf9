/* What llvm-mca's tables have otherwise than cores do. See cores.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/machine/cores.h"

#include <stdbool.h>
#include <string.h>

/* Cycles of a multiplication of integers, and of vectors in MMX registers. */
enum { MULTIPLY = 3, MULTIPLY_MMX = 4 };

/* Renaming takes four micro-operations a cycle (Intel 64 and IA-32 Architectures Optimization
 * Reference Manual, Skylake), where LLVM has six. Quotients: LLVM has 76 and 102 cycles for all,
 * with as many micro-operations as those of 64 bits need; measured on a Cascade Lake, one after the
 * other 27 cycles for 32 bits and 36 to 44 for 64, unchained 8 and 25. Gathers: LLVM has 2 to 8
 * cycles; measured there, with the microcode against Gather Data Sampling (INTEL-SA-00828), 24 to
 * 27 of any width. */
static const pm_machine_core cores[] = {
    {"skylake", 4, 27, 36, 24},
    {"skylake-avx512", 4, 27, 36, 24},
    {"cascadelake", 4, 27, 36, 24},
    {"cooperlake", 4, 27, 36, 24},
};

pm_machine_core pm_machine_core_of(const char *cpu)
{
    for (size_t i = 0; i < sizeof cores / sizeof *cores; i++)
        if (strcmp(cores[i].name, cpu) == 0)
            return cores[i];
    return (pm_machine_core){.name = cpu};
}

/* A quotient as a chain of products, which take as long and few units. */
static void write_quotient(FILE *file, unsigned cycles, char width, const char *operand)
{
    const char *low = width == 'l' ? "%eax" : "%rax", *high = width == 'l' ? "%edx" : "%rdx";

    fprintf(file, "\timul%c\t%s, %s\n\timul%c\t%s, %s\n", width, high, low, width, operand, low);
    for (unsigned done = 2 * MULTIPLY; done + MULTIPLY <= cycles; done += MULTIPLY)
        fprintf(file, "\timul%c\t%s, %s\n", width, low, low);
    fprintf(file, "\tmov%c\t%s, %s\n", width, low, high);
}

/* The operand of "div" or "idiv" of 32 or 64 bits; NULL: it is another instruction. */
static const char *quotient_operand(const char *text, char *width)
{
    const char *at = strncmp(text, "\tdiv", 4) == 0    ? text + 4
                     : strncmp(text, "\tidiv", 5) == 0 ? text + 5
                                                       : NULL;

    if (!at || (*at != 'l' && *at != 'q') || at[1] != '\t')
        return NULL;
    *width = *at;
    return at + 2;
}

void pm_machine_write_step(FILE *file, const pm_machine_core *core, const char *text)
{
    char width = 0;
    const char *operand = quotient_operand(text, &width);
    const unsigned quotient = width == 'l' ? core->quotient32 : core->quotient64;
    const bool gathers = strncmp(text, "\tvgather", 8) == 0 || strncmp(text, "\tvpgather", 9) == 0;

    if (operand && quotient > 0) {
        write_quotient(file, quotient, width, operand);
        return;
    }
    fprintf(file, "%s\n", text);
    /* A chain through a register that compilers leave alone. */
    for (unsigned done = 0; gathers && done < core->gather; done += MULTIPLY_MMX)
        fputs("\tpmullw\t%mm7, %mm7\n", file);
}
