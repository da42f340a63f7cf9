/* Writes a workload file (description of kernel launches that can be run again) and its source into
 * the folder of a capture. See folder.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdlib.h>
#include <string.h>

#include "base/ini.h"
#include "base/text.h"
#include "capture/folder.h"

const char *pm_folder_next(const pm_capture_folder *folder)
{
    if (folder->written == 0)
        return "capture";
    return pm_format(folder->memory, "capture_%zu", folder->written + 1);
}

const char *pm_folder_ending(const pm_captured_program *program)
{
    return program->is_ptx ? ".ptx" : program->cuda ? ".cu" : ".cl";
}

typedef struct {
    pm_capture_folder *folder;
    const pm_captured_process *process;
} contents;

static const char *place(void *user, const char *name, size_t bytes, const uint8_t *use,
                         pm_page_use least)
{
    const contents *c = user;

    return pm_folder_contents(c->folder, c->process,
                              &(pm_folder_part){name, bytes, use, use ? least : PM_PAGE_UNUSED});
}

/* Callback pm_replay_words.place for a draft of the workload file. Returns the path of the recorded
 * file itself, without a copy. */
static const char *place_record(void *user, const char *name, size_t bytes, const uint8_t *use,
                                pm_page_use least)
{
    const contents *c = user;
    const char *path;

    if (*name == '=')
        return place(user, name, bytes, use, least);
    path = pm_folder_recorded(c->folder, c->process, name);
    return path + strlen(c->folder->path) + 1;
}

static const char *keep(void *user, const char *name, const char *text)
{
    const contents *c = user;
    const char *path = pm_format(c->folder->memory, "contents/%s_%zu", name, c->folder->written);

    pm_folder_below(c->folder, "contents");
    pm_folder_write(c->folder, path, text);
    return path;
}

static const char *head_of(const pm_capture_folder *folder, const char *device)
{
    pm_text text = {.memory = folder->memory};

    pm_text_add(&text, "# Captured by perfmodel " PM_VERSION);
    if (folder->command)
        pm_text_add(&text, " from: %s", folder->command);
    pm_text_add(
        &text,
        "\n# Times are of that run, on %s. Results are held against its own%s;\n"
        "# floats of other devices may need an expected.tolerance, of all here or of a buffer.\n",
        device ? device : "an unknown device", folder->tolerance > 0 ? "" : " bit for bit");
    return pm_text_get(&text);
}

/* WHOLE: the workload file has the contents before and after the launches, as compressed copies.
 * DRAFT: it has only those before the launches, and names the recorded files. DRAFT_OF_SOURCE: all
 * contents are zeros. */
typedef enum { WHOLE, DRAFT, DRAFT_OF_SOURCE } workload_kind;

static void write_workload(pm_capture_folder *folder, const pm_replay *replay, const char *name,
                           workload_kind kind)
{
    const char *file = pm_folder_next(folder);
    contents c = {folder, replay->process};
    const pm_replay_words words = {
        .head = head_of(folder, replay->process->device),
        .name = name,
        .source = pm_format(folder->memory, "%s%s", file, pm_folder_ending(replay->program)),
        .options = pm_folder_options(folder, replay->process, replay->program, ""),
        .tolerance = folder->tolerance,
        .has_contents = kind != DRAFT_OF_SOURCE,
        .has_expected = kind == WHOLE,
        .place = kind == WHOLE ? place : place_record,
        .keep = keep,
        .user = &c};
    char *source =
        pm_folder_text(folder, replay->process, replay->program->text, replay->program->contents);
    const char *kept = pm_copy(folder->memory, source);
    const pm_text *text;

    free(source);
    text = pm_replay_write(folder->memory, replay, &words);
    if (text->length >= PM_SECTIONS_BYTES)
        pm_leave(folder->memory, PM_BAD_INPUT,
                 "%s: too many launches for a workload file; choose fewer, by --kernel, --first or "
                 "--launches",
                 folder->path);
    pm_folder_write(folder, words.source, kept);
    pm_folder_write(folder, pm_format(folder->memory, "%s.workload", file), pm_text_get(text));
}

void pm_folder_draft(pm_capture_folder *folder, const pm_replay *replay, const char *name,
                     bool has_contents)
{
    write_workload(folder, replay, name, has_contents ? DRAFT : DRAFT_OF_SOURCE);
}

void pm_folder_workload(pm_capture_folder *folder, const pm_replay *replay, const char *name)
{
    write_workload(folder, replay, name, WHOLE);
    folder->written++;
}
