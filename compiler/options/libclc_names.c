/* Reads the names of functions from libclc's bitcode file. See libclc_names.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A bitcode file is a magic number followed by blocks. The first 32-bit word of a block begins with
 * the bits 01 and the block's number in eight bits; the second word is the block's length in words.
 * Block 23 has the names of all symbols without separators (LLVM Bitcode File Format). The symbol
 * of an overloadable function is _Z, the length of its name, the name, and the types of its
 * parameters (Itanium C++ ABI).
 */
#include "compiler/options/libclc_names.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strings.h"
#include "compiler/options/prelude_words.h"

enum {
    MAGIC = 0xdec04342,
    ENTER_BLOCK = 1,
    STRINGS_BLOCK = 23,
    MOST_WORDS = 1 << 24, /* largest size of the string table block in 32-bit words */
    /* fewest names that a complete libclc has; OpenCL C requires more functions, so a file with
     * fewer names is damaged */
    LEAST_NAMES = 200,
    LONGEST_NAME = 200
};

/* Returns the contents of the bitcode's string table block, with a 0 byte before them. The caller
 * frees the result. Returns NULL if the file has no such block. */
static char *read_strings(FILE *file, size_t *size)
{
    /* the file's numbers are little-endian, like those of all machines on which perfmodel runs */
    uint32_t magic, head[2];
    char *strings;

    if (fread(&magic, sizeof magic, 1, file) != 1 || magic != MAGIC)
        return NULL;
    for (;;) {
        if (fread(head, sizeof head, 1, file) != 1 || (head[0] & 3) != ENTER_BLOCK)
            return NULL;
        if ((head[0] >> 2 & 0xff) == STRINGS_BLOCK)
            break;
        if (fseek(file, (long)head[1] * 4, SEEK_CUR) != 0)
            return NULL;
    }
    *size = (size_t)head[1] * 4;
    strings = head[1] < MOST_WORDS ? malloc(*size + 1) : NULL;
    if (strings && fread(strings, 1, *size, file) != *size) {
        free(strings);
        return NULL;
    }
    if (strings)
        strings[*size] = '\0';
    return strings;
}

static int compare(const void *left, const void *right)
{
    const pm_libclc_name *a = left, *b = right;
    const int order = memcmp(a->text, b->text, a->length < b->length ? a->length : b->length);

    return order != 0 ? order : (a->length > b->length) - (a->length < b->length);
}

/* Returns the function's name in a mangled name that starts with _Z. The result's length is 0 if
 * the mangled name is malformed. */
static pm_libclc_name name_at(const char *at, const char *end)
{
    size_t length = 0;

    for (at += 2; at < end && isdigit((unsigned char)*at) && length < LONGEST_NAME; at++)
        length = 10 * length + (size_t)(*at - '0');
    if (length > LONGEST_NAME || length > (size_t)(end - at))
        length = 0;
    return (pm_libclc_name){at, length};
}

/* Collects the functions' names in `names`. If names is NULL, only counts them. An overload that
 * directly follows another overload of the same function is skipped. */
static size_t take_names(const char *strings, const char *end, pm_libclc_name *names)
{
    pm_libclc_name last = {strings, 0};
    size_t count = 0;

    for (const char *at = strings; (at = memchr(at, '_', (size_t)(end - at))); at++) {
        const pm_libclc_name name = at[1] == 'Z' ? name_at(at, end) : (pm_libclc_name){at, 0};

        if (name.length == 0 || compare(&name, &last) == 0)
            continue;
        if (names)
            names[count] = name;
        count++;
        last = name;
    }
    return count;
}

/* Reads the names of the file, if it has at least `least` names. Closes the file. */
static void read_names(FILE *file, size_t least, pm_libclc_names *names)
{
    size_t size = 0;

    *names = (pm_libclc_names){.strings = file ? read_strings(file, &size) : NULL};
    if (file)
        fclose(file);
    if (!names->strings)
        return;
    names->count = take_names(names->strings, names->strings + size, NULL);
    if (names->count >= least)
        names->names = malloc((names->count + 1) * sizeof *names->names);
    if (!names->names) {
        pm_libclc_names_free(names);
        return;
    }
    take_names(names->strings, names->strings + size, names->names);
    qsort(names->names, names->count, sizeof *names->names, compare);
}

void pm_libclc_names_read(const char *path, pm_libclc_names *names)
{
    read_names(fopen(path, "rb"), LEAST_NAMES, names);
}

void pm_libclc_names_read_memory(const void *bitcode, size_t bytes, pm_libclc_names *names)
{
    read_names(fmemopen((void *)(uintptr_t)bitcode, bytes, "rb"), 0, names);
}

void pm_libclc_names_free(pm_libclc_names *names)
{
    free(names->strings);
    free(names->names);
    *names = (pm_libclc_names){.strings = NULL};
}

bool pm_libclc_names_include(const pm_libclc_names *names, const pm_libclc_name *name)
{
    return names->count > 0 &&
           bsearch(name, names->names, names->count, sizeof *name, compare) != NULL;
}

/* Tracks string and character literals. quote: quotation mark of the literal that contains the
 * character c; 0: none. Returns the quotation mark of the literal that contains the character after
 * c. */
static char quote_after(char quote, char c)
{
    if (c == '\n' || c == quote)
        return 0;
    return quote == 0 && (c == '"' || c == '\'') ? c : quote;
}

/* Returns the position after the character at `at`. A backslash and the character that it escapes
 * count as one. */
static const char *after_character(const char *at)
{
    return at + (at[0] == '\\' && at[1] ? 2 : 1);
}

bool pm_libclc_names_has(const pm_libclc_names *names, const char *text)
{
    char quote = 0;

    if (names->count == 0)
        return true;
    while (*text) {
        const char *after = quote ? text : pm_after_comment(text);
        pm_libclc_name word = {after, 0};

        if (after > text) {
            text = after;
            continue;
        }
        while (pm_is_word(*after))
            after++;
        word.length = (size_t)(after - text);
        if (word.length > 0 && pm_libclc_names_include(names, &word) &&
            !pm_prelude_defines(word.text, word.length))
            return true;
        if (word.length == 0) {
            quote = quote_after(quote, *text);
            after = after_character(text);
        }
        text = after;
    }
    return false;
}
