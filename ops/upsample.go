package ops

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
)

// Interpolation of the spatial dimensions to another size: nearest, linear and cubic.
func init() {
	nearest := sampling{at: nearestTap, nearest: true}
	exact := sampling{at: nearestTap, nearest: true, shift: 0.5}
	linear := sampling{at: linearTaps}
	cubic := sampling{at: cubicTaps, cubic: true}
	for n := 1; n <= 3; n++ {
		registerUpsample("upsample_nearest", nearest, n)
		registerUpsample("_upsample_nearest_exact", exact, n)
		registerUpsample("upsample_"+[]string{"", "linear", "bilinear", "trilinear"}[n], linear, n)
	}
	registerUpsample("upsample_bicubic", cubic, 2)
}

// upsampling is the geometry of one call.
type upsampling struct {
	size   []int
	scales []float64 // 0 where the sizes decide
	align  bool
}

// registerUpsample registers the two forms of an interpolation over n dimensions, and
// their gradient.
func registerUpsample(name string, p sampling, n int) {
	name += strconv.Itoa(n) + "d"
	align := ""
	if !p.nearest {
		align = "bool align_corners, "
	}
	x := S(append([]int{1, 2}, []int{4, 3, 5}[:n]...)...)
	size, factors := []int{6, 5, 7}[:n], []float64{1.5, 2, 0.5}[:n]
	vec, plain := Sample{x, nil, factors}, Sample{x, size}
	if !p.nearest {
		vec, plain = Sample{x, nil, true, factors}, Sample{x, size, false}
	}
	scales := ""
	for _, s := range [][]string{
		nil, {"scales"}, {"scales_h", "scales_w"}, {"scales_d", "scales_h", "scales_w"},
	}[n] {
		scales += ", float? " + s + "=None"
	}
	d := strconv.Itoa(n)
	register(p.upsampleOp(name, n, name+".vec(Tensor input, int[]? output_size, "+align+
		"float[]? scale_factors) -> Tensor", vec,
		func(c *Call) (upsampling, error) { return c.vecUpsampling(n, !p.nearest) }))
	register(p.upsampleOp(name, n, name+"(Tensor self, int["+d+"] output_size"+
		strings.TrimSuffix(", "+align, ", ")+scales+") -> Tensor", plain,
		func(c *Call) (upsampling, error) { return c.plainUpsampling(n, 1, !p.nearest, 0) }))
	back := Sample{S(append([]int{1, 2}, size...)...), size, x.Shape}
	if !p.nearest {
		back = append(back, false)
	}
	register(&Op{
		Schema: fmt.Sprintf("%s_backward(Tensor grad_output, int[%d] output_size, "+
			"int[%d] input_size%s%s) -> Tensor", name, n, n+2, strings.TrimSuffix(", "+align, ", "), scales),
		Infer: func(c *Call) error {
			if !c.DTypeOf(0).IsFloat() {
				return c.DTypeErrorf("takes floating tensors, not %v", c.DTypeOf(0))
			}
			in := c.Ints(2)
			if err := c.checkUpsampled(in, n, !p.nearest); err != nil {
				return err
			}
			u, err := c.plainUpsampling(n, 1, !p.nearest, 1)
			if err != nil {
				return err
			}
			if err := c.mustBe(0, append(append([]int{}, in[:2]...), u.size...)); err != nil {
				return err
			}
			return c.Result(c.DTypeOf(0), in)
		},
		Lower: func(l *Lowering, c *Call) []*mlir.Value {
			u, _ := c.plainUpsampling(n, 1, !p.nearest, 1)
			in := c.Ints(2)
			tables := p.tables(c, u, in)
			for k := range tables {
				tables[k] = tables[k].transposed(in[2+k])
			}
			return one(l.resample(l.In(c, 0), tables, c.Out[0]))
		},
		Grad: func(g *Gradient) { // the operator is linear, and the forward form is its transpose
			args := []any{g.Grad(0), g.Ints(1)}
			for _, a := range g.Args[3:] {
				args = append(args, a)
			}
			g.Set(0, g.Call(name, args...))
		},
		Samples: samplesOf(back),
	})
}

// upsampleOp is one forward form; read gives its geometry.
func (p sampling) upsampleOp(name string, n int, schema string, sample Sample,
	read func(c *Call) (upsampling, error)) *Op {
	return &Op{
		Schema: schema,
		Infer: func(c *Call) error {
			in := c.Shape(0)
			bytes := n == 2 && c.DTypeOf(0) == dtype.U8
			if err := c.checkUpsampled(in, n, !p.nearest && !bytes); err != nil {
				return err
			}
			u, err := read(c)
			if err != nil {
				return err
			}
			return c.Result(c.DTypeOf(0), append(append([]int{}, in[:2]...), u.size...))
		},
		Lower: func(l *Lowering, c *Call) []*mlir.Value {
			u, _ := read(c)
			x, tables := l.In(c, 0), p.tables(c, u, c.Shape(0))
			if !p.nearest && x.D == dtype.U8 {
				return one(l.resampleBytes(x, tables))
			}
			return one(l.resample(x, tables, c.Out[0]))
		},
		Grad: func(g *Gradient) {
			u, _ := read(g.call)
			args := []any{g.Grad(0), u.size, g.Shape(0)}
			if !p.nearest {
				args = append(args, u.align)
			}
			for _, s := range u.scales {
				if s == 0 {
					args = append(args, nil)
				} else {
					args = append(args, s)
				}
			}
			g.Set(0, g.Call(name+"_backward", args...))
		},
		Samples: samplesOf(sample),
	}
}

