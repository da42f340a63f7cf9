/* Writes the report of report_fixture.h as HTML and as Markdown, once for each of several rates,
 * for test_report_browser.py. The script of the first page must compute at the rates of another
 * page what the library wrote into that page's Markdown. Usage: report_pages DIR
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdio.h>

#include "report_fixture.h"

int main(int argc, char **argv)
{
    static const struct {
        double hours, rate, gpu_hour, runs, passes, gpus;
    } rates[] = {{NAN, 100, 2, 1e6, 1, 1},      {NAN, 80, 2.5, 3e7, 1, 1},
                 {9.5, 100, 2, 1e6, 4, 8},      {NAN, 33.3, 0.07, 1234567, 7, 3},
                 {0.5, 1e6, 1e-3, 0.5, 1, 1},   {NAN, 0, 2, 1e5, 1, 1},
                 {NAN, 100, 0, 1e6, 1, 1},      {0, 100, 2, 1e6, 1, 1},
                 {1e6, 1e9, 1e9, 1e15, 1e12, 1}};

    for (size_t i = 0; argc == 2 && i < sizeof rates / sizeof *rates; i++) {
        pm_cost_options options = pm_cost_options_default();
        pm_error err = {0};
        pm_report *report;
        char path[4096];
        pm_status status;

        options.hours = rates[i].hours;
        options.hourly_rate = rates[i].rate;
        options.gpu_hour = rates[i].gpu_hour;
        options.runs_per_month = rates[i].runs;
        options.passes = rates[i].passes;
        options.gpus = rates[i].gpus;
        report = fixture_report(&options);
        snprintf(path, sizeof path, "%s/page%zu.md", argv[1], i);
        status = pm_report_write(report, PM_REPORT_MARKDOWN, path, &err);
        snprintf(path, sizeof path, "%s/page%zu.html", argv[1], i);
        if (status == PM_OK)
            status = pm_report_write(report, PM_REPORT_HTML, path, &err);
        fixture_report_free(report);
        if (status != PM_OK) {
            fprintf(stderr, "%s\n", err.text);
            return status;
        }
        puts(path);
    }
    return argc == 2 ? 0 : 2;
}
