package tensor_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/tensor"
)

// geometry is a convolution of three spatial dimensions; the first ones may be missing.
type geometry struct {
	dims                                     int
	batch, in, out, groups                   int
	extent, window                           [3]int
	stride, padding, dilation, outputPadding [3]int
	transposed                               bool
}

// randomGeometry draws a convolution that has at least one place in each dimension.
func randomGeometry(r *rand.Rand) geometry {
	for {
		g := geometry{dims: r.IntN(3) + 1, batch: r.IntN(3) + 1, groups: r.IntN(2) + 1, transposed: r.IntN(4) > 0,
			extent: [3]int{1, 1, 1}, window: [3]int{1, 1, 1}, stride: [3]int{1, 1, 1}, dilation: [3]int{1, 1, 1}}
		g.in, g.out = g.groups*(r.IntN(3)+1), g.groups*(r.IntN(3)+1)
		fits := true
		for i := 3 - g.dims; i < 3; i++ {
			g.extent[i], g.window[i] = r.IntN(6)+1, r.IntN(5)+1
			g.stride[i], g.dilation[i], g.padding[i] = r.IntN(5)+1, r.IntN(4)+1, r.IntN(5)
			if g.transposed {
				g.outputPadding[i] = r.IntN(max(g.stride[i], g.dilation[i]))
			}
			fits = fits && g.places(i) > 0
		}
		if fits {
			return g
		}
	}
}

func (g *geometry) places(i int) int {
	reach := g.dilation[i]*(g.window[i]-1) + 1
	if g.transposed {
		return (g.extent[i]-1)*g.stride[i] - 2*g.padding[i] + reach + g.outputPadding[i]
	}
	if n := g.extent[i] + 2*g.padding[i] - reach; n >= 0 {
		return n/g.stride[i] + 1
	}
	return 0
}

// of returns a list without the dimensions that are missing.
func (g *geometry) of(list [3]int) []int { return list[3-g.dims:] }

// weights is the shape of the weight.
func (g *geometry) weights() []int {
	if g.transposed {
		return append([]int{g.in, g.out / g.groups}, g.of(g.window)...)
	}
	return append([]int{g.out, g.in / g.groups}, g.of(g.window)...)
}

// flat is the place of an element among the elements of an extent.
func flat(at, extent [3]int) int { return (at[0]*extent[1]+at[1])*extent[2] + at[2] }

// products calls f with the flat places of every product that the definition sums: a number of
// the input, a weight, and a number of the result. Padding takes part in none.
func (g *geometry) products(f func(x, w, y int)) {
	in, out := g.in/g.groups, g.out/g.groups
	places := [3]int{g.places(0), g.places(1), g.places(2)}
	size := func(extent [3]int) int { return extent[0] * extent[1] * extent[2] }
	g.pairs(places, func(k, from, to [3]int) {
		for n := range g.batch {
			for group := range g.groups {
				for c := range in {
					for o := range out {
						x := (n*g.in+group*in+c)*size(g.extent) + flat(from, g.extent)
						y := (n*g.out+group*out+o)*size(places) + flat(to, places)
						w := (group*out+o)*in + c
						if g.transposed {
							w = (group*in+c)*out + o
						}
						f(x, w*size(g.window)+flat(k, g.window), y)
					}
				}
			}
		}
	})
}

// each calls f with all places of an extent.
func each(extent [3]int, f func(at [3]int)) {
	for a := range extent[0] {
		for b := range extent[1] {
			for c := range extent[2] {
				f([3]int{a, b, c})
			}
		}
	}
}

// pairs calls f with the taps of the window and the places of the input and of the result that they join.
func (g *geometry) pairs(places [3]int, f func(k, from, to [3]int)) {
	steps, other := places, g.extent
	if g.transposed {
		steps, other = other, steps
	}
	each(g.window, func(k [3]int) {
		each(steps, func(at [3]int) {
			var to [3]int
			for i := range at {
				to[i] = at[i]*g.stride[i] + k[i]*g.dilation[i] - g.padding[i]
				if to[i] < 0 || to[i] >= other[i] {
					return
				}
			}
			if g.transposed {
				f(k, at, to)
			} else {
				f(k, to, at)
			}
		})
	})
}

// Padding, and what lies between the elements that a stride separates, take part in no product:
// infinities and NaNs reach just the places that the definition names.
func TestConvolutionsAgreeWithTheirDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	draw := func(dims []int) []float32 {
		list := make([]float32, shape.Size(dims))
		for i := range list {
			list[i] = float32(r.IntN(9) - 4)
		}
		for range r.IntN(3) { // the special ones are few, so that some places stay finite
			special := []float64{math.Inf(1), math.Inf(-1), math.NaN()}
			list[r.IntN(len(list))] = float32(special[r.IntN(3)])
		}
		return list
	}
	for range 200 {
		g := randomGeometry(r)
		dims := append([]int{g.batch, g.in}, g.of(g.extent)...)
		x, w := draw(dims), draw(g.weights())
		dimsOut := append([]int{g.batch, g.out}, g.of([3]int{g.places(0), g.places(1), g.places(2)})...)
		want := make([]float32, g.batch*g.out*g.places(0)*g.places(1)*g.places(2))
		g.products(func(i, j, k int) { want[k] += x[i] * w[j] })
		got := tensor.Call("convolution", tensor.FromSlice(x, dims...), tensor.FromSlice(w, g.weights()...), nil,
			g.of(g.stride), g.of(g.padding), g.of(g.dilation), g.transposed, g.of(g.outputPadding), g.groups)[0]
		require.Equal(t, dimsOut, got.Shape(), "%+v", g)
		values := got.Float32s()
		for i, v := range want {
			same := values[i] == v || v != v && values[i] != values[i]
			if !assert.True(t, same, "%+v: place %d is %v, must be %v", g, i, values[i], v) {
				return
			}
		}
	}
}
