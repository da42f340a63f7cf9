/* Replaces references of a CUDA source to array elements by C constructs.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A variable that is a reference to an element (`float &x = a[i];`) is replaced by the element
 * itself. A parameter that receives a struct of an array (`f(Particle &p)`) becomes a pointer. A
 * reference that cannot be replaced stays in the text, and the later rewriting raises an error for
 * it.
 */
#ifndef PM_TRANSFORM_SOURCE_CLANG_REFERENCES_H
#define PM_TRANSFORM_SOURCE_CLANG_REFERENCES_H

#include "transform/source/clang/ast.h"
#include "transform/source/clang/edits.h"

/* Adds to `edits` the edits that replace C++ references to array elements. parameters: true if
 * reference parameters are replaced by pointers, too. Raises errors by longjmp (base/memory.h), to
 * the pm_attempt() that runs with edits->memory. */
void pm_references_edit(const pm_ast *ast, bool parameters, pm_edits *edits);

/* ---- internal declarations --------------------------------------------------------------------
 */

typedef struct {
    const pm_ast *ast;
    pm_edits *edits;
    /* names[node number of a variable]: text that replaces the variable; NULL: the variable is not
     * replaced */
    const char **names;
    /* pointers[node number of a parameter]: true if the parameter becomes a pointer */
    bool *pointers;
    bool *done; /* done[node number]: true if no further edit may change the node's text */
} pm_referring;

/* Returns whether an lvalue is an element of an array or a part of one, so that it has an address
 * in memory that a pointer gives. It is if it is accessed through a pointer, or through a reference
 * that is replaced by such an element. */
bool pm_reference_is_element(const pm_referring *r, const pm_node *lvalue);
/* Adds edits that replace reference variables by the expressions to which they are bound. Call this
 * function before other functions add edits. */
void pm_references_variables(pm_referring *r);
void pm_references_parameters(pm_referring *r);

#endif
