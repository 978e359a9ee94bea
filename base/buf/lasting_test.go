package buf_test

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
)

// Lasting memory of any size is aligned and zero, and can be written as a whole. A part keeps its bytes when it gets
// its pages.
func TestLasting(t *testing.T) {
	for _, n := range []int{0, 1, 64<<10 + 5, buf.LargePage - 1, buf.LargePage, 2*buf.LargePage + 1, 9<<20 + 77} {
		b := buf.Lasting(n)
		require.Len(t, b, n)
		require.Equal(t, n, cap(b))
		buf.Populate(b[n/3:])
		for i := range b {
			if b[i] != 0 {
				t.Fatal(n, i)
			}
			b[i] = byte(i)
		}
		buf.Populate(b)
		for i := range b {
			if b[i] != byte(i) {
				t.Fatal(n, i)
			}
		}
		switch {
		case n >= buf.LargePage:
			require.Zero(t, uintptr(unsafe.Pointer(&b[0]))%buf.LargePage)
		case n > 0:
			require.Zero(t, uintptr(unsafe.Pointer(&b[0]))%buf.Alignment)
		}
	}
}

// Memory of tensors starts at a multiple of large pages where the bytes in front of its pages are at most half as much,
// as those in front of a million elements of 4 bytes.
func TestLargeAligned(t *testing.T) {
	for _, n := range []int{4e6, 2 * buf.LargePage, 2*buf.LargePage + 1, 9<<20 + 77} {
		for range 3 {
			b := buf.Aligned(n)
			require.Len(t, b, n)
			require.Equal(t, n, cap(b))
			require.Zero(t, uintptr(unsafe.Pointer(&b[0]))%buf.LargePage)
			b[0], b[n-1] = 1, 1
		}
	}
}
