/* texam_rows.h: rows for texam out of an engine in C99 or C++11 and later. One file, no library.
 *
 * SPDX-License-Identifier: 0BSD. Unlike the rest of texam, this file may be copied into any program.
 *
 * The evaluation notes how often each weight counts while it adds up its terms. Such a trace is printed as the
 * row of a move, or of a position whose result is known. Counts and values are always those of White; in the row
 * of a move by Black, the header changes their sign. Code around it is in docs/FOREIGN.md; in short:
 *
 *     // TEXAM_COLUMNS comes before the header, here or as a macro. A tapered weight has two columns.
 *     enum { COLUMN_KNIGHT, COLUMN_TEMPO = COLUMN_KNIGHT + 2, TEXAM_COLUMNS };
 *     #include "texam_rows.h"
 *
 *     double evaluate(const Position *position, texam_trace *trace) {
 *         score += S(320, 300) * knights(position);                               // White's less Black's.
 *         if (trace) texam_add_pair(trace, COLUMN_KNIGHT, knights(position));
 *         ...
 *         if (trace) trace->endgame = 1 - phase / 6192.0;
 *         return (score.o * phase + score.e * (6192 - phase)) / 6192.0;        // Not in whole numbers, which round.
 *     }
 *
 *     int print_choice(Position *position, Move played, long number, long game) {
 *         const int is_white = position->white_to_move;
 *         for (each legal move) {
 *             texam_row row = texam_row_of(move == played, is_white, number, game);
 *             texam_trace trace;
 *             texam_clear_trace(&trace);
 *             make(position, move);
 *             row.value = evaluate(position, &trace);
 *             row.has_value = 1;
 *             unmake(position, move);
 *             if (texam_print_row(stdout, &row, &trace, NULL) != 0) return -1;
 *         }
 *         return 0;
 *     }
 *
 * A position that White won has texam_row_of(1, 1, 0, game). Begin with texam_print_header.
 *
 * The table of weights: texam_print_weights_header, then for the columns in their order
 * texam_print_pair(stdout, "knight", 320, 300, 1) and texam_print_weight(stdout, "tempo", 10, 0).
 * texam_read_weights reads the values that texam gives in place of {weights}.
 */
#ifndef TEXAM_ROWS_H
#define TEXAM_ROWS_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How often each weight counts, for White. Columns are numbered from 0 here, from 1 in the rows. */
typedef struct texam_trace {
    double counts[TEXAM_COLUMNS];       /* of a pair, the same in both columns */
    unsigned char parts[TEXAM_COLUMNS]; /* 1 in the opening column of a pair, 2 in its endgame column, else 0 */
    double endgame;                     /* the share of the endgame, from 0 to 1, which divides the pairs */
} texam_trace;

/* What stands in a row beside its counts. */
typedef struct texam_row {
    double label;       /* 1 for the played move, 0 for another; the result for White, from 0 to 1 */
    int side;           /* the sign of counts and value in the row: -1 for a move of Black, else 1 */
    long qid;           /* the number of the position, from 1; 0 for a position with a result */
    long game;          /* the number of the game */
    double weight;      /* how much the position counts, from above 0 to 1; 1 is not printed */
    double value;       /* what the engine gives the row, for White; texam checks that the counts give it */
    int has_value;      /* whether the value is printed */
    const char *remark; /* such as the move; printed up to its first control character, NULL not at all */
} texam_row;

/* The row of a move by White or Black; with qid 0, that of a position with the result of White. */
static inline texam_row texam_row_of(double label, int is_white, long qid, long game) {
    const texam_row row = {label, is_white || qid == 0 ? 1 : -1, qid, game, 1, 0, 0, NULL};
    return row;
}

static inline void texam_clear_trace(texam_trace *trace) {
    memset(trace, 0, sizeof *trace);
}

/* Notes that a weight counts so often: positive for White, negative for Black. */
static inline void texam_add_count(texam_trace *trace, int column, double count) {
    trace->counts[column] += count;
}

/* The same for a tapered weight, which has this column for the opening and the next one for the endgame. */
static inline void texam_add_pair(texam_trace *trace, int column, double count) {
    trace->counts[column] += count;
    trace->counts[column + 1] += count;
    trace->parts[column] = 1;
    trace->parts[column + 1] = 2;
}

