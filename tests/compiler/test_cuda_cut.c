/* Tests the removal of declarations that do not compile from a CUDA source: the declaration that a
 * message of clang names is removed, and all other text keeps its position, also if the text or the
 * message is cut off.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "compiler/cuda_source/cuda_cut.h"

#include "compiler/cuda_source/preprocessed.h"
#include "unit.h"

/* kernel: the kernel that is launched. after: the text that remains; NULL: nothing is removed. */
typedef struct {
    const char *text, *kernel, *message, *after;
} cut_case;

static const cut_case cases[] = {
    {"int f() { bad; }\nvoid k() { }", "k", "a.cu:1:11: no bad", "int f() ;       \nvoid k() { }"},
    {"int f() { bad; }\nvoid k() { }", "k", "b.cu:1:11: no bad", NULL},
    {"int f() { bad; }\nvoid k() { }", "k", "a.cu:3:1: no bad", NULL},
    {"int f() { bad; }\nvoid k() { }", "k", "a.cu:1:99: no bad", NULL},
    {"int f() { bad; }\nvoid k() { }", "k", "it is bad", NULL},
    {"int f(bad b) { }\nvoid k() { }", "k", "a.cu:1:7: no bad", NULL},
    {"void k() { bad; }", "k", "a.cu:1:12: no bad", NULL},
    {"namespace n { void k() { bad; } }", "n::k<int>", "a.cu:1:26: no bad", NULL},
    {"namespace n { void j() { bad; } int a; }", "n::k", "a.cu:1:26: no bad",
     "namespace n { void j() ;        int a; }"},
    {"struct A { bad b; }; int c;", "k", "a.cu:1:12: no bad", "                     int c;"},
    {"template <class T> struct A { bad b; };", "k", "a.cu:1:31: no bad", NULL},
    {"template <int N = (1 > 2)> void f() { bad; }", "k", "a.cu:1:39: no bad",
     "template <int N = (1 > 2)> void f() ;       "},
    {"int a = 1, b[] = {bad};\nint c;", "k", "a.cu:1:19: no bad",
     "                       \nint c;"},
    {"using namespace bad;\nint c;", "k", "a.cu:1:17: no bad", "                    \nint c;"},
    {"auto *pm_kernel_0 = &bad;", "k", "a.cu:1:22: no bad", NULL},
    {"int f() { /* } */ '}'; \"}\"; // }\nbad; }", "k", "a.cu:2:1: no bad",
     "int f() ;                       \n      "},
    {"#line 7 \"h.cuh\"\nint f() { bad; }\n#line 3 \"a.cu\"\nint g() { bad; }", "k",
     "h.cuh:7:11: no bad",
     "#line 7 \"h.cuh\"\nint f() ;       \n#line 3 \"a.cu\"\nint g() { bad; }"},
    {"#line 7 \"h.cuh\"\nint f() { bad; }\n#line 3 \"a.cu\"\nint g() { bad; }", "k",
     "a.cu:3:11: no bad",
     "#line 7 \"h.cuh\"\nint f() { bad; }\n#line 3 \"a.cu\"\nint g() ;       "},
    {"int f() {\n#include \"no.h\"\n}", "k", "a.cu:2:10: 'no.h' file not found", NULL},
    {"int f() {\n#if X\nbad;\n#endif\n}", "k", "a.cu:3:1: no bad",
     "int f() ;\n#if X\n    \n#endif\n "},
};

static bool cut(const cut_case *c, char *text, const char *message)
{
    const char *kernels[] = {c->kernel};
    const pm_cuda_request request = {.path = "a.cu", .kernels = kernels, .kernel_count = 1};

    return pm_cuda_cut(&request, text, message);
}

TEST(what_a_message_is_about_goes)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const cut_case *c = &cases[i];
        char *text = strcpy(room(strlen(c->text) + 1, 1), c->text);

        if (cut(c, text, c->message) != (c->after != NULL))
            fail_msg("of %s is left %s", c->text, text);
        assert_string_equal(text, c->after ? c->after : c->text);
    }
}

/* Each text is cut off after each of its characters, and must keep its lines. */
TEST(texts_that_end_anywhere_keep_their_lines)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (size_t length = 0; length <= strlen(cases[i].text); length++)
            for (unsigned column = 1; column <= length + 1; column++) {
                char *text = need(strndup(cases[i].text, length)), message[64];

                snprintf(message, sizeof message, "a.cu:1:%u: no bad", column);
                cut(&cases[i], text, message);
                assert_int_equal(strlen(text), length);
                for (size_t at = 0; at < length; at++)
                    assert_true((text[at] == '\n') == (cases[i].text[at] == '\n'));
                free(text);
            }
}

/* Line markers follow the order of the files. The folder of cuda_runtime.h counts as the
 * toolkit's. */
TEST(markers_of_a_preprocessor)
{
    static const struct {
        const char *line, *path;
        unsigned number;
        bool is, leaves_out;
    } lines[] = {
        {"# 1 \"a.cu\"", "a.cu", 1, true, false},
        {"# 12 \"/opt/t/crt/x.h\" 1", "/opt/t/crt/x.h", 12, true, false},
        {"# 1 \"/opt/t/cuda_runtime.h\" 1", "/opt/t/cuda_runtime.h", 1, true, true},
        {"# 12 \"/opt/t/crt/x.h\" 1", "/opt/t/crt/x.h", 12, true, true},
        {"# 3 \"/opt/u.h\" 2", "/opt/u.h", 3, true, false},
        {"# 3 \"/opt/u.h\" 2 3 4", "/opt/u.h", 3, true, true},
        {"# 0 \"<built-in>\"", "<built-in>", 0, true, true},
        {"# 3 \"u", "", 0, false, true},
        {"# u", "", 0, false, true},
        {"#define A", "", 0, false, true},
        {"", "", 0, false, true},
        {"# 3 \"/a/path/that/does/not/fit.h\"", "", 0, false, true},
    };
    pm_preprocessed p = {.toolkit = ""};

    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        char path[24] = "";
        unsigned number = 0;

        assert_int_equal(pm_preprocessed_marker(&p, lines[i].line, strlen(lines[i].line), &number,
                                                path, sizeof path),
                         lines[i].is);
        assert_string_equal(path, lines[i].path);
        assert_int_equal(number, lines[i].number);
        assert_int_equal(p.leaves_out, lines[i].leaves_out);
    }
}

TEST_MAIN(NULL, NULL)
