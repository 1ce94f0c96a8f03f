/* Types and constants of mpi.h, apart from datatypes. Handles are numbers, as in Fortran. */
#ifndef MGEN_MPI_TYPES_H
#define MGEN_MPI_TYPES_H

#define MPI_VERSION 3
#define MPI_SUBVERSION 1

typedef MGEN_Comm MPI_Comm;
typedef MGEN_Request MPI_Request;
typedef MGEN_Op MPI_Op;
typedef MGEN_Datatype MPI_Datatype;
typedef MGEN_Status MPI_Status;
typedef int MPI_Group;
typedef int MPI_Info;
typedef int MPI_Errhandler;
typedef int MPI_Message;
typedef int MPI_Win;
typedef int MPI_File;
typedef int MPI_Fint;
typedef long MPI_Aint;
typedef long long MPI_Offset;
typedef long long MPI_Count;
typedef int MPI_T_enum;

typedef void MPI_User_function(void *in, void *inout, int *count, MPI_Datatype *type);
typedef int MPI_Comm_copy_attr_function(MPI_Comm, int, void *, void *, void *, int *);
typedef int MPI_Comm_delete_attr_function(MPI_Comm, int, void *, void *);
typedef int MPI_Type_copy_attr_function(MPI_Datatype, int, void *, void *, void *, int *);
typedef int MPI_Type_delete_attr_function(MPI_Datatype, int, void *, void *);
typedef int MPI_Win_copy_attr_function(MPI_Win, int, void *, void *, void *, int *);
typedef int MPI_Win_delete_attr_function(MPI_Win, int, void *, void *);
typedef MPI_Comm_copy_attr_function MPI_Copy_function;
typedef MPI_Comm_delete_attr_function MPI_Delete_function;
typedef void MPI_Comm_errhandler_function(MPI_Comm *, int *, ...);
typedef void MPI_Win_errhandler_function(MPI_Win *, int *, ...);
typedef void MPI_File_errhandler_function(MPI_File *, int *, ...);
typedef MPI_Comm_errhandler_function MPI_Comm_errhandler_fn;
typedef MPI_Win_errhandler_function MPI_Win_errhandler_fn;
typedef MPI_File_errhandler_function MPI_File_errhandler_fn;
typedef MPI_Comm_errhandler_function MPI_Handler_function;
typedef int MPI_Grequest_query_function(void *, MPI_Status *);
typedef int MPI_Grequest_free_function(void *);
typedef int MPI_Grequest_cancel_function(void *, int);
typedef int MPI_Datarep_conversion_function(void *, MPI_Datatype, int, void *, MPI_Offset, void *);
typedef int MPI_Datarep_extent_function(MPI_Datatype, MPI_Aint *, void *);

#define MPI_COMM_NULL_COPY_FN ((MPI_Comm_copy_attr_function *)0)
#define MPI_COMM_NULL_DELETE_FN ((MPI_Comm_delete_attr_function *)0)
#define MPI_TYPE_NULL_COPY_FN ((MPI_Type_copy_attr_function *)0)
#define MPI_TYPE_NULL_DELETE_FN ((MPI_Type_delete_attr_function *)0)
#define MPI_WIN_NULL_COPY_FN ((MPI_Win_copy_attr_function *)0)
#define MPI_WIN_NULL_DELETE_FN ((MPI_Win_delete_attr_function *)0)
#define MPI_NULL_COPY_FN MPI_COMM_NULL_COPY_FN
#define MPI_NULL_DELETE_FN MPI_COMM_NULL_DELETE_FN
#define MPI_COMM_DUP_FN mgen_dup_fn
#define MPI_TYPE_DUP_FN mgen_dup_fn
#define MPI_WIN_DUP_FN mgen_dup_fn
#define MPI_DUP_FN mgen_dup_fn
#define MPI_CONVERSION_FN_NULL ((MPI_Datarep_conversion_function *)0)

