package kernel_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/kernel"
)

// TestEntryAt has entries of a batch of two by three, the inner loop of which an operand repeats or walks along.
func TestEntryAt(t *testing.T) {
	m := kernel.Matrix{Offset: 5, Batch: []int{100, 10}}
	a := kernel.Access{Offset: 7, Outer: []int{0, -4, 1, 1}}
	for entry, want := range [][2]int{{5, 7}, {15, 3}, {25, -1}, {105, 7}, {115, 3}, {125, -1}} {
		require.Equal(t, want, [2]int{m.EntryAt([]int{2, 3}, entry), a.EntryAt([]int{2, 3}, entry)}, "entry %d", entry)
	}
}
