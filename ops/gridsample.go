package ops

import (
	"strconv"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
)

// grid_sampler: reads the input at the places that a grid gives, in coordinates from
// -1 to 1 across it, x first. It expands to pointwise arithmetic on coordinates and
// gathers, through which gradients flow to input and grid.
func init() {
	for n := 2; n <= 3; n++ {
		d := strconv.Itoa(n)
		x := S(append([]int{1, 2}, []int{4, 3, 5}[:n]...)...)
		grid := S(append(append([]int{1}, []int{2, 3, 2}[:n]...), n)...)
		register(&Op{
			Schema: "grid_sampler_" + d + "d(Tensor input, Tensor grid, int interpolation_mode, " +
				"int padding_mode, bool align_corners) -> Tensor",
			Infer: inferExpansion(func(c *Call) error { return c.checkGrid(n) }),
			Expand: func(e Emit, c *Call) []Value {
				return []Value{newGrid(e, c, n).sample(c.Int(2))}
			},
			Samples: samplesOf(Sample{x, grid, gridLinear, gridZeros, false},
				Sample{x, grid, gridNearest, gridBorder, true},
				Sample{x, grid, gridLinear, gridReflect, false}),
		})
	}
	register(&Op{
		Schema: "grid_sampler(Tensor input, Tensor grid, int interpolation_mode, int padding_mode, " +
			"bool align_corners) -> Tensor",
		Infer: inferExpansion(nil),
		Expand: func(e Emit, c *Call) []Value {
			name := "grid_sampler_2d"
			if len(c.Shape(0)) == 5 {
				name = "grid_sampler_3d"
			}
			return e.Emit(e.sameArgs(name, c, 5))
		},
		Samples: samplesOf(Sample{S(1, 2, 4, 3), S(1, 3, 2, 2), gridLinear, gridZeros, true},
			Sample{S(1, 2, 4, 3, 2), S(1, 3, 2, 1, 3), gridNearest, gridBorder, false}),
	})
}

// The modes of interpolation, in PyTorch's numbers.
const (
	gridLinear = iota
	gridNearest
	gridCubic
)

// The modes of padding: what is read outside the input.
const (
	gridZeros = iota
	gridBorder
	gridReflect
)

func (c *Call) checkGrid(n int) error {
	in, grid := c.Shape(0), c.Shape(1)
	if len(in) != n+2 || len(grid) != n+2 || grid[n+1] != n || in[0] != grid[0] {
		return c.ShapeErrorf("input %s and grid %s do not fit", shape.String(in), shape.String(grid))
	}
	if shape.Size(in[2:]) == 0 {
		return c.ShapeErrorf("input %s is empty", shape.String(in))
	}
	mode, padding := c.Int(2), c.Int(3)
	if mode < 0 || mode > gridCubic || mode == gridCubic && n == 3 || padding < 0 ||
		padding > gridReflect {
		return c.ArgErrorf("has no interpolation_mode %d with padding_mode %d", mode, padding)
	}
	return nil
}

// grid is one call: the input with its places in one dimension, and a coordinate
// of each place for every spatial dimension, in units of elements.
type grid struct {
	Emit
	input   Value // [N, C, places of the input]
	size    []int // the input's spatial extents
	at      []Value
	padding int
	align   bool
	out     []int
	dtype   dtype.DType
}

func newGrid(e Emit, c *Call, n int) *grid {
	in, places := c.Shape(0), c.Shape(1)
	g := &grid{Emit: e, size: in[2:], padding: c.Int(3), align: c.Bool(4),
		input: e.Reshape(e.wide(c.Tensor(0)), []int{in[0], in[1], shape.Size(in[2:])}),
		out:   append([]int{in[0], in[1]}, places[1:n+1]...), dtype: c.DTypeOf(0)}
	points := e.wide(c.Tensor(1))
	for k := range n {
		v := e.Call("select.int", points, -1, n-1-k)
		v = e.Reshape(v, []int{in[0], 1, shape.Size(places[1 : n+1])})
		extent := float64(in[2+k])
		if g.align {
			v = e.Mul(e.Add(v, 1), (extent-1)/2)
		} else {
			v = e.Mul(e.Sub(e.Mul(e.Add(v, 1), extent), 1), 0.5)
		}
		g.at = append(g.at, v)
	}
	return g
}

