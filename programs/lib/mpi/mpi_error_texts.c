/* What the classes of errors mean that a program may meet and go on. */
#include "mpi_state.h"

const char *mgen_error_text(int code) {
    static const struct {
        int code;
        const char *text;
    } known[] = {{MPI_SUCCESS, "no error"},
                 {MPI_ERR_ARG, "an argument is not allowed"},
                 {MPI_ERR_TAG, "the tag is none that a message may have"},
                 {MPI_ERR_COUNT, "the count is negative"},
                 {MPI_ERR_RMA_SYNC, "no epoch of the window allows the call"},
                 {MPI_ERR_FILE, "there is no such file handle"},
                 {MPI_ERR_NO_SUCH_FILE, "the file does not exist"},
                 {MPI_ERR_FILE_EXISTS, "the file exists"},
                 {MPI_ERR_BAD_FILE, "the name is not that of a file"},
                 {MPI_ERR_ACCESS, "the file may not be accessed in this way"},
                 {MPI_ERR_READ_ONLY, "the file is open to be read only"},
                 {MPI_ERR_AMODE, "the modes of access exclude each other"},
                 {MPI_ERR_NOT_SAME, "the ranks pass different arguments"},
                 {MPI_ERR_IO, "the access is not possible"},
                 {MPI_ERR_NO_SPACE, "the disk is full"},
                 {MPI_ERR_UNSUPPORTED_DATAREP, "the data representation is unknown"},
                 {MPI_ERR_UNSUPPORTED_OPERATION, "a file in sequential mode cannot do this"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (known[i].code == code) {
            return known[i].text;
        }
    }
    return NULL;
}
