/* What a source includes, read without a preprocessor: whatever any compiler could take for an
 * #include, in comments and behind an #if as well.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_PROGRAM_INCLUDES_H
#define PM_PROGRAM_INCLUDES_H

#include <stdbool.h>
#include <stddef.h>

typedef struct {
    const char *name; /* of the file, not terminated; NULL: a macro has it */
    size_t length;
    bool quoted;
    bool next; /* include_next: not the first of that name */
    bool text; /* and not bytes, as of embed */
} pm_include;

/* Joins lines that end in \, in place. */
void pm_includes_join(char *text);
/* The next one behind *at in a joined text; *at moves behind it. false: there is none. */
bool pm_includes_next(const char *text, const char **at, pm_include *found);
/* Whether the text has trigraphs that make a directive or join lines where a compiler takes them.
 */
bool pm_includes_trigraph(const char *text);

#endif
