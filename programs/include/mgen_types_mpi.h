/* The types and constants of MGEN over an MPI library. */
#ifndef MGEN_TYPES_MPI_H
#define MGEN_TYPES_MPI_H

#include <mpi.h>

typedef MPI_Comm MGEN_Comm;
typedef MPI_Request MGEN_Request;
typedef MPI_Op MGEN_Op;
typedef MPI_Datatype MGEN_Datatype;
typedef MPI_Status MGEN_Status;
typedef long MGEN_acp_handle;
typedef MGEN_acp_handle MGEN_acp_handle_t;

/* Fields of a status. */
#define MGEN_SOURCE MPI_SOURCE
#define MGEN_TAG MPI_TAG
#define MGEN_ERROR MPI_ERROR

/* The largest tag that every MPI allows. */
enum { MGEN_TAG_UB = 32767 };

#define MGEN_COMM_NULL MPI_COMM_NULL
#define MGEN_COMM_WORLD MPI_COMM_WORLD
#define MGEN_COMM_SELF MPI_COMM_SELF
#define MGEN_REQUEST_NULL MPI_REQUEST_NULL
#define MGEN_SUCCESS MPI_SUCCESS
#define MGEN_ANY_SOURCE MPI_ANY_SOURCE
#define MGEN_ANY_TAG MPI_ANY_TAG
#define MGEN_PROC_NULL MPI_PROC_NULL
#define MGEN_UNDEFINED MPI_UNDEFINED
#define MGEN_STATUS_IGNORE MPI_STATUS_IGNORE
#define MGEN_STATUSES_IGNORE MPI_STATUSES_IGNORE
#define MGEN_IN_PLACE MPI_IN_PLACE

#define MGEN_BYTE MPI_BYTE
#define MGEN_CHAR MPI_CHAR
#define MGEN_SHORT MPI_SHORT
#define MGEN_INT MPI_INT
#define MGEN_LONG MPI_LONG
#define MGEN_LONG_LONG MPI_LONG_LONG
#define MGEN_UNSIGNED_CHAR MPI_UNSIGNED_CHAR
#define MGEN_UNSIGNED MPI_UNSIGNED
#define MGEN_UNSIGNED_LONG MPI_UNSIGNED_LONG
#define MGEN_FLOAT MPI_FLOAT
#define MGEN_DOUBLE MPI_DOUBLE

#define MGEN_SUM MPI_SUM
#define MGEN_PROD MPI_PROD
#define MGEN_MAX MPI_MAX
#define MGEN_MIN MPI_MIN
#define MGEN_LAND MPI_LAND
#define MGEN_LOR MPI_LOR
#define MGEN_BAND MPI_BAND
#define MGEN_BOR MPI_BOR

#endif
