! Files: with the module mpi, then with mpi_f08.
module old_way
contains
  subroutine with_mpi()
    use mpi
    integer :: file, rank, size, error, status(MPI_STATUS_SIZE), got(4), number, count, mode
    integer(MPI_OFFSET_KIND) :: place, bytes
    character(MPI_MAX_DATAREP_STRING) :: form
    integer :: etype, filetype
    logical :: atomic
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    call MPI_Comm_size(MPI_COMM_WORLD, size, error)
    call MPI_File_open(MPI_COMM_WORLD, 'fortran.bin  ', MPI_MODE_CREATE + MPI_MODE_RDWR, &
                       MPI_INFO_NULL, file, error)
    got = [(10 * rank + number, number=1, 4)]
    place = 16 * rank
    call MPI_File_write_at(file, place, got, 4, MPI_INTEGER, status, error)
    call MPI_Get_count(status, MPI_INTEGER, count, error)
    print '(i0, a, i0)', rank, ': wrote ', count
    call MPI_File_sync(file, error)
    call MPI_Barrier(MPI_COMM_WORLD, error)
    place = 16 * mod(rank + 1, size)
    call MPI_File_read_at_all(file, place, got, 4, MPI_INTEGER, status, error)
    print '(i0, a, 4i4)', rank, ': of the next', got
    call MPI_File_get_size(file, bytes, error)
    print '(i0, a, i0)', rank, ': bytes ', bytes
    call MPI_File_get_amode(file, mode, error)
    print '(i0, a, l1)', rank, ': mode ', mode == MPI_MODE_CREATE + MPI_MODE_RDWR
    place = 8
    call MPI_File_set_view(file, place, MPI_INTEGER, MPI_INTEGER, 'native', MPI_INFO_NULL, error)
    call MPI_File_get_view(file, place, etype, filetype, form, error)
    print '(i0, a, i0, l2, 1x, a)', rank, ': view ', place, etype == MPI_INTEGER, trim(form)
    call MPI_File_set_atomicity(file, .true., error)
    call MPI_File_get_atomicity(file, atomic, error)
    print '(i0, a, l1)', rank, ': atomic ', atomic
    call MPI_File_close(file, error)
    print '(i0, a, l1)', rank, ': closed ', file == MPI_FILE_NULL
    call MPI_File_open(MPI_COMM_WORLD, 'missing.bin', MPI_MODE_RDONLY, MPI_INFO_NULL, file, error)
    call MPI_Error_class(error, number, error)
    print '(i0, a, l1)', rank, ': missing ', number == MPI_ERR_NO_SUCH_FILE
  end subroutine
end module

program files
  use mpi_f08
  use old_way
  type(MPI_File) :: file
  type(MPI_Request) :: request
  type(MPI_Status) :: status
  integer :: rank, number, got(2), count
  integer(MPI_OFFSET_KIND) :: place
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call with_mpi()
  call MPI_File_open(MPI_COMM_WORLD, 'fortran.bin', MPI_MODE_RDWR + MPI_MODE_DELETE_ON_CLOSE, &
                     MPI_INFO_NULL, file)
  number = 100 + rank
  call MPI_File_write_ordered(file, number, 1, MPI_INTEGER, status)
  call MPI_Barrier(MPI_COMM_WORLD)
  place = 0
  call MPI_File_iread_at(file, place, got, 2, MPI_INTEGER, request)
  call MPI_Wait(request, status)
  call MPI_Get_count(status, MPI_INTEGER, count)
  print '(i0, a, 3i4)', rank, ': in order', got, count
  call MPI_File_seek(file, 4_MPI_OFFSET_KIND, MPI_SEEK_SET)
  call MPI_File_read(file, number, 1, MPI_INTEGER, status)
  call MPI_File_get_position(file, place)
  print '(i0, a, i0, 1x, i0)', rank, ': position ', place, number
  call MPI_File_close(file)
  call MPI_Finalize()
end program
