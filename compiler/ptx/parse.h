/* The state of the PTX parser, and the functions by which the files of the parser call each other.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COMPILER_PTX_PARSE_H
#define PM_COMPILER_PTX_PARSE_H

#include "compiler/ptx/lex.h"
#include "compiler/ptx/tree.h"

/* Largest depth of nested braces, or of nested operands, that the parser accepts. */
enum { PM_PTX_DEEPEST = 64 };

/* Meaning of a name in PTX. The directive .reg %r<100> declares the registers %r0 to %r99. The
 * parser sees this as one FAMILY with the name %r; a register of it is made when the text first
 * uses it. */
typedef enum {
    PM_PTX_IS_REGISTER,
    PM_PTX_IS_FAMILY,
    PM_PTX_IS_VARIABLE,
    PM_PTX_IS_FUNCTION
} pm_ptx_meaning_kind;

typedef struct {
    pm_ptx_meaning_kind kind;
    pm_ptx_register *reg;
    pm_ptx_variable *variable;
    pm_ptx_function *function;
    /* for a family: */
    const pm_ptx_type *type;
    uint64_t count;
    pm_ptx_names *members; /* registers by name */
} pm_ptx_meaning;

typedef struct {
    pm_memory *memory;
    pm_ptx_lexer lexer;
    pm_ptx_token token; /* the next token */
    pm_ptx_module *module;
    pm_ptx_function *function; /* the function whose body is read; NULL: none */
    size_t scope;              /* the innermost open scope: index in function->scopes */
    unsigned depth;            /* number of open braces and operands */
    /* number that a directive .file gives to the file `path`; 0: no .file names it */
    uint64_t source_file;
    unsigned source_line; /* line of the source that the last .loc gives; 0: unknown */
    pm_ptx_names names;   /* the meanings (pm_ptx_meaning) of names */
} pm_ptx_parser;

#define pm_ptx_fault(p, line_number, ...)                                                          \
    pm_leave((p)->memory, PM_BAD_INPUT, "%s:%u: %s", (p)->module->path, (line_number),             \
             pm_format((p)->memory, __VA_ARGS__))

/* ---- parse.c: tokens ---- */

void pm_ptx_advance(pm_ptx_parser *p);
bool pm_ptx_at_sign(const pm_ptx_parser *p, char sign);
/* Returns whether the next token is the dotted word. */
bool pm_ptx_at_dotted(const pm_ptx_parser *p, const char *word);
/* Each of these two functions advances past the next token if it is this sign (a character such as
 * a comma) or this dotted word (.reg), and returns whether it was. */
bool pm_ptx_take_sign(pm_ptx_parser *p, char sign);
bool pm_ptx_take_dotted(pm_ptx_parser *p, const char *word);
/* Raises an error if the next token is not the sign, such as a comma. after: what stands before the
 * sign, for the message. */
void pm_ptx_demand_sign(pm_ptx_parser *p, char sign, const char *after);
const char *pm_ptx_demand_word(pm_ptx_parser *p, const char *what);
uint64_t pm_ptx_demand_integer(pm_ptx_parser *p, const char *what);
/* Raises an error: `what` was expected in place of the next token. */
_Noreturn void pm_ptx_unexpected(pm_ptx_parser *p, const char *what);
/* Counts one more level of nested braces. Fails beyond PM_PTX_DEEPEST levels. */
void pm_ptx_enter(pm_ptx_parser *p);
/* Gives a name a meaning in the innermost open scope. */
pm_ptx_meaning *pm_ptx_bind(pm_ptx_parser *p, const char *name, pm_ptx_meaning_kind kind);

/* ---- parse_variable.c ---- */

/* Returns whether the next token is the directive of a state space, such as .shared, and sets
 * *space. */
bool pm_ptx_at_space(const pm_ptx_parser *p, pm_ptx_space *space);
/* Reads variables behind the directive of their state space, up to the semicolon. Adds them to the
 * module, or to the function whose body is read. */
void pm_ptx_read_variables(pm_ptx_parser *p, pm_ptx_space space, bool is_extern);
/* Reads a parameter of a function. */
pm_ptx_variable *pm_ptx_read_parameter(pm_ptx_parser *p);

/* ---- parse_operand.c ---- */

pm_ptx_operand pm_ptx_read_operand(pm_ptx_parser *p);
/* Reads registers behind the directive .reg, up to the semicolon. */
void pm_ptx_read_registers(pm_ptx_parser *p);
/* Returns the register with a name; NULL: no register has the name. */
const pm_ptx_register *pm_ptx_find_register(pm_ptx_parser *p, const char *name);

/* ---- parse_function.c ---- */

/* Reads a function behind .entry or .func. */
void pm_ptx_read_function(pm_ptx_parser *p, bool is_kernel);
/* Skips a directive without effect on the code, such as .loc, .file and .section. Returns false if
 * the next token is no such directive. */
bool pm_ptx_skip_directive(pm_ptx_parser *p);

#endif
