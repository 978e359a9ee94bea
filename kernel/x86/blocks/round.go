package blocks

import "github.com/go-acap/acap/base/block"

// A rounded row is its bytes, a scale for each 32, and their sums times the scales: of each 32, and of each 16. For a format
// whose numbers have a zero the sums are those times minus the zero. Rows take an odd number of cache lines, so that
// those of a tile do not evict each other.
type roundedRow struct{ k int }

func (r roundedRow) scales() int { return r.k }
func (r roundedRow) sums() int   { return r.k + 4*r.k/block.Rounded }
func (r roundedRow) halves() int { return r.k + 8*r.k/block.Rounded }
func (r roundedRow) bytes() int  { return ((r.k+16*r.k/block.Rounded+63)/64 | 1) * 64 }
