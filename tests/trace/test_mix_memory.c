/* Tests the counted instructions for addresses, joined atomics, products that several instructions
 * use, and kernel arguments. The expected numbers are those of ptxas 13.0 for sm_90.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/backend/control_flow/structure.h"
#include "mix_fixture.h"

#define POINTERS "ptr addrspace(1) %p, ptr addrspace(1) %q, ptr addrspace(1) %r"
/* A kernel with one address in the entry, and a block that only some work-items enter. */
#define BRANCH                                                                                     \
    ID "%i = sext i32 %id to i64\n%a = getelementptr float, ptr addrspace(1) %p, i64 %i\n"         \
       "%x = load float, ptr addrspace(1) %a\n%c = fcmp olt float %x, 1.0\n"                       \
       "br i1 %c, label %then, label %done\n"                                                      \
       "then:\n"
#define DONE "br label %done\ndone:\nret void\n"
#define STORE(to, base)                                                                            \
    "%" to " = getelementptr float, ptr addrspace(1) %" base ", i64 %i\n"                          \
    "store float %x, ptr addrspace(1) %" to "\n"

static double integers_of(const char *body)
{
    return mix_of(POINTERS, body).integer;
}

TEST(test_far_addresses)
{
    const double near = integers_of(BRANCH DONE);

    /* LEA, LEA.HI.X, and an instruction for the sign's word */
    assert_float_equal(integers_of(BRANCH STORE("b", "q") DONE) - near, 3.0, 0.0);
    /* SHL, SHF, two additions of two words, and an instruction for the sign's word */
    assert_float_equal(integers_of(BRANCH STORE("b", "q") STORE("d", "r") DONE) - near, 7.0, 0.0);
    /* the address is computed in the entry block: IMAD.WIDE */
    assert_float_equal(integers_of(BRANCH STORE("b", "p") DONE) - near, 0.0, 0.0);
}

TEST(test_sign_is_made_once)
{
    const char *twice =
        BRANCH STORE("b", "q") "%e = fcmp olt float %x, 0.0\n"
                               "br i1 %e, label %more, label %done\nmore:\n" STORE("d", "r") DONE;

    assert_float_equal(integers_of(twice) - integers_of(BRANCH STORE("b", "q") DONE), 2.0, 0.0);
}

TEST(test_not_far)
{
    const double near = integers_of(BRANCH DONE);
    const char *neighbours =
        BRANCH "%b = getelementptr float, ptr addrspace(1) %q, i64 %i\n"
               "%d = getelementptr i8, ptr addrspace(1) %b, i64 4\n"
               "store float %x, ptr addrspace(1) %b\nstore float %x, ptr addrspace(1) %d\n" DONE;
    const char *odd = ID "%i = sext i32 %id to i64\n"
                         "%a = getelementptr [3 x float], ptr addrspace(1) %p, i64 %i\n"
                         "%x = load float, ptr addrspace(1) %a\n%c = fcmp olt float %x, 1.0\n"
                         "br i1 %c, label %then, label %done\nthen:\n"
                         "%b = getelementptr [3 x float], ptr addrspace(1) %q, i64 %i\n"
                         "store float %x, ptr addrspace(1) %b\n" DONE;

    assert_float_equal(integers_of(neighbours) - near, 1.0, 0.0);
    assert_float_equal(integers_of(odd) - near, 1.0, 0.0); /* LEA cannot scale by 12 */
}

#define ADD(kind, pointer, value)                                                                  \
    ID "%r = atomicrmw " kind " ptr addrspace(1) " pointer ", i32 " value " monotonic\n"

TEST(test_joined_atomics)
{
    const char *arguments = "ptr addrspace(1) %p, i32 %n";
    const double plain = 1.0 + IDS + ENDS;

    assert_float_equal(mix_of(arguments, ADD("add", "%p", "1") END).total, plain + 5, 0.0);
    assert_float_equal(mix_of(arguments, ADD("add", "%p", "%n") END).total, plain + 6, 0.0);
    assert_float_equal(mix_of(arguments, ADD("max", "%p", "%id") END).total, plain + 6, 0.0);
    assert_float_equal(
        mix_of(arguments, ADD("add", "%p", "1") "store i32 %r, ptr addrspace(1) %p\n" END).total,
        plain + 1 + 10, 0.0);
    /* not combined: different values with a used result, an exchange, and different addresses */
    assert_float_equal(
        mix_of(arguments, ADD("add", "%p", "%id") "store i32 %r, ptr addrspace(1) %p\n" END).total,
        plain + 1, 0.0);
    assert_float_equal(mix_of(arguments, ADD("xchg", "%p", "1") END).total, plain, 0.0);
    assert_float_equal(mix_of(arguments,
                              ID "%a = getelementptr i32, ptr addrspace(1) %p, i32 %id\n"
                                 "%r = atomicrmw add ptr addrspace(1) %a, i32 1 monotonic\n" END)
                           .total,
                       plain + 1, 0.0);
    assert_float_equal(
        mix_of("", ID "%r = atomicrmw add ptr addrspace(3) @tile, i32 1 monotonic\n" END).total,
        plain, 0.0);
}

