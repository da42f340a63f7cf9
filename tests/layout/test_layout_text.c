/* Tests the parser of layout texts such as "soa": the meaning of valid texts, the error messages
 * for wrong ones, and that no random bytes do harm.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "layout_fixture.h"
#include "owned.h"

/* ---- one layout --------------------------------------------------------------------------- */

/* A struct with three fields, one of them in a nested struct. */
static pm_struct body(void)
{
    pm_struct s = {.name = "Body", .bytes = 12, .align = 4};

    add_field(&s, "p.x", "float", 4, 0, NULL);
    add_field(&s, "p.y", "float", 4, 4, NULL);
    add_field(&s, "mass", "float", 4, 8, NULL);
    return s;
}

TEST(right_texts)
{
    static const char *const texts[][2] = {
        {"aos", "aos"},
        {"aos-align", "aos-align"},
        {"aos-align8", "aos-align8"},
        {"soa", "soa"},
        {"asta:2", "asta:2"},
        {"asta:0032", "asta:32"},
        {"asta:65536", "asta:65536"},
        {"cluster:3", "cluster:p_x+p_y+mass"},
        {"cluster:2-1", "cluster:p_x+p_y/mass"},
        {"cluster:1-1-1", "cluster:p_x/p_y/mass"},
        {"cluster:p.x+mass/p.y", "cluster:p_x+mass/p_y"},
        {"cluster-align:mass+p_y/p_x", "cluster-align:mass+p_y/p_x"},
        {"cluster-align8:2-1", "cluster-align8:p_x+p_y/mass"},
    };
    pm_struct s = body();

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        pm_layout layout;

        if (try_parse(texts[i][0], &s, &layout, told()) != PM_OK)
            fail_msg("%s: %s", texts[i][0], last_error.text);
        assert_string_equal(layout_text(&layout, &s), texts[i][1]);
    }
}

TEST(what_they_mean)
{
    pm_struct s = body();
    pm_layout layout;

    assert_int_equal(try_parse("cluster-align8:mass/p.y+p.x", &s, &layout, NULL), PM_OK);
    assert_int_equal(layout.kind, PM_LAYOUT_CLUSTER);
    assert_int_equal(layout.align, 8);
    assert_int_equal(layout.cluster_count, 2);
    assert_int_equal(layout.clusters[0].count, 1);
    assert_int_equal(layout.clusters[0].fields[0], 2);
    assert_int_equal(layout.clusters[1].count, 2);
    assert_int_equal(layout.clusters[1].fields[0], 1);
    assert_int_equal(layout.clusters[1].fields[1], 0);
    assert_int_equal(try_parse("asta:64", &s, &layout, NULL), PM_OK);
    assert_int_equal(layout.kind, PM_LAYOUT_ASTA);
    assert_int_equal(layout.tile, 64);
}

/* If a layout's name is also the path of another field, the path is used. */
TEST(names_that_are_paths)
{
    pm_struct s = {.name = "S", .bytes = 8, .align = 4};
    pm_layout layout;

    add_field(&s, "a.b", "int", 4, 0, NULL);
    add_field(&s, "a_b", "int", 4, 4, NULL);
    s.fields[1].name = "a_b_2";
    assert_int_equal(pm_struct_field(&s, "a_b"), 1);
    assert_int_equal(pm_struct_field(&s, "a_b_2"), 1);
    assert_int_equal(pm_struct_field(&s, "a.b"), 0);
    assert_int_equal(pm_struct_field(&s, "c"), 2);
    assert_int_equal(try_parse("cluster:1-1", &s, &layout, NULL), PM_OK);
    assert_string_equal(layout_text(&layout, &s), "cluster:a.b/a_b_2");
}

static const char kinds[] = "aos, aos-align, aos-align8, soa, asta:TILE, cluster:FIELDS, "
                            "cluster-align:FIELDS, cluster-align8:FIELDS";

