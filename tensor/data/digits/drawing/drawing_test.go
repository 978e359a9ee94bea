package drawing_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/data/digits/drawing"
)

// The pictures are of digits: each has ink, and the same index draws the same one.
func TestDrawn(t *testing.T) {
	d, err := drawing.New(3, 50)
	require.NoError(t, err)
	seen := map[int64]bool{}
	for i := range d.Len() {
		a, err := d.Example(i)
		require.NoError(t, err)
		b, err := d.Example(i)
		require.NoError(t, err)
		require.Equal(t, a[0].Bytes(), b[0].Bytes())
		ink := tensor.FromBuffer(a[0]).GtScalar(0.5).Sum().Item()
		require.Greater(t, ink, 15.0)
		require.Less(t, ink, 300.0)
		seen[a[1].Int64(0)] = true
	}
	require.Len(t, seen, 10)
}
