/* Translates the words that generators of random programs write to OpenCL C or CUDA. See
 * language.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "language.h"

#include <ctype.h>
#include <string.h>

#include "gen.h"

static const rd_language_row rows[] = {
    [RD_OPENCL] = {"opencl", "random.cl", "cl", "-x cl -cl-no-stdinc", "host.cl", "-w"},
    [RD_CUDA] = {"cuda", "random.cu", "cu", "-x c++ -std=c++17", "host.cuh", ""}};

const rd_language_row *rd_language_of(rd_language language)
{
    return &rows[language];
}

/* ---- words of CUDA -------------------------------------------------------------------------- */

enum { SPELLINGS = 4, ARGUMENTS = 4 };

/* A word with this number of arguments in parentheses is replaced by one of the spellings. @1 is
 * the first argument, and @x the dimension that it names. More than one: any number of
 * arguments. */
typedef struct {
    const char *word;
    unsigned arguments;
    const char *spellings[SPELLINGS];
} cuda_word;

#define ATOMIC(name, function)                                                                     \
    {                                                                                              \
        "atomic_" name, 2,                                                                         \
        {                                                                                          \
            function "(@1, @2)"                                                                    \
        }                                                                                          \
    }

static const cuda_word cuda_words[] = {
    {"__kernel", 0, {"__global__", "extern \"C\" __global__"}},
    {"kernel", 0, {"__global__"}},
    {"__function", 0, {"__device__"}},
    {"__global", 0, {""}},
    {"__constant", 0, {"const"}},
    {"__local", 0, {"__shared__"}},
    {"restrict", 0, {"__restrict__"}},
    {"uchar", 0, {"unsigned char"}},
    {"ushort", 0, {"unsigned short"}},
    {"uint", 0, {"unsigned int", "unsigned"}},
    {"ulong", 0, {"unsigned long"}},
    {"reqd_work_group_size", 3, {"launch_bounds(@1 * @2 * @3)"}},
    {"get_global_id",
     1,
     {"(blockIdx.@x * blockDim.@x + threadIdx.@x)", "(threadIdx.@x + blockIdx.@x * blockDim.@x)",
      "(int)(blockDim.@x * blockIdx.@x + threadIdx.@x)",
      "((int)blockIdx.@x * (int)blockDim.@x + (int)threadIdx.@x)"}},
    {"get_local_id", 1, {"(int)threadIdx.@x", "int(threadIdx.@x)", "threadIdx.@x"}},
    {"get_group_id", 1, {"(int)blockIdx.@x", "static_cast<int>(blockIdx.@x)", "blockIdx.@x"}},
    {"get_local_size", 1, {"(int)blockDim.@x", "blockDim.@x"}},
    {"get_global_size", 1, {"(gridDim.@x * blockDim.@x)"}},
    {"barrier", 1, {"__syncthreads()"}},
    {"clamp", 3, {"min(max(@1, @2), @3)", "max(min(@1, @3), @2)"}},
    {"as_uint", 1, {"__float_as_uint(@1)"}},
    {"atomic_inc", 1, {"atomicAdd(@1, 1)"}},
    ATOMIC("add", "atomicAdd"),
    ATOMIC("sub", "atomicSub"),
    ATOMIC("xor", "atomicXor"),
    ATOMIC("or", "atomicOr"),
    ATOMIC("and", "atomicAnd"),
    ATOMIC("min", "atomicMin"),
    ATOMIC("max", "atomicMax")};

typedef struct {
    const char *at;
    size_t length;
} piece;

typedef struct {
    uint64_t random;
    pm_text *to;
} writing;

static void write_cuda(writing *w, const char *text, size_t length);

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static const cuda_word *find_word(const char *text, size_t length)
{
    for (size_t i = 0; i < sizeof cuda_words / sizeof *cuda_words; i++)
        if (strlen(cuda_words[i].word) == length && strncmp(cuda_words[i].word, text, length) == 0)
            return &cuda_words[i];
    return NULL;
}

/* Returns the position after a comment, if one begins here. */
static const char *skip_comment(const char *text)
{
    const char *end = strncmp(text, "/*", 2) == 0   ? strstr(text, "*/")
                      : strncmp(text, "//", 2) == 0 ? strchr(text, '\n')
                                                    : NULL;

    return end ? end + (text[1] == '*' ? 2 : 0) : text;
}

/* Reads the arguments in the parentheses at `text`. Returns the text after them; NULL: their number
 * differs. */
static const char *take_arguments(const char *text, unsigned count, piece *arguments)
{
    unsigned depth = 1, found = 0;
    const char *start = text + 1;

    if (*text != '(')
        return NULL;
    for (text++; *text; text++) {
        text = skip_comment(text);
        depth += *text == '(' || *text == '[';
        depth -= *text == ')' || *text == ']';
        if (depth > 0 && !(depth == 1 && *text == ','))
            continue;
        if (found == count)
            return NULL;
        arguments[found++] = (piece){start, (size_t)(text - start)};
        start = text + 1;
        if (depth == 0)
            return found == count ? text + 1 : NULL;
    }
    return NULL;
}

static void write_spelling(writing *w, const char *spelling, const piece *arguments)
{
    for (; *spelling; spelling++)
        if (*spelling != '@')
            pm_text_put(w->to, spelling, 1);
        else if (*++spelling == 'x')
            pm_text_put(w->to, &"xyz"[arguments[0].at[0] - '0'], 1);
        else
            write_cuda(w, arguments[*spelling - '1'].at, arguments[*spelling - '1'].length);
}

static const char *choose_spelling(writing *w, const cuda_word *word)
{
    unsigned count = 0;

    while (count < SPELLINGS && word->spellings[count])
        count++;
    w->random = rd_hash(w->random + 0x9e3779b97f4a7c15u);
    return word->spellings[w->random % count];
}

static void write_cuda(writing *w, const char *text, size_t length)
{
    const char *end = text + length;

    while (text < end) {
        const cuda_word *word;
        const char *next = text;
        piece arguments[ARGUMENTS];

        while (next < end && is_word(*next))
            next++;
        word = find_word(text, (size_t)(next - text));
        if (next == text)
            next++;
        else if (word && word->arguments > 0) {
            const char *behind = take_arguments(next, word->arguments, arguments);

            next = behind ? behind : next;
            word = behind ? word : NULL;
        }
        if (word)
            write_spelling(w, choose_spelling(w, word), arguments);
        else
            pm_text_put(w->to, text, (size_t)(next - text));
        text = next;
    }
}

/* ---- all words ------------------------------------------------------------------------------ */

/* OpenCL C has all words except one. */
static void write_opencl(const char *text, pm_text *to)
{
    static const char own[] = "__function ";
    const char *at;

    for (; (at = strstr(text, own)); text = at + sizeof own - 1)
        pm_text_put(to, text, (size_t)(at - text));
    pm_text_put(to, text, strlen(text));
}

void rd_language_write(const char *source, rd_language language, uint64_t seed, pm_text *to)
{
    writing w = {.random = seed, .to = to};

    if (language == RD_CUDA)
        write_cuda(&w, source, strlen(source));
    else
        write_opencl(source, to);
}
