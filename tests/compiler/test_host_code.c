/* Tests the removal of host code from CUDA sources: host code is replaced by blanks, other code,
 * lines and directives keep their positions, also if the text is cut off.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "compiler/cuda_source/host_code.h"

#include <ctype.h>

#include "unit.h"

/* A source with words that must remain and words that must be removed, separated by blanks. */
typedef struct {
    const char *text, *stay, *go;
} host_case;

static const host_case cases[] = {
    {"__global__ void k(int *a) { a[0] = dev; }", "k dev", ""},
    {"int main() { host(); }", "", "main host"},
    {"static int f(int n)\n{\n    if (n) { gone; }\n    return more;\n}\n__device__ int g();", "g",
     "gone more"},
    {"__device__ int g() { return dev; }\nint h() { return host; }", "g dev", "h host"},
    {"__host__ __device__ int g() { return both; }", "both", ""},
    {"__host__ int g() { return host; }", "", "host"},
    {"constexpr int size() { return kept; }", "size kept", ""},
    {"template <typename T, int N = (3 > 2)> void f(T t) { gone; }\n__global__ void k() { dev; }",
     "k dev", "gone typename"},
    {"template <class T> __global__ void k(T *t) { dev; }", "class k dev", ""},
    {"template void f<int>(const int *gone);", "", "gone"},
    {"template __global__ void k<int>(int *kept);", "kept", ""},
    {"#define BOTH __host__ __device__\nBOTH int g() { return dev; }", "BOTH dev", ""},
    {"#define KERNEL(name) extern \"C\" __global__ void name\nKERNEL(k)(int n) { dev; }", "dev",
     ""},
    {"namespace a { namespace { __device__ int d() { return dev; } void h() { gone; } } }\nvoid "
     "m() {}",
     "namespace dev", "gone m"},
    {"extern \"C\" { __global__ void k() { dev; } void h() { gone; } }", "dev", "gone"},
    {"extern \"C\" void h(int n) { gone; }", "", "gone"},
    {"namespace cg = cooperative_groups;", "cg", ""},
    {"using namespace std; typedef float real; using T = int;", "std real T", ""},
    {"typedef std::vector<int> gone; using also = std::map<int, int>;", "", "gone also"},
    {"typedef std::uint32_t kept;", "kept", ""},
    {"const int n = 3; static const float table[] = {1, 2};\nint counter = 7; FILE *gone;",
     "n table 2", "counter gone"},
    {"__constant__ float c[3] = {1, 2, 3}; __device__ int d;", "c d 3", ""},
    {"struct P { float x, y; };\nstruct __align__(16) Q { float z; };\ntypedef struct { int w; } "
     "R;",
     "P x y Q z R w", ""},
    {"struct T { std::vector<int> v; void f(); };", "", "T v"},
    {"class V { virtual void f() = 0; };", "", "V"},
    {"struct S { int n; S(int m) : n(m) { gone(); } int get() const { return also; } };", "S n get",
     "gone also"},
    {"struct S { int n; __device__ int get() const { return dev; } };", "get dev", ""},
    {"struct S { __device__ S(int m) : n(m) { dev; } S(float f) : n(f) { gone; } int n; };",
     "S dev float", "gone"},
    {"class S { public: friend ostream &operator<<(ostream &o, S s) { return gone; }\n"
     "private: friend gone also(int n); friend class F; __device__ int get() { return dev; } };",
     "class public private friend F dev", "ostream gone also"},
    {"struct S { constexpr int size() const { return kept; } int f() { return gone; } };",
     "size kept", "gone"},
    {"template <class T, class = std::enable_if_t<std::is_same_v<T, int>>> struct S { T kept; };",
     "S kept", ""},
    {"struct S make(int n) { gone; }", "", "gone"},
    {"S operator+(S a, S b) { gone; }\n__device__ S operator==(S a, S b) { dev; }", "dev", "gone"},
    {"auto f = [](int n) { return gone; };", "", "gone"},
    {"void f() { s = \"}\"; c = '}'; /* } */ // }\n gone; }\n__device__ int d;", "d", "gone"},
    {"int big() { return 1'000'000 + gone; }\n__device__ int d;", "d", "gone"},
    {"void f()\n{\n#ifdef A\n    if (a) {\n#else\n    if (b) {\n#endif\n    gone;\n    }\n}\n"
     "__device__ int d;",
     "d #ifdef #else #endif", "gone"},
    {"void f() {\n#define KEPT 1\n#include <gone.h>\n}", "#define KEPT", "gone"},
};

static bool has_word(const char *text, const char *word)
{
    const size_t length = strlen(word);

    for (const char *at = strstr(text, word); at; at = strstr(at + 1, word)) {
        const bool begins = at == text || !(isalnum((unsigned char)at[-1]) || at[-1] == '_');

        if (begins && !isalnum((unsigned char)at[length]) && at[length] != '_')
            return true;
    }
    return false;
}

static void expect_words(const host_case *c, const char *text, const char *words, bool wanted)
{
    char copy[256], *rest = copy;

    snprintf(copy, sizeof copy, "%s", words);
    for (char *word = strtok_r(copy, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
        if (has_word(text, word) != wanted)
            fail_msg("%s: of\n%s\nis left\n%s", word, c->text, text);
}

TEST(what_is_not_for_the_device_goes)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = strcpy(room(strlen(cases[i].text) + 1, 1), cases[i].text);

        pm_host_code_blank(text);
        expect_words(&cases[i], text, cases[i].stay, true);
        expect_words(&cases[i], text, cases[i].go, false);
    }
}

/* Each text, cut off after each of its characters, keeps its number of lines and characters. */
TEST(texts_that_end_anywhere_keep_their_lines)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (size_t length = 0; length <= strlen(cases[i].text); length++) {
            char *text = need(strndup(cases[i].text, length));

            pm_host_code_blank(text);
            assert_int_equal(strlen(text), length);
            for (size_t at = 0; at < length; at++)
                assert_true(text[at] == cases[i].text[at] ||
                            (text[at] == ' ' && cases[i].text[at] != '\n'));
            free(text);
        }
}
