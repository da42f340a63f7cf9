/* Sources without a workload file: what options say of their launches, and what was assumed. See
 * cli.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cli/cli.h"
#include "suite/suite.h"

enum { USUAL_COLUMNS = 80, LEAST_COLUMNS = 20 };

static bool takes_sources(const cli_options *o)
{
    return !(o->command->bit & (CLI_CAPTURE | CLI_TRANSFORM));
}

pm_status cli_say_launches(pm_session *session, const cli_options *o, pm_error *err)
{
    const pm_launch_options options = {.kernels = o->kernels.names,
                                       .grids = o->grids.names,
                                       .blocks = o->blocks.names,
                                       .shared = o->shared_bytes.names,
                                       .arguments = o->arguments.names,
                                       .sets = o->sets.names,
                                       .build_options = o->build_options};

    return takes_sources(o) ? pm_session_launch(session, &options, err) : PM_OK;
}

static size_t columns(void)
{
    const char *text = getenv("COLUMNS");
    const unsigned long number = text ? strtoul(text, NULL, 10) : 0;

    return number >= LEAST_COLUMNS && number < 10000 ? number : USUAL_COLUMNS;
}

/* Folds a text at blanks; lines behind the first are indented. */
static void print_folded(const char *text)
{
    const size_t width = columns();
    size_t at = 0;

    while (*text) {
        const size_t word = strcspn(text, " ");

        if (at > 0 && at + 1 + word > width) {
            fputs("\n ", stdout);
            at = 1;
        }
        if (at > 0)
            putchar(' ');
        printf("%.*s", (int)word, text);
        at += word + (at > 0);
        text += word + (text[word] == ' ');
    }
    putchar('\n');
}

void cli_tell_assumed(pm_session *session, const cli_options *o)
{
    const pm_programs *programs = NULL;
    pm_error ignored = {0};
    char *text;
    size_t size = sizeof "assumed: ";

    if (o->workloads.count > 0 && takes_sources(o))
        programs = pm_workloads_find(session, o->workloads.names, &ignored);
    if (!programs || !programs->assumed)
        return;
    for (const char *const *a = programs->assumed; *a; a++)
        size += strlen(*a) + 2;
    text = malloc(size);
    if (!text)
        return; /* as little as there is left, the result itself is out */
    strcpy(text, "assumed: ");
    for (const char *const *a = programs->assumed; *a; a++) {
        strcat(text, *a);
        strcat(text, a[1] ? "; " : "");
    }
    print_folded(text);
    free(text);
}
