/* Datatypes of mpi.h. As with MGEN_TYPE, the low 16 bits hold the bytes of the data in one element.
 */
#ifndef MGEN_MPI_DATATYPES_H
#define MGEN_MPI_DATATYPES_H

#define MPI_DATATYPE_NULL 0

#define MPI_BYTE MGEN_BYTE
#define MPI_CHAR MGEN_CHAR
#define MPI_SHORT MGEN_SHORT
#define MPI_INT MGEN_INT
#define MPI_LONG MGEN_LONG
#define MPI_LONG_LONG MGEN_LONG_LONG
#define MPI_UNSIGNED_CHAR MGEN_UNSIGNED_CHAR
#define MPI_UNSIGNED MGEN_UNSIGNED
#define MPI_UNSIGNED_LONG MGEN_UNSIGNED_LONG
#define MPI_FLOAT MGEN_FLOAT
#define MPI_DOUBLE MGEN_DOUBLE
#define MPI_LONG_LONG_INT MPI_LONG_LONG
#define MPI_C_COMPLEX MPI_C_FLOAT_COMPLEX
#define MPI_SIGNED_CHAR MGEN_TYPE(12, sizeof(signed char))
#define MPI_UNSIGNED_SHORT MGEN_TYPE(13, sizeof(unsigned short))
#define MPI_UNSIGNED_LONG_LONG MGEN_TYPE(14, sizeof(unsigned long long))
#define MPI_LONG_DOUBLE MGEN_TYPE(15, sizeof(long double))
#define MPI_WCHAR MGEN_TYPE(16, sizeof(wchar_t))
#define MPI_C_BOOL MGEN_TYPE(17, 1)
#define MPI_INT8_T MGEN_TYPE(18, 1)
#define MPI_INT16_T MGEN_TYPE(19, 2)
#define MPI_INT32_T MGEN_TYPE(20, 4)
#define MPI_INT64_T MGEN_TYPE(21, 8)
#define MPI_UINT8_T MGEN_TYPE(22, 1)
#define MPI_UINT16_T MGEN_TYPE(23, 2)
#define MPI_UINT32_T MGEN_TYPE(24, 4)
#define MPI_UINT64_T MGEN_TYPE(25, 8)
#define MPI_AINT MGEN_TYPE(26, sizeof(MPI_Aint))
#define MPI_OFFSET MGEN_TYPE(27, sizeof(MPI_Offset))
#define MPI_COUNT MGEN_TYPE(28, sizeof(MPI_Count))
#define MPI_C_FLOAT_COMPLEX MGEN_TYPE(29, 2 * sizeof(float))
#define MPI_C_DOUBLE_COMPLEX MGEN_TYPE(30, 2 * sizeof(double))
#define MPI_C_LONG_DOUBLE_COMPLEX MGEN_TYPE(31, 2 * sizeof(long double))
#define MPI_PACKED MGEN_TYPE(32, 1)
#define MPI_FLOAT_INT MGEN_TYPE(33, sizeof(float) + sizeof(int))
#define MPI_DOUBLE_INT MGEN_TYPE(34, sizeof(double) + sizeof(int))
#define MPI_LONG_INT MGEN_TYPE(35, sizeof(long) + sizeof(int))
#define MPI_2INT MGEN_TYPE(36, 2 * sizeof(int))
#define MPI_SHORT_INT MGEN_TYPE(37, sizeof(short) + sizeof(int))
#define MPI_LONG_DOUBLE_INT MGEN_TYPE(38, sizeof(long double) + sizeof(int))
#define MPI_CHARACTER MGEN_TYPE(39, 1)
#define MPI_LOGICAL MGEN_TYPE(40, 4)
#define MPI_INTEGER MGEN_TYPE(41, 4)
#define MPI_REAL MGEN_TYPE(42, 4)
#define MPI_DOUBLE_PRECISION MGEN_TYPE(43, 8)
#define MPI_COMPLEX MGEN_TYPE(44, 8)
#define MPI_DOUBLE_COMPLEX MGEN_TYPE(45, 16)
#define MPI_INTEGER1 MGEN_TYPE(46, 1)
#define MPI_INTEGER2 MGEN_TYPE(47, 2)
#define MPI_INTEGER4 MGEN_TYPE(48, 4)
#define MPI_INTEGER8 MGEN_TYPE(49, 8)
#define MPI_REAL4 MGEN_TYPE(50, 4)
#define MPI_REAL8 MGEN_TYPE(51, 8)
#define MPI_REAL16 MGEN_TYPE(52, 16)
#define MPI_COMPLEX8 MGEN_TYPE(53, 8)
#define MPI_COMPLEX16 MGEN_TYPE(54, 16)
#define MPI_COMPLEX32 MGEN_TYPE(55, 32)
#define MPI_2REAL MGEN_TYPE(56, 8)
#define MPI_2DOUBLE_PRECISION MGEN_TYPE(57, 16)
#define MPI_2INTEGER MGEN_TYPE(58, 8)
#define MPI_CXX_BOOL MGEN_TYPE(59, 1)
#define MPI_CXX_FLOAT_COMPLEX MGEN_TYPE(60, 8)
#define MPI_CXX_DOUBLE_COMPLEX MGEN_TYPE(61, 16)
#define MPI_CXX_LONG_DOUBLE_COMPLEX MGEN_TYPE(62, 32)
enum { MGEN_MPI_KINDS = 63 };

#endif
