/* Tests the reader of workload files: expressions, sections, lists, and the resulting description.
 * test_workload_cli.py tests faulty files.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <locale.h>

#include "program/file/workload_file.h"
#include "unit.h"

static const pm_named_number named[] = {{"n", 1000}, {"width", 7}, {"zero", 0}};
static const pm_numbers names = {sizeof named / sizeof *named, named};

/* ---- expressions --------------------------------------------------------------------------- */

static int64_t integer_of(const char *text)
{
    char fault[PM_EXPRESSION_FAULT];
    int64_t value;

    if (!pm_expression_integer(text, &names, &value, fault))
        fail_msg("%s: %s", text, fault);
    return value;
}

TEST(integers)
{
#define SAME(expression) assert_int_equal(integer_of(#expression), expression)
    const int64_t n = 1000, width = 7;
    SAME(1 + 2 * 3);
    SAME((1 + 2) * 3);
    SAME(20 - 3 - 4);
    SAME(100 / 7 / 2);
    SAME(100 / 7 * 7 + 100 % 7);
    SAME(-7 / 2);
    SAME(-7 % 2);
    SAME(-(2 - 5));
    SAME(+n - -width);
    SAME((n + width - 1) / width * width);
    SAME(9223372036854775807 - 1);
    SAME(-9223372036854775807 - 1);
    SAME(n * width % 13);
    SAME(1 << 20);
    SAME((1 + 2) << 3);
    SAME(n >> 3 << 1);
    SAME(-n >> 3);
    SAME(n < width);
    SAME(n - 993 <= width);
    SAME(n >> 1 > width);
    SAME(n >= n);
    SAME(n == 1000);
    SAME(n != 1000);
    SAME(n == 1000 ? width : 3);
    SAME(n < 0 ? 1 : n < 500 ? 2 : n < 1500 ? 3 : 4);
    SAME(1 + (width > 3 ? 10 : 20) * 2);
#undef SAME
    assert_int_equal(integer_of(" min( n,width )\t"), 7);
    assert_int_equal(integer_of("max(min(3, 5), -n) + 1"), 4);
    assert_int_equal(integer_of("max(n, width)"), 1000);
    assert_int_equal(integer_of("-1 << 62"), INT64_MIN / 2);
    assert_int_equal(integer_of("1 + 2 << 3"), 24);
    assert_int_equal(integer_of("2 ** 10"), 1024);
    assert_int_equal(integer_of("0x10 + 0XfF * 2"), 526);
    assert_int_equal(integer_of("0x7fffffffffffffff"), INT64_MAX);
    assert_int_equal(integer_of("2 ** 3 ** 2"), 512);
    assert_int_equal(integer_of("-2 ** 2"), -4);
    assert_int_equal(integer_of("(-2) ** 3 * 3"), -24);
    assert_int_equal(integer_of("(-2) ** 63"), INT64_MIN);
    assert_int_equal(integer_of("n ** 0 + zero ** 0"), 2);
    assert_int_equal(integer_of("(-1) ** 9223372036854775807"), -1);
    assert_int_equal(integer_of("zero ** 9223372036854775807"), 0);
    assert_int_equal(integer_of("n == 1000 && width > 6 && 5"), 1);
    assert_int_equal(integer_of("n == 1000 && zero"), 0);
    assert_int_equal(integer_of("zero || width"), 1);
    assert_int_equal(integer_of("zero || width < 7"), 0);
    assert_int_equal(integer_of("1 || zero && zero"), 1);
    assert_int_equal(integer_of("(1 || zero) && zero"), 0);
    assert_int_equal(integer_of("zero && 1 ? 3 : 4"), 4);
    /* Only one side of a conditional is evaluated. */
    assert_int_equal(integer_of("zero == 0 ? 5 : n / zero"), 5);
    assert_int_equal(integer_of("zero ? 1 << 99 : min(zero ? 1 : 2, 3)"), 2);
}

