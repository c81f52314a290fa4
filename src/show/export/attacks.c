// Attacks. A piece or pawn attacks a square that it could capture on; a sliding piece sees up to the first
// piece or pawn of either side.

// Squares on the diagonals of a square, or on its file and rank.
static inline uint64_t texam_lines(int is_diagonal, int square, uint64_t occupied) {
    static const int steps[2][4][2] = { { { 1, 0 }, { -1, 0 }, { 0, 1 }, { 0, -1 } },
                                        { { 1, 1 }, { 1, -1 }, { -1, 1 }, { -1, -1 } } };
    uint64_t attacked = 0;
    for (int way = 0; way < 4; way++) {
        const int *const step = steps[is_diagonal][way];
        int file = texam_file(square) + step[0], rank = texam_rank(square) + step[1];
        while (file >= 0 && file < 8 && rank >= 0 && rank < 8) {
            const uint64_t target = UINT64_C(1) << (8 * rank + file);
            attacked |= target;
            if ((occupied & target) != 0) {
                break;
            }
            file += step[0];
            rank += step[1];
        }
    }
    return attacked;
}
static inline uint64_t texam_knight_attacks(uint64_t knight) {
    const uint64_t one = texam_beside(knight), two = texam_beside(one) & ~knight;
    return (one << 16) | (one >> 16) | (two << 8) | (two >> 8);
}
static inline uint64_t texam_king_attacks(uint64_t king) {
    const uint64_t row = king | texam_beside(king);
    return (row | (row << 8) | (row >> 8)) & ~king;
}
static inline uint64_t texam_piece_attacks(int piece, int square, uint64_t occupied) {
    if (piece == TEXAM_KNIGHT) {
        return texam_knight_attacks(UINT64_C(1) << square);
    }
    return (piece == TEXAM_ROOK ? 0 : texam_lines(1, square, occupied)) |
           (piece == TEXAM_BISHOP ? 0 : texam_lines(0, square, occupied));
}

// The squares that each kind attacks, as its own side sees them.
static inline texam_pieces texam_attacked(texam_side *side) {
    const texam_weight *const mobility[4] = { texam_mob_n, texam_mob_b, texam_mob_r, texam_mob_q };
    const texam_weight ring_weights[4] = { texam_ring_n, texam_ring_b, texam_ring_r, texam_ring_q };
    const uint64_t sets[4] = { side->own.knights, side->own.bishops, side->own.rooks, side->own.queens };
    const uint64_t center = texam_on_files(0x18) & texam_ranks(4, 5), guarded = side->enemy_attacks;
    const uint64_t ring = texam_king_attacks(side->enemy.king);
    uint64_t by[4] = { 0, 0, 0, 0 };
    int in_center = 0, pieces_on_ring = 0;
    for (int kind = 0; kind < 4; kind++) {
        for (uint64_t left = sets[kind]; left != 0; left &= left - 1) {
            const uint64_t attacked =
                texam_piece_attacks(TEXAM_KNIGHT + kind, TEXAM_FIRST(left), side->own_all | side->enemy_all);
            by[kind] |= attacked;
            texam_add(side, mobility[kind][TEXAM_SIZE(attacked & ~(side->own_all | guarded))], 1);
            texam_add(side, ring_weights[kind], TEXAM_SIZE(attacked & ring));
            in_center += TEXAM_SIZE(attacked & center);
            pieces_on_ring += (attacked & ring) != 0;
        }
    }
    const texam_pieces all = { side->pawn_attacks, by[0], by[1], by[2], by[3], texam_king_attacks(side->own.king) };
    in_center += TEXAM_SIZE(((side->own.pawns & ~TEXAM_FILE_A) << 7) & center);
    in_center += TEXAM_SIZE(((side->own.pawns & ~(TEXAM_FILE_A << 7)) << 9) & center);
    texam_add(side, texam_ctr_att, in_center + TEXAM_SIZE(all.king & center));
    texam_add(side, texam_ring_cnt[texam_min(pieces_on_ring, 5)], 1);
    const uint64_t space = texam_on_files(TEXAM_CENTER_FILES) & texam_ranks(2, 4);
    texam_add(side, texam_space, TEXAM_SIZE(space & ~(side->own.pawns | guarded)));
    return all;
}

