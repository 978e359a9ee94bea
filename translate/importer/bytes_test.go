package importer

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/trace"
)

// TestLongSumsOfBytes: products whose sums may leave i32 are not taken. 255 · 255 · 33026 is 2³¹ + 32,002.
func TestLongSumsOfBytes(t *testing.T) {
	bytes := func(dims ...int) Bytes {
		return Bytes{Codes: trace.Leaf(buf.New(dtype.I8, dims)), Scale: 1., Zero: 0}
	}
	_, ok := Linear(ops.Emit{}, bytes(1, 33026), bytes(1, 33026), nil)
	require.False(t, ok)
	_, ok = Convolve(ops.Emit{}, bytes(1, 16513, 2, 1), bytes(1, 16513, 2, 1), nil, Windows{[]int{1, 1}, []int{0, 0}, []int{0, 0}, []int{1, 1}, 1})
	require.False(t, ok)
}
