// SPDX-License-Identifier: Apache-2.0

// Package sort makes vector programs that sort short lines. Each lane has a line of its own, and all lanes go through one
// network of comparisons (Batcher's odd-even merge sort; Knuth, The Art of Computer Programming 3, 5.2.2, algorithm M).
//
// Elements become entries: an integer of the same order, and below it the position. So no two entries are equal, and
// the order is stable. Entries of elements of 8 bytes are two vectors, others are one.
package sort
