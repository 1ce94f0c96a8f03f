/* Ends of requests. A wait for any of several is recorded as one for those that were complete, and
 * a test as a wait when it finds them complete. */
#include "trace.h"
#include <stdlib.h>
#include <string.h>

static void waited(int one, int several, const MPI_Request *handles, const int *places, int count) {
    int64_t few[16];
    int64_t *numbers = count > 16 ? malloc((size_t)count * sizeof *numbers) : few;
    int found = 0;
    for (int i = 0; i < count; i++) {
        int number = trace_complete(handles[places == NULL ? i : places[i]]);
        if (number >= 0) {
            numbers[found++] = number;
        }
    }
    struct event event = {.peer = NOBODY, .element = 1, .request = -1, .call = several};
    if (found == 1) {
        event.call = one;
        event.request = (int)numbers[0];
    } else {
        event.more_count = found;
        event.more = numbers;
    }
    if (found > 0) {
        trace_leave(event);
    } else {
        trace_pass();
    }
    if (numbers != few) {
        free(numbers);
    }
}

/* The handles before the library takes them. */
struct kept {
    MPI_Request few[16];
    MPI_Request *all;
};

static void keep(struct kept *kept, int count, const MPI_Request *requests) {
    size_t bytes = (size_t)(count > 0 ? count : 0) * sizeof *requests;
    kept->all = count > 16 ? malloc(bytes) : kept->few;
    memcpy(kept->all, requests, bytes);
}

static void drop(struct kept *kept) {
    if (kept->all != kept->few) {
        free(kept->all);
    }
}

int MPI_Wait(MPI_Request *request, MPI_Status *status) {
    trace_enter();
    MPI_Request own = *request;
    int code = PMPI_Wait(request, status);
    waited(CALL_Wait, CALL_Waitall, &own, NULL, 1);
    return code;
}

int MPI_Test(MPI_Request *request, int *done, MPI_Status *status) {
    trace_enter();
    MPI_Request own = *request;
    int code = PMPI_Test(request, done, status);
    waited(CALL_Test_AS_Wait, CALL_Waitall, &own, NULL, *done ? 1 : 0);
    return code;
}

int MPI_Waitall(int count, MPI_Request *requests, MPI_Status *statuses) {
    trace_enter();
    struct kept kept;
    keep(&kept, count, requests);
    int code = PMPI_Waitall(count, requests, statuses);
    waited(CALL_Waitall_AS_Wait, CALL_Waitall, kept.all, NULL, count);
    drop(&kept);
    return code;
}

int MPI_Testall(int count, MPI_Request *requests, int *done, MPI_Status *statuses) {
    trace_enter();
    struct kept kept;
    keep(&kept, count, requests);
    int code = PMPI_Testall(count, requests, done, statuses);
    waited(CALL_Testall_AS_Wait, CALL_Testall_AS_Waitall, kept.all, NULL, *done ? count : 0);
    drop(&kept);
    return code;
}

int MPI_Waitany(int count, MPI_Request *requests, int *index, MPI_Status *status) {
    trace_enter();
    struct kept kept;
    keep(&kept, count, requests);
    int code = PMPI_Waitany(count, requests, index, status);
    waited(CALL_Waitany_AS_Wait, CALL_Waitall, kept.all, index, *index == MPI_UNDEFINED ? 0 : 1);
    drop(&kept);
    return code;
}

int MPI_Testany(int count, MPI_Request *requests, int *index, int *done, MPI_Status *status) {
    trace_enter();
    struct kept kept;
    keep(&kept, count, requests);
    int code = PMPI_Testany(count, requests, index, done, status);
    waited(CALL_Testany_AS_Wait, CALL_Waitall, kept.all, index,
           *done && *index != MPI_UNDEFINED ? 1 : 0);
    drop(&kept);
    return code;
}

int MPI_Waitsome(int count, MPI_Request *requests, int *out, int *places, MPI_Status *statuses) {
    trace_enter();
    struct kept kept;
    keep(&kept, count, requests);
    int code = PMPI_Waitsome(count, requests, out, places, statuses);
    waited(CALL_Waitsome_AS_Wait, CALL_Waitsome_AS_Waitall, kept.all, places,
           *out == MPI_UNDEFINED ? 0 : *out);
    drop(&kept);
    return code;
}

int MPI_Testsome(int count, MPI_Request *requests, int *out, int *places, MPI_Status *statuses) {
    trace_enter();
    struct kept kept;
    keep(&kept, count, requests);
    int code = PMPI_Testsome(count, requests, out, places, statuses);
    waited(CALL_Testsome_AS_Wait, CALL_Testsome_AS_Waitall, kept.all, places,
           *out == MPI_UNDEFINED ? 0 : *out);
    drop(&kept);
    return code;
}

int MPI_Request_free(MPI_Request *request) {
    trace_forget(*request);
    return PMPI_Request_free(request);
}
