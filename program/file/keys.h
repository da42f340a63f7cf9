/* Reads the keys (KEY = VALUE) of a workload file's sections.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_PROGRAM_FILE_KEYS_H
#define PM_PROGRAM_FILE_KEYS_H

#include "base/error.h"
#include "program/file/workload_file.h"

/* A key that a section of a workload file may have, and the member that gets its value. */
typedef struct {
    const char *key;
    pm_file_text *place;
} pm_file_slot;

/* Raises an error about a line of the workload file, which ends the reading of the file. */
#define pm_file_read_fault(f, line, ...)                                                           \
    (pm_workload_file_fault(f, line, (f)->memory.err, __VA_ARGS__),                                \
     pm_give_up(&(f)->memory, PM_BAD_INPUT))

pm_file_text pm_file_text_of(const pm_setting *setting);
/* Stores the value of a line KEY = VALUE in the member that belongs to the key. slots: the `count`
 * keys that the section may have. Returns false if KEY is none of them. */
bool pm_file_set_key(const pm_file_slot *slots, size_t count, const char *key,
                     const pm_setting *setting);
/* Raises an error about an unknown key in a section. right: the keys that the section may have, for
 * the message. */
void pm_file_unknown_key(const pm_workload_file *f, const pm_section *section,
                         const pm_setting *setting, const char *right);
/* Returns whether the value of a key is "yes". A key that the file does not have counts as "no".
 * Raises an error if the value is neither "yes" nor "no". */
bool pm_file_yes(const pm_workload_file *f, const pm_file_text *text);
/* Raises an error if a section lacks a key, whose text is then NULL. The message tells the user to
 * add the line `how`, such as "source = FILE.cl". */
void pm_file_demand(const pm_workload_file *f, const pm_section *section, const pm_file_text *text,
                    const char *key, const char *how);

/* The keys that a section [launch NAME] may have. */
enum { PM_LAUNCH_SLOTS = 9 };
#define PM_LAUNCH_KEYS "kernel, global, local, grid, block, shared, offset, arguments, repeat"

void pm_file_launch_slots(pm_file_launch_texts *texts, pm_file_slot slots[PM_LAUNCH_SLOTS]);

/* Reads a section [texture NAME] of a workload file. Defined in texture_section.c. */
void pm_file_read_texture(pm_workload_file *f, const pm_section *section);

/* Functions that read a section [variant NAME], [reference], [contents] or [layout NAME]. Launches
 * must have been read before the first three. Defined in versions.c. */
void pm_file_read_variant(pm_workload_file *f, const pm_section *section);
void pm_file_read_reference(pm_workload_file *f, const pm_section *section);
void pm_file_read_contents(pm_workload_file *f, const pm_section *section);
void pm_file_read_layout(pm_workload_file *f, const pm_section *section);

#endif
