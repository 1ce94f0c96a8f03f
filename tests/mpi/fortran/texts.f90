! Texts: as data, as names, hints; lengths and blanks.
program texts
  use mpi
  implicit none
  integer :: rank, size, error, length, info, keys, status(MPI_STATUS_SIZE)
  character(12) :: word, got
  character(MPI_MAX_OBJECT_NAME) :: name
  character(MPI_MAX_PROCESSOR_NAME) :: host
  character(MPI_MAX_ERROR_STRING) :: message
  character(8) :: lines(2)
  character(20) :: value
  logical :: flag
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, size, error)

  write (word, '(a,i0)') 'rank ', rank
  got = '????????????'
  call MPI_Sendrecv(word, 6, MPI_CHARACTER, mod(rank + 1, size), 1, got, 12, MPI_CHARACTER, &
                    mod(rank + size - 1, size), 1, MPI_COMM_WORLD, status, error)
  call MPI_Get_count(status, MPI_CHARACTER, length, error)
  print '(i0,3a,1x,i0)', rank, ': [', got, ']', length
  lines = ['first   ', 'second  ']
  if (rank > 0) lines = ''
  call MPI_Bcast(lines, 16, MPI_CHARACTER, 0, MPI_COMM_WORLD, error)
  print '(i0,5a)', rank, ': [', lines(1), '|', lines(2), ']'

  call MPI_Comm_set_name(MPI_COMM_WORLD, '  everybody   ', error)
  name = repeat('x', MPI_MAX_OBJECT_NAME)
  call MPI_Comm_get_name(MPI_COMM_WORLD, name, length, error)
  print '(i0,3a,1x,i0,l2)', rank, ': [', trim(name), ']', length, name(length + 1:) == ' '
  call MPI_Type_get_name(MPI_DOUBLE_PRECISION, name, length, error)
  print '(i0,2a,1x,i0)', rank, ': ', trim(name), length
  call MPI_Get_processor_name(host, length, error)
  print '(i0,a,l2)', rank, ': a processor', length > 0 .and. len_trim(host) == length
  call MPI_Error_string(MPI_SUCCESS, message, length, error)
  print '(i0,a,l2)', rank, ': a message', len_trim(message) == length

  call MPI_Info_create(info, error)
  call MPI_Info_set(info, 'key', ' a value ', error)
  call MPI_Info_get_nkeys(info, keys, error)
  value = '????'
  call MPI_Info_get(info, 'key   ', 20, value, flag, error)
  print '(i0,a,l2,1x,i0,3a)', rank, ': hint', flag, keys, ' [', value, ']'
  call MPI_Info_get_valuelen(info, 'other', length, flag, error)
  print '(i0,a,l2)', rank, ': no hint', flag
  call MPI_Info_free(info, error)
  call MPI_Finalize(error)
end program texts
