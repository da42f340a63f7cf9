/* What the subcommands share: errors and documents.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "cli/cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "report/json/json.h"

int cli_finish(int code)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return code;
    fprintf(stderr,
            "perfmodel: standard output: cannot be written: %s; make room, or send it elsewhere\n",
            strerror(errno));
    return code == PM_OK ? PM_BAD_INPUT : code;
}

static const size_t format = JSON_INDENT(2) | PM_JSON_DIGITS;

pm_status cli_write_json(const char *path, const json_t *document, pm_error *err)
{
    char *text = document ? json_dumps(document, format) : NULL;
    pm_text line = {0};
    pm_status status;

    if (text)
        pm_text_add(&line, "%s\n", text);
    free(text);
    status = text && !line.failed
                 ? pm_file_write(path, pm_text_get(&line), "choose another place with -o", err)
                 : pm_fail(err, PM_FAILED, "out of memory for %s", path);
    pm_text_free(&line);
    return status;
}

int cli_print_json(json_t *document)
{
    bool failed = !document || (json_dumpf(document, stdout, format) != 0 && !ferror(stdout));

    json_decref(document);
    if (failed) {
        fputs("perfmodel: out of memory for the JSON document\n", stderr);
        return PM_FAILED;
    }
    putchar('\n');
    return PM_OK;
}
