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

/* Returns the number of bytes of the character at text[i] if an SVG from gnuplot cannot contain it,
 * else 0. XML forbids control characters, U+FFFE and U+FFFF. gnuplot escapes < and &, but not the
 * end of a CDATA section, "]]>". */
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

void pm_gnuplot_quoted(pm_text *out, const char *text, size_t most)
{
    json_t *check = json_string(text); /* NULL if text is not UTF-8 */
    size_t length = strlen(text), end = length;

    if (length > most) {
        end = most - 3;
        while (check && end > 0 && ((unsigned char)text[end] & 0xC0) == 0x80)
            end--;
    }
    pm_text_add(out, "'");
    for (size_t i = 0; i < end; i++) {
        size_t bytes = unfit(text, i, check != NULL);

        if (text[i] == '\'')
            pm_text_add(out, "'");
        pm_text_put(out, bytes ? "?" : text + i, 1);
        i += bytes > 1 ? bytes - 1 : 0;
    }
    pm_text_add(out, "%s", end < length ? "...'" : "'");
    json_decref(check);
}

/* ---- gnuplot -------------------------------------------------------------------------------- */

enum { MOST_SECONDS = 120, MOST_BYTES = 64 << 20, MOST_MESSAGES = 2048 };

/* Returns the last line of a text that is not blank. Cuts off blank lines at the end of the
 * text. */
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
    locale_t before = pm_numbers_begin();
    pm_text script = {0};
    pm_status status = PM_OK;
    int failed;

    *svg = NULL;
    write(&script, user);
    pm_numbers_end(before);
    if (script.failed)
        return pm_fail(err, PM_FAILED, "out of memory for the plot");
    request.input = script.data;
    request.input_bytes = script.length;
    failed = pm_subprocess_run(argv, &request, &result);
    pm_text_free(&script);
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
