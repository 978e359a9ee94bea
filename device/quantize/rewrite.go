package quantize

import (
	"math"
	"slices"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/dialect/arith"
	"github.com/go-acap/acap/ops"
)

// Quantize returns the quantized program, a module of the aten dialect.
func (c *Calibration) Quantize() *mlir.Operation {
	module := clone(c.module)
	q := &rewriting{sites: c.Sites, bytes: map[*mlir.Value]ops.Value{}, read: map[*mlir.Value]*mlir.Value{}}
	body := module.Func("main").Body()
	err := mlir.Rewrite(module, func(r *mlir.Rewriter, op *mlir.Operation) error {
		if r.Block == body {
			q.visit(r, op)
			q.at++
		}
		return nil
	})
	if err != nil {
		panic("BUG: quantize: " + err.Error())
	}
	return module
}

type rewriting struct {
	sites []Site // that are still to come
	at    int    // how many operations of the function were visited
	// bytes has the quantized form of tensors. A tensor of four dimensions has its channels last
	// there, unless they are few.
	bytes map[*mlir.Value]ops.Value
	// read gives for a tensor the value that readers get from here on: the numbers that its bytes stand for.
	read map[*mlir.Value]*mlir.Value
}

func (q *rewriting) visit(r *mlir.Rewriter, op *mlir.Operation) {
	op.Operands = slices.Clone(op.Operands)
	for i, v := range op.Operands {
		if by := q.read[v]; by != nil {
			op.Operands[i] = by
		}
	}
	c, err := ops.FromOperation(op, ops.OfIR)
	if err != nil || len(q.sites) == 0 || q.at != q.sites[0].at {
		return
	}
	first := 0
	if op.Name == "aten.addmm" {
		first = 1
	}
	s := &q.sites[0]
	q.sites = q.sites[1:]
	e := ops.Emit{Builder: ops.Appender{Builder: &r.Builder}}
	var y ops.Value
	if op.Name == "aten.convolution" {
		y = q.convolution(e, c, s)
	} else {
		y = q.matrix(e, c, first, s)
	}
	r.Replace(ops.ToIR(y))
}

// matrix is mm or addmm, whose tensor is argument first.
func (q *rewriting) matrix(e ops.Emit, c *ops.Call, first int, s *Site) ops.Value {
	k, n := s.weights.Shape[0], s.weights.Shape[1]
	w := s.channels(n, k, func(channel, i int) int { return i*n + channel })
	x := q.quantized(e, c.Tensor(first), s, func(x ops.Value) ops.Value { return x })
	sums := e.Call("_int_mm", x, constantOf(e, w.bytes, []int{k, n}))
	var bias ops.Value
	if first == 1 {
		bias = c.Tensor(0)
	}
	return w.restore(e, sums, bias, []int{n}, s)
}

// fewChannels is the largest number of channels for which an image keeps its channels in planes, as a picture has them:
// so few channels would not fill the vectors that kernels multiply at once. In other images the channels lie side by
// side.
const fewChannels = 3

// planes reports whether the bytes of an image of that shape lie in planes.
func planes(shape []int) bool { return shape[1] <= fewChannels }

func (q *rewriting) convolution(e ops.Emit, c *ops.Call, s *Site) ops.Value {
	shape := s.weights.Shape
	w := s.channels(shape[0], shape[1]*shape[2]*shape[3], func(channel, i int) int {
		return channel*shape[1]*shape[2]*shape[3] + i
	})
	x := c.Tensor(0)
	first := func(v ops.Value) ops.Value { return v } // of an image as it lies, with the channels first
	last := first
	if !planes(x.Type().Shape) {
		first = func(v ops.Value) ops.Value { return e.Call("permute", v, []int{0, 3, 1, 2}) }
		last = func(v ops.Value) ops.Value { return e.Call("permute", v, []int{0, 2, 3, 1}) }
	}
	fresh := q.bytes[ops.ToIR(x)] == nil
	bytes := q.quantized(e, x, s, last)
	padding := c.Ints(4)
	if len(padding) == 1 {
		padding = []int{padding[0], padding[0]}
	}
	image := first(bytes)
	if s.Zero() != 0 && (padding[0] > 0 || padding[1] > 0) {
		border := []int{padding[1], padding[1], padding[0], padding[0]}
		if planes(x.Type().Shape) {
			image = e.Call("constant_pad_nd", bytes, border, s.Zero())
		} else {
			image = first(e.Call("constant_pad_nd", bytes, append([]int{0, 0}, border...), s.Zero()))
		}
		padding = []int{0, 0}
	}
	sums := e.Call("_int_convolution", image, constantOf(e, w.bytes, shape), c.Ints(3), padding, c.Ints(5), 1)
	if fresh {
		if v := ops.ToIR(x); v.Def != nil {
			wide := e.Mul(e.Sub(e.To(bytes, dtype.F32), float64(s.Zero())), float64(s.Scale()))
			q.read[v] = ops.ToIR(first(wide))
			q.bytes[q.read[v]] = bytes
		}
	}
	// Here, too, the channels lie side by side.
	y := w.restore(e, e.Call("permute", sums, []int{0, 2, 3, 1}), c.Tensor(2), []int{shape[0]}, s)
	return e.Call("permute", y, []int{0, 3, 1, 2})
}

