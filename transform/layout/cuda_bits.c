/* Writes CUDA code that converts values to and from 4-byte words. See cuda_bits.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "transform/layout/cuda_bits.h"

#include <stdlib.h>
#include <string.h>

#include "transform/source/kernel_words.h"

enum { WORD = 4 };

/* The type of a field, taken apart: a scalar type, or a vector of `count` scalars. */
typedef struct {
    char scalar[16];
    size_t bytes, count; /* bytes per scalar; count is 0 for a scalar type */
} parsed;

static parsed parse(const char *type)
{
    static const struct {
        const char *name;
        size_t bytes;
    } scalars[] = {{"bool", 1}, {"char", 1},  {"uchar", 1},  {"short", 2},    {"ushort", 2},
                   {"long", 8}, {"ulong", 8}, {"double", 8}, {"longlong", 8}, {"ulonglong", 8}};
    size_t letters = strcspn(type, "1234");
    parsed p = {.bytes = WORD, .count = type[letters] ? (size_t)atoi(type + letters) : 0};

    if (letters >= sizeof p.scalar)
        letters = sizeof p.scalar - 1;
    memcpy(p.scalar, type, letters);
    for (size_t i = 0; i < sizeof scalars / sizeof *scalars; i++)
        if (strcmp(scalars[i].name, p.scalar) == 0)
            p.bytes = scalars[i].bytes;
    return p;
}

static const char *cast_to(const char *scalar)
{
    return pm_kernel_type(pm_kernel_words_of(true), scalar);
}

/* ---- from vector words to fields ------------------------------------------------------------ */

static void add_word(pm_text *out, size_t word, const pm_cuda_words *words)
{
    size_t in_chunk = words->chunk ? words->chunk / WORD : WORD;

    pm_text_add(out, "%s", words->name);
    if (words->chunk)
        pm_text_add(out, "%zu", word / in_chunk);
    pm_text_add(out, ".%c", "xyzw"[word % in_chunk]);
}

static void add_long(pm_text *out, const parsed *p, size_t word, const pm_cuda_words *words)
{
    bool is_double = strcmp(p->scalar, "double") == 0;

    if (is_double) {
        pm_text_add(out, "__hiloint2double((int)");
        add_word(out, word + 1, words);
        pm_text_add(out, ", (int)");
        add_word(out, word, words);
        pm_text_add(out, ")");
        return;
    }
    pm_text_add(out, "(%s)((unsigned long long)", cast_to(p->scalar));
    add_word(out, word + 1, words);
    pm_text_add(out, " << 32 | ");
    add_word(out, word, words);
    pm_text_add(out, ")");
}

static void add_scalar(pm_text *out, const parsed *p, size_t at, const pm_cuda_words *words)
{
    size_t shift = at % WORD * 8;

    if (p->bytes > WORD) {
        add_long(out, p, at / WORD, words);
    } else if (p->bytes < WORD) {
        pm_text_add(out, shift ? "(%s)(" : "(%s)",
                    strcmp(p->scalar, "bool") == 0 ? "bool)(unsigned char" : cast_to(p->scalar));
        add_word(out, at / WORD, words);
        if (shift)
            pm_text_add(out, " >> %zu)", shift);
    } else if (strcmp(p->scalar, "float") == 0 && !words->floats) {
        pm_text_add(out, "__uint_as_float(");
        add_word(out, at / WORD, words);
        pm_text_add(out, ")");
    } else {
        pm_text_add(out, strcmp(p->scalar, "int") == 0 ? "(int)" : "");
        add_word(out, at / WORD, words);
    }
}

void pm_cuda_bits_value(pm_text *out, const char *type, size_t at, const pm_cuda_words *words)
{
    const parsed p = parse(type);

    if (p.count == 0) {
        add_scalar(out, &p, at, words);
        return;
    }
    pm_text_add(out, "make_%s(", type);
    for (size_t i = 0; i < p.count; i++) {
        pm_text_add(out, i ? ", " : "");
        add_scalar(out, &p, at + i * p.bytes, words);
    }
    pm_text_add(out, ")");
}

/* ---- from fields to vector words ------------------------------------------------------------ */

/* Appends code for the low or the high 32-bit word of an 8-byte scalar. */
static void add_half(pm_text *out, const parsed *p, const char *value, bool high)
{
    if (strcmp(p->scalar, "double") == 0)
        pm_text_add(out, "(unsigned int)__double2%sint(%s)", high ? "hi" : "lo", value);
    else if (high)
        pm_text_add(out, "(unsigned int)((unsigned long long)%s >> 32)", value);
    else
        pm_text_add(out, "(unsigned int)%s", value);
}

/* Appends code for a scalar of less than 4 bytes as a term of a 4-byte word. The word is the
 * bitwise or of its terms. shift: position of the scalar in the word in bits. */
static void add_small(pm_text *out, const parsed *p, const char *value, size_t shift, bool first)
{
    pm_text_add(out, first ? "" : " | ");
    pm_text_add(out, "(unsigned int)(unsigned %s)%s", p->bytes == 1 ? "char" : "short", value);
    if (shift)
        pm_text_add(out, " << %zu", shift);
}

size_t pm_cuda_bits_term(pm_cuda_terms *terms, const char *type, const char *value, size_t from,
                         size_t at)
{
    const parsed p = parse(type);
    const size_t number = from / p.bytes;
    pm_text component = {0};
    const char *text;

    pm_text_add(&component, "%s", value);
    if (p.count > 0)
        pm_text_add(&component, ".%c", "xyzw"[number % 4]);
    text = pm_text_get(&component);
    if (p.bytes < WORD)
        add_small(terms->out, &p, text, at % WORD * 8, terms->count == 0);
    else if (p.bytes > WORD)
        add_half(terms->out, &p, text, from % p.bytes != 0);
    else if (strcmp(p.scalar, "float") == 0 && !terms->floats)
        pm_text_add(terms->out, "__float_as_uint(%s)", text);
    else
        pm_text_add(terms->out, strcmp(p.scalar, "int") == 0 ? "(unsigned int)%s" : "%s", text);
    terms->out->failed |= component.failed;
    pm_text_free(&component);
    terms->count++;
    return p.bytes < WORD ? p.bytes : WORD;
}
