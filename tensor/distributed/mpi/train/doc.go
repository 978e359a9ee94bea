// SPDX-License-Identifier: Apache-2.0

// Command train teaches a convolutional network to name digits, on as many ranks as mpirun starts:
//
//	CC=mpicc go build -o train ./train
//	mpirun -n 2 ./train -dir checkpoints
//
// Beside a program for one process it has three lines: the group, the optimiser of the group, and the
// loader's share. It goes on from its last checkpoint, on any number of ranks.
package main
