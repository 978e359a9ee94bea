package engine

import (
	"math"
	"math/rand/v2"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/dialect/linalg"
	"github.com/go-acap/acap/ops"
)

// net writes a function of tensors of f32 with the lowerings of package ops, and
// draws its inputs.
type net struct {
	*ops.Lowering
	f      *mlir.Operation
	r      *rand.Rand
	inputs []*buf.Buffer
	consts []bool
}

type val = ops.Lowered

func newNet() *net {
	f := mlir.NewOp("func.func", nil, nil, nil)
	block := f.AddRegion().AddBlock()
	return &net{Lowering: ops.NewLowering(block, mlir.Location{File: "net.go", Line: 1}, nil), f: f,
		r: rand.New(rand.NewPCG(3, 4))}
}

func (n *net) input(dims ...int) val { return n.inputIn(-1, 1, dims...) }

// weight is an input that is marked as constant.
func (n *net) weight(dims ...int) val {
	v := n.inputIn(-0.5, 0.5, dims...)
	n.consts[len(n.consts)-1] = true
	return v
}

func (n *net) inputIn(low, high float64, dims ...int) val {
	b := buf.New(dtype.F32, dims)
	for i := range b.Len() {
		b.SetFloat64(i, low+(high-low)*n.r.Float64())
	}
	n.inputs = append(n.inputs, b)
	n.consts = append(n.consts, false)
	return val{V: n.Block.AddArg(mlir.Tensor(dtype.F32, dims)), D: dtype.F32}
}

func (n *net) done(results ...val) *mlir.Operation {
	var values []*mlir.Value
	for _, v := range results {
		values = append(values, v.V)
	}
	n.Block.Append(mlir.NewOp("func.return", values, nil, nil))
	return n.f
}

type scalarFunc = func(s *ops.Scalars, x []ops.Elem) ops.Elem

func (n *net) point(f scalarFunc, ins ...val) val {
	dims := ins[0].Shape()
	for _, v := range ins[1:] {
		if len(v.Shape()) >= len(dims) && shape.Size(v.Shape()) > shape.Size(dims) {
			dims = v.Shape()
		}
	}
	return n.Pointwise(ops.TensorType{DType: dtype.F32, Shape: dims}, ins, f)
}

func (n *net) add(x, y val) val {
	return n.point(func(s *ops.Scalars, x []ops.Elem) ops.Elem { return s.Add(x[0], x[1]) }, x, y)
}
func (n *net) sub(x, y val) val {
	return n.point(func(s *ops.Scalars, x []ops.Elem) ops.Elem { return s.Sub(x[0], x[1]) }, x, y)
}
func (n *net) mul(x, y val) val {
	return n.point(func(s *ops.Scalars, x []ops.Elem) ops.Elem { return s.Mul(x[0], x[1]) }, x, y)
}
func (n *net) div(x, y val) val {
	return n.point(func(s *ops.Scalars, x []ops.Elem) ops.Elem { return s.Div(x[0], x[1]) }, x, y)
}
func (n *net) scale(x val, by float64) val {
	return n.point(func(s *ops.Scalars, x []ops.Elem) ops.Elem { return s.Mul(x[0], s.Const(x[0].D, by)) }, x)
}
func (n *net) shift(x val, by float64) val {
	return n.point(func(s *ops.Scalars, x []ops.Elem) ops.Elem { return s.Add(x[0], s.Const(x[0].D, by)) }, x)
}
func (n *net) relu(x val) val {
	return n.point(func(s *ops.Scalars, x []ops.Elem) ops.Elem { return s.Max(x[0], s.Const(x[0].D, 0)) }, x)
}
func (n *net) math(name string, x val) val {
	return n.point(func(s *ops.Scalars, x []ops.Elem) ops.Elem { return s.Math(name, x[0]) }, x)
}

