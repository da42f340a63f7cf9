/* Finds the files that clang could include with a source. See included.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "compiler/included.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/digest.h"
#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/strings.h"
#include "program/includes.h"

enum { MOST_FILE = 4 << 20, MOST_BYTES = 16 << 20, MOST_FILES = 512, MOST_NAMES = 4096 };

typedef struct {
    const char *path, *text;
} file;

typedef struct {
    const pm_included *of;
    pm_wire *key;
    pm_memory memory;
    /* folder_count: number of members of `folders`. own_count: number of them that come from
     * clang's arguments; these are the first ones. */
    size_t folder_count, own_count;
    const char **folders;
    size_t file_count, next, bytes;
    file *files;
    size_t name_count; /* number of names in #include lines so far, which is limited */
    /* true: clang also searches the folders with its own headers, which are the last ones in
     * `folders` */
    bool standard;
} search;

static _Noreturn void refuse(const search *s)
{
    pm_leave(&s->memory, PM_BAD_INPUT, "not known");
}

/* ---- folders -------------------------------------------------------------------------------- */

static void add_folder(search *s, const char *folder)
{
    for (size_t i = 0; i < s->folder_count; i++)
        if (strcmp(s->folders[i], folder) == 0)
            return;
    *pm_add(&s->memory, s->folders, s->folder_count) = folder;
}

/* Lists the folders in which clang searches headers. The current folder is one of them, because
 * clang searches it for names in quotes if the source comes from standard input. */
static void find_folders(search *s)
{
    const pm_arguments *arguments = s->of->arguments;

    for (size_t i = 0; i < arguments->count; i++) {
        const char *item = arguments->items[i];

        if (strncmp(item, "-I", 2) == 0 && item[2])
            add_folder(s, item + 2);
        else if (strcmp(item, "-isystem") == 0 && i + 1 < arguments->count)
            add_folder(s, arguments->items[i + 1]);
        else if (strcmp(item, "-I") == 0 || strncmp(item, "-iquote", 7) == 0)
            refuse(s);
        s->standard &= strcmp(item, "-nostdinc") != 0;
    }
    add_folder(s, ".");
    s->own_count = s->folder_count;
    if (!s->standard)
        return;
    add_folder(s, "/usr/local/include");
    add_folder(s, pm_format(&s->memory, "%s/include", s->of->headers));
    add_folder(s, "/usr/include");
}

/* ---- files ---------------------------------------------------------------------------------- */

/* Returns the text of a file, allocated in s->memory. Returns NULL if the file does not exist. */
static const char *read_file(search *s, const char *path)
{
    struct stat info;
    char *text, *kept;

    if (stat(path, &info) != 0 || S_ISDIR(info.st_mode))
        return NULL;
    if (pm_file_read(path, MOST_FILE, "a header", &text, NULL) != PM_OK)
        refuse(s);
    s->bytes += strlen(text);
    kept = pm_try_take(&s->memory, strlen(text) + 1, 1);
    if (kept)
        strcpy(kept, text);
    free(text);
    if (!kept || s->bytes > MOST_BYTES)
        refuse(s);
    return kept;
}

/* Writes path and digest of a file into the key, unless the file was written before. Returns false
 * if the file does not exist. */
static bool add_file(search *s, const char *path)
{
    char *name = (char *)(uintptr_t)path;
    const char *text;
    pm_digest digest;

    for (size_t i = 0; i < s->file_count; i++)
        if (s->files[i].path && strcmp(s->files[i].path, path) == 0)
            return s->files[i].text != NULL;
    if (s->file_count == MOST_FILES)
        refuse(s);
    text = read_file(s, path);
    if (!text)
        return false;
    digest = pm_digest_of(text, strlen(text));
    pm_wire_name(s->key, &name);
    PM_WIRE_NUMBER(s->key, digest);
    *pm_add(&s->memory, s->files, s->file_count) = (file){path, text};
    return true;
}

/* Adds to the search all files to which a name in an #include line may refer: in the folder of the
 * including file `by`, and in all folders that clang searches. If `by` is NULL, clang itself
 * includes the header. If an OpenCL source names a file that only clang's own folders have, the
 * source is not cached, because these folders differ between versions of clang. */
static void add_name(search *s, const char *by, const char *name, bool quoted)
{
    const char *slash = by ? strrchr(by, '/') : NULL;
    bool found = false;

    if (++s->name_count > MOST_NAMES)
        refuse(s);
    if (*name == '/') {
        add_file(s, name);
        return;
    }
    if (slash)
        found =
            add_file(s, pm_format(&s->memory, "%.*s%s", (int)(slash - by) + 1, by, name)) && quoted;
    for (size_t i = 0; i < s->folder_count; i++)
        if (add_file(s, pm_format(&s->memory, "%s/%s", s->folders[i], name)))
            found |= i < s->own_count;
    if (s->standard && !found && by)
        refuse(s);
}

