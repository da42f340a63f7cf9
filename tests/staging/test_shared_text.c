/* Tests the parser of staging texts such as "shared:a+b": the meaning of valid texts, the error
 * messages for wrong ones, and that no random bytes do harm.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "tests/layout/layout_fixture.h"
#include "transform/staging/staging.h"
#include "unit.h"

static const char *const kernels[] = {"blur", "edge", "blur2"};
enum { KERNELS = sizeof kernels / sizeof *kernels };

/* ---- staging and layouts in one text ------------------------------------------------------ */

TEST(which_texts)
{
    static const char *const staging[] = {"shared",        "shared:a",     "shared/16",
                                          "shared@blur",   "soa;shared",   "soa;shared:a+b/16@blur",
                                          "shared;soa",    ";shared",      "shared;",
                                          "soa@f;shared:", "shared;shared"};
    static const char *const others[] = {"",           "aos",         "sharedx",   "share",
                                         "shared=soa", "soa@shared",  "S=soa",     "cluster:shared",
                                         "soa;aos",    " shared",     "Shared:a",  "shared a",
                                         "xshared",    "soa;xshared", "unshared:a"};

    for (size_t i = 0; i < sizeof staging / sizeof *staging; i++)
        if (!pm_stage_is_text(staging[i]))
            fail_msg("'%s' is not taken for staging", staging[i]);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (pm_stage_is_text(others[i]))
            fail_msg("'%s' is taken for staging", others[i]);
}

TEST(halves)
{
    static const char *const rows[][3] = {
        {"shared", "aos", "shared"},
        {"soa", "soa", NULL},
        {"", "", NULL},
        {"soa;aos@f", "soa;aos@f", NULL},
        {"soa;shared:x", "soa", "shared:x"},
        {"S=soa;T=asta:32@f;shared:x/4;shared@edge", "S=soa;T=asta:32@f", "shared:x/4;shared@edge"},
        {"cluster:shared/a;shared", "cluster:shared/a", "shared"},
        {";shared", "", "shared"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *share;
        char *layouts;

        if (pm_stage_split(rows[i][0], &layouts, &share, told()) != PM_OK)
            fail_msg("%s: %s", rows[i][0], last_error.text);
        assert_string_equal(layouts, rows[i][1]);
        if (rows[i][2])
            assert_string_equal(share, rows[i][2]);
        else
            assert_null(share);
        free(layouts);
    }
}

TEST(layouts_come_first)
{
    static const char *const texts[] = {"shared;soa", "shared:a;S=soa;shared:b", "soa;shared;aos",
                                        "shared;"};

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char unset, *layouts = &unset;
        const char *share = &unset;

        assert_int_equal(pm_stage_split(texts[i], &layouts, &share, told()), PM_BAD_INPUT);
        assert_null(layouts);
        assert_null(share);
        assert_non_null(strstr(last_error.text, texts[i]));
        assert_non_null(strstr(last_error.text, "layouts first"));
    }
}

/* ---- one kernel --------------------------------------------------------------------------- */

/* Writes arrays separated by '+', then the tile: "a+b/16". "-": nothing is requested; "*":
 * automatic. */
/* Owns parsed texts until the program ends. */
static pm_memory memory;

typedef struct {
    const char *text, *kernel, *const *kernels;
    size_t kernel_count;
    pm_stage_choice choice;
} parsing;

static void run_stage_parse(void *user)
{
    parsing *p = user;

    p->choice = pm_stage_parse(&memory, p->text, p->kernel, p->kernels, p->kernel_count);
}

static pm_status parse(const char *text, const char *kernel, const char *const *list, size_t count,
                       pm_stage_choice *choice, pm_error *err)
{
    parsing p = {text, kernel, list, count, {0}};
    pm_status status = pm_attempt(&memory, run_stage_parse, &p, err);

    *choice = p.choice;
    return status;
}

