// ---------------------------------------------------------------------------------- evaluation
//
// Counts every term of a position and adds up the weights. Terms are counted for one side at a time, and
// the board is seen from that side: square 0 is the a1 of its own, so that its pawns go to higher squares.
// The counts of Black are subtracted. The weights above say in one line what a term means, and the comments
// below give the rest of its definition.
//
// Nothing is kept between two positions. A fast engine should update the sum of the tables with each
// move, and keep the terms of the pawns in a table of pawn structures.

// Your engine may have a faster function for the number of squares in a set, and one for the lowest
// square of a set that is not empty. If so, define TEXAM_SIZE and TEXAM_FIRST as their names.
#ifndef TEXAM_SIZE
#define TEXAM_SIZE texam_size
static inline int texam_size(uint64_t set) {
    int size = 0;
    for (; set != 0; set &= set - 1) {
        size++;
    }
    return size;
}
#endif
#ifndef TEXAM_FIRST
#define TEXAM_FIRST texam_first
static inline int texam_first(uint64_t set) {
    int square = 0;
    for (; (set & 1) == 0; set >>= 1) {
        square++;
    }
    return square;
}
#endif

// The scheme of the phase: texam_fruit, texam_madchess or texam_rustic.
#ifndef TEXAM_PHASE
#define TEXAM_PHASE texam_fruit
#endif

// Sets of squares of each kind of piece. Bit 0 is a1, bit 1 is b1, bit 63 is h8.
typedef struct {
    uint64_t pawns, knights, bishops, rooks, queens, king;
} texam_pieces;

// Rights to castle, as bits.
enum { TEXAM_WHITE_SHORT = 1, TEXAM_WHITE_LONG = 2, TEXAM_BLACK_SHORT = 4, TEXAM_BLACK_LONG = 8 };

// All that the evaluation depends on. Each side has one king, and no pawn is on the first or last rank.
typedef struct {
    texam_pieces white, black;
    int white_to_move, castling;
} texam_position;

// The position of a board, from a1, b1 to h8, with the letters of FEN: PNBRQK for White, pnbrqk for Black.
// Every other character is an empty square.
static inline texam_position texam_read_board(const char board[64], int white_to_move, int castling) {
    texam_position position = { { 0, 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0, 0 }, white_to_move, castling };
    texam_pieces *const white = &position.white, *const black = &position.black;
    uint64_t *const sets[12] = {
        &white->pawns, &white->knights, &white->bishops, &white->rooks, &white->queens, &white->king,
        &black->pawns, &black->knights, &black->bishops, &black->rooks, &black->queens, &black->king,
    };
    static const char letters[] = "PNBRQKpnbrqk";
    for (int square = 0; square < 64; square++) {
        const char *letter = board[square] == 0 ? NULL : strchr(letters, board[square]);
        if (letter != NULL) {
            *sets[letter - letters] |= UINT64_C(1) << square;
        }
    }
    return position;
}

// Geometry: files, ranks and distances of squares, and sets of squares.

#define TEXAM_AT(file, rank) (UINT64_C(1) << (8 * ((rank)-1) + (file) - 'a'))
#define TEXAM_FILE_A UINT64_C(0x0101010101010101)
// The squares of the colour of a1.
#define TEXAM_CORNER_COLOR UINT64_C(0xAA55AA55AA55AA55)
// Sets of files.
enum { TEXAM_QUEEN_WING = 0x07, TEXAM_KING_WING = 0xE0, TEXAM_CENTER_FILES = 0x3C };

static inline int texam_min(int a, int b) { return a < b ? a : b; }
static inline int texam_max(int a, int b) { return a > b ? a : b; }
static inline int texam_abs(int a) { return a < 0 ? -a : a; }

