/* How the ranks of a measurement agree and complain. */
#include "session.h"
#include <stdarg.h>

void weft_complain(const struct session *session, const char *format, ...) {
    if (session->rank == 0) {
        va_list arguments;
        va_start(arguments, format);
        vfprintf(stderr, format, arguments);
        va_end(arguments);
        fputc('\n', stderr);
    }
}

int weft_all_agree(int ok) {
    int everywhere = 0;
    MPI_Allreduce(&ok, &everywhere, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return everywhere;
}

int weft_thread_constant(enum thread_level level) {
    const int constants[THREAD_LEVELS] = {
        [SINGLE] = MPI_THREAD_SINGLE,
        [FUNNELED] = MPI_THREAD_FUNNELED,
        [SERIALIZED] = MPI_THREAD_SERIALIZED,
        [MULTIPLE] = MPI_THREAD_MULTIPLE,
    };
    return constants[level];
}
