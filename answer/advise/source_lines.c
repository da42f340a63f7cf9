/* Counts the lines and kernels that differ between the source of the unmodified program and the
 * source of a version. See parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "answer/advise/parts.h"

#include <ctype.h>
#include <string.h>

#include "base/strings.h"

/* ---- without comments ------------------------------------------------------------------------ */

/* Returns the end of the string or character constant that starts at text. */
static const char *behind_quote(const char *text)
{
    const char quote = *text++;

    while (*text && *text != quote && *text != '\n')
        text += *text == '\\' && text[1] ? 2 : 1;
    return *text == quote ? text + 1 : text;
}

/* Copies text and replaces each run of white space and comments by one newline or space. */
static char *plain_copy(pm_memory *memory, const char *text)
{
    char *copy = pm_take(memory, strlen(text) + 1, 1), *to = copy;

    while (*text) {
        const char *from = text, *end = pm_after_comment(text);

        if (end > text || isspace((unsigned char)*text)) {
            char space = ' ';

            end = end > text ? end : text + 1;
            if (memchr(text, '\n', (size_t)(end - text)))
                space = '\n';
            if (to == copy || !isspace((unsigned char)to[-1]))
                *to++ = space;
            else if (space == '\n')
                to[-1] = '\n';
            text = end;
            continue;
        }
        text = *text == '"' || *text == '\'' ? behind_quote(text) : text + 1;
        memcpy(to, from, (size_t)(text - from));
        to += text - from;
    }
    return copy;
}

/* ---- lines ----------------------------------------------------------------------------------- */

typedef struct {
    size_t count;
    char **lines; /* white space removed */
} code;

static void remove_spaces(char *text)
{
    char *to = text;

    for (; *text; text++)
        if (*text == '\n' || !isspace((unsigned char)*text))
            *to++ = *text;
    *to = '\0';
}

