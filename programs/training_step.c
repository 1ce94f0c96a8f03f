/* A step of training a network of equal layers: the forward pass of all layers, then the backward
 * pass, and the sums of the gradients over all ranks that hold the same part of the model.
 *
 * Data parallel: every rank holds the whole model. It sums the gradients of a layer while it
 * computes the backward pass of the layers before that (Li et al., "PyTorch Distributed", VLDB
 * 2020). Tensor parallel: neighbours hold each layer of a replica together. They sum activations
 * twice in each pass of a layer, and wait for that. The replicas sum their gradients after the
 * backward pass (Narayanan et al., "Efficient Large-Scale Language Model Training on GPU Clusters
 * Using Megatron-LM", SC 2021).
 *
 * Arguments: bytes of the gradients of a layer on a rank; layers; seconds that one rank would need
 * for the forward pass of a layer, which all ranks share; the same of its backward pass; how ranks
 * sum: `allreduce` (the algorithm that the engine's option allreduce_algorithm names) or
 * `double_tree`; replicas of the model (0: each rank holds one); bytes of the activations that the
 * ranks of a replica sum (0).
 * Metrics:
 *   program_time_s   the step
 *   exposed_time_s   how much longer the step takes than its computing
 *
 * A device computes while its network card sends. So a rank calls MGEN_Comp only for the computing
 * beside which nothing is summed. Messages have sizes and no data. Adding takes no time, and there
 * is no optimizer.
 *
 * The double tree is that of Sanders, Speck and Träff, "Two-tree algorithms for full bandwidth
 * broadcast, reduction and scan", Parallel Computing 35 (2009): each of two binary trees sums one
 * half in segments, and a rank with children in one tree has none in the other. */
#include "arguments.h"
#include "mgen.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TREES = 2, SOURCES = 3, ABOVE = 2, AHEAD = 4, SEGMENT = 64 * 1024 };

/* One tree as a rank sees it. Its neighbours are two children and, at ABOVE, its parent; -1 where
 * there is none. */
struct tree {
    int neighbours[SOURCES];
    int bytes;
    int segments;
    int posted[SOURCES];
    int arrived[SOURCES];
    int sent_up;
    int sent_down;
};

struct sum {
    MGEN_Comm comm;
    struct tree trees[TREES];
    MGEN_Request receives[TREES * SOURCES * AHEAD];
    MGEN_Request *sends;
    int sent;
};

/* Arguments and what follows from them. */
struct step {
    int rank;
    int size;
    int bytes;
    int layers;
    double forward_s;
    double backward_s;
    int is_double_tree;
    int together; /* ranks of a replica */
    int activation_bytes;
};

/* The rank at a place of a tree, and the other way round. The second tree has the leaves of the
 * first one inside. */
static int turned(int tree, int place, int size, int way) {
    if (tree == 0 || place < 0) {
        return place;
    }
    return size % 2 == 0 ? size - 1 - place : (place + way + size) % size;
}

/* A binary tree in the order of its places, below place 0. A place that is divided by a larger
 * power of two stands higher. */
static struct tree tree_of(int number, int rank, int size, int bytes) {
    struct tree tree = {
        .neighbours = {-1, -1, -1}, .bytes = bytes, .segments = (bytes + SEGMENT - 1) / SEGMENT};
    int place = turned(number, rank, size, 1);
    int power = place & -place;
    int step = power / 2;
    if (place == 0) {
        for (step = 1; 2 * step < size; step *= 2) {
        }
    } else {
        int above = (place ^ power) | (2 * power);
        tree.neighbours[0] = power > 1 ? place - step : -1;
        tree.neighbours[ABOVE] = above < size ? above : place ^ power;
    }
    while (step > 0 && place + step >= size) {
        step /= 2;
    }
    tree.neighbours[1] = step > 0 ? place + step : -1;
    for (int i = 0; i < SOURCES; i++) {
        tree.neighbours[i] = turned(number, tree.neighbours[i], size, -1);
    }
    return tree;
}

static int bytes_of(const struct tree *tree, int segment) {
    return segment < tree->segments - 1 ? SEGMENT : tree->bytes - segment * SEGMENT;
}

static void send(struct sum *sum, int number, int to, int segment) {
    const struct tree *tree = &sum->trees[number];
    if (tree->neighbours[to] >= 0) {
        MGEN_Isend(NULL, bytes_of(tree, segment), MGEN_BYTE, tree->neighbours[to], number,
                   sum->comm, &sum->sends[sum->sent++]);
    }
}

static void send_down(struct sum *sum, int number) {
    int segment = sum->trees[number].sent_down++;
    send(sum, number, 0, segment);
    send(sum, number, 1, segment);
}

/* Sends what both children have sent to the parent; at the root, back to the children. */
static void send_up(struct sum *sum, int number) {
    struct tree *tree = &sum->trees[number];
    int whole = tree->segments;
    for (int i = 0; i < ABOVE; i++) {
        if (tree->neighbours[i] >= 0 && tree->arrived[i] < whole) {
            whole = tree->arrived[i];
        }
    }
    while (tree->sent_up < whole) {
        send(sum, number, ABOVE, tree->sent_up++);
        if (tree->neighbours[ABOVE] < 0) {
            send_down(sum, number);
        }
    }
}

/* Posts the next receive from a neighbour, if one is left. Returns how many it has posted. */
static int receive_next(struct sum *sum, int slot) {
    int number = slot / AHEAD / SOURCES;
    int from = slot / AHEAD % SOURCES;
    struct tree *tree = &sum->trees[number];
    if (tree->neighbours[from] < 0 || tree->posted[from] == tree->segments) {
        return 0;
    }
    MGEN_Irecv(NULL, bytes_of(tree, tree->posted[from]++), MGEN_BYTE, tree->neighbours[from],
               number, sum->comm, &sum->receives[slot]);
    return 1;
}

