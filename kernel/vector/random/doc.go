// SPDX-License-Identifier: Apache-2.0

// Package random makes vector programs of the generator Philox4x32-10: one block of four words in each lane.
package random