func (n *net) gelu(x val) val {
	return n.point(func(s *ops.Scalars, x []ops.Elem) ops.Elem {
		half := s.Mul(x[0], s.Const(x[0].D, 0.5))
		erf := s.Math("erf", s.Mul(x[0], s.Const(x[0].D, math.Sqrt2/2)))
		return s.Mul(half, s.Add(erf, s.Const(x[0].D, 1)))
	}, x)
}

func (n *net) sum(x val, dim int) val {
	return n.Fold(x, []int{dim}, true, x.D, ops.Folding{Init: func(dtype.DType) float64 { return 0 }, Combine: (*ops.Scalars).Add})
}

func (n *net) max(x val, dim int) val {
	return n.Fold(x, []int{dim}, true, x.D, ops.Folding{Init: func(dtype.DType) float64 { return math.Inf(-1) }, Combine: (*ops.Scalars).Max})
}

func (n *net) softmax(x val) val {
	last := len(x.Shape()) - 1
	e := n.math("exp", n.sub(x, n.max(x, last)))
	return n.div(e, n.sum(e, last))
}

// safeSoftmax is softmax with a maximum and a sum that are not below bounds.
func (n *net) safeSoftmax(x val, most, sum float64) val {
	last := len(x.Shape()) - 1
	bounded := func(op func(s *ops.Scalars, x, y ops.Elem) ops.Elem, low float64) func(s *ops.Scalars, x []ops.Elem) ops.Elem {
		return func(s *ops.Scalars, x []ops.Elem) ops.Elem {
			return op(s, x[0], s.Max(x[1], s.Const(x[1].D, low)))
		}
	}
	e := n.math("exp", n.point(bounded((*ops.Scalars).Sub, most), x, n.max(x, last)))
	return n.point(bounded((*ops.Scalars).Div, sum), e, n.sum(e, last))
}

// sinkSoftmax is softmax of rows and a sink each.
func (n *net) sinkSoftmax(x, sink val) val {
	last := len(x.Shape()) - 1
	most := n.max(x, last)
	e := n.math("exp", n.point(func(s *ops.Scalars, x []ops.Elem) ops.Elem { return s.Sub(x[0], s.Max(x[1], x[2])) }, x, most, sink))
	return n.point(func(s *ops.Scalars, x []ops.Elem) ops.Elem {
		return s.Div(x[0], s.Add(x[1], s.Exp(s.Sub(x[3], s.Max(x[2], x[3])))))
	}, e, n.sum(e, last), most, sink)
}

func (n *net) layerNorm(x, w, b val) val {
	last := len(x.Shape()) - 1
	count := float64(x.Shape()[last])
	mean := n.scale(n.sum(x, last), 1/count)
	d := n.sub(x, mean)
	variance := n.scale(n.sum(n.mul(d, d), last), 1/count)
	rstd := n.math("rsqrt", n.shift(variance, 1e-5))
	return n.add(n.mul(n.mul(d, rstd), w), b)
}

// linear is x·wᵀ + b over the last dimension, as PyTorch lowers it.
func (n *net) linear(x, w, b val) val {
	dims := x.Shape()
	k := dims[len(dims)-1]
	flat := n.Reshape(x, []int{shape.Size(dims) / k, k})
	y := n.Contract(flat, n.Permute(w, []int{1, 0}), dtype.F32)
	out := append(append([]int(nil), dims[:len(dims)-1]...), w.Shape()[0])
	return n.add(n.Reshape(y, out), b)
}

func (n *net) bmm(x, y val) val {
	dims := x.Shape()
	r := len(dims)
	batch := shape.Size(dims[:r-2])
	a := n.Reshape(x, []int{batch, dims[r-2], dims[r-1]})
	b := n.Reshape(y, []int{batch, y.Shape()[r-2], y.Shape()[r-1]})
	c := n.Contract(a, b, dtype.F32)
	return n.Reshape(c, append(append([]int(nil), dims[:r-1]...), y.Shape()[r-1]))
}