static inline int texam_file(int square) { return square & 7; }
static inline int texam_rank(int square) { return square >> 3; }
// 0 for the a- and h-file to 3 for the d- and e-file.
static inline int texam_file_class(int square) { return texam_min(square & 7, 7 - (square & 7)); }
// 0 in the corners to 6 on the four central squares.
static inline int texam_centrality(int square) {
    return texam_file_class(square) + texam_min(square >> 3, 7 - (square >> 3));
}
static inline int texam_files_apart(int a, int b) { return texam_abs((a & 7) - (b & 7)); }
static inline int texam_ranks_apart(int a, int b) { return texam_abs((a >> 3) - (b >> 3)); }
// Moves of a king.
static inline int texam_distance(int a, int b) {
    return texam_max(texam_files_apart(a, b), texam_ranks_apart(a, b));
}

static inline uint64_t texam_on_files(int files) { return (uint64_t)(files & 0xFF) * TEXAM_FILE_A; }
static inline uint64_t texam_ranks(int low, int high) {
    return (~UINT64_C(0) << (8 * (low - 1))) & (~UINT64_C(0) >> (8 * (8 - high)));
}
static inline uint64_t texam_fill_up(uint64_t set) {
    set |= set << 8;
    set |= set << 16;
    return set | (set << 32);
}
static inline uint64_t texam_fill_down(uint64_t set) {
    set |= set >> 8;
    set |= set >> 16;
    return set | (set >> 32);
}
// Squares above and below some square of the set, on its file.
static inline uint64_t texam_ahead(uint64_t set) { return texam_fill_up(set << 8); }
static inline uint64_t texam_behind(uint64_t set) { return texam_fill_down(set >> 8); }
// Squares next to some square of the set, on its rank.
static inline uint64_t texam_beside(uint64_t set) {
    return ((set & ~TEXAM_FILE_A) >> 1) | ((set & ~(TEXAM_FILE_A << 7)) << 1);
}
// The files on which the set has a square; bit 0 is the a-file.
static inline int texam_files(uint64_t set) { return (int)(texam_fill_down(set) & 0xFF); }
// A file and its neighbours.
static inline int texam_around(int file) { return ((7 << file) >> 1) & 0xFF; }
// The set as the other side sees it.
static inline uint64_t texam_flip(uint64_t set) {
    set = ((set >> 8) & UINT64_C(0x00FF00FF00FF00FF)) | ((set & UINT64_C(0x00FF00FF00FF00FF)) << 8);
    set = ((set >> 16) & UINT64_C(0x0000FFFF0000FFFF)) | ((set & UINT64_C(0x0000FFFF0000FFFF)) << 16);
    return (set >> 32) | (set << 32);
}

static inline texam_pieces texam_flip_pieces(texam_pieces pieces) {
    const texam_pieces flipped = { texam_flip(pieces.pawns), texam_flip(pieces.knights), texam_flip(pieces.bishops),
                                   texam_flip(pieces.rooks), texam_flip(pieces.queens),  texam_flip(pieces.king) };
    return flipped;
}
static inline uint64_t texam_all(texam_pieces pieces) {
    return pieces.pawns | pieces.knights | pieces.bishops | pieces.rooks | pieces.queens | pieces.king;
}

// A side: its sum, and what its terms depend on.
typedef struct {
    texam_weight sum;
    texam_pieces own, enemy;
    uint64_t own_all, enemy_all;
    // The lead in material in 1/128 pawn; rights to castle; whether the side is to move.
    int lead, castles_short, castles_long, to_move;
    int king, enemy_king;
    // Squares that the pawns attack; those that enemy pawns attack or can attack after advancing.
    uint64_t pawn_attacks, enemy_attacks, enemy_span;
    uint64_t passed, enemy_passed;
    // Enemy pawns that are isolated or backward; own pawns on d2 and e2 with something on the next square.
    uint64_t enemy_weak, blocked_center;
    // Files with pawns.
    int files, enemy_files;
} texam_side;

