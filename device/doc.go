// SPDX-License-Identifier: Apache-2.0

// Package device says what a device is to the runtime: something that compiles
// modules of the aten dialect and runs them.
//
// device/host runs at once on the CPU. device/acap runs the same kernels and
// accounts for what a tiled accelerator array would have done. Both stand on
// device/compiler, which partitions a module into groups and host operations,
// lowers the groups to linalg and has device/engine turn them into native
// kernels.
package device
