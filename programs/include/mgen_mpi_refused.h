/* What the simulator does not simulate: other processes and some rare calls.
 * They end the run with their name. */
#ifndef MGEN_MPI_REFUSED_H
#define MGEN_MPI_REFUSED_H

int MPI_Close_port(const char *);
int MPI_Comm_accept(const char *, MPI_Info, int, MPI_Comm, MPI_Comm *);
int MPI_Comm_connect(const char *, MPI_Info, int, MPI_Comm, MPI_Comm *);
int MPI_Comm_join(int, MPI_Comm *);
int MPI_Comm_spawn(const char *, char **, int, MPI_Info, int, MPI_Comm, MPI_Comm *, int *);
int MPI_Comm_spawn_multiple(int, char **, char ***, const int *, const MPI_Info *, int, MPI_Comm,
                            MPI_Comm *, int *);
int MPI_Lookup_name(const char *, MPI_Info, char *);
int MPI_Open_port(MPI_Info, char *);
int MPI_Publish_name(const char *, MPI_Info, const char *);
int MPI_Register_datarep(const char *, MPI_Datarep_conversion_function *,
                         MPI_Datarep_conversion_function *, MPI_Datarep_extent_function *, void *);
int MPI_Unpublish_name(const char *, MPI_Info, const char *);

#endif
