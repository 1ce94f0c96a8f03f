! The module mpi_f08: handles of their own types, and no argument for errors.
program modern
  use mpi_f08
  implicit none
  integer :: rank, size, got(2), found, i
  type(MPI_Comm) :: half
  type(MPI_Request) :: requests(2)
  type(MPI_Status) :: status, statuses(2)
  type(MPI_Datatype) :: pair
  type(MPI_Op) :: op
  double precision :: value(2)
  character(MPI_MAX_OBJECT_NAME) :: name
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, size)
  call MPI_Comm_split(MPI_COMM_WORLD, mod(rank, 2), rank, half)
  call MPI_Comm_set_name(half, 'half')
  call MPI_Comm_get_name(half, name, found)
  print '(i0,2a,1x,i0,2l2)', rank, ': ', trim(name), found, half == MPI_COMM_NULL, &
    half /= MPI_COMM_WORLD
  call MPI_Irecv(got, 2, MPI_INTEGER, mod(rank + size - 1, size), 5, MPI_COMM_WORLD, requests(1))
  call MPI_Isend([rank, 7], 2, MPI_INTEGER, mod(rank + 1, size), 5, MPI_COMM_WORLD, requests(2))
  call MPI_Waitall(2, requests, statuses)
  call MPI_Get_count(statuses(1), MPI_INTEGER, found)
  print '(i0,a,5(1x,i0))', rank, ': got', got, statuses(1)%MPI_SOURCE, statuses(1)%MPI_TAG, found
  value = [dble(rank), 1d0]
  call MPI_Allreduce(MPI_IN_PLACE, value, 2, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD)
  print '(i0,a,2f5.1)', rank, ': sum', value
  call MPI_Type_contiguous(2, MPI_INTEGER, pair)
  call MPI_Type_commit(pair)
  call MPI_Op_create(first, .true., op)
  call MPI_Allreduce([rank, -rank], got, 1, pair, op, MPI_COMM_WORLD, i)
  print '(i0,a,2(1x,i0),l2)', rank, ': operator', got, i == MPI_SUCCESS
  call MPI_Sendrecv(rank, 1, MPI_INTEGER, rank, 1, got, 1, MPI_INTEGER, rank, 1, &
                    MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  call MPI_Sendrecv(rank, 1, MPI_INTEGER, rank, 1, got, 1, MPI_INTEGER, rank, 1, &
                    MPI_COMM_WORLD, status)
  print '(i0,a,2(1x,i0))', rank, ': alone', got(1), status%MPI_SOURCE
  call MPI_Sizeof(value, found)
  print '(i0,a,1x,i0)', rank, ': bytes of a real', found
  call MPI_Finalize()
contains
  ! Keeps what is larger in its first number.
  subroutine first(from, into, length, kind)
    use, intrinsic :: iso_c_binding, only: c_f_pointer ! the module itself has c_ptr
    type(c_ptr), value :: from, into
    integer :: length, j
    type(MPI_Datatype) :: kind
    integer, pointer :: given(:, :), kept(:, :)
    if (kind == MPI_DATATYPE_NULL) stop 1
    call c_f_pointer(from, given, [2, length])
    call c_f_pointer(into, kept, [2, length])
    do j = 1, length
      if (given(1, j) > kept(1, j)) kept(:, j) = given(:, j)
    end do
  end subroutine first
end program modern