TEST(faults)
{
    static const char *const rows[][2] = {
        {"", "missing at the end"},
        {"1 +", "missing at the end"},
        {"(1", "')' is missing"},
        {"1)", "too much"},
        {"1 2", "too much"},
        {"min(1)", "',' is missing"},
        {"min 1", "'(' is missing"},
        {"m", "n, width, zero"},
        {"N", "no parameter"},
        {"0x10g", "no integer"},
        {"0x", "no integer"},
        {"0x8000000000000000", "64 bits"},
        {"1.5", "no integer"},
        {"3n", "no integer"},
        {"1 / zero", "division by zero"},
        {"1 % (n - 1000)", "division by zero"},
        {"9223372036854775807 + 1", "64 bits"},
        {"-9223372036854775807 - 2", "64 bits"},
        {"4611686018427387904 * 2", "64 bits"},
        {"(-9223372036854775807 - 1) / -1", "64 bits"},
        {"-(-9223372036854775807 - 1)", "64 bits"},
        {"9223372036854775808", "64 bits"},
        {"$", "\"$\""},
        {"1 << 63", "from 0 to 62 bits"},
        {"1 >> -1", "from 0 to 62 bits"},
        {"1 << n", "from 0 to 62 bits"},
        {"2 << 62", "64 bits"},
        {"2 ** 63", "64 bits"},
        {"2 ** -1", "the exponent is 0 or more"},
        {"3 ** 9223372036854775807", "64 bits"},
        {"2 **", "missing at the end"},
        {"1 <", "missing at the end"},
        {"1 < < 2", "missing before \"< 2\""},
        {"1 = 2", "too much"},
        {"n ? 1", "':' is missing"},
        {"n ? : 2", "missing before \": 2\""},
        {"? 1 : 2", "missing before"},
        {"n : 2", "too much"},
        {"1 & 2", "too much"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char fault[PM_EXPRESSION_FAULT] = "";
        int64_t value;

        if (pm_expression_integer(rows[i][0], &names, &value, fault))
            fail_msg("'%s' is %lld", rows[i][0], (long long)value);
        if (!strstr(fault, rows[i][1]))
            fail_msg("'%s': %s, not: %s", rows[i][0], fault, rows[i][1]);
    }
    assert_int_equal(integer_of("(-9223372036854775807 - 1) % -1"), 0);
}

static double real_of(const char *text)
{
    char fault[PM_EXPRESSION_FAULT];
    double value;

    if (!pm_expression_real(text, &names, &value, fault))
        fail_msg("%s: %s", text, fault);
    return value;
}

TEST(reals)
{
    static const char *const wrong[] = {"1 / 0",  "1 / zero",    "1e308 * 10", "1e999", "1 % 0",
                                        "0x1p3",  "nan",         "inf",        "1.5f",  ".",
                                        "1 << 2", "(-1) ** 0.5", "1e200 ** 2"};

    assert_true(real_of("1 / 4") == 0.25);
    assert_true(real_of("0x10 / 0x40") == 0.25);
    assert_true(real_of("2 ** 0.5 * 2 ** .5") > 1.999);
    assert_true(real_of("2 ** -1") == 0.5);
    assert_true(real_of("0.5 < 0.75 ? 1.5 : 1 / 0") == 1.5);
    assert_true(real_of("(0.5 == n) + (n != 0.5) * 2") == 2.0);
    assert_true(real_of("-.5e-1 * n") == -50.0);
    assert_true(real_of("max(1.5, n / 3)") == 1000.0 / 3);
    /* The host's locale may write decimals with a comma, such as 1,5. */
    if (setlocale(LC_NUMERIC, "de_DE.UTF-8"))
        assert_true(real_of("1.5 + min(1, 2)") == 2.5);
    setlocale(LC_NUMERIC, "C");
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char fault[PM_EXPRESSION_FAULT];
        double value;

        if (pm_expression_real(wrong[i], &names, &value, fault))
            fail_msg("'%s' is %g", wrong[i], value);
    }
}

/* ---- random expressions, evaluated in 128 bits ----------------------------------------------- */

typedef struct {
    char text[4096];
    size_t used;
    unsigned state;
    bool wrong; /* divides by zero, or overflows 64 bits */
} tree;

static unsigned roll(tree *t, unsigned sides)
{
    t->state = t->state * 1103515245U + 12345U;
    return (t->state >> 16) % sides;
}

static void put(tree *t, const char *text)
{
    t->used += (size_t)snprintf(t->text + t->used, sizeof t->text - t->used, "%s", text);
}

static __int128 fits(tree *t, __int128 value)
{
    if (value > INT64_MAX || value < INT64_MIN)
        t->wrong = true;
    return t->wrong ? 0 : value;
}

/* Writes a part in parentheses and returns its value. */
static __int128 grow(tree *t, unsigned depth)
{
    static const char *const operators[] = {" + ", "-", "*", " / ", "%", "<", ">=", "!=", "? 5:"};
    static const int64_t leaves[] = {0, 1, 2, 3, 10, 4294967296, 3037000500, 9223372036854775807};
    __int128 left, right;
    unsigned which;
    bool negative, before;

    if (depth == 0 || roll(t, 4) == 0) {
        char number[32];
        int64_t leaf = leaves[roll(t, sizeof leaves / sizeof *leaves)];

        snprintf(number, sizeof number, "%lld", (long long)leaf);
        put(t, number);
        return leaf;
    }
    negative = roll(t, 5) == 0;
    put(t, negative ? "-(" : "(");
    left = grow(t, depth - 1);
    which = roll(t, sizeof operators / sizeof *operators);
    put(t, operators[which]);
    before = t->wrong;
    right = grow(t, depth - 1);
    if (which == 8 && left != 0) /* which is never evaluated */
        t->wrong = before;
    put(t, ")");
    if ((which == 3 || which == 4) && right == 0) {
        t->wrong = true;
        return 0;
    }
    left = which == 0   ? left + right
           : which == 1 ? left - right
           : which == 2 ? left * right
           : which == 3 ? left / right
           : which == 4 ? left % right
           : which == 5 ? left < right
           : which == 6 ? left >= right
           : which == 7 ? left != right
           : left != 0  ? 5
                        : right;
    left = fits(t, left);
    return negative ? fits(t, -left) : left;
}

