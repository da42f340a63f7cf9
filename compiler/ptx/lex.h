/* Splits PTX text into tokens.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COMPILER_PTX_LEX_H
#define PM_COMPILER_PTX_LEX_H

#include <stdbool.h>
#include <stdint.h>

#include "base/memory.h"

typedef enum {
    PM_PTX_END,     /* end of the text */
    PM_PTX_WORD,    /* identifier: an opcode, a register, a label or a symbol */
    PM_PTX_DOTTED,  /* dot and word, such as .f32, or .shared::cta; `text` is without the dot */
    PM_PTX_INTEGER, /* `integer` is the value modulo 2^64 */
    PM_PTX_REAL,    /* decimal floating-point number, or 0d and 16 hexadecimal digits */
    PM_PTX_SINGLE,  /* a float as 0f and 8 hexadecimal digits */
    PM_PTX_STRING,
    PM_PTX_SIGN /* punctuation: a single character, such as a comma */
} pm_ptx_token_kind;

typedef struct {
    pm_ptx_token_kind kind;
    unsigned line;
    const char *at; /* its first character in the text */
    char sign;      /* character of PM_PTX_SIGN; '\0' for other tokens */
    /* Word, or contents of a string. NULL for other tokens. */
    const char *text;
    uint64_t integer;
    double real; /* value of PM_PTX_REAL and PM_PTX_SINGLE */
} pm_ptx_token;

typedef struct {
    pm_memory *memory;
    const char *path; /* name of the file in messages */
    const char *at;   /* next character of the text */
    unsigned line;    /* line of `at`, from 1 */
} pm_ptx_lexer;

/* Returns the next token. Comments, and lines that begin with #, are skipped. Raises PM_BAD_INPUT
 * at a character that PTX does not have. */
pm_ptx_token pm_ptx_next(pm_ptx_lexer *lexer);

/* Returns whether a text is PTX: its first token is the directive .version. */
bool pm_ptx_is_text(const char *text);

#endif
