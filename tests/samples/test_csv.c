/* Tests the rows of a CSV file: for a line without quotes, the fast parser finds the same cells as
 * libcsv.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "dataset_fixture.h"

#include <fcntl.h>
#include <gsl/gsl_rng.h>

#include "base/csv.h"

enum { LINES = 4000, LONGEST = 12 };

/* Returns the text of all cells of all rows, in brackets. The last cells of each row may be left
 * out. */
typedef struct {
    pm_text text;
    size_t last;
} seen;

static pm_status on_row(void *user, size_t line, const char *const *cells, size_t count,
                        pm_error *err)
{
    seen *s = user;

    (void)err;
    pm_text_add(&s->text, "%zu:", line);
    for (size_t i = 0; i + s->last < count; i++)
        pm_text_add(&s->text, "[%s]", cells[i]);
    pm_text_add(&s->text, "\n");
    return PM_OK;
}

static seen read_rows(const char *path, size_t last)
{
    seen s = {.last = last};
    pm_csv_end end;
    int fd = open(path, O_RDONLY);

    assert_true(fd >= 0);
    assert_int_equal(pm_csv_read(fd, path, on_row, &s, &end, told()), PM_OK);
    close(fd);
    return s;
}

/* Random lines of a few letters, some of only blanks and commas. A word at the start keeps a line
 * from being blank. If a quoted cell is added at the end, libcsv reads the same lines. */
FOLDER_TEST(plain_lines_have_the_same_cells_as_quoted_ones)
{
    static const char letters[] = "a1,, \t\r.";
    gsl_rng *rng = need(gsl_rng_alloc(gsl_rng_mt19937));
    pm_text plain = {0}, quoted = {0};
    seen one, other;

    for (int i = 0; i < LINES; i++) {
        char line[LONGEST + 1] = "";

        for (size_t k = gsl_rng_uniform_int(rng, LONGEST); k > 0; k--)
            line[k - 1] = letters[gsl_rng_uniform_int(rng, sizeof letters - 1)];
        pm_text_add(&plain, "%sx%s,end\n", i % 2 ? line : "", line);
        pm_text_add(&quoted, "%sx%s,end,\"\"\n", i % 2 ? line : "", line);
    }
    write_file(f->file, plain.data, plain.length);
    one = read_rows(f->file, 0);
    write_file(f->file, quoted.data, quoted.length);
    other = read_rows(f->file, 1);
    assert_string_equal(pm_text_get(&one.text), pm_text_get(&other.text));
    pm_text_free(&plain);
    pm_text_free(&quoted);
    pm_text_free(&one.text);
    pm_text_free(&other.text);
    gsl_rng_free(rng);
}

/* Blank lines are not rows but count as lines. Spaces and a carriage return are not part of a
 * cell. */
FOLDER_TEST(blank_lines_and_ends)
{
    static const char bytes[] = "\xef\xbb\xbf"
                                "a , b\r\n"
                                "\n"
                                " \t \r\n"
                                ",\n"
                                "\"x\ny\",z\n"
                                " c d ,\t\n"
                                "torn,row";
    seen s;

    write_file(f->file, bytes, sizeof bytes - 1);
    s = read_rows(f->file, 0);
    assert_string_equal(pm_text_get(&s.text), "1:[a][b]\n4:[][]\n5:[x\ny][z]\n7:[c d][]\n");
    pm_text_free(&s.text);
}
