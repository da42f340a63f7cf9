/* An INI text as sections of settings, each with its line.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 *   # comment                      or ; and also behind a value, after a blank
 *   [kind name]
 *   key = value
 *         which goes on in an indented line
 */
#ifndef PM_BASE_INI_H
#define PM_BASE_INI_H

#include "perfmodel.h"

enum {
    PM_SECTION_NAME = 48,          /* bytes of a kind, a name or a key */
    PM_SECTIONS_MOST = 10000,      /* of sections, and of settings in one */
    PM_SECTIONS_BYTES = 1 << 20,   /* of a file */
    PM_SETTING_LENGTH = 16 * 1024, /* of a value with the lines that it goes on in */
};

typedef struct {
    char *key, *value; /* the value is not empty */
    unsigned line;     /* of the key */
} pm_setting;

typedef struct {
    char kind[PM_SECTION_NAME], name[PM_SECTION_NAME]; /* name may be empty */
    unsigned line;
    size_t count;
    pm_setting *settings; /* no key twice */
} pm_section;

typedef struct {
    char *path; /* for messages */
    size_t count;
    pm_section *items; /* in the order of the file; no kind and name twice */
    unsigned lines;
} pm_sections;

/* Reads a file; faults are PM_BAD_INPUT with path and line. On failure nothing is to be freed. */
pm_status pm_sections_read(const char *path, pm_sections *sections, pm_error *err);
/* The same of a text, which is written into; path is for messages. One that ends in / is the folder
 * of a text that is no file: messages do not name its lines. */
pm_status pm_sections_parse(char *text, const char *path, pm_sections *sections, pm_error *err);
void pm_sections_free(pm_sections *sections); /* what it owns, not itself */
/* NULL: the section has no such key. */
const pm_setting *pm_section_find(const pm_section *section, const char *key);

/* path:line; of a text that is no file its folder. */
void pm_sections_place(const pm_sections *sections, unsigned line, char *place, size_t size);
/* That place, and what is wrong there, as PM_BAD_INPUT. */
pm_status pm_sections_fault(const pm_sections *sections, unsigned line, pm_error *err,
                            const char *format, ...) __attribute__((format(printf, 4, 5)));

#endif