/* A count; in a column of a pair, its share. */
static inline double texam_share(const texam_trace *trace, int column) {
    const double shares[3] = {1, 1 - trace->endgame, trace->endgame};
    return trace->counts[column] * shares[trace->parts[column]];
}

/* By its bits, because -ffast-math takes every number for a finite one. */
static inline int texam_is_finite(double number) {
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return (bits >> 52 & 0x7ff) != 0x7ff;
}

static inline void texam_print_header(FILE *out) {
    fprintf(out, "# texam-choices 1\n");
}

/* Prints the counts of a trace. With `before`, the trace of the position before the move, it prints the difference,
 * and the value must be a difference too; else `before` is NULL. Returns 0, or -1 if a number is NaN or infinite.
 * Then it prints no row, but a message on standard error. */
static inline int texam_print_row(FILE *out, const texam_row *row, const texam_trace *trace, const texam_trace *before) {
    static const texam_trace nothing = {{0}, {0}, 0};
    const texam_trace *const base = before == NULL ? &nothing : before;
    const int has_phase = before == NULL && memchr(trace->parts, 1, TEXAM_COLUMNS) != NULL;
    const char *remark = row->remark == NULL ? "" : row->remark;
    const char *wrong = !texam_is_finite(row->label) ? "label"
                        : !texam_is_finite(row->weight) ? "weight" : !texam_is_finite(row->value) ? "value"
                        : !texam_is_finite(trace->endgame + base->endgame) ? "phase" : NULL;
    int column, length = 0;
    for (column = 0; column < TEXAM_COLUMNS && wrong == NULL; column++) {
        wrong = texam_is_finite(trace->counts[column] - base->counts[column]) ? NULL : "count";
    }
    if (wrong != NULL) {
        fprintf(stderr, "texam_rows.h: game %ld, qid %ld: the %s ", row->game, row->qid, wrong);
        fprintf(stderr, column > 0 ? "of column %d is NaN or infinite\n" : "is NaN or infinite\n", column);
        return -1;
    }
    fprintf(out, row->qid > 0 ? "%.17g qid:%ld" : "%.17g", row->label, row->qid);
    if (row->weight < 1) {
        fprintf(out, " weight:%.17g", row->weight);
    }
    if (row->has_value) {
        fprintf(out, " value:%.17g", row->side * row->value);
    }
    if (has_phase) {
        fprintf(out, " phase:%.17g", trace->endgame);
    }
    for (column = 0; column < TEXAM_COLUMNS; column++) {
        const int is_pair = has_phase && trace->parts[column] == 1;
        const double count = is_pair ? trace->counts[column] : texam_share(trace, column) - texam_share(base, column);
        if (count < 0 || count > 0) {
            fprintf(out, " %d%s:%.17g", column + 1, is_pair ? "+" : "", row->side * count);
        }
        column += is_pair;
    }
    while ((unsigned char)remark[length] >= ' ' && remark[length] != 127) {
        length++;
    }
    fprintf(out, " # game:%ld%s%.*s\n", row->game, length > 0 ? " " : "", length, remark);
    return 0;
}

static inline void texam_print_weights_header(FILE *out) {
    fprintf(out, "name,value,tune\n");
}

static inline void texam_print_weight(FILE *out, const char *name, double value, int tune) {
    fprintf(out, "%s,%.17g,%s\n", name, value, tune ? "true" : "false");
}

static inline void texam_print_pair(FILE *out, const char *name, double opening, double endgame, int tune) {
    fprintf(out, "%s.o,%.17g,%s\n%s.e,%.17g,%s\n", name, opening, tune ? "true" : "false", name, endgame, tune ? "true" : "false");
}

/* Reads the values of a table of weights, whose names hold no comma. Returns 0 if it has TEXAM_COLUMNS of them,
 * else -1. */
static inline int texam_read_weights(const char *path, double *values) {
    char line[1024];
    int read = -1; /* The first line is the titles. */
    FILE *table = fopen(path, "r");
    while (table != NULL && fgets(line, sizeof line, table) != NULL && strchr(line, ',') != NULL) {
        if (read >= 0 && read < TEXAM_COLUMNS) {
            values[read] = strtod(strchr(line, ',') + 1, NULL);
        }
        read++;
    }
    if (table != NULL) {
        fclose(table);
    }
    return read == TEXAM_COLUMNS ? 0 : -1;
}

#endif
