package tensor_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/shape"
)

// geometry is a convolution of two spatial dimensions.
type geometry struct {
	batch, in, out, groups                   int
	extent, window                           [2]int
	stride, padding, dilation, outputPadding [2]int
	transposed                               bool
}

// randomGeometry draws a convolution that has at least one place in each dimension.
func randomGeometry(r *rand.Rand) geometry {
	for {
		g := geometry{batch: r.IntN(3) + 1, groups: r.IntN(2) + 1, transposed: r.IntN(4) > 0}
		g.in, g.out = g.groups*(r.IntN(3)+1), g.groups*(r.IntN(3)+1)
		fits := true
		for i := range 2 {
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

// weights is the shape of the weight.
func (g *geometry) weights() []int {
	if g.transposed {
		return []int{g.in, g.out / g.groups, g.window[0], g.window[1]}
	}
	return []int{g.out, g.in / g.groups, g.window[0], g.window[1]}
}

// products calls f with the flat places of every product that the definition sums: a number of
// the input, a weight, and a number of the result. Padding takes part in none.
func (g *geometry) products(f func(x, w, y int)) {
	in, out := g.in/g.groups, g.out/g.groups
	wide, high := g.places(1), g.places(0)
	for n := range g.batch {
		for group := range g.groups {
			for c := range in {
				for o := range out {
					for p := range g.window[0] * g.window[1] {
						k := [2]int{p / g.window[1], p % g.window[1]}
						g.pairs(k, func(from, to [2]int) {
							x := ((n*g.in+group*in+c)*g.extent[0]+from[0])*g.extent[1] + from[1]
							y := ((n*g.out+group*out+o)*high+to[0])*wide + to[1]
							w := (group*out+o)*in + c
							if g.transposed {
								w = (group*in+c)*out + o
							}
							f(x, w*g.window[0]*g.window[1]+p, y)
						})
					}
				}
			}
		}
	}
}

// pairs calls f with the places of the input and of the result that tap k of the window joins.
func (g *geometry) pairs(k [2]int, f func(from, to [2]int)) {
	steps, other := [2]int{g.places(0), g.places(1)}, g.extent
	if g.transposed {
		steps, other = other, steps
	}
	for a := range steps[0] {
		for b := range steps[1] {
			i := a*g.stride[0] + k[0]*g.dilation[0] - g.padding[0]
			j := b*g.stride[1] + k[1]*g.dilation[1] - g.padding[1]
			switch {
			case i < 0 || j < 0 || i >= other[0] || j >= other[1]:
			case g.transposed:
				f([2]int{a, b}, [2]int{i, j})
			default:
				f([2]int{i, j}, [2]int{a, b})
			}
		}
	}
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
		dims := []int{g.batch, g.in, g.extent[0], g.extent[1]}
		x, w := draw(dims), draw(g.weights())
		want := make([]float32, g.batch*g.out*g.places(0)*g.places(1))
		g.products(func(i, j, k int) { want[k] += x[i] * w[j] })
		got := tensor.Call("convolution", tensor.FromSlice(x, dims...), tensor.FromSlice(w, g.weights()...), nil,
			g.stride[:], g.padding[:], g.dilation[:], g.transposed, g.outputPadding[:], g.groups)[0]
		require.Equal(t, []int{g.batch, g.out, g.places(0), g.places(1)}, got.Shape(), "%+v", g)
		values := got.Float32s()
		for i, v := range want {
			same := values[i] == v || v != v && values[i] != values[i]
			if !assert.True(t, same, "%+v: place %d is %v, must be %v", g, i, values[i], v) {
				return
			}
		}
	}
}
