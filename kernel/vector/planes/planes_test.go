package planes

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/vector"
)

// processor has the facts that plans depend on.
type processor struct {
	vector.Backend
	bytes, registers int
	permutes         bool
}

func (p processor) VectorBytes() int                             { return p.bytes }
func (p processor) Registers() int                               { return p.registers }
func (p processor) Has(vector.Op, vector.Kind, vector.Kind) bool { return p.permutes }

// depthwise is a convolution 3×3 of 8 channels of their own, with a border of one pixel.
func depthwise(size, stride int) *kernel.Convolution {
	out := (size-1)/stride + 1
	return &kernel.Convolution{N: 1, C: 8, H: size, W: size, K: 8, P: out, Q: out, R: 3, S: 3, Stride: [2]int{stride, stride},
		Dilation: [2]int{1, 1}, Pad: [2]int{1, 1}, Groups: 8, Acc: dtype.F32,
		X:      kernel.Image{Port: kernel.Port{DType: dtype.F32}, Strides: [4]int{8 * size * size, size * size, size, 1}},
		Filter: kernel.Image{Port: kernel.Port{DType: dtype.F32}, Strides: [4]int{9, 9, 3, 1}}}
}

// TestPlan: sums, the filter and loaded columns fit the registers, and strips with a column outside the image are not
// plain.
func TestPlan(t *testing.T) {
	for _, c := range []struct {
		processor
		rows int
	}{{processor{bytes: 32, registers: 16}, 3}, {processor{bytes: 64, registers: 32}, 8}} {
		p, err := newPlan(depthwise(56, 1), c.processor, 32<<10)
		require.NoError(t, err)
		require.True(t, p.held)
		require.Equal(t, c.rows, p.rows)
		require.False(t, p.plain(0))
		require.True(t, p.plain(p.lanes))
		require.False(t, p.plain(56-p.lanes))
		require.False(t, p.inside(0))
		require.True(t, p.inside(p.rows))
	}
}

// TestRefused: a stride of 3, and borders that would need endless code.
func TestRefused(t *testing.T) {
	refused := func(c *kernel.Convolution, p processor) {
		_, err := newPlan(c, p, 32<<10)
		require.True(t, errors.Is(err, kernel.ErrUnsupported), "%v", err)
	}
	long := processor{bytes: 64, registers: 32, permutes: true}
	for _, p := range []processor{long, {bytes: 32, registers: 16}, {bytes: 16, registers: 32}} {
		_, err := newPlan(depthwise(28, 2), p, 32<<10)
		require.NoError(t, err)
		refused(depthwise(28, 3), p)
	}
	for dimension := range 2 {
		before, behind := depthwise(28, 1), depthwise(28, 1)
		before.Pad[dimension] = widest + 1
		refused(before, long)
		behind.P, behind.Q = [2]int{28 + widest, 28}[dimension], [2]int{28, 28 + widest}[dimension]
		refused(behind, long)
	}
}
