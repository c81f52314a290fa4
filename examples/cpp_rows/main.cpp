// A small engine in C++ that prints rows for texam with texam_rows.h: tapered material and centrality, one static evaluation a move.
//
//     texam rows games.pgn --depth 1 --phase none --threshold none -o positions.txt
//     c++ -std=c++17 -O2 -o cpp_rows examples/cpp_rows/main.cpp
//     ./cpp_rows > start.csv
//     texam fit --choices-from './cpp_rows positions.txt {weights}' --weights start.csv --objective softmax --iterations 1
//
// It takes the positions and their legal moves from the file of `texam rows`, so it needs neither a reader of PGN nor a generator of
// moves. Of your own engine you would use both, or let it read this file, too.

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iostream>
#include <string>

// Columns: each weight but the last has one for the opening and one for the endgame.
enum {
    COLUMN_MATERIAL,
    COLUMN_CENTRE = COLUMN_MATERIAL + 2 * 5,
    COLUMN_BISHOPS = COLUMN_CENTRE + 2 * 6,
    COLUMN_TEMPO = COLUMN_BISHOPS + 2,
    TEXAM_COLUMNS
};
#include "../texam_rows.h"

static const char *const PIECES = "pnbrqk";
// Values of the start; the pawn is the unit and stays.
static const int START[5] = {100, 320, 330, 500, 950};

struct Position {
    std::string board; // 64 squares from a1, '.' where empty.
    bool is_white = true;
};

static Position parse(const std::string &fen) {
    Position position;
    position.board.assign(64, '.');
    int rank = 7, file = 0;
    size_t at = 0;
    for (; at < fen.size() && fen[at] != ' '; at++) {
        if (fen[at] == '/') {
            rank--, file = 0;
        } else if (fen[at] >= '1' && fen[at] <= '8') {
            file += fen[at] - '0';
        } else {
            position.board[static_cast<size_t>(8 * rank + file++)] = fen[at];
        }
    }
    position.is_white = fen.compare(at, 2, " w") == 0;
    return position;
}

// The position after a legal move in UCI notation.
static Position play(Position position, const std::string &move) {
    const size_t from = static_cast<size_t>(move[0] - 'a' + 8 * (move[1] - '1'));
    const size_t to = static_cast<size_t>(move[2] - 'a' + 8 * (move[3] - '1'));
    std::string &board = position.board;
    char piece = board[from];
    const bool is_pawn = piece == 'P' || piece == 'p';
    if (is_pawn && from % 8 != to % 8 && board[to] == '.') {
        board[from / 8 * 8 + to % 8] = '.'; // En passant.
    }
    if ((piece == 'K' || piece == 'k') && (from % 8 == 4) && (to % 8 == 6 || to % 8 == 2)) {
        const size_t rook = from / 8 * 8 + (to % 8 == 6 ? 7 : 0);
        board[(from + to) / 2] = board[rook];
        board[rook] = '.';
    }
    if (move.size() == 5) {
        piece = position.is_white ? static_cast<char>(move[4] - 'a' + 'A') : move[4];
    }
    board[to] = piece;
    board[from] = '.';
    position.is_white = !position.is_white;
    return position;
}

// The value from White's view, and how often each weight counts.
static double evaluate(const Position &position, const double *weights, texam_trace *trace) {
    // The phase falls from 6192 in the opening to 0. Its values are constants, because fitted ones would change it.
    static const int PHASE[6] = {0, 337, 365, 477, 1025, 0};
    const int opening_phase = 6192;
    double opening = 0, endgame = 0;
    int phase = 0, bishops[2] = {0, 0};
    const auto add = [&](int column, double count) {
        opening += weights[column] * count;
        endgame += weights[column + 1] * count;
        texam_add_pair(trace, column, count);
    };
    for (int square = 0; square < 64; square++) {
        const char sign = position.board[static_cast<size_t>(square)];
        if (sign == '.') {
            continue;
        }
        const bool is_white = sign < 'a';
        const int side = is_white ? 1 : -1;
        const int piece = static_cast<int>(std::strchr(PIECES, is_white ? sign - 'A' + 'a' : sign) - PIECES);
        const int file = square % 8, rank = square / 8;
        phase += PHASE[piece];
        bishops[is_white ? 0 : 1] += piece == 2;
        if (piece < 5) {
            add(COLUMN_MATERIAL + 2 * piece, side);
        }
        const int centre = (file < 4 ? file : 7 - file) + (rank < 4 ? rank : 7 - rank);
        add(COLUMN_CENTRE + 2 * piece, side * centre);
    }
    add(COLUMN_BISHOPS, (bishops[0] >= 2) - (bishops[1] >= 2));
    phase = std::min(phase, opening_phase);
    trace->endgame = 1 - phase / static_cast<double>(opening_phase);
    const int tempo = position.is_white ? 1 : -1;
    texam_add_count(trace, COLUMN_TEMPO, tempo);
    // Divided last, and not in whole numbers, so that the value is that of the counts.
    return (opening * phase + endgame * (opening_phase - phase)) / opening_phase + weights[COLUMN_TEMPO] * tempo;
}

static void print_start() {
    texam_print_weights_header(stdout);
    for (int piece = 0; piece < 5; piece++) {
        texam_print_pair(stdout, std::string(1, PIECES[piece]).c_str(), START[piece], START[piece], piece > 0);
    }
    for (int piece = 0; piece < 6; piece++) {
        texam_print_pair(stdout, (std::string("centre_") + PIECES[piece]).c_str(), 0, 0, 1);
    }
    texam_print_pair(stdout, "bishop_pair", 0, 0, 1);
    // All moves give the tempo away alike, so the rows cannot tell its weight.
    texam_print_weight(stdout, "tempo", 10, 0);
}

int main(int argc, char **argv) {
    if (argc == 1) {
        print_start();
        return 0;
    }
    double weights[TEXAM_COLUMNS];
    if (argc != 3 || texam_read_weights(argv[2], weights) != 0) {
        std::cerr << "usage: cpp_rows | cpp_rows POSITIONS WEIGHTS.csv, a table of " << TEXAM_COLUMNS << " weights\n";
        return 2;
    }
    std::ifstream positions(argv[1]);
    if (!positions) {
        std::cerr << argv[1] << ": cannot open the file\n";
        return 2;
    }
    texam_print_header(stdout);
    Position root;
    for (std::string line; std::getline(positions, line);) {
        if (line[0] == '#') {
            continue;
        }
        // LABEL qid:NUMBER .. # game:GAME MOVE, and in the first row of a position `fen` and the position.
        const size_t remark = line.find("# game:"), fen = line.find(" fen ");
        double label = 0;
        long qid = 0, game = 0;
        char move[8] = "";
        if (remark == std::string::npos || std::sscanf(line.c_str(), "%lf qid:%ld", &label, &qid) != 2 ||
            std::sscanf(line.c_str() + remark, "# game:%ld %7s", &game, move) != 2) {
            std::cerr << argv[1] << ": expected a row of texam rows, but found " << line << "\n";
            return 2;
        }
        if (fen != std::string::npos) {
            root = parse(line.substr(fen + 5));
        }
        texam_trace trace;
        texam_clear_trace(&trace);
        texam_row row = texam_row_of(label, root.is_white, qid, game);
        row.value = evaluate(play(root, move), weights, &trace);
        row.has_value = 1;
        row.remark = move;
        if (texam_print_row(stdout, &row, &trace, NULL) != 0) {
            return 2;
        }
    }
    return 0;
}