static inline void texam_add(texam_side *side, texam_weight weight, int count) {
    side->sum.open += weight.open * count;
    side->sum.end += weight.end * count;
}
static inline void texam_add_by_file(texam_side *side, const texam_weight *weights, uint64_t set) {
    for (; set != 0; set &= set - 1) {
        texam_add(side, weights[texam_file_class(TEXAM_FIRST(set))], 1);
    }
}
// The first weight is that of the second rank.
static inline void texam_add_by_rank(texam_side *side, const texam_weight *weights, uint64_t set) {
    for (; set != 0; set &= set - 1) {
        texam_add(side, weights[texam_rank(TEXAM_FIRST(set)) - 1], 1);
    }
}

// Pawns with no enemy pawn ahead on their own and the adjacent files, and no own pawn ahead.
static inline uint64_t texam_passed(uint64_t own, uint64_t enemy) {
    const uint64_t stopped = texam_behind(enemy);
    return own & ~(stopped | texam_beside(stopped) | texam_behind(own));
}
// Pawns with no own pawn on an adjacent file.
static inline uint64_t texam_isolated(uint64_t own) {
    const int files = texam_files(own);
    return own & ~texam_on_files((files << 1) | (files >> 1));
}
// Pawns that are not isolated, have no own pawn beside or behind them on an adjacent file, and whose next
// square an enemy pawn attacks.
static inline uint64_t texam_backward(uint64_t own, uint64_t enemy_attacks) {
    return own & ~texam_isolated(own) & ~texam_beside(texam_fill_up(own)) & (enemy_attacks >> 8);
}

static inline void texam_pawn_terms(texam_side *side) {
    const uint64_t own = side->own.pawns, enemy = side->enemy.pawns;
    // Pawns beyond the first of a file, and once more those beyond the second.
    const uint64_t doubled = own & texam_behind(own);
    texam_add_by_file(side, texam_dbl, doubled);
    texam_add(side, texam_trip, TEXAM_SIZE(doubled & texam_behind(doubled)));
    const uint64_t isolated = texam_isolated(own);
    texam_add_by_file(side, texam_iso, isolated);
    texam_add(side, texam_iso_open, TEXAM_SIZE(isolated & ~texam_on_files(side->enemy_files)));
    texam_add(side, texam_iso_dbl, TEXAM_SIZE(isolated & (texam_behind(isolated) | texam_ahead(isolated))));
    const uint64_t backward = texam_backward(own, side->enemy_attacks);
    texam_add_by_file(side, texam_back, backward);
    texam_add(side, texam_back_open, TEXAM_SIZE(backward & ~texam_behind(enemy)));
    // Pairs of neighbours, each by its left pawn.
    texam_add_by_rank(side, texam_duo, own & (own >> 1) & ~texam_on_files(0x80));
    texam_add(side, texam_chain, TEXAM_SIZE(own & side->pawn_attacks));
    const int islands = TEXAM_SIZE((uint64_t)(side->files & ~(side->files << 1)));
    texam_add(side, texam_island, texam_max(islands - 1, 0));
    texam_add(side, texam_lever, TEXAM_SIZE(own & side->enemy_attacks & texam_ranks(5, 8)));
    // Candidates: as many own pawns beside or behind as enemy pawns ahead, both on the adjacent files.
    for (uint64_t left = own & ~side->passed & ~texam_behind(enemy); left != 0; left &= left - 1) {
        const uint64_t pawn = left & (~left + 1);
        const int helpers = TEXAM_SIZE(own & texam_beside(texam_fill_down(pawn)));
        if (helpers >= TEXAM_SIZE(enemy & texam_beside(texam_ahead(pawn)))) {
            texam_add_by_rank(side, texam_cand, pawn);
        }
    }
    // Squares c3 to f4 that no own pawn attacks or can attack after advancing.
    const uint64_t span = texam_beside(texam_ahead(own));
    texam_add(side, texam_weak_hole, TEXAM_SIZE(texam_ranks(3, 4) & texam_on_files(TEXAM_CENTER_FILES) & ~span));
    texam_add(side, texam_ctr_blk, TEXAM_SIZE(side->blocked_center));
    // The sign of the surplus on the wing far from the own king.
    const uint64_t wing = texam_on_files(texam_file(side->king) < 4 ? TEXAM_KING_WING : TEXAM_QUEEN_WING);
    const int surplus = TEXAM_SIZE(own & wing) - TEXAM_SIZE(enemy & wing);
    texam_add(side, texam_maj_q, (surplus > 0) - (surplus < 0));
}

