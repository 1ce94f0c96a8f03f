! Functions of the program that MPI calls: operators, error handlers, attributes.
module own
  use mpi
  implicit none
contains
  ! Multiplies matrices of 2 x 2: it does not commute.
  subroutine multiply(first, second, length, kind)
    integer :: length, kind, i
    integer :: first(2, 2, length), second(2, 2, length)
    if (kind == MPI_DATATYPE_NULL) stop 1
    do i = 1, length
      second(:, :, i) = matmul(first(:, :, i), second(:, :, i))
    end do
  end subroutine multiply

  subroutine largest(first, second, length, kind)
    integer :: length, kind, i
    double precision :: first(length), second(length)
    if (kind == MPI_DATATYPE_NULL) stop 1
    do i = 1, length
      if (abs(first(i)) > abs(second(i))) second(i) = first(i)
    end do
  end subroutine largest

  subroutine copy(comm, key, extra, value, made, flag, error)
    integer :: comm, key, error
    integer(MPI_ADDRESS_KIND) :: extra, value, made
    logical :: flag
    made = value + extra
    flag = comm /= key
    error = MPI_SUCCESS
  end subroutine copy
end module own

program operators
  use own
  implicit none
  integer :: rank, size, error, matrix, op, factor(2, 2), product(2, 2), key, twin
  integer(MPI_ADDRESS_KIND) :: value, found
  logical :: commutes, flag
  double precision :: mine(2), most(2)
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, size, error)

  call MPI_Type_contiguous(4, MPI_INTEGER, matrix, error)
  call MPI_Type_commit(matrix, error)
  call MPI_Op_create(multiply, .false., op, error)
  factor = reshape([1, rank, mod(rank, 2), 1], [2, 2])
  product = 0
  call MPI_Reduce(factor, product, 1, matrix, op, 0, MPI_COMM_WORLD, error)
  print '(i0,a,4(1x,i0))', rank, ': product', product
  call MPI_Allreduce(factor, product, 1, matrix, op, MPI_COMM_WORLD, error)
  call MPI_Op_commutative(op, commutes, error)
  print '(i0,a,4(1x,i0),l2)', rank, ': everywhere', product, commutes
  call MPI_Op_free(op, error)

  call MPI_Op_create(largest, .true., op, error)
  mine = [dble(-rank), 1d0 / (rank + 1)]
  call MPI_Allreduce(mine, most, 2, MPI_DOUBLE_PRECISION, op, MPI_COMM_WORLD, error)
  print '(i0,a,2f6.2)', rank, ': largest', most

  call MPI_Comm_create_keyval(copy, MPI_COMM_NULL_DELETE_FN, key, 5_MPI_ADDRESS_KIND, error)
  value = 2_8**35 + rank
  call MPI_Comm_set_attr(MPI_COMM_WORLD, key, value, error)
  call MPI_Comm_dup(MPI_COMM_WORLD, twin, error)
  call MPI_Comm_get_attr(twin, key, found, flag, error)
  print '(i0,a,l2,1x,i0)', rank, ': attribute of a copy', flag, found
  call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, found, flag, error)
  print '(i0,a,2l2)', rank, ': largest tag', flag, found >= 32767
  call MPI_Comm_free(twin, error)
  call MPI_Finalize(error)
end program operators
