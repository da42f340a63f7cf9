/* The instruction mix of IR: words of 64-bit integers, pipes of integers, small integers that
 * become floating point, and constants.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "mix_fixture.h"

#define LOADED                                                                                     \
    "%a = load i64, ptr addrspace(1) %p\n%q = getelementptr i64, ptr addrspace(1) %p, i64 1\n"     \
    "%b = load i64, ptr addrspace(1) %q\n"

/* Returns the machine instructions of code on two loaded longs. The result, %r, is stored. */
static double words_of(const char *operations)
{
    char body[512];
    pm_mix mix;

    snprintf(body, sizeof body, "%s%s%s", LOADED, operations,
             "store i64 %r, ptr addrspace(1) %p\n" END);
    mix = mix_of("ptr addrspace(1) %p", body);
    assert_float_equal(mix.memory, 3.0, 0.0);
    assert_float_equal(mix.total, mix.integer + mix.memory + ENDS, 0.0);
    return mix.integer;
}

/* A word is computed if an instruction uses it and its value is not known at compile time. */
TEST(test_words_of_longs)
{
    static const struct {
        const char *operations;
        double want;
    } cases[] = {
        {"%r = xor i64 %a, %b\n", 2},
        {"%r = add i64 %a, %b\n", 2},
        {"%r = sub i64 %a, %b\n", 2},
        {"%r = or i64 %a, 4096\n", 1},                        /* the high word stays */
        {"%r = or i64 %a, 17592186044416\n", 1},              /* the low one */
        {"%r = or i64 %a, 17592186048512\n", 2},              /* bits in both */
        {"%r = and i64 %a, -4294967294\n", 1},                /* all bits of the high word */
        {"%s = lshr i64 %a, 5\n%r = and i64 %s, 1\n", 1 + 1}, /* the high word is zero */
        {"%s = lshr i64 %a, 5\n%r = xor i64 %s, %b\n", 2 + 2},
        {"%r = lshr i64 %a, 5\n", 2},
        {"%r = lshr i64 %a, 32\n", 0}, /* another register */
        {"%r = shl i64 %a, 32\n", 0},
        {"%r = lshr i64 %a, 40\n", 1},
        {"%r = shl i64 %a, 40\n", 1},
        {"%s = shl i64 %a, 32\n%r = or i64 %s, %b\n", 1}, /* the low word is b's */
    };

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        double words = words_of(cases[c].operations);

        if (words != cases[c].want)
            fail_msg("%s is %g machine instructions, should be %g", cases[c].operations, words,
                     cases[c].want);
    }
}

#define PIPES_OF(operations)                                                                       \
    mix_of("ptr addrspace(1) %p, ptr addrspace(1) %q",                                             \
           "%a = load i32, ptr addrspace(1) %p\n%b = load i32, ptr addrspace(1) %q\n" operations   \
           "store i32 %r, ptr addrspace(1) %p\n" END)

TEST(test_pipes)
{
    pm_mix product = PIPES_OF("%r = mul i32 %a, %b\n");
    pm_mix fused = PIPES_OF("%s = mul i32 %a, %b\n%r = add i32 %s, %a\n");
    pm_mix logic = PIPES_OF("%r = xor i32 %a, %b\n");
    pm_mix sum = PIPES_OF("%r = add i32 %a, %b\n");
    pm_mix left = PIPES_OF("%r = shl i32 %a, 3\n");
    pm_mix right = PIPES_OF("%r = lshr i32 %a, 3\n");
    const pm_mix *const products[] = {&product, &fused}, *const logics[] = {&logic, &right},
                        *const eithers[] = {&sum, &left};

    for (size_t i = 0; i < 2; i++) {
        assert_float_equal(products[i]->integer, 1.0, 0.0);
        assert_float_equal(products[i]->fma, 1.0, 0.0);
        assert_float_equal(products[i]->fmaheavy, 1.0, 0.0);
        assert_float_equal(products[i]->alu + products[i]->either, 0.0, 0.0);
        assert_float_equal(logics[i]->alu, 1.0, 0.0);
        assert_float_equal(logics[i]->fma + logics[i]->either, 0.0, 0.0);
        assert_float_equal(eithers[i]->either, 1.0, 0.0);
        assert_float_equal(eithers[i]->alu + eithers[i]->fma, 0.0, 0.0);
    }
}

