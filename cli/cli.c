/* What the subcommands share: errors and documents.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "cli/cli.h"

#include <errno.h>
#include <string.h>

#include "report/json.h"

int cli_finish(int code)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return code;
    fprintf(stderr,
            "perfmodel: standard output: cannot be written: %s; make room, or send it elsewhere\n",
            strerror(errno));
    return code == PM_OK ? PM_BAD_INPUT : code;
}

int cli_print_json(json_t *document)
{
    bool failed =
        !document ||
        (json_dumpf(document, stdout, JSON_INDENT(2) | PM_JSON_DIGITS) != 0 && !ferror(stdout));

    json_decref(document);
    if (failed) {
        fputs("perfmodel: out of memory for the JSON document\n", stderr);
        return PM_FAILED;
    }
    putchar('\n');
    return PM_OK;
}
