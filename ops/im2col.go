package ops

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
)

// im2col lists the windows of a convolution as columns: [N C H W] becomes
// [N C·kh·kw L], L windows. col2im adds the columns back to where they came from.
func init() {
	const windows = "int[2] kernel_size, int[2] dilation, int[2] padding, int[2] stride"
	register(&Op{
		Schema: "im2col(Tensor self, " + windows + ") -> Tensor",
		Infer: func(c *Call) error {
			dims := c.Shape(0)
			if len(dims) != 3 && len(dims) != 4 {
				return c.ShapeErrorf("needs 3 or 4 dimensions, got %s", shape.String(dims))
			}
			w, err := c.windows(dims[len(dims)-2:], 1)
			if err != nil {
				return err
			}
			lead := len(dims) - 3
			column, err := shape.Count([]int{dims[lead], w.kernel[0], w.kernel[1]})
			if err != nil {
				return err
			}
			columns, err := shape.Count(w.out)
			if err != nil {
				return err
			}
			return c.Result(c.DTypeOf(0), append(append([]int(nil), dims[:lead]...), column, columns))
		},
		Lower: lowerIm2col,
		Grad: func(g *Gradient) {
			dims := g.Shape(0)
			a := g.Args
			g.Set(0, g.Call("col2im", g.Grad(0), dims[len(dims)-2:], a[1], a[2], a[3], a[4]))
		},
		Samples: samplesOf(Sample{S(1, 2, 4, 5), []int{2, 3}, []int{1, 1}, []int{1, 0}, []int{2, 1}}),
	})
	register(&Op{
		Schema: "col2im(Tensor self, SymInt[2] output_size, " + windows + ") -> Tensor",
		Infer:  inferCol2im,
		Expand: func(e Emit, c *Call) []Value {
			out, pad := c.Out[0], perDim(c.Ints(4), 2)
			wide := append([]int(nil), out.Shape...)
			crop := []int{-pad[1], -pad[1], -pad[0], -pad[0]}
			wide[len(wide)-2] += 2 * pad[0]
			wide[len(wide)-1] += 2 * pad[1]
			places := e.Call("im2col", e.places(wide), c.Ints(2), c.Ints(3), []int{0, 0}, c.Ints(5))
			sum := e.Call("put", e.Zeros(TensorType{out.DType, wide}), places, c.Tensor(0), true)
			return []Value{e.Call("constant_pad_nd", sum, crop)}
		},
		Grad: func(g *Gradient) {
			a := g.Args
			g.Set(0, g.Call("im2col", g.Grad(0), a[2], a[3], a[4], a[5]))
		},
		Samples: samplesOf(Sample{S(1, 12, 9), []int{4, 5}, []int{2, 3}, []int{1, 1}, []int{0, 0},
			[]int{1, 1}}),
	})
}

type windows struct{ kernel, dilation, padding, stride, out []int }

// windows reads (kernel_size, dilation, padding, stride) from argument first on,
// for a plane of the given extents.
func (c *Call) windows(plane []int, first int) (windows, error) {
	w := windows{out: make([]int, 2)}
	for i, p := range []*[]int{&w.kernel, &w.dilation, &w.padding, &w.stride} {
		if *p = perDim(c.Ints(first+i), 2); len(*p) != 2 {
			return w, c.ArgErrorf("%s must have two entries", c.Op.Parsed().Params[first+i].Name)
		}
	}
	for i, n := range plane {
		if w.kernel[i] <= 0 || w.dilation[i] <= 0 || w.stride[i] <= 0 || w.padding[i] < 0 {
			return w, c.ArgErrorf("kernel, dilation and stride must be positive, padding not negative")
		}
		if max(w.kernel[i], w.dilation[i], w.stride[i], w.padding[i]) > mostOfWindow {
			return w, c.ShapeErrorf("windows of %s with dilation %v, padding %v and stride %v are larger than any input",
				shape.String(w.kernel), w.dilation, w.padding, w.stride)
		}
		room := n + 2*w.padding[i] - w.dilation[i]*(w.kernel[i]-1) - 1
		if room < 0 {
			return w, c.ShapeErrorf("windows of %s with padding %s do not fit a plane of %s",
				shape.String(w.kernel), shape.String(w.padding), shape.String(plane))
		}
		w.out[i] = room/w.stride[i] + 1
	}
	return w, nil
}

func lowerIm2col(l *Lowering, c *Call) []*mlir.Value {
	dims := c.Shape(0)
	w, _ := c.windows(dims[len(dims)-2:], 1)
	lead := dims[:len(dims)-2]
	amount := append(make([]int, len(lead)), w.padding...)
	self := l.Pad(l.In(c, 0), amount, amount, 0)
	out := append(append([]int(nil), lead...), w.kernel[0], w.kernel[1], w.out[0], w.out[1])
	t := l.FromIndex(TensorType{self.D, out}, func(s *Scalars, at []Elem) Elem {
		place, k := append([]Elem(nil), at[:len(lead)]...), at[len(lead):]
		for i := range 2 {
			place = append(place, s.Add(
				s.Mul(k[i+2], s.ConstInt(dtype.I64, int64(w.stride[i]))),
				s.Mul(k[i], s.ConstInt(dtype.I64, int64(w.dilation[i])))))
		}
		return s.At(self, place...)
	})
	return one(l.Reshape(t, c.Out[0].Shape))
}

func inferCol2im(c *Call) error {
	dims, plane := c.Shape(0), perDim(c.Ints(1), 2)
	if len(dims) != 2 && len(dims) != 3 {
		return c.ShapeErrorf("needs 2 or 3 dimensions, got %s", shape.String(dims))
	}
	if len(plane) != 2 {
		return c.ArgErrorf("output_size must have two entries")
	}
	w, err := c.windows(plane, 2)
	if err != nil {
		return err
	}
	lead := len(dims) - 2
	area := w.kernel[0] * w.kernel[1]
	if dims[lead]%area != 0 || dims[lead+1] != w.out[0]*w.out[1] {
		return c.ShapeErrorf("columns %s do not match windows of %s in a plane of %s, %d of them",
			shape.String(dims), shape.String(w.kernel), shape.String(plane), w.out[0]*w.out[1])
	}
	out := append(append([]int(nil), dims[:lead]...), dims[lead]/area, plane[0], plane[1])
	return c.Result(c.DTypeOf(0), out)
}