TEST(wrong_texts)
{
    const struct {
        const char *text, *says;
    } rows[] = {
        {"", kinds},
        {"AOS", kinds},
        {"aos ", kinds},
        {"soaa", kinds},
        {"so", kinds},
        {"aos-align16", kinds},
        {":", kinds},
        {"soa:1", "nothing stands behind soa"},
        {"aos:", "nothing stands behind aos"},
        {"asta", "asta:32"},
        {"asta:", "power of two from 2 to 65536"},
        {"asta:0", "power of two"},
        {"asta:1", "power of two"},
        {"asta:3", "power of two"},
        {"asta:-2", "power of two"},
        {"asta:2x", "power of two"},
        {"asta:2:2", "power of two"},
        {"asta:131072", "power of two"},
        {"asta:18446744073709551618", "power of two"},
        {"asta:99999999999999999999999999999999999999", "power of two"},
        {"cluster", "cluster:a+b/c"},
        {"cluster:", "no field \"\"; it has: p.x, p.y, mass"},
        {"cluster:p.z+mass", "no field \"p.z\"; it has: p.x, p.y, mass"},
        {"cluster:p", "no field \"p\"; it has: p.x, p.y, mass"},
        {"cluster:p.x+p.y+mass/", "no field \"\""},
        {"cluster:p.x++p.y+mass", "no field \"\""},
        {"cluster:p.x+p.y", "field mass of struct Body is in no cluster"},
        {"cluster:p.x+p.y/p_x+mass", "field p.x of struct Body stands twice"},
        {"cluster:3-", "add up to the 3"},
        {"cluster:4", "add up to the 3"},
        {"cluster:2", "add up to the 3"},
        {"cluster:2-2", "add up to the 3"},
        {"cluster:0-3", "add up to the 3"},
        {"cluster:1-0-2", "add up to the 3"},
        {"cluster:1+2", "add up to the 3"},
        {"cluster:1--2", "add up to the 3"},
        {"cluster:18446744073709551617-2", "add up to the 3"},
        {"cluster:p.x+p.y/mass;", "no field \"mass;\""},
    };
    pm_struct s = body();

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        pm_layout layout;

        assert_int_equal(try_parse(rows[i].text, &s, &layout, told()), PM_BAD_INPUT);
        assert_int_equal(last_error.status, PM_BAD_INPUT);
        if (!strstr(last_error.text, rows[i].says))
            fail_msg("\"%s\": \"%s\" says nothing of \"%s\"", rows[i].text, last_error.text,
                     rows[i].says);
    }
}

/* Messages with long names and long lists are cut at the end and not lost. */
TEST(hostile_lengths)
{
    const size_t length = 1 << 20;
    char *text = owned_memory(malloc(length + 1));
    pm_struct s = {.name = "Long", .bytes = 4096, .align = 4};
    pm_layout layout;

    for (size_t f = 0; f < 1000; f++) {
        char name[32];

        snprintf(name, sizeof name, "field_number_%zu", f);
        add_field(&s, name, "float", 4, 4 * f, NULL);
    }
    memset(text, 'x', length);
    text[length] = '\0';
    assert_int_equal(try_parse(text, &s, &layout, told()), PM_BAD_INPUT);
    assert_non_null(strstr(last_error.text, kinds));
    memcpy(text, "cluster:", 8);
    assert_int_equal(try_parse(text, &s, &layout, told()), PM_BAD_INPUT);
    assert_non_null(strstr(last_error.text, "field_number_0, field_number_1"));
    assert_non_null(strstr(last_error.text, "..."));
    memset(text + 8, '+', length - 8);
    assert_int_equal(try_parse(text, &s, &layout, told()), PM_BAD_INPUT);
    memset(text + 8, '1', length - 8);
    assert_int_equal(try_parse(text, &s, &layout, told()), PM_BAD_INPUT);
    memcpy(text, "asta:", 5);
    assert_int_equal(try_parse(text, &s, &layout, told()), PM_BAD_INPUT);
}

/* ---- several ------------------------------------------------------------------------------ */

static const char *const kernels[] = {"force", "density", "move"};

static pm_structs two_structs(void)
{
    pm_structs structs = {2, pm_take(&trials, 2, sizeof(pm_struct))};

    structs.items[0] = body();
    structs.items[1] = particle();
    return structs;
}

static void expect_found(const char *text, const pm_struct *s, const char *kernel, const char *want)
{
    pm_layout layout;
    const char *got;

    if (try_find(text, s, kernel, &layout, told()) != PM_OK)
        fail_msg("%s: %s", text, last_error.text);
    got = layout_text(&layout, s);
    if (strcmp(got, want) != 0)
        fail_msg("\"%s\" for %s in %s is %s, not %s", text, s->name, kernel ? kernel : "any", got,
                 want);
}

TEST(the_last_that_fits)
{
    pm_structs structs = two_structs();
    const pm_struct *b = &structs.items[0], *p = &structs.items[1];

    expect_found("soa", b, "force", "soa");
    expect_found("soa", p, NULL, "soa");
    expect_found("Particle=soa", b, "force", "aos");
    expect_found("Particle=soa", p, "force", "soa");
    expect_found("aos;soa@force", p, "force", "soa");
    expect_found("aos;soa@force", p, "forces", "aos");
    expect_found("aos;soa@force", p, "forc", "aos");
    expect_found("aos;soa@force", p, NULL, "aos");
    expect_found("soa@force;aos", p, "force", "aos");
    expect_found("soa@force+move", p, "move", "soa");
    expect_found("soa@force+move", p, "density", "aos");
    expect_found("asta:4;Body=cluster-align:2-1@density;Particle=aos-align@density", b, "density",
                 "cluster-align:p_x+p_y/mass");
    expect_found("asta:4;Body=cluster-align:2-1@density;Particle=aos-align@density", p, "density",
                 "aos-align");
    expect_found("asta:4;Body=cluster-align:2-1@density;Particle=aos-align@density", p, "move",
                 "asta:4");
    /* A field that is missing in another struct than Body is not reported for Body. */
    expect_found("cluster:3-3-3-2;Body=soa", b, "force", "soa");
}