static inline void texam_passed_terms(texam_side *side) {
    const uint64_t passed = side->passed, stops = passed << 8;
    const uint64_t pawns = side->own.pawns | side->enemy.pawns, occupied = side->own_all | side->enemy_all;
    texam_add_by_rank(side, texam_pass, passed);
    texam_add(side, texam_pass_sup, TEXAM_SIZE(passed & side->pawn_attacks));
    const uint64_t within_a_rank = passed | (passed << 8) | (passed >> 8);
    texam_add(side, texam_pass_con, TEXAM_SIZE(passed & texam_beside(within_a_rank)));
    // No other pawn of either colour is on its file or the adjacent files.
    const uint64_t others =
        texam_beside(texam_on_files(texam_files(pawns))) | texam_ahead(pawns) | texam_behind(pawns);
    texam_add(side, texam_pass_out, TEXAM_SIZE(passed & ~others));
    texam_add(side, texam_pass_blk_e, TEXAM_SIZE(stops & side->enemy_all));
    texam_add(side, texam_pass_blk_o, TEXAM_SIZE(stops & side->own_all));
    const uint64_t enemy_pieces = side->enemy_all & ~(side->enemy.pawns | side->enemy.king);
    for (uint64_t left = passed; left != 0; left &= left - 1) {
        const int square = TEXAM_FIRST(left), stop = square + 8, rank = texam_rank(square);
        const uint64_t pawn = UINT64_C(1) << square, below = texam_behind(pawn) & occupied;
        // The first piece or pawn behind it.
        const uint64_t nearest = below & ~texam_behind(below);
        texam_add(side, texam_pass_rook, (nearest & side->own.rooks) != 0);
        texam_add(side, texam_pass_rook_x, (nearest & side->enemy.rooks) != 0);
        if (rank >= 3) {
            texam_add(side, texam_pass_kown, texam_distance(side->king, stop));
            texam_add(side, texam_pass_kopp, texam_distance(side->enemy_king, stop));
        }
        if ((texam_ahead(pawn) & occupied) == 0) {
            // Ranks beyond the third; and whether it outruns the king of an enemy without pieces.
            texam_add(side, texam_pass_free, texam_max(rank - 2, 0));
            const int moves = texam_min(7 - rank, 5) + !side->to_move;
            const int runs = texam_distance(side->enemy_king, 56 + texam_file(square)) > moves;
            texam_add(side, texam_pass_run, enemy_pieces == 0 && runs);
        }
    }
}

static inline void texam_shelter_terms(texam_side *side) {
    const int king_file = texam_file(side->king), inwards = king_file < 4 ? 1 : -1;
    // The king's own file, the next one towards the centre, and the next one outwards.
    const int files[3] = { king_file, king_file + inwards, king_file - inwards };
    for (int row = 0; row < 3; row++) {
        if (files[row] < 0 || files[row] > 7) {
            continue;
        }
        const uint64_t own = side->own.pawns & texam_on_files(1 << files[row]);
        const uint64_t enemy = side->enemy.pawns & texam_on_files(1 << files[row]);
        const int state = own == 0 ? 3 : texam_min(texam_rank(TEXAM_FIRST(own)), 3) - 1;
        texam_add(side, texam_sh[4 * row + state], 1);
        const int rank = enemy == 0 ? 5 : texam_rank(TEXAM_FIRST(enemy));
        texam_add(side, texam_storm[5 - texam_max(2, texam_min(rank, 5))], 1);
    }
    const int bare = texam_around(king_file) & ~side->files;
    if ((side->enemy.rooks | side->enemy.queens) != 0) {
        texam_add(side, texam_k_open, TEXAM_SIZE((uint64_t)(bare & ~side->enemy_files)));
        texam_add(side, texam_k_half, TEXAM_SIZE((uint64_t)(bare & side->enemy_files)));
    }
    if (side->enemy.queens == 0) {
        texam_add(side, texam_sh_noq, TEXAM_SIZE((uint64_t)bare));
    }
    // The pawn has left the square of the fianchetto, and only the enemy has a bishop of its colour.
    const uint64_t homes[2] = { TEXAM_AT('g', 1) | TEXAM_AT('h', 1),
                                TEXAM_AT('a', 1) | TEXAM_AT('b', 1) | TEXAM_AT('c', 1) };
    const uint64_t pawns[2] = { TEXAM_AT('g', 2), TEXAM_AT('b', 2) };
    for (int wing = 0; wing < 2; wing++) {
        const uint64_t color = (pawns[wing] & TEXAM_CORNER_COLOR) != 0 ? TEXAM_CORNER_COLOR : ~TEXAM_CORNER_COLOR;
        const int is_weak = (side->own.king & homes[wing]) != 0 && (side->own.pawns & pawns[wing]) == 0;
        const int only_enemy = (side->own.bishops & color) == 0 && (side->enemy.bishops & color) != 0;
        texam_add(side, texam_fia_hole, is_weak && only_enemy);
    }
}

