/* A check as JUnit's XML. See check.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The elements and attributes are those that the xunit schema of Jenkins and the documentation of
 * GitLab list. They are testsuite with tests and failures, testcase with classname and name,
 * failure with message, and system-out.
 */
#include <stdlib.h>

#include "report/check/check.h"
#include "report/markup/page.h"

static void put_attribute(pm_page *page, const char *name, const char *text)
{
    fprintf(page->out, " %s=\"", name);
    pm_page_text(page, text);
    fputc('"', page->out);
}

static void put_case(pm_page *page, const pm_check_kernel *k)
{
    char *text = pm_check_text(k);
    char *class, *name;

    if (!text)
        pm_leave(&page->memory, PM_FAILED, "out of memory for the check");
    class = pm_format(&page->memory, "%s.%s", k->target, k->program);
    name = pm_format(&page->memory, "%s %s %s", k->kernel, k->variant, k->size);
    fputs("  <testcase", page->out);
    put_attribute(page, "classname", class);
    put_attribute(page, "name", name);
    fputs(">\n", page->out);
    if (k->failed) {
        fputs("    <failure", page->out);
        put_attribute(page, "message", text);
        fputs("/>\n", page->out);
    } else if (k->verdict != PM_CHECK_SAME) {
        fputs("    <system-out>", page->out);
        pm_page_text(page, text);
        fputs("</system-out>\n", page->out);
    }
    fputs("  </testcase>\n", page->out);
    free(text);
}

static void write(pm_page *page, const void *user)
{
    const pm_check *check = user;

    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", page->out);
    fprintf(page->out, "<testsuite name=\"perfmodel check\" tests=\"%zu\" failures=\"%zu\">\n",
            check->n, check->failed);
    for (size_t i = 0; i < check->n; i++)
        put_case(page, &check->kernels[i]);
    fputs("</testsuite>\n", page->out);
}

char *pm_junit_check(const pm_check *check, pm_error *err)
{
    pm_error drawing = {0};

    return pm_page_write(true, write, check, &drawing, err);
}
