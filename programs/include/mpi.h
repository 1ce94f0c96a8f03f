/* MPI for the simulator: the part of MPI 3 that the calls of mgen.h cover, for programs written for
 * MPI. A program that uses more does not compile, and the compiler names what is missing.
 *
 * Over a real MPI its own mpi.h comes first, and this file is not used. */
#ifndef MGEN_MPI_H
#define MGEN_MPI_H

#include "mgen.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MPI_VERSION 3
#define MPI_SUBVERSION 1

typedef MGEN_Comm MPI_Comm;
typedef MGEN_Request MPI_Request;
typedef MGEN_Op MPI_Op;
typedef MGEN_Datatype MPI_Datatype;
typedef MGEN_Status MPI_Status;
typedef int MPI_Errhandler;
typedef long MPI_Aint;

#define MPI_SOURCE MGEN_SOURCE
#define MPI_TAG MGEN_TAG
#define MPI_ERROR MGEN_ERROR

#define MPI_COMM_NULL MGEN_COMM_NULL
#define MPI_COMM_WORLD MGEN_COMM_WORLD
#define MPI_COMM_SELF MGEN_COMM_SELF
#define MPI_REQUEST_NULL MGEN_REQUEST_NULL
#define MPI_STATUS_IGNORE MGEN_STATUS_IGNORE
#define MPI_STATUSES_IGNORE MGEN_STATUSES_IGNORE
#define MPI_IN_PLACE MGEN_IN_PLACE
#define MPI_ANY_SOURCE MGEN_ANY_SOURCE
#define MPI_ANY_TAG MGEN_ANY_TAG
#define MPI_PROC_NULL MGEN_PROC_NULL
#define MPI_UNDEFINED MGEN_UNDEFINED
#define MPI_BOTTOM ((void *)0)

enum { MPI_SUCCESS = MGEN_SUCCESS, MPI_ERR_OTHER = 15, MPI_ERR_ARG = 12 };
enum {
    MPI_MAX_PROCESSOR_NAME = 64,
    MPI_MAX_ERROR_STRING = 64,
    MPI_MAX_LIBRARY_VERSION_STRING = 64
};
enum { MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED, MPI_THREAD_MULTIPLE };
enum { MPI_ERRORS_ARE_FATAL = 1, MPI_ERRORS_RETURN };

#define MPI_BYTE MGEN_BYTE
#define MPI_PACKED MGEN_BYTE
#define MPI_CHAR MGEN_CHAR
#define MPI_SIGNED_CHAR MGEN_CHAR
#define MPI_UNSIGNED_CHAR MGEN_UNSIGNED_CHAR
#define MPI_SHORT MGEN_SHORT
#define MPI_INT MGEN_INT
#define MPI_LONG MGEN_LONG
#define MPI_LONG_LONG MGEN_LONG_LONG
#define MPI_LONG_LONG_INT MGEN_LONG_LONG
#define MPI_UNSIGNED MGEN_UNSIGNED
#define MPI_UNSIGNED_LONG MGEN_UNSIGNED_LONG
#define MPI_FLOAT MGEN_FLOAT
#define MPI_DOUBLE MGEN_DOUBLE
#define MPI_INT8_T MGEN_CHAR
#define MPI_UINT8_T MGEN_UNSIGNED_CHAR
#define MPI_INT16_T MGEN_SHORT
#define MPI_INT32_T MGEN_INT
#define MPI_UINT32_T MGEN_UNSIGNED
#define MPI_INT64_T MGEN_LONG
#define MPI_UINT64_T MGEN_UNSIGNED_LONG

#define MPI_SUM MGEN_SUM
#define MPI_PROD MGEN_PROD
#define MPI_MAX MGEN_MAX
#define MPI_MIN MGEN_MIN
#define MPI_LAND MGEN_LAND
#define MPI_LOR MGEN_LOR
#define MPI_BAND MGEN_BAND
#define MPI_BOR MGEN_BOR

