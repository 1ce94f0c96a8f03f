! What each rank has for itself: common blocks, SAVE, units and files, arguments, random numbers; STOP.
module shared
  implicit none
  integer, save :: calls = 0
  double precision :: table(40000)
  integer, allocatable :: grown(:)
end module shared

block data begun
  common /counts/ first, second
  integer :: first = 5, second = 7
end block data begun

subroutine count_calls(rank)
  use shared
  implicit none
  integer, intent(in) :: rank
  integer :: first, second
  common /counts/ first, second
  integer, save :: own = 0
  own = own + rank
  calls = calls + 1
  first = first + own
  second = second * 2
end subroutine count_calls

program state
  use mpi
  use shared
  implicit none
  integer :: rank, size, error, i, first, second, unit, found, seeds
  integer, allocatable :: seed(:)
  common /counts/ first, second
  character(20) :: argument, name
  character(40) :: line
  logical :: is_open
  real :: drawn(2), again(2)
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, size, error)
  table = rank
  allocate (grown(rank + 1))
  grown = rank
  do i = 1, 3
    call count_calls(rank)
    call MPI_Barrier(MPI_COMM_WORLD, error)
  end do
  print '(i0,a,3(1x,i0),f10.1,1x,i0)', rank, ': variables', calls, first, second, sum(table), &
    sum(grown)

  call get_command_argument(2, argument)
  print '(i0,a,1x,i0,1x,a)', rank, ': arguments', command_argument_count(), trim(argument)

  write (name, '(a,i0)') 'own-', rank
  open (10, file=name, status='replace')
  write (10, '(a,i0)') 'line of ', rank
  call MPI_Barrier(MPI_COMM_WORLD, error)
  write (10, '(a)') 'second line'
  rewind (10)
  read (10, '(a)') line
  open (newunit=unit, status='scratch')
  write (unit, *) 3 * rank
  call MPI_Barrier(MPI_COMM_WORLD, error)
  rewind (unit)
  read (unit, *) found
  inquire (11, opened=is_open)
  print '(i0,4a,1x,i0,l2)', rank, ': files ', trim(name), ' ', trim(line), found, is_open
  close (10, status='delete')
  if (rank == 0) open (11, status='scratch')

  call random_seed(size=seeds)
  allocate (seed(seeds))
  seed = 17 + rank
  call random_seed(put=seed)
  call random_number(drawn(1))
  call MPI_Barrier(MPI_COMM_WORLD, error)
  call random_number(drawn(2))
  call random_seed(put=seed)
  call random_number(again)
  print '(i0,a,2f10.6,l2)', rank, ': random numbers', drawn, all(drawn == again)
  write (line, '(a,i3.3)') 'inside ', rank
  print '(i0,2a)', rank, ': ', trim(line)
  write (*, '(i0,a)', advance='no') rank, ': half a line'
  write (*, '(a)') ' and its end'
  call MPI_Finalize(error)
  if (rank == 1) stop
end program state
