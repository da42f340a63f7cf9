/* Captures the kernel launches of a program: runs the program with libraries that record its
 * launches, and makes workload files from their records. See include/perfmodel/capture.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "perfmodel.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/session/session.h"
#include "base/strings.h"
#include "base/text.h"
#include "base/version.h"
#include "capture/cuda_ptx.h"
#include "capture/cuda_sources.h"
#include "capture/expand.h"
#include "capture/fill.h"
#include "capture/folder.h"
#include "capture/loaded.h"
#include "capture/page_use.h"
#include "capture/records.h"
#include "capture/run.h"
#include "capture/tell.h"
#include "program/suite/suite.h"

enum { LONGEST_NAME = 32 };
/* Limit on the time for tracing the captured launches of all workload files: this fraction of the
 * time that the program ran, or LEAST_TRACE_S seconds if that is more. */
static const double TRACE_SHARE = 0.25, LEAST_TRACE_S = 2;

struct pm_capture {
    pm_memory memory;
    pm_capture_summary summary;
};

typedef struct {
    pm_session *session;
    const pm_capture_options *options;
    int *code;
    pm_capture *capture;
    pm_memory *memory;
    pm_capture_folder folder;
    pm_captured captured;
    double traced_s; /* time spent on tracing captured launches, seconds */
} work;

/* ---- names ----------------------------------------------------------------------------------- */

static const char *command_line(const work *w)
{
    pm_text text = {.memory = w->memory};

    for (char *const *word = w->options->command; word && *word; word++)
        pm_text_add(&text, "%s%s", text.length ? " " : "", *word);
    for (char *c = text.data; c && *c; c++)
        if ((unsigned char)*c < ' ')
            *c = '?';
    return text.length ? pm_format(w->memory, "%.300s", pm_text_get(&text)) : NULL;
}

/* Returns the name that tables show for workloads of this capture: the name of the capture's folder
 * without ".perfmodel". */
static const char *workload_name(const work *w)
{
    static const char ending[] = ".perfmodel";
    const char *slash = strrchr(w->folder.path, '/'), *last = slash[1] ? slash + 1 : "capture";
    const size_t length = strlen(last) - (pm_ends_in(last, ending) ? strlen(ending) : 0);
    char *name = pm_format(w->memory, "%.*s", (int)(length < LONGEST_NAME ? length : LONGEST_NAME),
                           length > 0 ? last : "capture");

    for (char *c = name; *c; c++)
        if (!isalnum((unsigned char)*c) && !strchr("_.-", *c))
            *c = '_';
    if (w->folder.written > 0)
        name = pm_format(w->memory, "%s_%zu", name, w->folder.written + 1);
    return pm_suite_find(name) ? pm_format(w->memory, "%s_captured", name) : name;
}

/* ---- workload files -------------------------------------------------------------------------- */

/* Parses the workload file that was just written, as other commands will do, so that its faults are
 * reported now. */
static void check_file(const work *w, const char *file)
{
    const char *path = pm_format(w->memory, "%s/%s", w->folder.path, file);
    pm_error err = {0};
    pm_program *program = pm_program_read(path, pm_session_worker(w->session), &err);

    if (!program)
        pm_notice(pm_session_log(w->session), "%s", err.text);
    pm_program_read_free(program);
}

/* Finds which pages of the captured buffers the launches use, by tracing the launches. The time for
 * all traces of a capture is limited to a fraction of the program's run time (TRACE_SHARE);
 * w->traced_s of it is spent. */
static void find_page_use(work *w, pm_replay *replay, const char *name)
{
    const double start = pm_now_s();
    const double most = fmax(LEAST_TRACE_S, TRACE_SHARE * w->capture->summary.program_s);

    pm_captured_page_use(w->session, &w->folder, replay, name, most - w->traced_s);
    w->traced_s += pm_now_s() - start;
}

/* Preprocesses an OpenCL source of the capture that includes headers by macros. Does nothing for
 * the records of an interrupted capture (no command), because they may come from another person,
 * and their source must not include files of this machine. */
static void expand(const work *w, const pm_replay *replay)
{
    char *text;

    if (!w->options->command || replay->program->cuda)
        return;
    text = pm_folder_text(&w->folder, replay->process, NULL, replay->program->contents);
    pm_captured_expand(w->memory, pm_session_worker(w->session), pm_session_log(w->session),
                       replay->process, replay->program, text);
    free(text);
}

