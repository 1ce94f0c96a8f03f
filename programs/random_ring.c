/* The ranks form a ring in random order. Each sends to its right neighbour and receives from its
 * left neighbour.
 *
 * Source: OpenNSIM, Table 1, "random ring".
 * Arguments: message size in bytes, seed of the order (1), rounds (1).
 * Metrics: program_time_s. */
#include "arguments.h"
#include "mgen.h"
#include <stdint.h>
#include <stdio.h>

enum { ROUNDS = 4 };

/* A mixing function of one round of the permutation (the finaliser of splitmix64). */
static uint32_t mix(uint32_t half, uint64_t key) {
    uint64_t z = half + key * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (uint32_t)(z ^ (z >> 31));
}

/* A Feistel network over an even number of bits, forwards or backwards. */
static uint32_t feistel(uint32_t number, int half_bits, uint64_t seed, int is_back) {
    uint32_t mask = (1u << half_bits) - 1;
    uint32_t left = number >> half_bits;
    uint32_t right = number & mask;
    for (int i = 0; i < ROUNDS; i++) {
        uint64_t key = seed * ROUNDS + (uint64_t)(is_back ? ROUNDS - 1 - i : i);
        if (is_back) {
            uint32_t old = right ^ (mix(left, key) & mask);
            right = left;
            left = old;
        } else {
            uint32_t made = left ^ (mix(right, key) & mask);
            left = right;
            right = made;
        }
    }
    return left << half_bits | right;
}

/* A random permutation of 0 .. size - 1 that needs no memory: a number outside this range goes
 * through the network again until it is inside. */
static int permuted(int number, int size, uint64_t seed, int is_back) {
    int half_bits = 1;
    while (half_bits < 15 && 1L << 2 * half_bits < size) {
        half_bits++;
    }
    uint32_t found = (uint32_t)number;
    do {
        found = feistel(found, half_bits, seed, is_back);
    } while (found >= (uint32_t)size);
    return (int)found;
}

int MGEN_Main(int argc, char **argv) {
    int rank;
    int size;
    MGEN_Comm_rank(MGEN_COMM_WORLD, &rank);
    MGEN_Comm_size(MGEN_COMM_WORLD, &size);
    MGEN_Arguments given = {argc, argv, 0};
    int bytes = MGEN_Argument_int(&given, 1, "message size in bytes", 0, -1);
    uint64_t seed = MGEN_Argument_seed(&given, 2, 1);
    int rounds = MGEN_Argument_int(&given, 3, "rounds", 0, 1);
    if (given.wrong > 0) {
        return 2;
    }
    int place = permuted(rank, size, seed, 0);
    int right = permuted((place + 1) % size, size, seed, 1);
    int left = permuted((place - 1 + size) % size, size, seed, 1);
    for (int round = 0; round < rounds; round++) {
        MGEN_Sendrecv(NULL, bytes, MGEN_BYTE, right, 0, NULL, bytes, MGEN_BYTE, left, 0,
                      MGEN_COMM_WORLD, MGEN_STATUS_IGNORE);
    }
    return 0;
}