// tables computes the taps of every spatial axis of an input of shape in.
func (p *sampling) tables(c *Call, u upsampling, in []int) []taps {
	out := make([]taps, len(u.size))
	d := c.DTypeOf(0)
	bytes := d == dtype.U8
	if !p.nearest && bytes {
		d = dtype.F64 // of the weights before they are rounded
	}
	for k, n := range u.size {
		scale := u.scales[k]
		if p.sizesDecide(in[2+k], n, bytes) {
			scale = 0
		}
		out[k] = p.table(d, in[2+k], n, u.align, scale)
	}
	return out
}

// sizesDecide reports whether the scale of an axis is left aside, as in PyTorch: an axis of the same extent, such as 5
// by 1.1, is copied, but for cubic weights of floats and the exact form; the nearest of twice the extent, such as 5 by
// 2.1, is each element twice.
func (p *sampling) sizesDecide(in, out int, bytes bool) bool {
	if p.nearest {
		return p.shift == 0 && (out == in || out == 2*in)
	}
	return out == in && (bytes || !p.cubic)
}

// vecUpsampling reads (input, output_size?, [align_corners,] scale_factors?).
func (c *Call) vecUpsampling(n int, aligned bool) (upsampling, error) {
	factors := 2
	u := upsampling{scales: make([]float64, n)}
	if aligned {
		u.align, factors = c.Bool(2), 3
	}
	if c.Has(1) == c.Has(factors) {
		return u, c.ArgErrorf("needs either output_size or scale_factors")
	}
	if c.Has(1) {
		u.size = c.Ints(1)
	} else {
		list := c.Args[factors].Floats()
		if len(list) != n {
			return u, c.ArgErrorf("needs %d scale factors, got %v", n, list)
		}
		for k, f := range list {
			u.scales[k] = f
			extent := math.Floor(float64(c.Shape(0)[2+k]) * f)
			if !(extent <= shape.MaxElements) {
				return u, c.ArgErrorf("scale factor %v of an extent of %d", f, c.Shape(0)[2+k])
			}
			u.size = append(u.size, int(extent))
		}
	}
	return u, c.checkUpsampling(u, n)
}

// plainUpsampling reads output_size at argument size, then align_corners and scales
// after skip further arguments.
func (c *Call) plainUpsampling(n, size int, aligned bool, skip int) (upsampling, error) {
	u := upsampling{size: perDim(c.Ints(size), n), scales: make([]float64, n)}
	next := size + 1 + skip
	if aligned {
		u.align = c.Bool(next)
		next++
	}
	for k := range n {
		if c.Has(next + k) {
			u.scales[k] = c.Float(next + k)
		}
	}
	return u, c.checkUpsampling(u, n)
}

// checkUpsampled checks the shape of an input and the type of argument 0.
func (c *Call) checkUpsampled(in []int, n int, weighted bool) error {
	if len(in) != n+2 || slices.Min(in) < 0 || shape.Size(in[1:]) == 0 {
		return c.ShapeErrorf("input %s must have a batch, channels and %d dimensions "+
			"that are not empty", shape.String(in), n)
	}
	if weighted && !c.DTypeOf(0).IsFloat() {
		return c.DTypeErrorf("takes floating tensors, and bytes (u8) in two dimensions, not %v", c.DTypeOf(0))
	}
	return nil
}

// mustBe reports tensor argument i if it has another shape than dims.
func (c *Call) mustBe(i int, dims []int) error {
	if !shape.Equal(c.Shape(i), dims) {
		return c.ShapeErrorf("%s must have the shape %s, not %s", c.Op.Parsed().Params[i].Name,
			shape.String(dims), shape.String(c.Shape(i)))
	}
	return nil
}

func (c *Call) checkUpsampling(u upsampling, n int) error {
	if len(u.size) != n {
		return c.ArgErrorf("needs %d sizes, got %v", n, u.size)
	}
	for _, v := range u.size {
		if v < 1 {
			return c.ArgErrorf("output size %v is not positive", u.size)
		}
		// A table of positions and weights is written for every axis.
		if err := c.checkBytes("a table of positions", v, tapBytes); err != nil {
			return err
		}
	}
	return nil
}