TEST(check_texts)
{
    static const struct {
        const char *text, *says; /* NULL: no fault */
    } rows[] = {
        {"soa", NULL},
        {"aos;soa@force+density", NULL},
        {"Particle=cluster:3-3-3-2;Body=2", "no layout \"2\""},
        {"Particle=cluster:3-3-3-2;Body=cluster:2-1", NULL},
        {"cluster:3-3-3-2;Body=soa", NULL},
        {"cluster:3-3-3-2", "add up to the 3 of struct Body, as in 2-1; a layout for one struct "
                            "alone is STRUCT=LAYOUT"},
        {"cluster:nothing;soa", "no field \"nothing\""},
        {"", "an empty one"},
        {";", "an empty one"},
        {"soa;", "an empty one"},
        {";soa", "an empty one"},
        {"soa;;aos", "an empty one"},
        {"Particle=", "an empty one"},
        {"@force", "an empty one"},
        {"Particle=@force", "an empty one"},
        {"=soa", "struct \"\"; they do of: Body, Particle"},
        {"Cell=soa", "struct \"Cell\"; they do of: Body, Particle"},
        {"particle=soa", "they do of: Body, Particle"},
        {"soa@", "no kernel \"\"; there are: force, density, move"},
        {"soa@forces", "no kernel \"forces\"; there are: force, density, move"},
        {"soa@force+", "no kernel \"\""},
        {"soa@force@move", "no kernel \"force@move\""},
        {"Body=Particle=soa", "no layout \"Particle=soa\""},
        {"soa;wrong@move", "no layout \"wrong\""},
    };
    pm_structs structs = two_structs();

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        pm_status status = try_check(rows[i].text, &structs, kernels, 3, told());

        if (status != (rows[i].says ? PM_BAD_INPUT : PM_OK))
            fail_msg("\"%s\": status %d, %s", rows[i].text, (int)status, last_error.text);
        if (rows[i].says && !strstr(last_error.text, rows[i].says))
            fail_msg("\"%s\": \"%s\" says nothing of \"%s\"", rows[i].text, last_error.text,
                     rows[i].says);
    }
}

TEST(copies_of_structs)
{
    pm_structs structs = two_structs(), copy = pm_structs_copy(own_memory(), &structs);

    pm_memory_free(&trials); /* has the originals */
    assert_int_equal(copy.count, 2);
    assert_string_equal(copy.items[1].name, "Particle");
    assert_int_equal(copy.items[1].field_count, 11);
    assert_string_equal(copy.items[1].fields[10].path, "pressure");
    assert_int_equal(copy.items[1].fields[10].offset, 40);
}

/* ---- any bytes ---------------------------------------------------------------------------- */

static void random_text(uint64_t *state, char *text, size_t size)
{
    static const char *const words[] = {
        "aos", "soa",  "asta",  "cluster", "-align",      "-align8",   ":",     "+",       "/",
        "-",   ";",    "@",     "=",       "1",           "2",         "3",     "11",      "p.x",
        "p_y", "mass", "force", "density", "Body",        "Particle",  "pos_x", "density", "\x80",
        "\n",  " ",    "64",    "aos;",    "cluster:2-1", "soa@force", "Body=", "asta:2",  ""};
    size_t used = 0;

    text[0] = '\0';
    for (size_t i = random_below(state, 9); i > 0 && used < size - 32; i--)
        used += (size_t)snprintf(text + used, size - used, "%s",
                                 words[random_below(state, sizeof words / sizeof *words)]);
}

/* An accepted text must have a canonical text with the same meaning. A refused text must have an
 * error of one line. */
TEST(random_texts)
{
    pm_structs structs = two_structs();
    uint64_t generator = 11;
    size_t taken = 0, sets = 0;

    for (size_t round = 0; round < 60000; round++) {
        const pm_struct *s = &structs.items[round % 2];
        pm_layout layout, again;
        char text[320];
        const char *canonical;

        random_text(&generator, text, sizeof text);
        sets += try_check(text, &structs, kernels, 3, told()) == PM_OK;
        if (try_parse(text, s, &layout, told()) != PM_OK) {
            assert_true(last_error.status == PM_BAD_INPUT && *last_error.text &&
                        !strchr(last_error.text, '\n'));
            continue;
        }
        taken++;
        canonical = layout_text(&layout, s);
        assert_int_equal(try_parse(canonical, s, &again, told()), PM_OK);
        assert_string_equal(canonical, layout_text(&again, s));
        try_plan(s, &layout, told());
    }
    assert_true(taken > 100 && sets > 100); /* otherwise the test would test nothing */
}