static code read_code(pm_memory *memory, const char *text)
{
    char *plain = plain_copy(memory, text), *rest;
    code c = {0};

    remove_spaces(plain);
    for (char *line = strtok_r(plain, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
        *pm_add(memory, c.lines, c.count) = line;
    return c;
}

size_t pm_source_lines(pm_memory *memory, const char *text)
{
    return read_code(memory, text).count;
}

/* ---- the difference -------------------------------------------------------------------------- */

/* Two texts that are compared, without the equal lines at their start and at their end: n lines
 * `a` of the unmodified program's source, and m lines `b` of the version's source. */
typedef struct {
    char *const *a, *const *b;
    long n, m;
} stretch;

static stretch trim(const code *base, const code *version)
{
    stretch s = {base->lines, version->lines, (long)base->count, (long)version->count};

    while (s.n > 0 && s.m > 0 && strcmp(s.a[0], s.b[0]) == 0) {
        s.a++;
        s.b++;
        s.n--;
        s.m--;
    }
    while (s.n > 0 && s.m > 0 && strcmp(s.a[s.n - 1], s.b[s.m - 1]) == 0) {
        s.n--;
        s.m--;
    }
    return s;
}

/* Largest number of edits (added and removed lines) that Myers' algorithm tries. */
enum { MOST_EDITS = 8192 };

/* Performs one round of Myers' algorithm: finds how far both texts can be compared with d edits. A
 * point (x, y) means that the first x lines of s->a and the first y lines of s->b are compared.
 * reach[k]: largest x of a point with x - y = k that was reached. Returns true if the ends of both
 * texts are reached. */
static bool extend(const stretch *s, long d, long *reach)
{
    for (long k = -d; k <= d; k += 2) {
        bool down = k == -d || (k != d && reach[k - 1] < reach[k + 1]);
        long x = down ? reach[k + 1] : reach[k - 1] + 1, y = x - k;

        while (x < s->n && y < s->m && x >= 0 && y >= 0 && strcmp(s->a[x], s->b[y]) == 0) {
            x++;
            y++;
        }
        reach[k] = x;
        if (x >= s->n && y >= s->m)
            return true;
    }
    return false;
}

/* Returns the number of lines of s->b that are not in the longest common subsequence of s->a and
 * s->b; s->m, all lines of s->b, if more than MOST_EDITS edits are needed. */
static size_t count_added(pm_memory *memory, const stretch *s)
{
    const long most = s->n + s->m < MOST_EDITS ? s->n + s->m : MOST_EDITS;
    long *reach = pm_take(memory, (size_t)(2 * most + 3), sizeof *reach), edits = 0;

    while (edits <= most && !extend(s, edits, reach + most + 1))
        edits++;
    /* edits = (n - common) + (m - common), where `common` is the length of the longest common
     * subsequence; the result is m - common */
    return (size_t)(edits <= most ? (edits + s->m - s->n) / 2 : s->m);
}

size_t pm_source_lines_changed(pm_memory *memory, const char *base, const char *version)
{
    const code a = read_code(memory, base), b = read_code(memory, version);
    const stretch s = trim(&a, &b);

    return count_added(memory, &s);
}

/* ---- kernels --------------------------------------------------------------------------------- */

/* A kernel in a text without comments, from `kernel` or `__global__` to its closing brace. */
typedef struct {
    const char *text, *end;
} kernel;

static size_t word_length(const char *text)
{
    size_t length = 0;

    while (pm_is_word(text[length]))
        length++;
    return length;
}

static bool is_kernel_word(const char *text, size_t length)
{
    return (length == 8 && strncmp(text, "__kernel", length) == 0) ||
           (length == 10 && strncmp(text, "__global__", length) == 0) ||
           (length == 6 && strncmp(text, "kernel", length) == 0);
}

/* Returns the position after the bracket that closes the bracket at text. */
static const char *behind_brackets(const char *text)
{
    size_t depth = 0;

    while (*text) {
        if (*text == '"' || *text == '\'') {
            text = behind_quote(text);
            continue;
        }
        depth += *text == '(' || *text == '{';
        depth -= *text == ')' || *text == '}';
        text++;
        if (depth == 0)
            break;
    }
    return text;
}

/* Parses a kernel after its keyword. False: a declaration without a body. */
static bool read_kernel(const char *text, kernel *k)
{
    text += strcspn(text, "{;}");
    if (*text != '{')
        return false;
    k->end = behind_brackets(text);
    return true;
}

/* Finds the next kernel at or after text. To find the kernel after it, the caller continues at
 * k->end. */
static bool next_kernel(const char *text, kernel *k)
{
    while (*text) {
        size_t length = word_length(text);

        *k = (kernel){.text = text};
        if (is_kernel_word(text, length) && read_kernel(text + length, k))
            return true;
        if (*text == '"' || *text == '\'')
            text = behind_quote(text);
        else
            text += length > 0 ? length : 1;
    }
    return false;
}

/* Returns whether two kernels, with their names, are equal except for white space. */
static bool is_same_text(const kernel *a, const kernel *b)
{
    const char *x = a->text, *y = b->text;

    for (;;) {
        while (x < a->end && isspace((unsigned char)*x))
            x++;
        while (y < b->end && isspace((unsigned char)*y))
            y++;
        if (x == a->end || y == b->end)
            return x == a->end && y == b->end;
        if (*x++ != *y++)
            return false;
    }
}

static bool has_kernel(const char *text, const kernel *wanted)
{
    kernel k;

    while (next_kernel(text, &k)) {
        if (is_same_text(&k, wanted))
            return true;
        text = k.end;
    }
    return false;
}

size_t pm_source_kernels_changed(pm_memory *memory, const char *base, const char *version)
{
    const char *old = plain_copy(memory, base), *at = plain_copy(memory, version);
    size_t count = 0;

    for (kernel k; next_kernel(at, &k); at = k.end)
        count += !has_kernel(old, &k);
    return count;
}
