/* Replaces references of a CUDA source to array elements by C constructs.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A variable that is a reference to an element (`float &x = a[i];`) is replaced by the element
 * itself. A parameter that receives a struct of an array (`f(Particle &p)`) becomes a pointer. A
 * reference for which this is impossible stays, and later steps refuse it.
 */
#ifndef PM_TRANSFORM_SOURCE_CLANG_REFERENCES_H
#define PM_TRANSFORM_SOURCE_CLANG_REFERENCES_H

#include "transform/source/clang/ast.h"
#include "transform/source/clang/edits.h"

/* Adds these replacements to edits, whose memory must be the one of the current attempt.
 * parameters: also replace parameters. */
void pm_references_edit(const pm_ast *ast, bool parameters, pm_edits *edits);

/* ---- internal declarations --------------------------------------------------------------------
 */

typedef struct {
    const pm_ast *ast;
    pm_edits *edits;
    const char **names; /* per node of a variable: replacement text; NULL: the variable stays */
    bool *pointers;     /* per node of a parameter: it becomes a pointer */
    bool *done;         /* per node: no other edit may change its text */
} pm_referring;

/* Returns whether an lvalue is accessed through a pointer, or is a reference to such an object. */
bool pm_reference_is_element(const pm_referring *r, const pm_node *lvalue);
/* Replaces the variables. Call it before any other edit. */
void pm_references_variables(pm_referring *r);
void pm_references_parameters(pm_referring *r);

#endif
