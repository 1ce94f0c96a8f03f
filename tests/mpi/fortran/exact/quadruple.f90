! Reductions of real(16), whose 33 digits no type of C has on every processor.
program quadruple
  use mpi
  implicit none
  integer, parameter :: quad = selected_real_kind(30)
  integer :: rank, size, error, i
  real(quad) :: mine(2), both(2), sums(2), largest(2)
  complex(quad) :: turn, turned, product
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, size, error)

  mine = thirds(rank)
  sums = 0
  largest = -huge(1._quad)
  product = 1
  do i = 0, size - 1
    sums = sums + thirds(i)
    largest = max(largest, thirds(i))
    product = product * cmplx(i + 1, -1, quad)
  end do
  call MPI_Allreduce(mine, both, 2, MPI_REAL16, MPI_SUM, MPI_COMM_WORLD, error)
  print '(i0,a,l2)', rank, ': sums', all(abs(both - sums) < 1e-32_quad)
  call MPI_Allreduce(mine, both, 2, MPI_REAL16, MPI_MAX, MPI_COMM_WORLD, error)
  print '(i0,a,l2)', rank, ': largest', all(both == largest)
  turn = cmplx(rank + 1, -1, quad)
  call MPI_Allreduce(turn, turned, 1, MPI_COMPLEX32, MPI_PROD, MPI_COMM_WORLD, error)
  print '(i0,a,l2)', rank, ': product', turned == product
  call MPI_Finalize(error)

contains
  function thirds(of) result(values)
    integer, intent(in) :: of
    real(quad) :: values(2)
    values = [1._quad / 3 + of, -2._quad / 7 * of]
  end function thirds
end program quadruple