// inside brings coordinate v of dimension k into the input as the padding mode says.
func (g *grid) inside(v Value, k int) Value {
	last := float64(g.size[k] - 1)
	switch g.padding {
	case gridReflect:
		low, high := -0.5, last+0.5
		if g.align {
			low, high = 0, last
		}
		return g.Call("clamp", g.reflect(v, low, high-low), 0.0, last)
	case gridBorder:
		return g.Call("clamp", v, 0.0, last)
	}
	return v
}

// reflect folds v into [low, low+span] at both ends, again and again.
func (g *grid) reflect(v Value, low, span float64) Value {
	if span == 0 {
		return g.Mul(v, 0)
	}
	v = g.Call("abs", g.Sub(v, low))
	extra := g.Call("fmod.Scalar", v, span)
	flips := g.Call("fmod.Scalar", g.Call("floor", g.Div(v, span)), 2.0)
	even := g.Compare("eq", flips, 0)
	return g.Where(even, g.Add(extra, low), g.Add(g.Neg(extra), span+low))
}

// sample combines the elements around every place.
func (g *grid) sample(mode int) Value {
	n := len(g.size)
	positions, weights := make([][]Value, n), make([][]Value, n)
	for k, v := range g.at {
		if mode != gridCubic {
			v = g.inside(v, k)
		}
		positions[k], weights[k] = g.taps(v, mode)
	}
	var sum Value
	for count := range pow(len(positions[0]), n) {
		var index, weight Value
		valid := Value(nil)
		for k, rest := 0, count; k < n; k++ {
			choice := rest % len(positions[k])
			rest /= len(positions[k])
			p := positions[k][choice]
			if mode == gridCubic {
				p = g.inside(p, k)
			}
			index, valid = g.locate(p, k, index, valid)
			if w := weights[k][choice]; weight == nil {
				weight = w
			} else {
				weight = g.Mul(weight, w)
			}
		}
		v := g.read(index, valid, weight)
		if sum != nil {
			v = g.Add(sum, v)
		}
		sum = v
	}
	return g.To(g.Reshape(sum, g.out), g.dtype)
}

// taps returns the positions along one dimension that take part in a sample at v, and
// their weights.
func (g *grid) taps(v Value, mode int) (positions, weights []Value) {
	if mode == gridNearest {
		// The weight is 1, with a gradient of 0 with respect to the grid.
		one := g.Add(g.Mul(g.Call("sign", v), 0), 1)
		return []Value{g.Call("round", v)}, []Value{one}
	}
	low := g.Call("floor", v)
	f := g.Sub(v, low)
	if mode == gridLinear {
		return []Value{low, g.Add(low, 1)}, []Value{g.OneMinus(f), f}
	}
	const a = -0.75
	near := func(x Value) Value { // ((a+2)x - (a+3))x² + 1
		return g.Add(g.Mul(g.Sub(g.Mul(x, a+2), a+3), g.Square(x)), 1)
	}
	far := func(x Value) Value { // ((ax - 5a)x + 8a)x - 4a
		return g.Sub(g.Mul(g.Add(g.Mul(g.Sub(g.Mul(x, a), 5*a), x), 8*a), x), 4*a)
	}
	back := g.OneMinus(f)
	return []Value{g.Sub(low, 1), low, g.Add(low, 1), g.Add(low, 2)},
		[]Value{far(g.Add(f, 1)), near(f), near(back), far(g.Add(back, 1))}
}

// locate adds position p of dimension k to a flat index, and whether it lies inside.
func (g *grid) locate(p Value, k int, index, valid Value) (Value, Value) {
	last := g.size[k] - 1
	in := g.And(g.Compare("ge", p, 0), g.Compare("le", p, last))
	i := g.To(g.Call("clamp", g.Call("nan_to_num", p, 0.0), 0.0, float64(last)), dtype.I64)
	if index == nil {
		return i, in
	}
	return g.Add(g.Mul(index, g.size[k]), i), g.And(valid, in)
}

// read gathers the elements at an index, weighted; what lies outside is 0.
func (g *grid) read(index, valid, weight Value) Value {
	dims := append([]int{}, g.input.Type().Shape[:2]...)
	dims = append(dims, index.Type().Shape[2])
	v := g.Keep(valid, g.Call("gather", g.input, 2, g.Expand(index, dims)))
	return g.Mul(v, weight)
}

// pow is baseⁿ.
func pow(base, n int) int {
	r := 1
	for range n {
		r *= base
	}
	return r
}
