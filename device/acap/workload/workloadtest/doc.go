// SPDX-License-Identifier: Apache-2.0

// Package workloadtest draws kernels at random, for tests of what maps, times and runs them.
package workloadtest
