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
    /* largest size of a section's kind, a section's name, or a key, in bytes with the NUL */
    PM_SECTION_NAME = 48,
    /* PM_SECTIONS_MOST: largest number of sections in a file, and of settings in a section.
     * PM_SECTIONS_BYTES: largest size of a file. */
    PM_SECTIONS_MOST = 10000,
    PM_SECTIONS_BYTES = 1 << 20, /* most bytes of a file */
    /* Largest size of a setting's value with its continuation lines, bytes. */
    PM_SETTING_LENGTH = 16 * 1024,
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

/* Reads an INI file into sections. Errors are PM_BAD_INPUT with path and line. If it fails, nothing
 * needs to be freed. */
pm_status pm_sections_read(const char *path, pm_sections *sections, pm_error *err);
/* Parses an INI text, which this function overwrites, into sections. path is the name of the file
 * in messages. If path ends in /, the text is not from a file, and messages name this folder
 * without a line. */
pm_status pm_sections_parse(char *text, const char *path, pm_sections *sections, pm_error *err);
void pm_sections_free(pm_sections *sections); /* frees the contents, but not the struct itself */
/* Returns the setting of a section with this key. NULL: the section has no such key. */
const pm_setting *pm_section_find(const pm_section *section, const char *key);

/* Writes the location of a line of an INI file to `place`, for messages: "path:line". If the text
 * is not from a file, writes only the folder. */
void pm_sections_place(const pm_sections *sections, unsigned line, char *place, size_t size);
/* Reports an error in an INI file: fills err with the location of the line and the formatted
 * message. Returns PM_BAD_INPUT. */
pm_status pm_sections_fault(const pm_sections *sections, unsigned line, pm_error *err,
                            const char *format, ...) __attribute__((format(printf, 4, 5)));

#endif
