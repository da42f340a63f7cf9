/* A check as JUnit's XML. See check.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The elements and attributes are those that the xunit schema of Jenkins and the documentation of
 * GitLab list. They are testsuite with tests and failures, testcase with classname and name,
 * failure with message, and system-out.
 */
#include <stdlib.h>

#include "base/error.h"
#include "report/check/check.h"
#include "report/markup/escape.h"

/* Writes texts with a separator between them. */
static void put_joined(FILE *out, const char *const *texts, size_t count, char separator)
{
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            putc(separator, out);
        pm_escape_put(out, PM_ESCAPE_XML, texts[i]);
    }
}

/* False if memory runs out. */
static bool put_case(FILE *out, const pm_check_kernel *k)
{
    char *text = pm_check_text(k);

    if (!text)
        return false;
    fputs("  <testcase classname=\"", out);
    put_joined(out, (const char *const[]){k->target, k->program}, 2, '.');
    fputs("\" name=\"", out);
    put_joined(out, (const char *const[]){k->kernel, k->variant, k->size}, 3, ' ');
    fputs("\">\n", out);
    if (k->failed) {
        fputs("    <failure message=\"", out);
        pm_escape_put(out, PM_ESCAPE_XML, text);
        fputs("\"/>\n", out);
    } else if (k->verdict != PM_CHECK_SAME) {
        fputs("    <system-out>", out);
        pm_escape_put(out, PM_ESCAPE_XML, text);
        fputs("</system-out>\n", out);
    }
    fputs("  </testcase>\n", out);
    free(text);
    return true;
}

static bool put_suite(FILE *out, const pm_check *check)
{
    bool whole = true;

    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", out);
    fprintf(out, "<testsuite name=\"perfmodel check\" tests=\"%zu\" failures=\"%zu\">\n", check->n,
            check->failed);
    for (size_t i = 0; whole && i < check->n; i++)
        whole = put_case(out, &check->kernels[i]);
    fputs("</testsuite>\n", out);
    return whole && !ferror(out);
}

char *pm_junit_check(const pm_check *check, pm_error *err)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    bool whole = out && put_suite(out, check);

    whole = out && fclose(out) == 0 && whole;
    if (whole)
        return text;
    free(text);
    pm_fail(err, PM_FAILED, "out of memory for the check");
    return NULL;
}
