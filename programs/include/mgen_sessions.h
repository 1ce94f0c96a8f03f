/* Sessions of MPI 4 for programs of C: another way to MPI_COMM_WORLD and MPI_COMM_SELF. */
#ifndef MGEN_SESSIONS_H
#define MGEN_SESSIONS_H

typedef int MPI_Session;
#define MPI_SESSION_NULL 0
/* Ends the run like MPI_ERRORS_ARE_FATAL. */
#define MPI_ERRORS_ABORT 3
enum { MPI_MAX_PSET_NAME_LEN = 256, MPI_MAX_STRINGTAG_LEN = 256 };

int MPI_Comm_create_from_group(MPI_Group, const char *, MPI_Info, MPI_Errhandler, MPI_Comm *);
int MPI_Group_from_session_pset(MPI_Session, const char *, MPI_Group *);
int MPI_Session_finalize(MPI_Session *);
int MPI_Session_get_info(MPI_Session, MPI_Info *);
int MPI_Session_get_nth_pset(MPI_Session, MPI_Info, int, int *, char *);
int MPI_Session_get_num_psets(MPI_Session, MPI_Info, int *);
int MPI_Session_get_pset_info(MPI_Session, const char *, MPI_Info *);
int MPI_Session_init(MPI_Info, MPI_Errhandler, MPI_Session *);

#endif
