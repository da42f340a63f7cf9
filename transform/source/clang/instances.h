/* Writes out the instances of a CUDA source's function templates as plain functions. In these
 * functions, types and values replace the template's parameters, so that they can be analysed and
 * rewritten.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TRANSFORM_SOURCE_CLANG_INSTANCES_H
#define PM_TRANSFORM_SOURCE_CLANG_INSTANCES_H

#include "transform/source/clang/ast.h"
#include "transform/source/source.h"

/* Writes out the instances that the kernels (such as sum or reduce<float, 256>) and the source's
 * functions use. References to elements are replaced by the elements. pointers: also replace
 * reference parameters by pointers, so that layouts can be made. Free out's memory in any case.
 * PM_BAD_INPUT: the source has no template for a kernel, or an instance cannot be written as a
 * function; the message has path:line. */
pm_status pm_instances_write(const pm_parse_request *request, const char *const *kernels,
                             size_t kernel_count, bool pointers, pm_instances *out, pm_error *err);

/* ---- internal declarations --------------------------------------------------------------------
 */

typedef struct pm_instance pm_instance;

/* A use of a template's name that refers to one of its instances. */
typedef struct {
    pm_range place; /* source range of the name with its arguments in <>; empty if a macro generates
                       it */
    pm_instance *of;
} pm_instance_use;

/* An `if constexpr`, whose condition is known in an instance. */
typedef struct {
    size_t begin;
    bool holds;
} pm_instance_choice;

/* Argument for a parameter of the template. */
typedef struct {
    const char *text; /* a type or a value */
    /* the type needs a typedef name, because its text cannot replace the parameter */
    bool named;
} pm_instance_argument;

struct pm_instance {
    const pm_node *pattern; /* definition of the template */
    CXCursor function;
    const char *name; /* name in the new text */
    /* One of its types is declared after the template. The instance then goes before the
     * declaration `before`, or to the end if that is NULL. */
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
    /* Length of request's text in bytes. `ast` is parsed from a longer text: explicit
     * instantiations of the requested kernels follow. */
    size_t length;
    pm_ast ast;
    const char *const *asked;
    size_t asked_count;
    bool pointers;         /* replace reference parameters to structs by pointers */
    pm_instance **kernels; /* per requested kernel; NULL: it is no template */
    size_t count;
    pm_instance **items; /* an instance comes after the instances that it calls */
    size_t use_count;
    pm_instance_use *uses; /* uses in functions that are no templates */
    /* stays[node] for the definition of a template: it stays in the text, because other code still
     * names it */
    bool *stays;
    pm_instances *out;
    const char *text, *parsed; /* new source, and the text for clang; NULL: not made yet */
} pm_instancing;

/* instances.c: returns the definition of a template that has instances; NULL: it has none. */
const pm_node *pm_instances_pattern(const pm_instancing *in, const pm_node *template);
/* instances_arguments.c: reads the arguments of an instance's template. */
void pm_instance_arguments(pm_instancing *in, pm_instance *instance);
/* instances_text.c: appends the source's path as in a #line directive. */
void pm_instances_path(const pm_instancing *in, pm_text *out);
/* Writes the new source and the kernels' new names. */
void pm_instances_text(pm_instancing *in);
/* instances_place.c: finds instances that must move after their template, and their positions. */
void pm_instances_place(pm_instancing *in);
/* instances_name.c: finds templates that must stay, and names the instances. */
void pm_instances_name(pm_instancing *in);

#endif
