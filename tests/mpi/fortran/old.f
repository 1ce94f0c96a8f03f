C     The fixed form and mpif.h, with calls of MPI-1.
      program old
      include 'mpif.h'
      integer rank, nprocs, ierr, i, kind, places(2), lengths(2)
      integer kinds(2), extent, status(MPI_STATUS_SIZE), size
      double precision values(3), sums(3), start
      common /block/ values, sums
      logical flag
      call MPI_INIT(ierr)
      call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
      call Mpi_Comm_Size(MPI_COMM_WORLD, nprocs, ierr)
      start = MPI_WTIME()
      do 10 i = 1, 3
   10 values(i) = rank * i
      call MPI_ALLREDUCE(values, sums, 3, MPI_DOUBLE_PRECISION,
     &                   MPI_SUM, MPI_COMM_WORLD, ierr)
      write (*, 20) rank, sums
   20 format (i0, ': sums', 3f8.2)
      lengths(1) = 2
      lengths(2) = 1
      places(1) = 0
      places(2) = 16
      kinds(1) = MPI_DOUBLE_PRECISION
      kinds(2) = MPI_INTEGER
      call MPI_TYPE_STRUCT(2, lengths, places, kinds, kind, ierr)
      call MPI_TYPE_COMMIT(kind, ierr)
      call MPI_TYPE_SIZE(kind, size, ierr)
      call MPI_TYPE_EXTENT(MPI_DOUBLE_PRECISION, extent, ierr)
      write (*, 30) rank, size, extent
   30 format (i0, ': a structure of MPI-1 ', i0, 1x, i0)
      if (rank .eq. 0) then
         do 40 i = 1, nprocs - 1
            call MPI_RECV(size, 1, MPI_INTEGER, i, 4, MPI_COMM_WORLD,
     &                    status, ierr)
            write (*, 50) rank, size, status(MPI_SOURCE)
   40    continue
   50    format (i0, ': got ', i0, ' of ', i0)
      else
         call MPI_SEND(11 * rank, 1, MPI_INTEGER, 0, 4, MPI_COMM_WORLD,
     &                 ierr)
      endif
      call MPI_ATTR_GET(MPI_COMM_WORLD, MPI_TAG_UB, size, flag, ierr)
      write (*, 60) rank, flag, size .ge. 32767,
     &              MPI_WTIME() .ge. start
   60 format (i0, ': attributes and time', 3l2)
      call MPI_FINALIZE(ierr)
      end