static inline void texam_king_terms(texam_side *side) {
    const uint64_t pawns = side->own.pawns | side->enemy.pawns, king = side->own.king;
    if (pawns != 0) {
        // The mean distance to all pawns, rounded.
        int sum = 0;
        for (uint64_t left = pawns; left != 0; left &= left - 1) {
            sum += texam_distance(side->king, TEXAM_FIRST(left));
        }
        const int number = TEXAM_SIZE(pawns);
        texam_add(side, texam_k_pawns, (2 * sum + number) / (2 * number));
    }
    if (side->lead >= 256) {
        const int near = (7 - texam_distance(side->king, side->enemy_king)) / 2;
        texam_add(side, texam_k_mopup, 6 - texam_centrality(side->enemy_king) + near);
    }
    const int rights = side->castles_short || side->castles_long;
    const int in_center = texam_file(side->king) == 3 || texam_file(side->king) == 4;
    if (texam_rank(side->king) <= 1 && in_center) {
        texam_add(side, texam_sh_ctr, !rights);
    } else if (texam_rank(side->king) <= 1) {
        texam_shelter_terms(side);
    }
    // Castled, or the same placement reached without castling.
    const uint64_t right_home = TEXAM_AT('g', 1) | TEXAM_AT('h', 1);
    const uint64_t left_corner = TEXAM_AT('a', 1) | TEXAM_AT('b', 1), left_home = left_corner | TEXAM_AT('c', 1);
    if ((king & right_home) != 0 && (side->own.rooks & right_home) == 0) {
        texam_add(side, texam_cas_k, 1);
    } else if ((king & left_home) != 0 && (side->own.rooks & left_corner) == 0) {
        texam_add(side, texam_cas_q, 1);
    } else {
        texam_add(side, texam_k_moved, !rights);
    }
    texam_add(side, texam_rt_k, side->castles_short);
    texam_add(side, texam_rt_q, side->castles_long);
}

