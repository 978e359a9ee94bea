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

// Memory of tensors lies on large pages where the bytes in front of its pages are at most half as much, as those in front
// of a million elements of 4 bytes. The first byte is in the first small page of a large page.
func TestLargeAligned(t *testing.T) {
	for _, n := range []int{4e6, 2 * buf.LargePage, 2*buf.LargePage + 1, 9<<20 + 77} {
		for range 3 {
			b := buf.Aligned(n)
			require.Len(t, b, n)
			require.Equal(t, n, cap(b))
			require.Less(t, uintptr(unsafe.Pointer(&b[0]))%buf.LargePage, uintptr(4096))
			b[0], b[n-1] = 1, 1
		}
	}
}

// Three large pieces of memory that are made in a row start at addresses which differ by 896 bytes at least within a
// page. Small pieces do not get larger.
func TestStaggered(t *testing.T) {
	for _, n := range []int{128 << 10, 1 << 20, 4e6, 9<<20 + 77} {
		var at [3]int
		for i := range at {
			b := buf.Aligned(n)
			require.Len(t, b, n)
			require.Equal(t, n, cap(b))
			at[i] = int(uintptr(unsafe.Pointer(&b[0])) % 4096)
			require.Zero(t, at[i]%buf.Alignment)
		}
		for i := range at {
			apart := (at[i] - at[(i+1)%3] + 4096) % 4096
			require.GreaterOrEqual(t, min(apart, 4096-apart), 896, "%d bytes: offsets %v", n, at)
		}
	}
}
