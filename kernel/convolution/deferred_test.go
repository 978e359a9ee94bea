package convolution

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
)

// TestDefer: a bias is added to the sums of every unit, in both orders of a unit, and of units that have fewer channels
// or rows than others.
func TestDefer(t *testing.T) {
	const images, groups, perGroup, rows, columns = 2, 2, 7, 5, 3
	const channels = groups * perGroup
	for _, u := range []Unit{{3, 2, false}, {3, 2, true}, {7, 5, false}, {16, 1, true}, {1, 9, false}} {
		c := &kernel.Convolution{N: images, C: groups, K: channels, P: rows, Q: columns, Groups: groups, Acc: dtype.F32}
		c.Epilogue.Access = []kernel.Access{
			{Port: kernel.Port{DType: dtype.F32, Len: channels}, Outer: []int{0, 1, 0, 0}},
			{Port: kernel.Port{DType: dtype.F32, Len: 1 + images*channels*rows*columns, Write: true}, Offset: 1,
				Outer: []int{channels * rows * columns, 1, columns * channels, channels}}}
		b := kernel.NewBody()
		b.Store(3, b.Binary(kernel.Add, b.Input(dtype.F32), b.Load(2, dtype.F32)))
		c.Epilogue.Body = b.Body()
		d, stores, err := Defer(c, u, nest)
		require.NoError(t, err)
		bias, out := make([]float32, channels), make([]float32, 1+images*channels*rows*columns)
		for k := range bias {
			bias[k] = float32(1000 * k)
		}
		const before = 64
		scratch := buf.Aligned(before + d.Scratch())
		args := &kernel.Args{Ptr: []unsafe.Pointer{nil, nil, unsafe.Pointer(&bias[0]), unsafe.Pointer(&out[0])}, Scratch: unsafe.Pointer(&scratch[0])}
		at := stores.Epilogue.Access[0]
		require.LessOrEqual(t, at.Len*4, d.Scratch())
		sums := unsafe.Slice((*float32)(unsafe.Pointer(&scratch[before])), at.Len)
		for n := images - 1; n >= 0; n-- { // what a unit writes beyond its place was written before
			for k := channels - 1; k >= 0; k-- {
				if k%perGroup%u.Channels > 0 {
					continue
				}
				for row := 0; row < rows; row += u.Rows {
					for i := range min(u.Channels, perGroup-k%perGroup) {
						for j := range min(u.Rows, rows-row) {
							for q := range columns {
								sums[i*at.Outer[1]+j*at.Outer[2]+q*at.Outer[3]] = float32(500*n + 10*(row+j) + q)
							}
						}
					}
					d.Run(args, before, n, k, row)
				}
			}
		}
		d.Close()
		require.Zero(t, out[0])
		for i, v := range out[1:] {
			k, q, p, n := i%channels, i/channels%columns, i/channels/columns%rows, i/channels/columns/rows
			require.Equal(t, float32(1000*k+500*n+10*p+q), v, "%+v: image %d, channel %d, row %d, column %d", u, n, k, p, q)
		}
	}
	var none *Deferred
	require.Zero(t, none.Scratch())
	none.Run(nil, 0, 0, 0, 0)
	none.Close()
}
