/* Converts the bytes of captured kernel arguments to the text of values in a workload file. See
 * replay.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"
#include "base/text.h"
#include "capture/replay/replay.h"

typedef struct {
    const char *name;
    size_t bytes;
    bool is_real, is_signed;
} scalar;

typedef struct {
    const scalar *of;
    size_t width;
} vector;

static const scalar scalars[] = {
    {"char", 1, false, true},    {"uchar", 1, false, false}, {"short", 2, false, true},
    {"ushort", 2, false, false}, {"int", 4, false, true},    {"uint", 4, false, false},
    {"long", 8, false, true},    {"ulong", 8, false, false}, {"float", 4, true, true},
    {"double", 8, true, true},
};

static bool find_type(const char *type, vector *found)
{
    static const char *const widths[] = {"", "2", "3", "4", "8", "16"};
    static const size_t counts[] = {1, 2, 3, 4, 8, 16};

    for (size_t s = 0; s < sizeof scalars / sizeof *scalars; s++) {
        const size_t length = strlen(scalars[s].name);

        for (size_t w = 0; strncmp(type, scalars[s].name, length) == 0 && w < 6; w++)
            if (strcmp(type + length, widths[w]) == 0) {
                *found = (vector){&scalars[s], counts[w]};
                return true;
            }
    }
    return false;
}

size_t pm_replay_type_bytes(const char *type)
{
    vector found;

    return find_type(type, &found) ? (found.width == 3 ? 4 : found.width) * found.of->bytes : 0;
}

static int64_t integer_of(const scalar *type, const unsigned char *value)
{
    uint64_t bits = 0;
    const unsigned unused = (unsigned)(64 - 8 * type->bytes);

    /* the lowest byte comes first, because perfmodel runs only on little-endian machines */
    memcpy(&bits, value, type->bytes);
    if (!type->is_signed || unused == 0)
        return (int64_t)bits;
    return (int64_t)(bits << unused) >> unused;
}

bool pm_replay_integer(const char *type, const unsigned char *value, int64_t *integer)
{
    vector found;

    if (!find_type(type, &found) || found.of->is_real || found.width != 1)
        return false;
    *integer = integer_of(found.of, value);
    return true;
}

static double real_of(const scalar *type, const unsigned char *value)
{
    double real = 0;
    float single = 0;

    if (type->bytes == sizeof real) {
        memcpy(&real, value, sizeof real);
        return real;
    }
    memcpy(&single, value, sizeof single);
    return (double)single;
}

/* Adds a floating-point number with the fewest digits from which the same float or double is read
 * back. */
static void add_real(pm_text *text, const scalar *type, double real)
{
    const bool single = type->bytes == sizeof(float);
    locale_t before = pm_numbers_begin();
    char digits[PM_NUMBER_SIZE];
    double back = 0;

    for (int n = single ? 6 : 15; n <= (single ? 9 : 17); n++) {
        snprintf(digits, sizeof digits, "%.*g", n, real);
        if (pm_number_parse(digits, &back) && (single ? (float)back == (float)real : back == real))
            break;
    }
    pm_numbers_end(before);
    pm_text_add(text, "%s", digits);
}

/* Adds a number from which the same bytes are read back. False if no number has these bytes. */
static bool add_number(pm_text *text, const scalar *type, const unsigned char *value)
{
    const double real = type->is_real ? real_of(type, value) : 0;
    const int64_t integer = type->is_real ? 0 : integer_of(type, value);

    if (!isfinite(real) || integer == INT64_MIN)
        return false;
    if (type->is_real)
        add_real(text, type, real);
    else
        pm_text_add(text, "%lld", (long long)integer);
    return true;
}

/* Returns the type of a value in a workload file. A ulong above INT64_MAX is written as a long with
 * the same bits, because integers in expressions are signed. */
static const char *name_of(const scalar *type, const unsigned char *value)
{
    return !type->is_signed && type->bytes == 8 && integer_of(type, value) < 0 ? "long"
                                                                               : type->name;
}

static const char *bytes_of(pm_memory *memory, const unsigned char *value, size_t bytes)
{
    pm_text text = {.memory = memory};

    pm_text_add(&text, "bytes 0x");
    for (size_t b = 0; b < bytes; b++)
        pm_text_add(&text, "%02x", value[b]);
    return pm_text_get(&text);
}

const char *pm_replay_value(pm_memory *memory, const char *type, const unsigned char *value,
                            size_t bytes)
{
    pm_text text = {.memory = memory};
    vector found;

    if (!find_type(type, &found))
        return bytes_of(memory, value, bytes);
    pm_text_add(&text, "%s", found.width == 1 ? name_of(found.of, value) : type);
    pm_text_add(&text, found.width == 1 ? " " : " (");
    for (size_t c = 0; c < found.width; c++) {
        pm_text_add(&text, c ? ", " : "");
        if (!add_number(&text, found.of, value + c * found.of->bytes))
            return bytes_of(memory, value, bytes);
    }
    pm_text_add(&text, found.width == 1 ? "" : ")");
    return pm_text_get(&text);
}

/* ---- patterns -------------------------------------------------------------------------------- */

void pm_replay_repeat(const char *contents, size_t at, size_t bytes, uint8_t *to)
{
    const size_t period = strlen(contents + 1) / 2;

    for (size_t b = 0; b < bytes; b++) {
        const char *digits = contents + 1 + (at + b) % period * 2;

        to[b] = (uint8_t)strtoul((char[]){digits[0], digits[1], '\0'}, NULL, 16);
    }
}

const char *pm_replay_pattern(pm_memory *memory, const char *type, const char *contents)
{
    const size_t period = strlen(contents + 1) / 2;
    unsigned char bytes[32];
    pm_text text = {.memory = memory};
    vector found;

    if (strspn(contents + 1, "0") == 2 * period)
        return "zeros";
    pm_replay_repeat(contents, 0, sizeof bytes, bytes);
    if (!find_type(type, &found) || period > found.of->bytes ||
        name_of(found.of, bytes) != found.of->name)
        return NULL;
    pm_text_add(&text, "constant ");
    return add_number(&text, found.of, bytes) ? pm_text_get(&text) : NULL;
}
