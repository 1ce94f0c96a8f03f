/* Shapes of trees. Ranks are relative to the root, which is 0; only the tree in order counts
 * otherwise: there the root is the last rank. */
#include "collective.h"

static void adopt(struct tree *tree, int child, int size) {
    if (child < size) {
        tree->children[tree->child_count++] = child;
    }
}

struct tree mgen_collective_chain(int rank, int size) {
    struct tree tree = {.parent = rank - 1};
    adopt(&tree, rank + 1, size);
    return tree;
}

/* Levels hold 1, 2, 4 … ranks. In a level of w ranks, rank r has the children r + w and r + 2w. */
struct tree mgen_collective_binary(int rank, int size) {
    int width = mgen_collective_power(rank + 1);
    int above = rank - width / 2;
    struct tree tree = {.parent = rank == 0 ? -1 : above < width - 1 ? above : above - width / 2};
    adopt(&tree, rank + width, size);
    adopt(&tree, rank + 2 * width, size);
    return tree;
}

struct tree mgen_collective_knomial(int rank, int size, int radix) {
    struct tree tree = {.parent = -1};
    int step = 1;
    for (; step < size && rank % (radix * step) == 0; step *= radix) {
    }
    if (step < size) {
        tree.parent = rank - rank % (radix * step);
    }
    for (step /= radix; step > 0; step /= radix) {
        for (int i = 1; i < radix; i++) {
            adopt(&tree, rank + i * step, size);
        }
    }
    return tree;
}

/* The root of the ranks first … last is last. The lower half is one subtree, the others between are
 * the second. */
struct tree mgen_collective_in_order(int rank, int size) {
    struct tree tree = {.parent = -1};
    int first = 0;
    int last = size - 1;
    while (rank != last) {
        int lower = first + (last - first + 1) / 2 - 1;
        tree.parent = last;
        if (rank > lower) {
            first = lower + 1;
            last--;
        } else {
            last = lower;
        }
    }
    int lower = first + (last - first + 1) / 2 - 1;
    if (last > first) {
        tree.children[tree.child_count++] = last - 1;
    }
    if (last - 1 > first) {
        tree.children[tree.child_count++] = lower;
    }
    return tree;
}
