/* The syntax tree of a PTX module.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COMPILER_PTX_TREE_H
#define PM_COMPILER_PTX_TREE_H

#include <stdint.h>

#include "compiler/ptx/names.h"
#include "compiler/ptx/types.h"

/* PTX state spaces. GENERIC: an address that may be in any of the others. */
typedef enum {
    PM_PTX_GENERIC,
    PM_PTX_GLOBAL,
    PM_PTX_SHARED,
    PM_PTX_CONST,
    PM_PTX_LOCAL,
    PM_PTX_PARAM,
    PM_PTX_SPACES
} pm_ptx_space;

typedef struct {
    const char *name; /* "" if it has none */
    const pm_ptx_type *type;
    unsigned line;
    size_t number; /* index in pm_ptx_function.registers */
} pm_ptx_register;

/* A number, or an address, in the initial value of a variable. */
typedef struct pm_ptx_initial {
    uint64_t bits; /* bit pattern of an element, or the offset that is added to an address */
    /* variable or function whose address is the initial value; NULL: the value is a number */
    const char *symbol;
    uint64_t index; /* index of the element */
} pm_ptx_initial;

/* A PTX variable, or a parameter or result of a function. */
typedef struct {
    const char *name;
    unsigned line;
    pm_ptx_space space;
    const pm_ptx_type *type;
    uint64_t align;    /* in bytes; 0: the alignment of the type */
    uint64_t elements; /* number of elements of `type`; 0 if is_unsized */
    bool is_array;
    /* true: an array without a size, such as dyn[], for which each launch gives the size */
    bool is_unsized;
    bool is_extern;
    bool is_pointer; /* true: a kernel's parameter that is declared with .ptr */
    size_t initial_count;
    const pm_ptx_initial *initial;
    /* index of the variable: in pm_ptx_module.variables, or, for a variable of a function, in the
     * function's parameters, results or variables */
    size_t number;
    bool is_result; /* true: the variable is a result of its function */
} pm_ptx_variable;

typedef struct pm_ptx_function pm_ptx_function;

typedef enum {
    PM_PTX_REGISTER,
    PM_PTX_SPECIAL, /* a special register such as %tid.x; its name is `text` */
    PM_PTX_NUMBER,  /* an integer, or the bit pattern of a double (is_real) or float (is_single) */
    PM_PTX_SYMBOL,  /* a variable, plus the offset in `bits` */
    PM_PTX_CALLEE,  /* a function */
    PM_PTX_LABEL,   /* a label; its name is `text` */
    PM_PTX_ADDRESS, /* [base + bits]; the base is parts[0], or nothing if there is no part */
    PM_PTX_LIST,    /* {a, b} or (a, b) */
    PM_PTX_PAIR,    /* p|q */
    PM_PTX_NEGATED, /* !p */
    PM_PTX_NOTHING  /* _ */
} pm_ptx_operand_kind;

typedef struct pm_ptx_operand {
    pm_ptx_operand_kind kind;
    bool is_real, is_single;
    uint64_t bits;
    double real;
    const char *text;
    const pm_ptx_register *reg;
    const pm_ptx_variable *variable;
    const pm_ptx_function *function;
    size_t part_count;
    struct pm_ptx_operand *parts;
} pm_ptx_operand;

enum { PM_PTX_MOST_TYPES = 6 };

typedef struct {
    unsigned line;  /* line in the file `path` of the module (see pm_ptx_parse); 0: unknown */
    const char *at; /* its first character in the text, where its guard begins if it has one */
    const char *opcode;
    /* register that decides whether the instruction is executed; NULL: it always is */
    const pm_ptx_register *guard;
    bool guard_negated;
    size_t modifier_count;
    const char **modifiers; /* words without dots, in the order of the text, except types */
    size_t type_count;      /* may exceed the length of `types`, which has the first ones */
    const pm_ptx_type *types[PM_PTX_MOST_TYPES];
    size_t operand_count;
    pm_ptx_operand *operands;
    size_t scope; /* index in pm_ptx_function.scopes of the scope with this instruction */
} pm_ptx_instruction;

/* A label. It precedes the instruction with the index `at` in its function. scope: index in
 * pm_ptx_function.scopes. */
typedef struct {
    const char *name;
    unsigned line;
    size_t at, scope;
    /* .branchtargets: names of the labels to which brx.idx may jump; NULL for other labels */
    const char *const *targets;
    size_t target_count;
} pm_ptx_label;

struct pm_ptx_function {
    const char *name;
    unsigned line;
    size_t number; /* index in pm_ptx_module.functions */
    bool is_kernel, has_body;
    size_t parameter_count, result_count;
    pm_ptx_variable **parameters, **results;
    /* Number of threads of a block in each dimension. required: the exact number from .reqntid;
     * most: the maximum from .maxntid. 0: not given. */
    unsigned required[3], most[3];
    unsigned cluster[3]; /* blocks of a cluster, from .reqnctapercluster; 0: not given */
    size_t register_count;
    pm_ptx_register **registers;
    size_t variable_count; /* variables in the function's body */
    pm_ptx_variable **variables;
    size_t instruction_count;
    pm_ptx_instruction *instructions;
    size_t label_count;
    pm_ptx_label *labels;
    /* scopes[i]: index of the scope that encloses scope i. Scope 0 is the function's body. */
    size_t scope_count;
    size_t *scopes;
};

typedef struct {
    const char *path;
    size_t variable_count;
    pm_ptx_variable **variables; /* at module scope */
    size_t function_count;
    pm_ptx_function **functions;
} pm_ptx_module;

/* Parses PTX text. path: name of the file in messages. If a directive .file names this file, it is
 * the source from which a compiler made the PTX, and instructions have the source's lines, from
 * .loc. Otherwise their lines are those of the text. Code of another file, such as a header, that
 * was inlined has the line of the call in the source. Raises PM_BAD_INPUT with the line if the text
 * is not PTX. Opcodes are not checked, because unused functions may have unknown ones. */
pm_ptx_module *pm_ptx_parse(pm_memory *memory, const char *text, const char *path);

/* Returns the number of a function's first instruction. The instructions of all functions of a
 * module are numbered from 0, in the order of pm_ptx_module.functions. */
size_t pm_ptx_first_number(const pm_ptx_module *module, const pm_ptx_function *function);
/* Returns for each instruction of a function the index of the first instruction of its basic block.
 * A basic block begins at a label to which a jump leads, and after each jump, ret, exit or trap,
 * even if that instruction has a guard. */
size_t *pm_ptx_find_blocks(pm_memory *memory, const pm_ptx_function *function);

/* Returns the label that an instruction in scope `scope` means by a name; NULL: there is none. */
const pm_ptx_label *pm_ptx_find_label(const pm_ptx_function *function, size_t scope,
                                      const char *name);

/* Returns the number of bytes of a variable. */
uint64_t pm_ptx_variable_bytes(const pm_ptx_variable *variable);
/* Returns the alignment of a variable in bytes. */
uint64_t pm_ptx_variable_align(const pm_ptx_variable *variable);

/* Returns whether an instruction has a modifier. */
bool pm_ptx_has(const pm_ptx_instruction *instruction, const char *modifier);
/* Returns the first modifier of an instruction that is in the NULL-terminated list; NULL: none. */
const char *pm_ptx_choice(const pm_ptx_instruction *instruction, const char *const *list);

#endif
