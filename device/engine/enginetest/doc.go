// SPDX-License-Identifier: Apache-2.0

// Package enginetest has what tests of the packages of the engine share: the points of a shape, random shapes, and a
// function that is divided.
package enginetest
