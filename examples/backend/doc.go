// SPDX-License-Identifier: Apache-2.0

// Command backend adds a device of its own: a unit that multiplies matrices, adds a bias and
// clips at zero, and can do nothing else. Programs for it are divided: what has the pattern goes to
// the unit, the rest runs on the host.
package main