// A knight or a bishop.
static inline void texam_minor_terms(texam_side *side, uint64_t piece, int is_knight) {
    const uint64_t own = side->own.pawns, enemy = side->enemy.pawns;
    if ((piece & texam_ranks(4, 6) & ~side->enemy_span) != 0) {
        const int defended = (piece & side->pawn_attacks) != 0;
        texam_add(side, is_knight ? texam_n_post : texam_b_post, defended);
        texam_add(side, texam_n_weak, is_knight && !defended);
    }
    texam_add(side, texam_min_blk, (piece & (side->enemy_passed >> 8)) != 0);
    if (is_knight) {
        return;
    }
    const uint64_t homes = TEXAM_AT('b', 2) | TEXAM_AT('g', 2);
    texam_add(side, texam_b_fianch, (piece & homes & (own >> 8)) != 0);
    // Own pawns on its colour; those on the files c to f count twice.
    const uint64_t color = (piece & TEXAM_CORNER_COLOR) != 0 ? TEXAM_CORNER_COLOR : ~TEXAM_CORNER_COLOR;
    const uint64_t in_center = own & color & texam_on_files(TEXAM_CENTER_FILES);
    texam_add(side, texam_b_bad, TEXAM_SIZE(own & color) + TEXAM_SIZE(in_center));
    const uint64_t left = TEXAM_AT('b', 6) | TEXAM_AT('c', 7), right = TEXAM_AT('g', 6) | TEXAM_AT('f', 7);
    const int trapped_left = (piece & (TEXAM_AT('a', 7) | TEXAM_AT('b', 8))) != 0 && (enemy & left) == left;
    const int trapped_right = (piece & (TEXAM_AT('h', 7) | TEXAM_AT('g', 8))) != 0 && (enemy & right) == right;
    texam_add(side, texam_b_trap, trapped_left || trapped_right);
    // The long diagonals, with no own pawn on their four inner squares.
    const uint64_t inner = texam_ranks(3, 6) & texam_on_files(TEXAM_CENTER_FILES);
    const uint64_t a1_h8 = UINT64_C(0x8040201008040201), h1_a8 = UINT64_C(0x0102040810204080);
    const int on_first = (piece & a1_h8) != 0 && (own & a1_h8 & inner) == 0;
    const int on_second = (piece & h1_a8) != 0 && (own & h1_a8 & inner) == 0;
    texam_add(side, texam_b_diag, on_first || on_second);
}

static inline void texam_rook_terms(texam_side *side, uint64_t rook, int file_class) {
    const uint64_t half_open = texam_on_files(~side->files), own = side->own.pawns;
    if ((rook & half_open) != 0) {
        const int is_open = (rook & ~texam_on_files(side->enemy_files)) != 0;
        texam_add(side, (is_open ? texam_r_open : texam_r_half)[file_class], 1);
        const uint64_t near_king = texam_on_files(texam_around(texam_file(side->enemy_king)));
        texam_add(side, texam_r_kfile, (rook & near_king) != 0);
    }
    // The first pawn ahead of it, of either colour.
    const uint64_t ahead = texam_ahead(rook) & (own | side->enemy.pawns), nearest = ahead & (~ahead + 1);
    texam_add(side, texam_r_shut, (nearest & own & ~side->enemy_attacks) != 0);
    texam_add(side, texam_r_weak, (nearest & side->enemy_weak & half_open) != 0);
}

static inline void texam_rooks_together(texam_side *side) {
    const uint64_t rooks = side->own.rooks, king = side->own.king;
    const uint64_t free = rooks & texam_on_files(~side->files), rear = free & texam_behind(free);
    texam_add(side, texam_r_dbl, TEXAM_SIZE((uint64_t)texam_files(rear)));
    const uint64_t prey = (side->enemy.king & texam_ranks(8, 8)) | (side->enemy.pawns & texam_ranks(7, 7));
    const int on_seventh = prey == 0 ? 0 : TEXAM_SIZE(rooks & texam_ranks(7, 7));
    texam_add(side, texam_r_7th, on_seventh >= 1);
    texam_add(side, texam_r_7th2, on_seventh >= 2);
    const uint64_t right = TEXAM_AT('g', 1) | TEXAM_AT('h', 1) | TEXAM_AT('h', 2);
    const uint64_t left = TEXAM_AT('a', 1) | TEXAM_AT('b', 1) | TEXAM_AT('a', 2);
    const int shut_right = (king & (TEXAM_AT('f', 1) | TEXAM_AT('g', 1))) != 0 && (rooks & right) != 0;
    const int shut_left = (king & (TEXAM_AT('b', 1) | TEXAM_AT('c', 1))) != 0 && (rooks & left) != 0;
    texam_add(side, texam_r_trap, shut_right || shut_left);
}