// quantized returns the bytes of a tensor, in the layout that laid gives it.
func (q *rewriting) quantized(e ops.Emit, x ops.Value, s *Site, laid func(ops.Value) ops.Value) ops.Value {
	v := ops.ToIR(x)
	if known := q.bytes[v]; known != nil {
		return known
	}
	if pool := poolOf(v); pool != nil && !ofSingle(v) && !planes(pool.Shape(0)) {
		q.bytes[v] = q.pooled(e, pool, s, laid)
		return q.bytes[v]
	}
	// A convolution of f32 stores bytes as its lanes lie; then these change places.
	before, after := laid, func(x ops.Value) ops.Value { return x }
	if ofSingle(v) {
		before, after = after, before
	}
	scaled := e.Call("round", e.Mul(before(x), 1/float64(s.Scale())))
	if z := s.Zero(); z != 0 {
		scaled = e.Add(scaled, float64(z))
	}
	q.bytes[v] = after(e.To(e.To(e.Call("clamp", scaled, 0, 255), dtype.I32), dtype.U8))
	return q.bytes[v]
}

// poolOf returns the pooling of images whose result a tensor is, or nil.
func poolOf(v *mlir.Value) *ops.Call {
	if v.Def == nil || v.Def.Name != "aten.max_pool2d_with_indices" || v.Index != 0 {
		return nil
	}
	c, err := ops.FromOperation(v.Def, ops.OfIR)
	if err != nil || len(c.Shape(0)) != 4 {
		return nil
	}
	return c
}

// ofSingle reports whether a tensor follows from a convolution that stays in f32, pass by pass over
// it. Such a convolution may have its lanes along the rows, and is slow if it has to store bytes
// with the channels last.
func ofSingle(v *mlir.Value) bool {
	for v.Def != nil && len(v.Def.Operands) > 0 && len(v.Def.Regions) == 0 {
		switch v.Def.Name {
		case "aten.convolution":
			return true
		case "aten._int_convolution", "aten._int_mm", "aten.mm", "aten.addmm":
			return false
		}
		v = v.Def.Operands[0]
	}
	return false
}

// pooled returns the bytes of a maximum as the maximum of bytes, which is the same, because bytes
// grow with what they stand for. Images with the channels last are pooled as volumes whose last
// dimension is left alone.
func (q *rewriting) pooled(e ops.Emit, pool *ops.Call, s *Site, laid func(ops.Value) ops.Value) ops.Value {
	bytes := q.quantized(e, pool.Tensor(0), s, laid)
	dims := bytes.Type().Shape
	volume := e.Reshape(bytes, []int{dims[0], 1, dims[1], dims[2], dims[3]})
	three := func(list []int, last int) []int {
		switch len(list) {
		case 0:
			return nil
		case 1:
			return []int{list[0], list[0], last}
		}
		return []int{list[0], list[1], last}
	}
	kernel, stride := pool.Ints(1), pool.Ints(2)
	if len(stride) == 0 {
		stride = kernel
	}
	out := e.Call("max_pool3d_with_indices", volume, three(kernel, 1), three(stride, 1), three(pool.Ints(3), 0),
		three(pool.Ints(4), 1), pool.Bool(5))
	dims = out.Type().Shape
	return e.Reshape(out, []int{dims[0], dims[2], dims[3], dims[4]})
}

// channels are quantized weights with what is needed to undo it, by output channel.
type channels struct {
	bytes *buf.Buffer
	scale []float64 // of a sum
	shift []float64 // what a sum of f32 has too much because of the zero point
}

// channels quantizes n channels of k weights each. Function at gives the place of a weight in f32, or -1 for a zero.
// The bytes lie as the weights do, with the zeros among them.
func (s *Site) channels(n, k int, at func(channel, i int) int) channels {
	c := channels{buf.New(dtype.I8, []int{n * k}), make([]float64, n), make([]float64, n)}
	weight := func(channel, i int) float64 { return s.weights.Float64(at(channel, i)) }
	columns := s.Op != "aten.convolution"
	for channel := range n {
		most := 0.0
		for i := range k {
			most = max(most, math.Abs(weight(channel, i)))
		}
		step, sum := most/127, 0.0
		if most == 0 {
			step = 1
		}
		for i := range k {
			v := math.RoundToEven(weight(channel, i) / step)
			sum += v
			if columns {
				c.bytes.SetFloat64(i*n+channel, v)
			} else {
				c.bytes.SetFloat64(channel*k+i, v)
			}
		}
		c.scale[channel] = step * float64(s.Scale())
		c.shift[channel] = sum * float64(s.Zero()) * c.scale[channel]
	}
	return c
}

// restore returns f32 of sums: scaled, with the bias and without what the zero point adds. The
// channels have the given shape.
func (c *channels) restore(e ops.Emit, sums, bias ops.Value, dims []int, s *Site) ops.Value {
	scale, shift := buf.New(dtype.F32, dims), buf.New(dtype.F32, dims)
	for i := range c.scale {
		scale.SetFloat64(i, c.scale[i])
		shift.SetFloat64(i, -c.shift[i])
	}
	y := e.Mul(e.To(sums, dtype.F32), constantOf(e, scale, dims))
	switch zero := s.Zero() == 0; {
	case zero && bias == nil:
		return y
	case zero:
		return e.Add(y, bias)
	case bias == nil:
		return e.Add(y, constantOf(e, shift, dims))
	}
	return e.Add(y, e.Add(bias, constantOf(e, shift, dims)))
}

// constantOf appends a constant under another shape of its size.
func constantOf(e ops.Emit, b *buf.Buffer, dims []int) ops.Value {
	value, err := mlir.NewDense(mlir.Tensor(b.DType, dims), b.Bytes())
	if err != nil {
		panic("BUG: quantize: " + err.Error())
	}
	return ops.OfIR(arith.Constant(e.Builder.(ops.Appender).Builder, value))
}
