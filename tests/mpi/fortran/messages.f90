! Messages between two ranks: modes, requests, statuses, wildcards, MPI_PROC_NULL.
program messages
  use mpi
  implicit none
  integer, parameter :: many = 4
  integer :: rank, size, next, before, error, i, found, index, done
  integer :: status(MPI_STATUS_SIZE), statuses(MPI_STATUS_SIZE, many)
  integer :: requests(many), indices(many), numbers(many), got(many)
  double precision :: reals(3), others(3)
  complex(kind(1d0)) :: waves(2)
  logical :: flag, truths(3), heard(3)
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, size, error)
  next = mod(rank + 1, size)
  before = mod(rank + size - 1, size)

  reals = [1.5d0, -2d0, 1d300] * (rank + 1)
  call MPI_Sendrecv(reals, 3, MPI_DOUBLE_PRECISION, next, 7, others, 3, MPI_DOUBLE_PRECISION, &
                    before, 7, MPI_COMM_WORLD, status, error)
  call MPI_Get_count(status, MPI_DOUBLE_PRECISION, found, error)
  print '(i0,a,3es12.4,3(1x,i0))', rank, ': sendrecv', others, status(MPI_SOURCE), &
    status(MPI_TAG), found

  do i = 1, many
    numbers(i) = 100 * rank + i
    call MPI_Irecv(got(i), 1, MPI_INTEGER, before, i, MPI_COMM_WORLD, requests(i), error)
  end do
  do i = many, 1, -1
    call MPI_Send(numbers(i), 1, MPI_INTEGER, next, i, MPI_COMM_WORLD, error)
  end do
  call MPI_Waitall(many, requests, statuses, error)
  print '(i0,a,8(1x,i0))', rank, ': waitall', got, statuses(MPI_TAG, :)
  print '(i0,a,l2)', rank, ': requests are null', all(requests == MPI_REQUEST_NULL)

  do i = 1, many
    call MPI_Irecv(got(i), 1, MPI_INTEGER, before, i, MPI_COMM_WORLD, requests(i), error)
  end do
  call MPI_Send(numbers(3), 1, MPI_INTEGER, next, 3, MPI_COMM_WORLD, error)
  call MPI_Waitany(many, requests, index, status, error)
  print '(i0,a,3(1x,i0))', rank, ': waitany', index, status(MPI_TAG), got(index)
  call MPI_Barrier(MPI_COMM_WORLD, error)
  call MPI_Send(numbers(2), 1, MPI_INTEGER, next, 2, MPI_COMM_WORLD, error)
  call MPI_Waitsome(many, requests, done, indices, statuses, error)
  print '(i0,a,3(1x,i0))', rank, ': waitsome', done, indices(1), statuses(MPI_SOURCE, 1)
  call MPI_Barrier(MPI_COMM_WORLD, error)
  call MPI_Send(numbers(1), 1, MPI_INTEGER, next, 1, MPI_COMM_WORLD, error)
  call MPI_Send(numbers(4), 1, MPI_INTEGER, next, 4, MPI_COMM_WORLD, error)
  call MPI_Waitall(many, requests, MPI_STATUSES_IGNORE, error)
  print '(i0,a,4(1x,i0))', rank, ': the others', got
  call MPI_Testany(many, requests, index, flag, status, error)
  print '(i0,a,l2)', rank, ': testany', flag

  truths = [.true., .false., mod(rank, 2) == 0]
  waves = [(1d0, 2d0), (-3d0, 0.5d0)] * rank
  call MPI_Issend(truths, 3, MPI_LOGICAL, next, 1, MPI_COMM_WORLD, requests(1), error)
  call MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, status, error)
  call MPI_Get_count(status, MPI_LOGICAL, found, error)
  call MPI_Recv(heard, found, MPI_LOGICAL, status(MPI_SOURCE), 1, MPI_COMM_WORLD, &
                MPI_STATUS_IGNORE, error)
  call MPI_Wait(requests(1), MPI_STATUS_IGNORE, error)
  print '(i0,a,3l2,1x,i0)', rank, ': logicals', heard, found
  call MPI_Sendrecv_replace(waves, 2, MPI_DOUBLE_COMPLEX, next, 2, before, 2, MPI_COMM_WORLD, &
                            status, error)
  print '(i0,a,4f7.2)', rank, ': complex', waves

  call MPI_Recv(numbers, many, MPI_INTEGER, MPI_PROC_NULL, 1, MPI_COMM_WORLD, status, error)
  print '(i0,a,2l2)', rank, ': nobody', status(MPI_SOURCE) == MPI_PROC_NULL, &
    status(MPI_TAG) == MPI_ANY_TAG
  call MPI_Recv_init(got, many, MPI_INTEGER, before, 9, MPI_COMM_WORLD, requests(1), error)
  call MPI_Send_init(numbers, many, MPI_INTEGER, next, 9, MPI_COMM_WORLD, requests(2), error)
  do i = 1, 2
    numbers = numbers + i
    call MPI_Startall(2, requests, error)
    call MPI_Waitall(2, requests, statuses, error)
  end do
  print '(i0,a,4(1x,i0))', rank, ': persistent', got
  call MPI_Request_free(requests(1), error)
  call MPI_Request_free(requests(2), error)
  print '(i0,a,l2)', rank, ': success', error == MPI_SUCCESS
  call MPI_Finalize(error)
end program messages
