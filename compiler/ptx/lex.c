/* Splits PTX text into tokens. See lex.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "compiler/ptx/lex.h"

#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"
#include "base/strings.h"

/* Returns whether a character may be part of an identifier after its first character. */
static bool is_inner(char c)
{
    return pm_is_word(c) || c == '$';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v';
}

/* Returns the position after blanks and comments from `at`. Adds the number of line breaks to
 * *line. */
static const char *skip_blanks(const char *at, unsigned *line)
{
    for (bool at_start = false;;) {
        const char *after = at;

        if (is_blank(*at)) {
            at_start = *at == '\n';
            *line += *at == '\n';
            at++;
            continue;
        }
        if (*at == '#' && at_start)
            after = at + strcspn(at, "\n");
        else if (*at == '/')
            after = pm_after_comment(at);
        if (after == at)
            return at;
        for (; at < after; at++)
            *line += *at == '\n';
    }
}

static _Noreturn void refuse_character(const pm_ptx_lexer *lexer)
{
    const unsigned char c = (unsigned char)*lexer->at;

    if (c > ' ' && c < 127)
        pm_leave(lexer->memory, PM_BAD_INPUT, "%s:%u: PTX has no character %c here", lexer->path,
                 lexer->line, c);
    pm_leave(lexer->memory, PM_BAD_INPUT, "%s:%u: PTX has no character with code %u", lexer->path,
             lexer->line, c);
}

static char *copy_piece(const pm_ptx_lexer *lexer, size_t length)
{
    char *text = pm_take(lexer->memory, length + 1, 1);

    memcpy(text, lexer->at, length);
    return text;
}

/* Returns the length of the identifier at `at`. A dotted word may have parts that are joined by two
 * colons, such as shared::cta. */
static size_t word_length(const char *at, bool dotted)
{
    size_t length = 1;

    while (is_inner(at[length]) ||
           (dotted && at[length] == ':' && at[length + 1] == ':' && is_inner(at[length + 2])))
        length += at[length] == ':' ? 3 : 1;
    return length;
}

/* Returns the value of `count` hexadecimal digits. Raises an error if one is missing. */
static uint64_t read_bits(pm_ptx_lexer *lexer, size_t count)
{
    static const char digits[] = "0123456789abcdef";
    uint64_t value = 0;

    for (size_t i = 0; i < count; i++) {
        const char c = lexer->at[i], lower = c >= 'A' && c <= 'F' ? (char)(c - 'A' + 'a') : c;
        const char *digit = c ? strchr(digits, lower) : NULL;

        if (!digit)
            pm_leave(lexer->memory, PM_BAD_INPUT,
                     "%s:%u: a floating-point number needs %zu hexadecimal digits here",
                     lexer->path, lexer->line, count);
        value = value << 4 | (uint64_t)(digit - digits);
    }
    lexer->at += count;
    return value;
}

static pm_ptx_token read_bit_pattern(pm_ptx_lexer *lexer, pm_ptx_token token)
{
    const bool single = lexer->at[1] == 'f' || lexer->at[1] == 'F';
    uint64_t bits;
    float value;

    lexer->at += 2;
    token.kind = single ? PM_PTX_SINGLE : PM_PTX_REAL;
    bits = read_bits(lexer, single ? 8 : 16);
    token.integer = bits;
    if (single) {
        const uint32_t word = (uint32_t)bits;

        memcpy(&value, &word, sizeof value);
        token.real = value;
    } else {
        memcpy(&token.real, &bits, sizeof bits);
    }
    return token;
}

/* Returns the length of a decimal floating-point number at `at`: 1.5, 1.5e-3 or 1e9. Returns 0 if
 * an integer is there. */
static size_t real_length(const char *at)
{
    size_t length = strspn(at, "0123456789"), exponent;
    bool is_real = false;

    if (at[length] == '.' && is_digit(at[length + 1])) {
        is_real = true;
        length += 1 + strspn(at + length + 1, "0123456789");
    }
    if (at[length] == 'e' || at[length] == 'E') {
        exponent = length + 1 + (at[length + 1] == '-' || at[length + 1] == '+');
        if (is_digit(at[exponent])) {
            is_real = true;
            length = exponent + strspn(at + exponent, "0123456789");
        }
    }
    return is_real ? length : 0;
}

static pm_ptx_token read_number(pm_ptx_lexer *lexer, pm_ptx_token token)
{
    static const char pattern[] = "fFdD";
    const char *at = lexer->at;
    const size_t length = real_length(at);
    char *end;

    if (at[0] == '0' && at[1] && strchr(pattern, at[1]))
        return read_bit_pattern(lexer, token);
    if (length > 0 && length < 64) {
        token.kind = PM_PTX_REAL;
        if (!pm_number_parse(copy_piece(lexer, length), &token.real))
            token.real = INFINITY;
        memcpy(&token.integer, &token.real, sizeof token.integer);
        lexer->at += length;
        return token;
    }
    token.kind = PM_PTX_INTEGER;
    if (at[0] == '0' && (at[1] == 'b' || at[1] == 'B')) {
        token.integer = strtoull(at + 2, &end, 2);
        end = end == at + 2 ? (char *)(uintptr_t)at + 1 : end;
    } else {
        token.integer = strtoull(at, &end, 0);
    }
    lexer->at = end + (*end == 'U' || *end == 'u');
    return token;
}

static pm_ptx_token read_string(pm_ptx_lexer *lexer, pm_ptx_token token)
{
    size_t length;

    lexer->at++;
    length = strcspn(lexer->at, "\"\n");
    if (lexer->at[length] != '"')
        pm_leave(lexer->memory, PM_BAD_INPUT, "%s:%u: the string has no closing quote", lexer->path,
                 lexer->line);
    token.kind = PM_PTX_STRING;
    token.text = copy_piece(lexer, length);
    lexer->at += length + 1;
    return token;
}

static pm_ptx_token read_word(pm_ptx_lexer *lexer, pm_ptx_token token, bool dotted)
{
    size_t length;

    lexer->at += dotted;
    length = word_length(lexer->at, dotted);
    token.kind = dotted ? PM_PTX_DOTTED : PM_PTX_WORD;
    token.text = copy_piece(lexer, length);
    lexer->at += length;
    return token;
}

pm_ptx_token pm_ptx_next(pm_ptx_lexer *lexer)
{
    static const char signs[] = ",;:()[]{}<>@!|=+-*/%&^~.?";
    pm_ptx_token token = {.kind = PM_PTX_END};
    const char *at = lexer->at = skip_blanks(lexer->at, &lexer->line);

    token.line = lexer->line;
    token.at = at;
    if (!*at)
        return token;
    if (is_digit(*at))
        return read_number(lexer, token);
    if (*at == '"')
        return read_string(lexer, token);
    if (*at == '.' && is_inner(at[1]))
        return read_word(lexer, token, true);
    if (pm_is_word(*at) || *at == '$' || (*at == '%' && is_inner(at[1])))
        return read_word(lexer, token, false);
    if (!strchr(signs, *at))
        refuse_character(lexer);
    token.kind = PM_PTX_SIGN;
    token.sign = *at;
    lexer->at++;
    return token;
}

bool pm_ptx_is_text(const char *text)
{
    static const char directive[] = ".version";
    unsigned line = 1;
    const char *at = skip_blanks(text, &line);

    return strncmp(at, directive, sizeof directive - 1) == 0 && !is_inner(at[sizeof directive - 1]);
}