// What one piece or pawn adds.
static inline void texam_piece_terms(texam_side *side, int piece, int square) {
    const uint64_t set = UINT64_C(1) << square;
    texam_add(side, texam_piece_square(piece, square, 1), 1);
    if (piece == TEXAM_PAWN || piece == TEXAM_KING) {
        return;
    }
    texam_add(side, texam_pc_attp, (set & side->enemy_attacks) != 0);
    const int near = 7 - texam_distance(square, side->enemy_king);
    const int taxicab = texam_files_apart(square, side->enemy_king) + texam_ranks_apart(square, side->enemy_king);
    if (piece == TEXAM_KNIGHT || piece == TEXAM_BISHOP) {
        texam_add(side, piece == TEXAM_KNIGHT ? texam_n_trop : texam_b_trop, near);
        texam_minor_terms(side, set, piece == TEXAM_KNIGHT);
    } else if (piece == TEXAM_ROOK) {
        texam_add(side, texam_r_trop, 14 - taxicab);
        texam_rook_terms(side, set, texam_file_class(square));
    } else {
        texam_add(side, texam_q_trop, 14 - taxicab);
        texam_add(side, texam_q_open, (set & texam_on_files(~(side->files | side->enemy_files))) != 0);
    }
}

static inline void texam_minors_together(texam_side *side) {
    const uint64_t bishops = side->own.bishops, knights = side->own.knights;
    texam_add(side, texam_b_pair, (bishops & TEXAM_CORNER_COLOR) != 0 && (bishops & ~TEXAM_CORNER_COLOR) != 0);
    const uint64_t knights_home = knights & (TEXAM_AT('b', 1) | TEXAM_AT('g', 1));
    const uint64_t bishops_home = bishops & (TEXAM_AT('c', 1) | TEXAM_AT('f', 1));
    const int at_home = TEXAM_SIZE(knights_home | bishops_home);
    texam_add(side, texam_undev, at_home * at_home);
    texam_add(side, texam_q_early, TEXAM_SIZE(side->own.queens & ~TEXAM_AT('d', 1)) * at_home);
    const int files = side->files | side->enemy_files;
    if ((files & TEXAM_QUEEN_WING) != 0 && (files & TEXAM_KING_WING) != 0) {
        texam_add(side, texam_b_knsame, TEXAM_SIZE(bishops) - TEXAM_SIZE(knights));
    }
    const uint64_t blocked = side->blocked_center;
    texam_add(side, texam_b_shut, (bishops & TEXAM_AT('c', 1)) != 0 && (blocked & TEXAM_AT('d', 2)) != 0);
    texam_add(side, texam_b_shut, (bishops & TEXAM_AT('f', 1)) != 0 && (blocked & TEXAM_AT('e', 2)) != 0);
}

@attacks@
// A side, and what the pawns tell.
static inline texam_side texam_side_of(const texam_position *position, int is_white, int lead) {
    texam_side side;
    memset(&side, 0, sizeof side);
    side.own = is_white ? position->white : texam_flip_pieces(position->black);
    side.enemy = is_white ? position->black : texam_flip_pieces(position->white);
    side.own_all = texam_all(side.own);
    side.enemy_all = texam_all(side.enemy);
    side.lead = is_white ? lead : -lead;
    side.castles_short = (position->castling & (is_white ? TEXAM_WHITE_SHORT : TEXAM_BLACK_SHORT)) != 0;
    side.castles_long = (position->castling & (is_white ? TEXAM_WHITE_LONG : TEXAM_BLACK_LONG)) != 0;
    side.to_move = (position->white_to_move != 0) == is_white;
    side.king = TEXAM_FIRST(side.own.king);
    side.enemy_king = TEXAM_FIRST(side.enemy.king);
    const uint64_t own = side.own.pawns, enemy = side.enemy.pawns;
    const uint64_t flipped_own = texam_flip(own), flipped_enemy = texam_flip(enemy);
    side.pawn_attacks = texam_beside(own << 8);
    side.enemy_attacks = texam_beside(enemy >> 8);
    side.enemy_span = texam_beside(texam_behind(enemy));
    side.passed = texam_passed(own, enemy);
    side.enemy_passed = texam_flip(texam_passed(flipped_enemy, flipped_own));
    const uint64_t backward = texam_backward(flipped_enemy, texam_flip(side.pawn_attacks));
    side.enemy_weak = texam_flip(texam_isolated(flipped_enemy) | backward);
    const uint64_t center_stops = TEXAM_AT('d', 3) | TEXAM_AT('e', 3);
    side.blocked_center = own & (((side.own_all | side.enemy_all) & center_stops) >> 8);
    side.files = texam_files(own);
    side.enemy_files = texam_files(enemy);
    return side;
}

