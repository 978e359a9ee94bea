// SPDX-License-Identifier: Apache-2.0

// Package mpi makes ranks of the processes that MPI starts, on one machine or many:
//
//	err := mpi.Run(func(group *distributed.Group) error { … })
//
// It needs cgo and an MPI library, Open MPI or MPICH (Debian: libopenmpi-dev openmpi-bin), whose
// compiler it is built with, and so is a module of its own:
//
//	CC=mpicc go build -o train .
//	mpirun -n 2 ./train
//
// One thread talks to MPI, which so need not be safe for several. It sends and receives in the
// memory of tensors, without copies, while other goroutines compute.
//
// A rank whose function of [Run] fails, or that closes its group after a failure, prints the error and ends all ranks
// by MPI_Abort. If a rank is killed, mpirun names the rank and ends the others. A job that was ended continues from its
// last checkpoint when the job is started again.
package mpi
