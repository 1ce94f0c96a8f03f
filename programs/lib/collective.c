/* Messages and memory of the collectives. */
#include "collective.h"
#include "mgen_buffers.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#ifndef MGEN_OVER_MPI
static struct group mgen_collective_group(MGEN_Comm comm) {
    struct group group = {.comm = comm | MGEN_HIDDEN};
    MGEN_Comm_rank(comm, &group.rank);
    MGEN_Comm_size(comm, &group.size);
    return group;
}
#endif

struct group mgen_collective_begin(enum collective which, MGEN_Comm comm) {
    struct group group = mgen_collective_group(comm);
    group.tag = mgen_record_tag(which);
    return group;
}

static int whole(size_t bytes) {
    if (bytes > INT_MAX) {
        mgen_fail("a message of the collective has more than 2147483647 bytes");
    }
    return (int)bytes;
}

void mgen_collective_send(const struct group *group, const void *data, size_t bytes, int dest) {
    if (mgen_record_message(group, (void *)data, bytes, dest, 1)) {
        mgen_record_wait();
        return;
    }
    MGEN_Send(data, whole(bytes), MGEN_BYTE, dest, group->tag, group->comm);
}

void mgen_collective_receive(const struct group *group, void *data, size_t bytes, int source) {
    if (mgen_record_message(group, data, bytes, source, 0)) {
        mgen_record_wait();
        return;
    }
    MGEN_Recv(data, whole(bytes), MGEN_BYTE, source, group->tag, group->comm, MGEN_STATUS_IGNORE);
}

void mgen_collective_exchange(const struct group *group, const void *sent, size_t sent_bytes,
                              int dest, void *received, size_t received_bytes, int source) {
    if (mgen_record_message(group, received, received_bytes, source, 0)) {
        mgen_record_message(group, (void *)sent, sent_bytes, dest, 1);
        mgen_record_wait();
        return;
    }
    MGEN_Sendrecv(sent, whole(sent_bytes), MGEN_BYTE, dest, group->tag, received,
                  whole(received_bytes), MGEN_BYTE, source, group->tag, group->comm,
                  MGEN_STATUS_IGNORE);
}

struct batch mgen_collective_batch(int most) {
    struct batch batch = {malloc((size_t)(most > 0 ? most : 1) * sizeof *batch.requests), 0};
    if (batch.requests == NULL) {
        mgen_fail("the collective has no memory for its requests");
    }
    return batch;
}

void mgen_collective_start_send(const struct group *group, struct batch *batch, const void *data,
                                size_t bytes, int dest) {
    if (mgen_record_message(group, (void *)data, bytes, dest, 1)) {
        return;
    }
    MGEN_Isend(data, whole(bytes), MGEN_BYTE, dest, group->tag, group->comm,
               &batch->requests[batch->posted++]);
}

void mgen_collective_start_receive(const struct group *group, struct batch *batch, void *data,
                                   size_t bytes, int source) {
    if (mgen_record_message(group, data, bytes, source, 0)) {
        return;
    }
    MGEN_Irecv(data, whole(bytes), MGEN_BYTE, source, group->tag, group->comm,
               &batch->requests[batch->posted++]);
}

void mgen_collective_wait(struct batch *batch) {
    if (mgen_record_wait()) {
        return;
    }
    MGEN_Waitall(batch->posted, batch->requests, MGEN_STATUSES_IGNORE);
    batch->posted = 0;
}

void mgen_collective_finish(struct batch *batch) {
    mgen_collective_wait(batch);
    free(batch->requests);
}

void mgen_collective_apart(const void *sent, const void *received, size_t bytes) {
    if (sent == received && sent != NULL && bytes > 0) {
        mgen_fail("sendbuf and recvbuf are the same memory; use MGEN_IN_PLACE");
    }
}

void mgen_collective_at_root(const void *buffer, int rank, int root) {
    if (buffer == MGEN_IN_PLACE && rank != root) {
        mgen_fail("only the root may give MGEN_IN_PLACE");
    }
}

void *mgen_collective_scratch(const void *buffer, size_t bytes) {
    if (buffer == NULL || bytes == 0) {
        return NULL;
    }
    void *memory = MGEN_Buffer(bytes);
    if (memory == NULL) {
        mgen_fail("the collective has no memory for its blocks");
    }
    return memory;
}

void mgen_collective_copy(void *to, const void *from, size_t bytes) {
    if (to != NULL && from != NULL && bytes > 0 && !mgen_record_copy(to, from, bytes)) {
        memmove(to, from, bytes);
    }
}

void mgen_collective_free(void *memory) {
    if (memory != NULL && !mgen_record_free(memory)) {
        free(memory);
    }
}

int mgen_collective_power(int size) {
    int power = 1;
    while (power <= size / 2) {
        power *= 2;
    }
    return power;
}
