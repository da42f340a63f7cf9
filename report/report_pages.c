/* Writes the report as Markdown, and as one HTML file without external parts: it contains style,
 * script and numbers. Its content security policy keeps a browser from using the network and from
 * running other scripts.
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
#include "report/report.h"

enum { NONCE_BYTES = 16, LARGEST_PART = 1 << 20 };

/* Parts of the HTML page besides the sections. */
typedef struct {
    const pm_report *report;
    char *style, *script; /* contents of files in report/page/ */
    char *data;           /* JSON for the script */
    char nonce[2 * NONCE_BYTES + 1];
} parts;

/* ---- the parts ------------------------------------------------------------------------------ */

/* Reads a file of the data directory. The caller frees *text. */
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

/* Escapes '<', '>' and '&', which could end or open an element. In JSON, they occur only in
 * strings, where escapes are allowed. */
static char *escape_json(const char *text)
{
    size_t length = strlen(text), used = 0;
    char *escaped = malloc(6 * length + 1);

    for (const char *c = text; escaped && *c; c++)
        if (*c == '<' || *c == '>' || *c == '&')
            used += (size_t)sprintf(escaped + used, "\\u%04x", (unsigned)*c);
        else
            escaped[used++] = *c;
    if (escaped)
        escaped[used] = '\0';
    return escaped;
}

static pm_status make_data(const pm_report *report, parts *p, pm_error *err)
{
    json_t *data = pm_report_live_json(report);
    char *text = data ? json_dumps(data, JSON_COMPACT | JSON_REAL_PRECISION(17)) : NULL;

    p->data = text ? escape_json(text) : NULL;
    free(text);
    json_decref(data);
    return p->data ? PM_OK : pm_fail(err, PM_FAILED, "out of memory for the report");
}

static pm_status make_nonce(parts *p, pm_error *err)
{
    unsigned char bytes[NONCE_BYTES];

    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
        return pm_fail(err, PM_FAILED, "no random number to be had: %s", strerror(errno));
    for (size_t i = 0; i < NONCE_BYTES; i++)
        snprintf(p->nonce + 2 * i, 3, "%02x", bytes[i]);
    return PM_OK;
}

static pm_status open_parts(const pm_report *report, parts *p, pm_error *err)
{
    p->report = report;
    if (make_nonce(p, err) != PM_OK || read_part("page/style.css", &p->style, err) != PM_OK ||
        read_part("page/page.js", &p->script, err) != PM_OK)
        return PM_FAILED;
    return make_data(report, p, err);
}

static void close_parts(parts *p)
{
    free(p->style);
    free(p->script);
    free(p->data);
}

/* ---- the page ------------------------------------------------------------------------------- */

static void put_names(pm_page *page, const pm_report *report)
{
    for (size_t t = 0; t < report->target_count; t++) {
        pm_page_text(page, t ? ", " : "");
        pm_page_text(page, pm_report_gpu(&report->targets[t]));
    }
}

static void put_head(pm_page *page, const pm_report *report, const parts *p)
{
    FILE *out = page->out;

    fprintf(out,
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
            "style-src 'unsafe-inline'; script-src 'nonce-%s'; base-uri 'none'; "
            "form-action 'none'\">\n"
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
            "<meta name=\"color-scheme\" content=\"light dark\">\n"
            "<meta name=\"generator\" content=\"perfmodel " PM_VERSION "\">\n<title>",
            p->nonce);
    put_names(page, report);
    fputs(": what it is worth</title>\n<style>\n", out);
    fputs(p->style, out);
    fputs("</style>\n</head>\n<body>\n<header>\n<h1>What it is worth</h1>\n<p>", out);
    put_names(page, report);
    fputs("</p>\n</header>\n", out);
}

static void put_link(pm_page *page, const char *id, int number, const char *text)
{
    fprintf(page->out, number < 0 ? "<li><a href=\"#%s\">" : "<li><a href=\"#%s%d\">", id, number);
    pm_page_text(page, text);
    fputs("</a></li>\n", page->out);
}

static void put_contents(pm_page *page, const pm_report *report)
{
    size_t count = pm_report_program_count(report);

    fputs("<nav aria-label=\"Contents\"><ul>\n", page->out);
    put_link(page, "summary", -1, "Summary");
    if (report->money)
        put_link(page, "money", -1, "Does it pay?");
    if (count > 1)
        put_link(page, "gains", -1, "Gains");
    for (size_t i = 0; i < count; i++)
        put_link(page, "program", (int)i, pm_report_program_at(report, i));
    put_link(page, "roofline", -1, "Roofline");
    put_link(page, "validation", -1, "Predicted against measured");
    put_link(page, "trust", -1, "How sure, and why");
    put_link(page, "provenance", -1, "Where this comes from");
    fputs("</ul></nav>\n<main>\n", page->out);
}

static void put_sections(pm_page *page, const pm_report *report)
{
    pm_section_summary(page, report);
    if (report->money)
        pm_section_money(page, report);
    else
        pm_section_energy(page, report);
    pm_section_gains(page, report);
    for (size_t p = 0; p < pm_report_program_count(report); p++)
        pm_section_program(page, report, p);
    pm_section_roofline(page, report);
    pm_section_validation(page, report);
    pm_section_trust(page, report);
    pm_section_provenance(page, report);
}

static void put_page(pm_page *page, const void *user)
{
    const parts *p = user;

    put_head(page, p->report, p);
    put_contents(page, p->report);
    put_sections(page, p->report);
    fputs("</section>\n</main>\n", page->out);
    if (p->report->money)
        fprintf(page->out,
                "<script type=\"application/json\" id=\"data\">%s</script>\n"
                "<script nonce=\"%s\">\n%s</script>\n",
                p->data, p->nonce, p->script);
    fputs("</body>\n</html>\n", page->out);
}

char *pm_report_html(const pm_report *report, pm_error *err)
{
    pm_error ignored = {0}, drawing = {0};
    parts p = {0};
    char *text = NULL;

    err = err ? err : &ignored;
    if (open_parts(report, &p, err) == PM_OK)
        text = pm_page_write(true, put_page, &p, &drawing, err);
    if (text && drawing.status != PM_OK)
        pm_notice(&report->log, "figures are missing: %s", drawing.text);
    close_parts(&p);
    return text;
}

/* ---- as Markdown --------------------------------------------------------------------------- */

static void put_markdown(pm_page *page, const void *report)
{
    pm_page_heading(page, 1, NULL, -1, "What it is worth");
    pm_page_paragraph(page, "Versions of programs on GPUs: predicted time, gain, cost and return.");
    put_sections(page, report);
}

char *pm_report_markdown(const pm_report *report, pm_error *err)
{
    pm_error drawing;

    return pm_page_write(false, put_markdown, report, &drawing, err);
}
