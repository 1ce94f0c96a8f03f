! Derived types: rows of arrays, structures, addresses, packing; extents; sizes of variables.
program types
  use mpi
  implicit none
  type particle
    sequence
    double precision :: place(2)
    integer :: kind
    real :: mass
  end type particle
  integer :: rank, size, next, before, error, i, row, grid, part, pairs, bytes, position
  integer :: status(MPI_STATUS_SIZE), matrix(3, 4), other(3, 4), field(6, 6), lengths(3), kinds(3)
  integer(MPI_ADDRESS_KIND) :: places(3), lb, extent
  type(particle) :: sent(2), got(2)
  character :: buffer(100)
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, size, error)
  next = mod(rank + 1, size)
  before = mod(rank + size - 1, size)

  matrix = reshape([(100 * rank + i, i=1, 12)], [3, 4])
  other = 0
  call MPI_Type_vector(4, 1, 3, MPI_INTEGER, row, error)
  call MPI_Type_commit(row, error)
  call MPI_Sendrecv(matrix(2, 1), 1, row, next, 1, other(1, 1), 1, row, before, 1, &
                    MPI_COMM_WORLD, status, error)
  call MPI_Get_count(status, row, i, error)
  print '(i0,a,13(1x,i0))', rank, ': a row', other, i
  call MPI_Type_size(row, bytes, error)
  call MPI_Type_get_extent(row, lb, extent, error)
  print '(i0,a,3(1x,i0))', rank, ': its size', bytes, lb, extent

  field = 0
  if (rank == 0) field = reshape([(i, i=1, 36)], [6, 6])
  call MPI_Type_create_subarray(2, [6, 6], [2, 3], [1, 2], MPI_ORDER_FORTRAN, MPI_INTEGER, grid, &
                                error)
  call MPI_Type_commit(grid, error)
  call MPI_Bcast(field, 1, grid, 0, MPI_COMM_WORLD, error)
  print '(i0,a,2(1x,i0))', rank, ': a part of an array', sum(field), field(2, 3)

  do i = 1, 2
    sent(i)%place = [dble(rank), dble(i)]
    sent(i)%kind = 10 * rank + i
    sent(i)%mass = 0.5 * i
  end do
  got = sent
  call MPI_Get_address(sent(1)%place, places(1), error)
  call MPI_Get_address(sent(1)%kind, places(2), error)
  call MPI_Get_address(sent(1)%mass, places(3), error)
  places = places - places(1)
  print '(i0,a,3(1x,i0))', rank, ': places', places
  lengths = [2, 1, 1]
  kinds = [MPI_DOUBLE_PRECISION, MPI_INTEGER, MPI_REAL]
  call MPI_Type_create_struct(3, lengths, places, kinds, part, error)
  call MPI_Type_commit(part, error)
  call MPI_Sendrecv(sent, 2, part, next, 2, got, 2, part, before, 2, MPI_COMM_WORLD, &
                    MPI_STATUS_IGNORE, error)
  do i = 1, 2
    print '(i0,a,2f5.1,1x,i0,f5.1)', rank, ': a structure', got(i)
  end do
  other = 0
  call MPI_Sendrecv(matrix(3, :), 4, MPI_INTEGER, next, 4, other, 4, MPI_INTEGER, before, 4, &
                    MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
  print '(i0,a,4(1x,i0))', rank, ': a section', other(:, 1), other(1, 2)
  call MPI_Type_create_resized(MPI_INTEGER, 0_MPI_ADDRESS_KIND, 12_MPI_ADDRESS_KIND, pairs, error)
  call MPI_Type_commit(pairs, error)
  other = 0
  call MPI_Sendrecv(matrix, 4, MPI_INTEGER, next, 3, other, 4, pairs, before, 3, MPI_COMM_WORLD, &
                    MPI_STATUS_IGNORE, error)
  print '(i0,a,12(1x,i0))', rank, ': resized', other

  position = 0
  call MPI_Pack(rank, 1, MPI_INTEGER, buffer, 100, position, MPI_COMM_WORLD, error)
  call MPI_Pack(matrix(1, 1), 1, row, buffer, 100, position, MPI_COMM_WORLD, error)
  call MPI_Bcast(buffer, 100, MPI_PACKED, size - 1, MPI_COMM_WORLD, error)
  bytes = position
  position = 0
  call MPI_Unpack(buffer, 100, position, i, 1, MPI_INTEGER, MPI_COMM_WORLD, error)
  call MPI_Unpack(buffer, 100, position, other, 4, MPI_INTEGER, MPI_COMM_WORLD, error)
  print '(i0,a,6(1x,i0),l2)', rank, ': unpacked', i, other(:, 1), other(1, 2), position, &
    position == bytes
  call MPI_Sizeof(rank, bytes, error)
  call MPI_Sizeof(lengths, i, error)
  print '(i0,a,3(1x,i0))', rank, ': bytes of an integer', bytes, i, error
  call MPI_Sizeof(sent(1)%place, bytes, error)
  call MPI_Sizeof(sent(1)%mass, i, error)
  print '(i0,a,2(1x,i0))', rank, ': bytes of reals', bytes, i
  call MPI_Sizeof(places, bytes, error)
  call MPI_Sizeof((1.0, 1.0), i, error)
  print '(i0,a,2(1x,i0))', rank, ': bytes of an address and a complex number', bytes, i
  call MPI_Type_free(row, error)
  print '(i0,a,l2)', rank, ': freed', row == MPI_DATATYPE_NULL
  call MPI_Finalize(error)
end program types
