/* Texts and statuses between the languages. */
#include "fortran.h"
#include "mpi_state.h"

enum { MOST_WRITTEN = MPI_MAX_INFO_VAL + 1 };

char *mgen_fortran_text(const char *text, size_t length) {
    size_t first = 0;
    while (length > 0 && text[length - 1] == ' ') {
        length--;
    }
    while (first < length && text[first] == ' ') {
        first++;
    }
    char *own = mgen_memory(length - first + MOST_WRITTEN);
    memcpy(own, text + first, length - first);
    own[length - first] = '\0';
    return own;
}

void mgen_fortran_fill(char *own, char *text, size_t length) {
    size_t written = strlen(own);
    size_t copied = written < length ? written : length;
    memcpy(text, own, copied);
    memset(text + copied, ' ', length - copied);
    free(own);
}

MPI_Status *mgen_fortran_statuses(int count, const int *statuses) {
    if (statuses == mgen_statuses_ignore_ || statuses == mgen_status_ignore_ || count <= 0) {
        return MPI_STATUSES_IGNORE;
    }
    size_t bytes = (size_t)count * sizeof(MPI_Status);
    return memcpy(mgen_memory(bytes), statuses, bytes);
}

void mgen_fortran_statuses_end(MPI_Status *own, int count, int *statuses) {
    if (own != MPI_STATUSES_IGNORE) {
        memcpy(statuses, own, (size_t)count * sizeof *own);
        free(own);
    }
}
