/* What the simulator does not simulate: files, other processes, intercommunicators, and some
 * rare calls. They end the run with their name. */
#ifndef MGEN_MPI_REFUSED_H
#define MGEN_MPI_REFUSED_H

int MPI_Close_port(const char *);
int MPI_Comm_accept(const char *, MPI_Info, int, MPI_Comm, MPI_Comm *);
int MPI_Comm_connect(const char *, MPI_Info, int, MPI_Comm, MPI_Comm *);
int MPI_Comm_disconnect(MPI_Comm *);
int MPI_Comm_get_parent(MPI_Comm *);
int MPI_Comm_join(int, MPI_Comm *);
int MPI_Comm_remote_group(MPI_Comm, MPI_Group *);
int MPI_Comm_remote_size(MPI_Comm, int *);
int MPI_Comm_spawn(const char *, char **, int, MPI_Info, int, MPI_Comm, MPI_Comm *, int *);
int MPI_Comm_spawn_multiple(int, char **, char ***, const int *, const MPI_Info *, int, MPI_Comm,
                            MPI_Comm *, int *);
int MPI_File_call_errhandler(MPI_File, int);
int MPI_File_close(MPI_File *);
int MPI_File_create_errhandler(MPI_File_errhandler_function *, MPI_Errhandler *);
int MPI_File_delete(const char *, MPI_Info);
int MPI_File_get_amode(MPI_File, int *);
int MPI_File_get_atomicity(MPI_File, int *);
int MPI_File_get_byte_offset(MPI_File, MPI_Offset, MPI_Offset *);
int MPI_File_get_errhandler(MPI_File, MPI_Errhandler *);
int MPI_File_get_group(MPI_File, MPI_Group *);
int MPI_File_get_info(MPI_File, MPI_Info *);
int MPI_File_get_position(MPI_File, MPI_Offset *);
int MPI_File_get_position_shared(MPI_File, MPI_Offset *);
int MPI_File_get_size(MPI_File, MPI_Offset *);
int MPI_File_get_type_extent(MPI_File, MPI_Datatype, MPI_Aint *);
int MPI_File_get_view(MPI_File, MPI_Offset *, MPI_Datatype *, MPI_Datatype *, char *);
int MPI_File_iread(MPI_File, void *, int, MPI_Datatype, MPI_Request *);
int MPI_File_iread_all(MPI_File, void *, int, MPI_Datatype, MPI_Request *);
int MPI_File_iread_at(MPI_File, MPI_Offset, void *, int, MPI_Datatype, MPI_Request *);
int MPI_File_iread_at_all(MPI_File, MPI_Offset, void *, int, MPI_Datatype, MPI_Request *);
int MPI_File_iread_shared(MPI_File, void *, int, MPI_Datatype, MPI_Request *);
int MPI_File_iwrite(MPI_File, const void *, int, MPI_Datatype, MPI_Request *);
int MPI_File_iwrite_all(MPI_File, const void *, int, MPI_Datatype, MPI_Request *);
int MPI_File_iwrite_at(MPI_File, MPI_Offset, const void *, int, MPI_Datatype, MPI_Request *);
int MPI_File_iwrite_at_all(MPI_File, MPI_Offset, const void *, int, MPI_Datatype, MPI_Request *);
int MPI_File_iwrite_shared(MPI_File, const void *, int, MPI_Datatype, MPI_Request *);
int MPI_File_open(MPI_Comm, const char *, int, MPI_Info, MPI_File *);
int MPI_File_preallocate(MPI_File, MPI_Offset);
int MPI_File_read(MPI_File, void *, int, MPI_Datatype, MPI_Status *);
int MPI_File_read_all(MPI_File, void *, int, MPI_Datatype, MPI_Status *);
int MPI_File_read_all_begin(MPI_File, void *, int, MPI_Datatype);
int MPI_File_read_all_end(MPI_File, void *, MPI_Status *);
int MPI_File_read_at(MPI_File, MPI_Offset, void *, int, MPI_Datatype, MPI_Status *);
int MPI_File_read_at_all(MPI_File, MPI_Offset, void *, int, MPI_Datatype, MPI_Status *);
int MPI_File_read_at_all_begin(MPI_File, MPI_Offset, void *, int, MPI_Datatype);
int MPI_File_read_at_all_end(MPI_File, void *, MPI_Status *);
int MPI_File_read_ordered(MPI_File, void *, int, MPI_Datatype, MPI_Status *);
int MPI_File_read_ordered_begin(MPI_File, void *, int, MPI_Datatype);
int MPI_File_read_ordered_end(MPI_File, void *, MPI_Status *);
int MPI_File_read_shared(MPI_File, void *, int, MPI_Datatype, MPI_Status *);
int MPI_File_seek(MPI_File, MPI_Offset, int);
int MPI_File_seek_shared(MPI_File, MPI_Offset, int);
int MPI_File_set_atomicity(MPI_File, int);
int MPI_File_set_errhandler(MPI_File, MPI_Errhandler);
int MPI_File_set_info(MPI_File, MPI_Info);
int MPI_File_set_size(MPI_File, MPI_Offset);
int MPI_File_set_view(MPI_File, MPI_Offset, MPI_Datatype, MPI_Datatype, const char *, MPI_Info);
int MPI_File_sync(MPI_File);
int MPI_File_write(MPI_File, const void *, int, MPI_Datatype, MPI_Status *);
int MPI_File_write_all(MPI_File, const void *, int, MPI_Datatype, MPI_Status *);
int MPI_File_write_all_begin(MPI_File, const void *, int, MPI_Datatype);
int MPI_File_write_all_end(MPI_File, const void *, MPI_Status *);
int MPI_File_write_at(MPI_File, MPI_Offset, const void *, int, MPI_Datatype, MPI_Status *);
int MPI_File_write_at_all(MPI_File, MPI_Offset, const void *, int, MPI_Datatype, MPI_Status *);
int MPI_File_write_at_all_begin(MPI_File, MPI_Offset, const void *, int, MPI_Datatype);
int MPI_File_write_at_all_end(MPI_File, const void *, MPI_Status *);
int MPI_File_write_ordered(MPI_File, const void *, int, MPI_Datatype, MPI_Status *);
int MPI_File_write_ordered_begin(MPI_File, const void *, int, MPI_Datatype);
int MPI_File_write_ordered_end(MPI_File, const void *, MPI_Status *);
int MPI_File_write_shared(MPI_File, const void *, int, MPI_Datatype, MPI_Status *);
int MPI_Intercomm_create(MPI_Comm, int, MPI_Comm, int, int, MPI_Comm *);
int MPI_Intercomm_merge(MPI_Comm, int, MPI_Comm *);
int MPI_Lookup_name(const char *, MPI_Info, char *);
int MPI_Open_port(MPI_Info, char *);
int MPI_Pack_external(const char *, const void *, int, MPI_Datatype, void *, MPI_Aint, MPI_Aint *);
int MPI_Pack_external_size(const char *, int, MPI_Datatype, MPI_Aint *);
int MPI_Publish_name(const char *, MPI_Info, const char *);
int MPI_Register_datarep(const char *, MPI_Datarep_conversion_function *,
                         MPI_Datarep_conversion_function *, MPI_Datarep_extent_function *, void *);
int MPI_Type_create_darray(int, int, int, const int *, const int *, const int *, const int *, int,
                           MPI_Datatype, MPI_Datatype *);
int MPI_Type_create_f90_complex(int, int, MPI_Datatype *);
int MPI_Type_create_f90_integer(int, MPI_Datatype *);
int MPI_Type_create_f90_real(int, int, MPI_Datatype *);
int MPI_Unpack_external(const char *, const void *, MPI_Aint, MPI_Aint *, void *, int,
                        MPI_Datatype);
int MPI_Unpublish_name(const char *, MPI_Info, const char *);

#endif
