/* Runs gnuplot. See gnuplot.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "report/figures/gnuplot.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/numbers.h"
#include "base/subprocess.h"

/* ---- text ----------------------------------------------------------------------------------- */

/* Number of bytes of the character at text[i] if it must be replaced, else 0. XML forbids control
 * characters, U+FFFE and U+FFFF. gnuplot escapes < and & but not the end of a CDATA section, "]]>".
 */
static size_t unfit(const char *text, size_t i, bool utf8)
{
    unsigned char c = (unsigned char)text[i];

    if (c < 0x20 || c == 0x7F || (c >= 0x80 && !utf8))
        return 1;
    if (c == '>' && i >= 2 && strncmp(text + i - 2, "]]", 2) == 0)
        return 1;
    if (strncmp(text + i, "\xEF\xBF", 2) == 0 && (unsigned char)text[i + 2] >= 0xBE)
        return 3;
    return 0;
}

void pm_gnuplot_quoted(FILE *out, const char *text, size_t most)
{
    json_t *check = json_string(text); /* NULL if text is not UTF-8 */
    size_t length = strlen(text), end = length;

    if (length > most) {
        end = most - 3;
        while (check && end > 0 && ((unsigned char)text[end] & 0xC0) == 0x80)
            end--;
    }
    putc('\'', out);
    for (size_t i = 0; i < end; i++) {
        size_t bytes = unfit(text, i, check != NULL);

        if (text[i] == '\'')
            putc('\'', out);
        putc(bytes ? '?' : text[i], out);
        i += bytes > 1 ? bytes - 1 : 0;
    }
    fputs(end < length ? "...'" : "'", out);
    json_decref(check);
}

/* ---- gnuplot -------------------------------------------------------------------------------- */

enum { MOST_SECONDS = 120, MOST_BYTES = 64 << 20, MOST_MESSAGES = 2048 };

/* Collects the script in memory. The caller frees it. NULL if memory runs out. Numbers have a
 * decimal point in every locale. */
static char *make_script(pm_gnuplot_fn write, const void *user, size_t *size)
{
    char *script = NULL;
    FILE *out = open_memstream(&script, size);
    bool whole = false;

    if (out) {
        locale_t before = pm_numbers_begin();

        write(out, user);
        pm_numbers_end(before);
        whole = !ferror(out);
        whole = fclose(out) == 0 && whole;
    }
    if (whole)
        return script;
    free(script);
    return NULL;
}

/* The last line of text that is not blank. Cuts blank lines off the end of text. */
static const char *last_line(char *text)
{
    char *start;

    while ((start = strrchr(text, '\n')) && strspn(start, " \n\t") == strlen(start))
        *start = '\0';
    start = strrchr(text, '\n');
    return start ? start + 1 : text;
}

pm_status pm_gnuplot_svg(pm_gnuplot_fn write, const void *user, const char *what, char **svg,
                         pm_error *err)
{
    static char program[] = "gnuplot", plain[] = "-d"; /* -d ignores the user's settings */
    char *argv[] = {program, plain, NULL};
    pm_subprocess_request request = {
        .output_limit = MOST_BYTES, .messages_limit = MOST_MESSAGES, .seconds_limit = MOST_SECONDS};
    pm_subprocess_result result = {0};
    char *script = make_script(write, user, &request.input_bytes);
    pm_status status = PM_OK;
    int failed;

    *svg = NULL;
    if (!script)
        return pm_fail(err, PM_FAILED, "out of memory for the plot");
    request.input = script;
    failed = pm_subprocess_run(argv, &request, &result);
    free(script);
    if (failed)
        status = pm_fail(err, PM_FAILED,
                         failed == ENOENT ? "gnuplot is not installed: install it (Debian and "
                                            "Ubuntu: gnuplot-nox) or leave the plot out"
                                          : "cannot start gnuplot: %s",
                         strerror(failed));
    else if (result.exit_code != 0 || result.too_slow || !strstr(result.output, "</svg>"))
        status = pm_fail(err, PM_FAILED, "%s: gnuplot failed: %.256s", what,
                         result.too_slow ? "it took too long" : last_line(result.messages));
    if (status == PM_OK) {
        *svg = result.output;
        result.output = NULL;
    }
    pm_subprocess_free(&result);
    return status;
}
