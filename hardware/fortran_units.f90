! Closes what a repetition of a program has left open: the runtime library stays for the next one.
subroutine weft_close_units() bind(C, name="weft_close_units")
  implicit none
  integer, parameter :: first_new = -10, last = 999
  integer :: unit, lowest
  logical :: is_open
  ! Units that NEWUNIT has numbered go down from -10.
  lowest = first_new - 200
  flush (6)
  do unit = lowest, last
    if (unit == 0 .or. unit == 5 .or. unit == 6) cycle
    if (unit < 0 .and. unit > first_new) cycle
    inquire (unit, opened=is_open)
    if (is_open) close (unit)
  end do
end subroutine weft_close_units
