/* Functions that the subcommands share: they print errors and JSON documents. See cli.h.
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

pm_screen cli_screen(const cli_options *o)
{
    pm_screen screen = pm_screen_of(stdout);

    screen.quiet = o->quiet;
    screen.markdown = o->form == CLI_MARKDOWN;
    return screen;
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

static bool print_json(const json_t *document)
{
    if (json_dumpf(document, stdout, format) != 0 && !ferror(stdout))
        return false;
    putchar('\n');
    return true;
}

static bool print_csv(const cli_options *o, const json_t *document)
{
    char *text = pm_json_csv(document, json_is_array(document) ? NULL : o->command->rows);

    if (text)
        fputs(text, stdout);
    free(text);
    return text != NULL;
}

int cli_print_document(const cli_options *o, json_t *document)
{
    const bool printed =
        document && (o->form == CLI_CSV ? print_csv(o, document) : print_json(document));

    json_decref(document);
    if (printed)
        return PM_OK;
    fputs("perfmodel: out of memory for the JSON document\n", stderr);
    return PM_FAILED;
}
