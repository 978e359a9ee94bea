package buf_test

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/tensor/buf"
)

// Lasting memory is aligned and zero whatever its size, and all of it can be written.
func TestLasting(t *testing.T) {
	for _, n := range []int{0, 1, 2<<20 - 1, 4<<20 - 1, 4 << 20, 4<<20 + 1, 9<<20 + 77} {
		b := buf.Lasting(n)
		require.Len(t, b, n)
		for i := range b {
			if b[i] != 0 {
				t.Fatal(n, i)
			}
			b[i] = byte(i)
		}
		if n > 0 {
			require.Zero(t, uintptr(unsafe.Pointer(&b[0]))%buf.Alignment)
		}
	}
}