// Enemy pieces alone between an own sliding piece and a target, on a line of the sliding piece.
static inline uint64_t texam_pinned_to(const texam_side *side, int target) {
    const uint64_t pieces = side->enemy_all & ~(side->enemy.pawns | side->enemy.king);
    const uint64_t occupied = side->own_all | side->enemy_all;
    uint64_t pinned = 0;
    for (int is_diagonal = 0; is_diagonal < 2; is_diagonal++) {
        const uint64_t sliders = side->own.queens | (is_diagonal ? side->own.bishops : side->own.rooks);
        const uint64_t seen = texam_lines(is_diagonal, target, occupied), blockers = seen & pieces;
        uint64_t left = texam_lines(is_diagonal, target, occupied ^ blockers) & ~seen & sliders;
        for (; left != 0; left &= left - 1) {
            const int slider = TEXAM_FIRST(left);
            const uint64_t ends = (UINT64_C(1) << target) | (UINT64_C(1) << slider);
            pinned |= blockers & texam_lines(is_diagonal, target, ends) & texam_lines(is_diagonal, slider, ends);
        }
    }
    return pinned;
}

// Terms that need the attacks of both sides, as this side sees them.
static inline void texam_threat_terms(texam_side *side, texam_pieces own, texam_pieces enemy) {
    const uint64_t occupied = side->own_all | side->enemy_all, by_all = texam_all(own), by_enemy = texam_all(enemy);
    const uint64_t by_pieces = own.knights | own.bishops | own.rooks | own.queens;
    const texam_pieces theirs = side->enemy;
    const uint64_t pieces = theirs.knights | theirs.bishops | theirs.rooks | theirs.queens;
    texam_add(side, texam_thr_minor, TEXAM_SIZE((own.knights | own.bishops) & (theirs.rooks | theirs.queens)));
    texam_add(side, texam_thr_rook, TEXAM_SIZE(own.rooks & theirs.queens));
    const uint64_t roles[5] = { theirs.pawns, theirs.knights, theirs.bishops, theirs.rooks, theirs.queens };
    for (int role = 0; role < 5; role++) {
        texam_add(side, texam_thr_loose[role], TEXAM_SIZE(by_all & ~by_enemy & roles[role]));
        texam_add(side, texam_thr_weak[role], TEXAM_SIZE(by_pieces & by_enemy & ~enemy.pawns & roles[role]));
    }
    // Pushes to a square that no enemy pawn attacks, and no enemy piece unless something defends it.
    const uint64_t once = (side->own.pawns << 8) & ~occupied, twice = ((once & texam_ranks(3, 3)) << 8) & ~occupied;
    const uint64_t pushes = (once | twice) & ~enemy.pawns & (~by_enemy | by_all);
    texam_add(side, texam_thr_push, TEXAM_SIZE((texam_beside(pushes) << 8) & pieces));
    uint64_t pinned = texam_pinned_to(side, side->enemy_king);
    for (uint64_t left = theirs.queens; left != 0; left &= left - 1) {
        pinned |= texam_pinned_to(side, TEXAM_FIRST(left));
    }
    texam_add(side, texam_pin, TEXAM_SIZE(pinned));
    // Squares to which a piece can move and from which it would attack the enemy king.
    const uint64_t free = ~(side->own_all | enemy.pawns);
    const uint64_t diagonal = texam_lines(1, side->enemy_king, occupied);
    const uint64_t straight = texam_lines(0, side->enemy_king, occupied);
    texam_add(side, texam_chk_n, TEXAM_SIZE(own.knights & free & texam_knight_attacks(side->enemy.king)));
    texam_add(side, texam_chk_b, TEXAM_SIZE(own.bishops & free & diagonal));
    texam_add(side, texam_chk_r, TEXAM_SIZE(own.rooks & free & straight));
    texam_add(side, texam_chk_q, TEXAM_SIZE(own.queens & free & (diagonal | straight)));
}

