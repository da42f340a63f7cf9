/* Writes the instances of a CUDA source's function templates as plain functions. In these
 * functions, types and values replace the template's parameters, so that the functions can be
 * analysed and rewritten.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TRANSFORM_SOURCE_CLANG_INSTANCES_H
#define PM_TRANSFORM_SOURCE_CLANG_INSTANCES_H

#include "transform/source/clang/ast.h"
#include "transform/source/source.h"

/* Replaces a source's templates by functions, one for each instance that the requested kernels
 * (such as sum or reduce<float, 256>) and the source's other functions use. References to array
 * elements are replaced by the elements. pointers: true if reference parameters are replaced by
 * pointers, too, so that layouts can be changed. Free out's memory in all cases. PM_BAD_INPUT if
 * the source has no template for a kernel, or if an instance cannot be written as a function; the
 * message has path:line. */
pm_status pm_instances_write(const pm_parse_request *request, const char *const *kernels,
                             size_t kernel_count, bool pointers, pm_instances *out, pm_error *err);
/* Makes a source from which the parameters of kernels that are template instances can be read. The
 * source gets an additional function without statements for each of these kernels, with the
 * instance's parameters; the templates remain. This also works for templates in headers, explicit
 * specializations, and instances that pm_instances_write() refuses. Free out's memory in all cases.
 * PM_BAD_INPUT if a kernel is unknown, or if the type of a parameter cannot be written. */
pm_status pm_instances_declare(const pm_parse_request *request, const char *const *kernels,
                               size_t kernel_count, pm_instances *out, pm_error *err);

/* ---- internal declarations --------------------------------------------------------------------
 */

typedef struct pm_instance pm_instance;

/* An occurrence of a template's name in the source that refers to one instance of the template. */
typedef struct {
    /* range of the name with its arguments in <> in the source; empty if a macro generates the
     * name */
    pm_range place;
    pm_instance *of;
} pm_instance_use;

/* An `if constexpr` statement of a template, at offset `begin` of the text. holds: whether its
 * condition is true in one instance of the template. */
typedef struct {
    size_t begin;
    bool holds;
} pm_instance_choice;

/* Template argument of an instance: the text that replaces a template parameter. An instance is a
 * function that is made from a template. */
typedef struct {
    const char *text; /* a type or a value */
    /* true: the type's text cannot replace the parameter directly, so a typedef names the type */
    bool named;
} pm_instance_argument;

struct pm_instance {
    const pm_node *pattern; /* definition of the template */
    CXCursor function;
    const char *name; /* name of the instance's function in the new text */
    /* True if the instance uses a type that is declared after the template, so that it cannot stand
     * in the template's place. It is then written before the declaration `before`, or at the end of
     * the text if `before` is NULL. */
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
    /* Length in bytes of the source text. `ast` is the tree of a longer text: the source, and after
     * it the variables that pm_instances_with_kernels() appends. */
    size_t length;
    pm_ast ast;
    const char *const *asked;
    size_t asked_count;
    bool pointers; /* true: replace reference parameters to structs by pointers */
    /* kernels[k]: instance for the requested kernel k; NULL: the kernel is not a template */
    pm_instance **kernels;
    size_t count;
    pm_instance **items; /* instances; each instance comes after the instances that it calls */
    size_t use_count;
    pm_instance_use *uses; /* uses of instances in functions that are not templates */
    /* stays[node]: true if the node is the definition of a template that is left in the text,
     * because other code still names it */
    bool *stays;
    pm_instances *out;
    /* new source text, and the text that clang parses for it; NULL: they have not been made yet */
    const char *text, *parsed;
} pm_instancing;

/* instances.c: appends a variable to a source for each requested kernel that is a template
 * instance. The variable is initialised with the kernel's address, so that clang instantiates the
 * template. clang's errors in these lines are reported with the kernel's name. */
char *pm_instances_with_kernels(pm_instancing *in, const char *text);
/* Returns the node of the variable that pm_instances_with_kernels() appended for requested kernel
 * `number`. NULL: this kernel is not a template instance, so there is no variable. */
const pm_node *pm_instances_kernel(const pm_instancing *in, size_t number);
/* instances.c: returns the definition of the function template that `template` declares or defines,
 * if it is in the source itself and the source uses instances of it; otherwise NULL */
const pm_node *pm_instances_pattern(const pm_instancing *in, const pm_node *template);
/* Sets the template arguments of an instance. */
void pm_instance_arguments(pm_instancing *in, pm_instance *instance);
/* Appends the source's path, quoted as in a #line directive. */
void pm_instances_path(const pm_instancing *in, pm_text *out);
/* Writes the new source, and the names of the requested kernels in it, to in->out. */
void pm_instances_text(pm_instancing *in);
/* Finds the instances that cannot stand in the place of their template, because they use a type
 * that is declared after it. Sets `is_later` and `before` of each instance. */
void pm_instances_place(pm_instancing *in);
/* Finds the templates that must be left in the text because other code still names them
 * (in->stays), and chooses the name of the function that replaces each instance. */
void pm_instances_name(pm_instancing *in);

#endif
