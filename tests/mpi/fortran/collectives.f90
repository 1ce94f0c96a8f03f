! Collectives: in place, of unequal blocks, nonblocking, with operators of Fortran's types.
program collectives
  use mpi
  implicit none
  integer :: rank, size, error, i, request, world_group, pair_group, pair, half, colour
  integer, allocatable :: counts(:), places(:), blocks(:), all(:)
  integer :: sums(3), located(2, 2), best(2, 2)
  real :: single(2)
  double precision :: value(2), least(2), sum_of(2)
  complex :: wave, product
  logical :: truth, any_true, all_true, odd_true
  integer(8) :: wide, widest
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, size, error)
  allocate (counts(size), places(size), blocks(rank + 1), all(size * (size + 1) / 2))

  sums = [rank, 1, -rank]
  call MPI_Bcast(sums, 1, MPI_INTEGER, size - 1, MPI_COMM_WORLD, error)
  call MPI_Allreduce(MPI_IN_PLACE, sums, 3, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
  print '(i0,a,3(1x,i0))', rank, ': allreduce', sums

  do i = 1, size
    counts(i) = i
    places(i) = i * (i - 1) / 2
  end do
  blocks = rank * 10
  call MPI_Allgatherv(blocks, rank + 1, MPI_INTEGER, all, counts, places, MPI_INTEGER, &
                      MPI_COMM_WORLD, error)
  print '(i0,a,99(1x,i0))', rank, ': allgatherv', all
  all = -1
  call MPI_Gatherv(blocks, rank + 1, MPI_INTEGER, all, counts, places, MPI_INTEGER, 1, &
                   MPI_COMM_WORLD, error)
  print '(i0,a,99(1x,i0))', rank, ': gatherv', all
  counts = counts * 7
  call MPI_Scatter(counts, 1, MPI_INTEGER, i, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, error)
  call MPI_Alltoall(counts, 1, MPI_INTEGER, places, 1, MPI_INTEGER, MPI_COMM_WORLD, error)
  print '(i0,a,99(1x,i0))', rank, ': alltoall', i, places
  call MPI_Scan(rank, i, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
  print '(i0,a,1x,i0)', rank, ': scan', i

  value = [dble(mod(rank * 2, 3)), dble(rank)]
  call MPI_Allreduce(value, least, 1, MPI_2DOUBLE_PRECISION, MPI_MAXLOC, MPI_COMM_WORLD, error)
  print '(i0,a,2f5.1)', rank, ': maxloc of doubles', least
  located = reshape([mod(rank, 2), rank, -rank, rank], [2, 2])
  call MPI_Allreduce(located, best, 2, MPI_2INTEGER, MPI_MINLOC, MPI_COMM_WORLD, error)
  print '(i0,a,4(1x,i0))', rank, ': minloc of integers', best
  single = [real(rank) / 2, 3.0]
  call MPI_Allreduce(MPI_IN_PLACE, single, 1, MPI_2REAL, MPI_MAXLOC, MPI_COMM_WORLD, error)
  print '(i0,a,2f5.1)', rank, ': maxloc of reals', single
  wave = cmplx(1, rank)
  call MPI_Allreduce(wave, product, 1, MPI_COMPLEX, MPI_PROD, MPI_COMM_WORLD, error)
  print '(i0,a,2f8.1)', rank, ': product of complex', product
  truth = rank == 1
  call MPI_Allreduce(truth, any_true, 1, MPI_LOGICAL, MPI_LOR, MPI_COMM_WORLD, error)
  call MPI_Allreduce(truth, all_true, 1, MPI_LOGICAL, MPI_LAND, MPI_COMM_WORLD, error)
  call MPI_Allreduce(.not. truth, odd_true, 1, MPI_LOGICAL, MPI_LXOR, MPI_COMM_WORLD, error)
  print '(i0,a,3l2)', rank, ': logicals', any_true, all_true, odd_true
  wide = 2_8**40 + rank
  call MPI_Reduce(wide, widest, 1, MPI_INTEGER8, MPI_MAX, 0, MPI_COMM_WORLD, error)
  if (rank == 0) print '(i0,a,1x,i0)', rank, ': integers of 8 bytes', widest
  sum_of = rank
  call MPI_Iallreduce(MPI_IN_PLACE, sum_of, 2, MPI_REAL8, MPI_SUM, MPI_COMM_WORLD, request, error)
  call MPI_Wait(request, MPI_STATUS_IGNORE, error)
  print '(i0,a,2f6.1)', rank, ': iallreduce', sum_of

  colour = mod(rank, 2)
  call MPI_Comm_split(MPI_COMM_WORLD, colour, -rank, half, error)
  call MPI_Comm_rank(half, i, error)
  call MPI_Comm_group(MPI_COMM_WORLD, world_group, error)
  call MPI_Group_incl(world_group, 2, [size - 1, 0], pair_group, error)
  call MPI_Comm_create(MPI_COMM_WORLD, pair_group, pair, error)
  print '(i0,a,1x,i0,l2)', rank, ': communicators', i, pair == MPI_COMM_NULL
  call MPI_Comm_free(half, error)
  call MPI_Finalize(error)
end program collectives
