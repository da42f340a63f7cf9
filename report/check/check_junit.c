/* Writes the result of `perfmodel check` as JUnit's XML. See check.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The elements and attributes are those that the xunit schema of Jenkins and the documentation of
 * GitLab list. They are testsuite with tests and failures, testcase with classname and name,
 * failure with message, and system-out.
 */
#include <stdlib.h>

#include "base/error.h"
#include "base/text.h"
#include "report/check/check.h"
#include "report/table/escape.h"

/* Writes the value of an XML attribute: an opening quote, the texts with a separator between them,
 * and a closing quote. */
static void put_joined(pm_text *out, const char *const *texts, size_t count, const char *separator)
{
    for (size_t i = 0; i < count; i++) {
        pm_text_add(out, "%s", i ? separator : "\"");
        pm_escape_add(out, PM_ESCAPE_XML, texts[i]);
    }
    pm_text_add(out, "\"");
}

static void put_case(pm_text *out, const pm_check_kernel *k)
{
    char *text = pm_check_text(k);

    out->failed = out->failed || !text;
    if (!text)
        return;
    pm_text_add(out, "  <testcase classname=");
    put_joined(out, (const char *const[]){k->target, k->program}, 2, ".");
    pm_text_add(out, " name=");
    put_joined(out, (const char *const[]){k->kernel, k->variant, k->size}, 3, " ");
    pm_text_add(out, ">\n");
    if (k->failed) {
        pm_text_add(out, "    <failure message=");
        put_joined(out, (const char *const[]){text}, 1, "");
        pm_text_add(out, "/>\n");
    } else if (k->verdict != PM_CHECK_SAME) {
        pm_text_add(out, "    <system-out>");
        pm_escape_add(out, PM_ESCAPE_XML, text);
        pm_text_add(out, "</system-out>\n");
    }
    pm_text_add(out, "  </testcase>\n");
    free(text);
}

char *pm_junit_check(const pm_check *check, pm_error *err)
{
    pm_text out = {0};
    char *text;

    pm_text_add(&out,
                "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                "<testsuite name=\"perfmodel check\" tests=\"%zu\" failures=\"%zu\">\n",
                check->n, check->failed);
    for (size_t i = 0; i < check->n; i++)
        put_case(&out, &check->kernels[i]);
    pm_text_add(&out, "</testsuite>\n");
    text = pm_text_take(&out);
    if (!text)
        pm_fail(err, PM_FAILED, "out of memory for the check");
    return text;
}
