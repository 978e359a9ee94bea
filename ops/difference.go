package ops

import "github.com/go-acap/acap/base/dtype"

// Differences of neighbours, and the sums of trapezoids between them.
func init() {
	composite("diff(Tensor self, int n=1, int dim=-1, Tensor? prepend=None, Tensor? append=None) -> Tensor",
		func(e Emit, c *Call) []Value {
			if c.Int(1) < 0 {
				panic(c.ArgErrorf("n is %d, and must not be negative", c.Int(1)))
			}
			if c.Int(1) == 0 { // the input without what is put before or after it
				return e.Calls("clone", c.Tensor(0))
			}
			var parts []Value
			for _, i := range []int{3, 0, 4} {
				if c.Has(i) {
					parts = append(parts, c.Tensor(i))
				}
			}
			v, d := parts[0], c.mustDim(0, c.Int(2))
			if len(parts) > 1 {
				v = e.Call("cat", parts, d)
			}
			for range min(c.Int(1), v.Type().Shape[d]) {
				high, low := e.neighbours(v, d)
				if v.Type().DType == dtype.Bool {
					v = e.Call("logical_xor", high, low)
				} else {
					v = e.Sub(high, low)
				}
			}
			return []Value{v}
		}, Sample{S(3, 4)}, Sample{S(3, 4), 2, 0}, Sample{S(3), 1, -1, S(2), S(1)})
	for _, name := range []string{"trapezoid", "trapz"} {
		composite(name+".x(Tensor y, Tensor x, *, int dim=-1) -> Tensor", func(e Emit, c *Call) []Value {
			return []Value{e.Sum(e.trapezoids(c, c.Int(2), c.Tensor(1), 0), []int{c.Int(2)}, false)}
		}, Sample{S(3, 4), S(4)})
		spacing := "Scalar dx=1"
		if name == "trapz" {
			spacing = "float dx=1"
		}
		composite(name+".dx(Tensor y, *, "+spacing+", int dim=-1) -> Tensor", func(e Emit, c *Call) []Value {
			return []Value{e.Sum(e.trapezoids(c, c.Int(2), nil, c.Float(1)), []int{c.Int(2)}, false)}
		}, Sample{S(3, 4), 0.5})
	}
	composite("cumulative_trapezoid.x(Tensor y, Tensor x, *, int dim=-1) -> Tensor",
		func(e Emit, c *Call) []Value {
			return e.Calls("cumsum", e.trapezoids(c, c.Int(2), c.Tensor(1), 0), c.Int(2))
		}, Sample{S(3, 4), S(4)})
	composite("cumulative_trapezoid.dx(Tensor y, *, Scalar dx=1, int dim=-1) -> Tensor",
		func(e Emit, c *Call) []Value {
			return e.Calls("cumsum", e.trapezoids(c, c.Int(2), nil, c.Float(1)), c.Int(2))
		}, Sample{S(3, 4)})
}

// neighbours returns v without its first and without its last element along d.
func (e Emit) neighbours(v Value, d int) (high, low Value) {
	n := v.Type().Shape[d]
	return e.Call("narrow", v, d, min(1, n), max(n-1, 0)), e.Call("narrow", v, d, 0, max(n-1, 0))
}

// trapezoids returns the areas between neighbours of y along dim, at the places x or, if
// that is nil, dx apart.
func (e Emit) trapezoids(c *Call, dim int, x Value, dx float64) Value {
	d := c.mustDim(0, dim)
	high, low := e.neighbours(c.Tensor(0), d)
	sum := e.Add(high, low)
	if x == nil {
		return e.Mul(sum, dx/2)
	}
	at, rank := 0, len(x.Type().Shape)
	if rank == 1 { // one place for every element of dim
		dims := ones(len(c.Shape(0)) - d)
		dims[0] = x.Type().Shape[0]
		if dims[0] != c.Shape(0)[d] {
			panic(c.ShapeErrorf("x has %d places for the %d elements of dimension %d", dims[0], c.Shape(0)[d], d))
		}
		x = e.Reshape(x, dims)
	} else {
		at = d - len(c.Shape(0)) + rank
	}
	if at < 0 || rank == 0 {
		panic(c.ShapeErrorf("x has %d dimensions, y %d", rank, len(c.Shape(0))))
	}
	right, left := e.neighbours(x, at)
	return e.Mul(e.Mul(e.Sub(right, left), sum), 0.5)
}