// attention is multi-head self-attention over x [B, S, D], with a mask that is added.
func (n *net) attention(x val, heads int, wqkv, bqkv, wo, bo val, mask *val) val {
	dims := x.Shape()
	b, s, d := dims[0], dims[1], dims[2]
	qkv := n.linear(x, wqkv, bqkv)
	part := func(i int) val {
		p := n.Slice(qkv, []int{0, 0, i * d}, []int{b, s, d}, []int{1, 1, 1})
		return n.Permute(n.Reshape(p, []int{b, s, heads, d / heads}), []int{0, 2, 1, 3})
	}
	q, k, v := part(0), part(1), part(2)
	scores := n.scale(n.bmm(q, n.Permute(k, []int{0, 1, 3, 2})), 1/math.Sqrt(float64(d/heads)))
	if mask != nil {
		scores = n.add(scores, *mask)
	}
	o := n.bmm(n.softmax(scores), v)
	o = n.Reshape(n.Permute(o, []int{0, 2, 1, 3}), []int{b, s, d})
	return n.linear(o, wo, bo)
}

func (n *net) block(x val, heads int, mask *val) val {
	d := x.Shape()[2]
	h := n.layerNorm(x, n.weight(d), n.weight(d))
	x = n.add(x, n.attention(h, heads, n.weight(3*d, d), n.weight(3*d), n.weight(d, d), n.weight(d), mask))
	h = n.layerNorm(x, n.weight(d), n.weight(d))
	h = n.gelu(n.linear(h, n.weight(4*d, d), n.weight(4*d)))
	return n.add(x, n.linear(h, n.weight(d, 4*d), n.weight(d)))
}

func (n *net) conv(x, w val, stride, pad int) val {
	in, k := x.Shape(), w.Shape()
	x = n.Pad(x, []int{0, 0, pad, pad}, []int{0, 0, pad, pad}, 0)
	p := (in[2]+2*pad-k[2])/stride + 1
	q := (in[3]+2*pad-k[3])/stride + 1
	out := n.Fill(dtype.F32, []int{in[0], k[0], p, q}, 0)
	y := linalg.Window(mlir.At(n.Block), "conv_2d_nchw_fchw", x.V, w.V, out.V,
		linalg.Steps{Strides: []int{stride, stride}, Dilations: []int{1, 1}})
	return val{V: y, D: dtype.F32}
}

func (n *net) bias(x, b val) val { return n.add(x, n.Reshape(b, []int{b.Shape()[0], 1, 1})) }

func (n *net) maxPool(x val, window int) val {
	in := x.Shape()
	out := n.Fill(dtype.F32, []int{in[0], in[1], in[2] / window, in[3] / window}, math.Inf(-1))
	w := n.Empty(dtype.F32, []int{window, window})
	y := linalg.Window(mlir.At(n.Block), "pooling_nchw_max", x.V, w.V, out.V,
		linalg.Steps{Strides: []int{window, window}, Dilations: []int{1, 1}})
	return val{V: y, D: dtype.F32}
}

func (n *net) lenet(x val) val {
	h := n.maxPool(n.relu(n.bias(n.conv(x, n.weight(6, 1, 5, 5), 1, 2), n.weight(6))), 2)
	h = n.maxPool(n.relu(n.bias(n.conv(h, n.weight(16, 6, 5, 5), 1, 0), n.weight(16))), 2)
	h = n.Reshape(h, []int{x.Shape()[0], shape.Size(h.Shape()[1:])})
	h = n.relu(n.linear(h, n.weight(120, h.Shape()[1]), n.weight(120)))
	h = n.relu(n.linear(h, n.weight(84, 120), n.weight(84)))
	return n.linear(h, n.weight(10, 84), n.weight(10))
}

