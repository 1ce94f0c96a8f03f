! One-sided calls, and topologies.
program windows
  use mpi
  use, intrinsic :: iso_c_binding
  implicit none
  integer :: rank, size, error, window, next, grid, dims(2), coords(2), left, right, own(4)
  integer :: neighbours, line, half
  integer(MPI_ADDRESS_KIND) :: bytes, place, found
  integer, pointer :: shared(:)
  type(c_ptr) :: base
  logical :: flag, periods(2), kept(2)
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, size, error)
  next = mod(rank + 1, size)
  own = 0
  bytes = 16
  call MPI_Win_create(own, bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, window, error)
  call MPI_Win_fence(0, window, error)
  place = 1
  call MPI_Put(rank, 1, MPI_INTEGER, next, place, 1, MPI_INTEGER, window, error)
  place = 2
  call MPI_Accumulate(rank, 1, MPI_INTEGER, 0, place, 1, MPI_INTEGER, MPI_SUM, window, error)
  call MPI_Win_fence(0, window, error)
  print '(i0,a,4(1x,i0))', rank, ': a window', own
  call MPI_Win_get_attr(window, MPI_WIN_SIZE, found, flag, error)
  print '(i0,a,l2,1x,i0)', rank, ': its size', flag, found
  call MPI_Win_free(window, error)
  call MPI_Win_allocate(bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, base, window, error)
  call c_f_pointer(base, shared, [4])
  shared = rank
  call MPI_Win_lock_all(0, window, error)
  call MPI_Barrier(MPI_COMM_WORLD, error)
  place = 3
  call MPI_Get(own, 1, MPI_INTEGER, next, place, 1, MPI_INTEGER, window, error)
  call MPI_Win_flush(next, window, error)
  print '(i0,a,1x,i0)', rank, ': got', own(1)
  call MPI_Win_unlock_all(window, error)
  call MPI_Win_free(window, error)

  dims = 0
  call MPI_Dims_create(size, 2, dims, error)
  periods = [.true., .false.]
  call MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, .false., grid, error)
  call MPI_Cart_get(grid, 2, dims, kept, coords, error)
  call MPI_Cart_shift(grid, 0, 1, left, right, error)
  print '(i0,a,2(1x,i0),2l2,4(1x,i0))', rank, ': a grid', dims, kept, coords, left, right
  call MPI_Cart_shift(grid, 1, 1, left, right, error)
  print '(i0,a,2l2)', rank, ': its border', left == MPI_PROC_NULL, right == MPI_PROC_NULL
  call MPI_Cart_sub(grid, [.true., .false.], line, error)
  call MPI_Comm_size(line, half, error)
  print '(i0,a,1x,i0)', rank, ': a line', half
  call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, [next], MPI_UNWEIGHTED, 1, [next], &
                                      MPI_UNWEIGHTED, MPI_INFO_NULL, .false., line, error)
  call MPI_Dist_graph_neighbors_count(line, neighbours, half, flag, error)
  print '(i0,a,2(1x,i0),l2)', rank, ': neighbours', neighbours, half, flag
  call MPI_Finalize(error)
end program windows
