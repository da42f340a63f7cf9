/* References of a CUDA source to elements of arrays, put into what C has for them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A variable that is another name of an element (`float &x = a[i];`) gives way to the element's
 * own; a parameter that is given a struct of an array (`f(Particle &p)`) becomes a pointer. What
 * cannot be so stays, for those who come upon it to refuse.
 */
#ifndef PM_SOURCE_CLANG_REFERENCES_H
#define PM_SOURCE_CLANG_REFERENCES_H

#include "source/clang/ast.h"
#include "source/clang/edits.h"

/* Adds the changes that do that to edits, whose memory is the attempt's. parameters: of them too.
 */
void pm_references_edit(const pm_ast *ast, bool parameters, pm_edits *edits);

/* ---- what its files share ------------------------------------------------------------------- */

typedef struct {
    const pm_ast *ast;
    pm_edits *edits;
    const char **names; /* by node of a variable: what stands for it; NULL: it stays */
    bool *pointers;     /* by node of a parameter: it becomes a pointer */
    bool *done;         /* by node: of its text nothing else is to change */
} pm_referring;

/* A place behind a pointer, or what stands for one. */
bool pm_reference_is_element(const pm_referring *r, const pm_node *lvalue);
/* The variables, before which nothing is changed. */
void pm_references_variables(pm_referring *r);
void pm_references_parameters(pm_referring *r);

#endif