#define MPI_Wtime MGEN_Wtime
#define MPI_Abort MGEN_Abort
#define MPI_Comm_rank MGEN_Comm_rank
#define MPI_Comm_size MGEN_Comm_size
#define MPI_Comm_split MGEN_Comm_split
#define MPI_Comm_dup MGEN_Comm_dup
#define MPI_Comm_free MGEN_Comm_free
#define MPI_Send MGEN_Send
#define MPI_Rsend MGEN_Send
#define MPI_Ssend MGEN_Ssend
#define MPI_Recv MGEN_Recv
#define MPI_Isend MGEN_Isend
#define MPI_Irsend MGEN_Isend
#define MPI_Irecv MGEN_Irecv
#define MPI_Sendrecv MGEN_Sendrecv
#define MPI_Wait MGEN_Wait
#define MPI_Waitall MGEN_Waitall
#define MPI_Waitany MGEN_Waitany
#define MPI_Test MGEN_Test
#define MPI_Testall MGEN_Testall
#define MPI_Probe MGEN_Probe
#define MPI_Iprobe MGEN_Iprobe
#define MPI_Get_count MGEN_Get_count
#define MPI_Barrier MGEN_Barrier
#define MPI_Bcast MGEN_Bcast
#define MPI_Reduce MGEN_Reduce
#define MPI_Allreduce MGEN_Allreduce
#define MPI_Gather MGEN_Gather
#define MPI_Scatter MGEN_Scatter
#define MPI_Allgather MGEN_Allgather
#define MPI_Alltoall MGEN_Alltoall
#define MPI_Alltoallv MGEN_Alltoallv

/* A rank exists from the start until its main returns: these calls do nothing and take no time. */
static inline int MPI_Init(int *argc, char ***argv) {
    (void)argc;
    (void)argv;
    return MPI_SUCCESS;
}

static inline int MPI_Init_thread(int *argc, char ***argv, int required, int *provided) {
    (void)required;
    *provided = MPI_THREAD_FUNNELED;
    return MPI_Init(argc, argv);
}

static inline int MPI_Query_thread(int *provided) {
    *provided = MPI_THREAD_FUNNELED;
    return MPI_SUCCESS;
}

static inline int MPI_Finalize(void) {
    return MPI_SUCCESS;
}

static inline int MPI_Initialized(int *flag) {
    *flag = 1;
    return MPI_SUCCESS;
}

static inline int MPI_Finalized(int *flag) {
    *flag = 0;
    return MPI_SUCCESS;
}

/* The simulator counts in picoseconds. */
static inline double MPI_Wtick(void) {
    return 1e-12;
}

static inline int MPI_Get_processor_name(char *name, int *length) {
    int rank = 0;
    MGEN_Comm_rank(MGEN_COMM_WORLD, &rank);
    *length = snprintf(name, MPI_MAX_PROCESSOR_NAME, "rank%d", rank);
    return MPI_SUCCESS;
}

static inline int MPI_Get_version(int *version, int *subversion) {
    *version = MPI_VERSION;
    *subversion = MPI_SUBVERSION;
    return MPI_SUCCESS;
}

static inline int MPI_Get_library_version(char *text, int *length) {
    *length = snprintf(text, MPI_MAX_LIBRARY_VERSION_STRING, "weft-rdma");
    return MPI_SUCCESS;
}

static inline int MPI_Type_size(MPI_Datatype type, int *size) {
    *size = type & 0xffff;
    return MPI_SUCCESS;
}

/* Errors end the simulation with a message, whatever error handler a program sets. */
static inline int MPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler handler) {
    (void)comm;
    (void)handler;
    return MPI_SUCCESS;
}

static inline int MPI_Error_string(int code, char *text, int *length) {
    *length = snprintf(text, MPI_MAX_ERROR_STRING, "error %d", code);
    return MPI_SUCCESS;
}

static inline int MPI_Waitsome(int count, MPI_Request *requests, int *done, int *indices,
                               MPI_Status *statuses) {
    int code = MGEN_Waitany(count, requests, indices, statuses);
    *done = indices[0] == MPI_UNDEFINED ? MPI_UNDEFINED : 1;
    return code;
}

#endif
