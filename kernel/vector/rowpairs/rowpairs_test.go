package rowpairs

import (
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/vector"
)

// processor is what plans depend on.
type processor struct {
	vector.Backend
	bytes, registers int
}

func (p processor) VectorBytes() int                             { return p.bytes }
func (p processor) Registers() int                               { return p.registers }
func (p processor) Has(vector.Op, vector.Kind, vector.Kind) bool { return true }

// layer is a convolution of c channels of size × size pixels with k filters and a result of as many rows as the stride
// leaves.
func layer(c, k, size, filter, stride int) *kernel.Convolution {
	out := (size-1)/stride + 1
	port := kernel.Port{DType: dtype.F32}
	l := &kernel.Convolution{N: 1, C: c, H: size, W: size, K: k, P: out, Q: out, R: filter, S: filter, Groups: 1,
		Stride: [2]int{stride, stride}, Dilation: [2]int{1, 1}, Pad: [2]int{filter / 2, filter / 2}, Acc: dtype.F32,
		X:      kernel.Image{Port: port, Strides: [4]int{c * size * size, size * size, size, 1}},
		Filter: kernel.Image{Port: port, Strides: [4]int{c * filter * filter, filter * filter, filter, 1}}}
	l.Filter.Const = true
	l.Epilogue.Access = []kernel.Access{{Port: kernel.Port{DType: dtype.F32, Write: true}, Outer: []int{k * out * out, out * out, out, 1}}}
	l.Epilogue.Body = kernel.Body{{Op: kernel.Input, Type: dtype.F32}, {Op: kernel.Store, Type: dtype.F32, Port: 2}}
	return l
}

// TestPlan: sums and a vector of pixels fit the registers, and the tiles that are listed are those of all blocks and
// strips.
func TestPlan(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		c := layer(1+r.IntN(4), 1+r.IntN(99), 40+r.IntN(200), 5+r.IntN(6), 1+r.IntN(2))
		p, err := newPlan(c, processor{bytes: 16 << r.IntN(3), registers: manyRegisters})
		if err != nil {
			require.ErrorIs(t, err, kernel.ErrUnsupported)
			continue
		}
		require.Less(t, p.filters*p.vecs+1, manyRegisters)
		filters := 0
		for b := range p.blocks {
			pixels := 0
			for s := range p.strips {
				tile := p.tileOf(b, s)
				require.Contains(t, p.tiles, tile)
				if pixels += tile.vecs * p.lanes; tile.tail > 0 {
					pixels += tile.tail - p.lanes
				}
			}
			require.Equal(t, c.Q, pixels)
			filters += p.tileOf(b, 0).filters
		}
		require.Equal(t, c.K, filters)
	}
}

// TestRefused: few registers, filters that vary or are low, short rows, channels side by side.
func TestRefused(t *testing.T) {
	long := processor{bytes: 64, registers: 32}
	_, err := newPlan(layer(3, 64, 224, 7, 2), long)
	require.NoError(t, err)
	varying, last := layer(3, 64, 224, 7, 2), layer(3, 64, 224, 7, 2)
	varying.Filter.Const = false
	last.Epilogue.Access[0].Outer = []int{112 * 112 * 64, 1, 112 * 64, 64}
	for _, c := range []*kernel.Convolution{layer(3, 64, 224, 3, 2), layer(3, 64, 28, 7, 2), varying, last} {
		_, err := newPlan(c, long)
		require.ErrorIs(t, err, kernel.ErrUnsupported)
	}
	_, err = newPlan(layer(3, 64, 224, 7, 2), processor{bytes: 32, registers: 16})
	require.ErrorIs(t, err, kernel.ErrUnsupported)
}

// TestTransform: the products of transformed filters with transformed rows add up to the products of filters with rows,
// of one channel and one column.
func TestTransform(t *testing.T) {
	for rows := 5; rows <= 12; rows++ {
		for stride := 1; stride <= 2; stride++ {
			c := layer(1, 1, 64, rows, 1)
			c.S, c.Stride = 1, [2]int{stride, 1}
			c.Filter.Strides = [4]int{rows, rows, 1, 1}
			p, err := newPlan(c, processor{bytes: 64, registers: 32})
			if err != nil { // no gain
				p = &plan{Convolution: c, lanes: 16, filters: 1, blocks: 1}
				for v := range stride {
					n := p.taps(v)
					p.entries[pointOne] += n / 3
					p.entries[pointZero] += n/3 + n%3
				}
				p.entries[pointMinusOne], p.entries[pointInfinity] = p.entries[pointOne], p.entries[pointZero]
			}
			filter, image := make([]float32, rows), make([]float32, rows+stride)
			for i := range image {
				image[i] = float32(i*i%7 - 3)
			}
			var first, second float32
			for i := range filter {
				filter[i] = float32(i*5%11 - 4)
				first += float32(filter[i] * image[i])
				second += float32(filter[i] * image[i+stride])
			}
			packed := make([]float32, p.PackedBytes(1)/f32)
			p.Pack(1, unsafe.Pointer(&packed[0]), unsafe.Pointer(&filter[0]))
			var lists [points][]float32 // of transformed rows
			for v := range stride {
				x := func(i int) float32 { return image[i*stride+v] }
				n, i := p.taps(v), 0
				for ; n-i >= 3; i += 3 {
					lists[pointOne] = append(lists[pointOne], x(i+1)+x(i+2))
					lists[pointMinusOne] = append(lists[pointMinusOne], x(i+2)-x(i+1))
					lists[pointZero] = append(lists[pointZero], x(i)-x(i+2))
					lists[pointInfinity] = append(lists[pointInfinity], x(i+3)-x(i+1))
				}
				for ; i < n; i++ {
					lists[pointZero], lists[pointInfinity] = append(lists[pointZero], x(i)), append(lists[pointInfinity], x(i+1))
				}
			}
			var sums [points]float32
			for point, list := range lists {
				require.Len(t, list, p.entries[point])
				for _, x := range list {
					sums[point] += float32(x * packed[0])
					packed = packed[1:]
				}
			}
			require.Equal(t, first, sums[pointOne]+sums[pointMinusOne]+sums[pointZero], "%d rows, stride %d", rows, stride)
			require.Equal(t, second, sums[pointOne]-sums[pointMinusOne]+sums[pointInfinity], "%d rows, stride %d", rows, stride)
		}
	}
}
