/* Removes declarations that clang rejects from a CUDA source. See cuda_cut.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "compiler/cuda_source/cuda_cut.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/cuda_source/code_text.h"

/* ---- the source location of a message ---------------------------------------------------------
 */

/* Source location at the start of a clang message: "PATH:LINE:COLUMN: ..." */
typedef struct {
    const char *path;
    size_t path_length;
    unsigned line, column;
} place;

static bool read_place(const char *message, place *p)
{
    for (const char *at = strchr(message, ':'); at; at = strchr(at + 1, ':')) {
        int length = 0;

        if (sscanf(at, ":%u:%u: %n", &p->line, &p->column, &length) == 2 && length > 0) {
            p->path = message;
            p->path_length = (size_t)(at - message);
            return p->line > 0 && p->column > 0;
        }
    }
    return false;
}

/* Reads a directive #line NUMBER "PATH", which gives the path and line number of the next line.
 * Returns false if the line has another form. */
static bool read_origin(const char *at, const char *end, unsigned *line, pm_code_word *path)
{
    static const char directive[] = "#line ";
    char *behind;
    unsigned long number;

    if (strncmp(at, directive, strlen(directive)) != 0)
        return false;
    number = strtoul(at + strlen(directive), &behind, 10);
    if (behind[0] != ' ' || behind[1] != '"')
        return false;
    *line = (unsigned)number;
    path->begin = behind + 2;
    path->length = strcspn(path->begin, "\"\n");
    return path->begin + path->length < end;
}

/* Returns the character in `text` at the line and column of `p`. `text` is a source with #line
 * directives, of which each gives the path and number of the next line. path: path of the lines
 * before the first directive. Returns NULL if the text does not contain the location. */
static char *find_place(char *text, const char *path, const place *p)
{
    pm_code_word here = {path, strlen(path)};
    unsigned line = 1;

    for (char *at = text; *at;) {
        char *const end = at + strcspn(at, "\n");

        if (read_origin(at, end, &line, &here)) {
            line--;
        } else if (line == p->line && here.length == p->path_length &&
                   memcmp(here.begin, p->path, here.length) == 0 &&
                   p->column <= (size_t)(end - at)) {
            return at + p->column - 1;
        }
        line++;
        at = end + (*end == '\n');
    }
    return NULL;
}

/* ---- declarations ---------------------------------------------------------------------------- */

typedef struct {
    /* start of the declaration in the text; NULL before its first token */
    char *begin;
    char *body, *end; /* body: the { of a function's body; NULL: the declaration has none */
    /* first and last word of the declaration; last.length is 0 if the last token is not a word */
    pm_code_word first, last;
    char last_character; /* last character of the last token */
    long round;          /* number of open ( and [ at the token that is read */
    /* is_scope: true if the declaration is a namespace or extern "C"; keeps: true if it is a
     * requested kernel, which must not be removed */
    bool is_scope, keeps;
    bool is_kernel; /* true: it is a kernel, or a template of kernels */
} declaration;

/* Returns whether `name` is one of the requested kernels. Their names are compared without
 * namespace and template arguments. */
static bool is_kernel(const pm_cuda_request *request, pm_code_word name)
{
    for (size_t i = 0; i < request->kernel_count; i++) {
        const char *kernel = request->kernels[i], *angle = strchr(kernel, '<');
        size_t length = angle ? (size_t)(angle - kernel) : strlen(kernel);

        for (size_t k = length; k > 0; k--)
            if (kernel[k - 1] == ':') {
                kernel += k;
                length -= k;
                break;
            }
        if (length == name.length && memcmp(kernel, name.begin, length) == 0)
            return true;
    }
    return false;
}

static bool ends_function_head(const declaration *d)
{
    static const char *const behind[] = {"const", "noexcept", "override", "final", NULL};

    return d->last_character == ')' || pm_word_is_one_of(d->last, behind);
}

/* Reads a token of the declaration and moves *at past it. Returns true if the token ends the
 * declaration. */
static bool read_token(const pm_cuda_request *request, const char *text, declaration *d, char **at)
{
    const char c = **at;
    char *const token = *at;
    pm_code_word w = pm_word_at(token);

    d->begin = d->begin ? d->begin : token;
    if (c == '{' && d->round <= 0) {
        *at = d->is_scope ? token + 1 : pm_end_of_braces(text, token);
        d->body = d->is_scope || !ends_function_head(d) ? NULL : token;
        d->last_character = '}';
        return d->is_scope || d->body;
    }
    *at = pm_end_of_token(token);
    if (d->round <= 0 && (c == ';' || c == '}')) {
        d->is_scope = false; /* `using namespace X;` and a namespace alias open no scope */
        return true;
    }
    d->first = d->first.length ? d->first : w;
    d->is_kernel = d->is_kernel || pm_word_is(w, "__global__");
    d->is_scope =
        d->is_scope || pm_word_is(w, "namespace") || (c == '"' && pm_word_is(d->last, "extern"));
    d->is_scope = d->is_scope && c != '(';
    if (c == '(' && d->round <= 0)
        d->keeps = d->keeps || is_kernel(request, d->last);
    d->keeps = d->keeps || (w.length > 10 && strncmp(w.begin, "pm_kernel_", 10) == 0);
    d->round += (c == '(' || c == '[') - (c == ')' || c == ']');
    d->last = w;
    d->last_character = (*at)[-1];
    return false;
}

/* Finds the declaration that contains the position `at` of the text. Returns false if there is
 * none. */
static bool find_declaration(const pm_cuda_request *request, char *text, const char *at,
                             declaration *d)
{
    *d = (declaration){NULL};
    for (char *now = text; pm_find_token(text, &now);) {
        if (!read_token(request, text, d, &now))
            continue;
        d->end = now;
        if (d->end > at)
            return d->begin <= at && !d->is_scope;
        *d = (declaration){NULL};
    }
    return false;
}

/* Replaces the declaration that clang's error `message` is about by blanks, or only its body if the
 * error is in the body of a function. The body becomes ';', and the body of a kernel "{}" if
 * `empties_kernels`. Returns false if nothing was removed: the declaration is a requested kernel,
 * or is not known. */
static bool cut(const pm_cuda_request *request, char *text, const char *message,
                bool empties_kernels)
{
    place p;
    char *at;
    declaration d;

    if (!read_place(message, &p) || strstr(message, "file not found"))
        return false;
    at = find_place(text, request->path, &p);
    if (!at || !find_declaration(request, text, at, &d) || d.keeps)
        return false;
    if (d.body && at > d.body) {
        pm_code_blank(text, d.body, d.end);
        if (empties_kernels && d.is_kernel && d.end - d.body > 1)
            memcpy(d.body, "{}", 2);
        else
            *d.body = ';';
        return true;
    }
    if (d.body || pm_word_is(d.first, "template"))
        return false;
    pm_code_blank(text, d.begin, d.end);
    return true;
}

bool pm_cuda_cut(const pm_cuda_request *request, char *text, const char *message)
{
    return cut(request, text, message, false);
}

bool pm_cuda_cut_in_place(const char *path, pm_cuda_in_place *source, const char *message,
                          bool empties_kernels)
{
    pm_cuda_request request = {.path = path};

    if (cut(&request, source->text, message, empties_kernels))
        return true;
    for (size_t h = 0; h < source->header_count; h++) {
        request.path = source->headers[h].name;
        if (cut(&request, source->headers[h].text, message, empties_kernels))
            return true;
    }
    return false;
}