TEST(test_products_of_several_sums)
{
    const char *arguments = "ptr addrspace(1) %p, i32 %n, i32 %k";
    pm_mix sums = mix_of(arguments, ID "%m = mul i32 %id, %n\n%s = add i32 %m, %k\n"
                                       "%t = add i32 %m, %id\nstore i32 %s, ptr addrspace(1) %p\n"
                                       "store i32 %t, ptr addrspace(1) %p\n" END);
    pm_mix stored = mix_of(arguments, ID "%m = mul i32 %id, %n\n%s = add i32 %m, %k\n"
                                         "store i32 %s, ptr addrspace(1) %p\n"
                                         "store i32 %m, ptr addrspace(1) %p\n" END);

    assert_float_equal(sums.integer, 2.0, 0.0);
    assert_float_equal(sums.fmaheavy, 2.0, 0.0);
    assert_float_equal(stored.integer, 2.0, 0.0);
    assert_float_equal(stored.fmaheavy, 1.0, 0.0);
}

TEST(test_moves_of_constants)
{
    const char *pointer = "ptr addrspace(1) %p, i32 %n";
    pm_mix lanes =
        mix_of(pointer, ID "%s = shl i32 1, %id\nstore i32 %s, ptr addrspace(1) %p\n" END);
    pm_mix uniform = mix_of(pointer, "%s = shl i32 1, %n\nstore i32 %s, ptr addrspace(1) %p\n" END);
    pm_mix wide_id =
        mix_of("ptr addrspace(1) %p, i32 %a, i32 %b",
               ID "%x = zext i32 %a to i64\n%y = zext i32 %b to i64\n%m = mul i64 %x, %y\n"
                  "%z = zext i32 %id to i64\n%s = add i64 %m, %z\n"
                  "store i64 %s, ptr addrspace(1) %p\n" END);

    assert_float_equal(lanes.total, 2 + 1 + IDS + ENDS, 0.0); /* MOV, SHF */
    assert_float_equal(lanes.integer, 1.0, 0.0);
    assert_float_equal(uniform.total, 2 + 1 + ENDS, 0.0); /* UMOV, USHF */
    assert_float_equal(uniform.integer, 0.0, 0.0);
    assert_float_equal(wide_id.total, 2 + 1 + IDS + ENDS, 0.0); /* MOV, IMAD.WIDE */
}

TEST(test_choices_of_two_words)
{
    pm_mix mix = mix_of("ptr addrspace(1) %p, i64 %a", ID WIDE
                        "%m = call i64 @llvm.umax.i64(i64 %wide, i64 %a)\n"
                        "%n = call i64 @llvm.umax.i64(i64 %m, i64 7)\n"
                        "store i64 %n, ptr addrspace(1) %p\n" END
                        "}\ndeclare i64 @llvm.umax.i64(i64, i64)\ndefine void @g() {\nret void\n");
    pm_mix one =
        mix_of("ptr addrspace(1) %p, i64 %a", ID WIDE
               "%m = call i64 @llvm.umax.i64(i64 %wide, i64 %a)\n"
               "store i64 %m, ptr addrspace(1) %p\n" END "}\ndeclare i64 @llvm.umax.i64(i64, i64)\n"
               "define void @g() {\nret void\n");

    assert_float_equal(mix.total - one.total, 4.0, 0.0);
}

static double entry_of(const char *arguments, const char *body)
{
    LLVMValueRef kernel = parse(arguments, body);
    pm_memory memory = {0};
    pm_structure structure = pm_structure_find(kernel, NULL, &memory);
    pm_mix mix = {0};

    for (uint32_t k = 0; k < structure.count; k++)
        structure.segments[k].stretch = k;
    pm_mix_add_entry(read_costs(), kernel, &structure, &mix);
    pm_memory_free(&memory);
    return mix.total - pm_costs_row(read_costs(), PM_COST_entry)->total;
}

TEST(test_arguments)
{
    const char *sum = ID "%s = add i32 %a, %b\nstore i32 %s, ptr addrspace(1) %p\n" END;

    assert_float_equal(entry_of("ptr addrspace(1) %p, i32 %a, i32 %b", sum), 2.0, 0.0);
    assert_float_equal(entry_of("ptr addrspace(1) %p, i32 %a, float %f, i32 %b", sum), 3.0, 0.0);
    assert_float_equal(entry_of("ptr addrspace(1) %p", END), 0.0, 0.0);
    /* p is used only in the entry, q and r in the other block */
    assert_float_equal(entry_of(POINTERS, BRANCH STORE("b", "q") STORE("d", "r") DONE), 3.0, 0.0);
    /* p in both */
    assert_float_equal(entry_of(POINTERS,
                                BRANCH "%b = getelementptr float, ptr addrspace(1) %p, i64 7\n"
                                       "store float %x, ptr addrspace(1) %b\n" DONE),
                       2.0, 0.0);
}

TEST(test_arguments_in_loops)
{
    const char *loop = "br label %loop\nloop:\n%k = phi i64 [0, %0], [%n, %next]\n"
                       "%a = getelementptr float, ptr addrspace(1) %p, i64 %k\n"
                       "%x = load float, ptr addrspace(1) %a\n%c = fcmp olt float %x, 1.0\n"
                       "br i1 %c, label %next, label %done\n"
                       "next:\n%b = getelementptr float, ptr addrspace(1) %p, i64 %k\n"
                       "store float %x, ptr addrspace(1) %b\n%n = add i64 %k, 1\n"
                       "br label %loop\ndone:\nret void\n";

    assert_float_equal(entry_of("ptr addrspace(1) %p", loop), 1.0, 0.0);
}