TEST(random_trees)
{
    size_t right = 0, wrong = 0;

    for (unsigned seed = 0; seed < 20000; seed++) {
        tree t = {.state = seed * 2654435761U + 1};
        char fault[PM_EXPRESSION_FAULT];
        int64_t value = 0;
        __int128 want = grow(&t, 4);
        bool got = pm_expression_integer(t.text, &names, &value, fault);

        if (got == t.wrong || (got && value != want))
            fail_msg("%s is %lld, want %lld%s", t.text, (long long)value, (long long)want,
                     t.wrong ? " (a fault)" : "");
        right += got;
        wrong += !got;
    }
    assert_true(right > 2000 && wrong > 2000);
}

/* ---- many values ---------------------------------------------------------------------------- */

/* Compares a column of values with the values for each i alone, bit by bit. Returns whether there
 * is a column. There is none if one of the values is a fault. */
static bool has_column(const char *text, bool real, int64_t first)
{
    pm_named_number numbers[] = {{"n", 12}, {"i", first}};
    const pm_numbers counting = {2, numbers};
    pm_expression_columns *room = need(malloc(sizeof *room));
    const pm_expression_values *column;
    pm_expression expression;
    char fault[PM_EXPRESSION_FAULT];

    assert_true(pm_expression_read(text, &counting, real, &expression, fault));
    column = pm_expression_column(&expression, &counting, room);
    for (size_t k = 0; column && k < PM_EXPRESSION_COLUMN; k++) {
        pm_expression_number one, many = pm_expression_value_of(&expression, column, k);

        numbers[1].value = first + (int64_t)k;
        if (!pm_expression_value(&expression, &counting, &one, fault) ||
            memcmp(&one, &many, sizeof one) != 0)
            fail_msg("%s, i = %lld: others in a column", text, (long long)numbers[1].value);
    }
    free(room);
    return column != NULL;
}

TEST(columns_are_what_one_by_one_gives)
{
    static const char *const both[] = {"i",
                                       "n",
                                       "-i",
                                       "i * 7919 % 62832 - n",
                                       "(i - 100) % 7 + (3 - i) / 5",
                                       "min(i, 40) * max(n, i % 9)",
                                       "i * i % 2147483647 * 48271 % 2147483647 * n / 2147483647",
                                       "(i * i + 4503599627370000) / 3 % 1000",
                                       "(i - 1000) * 77 / max(1, i % 9) - i % (i % 5 + 1)",
                                       "9007199254740993 * i % 10"};
    static const char *const reals[] = {"i * 0.001 % 0.3", "-i % 7", "i / 65536 - 0.5", "0.0 * -i",
                                        "(0 - i) % 7.5"};
    static const char *const none[] = {"i % 2 == 0 ? 1 : 2", "1 / (i - 1030)", "i % (i - 1030)"};
    static const int64_t firsts[] = {0, 1024, INT64_C(1) << 40};

    for (size_t f = 0; f < sizeof firsts / sizeof *firsts; f++) {
        for (size_t k = 0; k < sizeof both / sizeof *both; k++)
            assert_true(has_column(both[k], true, firsts[f]));
        for (size_t k = 0; k + 1 < sizeof both / sizeof *both && firsts[f] < 1 << 30; k++)
            assert_true(has_column(both[k], false, firsts[f]));
        for (size_t k = 0; k < sizeof reals / sizeof *reals; k++)
            assert_true(has_column(reals[k], true, firsts[f]));
    }
    for (size_t k = 0; k < sizeof none / sizeof *none; k++)
        assert_false(has_column(none[k], false, 1024));
    assert_false(has_column("i * i", false, INT64_C(1) << 40));
}

/* Quotients near whole numbers, with dividends up to and beyond the limit for inverses. */
TEST(columns_divide_exactly)
{
    static const int64_t divisors[] = {1, 2, 3, 7, 48271, 2147483647, 94906267, 4503599627370495};
    char text[64];

    for (size_t d = 0; d < sizeof divisors / sizeof *divisors; d++)
        for (int bits = 1; bits < 62; bits++) {
            const int64_t near = (INT64_C(1) << bits) / divisors[d] * divisors[d];

            for (const char *op = "/%"; *op; op++) {
                snprintf(text, sizeof text, "i %c %lld", *op, (long long)divisors[d]);
                assert_true(has_column(text, false, near - 32));
            }
        }
}

