/* The subcommand `perfmodel capture`.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "base/error.h"
#include "base/numbers.h"
#include "cli/cli.h"
#include "report/json/json.h"

enum { MOST_NAMED = 8 }; /* largest number of workload files that the summary lists */

static double share(uint64_t ns, uint64_t of)
{
    return of ? 100.0 * (double)ns / (double)of : 0;
}

/* Prints the summary on standard error, because standard output belongs to the captured program. */
static void tell(const cli_options *o, const pm_capture_summary *s)
{
    char folder[PM_SHOWN_PATH];

    if (o->quiet)
        return;
    pm_shown(o->output, folder, sizeof folder);
    fprintf(stderr, "perfmodel: %s: %llu of %llu launches and %zu of %zu kernels, with %.4g MB\n",
            folder, (unsigned long long)s->captured, (unsigned long long)s->launches,
            s->kernels_captured, s->kernels, (double)s->bytes / 1e6);
    if (s->ns)
        fprintf(stderr,
                "perfmodel: these launches took %.1f %% of the kernels' time of %.4g s, all of "
                "these kernels %.1f %%\n",
                share(s->captured_ns, s->ns), (double)s->ns / 1e9, share(s->of_kernels_ns, s->ns));
    for (size_t i = 0; i < s->left_count; i++)
        fprintf(stderr, "perfmodel: left out: %llu launches, %.1f %% of the time: %s\n",
                (unsigned long long)s->left[i].launches, share(s->left[i].ns, s->ns),
                s->left[i].why);
    if (s->untimed)
        fprintf(stderr, "perfmodel: of %llu launches the time is not known\n",
                (unsigned long long)s->untimed);
    for (size_t i = 0; i < s->file_count && i < MOST_NAMED; i++)
        fprintf(stderr, "perfmodel: %s/%s\n", folder, s->files[i]);
    if (s->file_count > MOST_NAMED)
        fprintf(stderr, "perfmodel: and %zu more\n", s->file_count - MOST_NAMED);
}

/* Returns whether the launches of all kernels are recorded: the user chose kernels or launches, or
 * wants all kernels. */
static bool takes_all(const cli_options *o, bool chosen)
{
    return chosen || o->kernels.count > 0 || o->share >= 100;
}

/* Raises the error that the capture did not write a workload file. The message has the reason why
 * launches were not captured; if there are several, the one that took most of the GPU's time. */
static int refuse_empty(const cli_options *o, const pm_capture_summary *s, int code, pm_error *err)
{
    char folder[PM_SHOWN_PATH], ended[48] = "";

    pm_shown(o->output, folder, sizeof folder);
    if (code != 0)
        snprintf(ended, sizeof ended, "; the program's exit code is %d", code);
    if (s->launches == 0 && s->left_count == 0)
        return pm_fail(err, PM_BAD_INPUT,
                       "%s: the program launched no kernel of OpenCL or CUDA, or its libOpenCL.so "
                       "knows no layers (ocl-icd from 2.3 on and Khronos' do)%s",
                       folder, ended);
    return pm_fail(err, PM_BAD_INPUT, "%s: none of the program's %llu launches was captured: %s%s",
                   folder, (unsigned long long)s->launches,
                   s->left_count > 0 ? s->left[0].why : "the program was killed", ended);
}

/* Runs the command. Returns the exit code of the captured program, or PM_BAD_INPUT if no workload
 * file was written. */
static int run(pm_session *session, const cli_options *o, pm_error *err)
{
    const bool chosen = cli_given(o, "first") || cli_given(o, "launches");
    const pm_capture_options options = {.folder = o->output,
                                        .command = o->words,
                                        .kernels = o->kernels.names,
                                        .source = o->source,
                                        .build = o->build_options,
                                        .from = o->launches[0],
                                        .to = o->launches[1],
                                        .first = o->first,
                                        .longest = chosen ? 0 : o->longest,
                                        .most_bytes = (uint64_t)o->most_bytes,
                                        .most_seconds = o->most_seconds,
                                        .tolerance = o->tolerance,
                                        .all_contents = o->all_contents,
                                        .share = takes_all(o, chosen) ? 0 : o->share / 100};
    const pm_capture_summary *summary;
    pm_capture *capture;
    int code;

    capture = pm_capture_run(session, &options, &code, err);
    if (!capture)
        return PM_FAILED;
    summary = pm_capture_told(capture);
    if (summary->file_count > 0)
        tell(o, summary);
    if (o->json && cli_print_document(o, pm_json_capture(summary, o->output, code)) != PM_OK)
        code = PM_FAILED;
    else if (summary->file_count == 0)
        code = refuse_empty(o, summary, code, err);
    pm_capture_free(capture);
    return code;
}

static void check(const cli_options *o)
{
    cli_need(o, "-o", o->output);
    if (cli_given(o, "first") + cli_given(o, "longest") + cli_given(o, "launches") > 1)
        cli_wrong(o, "--first, --longest and --launches: one of them");
    if (o->share <= 0 || o->share > 100)
        cli_wrong(o, "--share: a percentage above 0, up to 100");
    if (o->most_bytes > 1e18 || o->most_seconds > 1e9)
        cli_wrong(o, "--max-bytes up to 1e18 and --max-seconds up to 1e9 are possible");
    for (size_t i = 0; i < o->kernels.count; i++)
        if (!*o->kernels.names[i] || strpbrk(o->kernels.names[i], " \t\n"))
            cli_wrong(o, "--kernel '%s': the name of a kernel is wanted", o->kernels.names[i]);
}

const cli_command cli_capture = {
    .bit = CLI_CAPTURE,
    .name = "capture",
    .what = "record an OpenCL or CUDA program as workload files",
    .file = "[-- COMMAND ARGUMENT...]",
    .about = "Runs an OpenCL or CUDA program unchanged, records its launches, and writes them as "
             "workload files that the other commands take: sources, build options, headers, "
             "arguments, and contents of buffers before and after. Give the sources of a CUDA "
             "program by --source if it has no PTX, or if the PTX cannot be traced. The exit code "
             "is the program's, or 2 if no launch was captured. Without a command, it writes the "
             "workload files of an interrupted capture.",
    .examples = "Example:\n  perfmodel capture -o app.perfmodel -- ./app --its arguments\n"
                "  perfmodel trace --workload app.perfmodel/capture.workload\n",
    .usual = "-o app.perfmodel -- ./app",
    .check = check,
    .run = run};
