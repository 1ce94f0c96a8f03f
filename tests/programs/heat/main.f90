! Heat in a rod that the ranks share.
program heat
  use mpi
  use rod
  implicit none
  integer :: rank, error, step, read_error
  double precision :: mine, all
  character(12) :: word
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call get_command_argument(1, word)
  read (word, *, iostat=read_error) steps
  call begin(rank)
  do step = 1, steps
    call exchange(rank)
    call advance()
  end do
  mine = sum(cells(1:CELLS_OF_A_RANK) * rank)
  call MPI_Reduce(mine, all, 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, error)
  open (20, file='result')
  if (rank == 0) print '(a,i0,a,f12.6)', 'heat: after ', steps, ' steps ', all
  call MPI_Finalize(error)
  stop
end program heat
