/* Writes the section of a report with the peak rates of each GPU and the roofline point (rate and
 * operations per byte) of each kernel.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>

#include "report/report.h"
#include "report/table/format.h"

/* ---- the table ------------------------------------------------------------------------------ */

static pm_words intensity(const pm_roofline *p, pm_roof_level level)
{
    return isnan(p->intensity[level]) ? pm_words_of("%s", p->bytes[level] == 0 ? "no bytes" : "")
                                      : pm_words_of("%.3g", p->intensity[level]);
}

static void put_row(pm_table *t, const pm_advice *a, const pm_choice *v, const pm_choice_kernel *k)
{
    const pm_roofline *p = &k->roofline;

    PM_CELLS(t, a->program, v->variant, k->kernel, p->operations ? p->operations : "unknown",
             intensity(p, PM_ROOF_DRAM).s, intensity(p, PM_ROOF_L2).s, intensity(p, PM_ROOF_L1).s,
             intensity(p, PM_ROOF_SHARED).s, pm_format_rate(p->per_s).s);
    pm_cell_put(t, "%s", p->bound ? p->bound : "unknown");
    PM_CELLS(t, isnan(p->roof_per_s) ? "" : pm_format_rate(p->roof_per_s).s,
             isnan(p->share) ? "" : pm_words_of("%.0f %%", 100 * p->share).s,
             p->measured ? "measured" : "predicted");
}

static void put_table(pm_markdown *md, const pm_report_target *target)
{
    static const pm_table_column columns[] = {PM_WORDS("Program"),
                                              PM_WORDS("Version"),
                                              PM_WORDS("Kernel"),
                                              PM_WORDS("Operations"),
                                              PM_NUMBERS("A DRAM byte"),
                                              PM_NUMBERS("An L2 byte"),
                                              PM_NUMBERS("An L1 byte"),
                                              PM_NUMBERS("A shared byte"),
                                              PM_NUMBERS("A second"),
                                              PM_WORDS("Lowest roof"),
                                              PM_NUMBERS("It allows a second"),
                                              PM_NUMBERS("Reached"),
                                              PM_WORDS("Time")};
    pm_table t = pm_table_open(columns, sizeof columns / sizeof *columns, false);

    for (size_t c = 0; c < target->case_count; c++) {
        const pm_advice *a = target->cases[c].advice;

        for (size_t v = 0; v < a->n; v++)
            for (size_t k = 0; k < a->choices[v].kernel_count; k++)
                put_row(&t, a, &a->choices[v], &a->choices[v].kernels[k]);
    }
    pm_markdown_table(
        md, &t,
        "Operations of each kernel on %s, by bytes and by time, and the lowest roof above "
        "it.",
        target->id);
}

static void put_target(pm_markdown *md, const pm_report_target *target)
{
    const pm_roofs *roofs = &target->cases[0].advice->roofs;

    pm_markdown_heading(md, 3, "%s (%s)", pm_report_gpu(target), target->id);
    if (!(roofs->fp32_per_s > 0) || !(roofs->bytes_per_s[PM_ROOF_DRAM] > 0)) {
        pm_markdown_paragraph(md, "Its peaks are not known: devices.csv has no whole row of it.");
        return;
    }
    pm_markdown_paragraph(
        md,
        "Peaks a second: FP32 %s, FP64 %s, integers %s; bytes of DRAM %s, of which a "
        "large copy reaches %s, of L2 %s, of L1 and shared memory %s.",
        pm_format_rate(roofs->fp32_per_s).s, pm_format_rate(roofs->fp64_per_s).s,
        pm_format_rate(roofs->int_per_s).s, pm_format_rate(roofs->bytes_per_s[PM_ROOF_DRAM]).s,
        pm_format_rate(roofs->dram_in_practice).s, pm_format_rate(roofs->bytes_per_s[PM_ROOF_L2]).s,
        pm_format_rate(roofs->bytes_per_s[PM_ROOF_L1]).s);
    put_table(md, target);
}

void pm_section_roofline(pm_markdown *md, const pm_report *report)
{
    pm_markdown_heading(md, 2, "Roofline");
    pm_markdown_paragraph(
        md, "The most operations a second that a GPU's peaks allow for what a kernel does: its "
            "peak of arithmetic, or for each level of memory its bandwidth times the operations "
            "for a byte of it (Williams, Waterman and Patterson 2009; Yang, Kurth and Williams "
            "2020). A sum or a product is an operation, a fused multiply-add two; of kernels "
            "without floating point, integer instructions count. Operations and bytes are "
            "traced; peaks are those of devices.csv.");
    for (size_t t = 0; t < report->target_count; t++)
        if (report->targets[t].case_count > 0)
            put_target(md, &report->targets[t]);
}