static void double_tree(int bytes, MGEN_Comm comm) {
    int rank;
    int size;
    MGEN_Comm_rank(comm, &rank);
    MGEN_Comm_size(comm, &size);
    struct sum sum = {
        .comm = comm,
        .trees = {tree_of(0, rank, size, bytes - bytes / 2), tree_of(1, rank, size, bytes / 2)}};
    size_t most = SOURCES * (size_t)(sum.trees[0].segments + sum.trees[1].segments);
    sum.sends = malloc((most + 1) * sizeof *sum.sends);
    if (sum.sends == NULL) {
        fprintf(stderr, "training_step: no memory for %zu messages\n", most);
        MGEN_Abort(MGEN_COMM_WORLD, 1);
    }
    int open = 0;
    for (int slot = 0; slot < TREES * SOURCES * AHEAD; slot++) {
        sum.receives[slot] = MGEN_REQUEST_NULL;
        open += receive_next(&sum, slot);
    }
    send_up(&sum, 0);
    send_up(&sum, 1);
    while (open > 0) {
        int slot = 0;
        MGEN_Waitany(TREES * SOURCES * AHEAD, sum.receives, &slot, MGEN_STATUS_IGNORE);
        int number = slot / AHEAD / SOURCES;
        int from = slot / AHEAD % SOURCES;
        sum.trees[number].arrived[from]++;
        open += receive_next(&sum, slot) - 1;
        if (from == ABOVE) {
            send_down(&sum, number);
        } else {
            send_up(&sum, number);
        }
    }
    MGEN_Waitall(sum.sent, sum.sends, MGEN_STATUSES_IGNORE);
    free(sum.sends);
}

static void sum_over(const struct step *step, int bytes, MGEN_Comm comm) {
    if (bytes == 0) {
        return;
    }
    if (step->is_double_tree) {
        double_tree(bytes, comm);
    } else {
        MGEN_Allreduce(NULL, NULL, bytes / (int)sizeof(float), MGEN_FLOAT, MGEN_SUM, comm);
    }
}

/* All ranks hold the same. The sum of a layer begins when its gradients are there and the sum
 * before it has ended. */
static void data_parallel(const struct step *step) {
    double ready = MGEN_Wtime() + step->layers * step->forward_s;
    for (int i = 0; i < step->layers; i++) {
        ready += step->backward_s;
        double rest = ready - MGEN_Wtime();
        if (rest > 0) {
            MGEN_Comp(rest);
        }
        sum_over(step, step->bytes, MGEN_COMM_WORLD);
    }
}

/* One pass of a layer: attention and perceptron, each followed by a sum. */
static void pass(const struct step *step, double seconds, MGEN_Comm group) {
    for (int half = 0; half < 2; half++) {
        MGEN_Comp(seconds / 2);
        sum_over(step, step->activation_bytes, group);
    }
}

static void tensor_parallel(const struct step *step) {
    MGEN_Comm group;
    MGEN_Comm same_part;
    MGEN_Comm_split(MGEN_COMM_WORLD, step->rank / step->together, step->rank, &group);
    MGEN_Comm_split(MGEN_COMM_WORLD, step->rank % step->together, step->rank, &same_part);
    for (int i = 0; i < step->layers; i++) {
        pass(step, step->forward_s, group);
    }
    for (int i = 0; i < step->layers; i++) {
        pass(step, step->backward_s, group);
    }
    for (int i = 0; i < step->layers; i++) {
        sum_over(step, step->bytes, same_part);
    }
    MGEN_Comm_free(&same_part);
    MGEN_Comm_free(&group);
}

int MGEN_Main(int argc, char **argv) {
    MGEN_Arguments given = {argc, argv, 0};
    struct step step = {
        .bytes = MGEN_Argument_int(&given, 1, "bytes of the gradients of a layer", 0, -1),
        .layers = MGEN_Argument_int(&given, 2, "layers", 1, -1),
        .forward_s = MGEN_Argument_seconds(&given, 3, "seconds of a forward pass", -1),
        .backward_s = MGEN_Argument_seconds(&given, 4, "seconds of a backward pass", -1),
        .is_double_tree = argc > 5 && strcmp(argv[5], "double_tree") == 0,
        .activation_bytes = MGEN_Argument_int(&given, 7, "bytes of activations", 0, 0)};
    int replicas = MGEN_Argument_int(&given, 6, "replicas of the model", 0, 0);
    MGEN_Comm_rank(MGEN_COMM_WORLD, &step.rank);
    MGEN_Comm_size(MGEN_COMM_WORLD, &step.size);
    if (given.wrong > 0) {
        return 2;
    }
    replicas = replicas == 0 ? step.size : replicas;
    if (argc < 6 || (!step.is_double_tree && strcmp(argv[5], "allreduce") != 0) ||
        step.size % replicas != 0) {
        if (step.rank == 0) {
            fprintf(stderr,
                    "training_step sums by allreduce or double_tree, and replicas divide the "
                    "ranks (%d)\n",
                    step.size);
        }
        return 2;
    }
    step.together = step.size / replicas;
    step.forward_s /= step.size;
    step.backward_s /= step.size;
    double start = MGEN_Wtime();
    if (step.together == 1) {
        data_parallel(&step);
    } else {
        tensor_parallel(&step);
    }
    double exposed = MGEN_Wtime() - start - step.layers * (step.forward_s + step.backward_s);
    /* Times are rounded, so that nothing may be a little less than nothing. */
    MGEN_Sample("exposed_time_s", exposed > 0 ? exposed : 0);
    return 0;
}