/* Handles are the same in Fortran. */
#define MPI_Comm_c2f(handle) ((MPI_Fint)(handle))
#define MPI_Comm_f2c(handle) ((MPI_Comm)(handle))
#define MPI_Errhandler_c2f(handle) ((MPI_Fint)(handle))
#define MPI_Errhandler_f2c(handle) ((MPI_Errhandler)(handle))
#define MPI_File_c2f(handle) ((MPI_Fint)(handle))
#define MPI_File_f2c(handle) ((MPI_File)(handle))
#define MPI_Group_c2f(handle) ((MPI_Fint)(handle))
#define MPI_Group_f2c(handle) ((MPI_Group)(handle))
#define MPI_Info_c2f(handle) ((MPI_Fint)(handle))
#define MPI_Info_f2c(handle) ((MPI_Info)(handle))
#define MPI_Message_c2f(handle) ((MPI_Fint)(handle))
#define MPI_Message_f2c(handle) ((MPI_Message)(handle))
#define MPI_Op_c2f(handle) ((MPI_Fint)(handle))
#define MPI_Op_f2c(handle) ((MPI_Op)(handle))
#define MPI_Request_c2f(handle) ((MPI_Fint)(handle))
#define MPI_Request_f2c(handle) ((MPI_Request)(handle))
#define MPI_Type_c2f(handle) ((MPI_Fint)(handle))
#define MPI_Type_f2c(handle) ((MPI_Datatype)(handle))
#define MPI_Win_c2f(handle) ((MPI_Fint)(handle))
#define MPI_Win_f2c(handle) ((MPI_Win)(handle))

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
#define MPI_ROOT (-4)
#define MPI_UNDEFINED MGEN_UNDEFINED
/* NULL stands for data that nobody looks at, so absolute addresses begin elsewhere. */
#define MPI_BOTTOM ((void *)0)
#define MPI_UNWEIGHTED ((int *)-1)
#define MPI_WEIGHTS_EMPTY ((int *)-2)
#define MPI_ERRCODES_IGNORE ((int *)0)
#define MPI_ARGV_NULL ((char **)0)
#define MPI_ARGVS_NULL ((char ***)0)

#define MPI_GROUP_NULL 0
#define MPI_GROUP_EMPTY 1
#define MPI_INFO_NULL 0
#define MPI_INFO_ENV 1
#define MPI_MESSAGE_NULL 0
#define MPI_MESSAGE_NO_PROC (-1)
#define MPI_WIN_NULL 0
#define MPI_FILE_NULL 0
#define MPI_OP_NULL 0
#define MPI_ERRHANDLER_NULL 0
#define MPI_ERRORS_ARE_FATAL 1
#define MPI_ERRORS_RETURN 2
#define MPI_KEYVAL_INVALID 0

enum { MPI_IDENT, MPI_CONGRUENT, MPI_SIMILAR, MPI_UNEQUAL };
enum { MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED, MPI_THREAD_MULTIPLE };
enum { MPI_GRAPH = 1, MPI_CART, MPI_DIST_GRAPH };
enum { MPI_COMM_TYPE_SHARED = 1 };
enum {
    MPI_MAX_PROCESSOR_NAME = 128,
    MPI_MAX_ERROR_STRING = 512,
    MPI_MAX_LIBRARY_VERSION_STRING = 64,
    MPI_MAX_OBJECT_NAME = 128,
    MPI_MAX_INFO_KEY = 255,
    MPI_MAX_INFO_VAL = 1024,
    MPI_MAX_PORT_NAME = 256,
    MPI_MAX_DATAREP_STRING = 128,
    MPI_BSEND_OVERHEAD = 96
};

/* Keys of attributes that every communicator or window has. */
enum {
    MPI_TAG_UB = 1,
    MPI_HOST,
    MPI_IO,
    MPI_WTIME_IS_GLOBAL,
    MPI_UNIVERSE_SIZE,
    MPI_LASTUSEDCODE,
    MPI_APPNUM,
    MPI_WIN_BASE,
    MPI_WIN_SIZE,
    MPI_WIN_DISP_UNIT,
    MPI_WIN_CREATE_FLAVOR,
    MPI_WIN_MODEL
};
enum {
    MPI_WIN_FLAVOR_CREATE = 1,
    MPI_WIN_FLAVOR_ALLOCATE,
    MPI_WIN_FLAVOR_DYNAMIC,
    MPI_WIN_FLAVOR_SHARED
};
enum { MPI_WIN_SEPARATE = 1, MPI_WIN_UNIFIED };
enum { MPI_LOCK_EXCLUSIVE = 234, MPI_LOCK_SHARED };
enum {
    MPI_MODE_NOCHECK = 1024,
    MPI_MODE_NOSTORE = 2048,
    MPI_MODE_NOPUT = 4096,
    MPI_MODE_NOPRECEDE = 8192,
    MPI_MODE_NOSUCCEED = 16384
};
enum {
    MPI_MODE_CREATE = 1,
    MPI_MODE_RDONLY = 2,
    MPI_MODE_WRONLY = 4,
    MPI_MODE_RDWR = 8,
    MPI_MODE_DELETE_ON_CLOSE = 16,
    MPI_MODE_UNIQUE_OPEN = 32,
    MPI_MODE_EXCL = 64,
    MPI_MODE_APPEND = 128,
    MPI_MODE_SEQUENTIAL = 256
};
enum { MPI_SEEK_SET = 600, MPI_SEEK_CUR, MPI_SEEK_END };
#define MPI_DISPLACEMENT_CURRENT ((MPI_Offset) - 54278278)
enum {
    MPI_ORDER_C = 56,
    MPI_ORDER_FORTRAN,
    MPI_DISTRIBUTE_BLOCK = 121,
    MPI_DISTRIBUTE_CYCLIC,
    MPI_DISTRIBUTE_NONE,
    MPI_DISTRIBUTE_DFLT_DARG = -49767
};
enum { MPI_TYPECLASS_REAL = 1, MPI_TYPECLASS_INTEGER, MPI_TYPECLASS_COMPLEX };
enum {
    MPI_COMBINER_NAMED = 1,
    MPI_COMBINER_DUP,
    MPI_COMBINER_CONTIGUOUS,
    MPI_COMBINER_VECTOR,
    MPI_COMBINER_HVECTOR_INTEGER,
    MPI_COMBINER_HVECTOR,
    MPI_COMBINER_INDEXED,
    MPI_COMBINER_HINDEXED_INTEGER,
    MPI_COMBINER_HINDEXED,
    MPI_COMBINER_INDEXED_BLOCK,
    MPI_COMBINER_STRUCT_INTEGER,
    MPI_COMBINER_STRUCT,
    MPI_COMBINER_SUBARRAY,
    MPI_COMBINER_DARRAY,
    MPI_COMBINER_F90_REAL,
    MPI_COMBINER_F90_COMPLEX,
    MPI_COMBINER_F90_INTEGER,
    MPI_COMBINER_RESIZED,
    MPI_COMBINER_HINDEXED_BLOCK
};

