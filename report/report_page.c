/* Writes the report as one HTML file without external parts. The file is the template
 * page/report.html with the report's JSON in it. Its scripts write the page from the JSON in a
 * browser.
 *
 * A name in double braces in the template is replaced: `data` by the JSON, `nonce` by a random
 * number, `version` by the version of perfmodel, and the name of a file by its content. The content
 * security policy of the template keeps a browser from using the network and from running scripts
 * without the nonce.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "report/json/json.h"
#include "report/report.h"

enum { NONCE_BYTES = 16, LARGEST_PART = 4 << 20, LONGEST_NAME = 32 };
static const char CHART[] = "chart.js";

typedef struct {
    const pm_report *report;
    pm_text out;
    char nonce[2 * NONCE_BYTES + 1];
} page;

/* ---- the parts ------------------------------------------------------------------------------ */

/* Writes the report's JSON into the page. Replaces '<', '>' and '&' by escapes, because they could
 * end or begin an HTML element. In JSON they occur only in strings, where escapes are allowed.
 * Numbers have all 17 digits, because the page computes money from them. */
static pm_status put_data(page *p, pm_error *err)
{
    json_t *document = pm_report_document(p->report);
    char *text = document ? json_dumps(document, JSON_COMPACT | JSON_REAL_PRECISION(17)) : NULL;

    json_decref(document);
    if (!text)
        return pm_fail(err, PM_FAILED, "out of memory for the report");
    for (const char *c = text, *end; *c; c = end) {
        end = *c == '<' || *c == '>' || *c == '&' ? c + 1 : c + strcspn(c, "<>&");
        if (strchr("<>&", *c))
            pm_text_add(&p->out, "\\u%04x", (unsigned)*c);
        else
            pm_text_put(&p->out, c, (size_t)(end - c));
    }
    free(text);
    return PM_OK;
}

static pm_status make_nonce(page *p, pm_error *err)
{
    unsigned char bytes[NONCE_BYTES];

    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
        return pm_fail(err, PM_FAILED, "no random number to be had: %s", strerror(errno));
    for (size_t i = 0; i < NONCE_BYTES; i++)
        snprintf(p->nonce + 2 * i, 3, "%02x", bytes[i]);
    return PM_OK;
}

/* Reads a file that the page is made of from the installed data files. The caller frees *text. */
static pm_status read_part(const char *name, char **text, pm_error *err)
{
    char path[PATH_MAX];
    pm_error why = {0};

    if (pm_share_path(name, path, sizeof path, err) != PM_OK)
        return PM_FAILED;
    if (pm_file_read(path, LARGEST_PART, "the file that was installed", text, &why) == PM_OK)
        return PM_OK;
    return pm_fail(err, PM_FAILED, "%s; install perfmodel again", why.text);
}

/* Writes a file into the page. The file of Chart.js may be missing if the build has not found it.
 * The page then has no figures. */
static pm_status put_file(page *p, const char *name, pm_error *err)
{
    const bool chart = strcmp(name, CHART) == 0;
    char path[LONGEST_NAME + 8], *text;
    pm_error why = {0};

    snprintf(path, sizeof path, "%s%s", chart ? "" : "page/", name);
    if (read_part(path, &text, &why) == PM_OK) {
        pm_text_add(&p->out, "%s", text);
        free(text);
    } else if (chart) {
        pm_notice(&p->report->log, "figures are missing: perfmodel was installed without Chart.js "
                                   "(Debian and Ubuntu: libjs-chart.js)");
    } else {
        return pm_fail(err, PM_FAILED, "%s", why.text);
    }
    return PM_OK;
}

/* ---- the page ------------------------------------------------------------------------------- */

static pm_status put_named(page *p, const char *name, pm_error *err)
{
    if (strcmp(name, "data") == 0)
        return put_data(p, err);
    if (strcmp(name, "nonce") != 0 && strcmp(name, "version") != 0)
        return put_file(p, name, err);
    pm_text_add(&p->out, "%s", *name == 'n' ? p->nonce : PM_VERSION);
    return PM_OK;
}

static pm_status put_template(page *p, const char *template, pm_error *err)
{
    const char *open, *close;

    for (; (open = strstr(template, "{{")) && (close = strstr(open, "}}")); template = close + 2) {
        char name[LONGEST_NAME];

        pm_text_put(&p->out, template, (size_t)(open - template));
        snprintf(name, sizeof name, "%.*s", (int)(close - open - 2), open + 2);
        if (put_named(p, name, err) != PM_OK)
            return PM_FAILED;
    }
    pm_text_add(&p->out, "%s", template);
    return p->out.failed ? pm_fail(err, PM_FAILED, "out of memory for the report") : PM_OK;
}

char *pm_report_html(const pm_report *report, pm_error *err)
{
    pm_error ignored = {0};
    page p = {.report = report};
    char *template = NULL, *text = NULL;

    err = err ? err : &ignored;
    if (read_part("page/report.html", &template, err) == PM_OK && make_nonce(&p, err) == PM_OK &&
        put_template(&p, template, err) == PM_OK)
        text = pm_text_take(&p.out);
    pm_text_free(&p.out);
    free(template);
    return text;
}