/* ---- includes of a text --------------------------------------------------------------------- */

/* Returns whether the word before `name` is #ifdef, #ifndef or defined, so that this occurrence
 * only tests whether `name` is defined. */
static bool is_asked_whether_defined(const char *text, const char *name)
{
    static const char *const words[] = {"ifdef", "ifndef", "defined"};
    const char *end = name;

    while (end > text && strchr(" \t(", end[-1]))
        end--;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const size_t length = strlen(words[i]);

        if ((size_t)(end - text) >= length && strncmp(end - length, words[i], length) == 0)
            return true;
    }
    return false;
}

/* Adds the headers whose existence the text tests by __has_include(<name>),
 * __has_include_next(<name>) or __has_embed(<name>). */
static void add_asked(search *s, const char *by, const char *text)
{
    for (const char *at = text; (at = strstr(at, "__has_")) != NULL;) {
        const char *end;
        bool is_asked_for;

        at += strlen("__has_");
        if (strncmp(at, "include", 7) != 0 && strncmp(at, "embed", 5) != 0)
            continue;
        is_asked_for = is_asked_whether_defined(text, at - strlen("__has_"));
        at += strspn(at, "abcdefghijklmnopqrstuvwxyz_ \t");
        if (*at != '(' && is_asked_for)
            continue;
        /* if no '(' follows, the text defines another name for __has_include, so the tested headers
         * are unknown */
        if (*at != '(')
            refuse(s);
        at++;
        at += strspn(at, " \t");
        end = *at == '<' || *at == '"' ? strpbrk(at + 1, *at == '<' ? ">\n" : "\"\n") : NULL;
        if (!end || *end == '\n')
            refuse(s);
        add_name(s, by, pm_format(&s->memory, "%.*s", (int)(end - at) - 1, at + 1), *at == '"');
    }
}

/* Returns true if the operator ## may join words of the text to __TIME__, __has_embed or a similar
 * name. The text must then have a word with which the name begins, and, anywhere, the rest of the
 * name. */
static bool may_paste(const char *text)
{
    static const char *const names[] = {"__DATE__", "__TIME__", "__TIMESTAMP__",
                                        "__has_include_next", "__has_embed"};

    if (!strstr(text, "##"))
        return false;
    for (const char *at = text; *at; at++) {
        size_t length = 0;

        if (*at != '_' || (at > text && pm_is_word(at[-1])))
            continue;
        while (pm_is_word(at[length]))
            length++;
        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
            if (length < strlen(names[i]) && length != strlen("__has_include") &&
                strncmp(at, names[i], length) == 0 && strstr(text, names[i] + length))
                return true;
    }
    return false;
}

static bool tells_time(const char *text)
{
    return strstr(text, "__DATE__") || strstr(text, "__TIME") || may_paste(text);
}

static void add_included(search *s, const char *by, const char *text)
{
    char *joined = pm_copy(&s->memory, text);
    const char *at = joined;
    pm_include include;

    if (pm_includes_trigraph(text) || tells_time(text))
        refuse(s);
    pm_includes_join(joined);
    while (pm_includes_next(joined, &at, &include)) {
        if (!include.name)
            refuse(s);
        add_name(s, by, pm_format(&s->memory, "%.*s", (int)include.length, include.name),
                 include.quoted);
    }
    add_asked(s, by, joined);
}

static void write_all(void *user)
{
    search *s = user;
    const pm_arguments *arguments = s->of->arguments;

    find_folders(s);
    if (s->standard) /* add the header that clang includes in every OpenCL source */
        add_name(s, NULL, "opencl-c-base.h", false);
    for (size_t i = 0; i < arguments->count; i++) {
        if (tells_time(arguments->items[i]) || strncmp(arguments->items[i], "-imacros", 8) == 0)
            refuse(s);
        if (strcmp(arguments->items[i], "-include") == 0 && i + 1 < arguments->count)
            add_file(s, arguments->items[i + 1]);
    }
    add_included(s, s->of->path, s->of->source);
    for (; s->next < s->file_count; s->next++)
        add_included(s, s->files[s->next].path, s->files[s->next].text);
}

bool pm_included_write(const pm_included *of, pm_wire *key)
{
    search s = {.of = of, .key = key, .standard = true};
    bool known = pm_attempt(&s.memory, write_all, &s, NULL) == PM_OK;

    pm_memory_free(&s.memory);
    return known;
}
