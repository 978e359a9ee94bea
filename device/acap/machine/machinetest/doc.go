// SPDX-License-Identifier: Apache-2.0

// Package machinetest has the machines that tests map, time and run kernels on.
package machinetest