/* ---- files --------------------------------------------------------------------------------- */

static pm_workload_file *parse(const char *text, pm_error *err)
{
    char *copy = need(strdup(text));
    pm_workload_file *f;

    f = pm_workload_file_parse(copy, "some/where/in.workload", err);
    free(copy);
    return f;
}

static const char whole[] = "\xef\xbb\xbf# what this is\r\n"
                            "[workload]\r\n"
                            "name = whole   # in tables\r\n"
                            "source=a.cl\r\n"
                            "options = -DA=1 ; more\r\n"
                            "\r\n"
                            "[ size  s ]  # the only one\r\n"
                            "n = 3 * 4\r\n"
                            "m: 5\r\n"
                            "[size t]\r\n"
                            "m = 6\r\n"
                            "n = 7\r\n"
                            "[variant v]\r\n"
                            "launch.l.1.local = 4\r\n"
                            "[launch l.1]\r\n"
                            "global = n,\r\n"
                            "    m # rows\r\n"
                            "  # and\r\n"
                            "\tmin(n, m)\r\n"
                            "local = 1\r\n"
                            "repeat = 2\r\n"
                            "[launch k]\r\n"
                            "kernel = other\r\n"
                            "global = 1\r\n"
                            "local = 1\r\n"
                            "repeat = with l.1\r\n"
                            "[launch j]\r\n"
                            "global = 1\r\n"
                            "local = 1\r\n"
                            "repeat = with k\r\n"
                            "[buffer b]\r\n"
                            "type = S\r\n"
                            "count = n\r\n"
                            "contents.a.b = zeros\r\n"
                            "scratch = yes";

OWNED(file, pm_workload_file, pm_workload_file_free)

TEST(description)
{
    pm_workload_file *f = owned_file(parse(whole, told()));

    assert_string_equal(f->name.text, "whole");
    assert_string_equal(f->source.text, "a.cl");
    assert_string_equal(f->options.text, "-DA=1");
    assert_int_equal(f->options.line, 5);
    assert_string_equal(f->folder, "some/where/");
    assert_int_equal(f->parameter_count, 2);
    assert_string_equal(f->parameters[1], "m");
    assert_int_equal(f->size_count, 2);
    assert_int_equal(f->sizes[0].values[0], 12);
    assert_int_equal(f->sizes[1].values[0], 7);
    assert_int_equal(f->sizes[1].values[1], 6);
    assert_int_equal(f->launch_count, 3);
    assert_string_equal(f->launches[0].texts.kernel.text, "l.1"); /* name of the section */
    assert_string_equal(f->launches[0].texts.global.text, "n, m min(n, m)");
    assert_int_equal(f->launches[0].texts.global.line, 16);
    assert_int_equal(f->launches[0].with, 0);
    assert_int_equal(f->launches[1].with, 0);
    assert_int_equal(f->launches[2].with, 0);
    assert_string_equal(f->variants[0].launches[0].local.text, "4");
    assert_null(f->variants[0].launches[1].local.text);
    assert_int_equal(f->buffers[0].line, 31);
    assert_string_equal(f->buffers[0].fields[0].field, "a.b");
    assert_true(f->buffers[0].scratch);
    assert_false(f->buffers[0].output);
}

/* A truncated file is either a valid description or a fault that names a line. */
TEST(torn)
{
    size_t sound = 0;

    for (size_t length = 1; length < sizeof whole - 1; length++) {
        char text[sizeof whole];
        pm_workload_file *f;

        memcpy(text, whole, length);
        text[length] = '\0';
        f = parse(text, told());
        sound += f != NULL;
        if (!f && (last_error.status != PM_BAD_INPUT ||
                   strncmp(last_error.text, "some/where/in.workload:", 23) != 0))
            fail_msg("%zu bytes: %s", length, last_error.text);
        pm_workload_file_free(f);
    }
    assert_true(sound > 0 && sound < sizeof whole / 2);
}

TEST(items)
{
    const char *rest = " a , min(b, c) ,(d,(e))";
    char item[PM_FILE_ITEM];

    assert_true(pm_file_item(&rest, item));
    assert_string_equal(item, "a");
    assert_true(pm_file_item(&rest, item));
    assert_string_equal(item, "min(b, c)");
    assert_true(pm_file_item(&rest, item));
    assert_string_equal(item, "(d,(e))");
    assert_null(rest);
    rest = "a,,b";
    assert_true(pm_file_item(&rest, item));
    assert_false(pm_file_item(&rest, item));
    rest = "a,";
    assert_true(pm_file_item(&rest, item));
    assert_non_null(rest);
    assert_false(pm_file_item(&rest, item));
}