static void describe(const pm_stage_choice *choice, char *text, size_t size)
{
    size_t used = 0;

    text[0] = '\0';
    if (!choice->asked || choice->automatic)
        used += (size_t)snprintf(text, size, "%s", choice->asked ? "*" : "-");
    for (size_t i = 0; i < choice->array_count && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", i ? "+" : "", choice->arrays[i]);
    if (choice->tile && used < size)
        snprintf(text + used, size - used, "/%zu", choice->tile);
}

TEST(what_they_mean)
{
    static const char *const rows[][3] = {
        {"shared", "blur", "*"},
        {"shared/16", "blur", "*/16"},
        {"shared:a", "edge", "a"},
        {"shared:in+out/8", "edge", "in+out/8"},
        {"shared:b+a", "edge", "b+a"},
        {"shared:a/65536", "edge", "a/65536"},
        {"shared:a/0008", "edge", "a/8"},
        {"shared@blur", "edge", "-"},
        {"shared@blur", "blur", "*"},
        {"shared@blur", "blur2", "-"},
        {"shared@blur2", "blur", "-"},
        {"shared:a@blur+edge", "edge", "a"},
        {"shared:a/4@edge", "edge", "a/4"},
        {"shared/4@edge", "edge", "*/4"},
        {"shared:a@blur;shared:b@edge", "blur", "a"},
        {"shared:a@blur;shared:b@edge", "edge", "b"},
        {"shared:a@blur;shared:b@edge", "blur2", "-"},
        /* of several texts that fit, the last one applies */
        {"shared/4;shared:b@edge", "edge", "b"},
        {"shared:b@edge;shared", "edge", "*"},
        {"shared:a:b", "blur", "a:b"}, /* no parameter has this name */
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        pm_stage_choice choice;
        char seen[200];

        if (parse(rows[i][0], rows[i][1], kernels, KERNELS, &choice, told()) != PM_OK)
            fail_msg("%s: %s", rows[i][0], last_error.text);
        describe(&choice, seen, sizeof seen);
        if (strcmp(seen, rows[i][2]) != 0)
            fail_msg("%s in %s is %s, expected %s", rows[i][0], rows[i][1], seen, rows[i][2]);
        assert_int_equal(choice.automatic, strchr(rows[i][2], '*') != NULL);
    }
}

TEST(wrong_texts)
{
    static const char *const rows[][3] = {
        {"shared:", "name of an array is missing", "shared:a+b"},
        {"shared:+a", "name of an array is missing", ""},
        {"shared:a+", "name of an array is missing", ""},
        {"shared:a++b", "name of an array is missing", ""},
        {"shared:/8", "name of an array is missing", ""},
        {"shared:a+b+a", "'a' stands there twice", ""},
        {"shared:a/", "1 to 65536", ""},
        {"shared:a/0", "1 to 65536", ""},
        {"shared:a/65537", "1 to 65536", ""},
        {"shared:a/99999999999999999999999999", "1 to 65536", ""},
        {"shared:a/-4", "1 to 65536", ""},
        {"shared:a/4/4", "1 to 65536", ""},
        {"shared:a/4x", "1 to 65536", ""},
        {"shared/", "1 to 65536", ""},
        {"shared@sharpen", "no kernel 'sharpen'", "blur, edge, blur2"},
        {"shared@blu", "no kernel 'blu'", "blur, edge, blur2"},
        {"shared@blur+", "no kernel ''", "blur, edge, blur2"},
        {"shared:a@", "no kernel ''", "blur, edge, blur2"},
        {"shared@blur;shared:x@sharpen", "no kernel 'sharpen'", "blur, edge, blur2"},
        {"shared@edge+sharpen", "no kernel 'sharpen'", "blur, edge, blur2"},
        {"shared;soa", "'soa' is none of", "shared:ARRAY/TILE"},
        {"shared;", "'' is none of", ""},
        {"", "'' is none of", ""},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        pm_stage_choice choice;

        if (parse(rows[i][0], "blur", kernels, KERNELS, &choice, told()) != PM_BAD_INPUT)
            fail_msg("'%s' is taken", rows[i][0]);
        if (!strstr(last_error.text, rows[i][1]) || !strstr(last_error.text, rows[i][2]) ||
            strncmp(last_error.text, rows[i][0], strlen(rows[i][0])) != 0)
            fail_msg("'%s': %s", rows[i][0], last_error.text);
    }
}

/* A wrong item is reported for every kernel to which it applies. */
TEST(each_kernel_reads_its_own)
{
    static const char text[] = "shared:a@blur;shared:a/0@edge";
    pm_stage_choice choice;

    assert_int_equal(parse(text, "blur", kernels, KERNELS, &choice, NULL), PM_OK);
    assert_int_equal(parse(text, "edge", kernels, KERNELS, &choice, NULL), PM_BAD_INPUT);
}

/* If a list of valid names does not fit into the message, it is cut between names. */
TEST(many_kernels)
{
    char names[200][16];
    const char *list[200];
    pm_stage_choice choice;

    for (size_t k = 0; k < 200; k++) {
        snprintf(names[k], sizeof names[k], "kernel_%03zu", k);
        list[k] = names[k];
    }
    assert_int_equal(parse("shared@rest", names[0], list, 200, &choice, told()), PM_BAD_INPUT);
    assert_non_null(strstr(last_error.text, "kernel_000, kernel_001"));
    assert_null(strstr(last_error.text, "kernel_199"));
    assert_true(last_error.text[strlen(last_error.text) - 4] == '_');
}

/* ---- any bytes ---------------------------------------------------------------------------- */

static void random_text(uint64_t *state, char *text, size_t most)
{
    static const char *const words[] = {"shared", ":",  "+", "/",   "@", ";",        "a",   "blur",
                                        "edge",   "16", "0", "soa", "=", "99999999", "aos", "sha"};
    size_t used = random_below(state, 2) ? strlen(strcpy(text, "shared")) : 0;

    while (random_below(state, 6) != 0 && used + 10 < most) {
        if (random_below(state, 10) == 0)
            text[used++] = (char)(1 + random_below(state, 255));
        else
            used += strlen(
                strcpy(text + used, words[random_below(state, sizeof words / sizeof *words)]));
    }
    text[used] = '\0';
}

/* Nothing is written or read out of bounds, a message is one line, and the two parts joined are the
 * original text. */
TEST(any_bytes)
{
    uint64_t generator = 20260;
    size_t good = 0;

    for (size_t i = 0; i < 200000; i++) {
        char text[200], joined[400], *layouts;
        const char *share;
        pm_stage_choice choice;

        random_text(&generator, text, sizeof text);
        if (parse(text, "blur", kernels, KERNELS, &choice, told()) == PM_OK) {
            assert_true(pm_stage_is_text(text));
            assert_true(choice.asked || (!choice.automatic && choice.array_count == 0));
            assert_true(choice.tile <= 65536);
            assert_true(choice.automatic || !choice.asked || choice.array_count > 0);
            good++;
        } else {
            assert_int_equal(last_error.status, PM_BAD_INPUT);
            assert_true(strlen(last_error.text) > 0);
        }
        if (pm_stage_split(text, &layouts, &share, told()) != PM_OK)
            continue;
        assert_int_equal(share != NULL, pm_stage_is_text(text));
        snprintf(joined, sizeof joined, "%s%s%s", layouts, share ? ";" : "", share ? share : "");
        /* a text that only stages arrays is split into the layouts "aos" and the text itself */
        if (!share || strcmp(share, text) != 0)
            assert_string_equal(joined, text);
        else
            assert_string_equal(layouts, "aos");
        free(layouts);
    }
    assert_true(good > 1000);
}