TEST(test_small_integers_to_float)
{
    static const struct {
        const char *argument, *body;
        double special;
    } cases[] = {
        {"i8 %a", "%x = uitofp i8 %a to float\n" END, 1},
        {"i16 %a", "%x = sitofp i16 %a to float\n" END, 1},
        {"i32 %a", "%x = sitofp i32 %a to float\n" END, 0},
        {"i32 %a", "%x = uitofp i32 %a to float\n" END, 0},
    };

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        pm_mix mix = mix_of(cases[c].argument, cases[c].body);

        assert_float_equal(mix.special, cases[c].special, 0.0);
        assert_float_equal(mix.conversion, 1.0, 0.0);
    }
}

/* Costs on GPUs without a 32-bit multiplier, as in code of NVRTC 11.8 for sm_52 and sm_61. Other
 * capabilities keep their costs. */
TEST(test_no_multiplier)
{
    const char *product = ID "%x = mul i32 %id, %n\n%y = mul i32 %id, %x\nret void\n";
    const char *soa = ID WIDE "%a = getelementptr float, ptr addrspace(1) %p, i64 %wide\n"
                              "%x = load float, ptr addrspace(1) %a\n"
                              "%b = getelementptr float, ptr addrspace(1) %q, i64 %wide\n"
                              "%y = load float, ptr addrspace(1) %b\n"
                              "%c = getelementptr float, ptr addrspace(1) %r, i64 %wide\n"
                              "%z = load float, ptr addrspace(1) %c\n" END;
    const char *aos = ID WIDE "%a = getelementptr [3 x float], ptr addrspace(1) %p, i64 %wide\n"
                              "%x = load float, ptr addrspace(1) %a\n"
                              "%b = getelementptr i8, ptr addrspace(1) %a, i64 4\n"
                              "%y = load float, ptr addrspace(1) %b\n" END;
    const char *aligned = ID WIDE "%a = getelementptr <4 x float>, ptr addrspace(1) %p, i64 %wide\n"
                                  "%x = load float, ptr addrspace(1) %a\n" END;
    static const char arguments[] =
        "ptr addrspace(1) %p, ptr addrspace(1) %q, ptr addrspace(1) %r, i32 %n";

    for (unsigned capability = 52; capability <= 61; capability += 9) {
        assert_float_equal(mix_on(capability, arguments, product).integer, 6.0, 0.0);
        assert_float_equal(mix_on(capability, arguments, product).beside, 2.0, 0.0);
        assert_float_equal(mix_on(capability, arguments, soa).integer, 4.0 + 2.0 + 2.0, 0.0);
        assert_float_equal(mix_on(capability, arguments, aos).integer, 10.0, 0.0);
        assert_float_equal(mix_on(capability, arguments, aligned).integer, 3.0, 0.0);
    }
    for (unsigned capability = 0; capability <= 90; capability += 90) {
        assert_float_equal(mix_on(capability, arguments, product).integer, 2.0, 0.0);
        assert_float_equal(mix_on(capability, arguments, soa).integer, 3.0, 0.0);
        assert_float_equal(mix_on(capability, arguments, aos).integer, 1.0, 0.0);
        assert_float_equal(mix_on(capability, arguments, aligned).integer, 1.0, 0.0);
        assert_float_equal(mix_on(capability, arguments, aos).beside, 0.0, 0.0);
    }
}

TEST(test_constants)
{
    pm_mix known = mix_of("ptr addrspace(1) %p",
                          "%g = getelementptr [8 x i32], ptr addrspace(4) @table, i32 0, i32 5\n"
                          "%a = load i32, ptr addrspace(4) %g\n"
                          "store i32 %a, ptr addrspace(1) %p\n" END);
    pm_mix first = mix_of("ptr addrspace(1) %p", "%a = load i32, ptr addrspace(4) @table\n"
                                                 "store i32 %a, ptr addrspace(1) %p\n" END);
    pm_mix chosen = mix_of("ptr addrspace(1) %p", ID
                           "%g = getelementptr [8 x i32], ptr addrspace(4) @table, i32 0, i32 %id\n"
                           "%a = load i32, ptr addrspace(4) %g\n"
                           "store i32 %a, ptr addrspace(1) %p\n" END);
    pm_mix given = mix_of("ptr addrspace(1) %p, ptr addrspace(4) %q",
                          "%g = getelementptr i32, ptr addrspace(4) %q, i32 5\n"
                          "%a = load i32, ptr addrspace(4) %g\n"
                          "store i32 %a, ptr addrspace(1) %p\n" END);

    assert_float_equal(known.memory, 1.0, 0.0);
    assert_float_equal(known.total, 1.0 + ENDS, 0.0);
    assert_float_equal(first.memory, 1.0, 0.0);
    assert_float_equal(chosen.memory, 2.0, 0.0);
    assert_float_equal(given.memory, 2.0, 0.0);
}