/* Returns whether a program has a source in CUDA C++, and also a kernel with PTX. The PTX can be
 * used as the source if the CUDA C++ does not compile. */
static bool has_other_source(const pm_replay *replay)
{
    if (!replay->program->cuda || replay->program->is_ptx)
        return false;
    for (size_t l = 0; l < replay->launch_count; l++)
        if (replay->launches[l].from->kernel->ptx)
            return true;
    return false;
}

/* Returns whether the source of the replay's kernels compiles. If not, writes a line with the
 * reason to the log, and removes the files of the source from the capture's folder. */
static bool compiles(work *w, const pm_replay *replay, const char *name)
{
    const char *file = pm_folder_next(&w->folder);
    pm_captured_loaded loaded;
    pm_error why = {0};
    bool done;

    pm_folder_draft(&w->folder, replay, name, false);
    done =
        pm_captured_load(w->session, pm_format(w->memory, "%s/%s.workload", w->folder.path, file),
                         &loaded, &why) == PM_OK;
    pm_captured_unload(&loaded);
    if (done)
        return true;
    pm_notice(pm_session_log(w->session),
              "%s; the PTX that the program loaded is the source in its place", why.text);
    pm_folder_remove(&w->folder, pm_format(w->memory, "%s.workload", file));
    pm_folder_remove(&w->folder,
                     pm_format(w->memory, "%s%s", file, pm_folder_ending(replay->program)));
    pm_folder_remove_headers(&w->folder);
    return false;
}

/* Writes the workload file of a replay, the captured launches of one program source. Returns false,
 * and writes no file, if the source does not compile but some of its kernels have PTX, from which
 * the caller can make workload files instead. */
static bool make_file(work *w, pm_replay *replay)
{
    const char *name, *file;

    if (replay->program->cuda && !replay->program->text) {
        pm_captured_refuse(w->memory, replay);
        pm_folder_modules(&w->folder, replay->process);
        return true;
    }
    expand(w, replay);
    pm_folder_headers(&w->folder, replay->process, replay->program);
    pm_captured_fill(w->session, &w->folder, replay);
    if (replay->launch_count == 0)
        return true;
    file = pm_format(w->memory, "%s.workload", pm_folder_next(&w->folder));
    name = workload_name(w);
    pm_replay_find_loops(w->memory, replay);
    if (has_other_source(replay) && !compiles(w, replay, name))
        return false;
    find_page_use(w, replay, name);
    pm_folder_workload(&w->folder, replay, name);
    check_file(w, file);
    pm_summary_file(w->memory, &w->capture->summary, file);
    return true;
}

/* ---- all processes --------------------------------------------------------------------------- */

/* Comparison function for qsort: orders the captured program sources of a process by the first
 * launch of a kernel from each. */
static int by_first_launch(const void *a, const void *b)
{
    const pm_replay *left = a, *right = b;

    return (left->first > right->first) - (left->first < right->first);
}

/* Adds a replay (the captured launches and buffers of a program) for each program source of a
 * process from which kernels were launched, beginning with program `first`. Each replay becomes a
 * workload file. Replays are in the order of their first launches. */
static void add_replays(work *w, const pm_captured_process *process, size_t first,
                        pm_replay **replays, size_t *count)
{
    const size_t before = *count;

    for (size_t p = first; p < process->program_count; p++) {
        pm_replay replay = {.process = process, .program = process->programs[p]};
        size_t launches = 0;

        for (size_t l = 0; l < process->launch_count; l++) {
            const pm_captured_launch *launch = &process->launches[l];

            if (launch->dropped || launch->kernel->program != replay.program)
                continue;
            replay.ns += launch->ns;
            replay.first = launches++ == 0 ? l : replay.first;
        }
        if (launches > 0)
            *pm_add(w->memory, *replays, *count) = replay;
    }
    if (*count > before)
        qsort(*replays + before, *count - before, sizeof **replays, by_first_launch);
}

/* Makes new replays, with PTX as the source, for those kernels of a replay that have PTX, after the
 * replay's own source did not compile. Returns whether kernels without PTX remain in the failed
 * replay. */
