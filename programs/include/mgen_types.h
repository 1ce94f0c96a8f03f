/* The types and constants of MGEN for the simulator. */
#ifndef MGEN_TYPES_H
#define MGEN_TYPES_H

typedef int MGEN_Comm;
typedef int MGEN_Request;
typedef int MGEN_Op;
/* Low 16 bits: bytes of one element. The bits above distinguish types of one size. */
typedef int MGEN_Datatype;
typedef long MGEN_acp_handle;
typedef MGEN_acp_handle MGEN_acp_handle_t;

typedef struct {
    int MGEN_SOURCE;
    int MGEN_TAG;
    int MGEN_ERROR;
    long bytes;
} MGEN_Status;

enum { MGEN_COMM_NULL = 0, MGEN_COMM_WORLD = 1, MGEN_COMM_SELF = 2 };
enum { MGEN_REQUEST_NULL = 0 };
enum { MGEN_SUCCESS = 0, MGEN_ANY_SOURCE = -1, MGEN_ANY_TAG = -2, MGEN_PROC_NULL = -3 };
enum { MGEN_UNDEFINED = -32766, MGEN_TAG_UB = 0x7fffffff };

#define MGEN_STATUS_IGNORE ((MGEN_Status *)0)
#define MGEN_STATUSES_IGNORE ((MGEN_Status *)0)
#define MGEN_IN_PLACE ((void *)-1)

#define MGEN_TYPE(kind, size) ((MGEN_Datatype)(((kind) << 16) | (size)))
#define MGEN_BYTE MGEN_TYPE(1, 1)
#define MGEN_CHAR MGEN_TYPE(2, 1)
#define MGEN_SHORT MGEN_TYPE(3, sizeof(short))
#define MGEN_INT MGEN_TYPE(4, sizeof(int))
#define MGEN_LONG MGEN_TYPE(5, sizeof(long))
#define MGEN_LONG_LONG MGEN_TYPE(6, sizeof(long long))
#define MGEN_UNSIGNED_CHAR MGEN_TYPE(7, 1)
#define MGEN_UNSIGNED MGEN_TYPE(8, sizeof(unsigned))
#define MGEN_UNSIGNED_LONG MGEN_TYPE(9, sizeof(unsigned long))
#define MGEN_FLOAT MGEN_TYPE(10, sizeof(float))
#define MGEN_DOUBLE MGEN_TYPE(11, sizeof(double))

enum { MGEN_SUM = 1, MGEN_PROD, MGEN_MAX, MGEN_MIN, MGEN_LAND, MGEN_LOR, MGEN_BAND, MGEN_BOR };

#endif
