! Closes what a repetition of a program has left open: the runtime library stays for the next one. Units
! with negative numbers stay open, because the library has units of its own among them.
subroutine weft_close_units() bind(C, name="weft_close_units")
  implicit none
  integer, parameter :: last = 999
  integer :: unit
  logical :: is_open
  flush (6)
  do unit = 1, last
    if (unit == 5 .or. unit == 6) cycle
    inquire (unit, opened=is_open)
    if (is_open) close (unit)
  end do
end subroutine weft_close_units
