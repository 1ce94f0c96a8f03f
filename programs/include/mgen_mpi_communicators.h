/* Communicators, groups and topologies. */
#ifndef MGEN_MPI_COMMUNICATORS_H
#define MGEN_MPI_COMMUNICATORS_H

int MPI_Cart_coords(MPI_Comm, int, int, int *);
int MPI_Cart_create(MPI_Comm, int, const int *, const int *, int, MPI_Comm *);
int MPI_Cart_get(MPI_Comm, int, int *, int *, int *);
int MPI_Cart_map(MPI_Comm, int, const int *, const int *, int *);
int MPI_Cart_rank(MPI_Comm, const int *, int *);
int MPI_Cart_shift(MPI_Comm, int, int, int *, int *);
int MPI_Cart_sub(MPI_Comm, const int *, MPI_Comm *);
int MPI_Cartdim_get(MPI_Comm, int *);
int MPI_Comm_compare(MPI_Comm, MPI_Comm, int *);
int MPI_Comm_create(MPI_Comm, MPI_Group, MPI_Comm *);
int MPI_Comm_create_group(MPI_Comm, MPI_Group, int, MPI_Comm *);
int MPI_Comm_create_keyval(MPI_Comm_copy_attr_function *, MPI_Comm_delete_attr_function *, int *,
                           void *);
int MPI_Comm_delete_attr(MPI_Comm, int);
int MPI_Comm_dup(MPI_Comm, MPI_Comm *);
int MPI_Comm_dup_with_info(MPI_Comm, MPI_Info, MPI_Comm *);
int MPI_Comm_free(MPI_Comm *);
int MPI_Comm_free_keyval(int *);
int MPI_Comm_get_attr(MPI_Comm, int, void *, int *);
int MPI_Comm_get_info(MPI_Comm, MPI_Info *);
int MPI_Comm_get_name(MPI_Comm, char *, int *);
int MPI_Comm_group(MPI_Comm, MPI_Group *);
int MPI_Comm_idup(MPI_Comm, MPI_Comm *, MPI_Request *);
int MPI_Comm_rank(MPI_Comm, int *);
int MPI_Comm_set_attr(MPI_Comm, int, void *);
int MPI_Comm_set_info(MPI_Comm, MPI_Info);
int MPI_Comm_set_name(MPI_Comm, const char *);
int MPI_Comm_size(MPI_Comm, int *);
int MPI_Comm_split(MPI_Comm, int, int, MPI_Comm *);
int MPI_Comm_split_type(MPI_Comm, int, int, MPI_Info, MPI_Comm *);
int MPI_Comm_test_inter(MPI_Comm, int *);
int MPI_Dims_create(int, int, int *);
int MPI_Dist_graph_create(MPI_Comm, int, const int *, const int *, const int *, const int *,
                          MPI_Info, int, MPI_Comm *);
int MPI_Dist_graph_create_adjacent(MPI_Comm, int, const int *, const int *, int, const int *,
                                   const int *, MPI_Info, int, MPI_Comm *);
int MPI_Dist_graph_neighbors(MPI_Comm, int, int *, int *, int, int *, int *);
int MPI_Dist_graph_neighbors_count(MPI_Comm, int *, int *, int *);
int MPI_Graph_create(MPI_Comm, int, const int *, const int *, int, MPI_Comm *);
int MPI_Graph_get(MPI_Comm, int, int, int *, int *);
int MPI_Graph_map(MPI_Comm, int, const int *, const int *, int *);
int MPI_Graph_neighbors(MPI_Comm, int, int, int *);
int MPI_Graph_neighbors_count(MPI_Comm, int, int *);
int MPI_Graphdims_get(MPI_Comm, int *, int *);
int MPI_Group_compare(MPI_Group, MPI_Group, int *);
int MPI_Group_difference(MPI_Group, MPI_Group, MPI_Group *);
int MPI_Group_excl(MPI_Group, int, const int *, MPI_Group *);
int MPI_Group_free(MPI_Group *);
int MPI_Group_incl(MPI_Group, int, const int *, MPI_Group *);
int MPI_Group_intersection(MPI_Group, MPI_Group, MPI_Group *);
int MPI_Group_range_excl(MPI_Group, int, int (*)[3], MPI_Group *);
int MPI_Group_range_incl(MPI_Group, int, int (*)[3], MPI_Group *);
int MPI_Group_rank(MPI_Group, int *);
int MPI_Group_size(MPI_Group, int *);
int MPI_Group_translate_ranks(MPI_Group, int, const int *, MPI_Group, int *);
int MPI_Group_union(MPI_Group, MPI_Group, MPI_Group *);
int MPI_Topo_test(MPI_Comm, int *);

/* Intercommunicators. */
int MPI_Comm_disconnect(MPI_Comm *);
int MPI_Comm_get_parent(MPI_Comm *);
int MPI_Comm_remote_group(MPI_Comm, MPI_Group *);
int MPI_Comm_remote_size(MPI_Comm, int *);
int MPI_Intercomm_create(MPI_Comm, int, MPI_Comm, int, int, MPI_Comm *);
int MPI_Intercomm_merge(MPI_Comm, int, MPI_Comm *);

#endif
