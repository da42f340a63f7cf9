/* Demangles the names of CUDA kernels, and splits them into name, template arguments and parameter
 * types. See cuda_names.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "capture/cuda_names.h"

#include <ctype.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "capture/replay/replay.h"

/* Longest mangled name that is read; names of templates of templates have thousands of letters. */
enum { LONGEST = 1 << 16 };

static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$.";
static const char unnamed[] = "(anonymous namespace)::";

/* ---- brackets -------------------------------------------------------------------------------- */

static int depth_of(char c)
{
    return strchr("(<[{", c) ? 1 : strchr(")>]}", c) ? -1 : 0;
}

const char **pm_cuda_split(pm_memory *memory, const char *text, size_t length, size_t *count)
{
    const char **parts = NULL;
    size_t begin = 0;
    int depth = 0;

    *count = 0;
    for (size_t i = 0; i <= length; i++) {
        if (i < length && text[i])
            depth += depth_of(text[i]);
        if (i < length && (text[i] != ',' || depth != 0))
            continue;
        while (begin < i && isspace((unsigned char)text[begin]))
            begin++;
        *pm_add(memory, parts, *count) = pm_format(memory, "%.*s", (int)(i - begin), text + begin);
        begin = i + 1;
    }
    return parts;
}

/* Returns the opening bracket of the last pair of round brackets. NULL if the text does not end in
 * ')'. */
static const char *parameters_of(const char *text)
{
    const char *at = text + strlen(text);
    int depth = 0;

    if (at == text || at[-1] != ')')
        return NULL;
    while (at > text) {
        at--;
        depth += *at == ')' ? 1 : *at == '(' ? -1 : 0;
        if (depth == 0)
            return at;
    }
    return NULL;
}

/* ---- names ----------------------------------------------------------------------------------- */

/* Returns the name without its result type. The demangled name of a template instance starts with a
 * result type. */
static const char *without_result(const char *head)
{
    const char *name = head;
    int depth = 0;

    for (const char *at = head; *at; at++) {
        depth += depth_of(*at);
        if (*at == ' ' && depth == 0)
            name = at + 1;
    }
    return name;
}

static const char *without_unnamed(pm_memory *memory, const char *name)
{
    char *copy = pm_copy(memory, name);

    for (char *at; (at = strstr(copy, unnamed)) != NULL;)
        memmove(at, at + strlen(unnamed), strlen(at + strlen(unnamed)) + 1);
    return copy;
}

static const char *plain_of(pm_memory *memory, const char *name)
{
    const char *begin = name;
    size_t length = 0;

    for (const char *at = name; *at && *at != '<'; at++)
        if (at[0] == ':' && at[1] == ':')
            begin = at + 2;
    while (isalnum((unsigned char)begin[length]) || begin[length] == '_')
        length++;
    return pm_format(memory, "%.*s", (int)length, begin);
}

static void read_demangled(pm_memory *memory, const char *text, pm_cuda_name *found)
{
    const char *open = parameters_of(text);
    const size_t head = open ? (size_t)(open - text) : strlen(text);

    found->name = without_result(pm_format(memory, "%.*s", (int)head, text));
    found->name = without_unnamed(memory, found->name);
    found->plain = plain_of(memory, found->name);
    if (!open)
        return;
    found->has_types = true;
    if (open[1] != ')')
        found->types = pm_cuda_split(memory, open + 1, strlen(open) - 2, &found->type_count);
}

/* Demangles a name with __cxa_demangle of libstdc++, which is installed with C++ and CUDA
 * compilers. NULL if the name cannot be demangled or the library is missing. */
static char *demangle(const char *symbol)
{
    void *library = dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_NODELETE);
    void *found = library ? dlsym(library, "__cxa_demangle") : NULL;
    char *(*call)(const char *mangled, char *room, size_t *size, int *status);
    char *text = NULL;
    int status = 0;

    memcpy(&call, &found, sizeof found);
    if (found)
        text = call(symbol, NULL, NULL, &status);
    if (library)
        dlclose(library);
    return text;
}

pm_cuda_name pm_cuda_name_of(pm_memory *memory, const char *symbol)
{
    pm_cuda_name found = {.name = symbol, .plain = symbol};
    char *text = NULL;

    /* a name with other characters does not come from a compiler */
    if (strspn(symbol, letters) != strlen(symbol))
        found.name = found.plain = "";
    else if (strncmp(symbol, "_Z", 2) == 0 && strlen(symbol) <= LONGEST)
        text = demangle(symbol);
    if (text) {
        const char *kept = pm_copy(memory, text);

        read_demangled(memory, kept, &found);
    }
    free(text);
    return found;
}

/* ---- types ----------------------------------------------------------------------------------- */

static bool is_word(const char *word, size_t length, const char *const *list)
{
    for (; *list; list++)
        if (strlen(*list) == length && memcmp(*list, word, length) == 0)
            return true;
    return false;
}

/* Returns the name of a type without brackets, asterisks and qualifiers, and with single blanks
 * between its words, such as "unsigned int". Qualifiers do not affect the layout. */
static const char *words_of(pm_memory *memory, const char *type)
{
    static const char *const silent[] = {"const",    "volatile", "__restrict__", "__restrict",
                                         "restrict", "struct",   "__const__",    NULL};
    pm_text text = {.memory = memory};

    pm_text_add(&text, "%s", "");
    for (const char *at = type; *at;) {
        size_t length = 0;

        while (isalnum((unsigned char)at[length]) || strchr("_:", at[length] ? at[length] : ' '))
            length++;
        if (length > 0 && !is_word(at, length, silent))
            pm_text_add(&text, "%s%.*s", text.length ? " " : "", (int)length, at);
        at += length ? length : 1;
    }
    return pm_text_get(&text);
}

const char *pm_cuda_element(pm_memory *memory, const char *type)
{
    static const struct {
        const char *cuda, *ours;
    } names[] = {{"unsigned char", "uchar"},
                 {"signed char", "char"},
                 {"bool", "uchar"},
                 {"uint8_t", "uchar"},
                 {"int8_t", "char"},
                 {"unsigned short", "ushort"},
                 {"unsigned short int", "ushort"},
                 {"uint16_t", "ushort"},
                 {"int16_t", "short"},
                 {"__half", "ushort"},
                 {"half", "ushort"},
                 {"__nv_bfloat16", "ushort"},
                 {"unsigned int", "uint"},
                 {"unsigned", "uint"},
                 {"uint32_t", "uint"},
                 {"int32_t", "int"},
                 {"unsigned long", "ulong"},
                 {"unsigned long long", "ulong"},
                 {"unsigned long long int", "ulong"},
                 {"uint64_t", "ulong"},
                 {"size_t", "ulong"},
                 {"long long", "long"},
                 {"long long int", "long"},
                 {"long int", "long"},
                 {"int64_t", "long"},
                 {"float3", "float"},
                 {"double3", "double"},
                 {"int3", "int"},
                 {"uint3", "uint"},
                 {"short3", "short"},
                 {"ushort3", "ushort"},
                 {"char3", "char"},
                 {"uchar3", "uchar"},
                 {"longlong2", "long2"},
                 {"ulonglong2", "ulong2"}};
    const char *words = words_of(memory, type);

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i].cuda, words) == 0)
            return names[i].ours;
    return pm_replay_type_bytes(words) ? words : "";
}
