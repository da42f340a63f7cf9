/* Converts the captured launches of a program to the launches and buffers of a replay, from which a
 * workload file is written. See fill.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "capture/fill.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/session/session.h"
#include "base/text.h"
#include "capture/records.h"
#include "collector/worker/source.h"
#include "program/headers.h"

enum { KERNEL_LIST = 400 };

typedef struct {
    pm_session *session;
    pm_memory *memory;
    const pm_capture_folder *folder;
} filling;

typedef struct {
    pm_source *source;
    pm_error err;
} opened;

static opened open_source(const filling *f, const pm_replay *replay)
{
    opened o = {0};
    pm_error why = {0};
    char *text = pm_folder_text(f->folder, replay->process, replay->program->text,
                                replay->program->contents);
    const char *name = pm_format(f->memory, "%s.cl", pm_folder_next(f->folder));
    const pm_headers headers = {.text = text,
                                .path = pm_format(f->memory, "%s/%s", f->folder->path, name),
                                .options =
                                    pm_folder_options(f->folder, replay->process, replay->program,
                                                      pm_format(f->memory, "%s/", f->folder->path)),
                                .root = f->folder->path};

    /* Check the headers first: the capture may come from another person, and its sources may
     * include files outside of its folder. */
    if (pm_headers_check(&headers, &why) == PM_OK)
        o.source = pm_source_open(text, name, headers.options, pm_session_worker(f->session), NULL,
                                  &o.err);
    else
        pm_fail(&o.err, why.status, "%s %s", name, why.text);
    free(text);
    return o;
}

/* Refuses all captured launches of a program whose source could not be parsed, because the types of
 * the kernels' arguments are then unknown. */
static void refuse_all(pm_memory *memory, pm_replay *replay, const char *why)
{
    pm_replay_refused *refused = pm_add(memory, replay->refused, replay->refused_count);

    refused->why = why;
    for (size_t l = 0; l < replay->process->launch_count; l++) {
        const pm_captured_launch *launch = &replay->process->launches[l];

        if (!launch->dropped && launch->kernel->program == replay->program) {
            refused->launches++;
            refused->ns += launch->ns;
        }
    }
}

typedef struct {
    const pm_capture_folder *folder;
    const pm_captured_process *process;
} contents_reader;

static uint8_t *read_contents(void *user, const char *contents, size_t bytes)
{
    const contents_reader *r = user;

    return pm_folder_bytes(r->folder, r->process, contents, bytes);
}

/* Converts the captured launches of a program whose source is PTX to the launches of a replay. */
static void fill_from_ptx(const filling *f, pm_replay *replay, const pm_replay_reader *reader)
{
    const char *name = pm_format(f->memory, "%s.ptx", pm_folder_next(f->folder));
    pm_source_info info;
    pm_error why = {0};
    pm_source *source = pm_source_open(replay->program->text, name, NULL,
                                       pm_session_worker(f->session), NULL, &why);

    if (source) {
        pm_replay_describe_ptx(f->memory, replay, pm_source_describe(source), &info);
        pm_replay_fill(f->memory, replay, &info, reader);
    } else {
        refuse_all(f->memory, replay,
                   pm_format(f->memory, "PTX that perfmodel cannot read (%.200s)", why.text));
    }
    pm_source_close(source);
}

/* Converts the captured launches of a program to the launches and buffers of a replay. The kernels'
 * parameters come from the parsed source or PTX. If the source is CUDA or cannot be parsed, they
 * come from the driver's description. */
void pm_captured_fill(pm_session *session, const pm_capture_folder *folder, pm_replay *replay)
{
    const filling all = {session, folder->memory, folder}, *f = &all;
    contents_reader own = {f->folder, replay->process};
    const pm_replay_reader reader = {.read = read_contents, .user = &own};
    pm_source_info info;
    opened o;

    if (replay->program->is_ptx) {
        fill_from_ptx(f, replay, &reader);
        return;
    }
    if (replay->program->cuda) {
        if (pm_replay_describe(f->memory, replay, &info))
            pm_replay_fill(f->memory, replay, &info, &reader);
        return;
    }
    o = open_source(f, replay);
    if (o.source) {
        pm_replay_fill(f->memory, replay, pm_source_describe(o.source), &reader);
    } else if (pm_replay_describe(f->memory, replay, &info)) {
        pm_notice(pm_session_log(f->session),
                  "%s; its kernels are taken as the driver tells of them", o.err.text);
        pm_replay_fill(f->memory, replay, &info, &reader);
    } else {
        refuse_all(f->memory, replay,
                   pm_format(f->memory, "sources that perfmodel cannot read (%.200s)", o.err.text));
    }
    pm_source_close(o.source);
}

/* ---- kernels without source ------------------------------------------------------------------ */

/* Returns the names of the kernels of a program of which launches were captured, separated by
 * commas, as many as fit into a message. */
static const char *kernels_of(pm_memory *memory, const pm_replay *replay)
{
    char *list = pm_take(memory, KERNEL_LIST, 1);

    for (size_t k = 0; k < replay->process->kernel_count; k++) {
        const pm_captured_kernel *kernel = replay->process->kernels[k];
        bool any = false;

        for (size_t l = 0; l < replay->process->launch_count && !any; l++)
            any = !replay->process->launches[l].dropped &&
                  replay->process->launches[l].kernel == kernel;
        if (any && kernel->program == replay->program)
            pm_list_add(list, KERNEL_LIST, "%.60s", kernel->name);
    }
    return list;
}

/* Returns the reason why launches of kernels without source and PTX cannot be captured. */
static const char *without_source(pm_memory *memory, const pm_replay *replay)
{
    const pm_captured_process *process = replay->process;
    const char *xx = process->arch ? pm_format(memory, "%u", process->arch) : "XX";

    if (process->module_count == 0)
        return "kernels of CUDA without source (--source names the folder of the .cu files)";
    return pm_format(memory,
                     "kernels of CUDA without source and PTX (%s): build them with `nvcc -gencode "
                     "arch=compute_%s,code=compute_%s`, or name the folder of their source by "
                     "--source; what the program loaded is in modules/",
                     kernels_of(memory, replay), xx, xx);
}

void pm_captured_refuse(pm_memory *memory, pm_replay *replay)
{
    refuse_all(memory, replay, without_source(memory, replay));
}
