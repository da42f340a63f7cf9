/* For a source file that has no workload file: passes launch options such as --grid to the session,
 * and prints which sizes and arguments perfmodel assumed for the launches. See cli.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/text.h"
#include "cli/cli.h"
#include "program/suite/suite.h"

static bool takes_sources(const cli_options *o)
{
    return !(o->command->bit & (CLI_CAPTURE | CLI_TRANSFORM));
}

pm_status cli_say_launches(pm_session *session, const cli_options *o, pm_error *err)
{
    const pm_launch_options options = {.kernels = o->kernels.names,
                                       .grids = o->grids.names,
                                       .blocks = o->blocks.names,
                                       .shared = o->shared_bytes.names,
                                       .arguments = o->arguments.names,
                                       .sets = o->sets.names,
                                       .build_options = o->build_options};

    return takes_sources(o) ? pm_session_launch(session, &options, err) : PM_OK;
}

void cli_tell_assumed(pm_session *session, const cli_options *o)
{
    const pm_screen screen = cli_screen(o);
    const pm_programs *programs = NULL;
    pm_error ignored = {0};
    pm_text text = {0};

    if (o->workloads.count > 0 && takes_sources(o))
        programs = pm_workloads_find(session, o->workloads.names, &ignored);
    for (const char *const *a = programs ? programs->assumed : NULL; a && *a; a++)
        pm_text_add(&text, "%s%s", text.length ? "; " : "", *a);
    if (text.length > 0)
        pm_screen_note(&screen, "assumed: %s", pm_text_get(&text));
    pm_text_free(&text);
}
