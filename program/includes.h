/* Finds the #include directives of a source without a preprocessor. Finds every directive that any
 * compiler might see, also in comments and after an #if.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_PROGRAM_INCLUDES_H
#define PM_PROGRAM_INCLUDES_H

#include <stdbool.h>
#include <stddef.h>

typedef struct {
    const char *name; /* name of the file, not NUL-terminated; NULL: a macro gives the name */
    size_t length;
    bool quoted;
    bool next; /* true for include_next, which skips the first file of that name */
    bool text; /* true: included as text; false: included as bytes, by #embed */
} pm_include;

/* Joins lines in place: a line that ends in a backslash and the next line become one line. */
void pm_includes_join(char *text);
/* Finds the next include directive after *at in a text after pm_includes_join, and advances *at to
 * its end. false: there is none. */
bool pm_includes_next(const char *text, const char **at, pm_include *found);
/* Returns whether the text has trigraphs that may form a directive or join lines in compilers that
 * support them. */
bool pm_includes_trigraph(const char *text);

#endif