static inline void texam_all_terms(texam_side *side) {
    const uint64_t sets[6] = { side->own.pawns, side->own.knights, side->own.bishops,
                               side->own.rooks, side->own.queens,  side->own.king };
    for (int piece = TEXAM_PAWN; piece <= TEXAM_KING; piece++) {
        for (uint64_t left = sets[piece]; left != 0; left &= left - 1) {
            texam_piece_terms(side, piece, TEXAM_FIRST(left));
        }
    }
    texam_pawn_terms(side);
    texam_passed_terms(side);
    texam_king_terms(side);
    texam_rooks_together(side);
    texam_minors_together(side);
}

// Numbers of knights, bishops, rooks and queens of both sides.
static inline void texam_count(const texam_position *position, int counts[4]) {
    counts[0] = TEXAM_SIZE(position->white.knights | position->black.knights);
    counts[1] = TEXAM_SIZE(position->white.bishops | position->black.bishops);
    counts[2] = TEXAM_SIZE(position->white.rooks | position->black.rooks);
    counts[3] = TEXAM_SIZE(position->white.queens | position->black.queens);
}

// White's material less Black's by fixed values in 1/128 pawn, the same for every set of weights.
static inline int texam_lead(const texam_pieces *white, const texam_pieces *black) {
    return 128 * (TEXAM_SIZE(white->pawns) - TEXAM_SIZE(black->pawns)) +
           416 * (TEXAM_SIZE(white->knights) - TEXAM_SIZE(black->knights)) +
           424 * (TEXAM_SIZE(white->bishops) - TEXAM_SIZE(black->bishops)) +
           640 * (TEXAM_SIZE(white->rooks) - TEXAM_SIZE(black->rooks)) +
           1216 * (TEXAM_SIZE(white->queens) - TEXAM_SIZE(black->queens));
}

// The sums of the opening and of the endgame weights, from White's view.
static inline texam_weight texam_sums(const texam_position *position) {
    const int lead = texam_lead(&position->white, &position->black);
    texam_side white = texam_side_of(position, 1, lead), black = texam_side_of(position, 0, lead);
    texam_all_terms(&white);
    texam_all_terms(&black);
    @attack_terms@
    // Trades, by the lead in whole pawns, and the side to move.
    int counts[4];
    texam_count(position, counts);
    const int pawns = texam_max(-4, texam_min(lead / 128, 4));
    const int pieces_off = texam_max(0, 14 - (counts[0] + counts[1] + counts[2] + counts[3]));
    const int pawns_off = texam_max(0, 16 - TEXAM_SIZE(position->white.pawns | position->black.pawns));
    texam_add(&white, texam_trade_pc, pawns * pieces_off / 2);
    texam_add(&white, texam_trade_pn, pawns * pawns_off / 2);
    texam_add(&white, texam_tempo, position->white_to_move ? 1 : -1);
    const texam_weight sums = { white.sum.open - black.sum.open, white.sum.end - black.sum.end };
    return sums;
}

// The value of a position from White's view, in 1/256 of the unit of the weights: a pawn is worth
// 256 * TEXAM_PAWN_VALUE.
static inline int64_t texam_evaluate(const texam_position *position) {
    const texam_weight sums = texam_sums(position);
    int counts[4];
    texam_count(position, counts);
    const int phase = TEXAM_PHASE(counts);
    return (int64_t)(256 - phase) * sums.open + (int64_t)phase * sums.end;
}
