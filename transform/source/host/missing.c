/* Declares names that host code uses but that no header declares, because headers are missing. See
 * missing.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "transform/source/host/missing.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/strings.h"

enum { MOST_LENGTH = 100, MOST_NAMES = 400, MOST_ERRORS = 2000 };

typedef enum {
    MISSING_NOTHING,
    MISSING_TYPE,
    MISSING_FUNCTION,
    MISSING_TEMPLATE, /* a function that is called with template arguments in <> */
    /* an object: the code uses its members or elements, or writes to it as to a stream */
    MISSING_OBJECT,
    MISSING_NUMBER /* any other variable or constant; it is declared as a number */
} missing;

/* Copies the name in quotes that follows the text `begin` in one of clang's messages. Returns false
 * if the message does not start with `begin`. */
static bool quoted_name(const char *message, const char *begin, char name[MOST_LENGTH])
{
    const size_t length = strlen(begin);
    const char *at = message + length;
    size_t size = 0;

    if (strncmp(message, begin, length) != 0)
        return false;
    while (pm_is_word(at[size]))
        size++;
    if (size == 0 || at[size] != '\'' || size >= MOST_LENGTH)
        return false;
    snprintf(name, MOST_LENGTH, "%.*s", (int)size, at);
    return true;
}

/* Returns the kind of a variable that no header declares. It is a number unless an operator for
 * objects follows, because missing constants and macros are mostly sizes from which grids and
 * allocations are computed. */
static missing variable_before(const char *at, const char *end)
{
    static const char *const of_objects[] = {".", "->", "[", "<<", ">>", NULL};

    for (size_t i = 0; of_objects[i]; i++)
        if ((size_t)(end - at) > strlen(of_objects[i]) &&
            strncmp(at, of_objects[i], strlen(of_objects[i])) == 0 && strncmp(at, ">>>", 3) != 0)
            return MISSING_OBJECT;
    return MISSING_NUMBER;
}

/* Returns whether the text from `at` on, up to the end of a statement, has the form <...>(, so that
 * it is the template arguments of a call. */
static bool are_template_arguments(const char *at, const char *end)
{
    int depth = 0;

    for (; at < end && !strchr(";{}", *at); at++) {
        depth += (*at == '<') - (*at == '>');
        if (depth == 0)
            return at + 1 < end && at[1] == '(';
    }
    return false;
}

/* Returns the kind of a name that no header declares, judged by the text after the name. */
static missing kind_behind(CXTranslationUnit unit, CXSourceLocation location, size_t length)
{
    CXFile file = NULL;
    unsigned offset = 0;
    size_t size = 0;
    const char *text, *at, *end;

    clang_getSpellingLocation(location, &file, NULL, NULL, &offset);
    text = file ? clang_getFileContents(unit, file, &size) : NULL;
    if (!text || offset + length >= size)
        return MISSING_NOTHING;
    end = text + size;
    at = text + offset + length;
    while (at < end && isspace((unsigned char)*at))
        at++;
    if (at < end && *at == '<' && are_template_arguments(at, end))
        return MISSING_TEMPLATE;
    if (at >= end || *at == ':' || (*at == '<' && at + 1 < end && at[1] != '<'))
        return at + 1 < end && at[0] == ':' && at[1] != ':' ? MISSING_NUMBER : MISSING_NOTHING;
    if (*at == '(')
        return MISSING_FUNCTION;
    if (isalpha((unsigned char)*at) || *at == '_')
        return MISSING_TYPE;
    if (*at != '*')
        return variable_before(at, end);
    for (at++; at < end && (*at == '*' || isspace((unsigned char)*at)); at++)
        continue;
    while (at < end && pm_is_word(*at))
        at++;
    while (at < end && isspace((unsigned char)*at))
        at++;
    return at < end && strchr("=;,)", *at) ? MISSING_TYPE : MISSING_NUMBER;
}

static missing read_error(CXTranslationUnit unit, CXDiagnostic diagnostic, char name[MOST_LENGTH])
{
    CXString spelling = clang_getDiagnosticSpelling(diagnostic);
    const char *message = clang_getCString(spelling);
    missing found = MISSING_NOTHING;

    if (quoted_name(message, "unknown type name '", name))
        found = MISSING_TYPE;
    else if (quoted_name(message, "use of undeclared identifier '", name))
        found = kind_behind(unit, clang_getDiagnosticLocation(diagnostic), strlen(name));
    clang_disposeString(spelling);
    return found;
}

/* Returns whether a function belongs to a library for C, judged by the prefix of its name. A C
 * function gets its arguments by value, so it cannot change variables that are passed to it. */
static bool is_of_c_library(const char *name)
{
    static const char *const prefixes[] = {"cu", "hip", "roc", "nccl", "nv", "MPI_", NULL};

    for (size_t i = 0; prefixes[i]; i++)
        if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0)
            return true;
    return false;
}

static void add_declaration(pm_text *declarations, missing kind, const char *name)
{
    char line[2 * MOST_LENGTH + 128];

    switch (kind) {
    case MISSING_TYPE:
        snprintf(line, sizeof line, "typedef pm_any %s;\n", name);
        break;
    case MISSING_FUNCTION:
        snprintf(line, sizeof line, "template <class... T> PM_BOTH pm_any %s(T%s...);\n", name,
                 is_of_c_library(name) ? "" : " &&");
        break;
    case MISSING_TEMPLATE:
        snprintf(line, sizeof line,
                 "template <class...> PM_BOTH pm_any %s(...);\n"
                 "template <int...> PM_BOTH pm_any %s(...);\n",
                 name, name);
        break;
    case MISSING_OBJECT:
        snprintf(line, sizeof line, "extern pm_any %s;\n", name);
        break;
    default:
        snprintf(line, sizeof line, "extern int %s;\n", name);
    }
    /* if a name was used as number and as object, its first use decides */
    if (kind == MISSING_NUMBER || kind == MISSING_OBJECT) {
        char other[MOST_LENGTH + 64];

        snprintf(other, sizeof other, " %s;\n", name);
        if (strstr(pm_text_get(declarations), other))
            return;
    }
    if (!strstr(pm_text_get(declarations), line))
        pm_text_add(declarations, "%s", line);
}

static bool add_kind(CXTranslationUnit unit, bool types, pm_text *declarations)
{
    const size_t before = declarations->length;
    const unsigned count = clang_getNumDiagnostics(unit);

    for (unsigned i = 0; i < count; i++) {
        CXDiagnostic diagnostic = clang_getDiagnostic(unit, i);
        char name[MOST_LENGTH];
        missing kind = read_error(unit, diagnostic, name);

        clang_disposeDiagnostic(diagnostic);
        if (kind != MISSING_NOTHING && (kind == MISSING_TYPE) == types &&
            declarations->length < (size_t)MOST_NAMES * MOST_LENGTH)
            add_declaration(declarations, kind, name);
    }
    return declarations->length > before;
}

bool pm_host_declare_missing(CXTranslationUnit unit, pm_text *declarations)
{
    /* if there are more errors than MOST_ERRORS, declarations help little, and parsing again would
     * take long */
    if (clang_getNumDiagnostics(unit) > MOST_ERRORS)
        return false;
    return add_kind(unit, true, declarations) || add_kind(unit, false, declarations);
}
