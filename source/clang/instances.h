/* Instances of a CUDA source's function templates, written out as functions: what is analysed and
 * rewritten has types and values in the place of a template's parameters.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_SOURCE_CLANG_INSTANCES_H
#define PM_SOURCE_CLANG_INSTANCES_H

#include "source/clang/ast.h"
#include "source/source.h"

/* Writes out the instances that kernels (sum, reduce<float, 256>) and the source's functions use,
 * and elements where references stand for them; pointers: so that layouts can be made. out's memory
 * is to be freed either way. A kernel that the source has no template of, and an instance that
 * cannot be written as a function, are PM_BAD_INPUT with path:line. */
pm_status pm_instances_write(const pm_parse_request *request, const char *const *kernels,
                             size_t kernel_count, bool pointers, pm_instances *out, pm_error *err);

/* ---- what its files share ------------------------------------------------------------------- */

typedef struct pm_instance pm_instance;

/* A template's name in the text, where one of its instances is meant. */
typedef struct {
    pm_range place; /* with the arguments in <>; where a macro makes it, empty */
    pm_instance *of;
} pm_instance_use;

/* `if constexpr`, whose condition an instance knows. */
typedef struct {
    size_t begin;
    bool holds;
} pm_instance_choice;

/* What stands for a parameter of the template. */
typedef struct {
    const char *text; /* a type, or a value */
    bool named;       /* the type gets a name, since its words do not go where the parameter does */
} pm_instance_argument;

struct pm_instance {
    const pm_node *pattern; /* the template's definition */
    CXCursor function;
    const char *name; /* in the new text */
    /* A type that it is of is declared behind the template: it stands before this declaration, or
     * at the end. */
    bool is_later;
    const pm_node *before;
    size_t argument_count, use_count, choice_count;
    pm_instance_argument *arguments;
    pm_instance_use *uses;
    pm_instance_choice *choices;
};

typedef struct {
    pm_memory memory;
    const pm_parse_request *request;
    size_t length; /* of its text; behind it the tree's has what makes clang instantiate kernels */
    pm_ast ast;
    const char *const *asked;
    size_t asked_count;
    bool pointers;         /* in place of references to structs, as parameters */
    pm_instance **kernels; /* by what was asked for; NULL: it is no template's */
    size_t count;
    pm_instance **items; /* what an instance calls stands before it */
    size_t use_count;
    pm_instance_use *uses; /* in functions that are no templates */
    bool *stays;           /* by node of a template's definition: something else names it */
    pm_instances *out;
    const char *text, *parsed; /* the new source, and what clang is to see of it; NULL: none yet */
} pm_instancing;

/* instances.c: the definition of a template that has instances; NULL: it has none. */
const pm_node *pm_instances_pattern(const pm_instancing *in, const pm_node *template);
/* instances_arguments.c: reads what stands for the parameters of the instance's template. */
void pm_instance_arguments(pm_instancing *in, pm_instance *instance);
/* instances_text.c: adds the source's path as a #line has it. */
void pm_instances_path(const pm_instancing *in, pm_text *out);
/* The new source, and what it calls the kernels. */
void pm_instances_text(pm_instancing *in);
/* instances_place.c: which instances are later, and where they stand. */
void pm_instances_place(pm_instancing *in);
/* instances_name.c: which templates stay, and what the instances are called. */
void pm_instances_name(pm_instancing *in);

#endif