enum {
    MPI_SUCCESS = 0,
    MPI_ERR_BUFFER,
    MPI_ERR_COUNT,
    MPI_ERR_TYPE,
    MPI_ERR_TAG,
    MPI_ERR_COMM,
    MPI_ERR_RANK,
    MPI_ERR_ROOT,
    MPI_ERR_GROUP,
    MPI_ERR_OP,
    MPI_ERR_TOPOLOGY,
    MPI_ERR_DIMS,
    MPI_ERR_ARG,
    MPI_ERR_UNKNOWN,
    MPI_ERR_TRUNCATE,
    MPI_ERR_OTHER,
    MPI_ERR_INTERN,
    MPI_ERR_IN_STATUS,
    MPI_ERR_PENDING,
    MPI_ERR_REQUEST,
    MPI_ERR_ACCESS,
    MPI_ERR_AMODE,
    MPI_ERR_BAD_FILE,
    MPI_ERR_CONVERSION,
    MPI_ERR_DUP_DATAREP,
    MPI_ERR_FILE_EXISTS,
    MPI_ERR_FILE_IN_USE,
    MPI_ERR_FILE,
    MPI_ERR_INFO,
    MPI_ERR_INFO_KEY,
    MPI_ERR_INFO_VALUE,
    MPI_ERR_INFO_NOKEY,
    MPI_ERR_IO,
    MPI_ERR_NAME,
    MPI_ERR_NO_MEM,
    MPI_ERR_NOT_SAME,
    MPI_ERR_NO_SPACE,
    MPI_ERR_NO_SUCH_FILE,
    MPI_ERR_PORT,
    MPI_ERR_QUOTA,
    MPI_ERR_READ_ONLY,
    MPI_ERR_SERVICE,
    MPI_ERR_SPAWN,
    MPI_ERR_UNSUPPORTED_DATAREP,
    MPI_ERR_UNSUPPORTED_OPERATION,
    MPI_ERR_WIN,
    MPI_ERR_BASE,
    MPI_ERR_LOCKTYPE,
    MPI_ERR_KEYVAL,
    MPI_ERR_RMA_CONFLICT,
    MPI_ERR_RMA_SYNC,
    MPI_ERR_SIZE,
    MPI_ERR_DISP,
    MPI_ERR_ASSERT,
    MPI_ERR_RMA_RANGE,
    MPI_ERR_RMA_ATTACH,
    MPI_ERR_RMA_SHARED,
    MPI_ERR_RMA_FLAVOR,
    MPI_ERR_LASTCODE = 0x3fffffff
};

#define MPI_SUM MGEN_SUM
#define MPI_PROD MGEN_PROD
#define MPI_MAX MGEN_MAX
#define MPI_MIN MGEN_MIN
#define MPI_LAND MGEN_LAND
#define MPI_LOR MGEN_LOR
#define MPI_BAND MGEN_BAND
#define MPI_BOR MGEN_BOR
enum { MPI_LXOR = MGEN_BOR + 1, MPI_BXOR, MPI_MAXLOC, MPI_MINLOC, MPI_REPLACE, MPI_NO_OP };

#endif