// norm is batch_norm in inference with constant statistics.
func (n *net) norm(x val) val {
	c := x.Shape()[1]
	channel := func(v val) val { return n.Reshape(v, []int{c, 1, 1}) }
	mean, variance := channel(n.weight(c)), channel(n.inputIn(0.5, 2, c))
	n.consts[len(n.consts)-1] = true
	rstd := n.math("rsqrt", n.shift(variance, 1e-5))
	y := n.mul(n.mul(n.sub(x, mean), rstd), channel(n.weight(c)))
	return n.add(y, channel(n.weight(c)))
}

func (n *net) basicBlock(x val, out, stride int) val {
	in := x.Shape()[1]
	h := n.relu(n.norm(n.conv(x, n.weight(out, in, 3, 3), stride, 1)))
	h = n.norm(n.conv(h, n.weight(out, out, 3, 3), 1, 1))
	if stride != 1 || in != out {
		x = n.norm(n.conv(x, n.weight(out, in, 1, 1), stride, 0))
	}
	return n.relu(n.add(h, x))
}

func (n *net) resnet18(x val) val {
	h := n.relu(n.norm(n.conv(x, n.weight(64, x.Shape()[1], 7, 7), 2, 3)))
	h = n.maxPool(h, 2)
	for i, c := range []int{64, 128, 256, 512} {
		stride := 2
		if i == 0 {
			stride = 1
		}
		h = n.basicBlock(n.basicBlock(h, c, stride), c, 1)
	}
	dims := h.Shape()
	h = n.Reshape(h, []int{dims[0], dims[1], dims[2] * dims[3]})
	h = n.Reshape(n.scale(n.sum(h, 2), 1/float64(dims[2]*dims[3])), dims[:2])
	return n.linear(h, n.weight(1000, 512), n.weight(1000))
}

// filled is attention whose scores are -Inf where a bool mask [5, 5] is true.
func (n *net) filled(mask val) val {
	q, k, v := n.input(2, 3, 5, 4), n.input(2, 3, 5, 4), n.input(2, 3, 5, 4)
	s := n.scale(n.bmm(q, n.Permute(k, []int{0, 1, 3, 2})), 0.5)
	s = n.Pointwise(ops.TensorType{DType: dtype.F32, Shape: s.Shape()}, []val{mask, s},
		func(s *ops.Scalars, x []ops.Elem) ops.Elem {
			return s.Select(x[0], s.Const(dtype.F32, math.Inf(-1)), x[1])
		})
	return n.bmm(n.softmax(s), v)
}

// depthwise is a convolution of every channel on its own, as PyTorch lowers groups.
func (n *net) depthwise(x, w val, stride int) val {
	x = n.Pad(x, []int{0, 0, 1, 1}, []int{0, 0, 1, 1}, 0)
	in := x.Shape()
	c, p := in[1], (in[2]-3)/stride+1
	x = n.Reshape(x, []int{in[0], c, 1, in[2], in[3]})
	w = n.Reshape(w, []int{c, 1, 1, 3, 3})
	out := n.Fill(dtype.F32, []int{in[0], c, 1, p, p}, 0)
	mx := mlir.Projection(8, 0, 1, 5)
	for i := range 2 {
		mx.Results = append(mx.Results, mlir.Dim(3+i).Times(stride).Plus(mlir.Dim(6+i)))
	}
	kinds := []string{ops.Parallel, ops.Parallel, ops.Parallel, ops.Parallel, ops.Parallel,
		ops.Reduction, ops.Reduction, ops.Reduction}
	y := n.Generic(kinds, []ops.Operand{{Lowered: x, Map: mx}, {Lowered: w, Map: mlir.Projection(8, 1, 2, 5, 6, 7)}},
		[]ops.Operand{{Lowered: out, Map: mlir.Projection(8, 0, 1, 2, 3, 4)}},
		func(s *ops.Scalars, e []ops.Elem) []ops.Elem { return []ops.Elem{s.Add(e[2], s.Mul(e[0], e[1]))} })[0]
	return n.Reshape(y, []int{in[0], c, p, p})
}
