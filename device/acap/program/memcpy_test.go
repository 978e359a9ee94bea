package program

import (
	"slices"
	"testing"
)

// TestMemcpys: transfers move the elements of a pattern in its order, and each is within what mlir-aie's verifier
// allows: sizes of the two inner dimensions up to 1,023 words unless the transfer is one piece, 64 iterations, strides
// that are whole words, and none that step nowhere.
func TestMemcpys(t *testing.T) {
	for _, c := range []struct {
		dims  []Dim
		bytes int
		many  int // transfers
	}{
		{nil, 4, 1},
		{[]Dim{{1 << 20, 1}}, 2, 1},
		{[]Dim{{8, 0}, {4608, 1}}, 2, 1},    // a vector for every row of cores
		{[]Dim{{65, 0}, {1024, 1}}, 4, 2},   // more often than a transfer repeats
		{[]Dim{{3, 4000}, {2062, 1}}, 2, 1}, // 1,031 words, a prime
		{[]Dim{{2, 9000}, {3, 2062}, {2062, 1}}, 2, 1},
		{[]Dim{{2, 9000}, {3, 2100}, {2062, 1}}, 2, 2},
		{[]Dim{{5, 7000}, {5004, 1}}, 1, 1}, // halves of 2,502 bytes are no words
		{[]Dim{{2, 0}, {3, 5000}, {2, 0}, {4096, 1}}, 1, 6},
		{[]Dim{{4, 1<<21 + 4}, {2, 1 << 20}, {8, 1}}, 4, 4},
		{[]Dim{{3000, 2}}, 8, 1},
		{[]Dim{{1031, 2}}, 8, 17},
		{[]Dim{{2048, 4096}, {2, 64}, {2, 16}, {4, 4}, {4, 1}}, 4, 0},
	} {
		var got []int
		all := memcpys(7, Compact(c.dims), c.bytes)
		for _, m := range all {
			got = append(got, visited(m.offset, m.dims[:])...)
			piece := m.dims[1].Size == 1 && m.dims[2].Size == 1 && m.dims[3].Stride == 1
			if n := m.dims[3].Size * c.bytes / word; m.dims[0].Size > 64 || !piece && (n > 1023 || m.dims[2].Size > 1023) {
				t.Errorf("%v of %d bytes: sizes of %v", c.dims, c.bytes, m)
			}
			for i, d := range m.dims {
				if d.Size > 1 && (d.Stride == 0 && i > 0 || d.Stride != 1 && d.Stride*c.bytes%word != 0 || d.Stride*c.bytes/word > 1<<20) {
					t.Errorf("%v of %d bytes: strides of %v", c.dims, c.bytes, m)
				}
			}
			if !piece && m.dims[3].Size*c.bytes%word != 0 {
				t.Errorf("%v of %d bytes: half words of %v", c.dims, c.bytes, m)
			}
		}
		if want := visited(7, c.dims); !slices.Equal(got, want) {
			t.Errorf("%v: %d transfers move %d elements in another order than the %d", c.dims, len(all), len(got), len(want))
		}
		if c.many > 0 && len(all) != c.many {
			t.Errorf("%v of %d bytes: %d transfers and not %d: %v", c.dims, c.bytes, len(all), c.many, all)
		}
	}
}

// visited lists the places of a pattern.
func visited(offset int, dims []Dim) (at []int) {
	if len(dims) == 0 {
		return []int{offset}
	}
	for i := range dims[0].Size {
		at = append(at, visited(offset+i*dims[0].Stride, dims[1:])...)
	}
	return at
}
