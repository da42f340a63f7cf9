/* Reads INI text into sections of settings, with their line numbers.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 *   # comment                      or ; comment; also after a value and a blank
 *   [kind name]
 *   key = value
 *         continued in an indented line
 */
#ifndef PM_BASE_INI_H
#define PM_BASE_INI_H

#include "perfmodel.h"

enum {
    /* largest size of a section's kind or name, or of a key, in bytes with the NUL */
    PM_SECTION_NAME = 48,
    /* largest number of sections in a file, and of settings in a section */
    PM_SECTIONS_MOST = 10000,
    PM_SECTIONS_BYTES = 1 << 20,   /* most bytes of a file */
    PM_SETTING_LENGTH = 16 * 1024, /* longest value in bytes, with its continuation lines */
};

typedef struct {
    char *key, *value; /* the value is never empty */
    unsigned line;     /* line of the key, from 1 */
} pm_setting;

typedef struct {
    char kind[PM_SECTION_NAME], name[PM_SECTION_NAME]; /* name may be "" */
    unsigned line;
    size_t count;
    pm_setting *settings; /* keys are unique */
} pm_section;

typedef struct {
    char *path; /* name of the file in messages */
    size_t count;
    pm_section *items; /* sections in the order of the file; no two have the same kind and name */
    unsigned lines;
} pm_sections;

/* Reads a file. Errors are PM_BAD_INPUT with path and line. On failure nothing needs to be freed.
 */
pm_status pm_sections_read(const char *path, pm_sections *sections, pm_error *err);
/* Parses a text and overwrites it. path is only for messages. If it ends in /, the text is not from
 * a file, and messages name the folder without a line. */
pm_status pm_sections_parse(char *text, const char *path, pm_sections *sections, pm_error *err);
void pm_sections_free(pm_sections *sections); /* frees the contents, not sections itself */
/* Returns the setting with this key. NULL: the section has no such key. */
const pm_setting *pm_section_find(const pm_section *section, const char *key);

/* Writes the location of a line to place: "path:line", or the folder if the text is not from a
 * file. */
void pm_sections_place(const pm_sections *sections, unsigned line, char *place, size_t size);
/* Fills err with the location of a line and the formatted message. Returns PM_BAD_INPUT. */
pm_status pm_sections_fault(const pm_sections *sections, unsigned line, pm_error *err,
                            const char *format, ...) __attribute__((format(printf, 4, 5)));

#endif
