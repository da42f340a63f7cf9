/* Writes a report as a whole file, or to standard output. See perfmodel.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/numbers.h"
#include "base/strings.h"
#include "report/report.h"

static const struct {
    const char *name, *ending;
    pm_report_format format;
    char *(*text)(const pm_report *report, pm_error *err);
} formats[] = {
    {"html", ".html", PM_REPORT_HTML, pm_report_html},
    {"md", ".md", PM_REPORT_MARKDOWN, pm_report_markdown},
    {"json", ".json", PM_REPORT_JSON, pm_report_json},
};
enum { FORMATS = sizeof formats / sizeof *formats };

pm_status pm_report_format_of(const char *format, const char *path, pm_report_format *out,
                              pm_error *err)
{
    char shown[PM_SHOWN_PATH];

    for (size_t f = 0; f < FORMATS; f++)
        if (format ? strcmp(format, formats[f].name) == 0
                   : path && pm_ends_in(path, formats[f].ending)) {
            *out = formats[f].format;
            return PM_OK;
        }
    if (format)
        return pm_fail(err, PM_BAD_INPUT, "no format '%s': html, md or json",
                       pm_shown(format, shown, sizeof shown));
    return pm_fail(err, PM_BAD_INPUT,
                   "%s: the ending names no format; end it in .html, .md or .json, or give one "
                   "with --format",
                   pm_shown(path ? path : "", shown, sizeof shown));
}

static const char ADVICE[] = "choose another place with -o";

pm_status pm_report_try_place(const char *path, pm_error *err)
{
    char temporary[PATH_MAX];
    struct stat there;
    int fd;

    if (stat(path, &there) == 0 && S_ISDIR(there.st_mode))
        return pm_file_unwritten(path, EISDIR, ADVICE, err);
    fd = pm_file_temporary(path, temporary);
    if (fd < 0)
        return pm_file_unwritten(path, errno, ADVICE, err);
    close(fd);
    unlink(temporary);
    return PM_OK;
}

/* Returns the report as a text in the given format, which the caller frees. NULL on failure.
 * Numbers have a decimal point in every locale, because the input fields of the HTML page accept
 * nothing else. */
static char *text_of(const pm_report *report, pm_report_format format, pm_error *err)
{
    locale_t before = pm_numbers_begin();
    char *text = NULL;

    for (size_t f = 0; f < FORMATS; f++)
        if (formats[f].format == format)
            text = formats[f].text(report, err);
    pm_numbers_end(before);
    return text;
}

pm_status pm_report_write(const pm_report *report, pm_report_format format, const char *path,
                          pm_error *err)
{
    pm_error ignored = {0};
    pm_status status = PM_OK;
    char *text;

    err = err ? err : &ignored;
    text = text_of(report, format, err);
    if (!text)
        return err->status;
    if (path)
        status = pm_file_write(path, text, ADVICE, err);
    else
        fputs(text, stdout); /* the caller checks stdout for write errors */
    free(text);
    return status;
}