static bool add_ptx_replays(work *w, const pm_replay *failed, pm_replay **replays, size_t *count)
{
    const pm_captured_process *process = failed->process;

    for (size_t p = 0; p < w->captured.count; p++) {
        const size_t first = w->captured.processes[p].program_count;

        if (&w->captured.processes[p] == process &&
            pm_cuda_ptx_take(w->memory, &w->captured.processes[p], failed->program))
            add_replays(w, process, first, replays, count);
    }
    for (size_t l = 0; l < process->launch_count; l++)
        if (!process->launches[l].dropped &&
            process->launches[l].kernel->program == failed->program)
            return true;
    return false;
}

static void make_files(work *w)
{
    pm_replay *replays = NULL;
    size_t count = 0;

    for (size_t p = 0; p < w->captured.count; p++)
        add_replays(w, &w->captured.processes[p], 0, &replays, &count);
    for (size_t i = 0; i < count; i++) {
        const pm_replay empty = {.process = replays[i].process, .program = replays[i].program};

        if (make_file(w, &replays[i]))
            continue;
        replays[i] = empty;
        if (add_ptx_replays(w, &empty, &replays, &count))
            make_file(w, &replays[i]);
    }
    pm_summary_fill(w->memory, &w->capture->summary, &w->captured, replays, count);
    w->capture->summary.bytes = w->folder.bytes;
}

/* Reads the records of an interrupted capture. Symbolic links in the folder are rejected, because
 * the records may come from another person and must not lead to other files. */
static void read_records(work *w)
{
    pm_folder_require(&w->folder, pm_format(w->memory, "%s/records", w->folder.path));
    pm_captured_read(w->memory, pm_format(w->memory, "%s/records", w->folder.path), &w->captured);
    for (size_t p = 0; p < w->captured.count; p++) {
        const char *process = w->captured.processes[p].folder;

        pm_folder_require(&w->folder, process);
        pm_folder_require(&w->folder, pm_format(w->memory, "%s/contents", process));
    }
}

/* Finds the PTX of the captured CUDA kernels in the images that the program loaded. The PTX becomes
 * the source of kernels whose CUDA source was not found. */
static void find_ptx(work *w)
{
    pm_cuda_ptx_find(&w->folder, &w->captured, pm_session_log(w->session));
    for (size_t p = 0; p < w->captured.count; p++) {
        pm_captured_process *process = &w->captured.processes[p];
        const size_t count = process->program_count;

        for (size_t i = 0; i < count; i++)
            if (process->programs[i]->cuda && !process->programs[i]->text)
                pm_cuda_ptx_take(w->memory, process, process->programs[i]);
    }
}

static void do_work(void *user)
{
    work *w = user;
    char whole[PATH_MAX];

    w->folder = (pm_capture_folder){.memory = w->memory, .path = w->options->folder};
    w->folder.command = command_line(w);
    w->folder.tolerance = w->options->tolerance;
    if (w->options->command) {
        pm_folder_make(&w->folder);
        pm_require(w->memory, pm_captured_run(w->session, w->options, w->code,
                                              &w->capture->summary.program_s, w->memory->err));
    }
    if (!realpath(w->options->folder, whole))
        pm_leave(w->memory, PM_BAD_INPUT,
                 "%s: there is no such capture; give its command behind --", w->options->folder);
    w->folder.path = pm_copy(w->memory, whole);
    read_records(w);
    pm_cuda_sources_find(w->memory, &w->captured, w->options->source, w->options->build);
    if (w->options->share > 0)
        pm_captured_choose(w->memory, &w->captured, w->options->share);
    find_ptx(w);
    make_files(w);
    pm_folder_remove(&w->folder, "records");
}

pm_capture *pm_capture_run(pm_session *session, const pm_capture_options *options, int *code,
                           pm_error *err)
{
    pm_capture *capture = calloc(1, sizeof *capture);
    work w = {.session = session, .options = options, .code = code, .capture = capture};

    *code = 0;
    if (!capture) {
        pm_fail(err, PM_FAILED, "out of memory");
        return NULL;
    }
    w.memory = &capture->memory;
    if (PM_UNUSED(options, err) == PM_OK && pm_attempt(&capture->memory, do_work, &w, err) == PM_OK)
        return capture;
    pm_capture_free(capture);
    return NULL;
}

const pm_capture_summary *pm_capture_told(const pm_capture *capture)
{
    return &capture->summary;
}

void pm_capture_free(pm_capture *capture)
{
    if (!capture)
        return;
    pm_memory_free(&capture->memory);
    free(capture);
}
