/* Finds the #include directives of a source without a preprocessor. Finds every directive that some
 * compiler might execute, also in comments and after an #if.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_PROGRAM_INCLUDES_H
#define PM_PROGRAM_INCLUDES_H

#include <stdbool.h>
#include <stddef.h>

typedef struct {
    /* name of the included file, not NUL-terminated; NULL: a macro gives the name */
    const char *name;
    size_t length;
    bool quoted;
    bool next; /* true: an #include_next, which skips the first file of that name */
    bool text; /* true: the file is included as text; false: as bytes, by #embed */
} pm_include;

/* Joins a line that ends in a backslash with the next line, in place. */
void pm_includes_join(char *text);
/* Finds the next include directive in a text, from *at on, and advances *at past it. The text's
 * lines must have been joined by pm_includes_join. Returns false if there is no further
 * directive. */
bool pm_includes_next(const char *text, const char **at, pm_include *found);
/* Returns whether the text has trigraphs, such as ??=, with which compilers that support them may
 * see further directives or joined lines. */
bool pm_includes_trigraph(const char *text);

#endif
