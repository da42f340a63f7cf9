/* Fixture of the tests of dataset files: each test has a folder of its own, and a log that stores
 * its last line.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TESTS_DATASET_FIXTURE_H
#define PM_TESTS_DATASET_FIXTURE_H

#include <limits.h>
#include <locale.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#include "owned.h"

typedef struct {
    char folder[PATH_MAX - 64];
    char file[PATH_MAX];
    pm_log log;
    char notice[1024];
    size_t notices;
} fixture;

static inline void keep_notice(void *user, const char *line)
{
    fixture *f = user;
    snprintf(f->notice, sizeof f->notice, "%s", line);
    f->notices++;
}

static inline int fixture_open(void **state)
{
    fixture *f = room(1, sizeof *f);
    snprintf(f->folder, sizeof f->folder, "%s", scratch_folder());
    snprintf(f->file, sizeof f->file, "%s/a.csv", f->folder);
    f->log = (pm_log){keep_notice, f};
    *state = f;
    return 0;
}

static inline void write_file(const char *path, const void *bytes, size_t size)
{
    FILE *out = need(fopen(path, "wb"));
    assert_int_equal(fwrite(bytes, 1, size, out), size);
    assert_int_equal(fclose(out), 0);
}

/* Returns the bytes of a file, valid until the test ends. *size becomes their number. */
static inline char *file_bytes(const char *path, size_t *size)
{
    FILE *in = need(fopen(path, "rb"));
    assert_int_equal(fseek(in, 0, SEEK_END), 0);
    long end = ftell(in);
    assert_true(end >= 0);
    rewind(in);
    char *bytes = room((size_t)end + 1, 1);
    assert_int_equal(fread(bytes, 1, (size_t)end, in), end);
    fclose(in);
    *size = (size_t)end;
    return bytes;
}

static inline void assert_bytes(const char *path, const char *expected)
{
    size_t size;
    assert_string_equal(file_bytes(path, &size), expected);
    assert_int_equal(size, strlen(expected));
}

/* Returns the path of a file in the test's folder, valid until the eighth later call. */
static inline const char *in_folder(const fixture *f, const char *name)
{
    static char paths[8][PATH_MAX];
    static size_t calls;
    char *path = paths[calls++ % 8];
    if (snprintf(path, PATH_MAX, "%s/%s", f->folder, name) >= PATH_MAX)
        fail_msg("the path of %s is too long", name);
    return path;
}

/* Sets a locale with a decimal comma, if this system has one. */
static inline bool set_comma_locale(void)
{
    static const char *const names[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "es_ES.UTF-8"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (setlocale(LC_ALL, names[i]) && *localeconv()->decimal_point == ',')
            return true;
    setlocale(LC_ALL, "C");
    print_message("no locale with a decimal comma is installed here\n");
    return false;
}

#define FOLDER_TEST(name) TEST_OF(fixture, name, fixture_open, NULL)

#endif
