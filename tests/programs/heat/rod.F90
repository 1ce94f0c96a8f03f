module rod
  use mpi
  implicit none
  include 'sizes.inc'
  integer :: steps = 0
  double precision :: cells(0:CELLS_OF_A_RANK + 1) = 0
contains
  subroutine begin(rank)
    integer, intent(in) :: rank
    if (rank == 0) cells(1) = HOT
  end subroutine begin

  subroutine exchange(rank)
    integer, intent(in) :: rank
    integer :: size, left, right, error
    call MPI_Comm_size(MPI_COMM_WORLD, size, error)
    left = merge(rank - 1, MPI_PROC_NULL, rank > 0)
    right = merge(rank + 1, MPI_PROC_NULL, rank < size - 1)
    call MPI_Sendrecv(cells(1), 1, MPI_DOUBLE_PRECISION, left, 0, cells(CELLS_OF_A_RANK + 1), 1, &
                      MPI_DOUBLE_PRECISION, right, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
    call MPI_Sendrecv(cells(CELLS_OF_A_RANK), 1, MPI_DOUBLE_PRECISION, right, 0, cells(0), 1, &
                      MPI_DOUBLE_PRECISION, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
  end subroutine exchange

  subroutine advance()
    cells(1:CELLS_OF_A_RANK) = (cells(0:CELLS_OF_A_RANK - 1) + cells(2:)) / 2
  end subroutine advance
end module rod
