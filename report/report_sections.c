/* The sections of the report, in their order.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "report/report.h"

void pm_report_sections(pm_page *page, const pm_report *report)
{
    pm_section_summary(page, report);
    pm_section_money(page, report);
    pm_section_gains(page, report);
    for (size_t p = 0; p < pm_report_program_count(report); p++)
        pm_section_program(page, report, p);
    pm_section_validation(page, report);
    pm_section_trust(page, report);
    pm_section_provenance(page, report);
}
