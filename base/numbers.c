/* Converts numbers to and from text, and makes texts printable for messages. See numbers.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Datasets have the same bytes in every locale, and messages about malicious files are one short,
 * printable line.
 */
#include "base/numbers.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* A decimal number as digits * 10^exponent, with a minus sign if `negative`. */
typedef struct {
    bool negative;
    /* the first 19 significant digits as an integer; further digits are only counted */
    uint64_t digits;
    size_t count;  /* number of significant digits in the text, which may exceed 19 */
    long exponent; /* power of ten */
} decimal;

static const char *scan_digits(const char *c, decimal *number, bool fraction, bool *any)
{
    for (; is_digit(*c); c++) {
        *any = true;
        if (number->count < 19)
            number->digits = number->digits * 10 + (uint64_t)(*c - '0');
        if (number->digits)
            number->count++;
        number->exponent -= fraction;
    }
    return c;
}

/* Scans the decimal number at the start of text into *number. Returns the position after it. NULL:
 * text does not start with a number. */
static const char *scan(const char *text, decimal *number)
{
    const char *c = text;
    bool any = false;

    *number = (decimal){.negative = *c == '-'};
    if (*c == '-' || *c == '+')
        c++;
    c = scan_digits(c, number, false, &any);
    if (*c == '.')
        c = scan_digits(c + 1, number, true, &any);
    if (!any)
        return NULL;
    if (*c == 'e' || *c == 'E') {
        const char *power = c + 1;
        bool down = *power == '-';
        if (*power == '-' || *power == '+')
            power++;
        if (!is_digit(*power))
            return c;
        long exponent = 0;
        for (; is_digit(*power); power++)
            if (exponent < 100000)
                exponent = exponent * 10 + (*power - '0');
        number->exponent += down ? -exponent : exponent;
        c = power;
    }
    return c;
}

/* Computes the double that is closest to a decimal number, by one exact operation. Digits up to
 * 2^53 and powers of ten up to 10^22 are exact in a double. One multiplication or division
 * therefore rounds correctly (Clinger, How to Read Floating Point Numbers Accurately, 1990).
 * Returns false for other numbers. */
static bool exact(const decimal *number, double *value)
{
    static const double tens[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                  1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                  1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    if (number->count > 19 || number->digits > 1ULL << 53 || number->exponent < -22 ||
        number->exponent > 22)
        return false;
    double digits = (double)number->digits;
    double result =
        number->exponent < 0 ? digits / tens[-number->exponent] : digits * tens[number->exponent];
    *value = number->negative ? -result : result;
    return true;
}

locale_t pm_numbers_begin(void)
{
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);

    return plain ? uselocale(plain) : (locale_t)0;
}

void pm_numbers_end(locale_t before)
{
    if (before)
        freelocale(uselocale(before));
}

bool pm_number_take(const char **text, double *value)
{
    decimal number;
    const char *end = scan(*text, &number);

    if (!end)
        return false;
    if (!exact(&number, value)) {
        locale_t before = pm_numbers_begin();

        *value = strtod(*text, NULL);
        pm_numbers_end(before);
    }
    *text = end;
    return isfinite(*value);
}

bool pm_number_parse(const char *text, double *value)
{
    return pm_number_take(&text, value) && *text == '\0';
}

double pm_number_rounded(double value, int digits)
{
    char text[PM_NUMBER_SIZE];
    locale_t before = pm_numbers_begin();

    snprintf(text, sizeof text, "%.*g", digits, value);
    value = strtod(text, NULL);
    pm_numbers_end(before);
    return value;
}

bool pm_number_format(double value, char text[PM_NUMBER_SIZE])
{
    locale_t before = pm_numbers_begin();
    bool same = false;

    for (int digits = 15; digits <= 17 && !same; digits++) {
        double back;

        snprintf(text, PM_NUMBER_SIZE, "%.*g", digits, value);
        same = pm_number_parse(text, &back) && back == value;
    }
    pm_numbers_end(before);
    return same;
}

/* Returns the number of bytes of the UTF-8 sequence at c (RFC 3629). 0: the sequence is invalid. */
static size_t utf8_length(const unsigned char *c)
{
    if (c[0] < 0x80)
        return 1;
    size_t length = c[0] >= 0xf0 ? 4 : c[0] >= 0xe0 ? 3 : 2;
    if (c[0] < 0xc2 || c[0] > 0xf4)
        return 0;
    unsigned char low = c[0] == 0xe0 ? 0xa0 : c[0] == 0xf0 ? 0x90 : 0x80;
    unsigned char high = c[0] == 0xed ? 0x9f : c[0] == 0xf4 ? 0x8f : 0xbf;
    if (c[1] < low || c[1] > high)
        return 0;
    for (size_t i = 2; i < length; i++)
        if ((c[i] & 0xc0) != 0x80)
            return 0;
    return length;
}

static unsigned long long magnitude(long long a)
{
    return a < 0 ? -(unsigned long long)a : (unsigned long long)a;
}

unsigned long long pm_gcd(long long a, long long b)
{
    unsigned long long x = magnitude(a), y = magnitude(b);

    while (y != 0) {
        unsigned long long rest = x % y;

        x = y;
        y = rest;
    }
    return x;
}

bool pm_is_utf8(const char *text)
{
    for (const unsigned char *c = (const unsigned char *)text; *c;) {
        size_t length = utf8_length(c);
        if (!length)
            return false;
        c += length;
    }
    return true;
}

size_t pm_hidden_bytes(const char *text)
{
    const unsigned char *c = (const unsigned char *)text;

    if ((c[0] && c[0] < ' ') || c[0] == 0x7f)
        return 1;
    if (c[0] == 0xc2 && c[1] >= 0x80 && c[1] <= 0x9f)
        return 2;
    if (c[0] == 0xe2 && c[1] == 0x80 &&
        ((c[2] >= 0x8b && c[2] <= 0x8f) || (c[2] >= 0xa8 && c[2] <= 0xae)))
        return 3;
    if (c[0] == 0xe2 && c[1] == 0x81 && c[2] >= 0xa0 && c[2] <= 0xaf)
        return 3;
    return c[0] == 0xef && c[1] == 0xbb && c[2] == 0xbf ? 3 : 0;
}

/* Writes the first character at c to `unit`, with a NUL. Hidden characters and invalid bytes are
 * written as \xNN. Returns the number of bytes at c that were consumed. */
static size_t show_one(const unsigned char *c, char unit[5])
{
    size_t length = utf8_length(c);
    if (length == 0 || pm_hidden_bytes((const char *)c)) {
        snprintf(unit, 5, "\\x%02x", *c);
        return 1;
    }
    memcpy(unit, c, length);
    unit[length] = '\0';
    return length;
}

const char *pm_shown(const char *text, char *shown, size_t size)
{
    const unsigned char *start = (const unsigned char *)text;
    char unit[5];
    size_t left = 0, used = 0;

    for (const unsigned char *c = start; *c;) {
        c += show_one(c, unit);
        left += strlen(unit);
    }
    bool whole = left < size, skipping = false;
    size_t half = (size - sizeof "...") / 2;
    for (const unsigned char *c = start; *c;) {
        c += show_one(c, unit);
        size_t length = strlen(unit);
        if (whole || left <= half || (!skipping && used + length <= half)) {
            memcpy(shown + used, unit, length);
            used += length;
        } else if (!skipping) {
            memcpy(shown + used, "...", 3);
            used += 3;
            skipping = true;
        }
        left -= length;
    }
    shown[used] = '\0';
    return shown;
}
