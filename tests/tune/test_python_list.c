/* Tests pm_python_list_read(): the numbers that it computes from a list expression of a Kernel
 * Tuner file must equal the numbers that Python 3.11 computes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "answer/tune/python_list.h"
#include "tests/unit.h"

typedef struct {
    pm_memory memory;
    const char *text;
    char found[512]; /* "1 2 3" */
} asked;

static void ask(void *user)
{
    asked *a = user;
    const pm_python_list list = pm_python_list_read(&a->memory, a->text, "t1.json: values of x");
    size_t length = 0;

    for (size_t i = 0; i < list.count && length < sizeof a->found - 24; i++)
        length += (size_t)snprintf(a->found + length, sizeof a->found - length, "%s%" PRId64,
                                   i > 0 ? " " : "", list.items[i]);
}

static pm_status read_list(const char *text, asked *a, pm_error *err)
{
    pm_status status;

    *a = (asked){.text = text};
    status = pm_attempt(&a->memory, ask, a, err);
    pm_memory_free(&a->memory);
    return status;
}

TEST(lists_are_those_of_python)
{
    static const struct {
        const char *text, *values;
    } cases[] = {
        {"[1, 2,]", "1 2"},
        {"(16, 32)", "16 32"},
        {"[16.0, True]", "16 1"},
        {"[3+4*i for i in range(5)]", "3 7 11 15 19"},
        {"[2**i for i in range(4)]", "1 2 4 8"},
        {"[i for i in range(1, 11) if 10 % i == 0]", "1 2 5 10"},
        {"[i*j for i in [1, 2] for j in range(i, 4) if j != 2]", "1 3 6"},
        {"[x for x in range(9) if x % 2 if x > 3]", "5 7"},
        {"[10*a + b for a in (1, 2) for b in [a, a + 1]]", "11 12 22 23"},
        {"[[7, 8], 1][1:]", NULL},
        {"range(3)", "0 1 2"},
        {"list(range(10, 0, -4))", "10 6 2"},
        {"list(range(2)) + [5] + [i for i in range(6, 8)]", "0 1 5 6 7"},
        {"[*range(2), 9]", "0 1 9"},
        {"sorted([3, 1, 2])", "1 2 3"},
        {"list(reversed(range(3)))", "2 1 0"},
        {"list(2*i for i in range(3))", "0 2 4"},
        {"tuple([1 << i for i in range(3)])", "1 2 4"},
        {"[i if i > 1 else -i for i in range(4)]", "0 -1 2 3"},
        {"[1 // i if i else 5 for i in range(2)]", "5 1"}, /* no division by zero */
        {"[-7 // 2, 7 // -2, -7 % 3, 7 % -3, 8 / 2]", "-4 -4 2 -2 4"},
        {"[2 ** 3 ** 2, -2 ** 2, 6 & 3 | 8 ^ 1, ~5]", "512 -4 11 -6"},
        {"[min(3, 1, 2), max([4, 9]), abs(-3), int(5)]", "1 9 3 5"},
        {"[i for i in range(8) if i in [1, 2] or not i < 7]", "1 2 7"},
        {"[i for i in range(8) if 1 < i <= 3 and i not in (2,)]", "3"},
        {"[((((((((((((((1))))))))))))))]", "1"},
        {"[]", NULL},
        {"range(0)", NULL},
        {"[1.5]", NULL},
        {"[1 / 2]", NULL},
        {"[1 // 0]", NULL},
        {"[x]", NULL},
        {"[1, 2", NULL},
        {"[1] 2", NULL},
        {"5", NULL},
        {"", NULL},
        {"['a', 'b']", NULL},
        {"[9223372036854775807 + 1]", NULL},
        {"[2 ** 63]", NULL},
        {"range(0, 5, 0)", NULL},
        {"range(100000)", NULL},
        {"[1 for i in range(9999) for j in range(9999) if 0]", NULL},
        {"[open('x')]", NULL},
        {"[__import__('os').system('true')]", NULL},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pm_error err = {0};
        asked a;
        const pm_status status = read_list(cases[i].text, &a, &err);

        print_message("%s: %s\n", cases[i].text, status == PM_OK ? a.found : err.text);
        assert_int_equal(status, cases[i].values ? PM_OK : PM_BAD_INPUT);
        if (cases[i].values)
            assert_string_equal(a.found, cases[i].values);
        else
            assert_non_null(strstr(err.text, "t1.json: values of x"));
    }
}

TEST(deep_lists_are_refused)
{
    char text[256];
    pm_error err = {0};
    asked a;

    memset(text, '(', sizeof text - 1);
    text[0] = '[';
    text[sizeof text - 1] = '\0';
    assert_int_equal(read_list(text, &a, &err), PM_BAD_INPUT);
    assert_non_null(strstr(err.text, "brackets"));
}
