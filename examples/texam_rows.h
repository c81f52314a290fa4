/* texam_rows.h: rows for texam out of an engine in C11 or C++11 and later. One file, no library.
 *
 * SPDX-License-Identifier: 0BSD. Unlike the rest of texam, this file may be copied into any program, without conditions.
 *
 * The evaluation notes how often each weight counts while it adds up its terms. The difference between two such traces, that of the
 * position after a move and that of the position before it, is the row of the move. A whole program is in cpp_rows/main.cpp; in
 * short:
 *
 *     enum { KNIGHT, OPEN_FILE = KNIGHT + 2, TEMPO = OPEN_FILE + 2, COLUMNS };   // Two columns for a tapered weight.
 *     #define TEXAM_COLUMNS COLUMNS
 *     #include "texam_rows.h"
 *
 *     int evaluate(const Position *position, texam_trace *trace) {              // From White's view.
 *         score += S(320, 300) * knights(position);
 *         if (trace) texam_add(trace, KNIGHT, knights(position));                // White's less Black's.
 *         ...
 *         if (trace) texam_taper(trace, KNIGHT, TEMPO, phase / 256.0);           // KNIGHT to TEMPO - 1 are pairs.
 *         return (score.o * (256 - phase) + score.e * phase) / 256;
 *     }
 *
 *     int print_choice(Position *position, Move played, long number, long game) {
 *         texam_trace before, after;
 *         int side = position->white_to_move ? 1 : -1;
 *         texam_clear(&before);
 *         int value = evaluate(position, &before);
 *         for (each legal move) {
 *             make(position, move);
 *             texam_clear(&after);
 *             texam_row row = texam_row_of(move == played, number, game);
 *             row.value = side * (evaluate(position, &after) - value);           // texam checks that the counts give it.
 *             unmake(position, move);
 *             texam_subtract(&after, &before, side);                             // As the mover sees it.
 *             texam_print_row(stdout, &row, &after);
 *         }
 *     }
 *
 * Begin with texam_print_header. The table of weights: texam_print_weights_header, then for the columns in their order
 * texam_print_pair(stdout, "knight", 320, 300, 1) and texam_print_weight(stdout, "tempo", 10, 0).
 * texam_read_weights reads the values that texam gives in place of {weights}.
 */
#ifndef TEXAM_ROWS_H
#define TEXAM_ROWS_H

#ifndef TEXAM_COLUMNS
#error "define TEXAM_COLUMNS, the number of your weights, before you include texam_rows.h"
#endif

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How often each weight counts. Columns are numbered from 0 here, from 1 in the rows. */
typedef struct texam_trace {
    double counts[TEXAM_COLUMNS];
} texam_trace;

/* What stands in a row beside its counts. */
typedef struct texam_row {
    double label;       /* 1 for the played move, 0 for another; the result from 0 to 1 of a labelled position */
    long qid;           /* the number of the position, from 1; 0 for a labelled position, which has none */
    long game;          /* the number of the game */
    double weight;      /* how much the position counts, from above 0 to 1; 1 is not printed */
    double value;       /* what the engine gives the row, for the check; NAN is not printed */
    const char *remark; /* such as the move; NULL is not printed */
} texam_row;

static inline texam_row texam_row_of(double label, long qid, long game) {
    texam_row row;
    row.label = label;
    row.qid = qid;
    row.game = game;
    row.weight = 1;
    row.value = NAN;
    row.remark = NULL;
    return row;
}

/* The nearest multiple of 1/256, which a double and its text hold exactly. */
static inline double texam_round(double count) {
    return (double)(long long)(256 * count + (count < 0 ? -0.5 : 0.5)) / 256;
}

static inline void texam_clear(texam_trace *trace) {
    int column;
    for (column = 0; column < TEXAM_COLUMNS; column++) {
        trace->counts[column] = 0;
    }
}

/* Notes that a weight counts so often: positive for White, negative for Black. */
static inline void texam_add(texam_trace *trace, int column, double count) {
    trace->counts[column] += count;
}

/* Divides the count of each pair of columns from `first` to before `end` between its opening and its endgame weight. The counts
 * are those of the opening columns; `endgame` is the share of the endgame, 0 to 1. If it is a multiple of 1/256, the shares of whole
 * counts are exact. Call it once, when all terms have been added. */
static inline void texam_taper(texam_trace *trace, int first, int end, double endgame) {
    int column;
    for (column = first; column + 1 < end; column += 2) {
        const double count = trace->counts[column];
        /* Rounded once, so that both shares together are the count. */
        const double share = texam_round(count * endgame);
        trace->counts[column] = count - share;
        trace->counts[column + 1] = share;
    }
}

/* Makes of the trace of the position after a move the row of the move; `side` is 1 if White moved and -1 if Black did. */
static inline void texam_subtract(texam_trace *after, const texam_trace *before, int side) {
    int column;
    for (column = 0; column < TEXAM_COLUMNS; column++) {
        after->counts[column] = side * (after->counts[column] - before->counts[column]);
    }
}

static inline void texam_print_header(FILE *out) {
    fprintf(out, "# texam-choices 1\n");
}

static inline void texam_print_row(FILE *out, const texam_row *row, const texam_trace *trace) {
    int column;
    fprintf(out, "%g", row->label);
    if (row->qid > 0) {
        fprintf(out, " qid:%ld", row->qid);
    }
    if (row->weight < 1) {
        fprintf(out, " weight:%g", row->weight);
    }
    if (!isnan(row->value)) {
        fprintf(out, " value:%.10g", row->value);
    }
    for (column = 0; column < TEXAM_COLUMNS; column++) {
        const double count = texam_round(trace->counts[column]);
        if (count < 0 || count > 0) {
            fprintf(out, " %d:%.14g", column + 1, count);
        }
    }
    fprintf(out, " # game:%ld", row->game);
    if (row->remark != NULL) {
        fprintf(out, " %s", row->remark);
    }
    fprintf(out, "\n");
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

/* Reads the values of a table of weights, whose names hold no comma. 0 if it has TEXAM_COLUMNS of them, else -1. */
static inline int texam_read_weights(const char *path, double *values) {
    char line[1024];
    int read = -1;
    FILE *table = fopen(path, "r");
    if (table == NULL) {
        return -1;
    }
    while (fgets(line, sizeof line, table) != NULL) {
        const char *comma = strchr(line, ',');
        if (comma == NULL || read == TEXAM_COLUMNS) {
            read = -1;
            break;
        }
        /* The first line is the titles. */
        if (read >= 0) {
            values[read] = strtod(comma + 1, NULL);
        }
        read++;
    }
    fclose(table);
    return read == TEXAM_COLUMNS ? 0 : -1;
}

#endif
