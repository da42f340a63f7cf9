/* Sets the build options of a workload from its file. See from_file.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Every compiler gets the same include folders, wherever it runs: each -I as an absolute path, and
 * last the source's folder, in which headers in quotes are searched.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/text.h"
#include "compiler/language.h"
#include "program/build_words.h"
#include "program/file/from_file.h"

enum { MOST_OPTIONS = 16384 };

/* Adds -I with a folder to build options, in quotes if it has blanks. Raises an error if the path
 * has both double quotes and blanks, because compilers parse nested quotes differently. */
static void add_folder(const pm_file_build *b, pm_text *text, const char *folder, unsigned line)
{
    const char *quote = strpbrk(folder, " \t\r\n'") ? "\"" : strchr(folder, '"') ? "'" : "";

    if (strchr(folder, '"') && *quote == '"')
        pm_file_fault(b, line, "-I %.200s: the path has quotes and blanks, which no compiler takes",
                      folder);
    pm_text_add(text, "%s-I%s%s%s", text->length > 0 ? " " : "", quote, folder, quote);
}

static void add_headers(const pm_file_build *b, pm_text *text, const char *folder, unsigned line)
{
    char place[4096], absolute[PATH_MAX];
    struct stat info;

    pm_file_path(b, folder, line, place, sizeof place);
    if (!realpath(place, absolute) || stat(absolute, &info) != 0 || !S_ISDIR(info.st_mode))
        pm_file_fault(b, line, "build option -I %.200s: there is no folder %.300s", folder, place);
    add_folder(b, text, absolute, line);
}

static void add_words(const pm_file_build *b, pm_text *text, const pm_file_text *options)
{
    char *given = pm_take(b->memory, MOST_OPTIONS, 1), *word = pm_take(b->memory, MOST_OPTIONS, 1);
    const char *rest = given;
    const bool is_cuda = pm_is_cuda_launched(b->workload->source_path);
    pm_build_word found;

    pm_file_substitute(b, options, given, MOST_OPTIONS);
    while (pm_build_word_next(&rest, word, &found)) {
        if (found.kind == PM_WORD_TORN)
            pm_file_fault(b, options->line, "build option %.40s: nothing follows it", word);
        if (found.kind == PM_WORD_FOLDER) {
            add_headers(b, text, word + 2, options->line);
            continue;
        }
        /* Unknown options are refused in a capture, because a driver might interpret one as an
         * option with a file name. */
        if (b->from->root && !is_cuda &&
            (found.kind == PM_WORD_UNKNOWN || found.kind == PM_WORD_FILE))
            pm_file_fault(b, options->line,
                          "build option %.100s: OpenCL has no such option, and a capture may have "
                          "no other: leave it out",
                          word);
        pm_text_add(text, "%s", text->length > 0 ? " " : "");
        pm_text_put(text, found.start, found.length);
    }
}

/* Adds -I with the source's folder to the build options, for headers in quotes. Compilers that get
 * only the text of the source do not know its folder. */
static void add_own_folder(const pm_file_build *b, pm_text *text, unsigned line)
{
    const char *path = b->workload->source_path, *slash = strrchr(path, '/');
    char absolute[PATH_MAX];
    char *folder =
        pm_format(b->memory, "%.*s", slash ? (int)(slash - path) + 1 : 1, slash ? path : ".");

    if (realpath(folder, absolute))
        add_folder(b, text, absolute, line);
}

void pm_file_add_options(const pm_file_build *b, const pm_file_text *options)
{
    const bool includes = strstr(b->workload->source, "#include") != NULL;
    pm_text text = {.memory = b->memory};

    if (!options->text && !includes)
        return;
    if (options->text)
        add_words(b, &text, options);
    else
        pm_text_add(&text, "%s", b->workload->build_options);
    if (includes)
        add_own_folder(b, &text, options->line);
    pm_workload_options(b->workload, "%s", pm_text_get(&text));
}
