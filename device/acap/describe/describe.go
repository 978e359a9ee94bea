package describe

import (
	"fmt"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/scalar"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/device/acap/workload"
	"github.com/go-acap/acap/kernel"
)

// Kernel describes a native kernel. A kernel that arrays do not compute is an error, and so are extents that
// [workload.Kernel.Check] refuses.
func Kernel(name string, k kernel.Kernel) (*workload.Kernel, error) {
	w := &workload.Kernel{Name: name}
	d, ok := kinds.Of(k)
	lines, byLines := k.(kernel.LineByLine)
	switch {
	case ok:
		d.describe(w, k)
	case byLines:
		describeLines(w, lines)
	default:
		return nil, fmt.Errorf("%s: no description of %T", name, k)
	}
	w.Classify()
	return w, w.Check()
}

// kind is what the array knows of a kind of kernels. Kernels that work line by line need none of it.
type kind struct {
	describe func(w *workload.Kernel, k kernel.Kernel)
	// matrix gives what [MatrixOf] makes of a port: the array, where the port begins, and its loops over rows and over
	// the elements of one. It is nil if no port is a matrix.
	matrix func(k kernel.Kernel, port int) (p kernel.Port, offset int, rows, cols []workload.Loop, ok bool)
	// sample gives the kernel of one sample, or nil; it is nil if there is none.
	sample func(s *sampling, k kernel.Kernel) kernel.Kernel
}

func init() {
	register(nest, nestMatrix, (*sampling).nest)
	register(contraction, contractionMatrix, (*sampling).contraction)
	register(convolution, convolutionMatrix, (*sampling).convolution)
	register(attention, nil, (*sampling).attention)
	register(scan, nil, nil)
	register(sorting, nil, nil)
	register(scatter, nil, nil)
	register(random, nil, nil)
}

// kinds has what the array knows of the kinds of kernels.
var kinds = kernel.Table[kind]{}

// register says what the array knows of a kind of kernels.
func register[K kernel.Kernel](describe func(*workload.Kernel, K), matrix func(K, int) (kernel.Port, int, []workload.Loop, []workload.Loop, bool),
	sample func(*sampling, K) kernel.Kernel) {
	d := kind{describe: func(w *workload.Kernel, k kernel.Kernel) { describe(w, k.(K)) }}
	if matrix != nil {
		d.matrix = func(k kernel.Kernel, port int) (kernel.Port, int, []workload.Loop, []workload.Loop, bool) {
			return matrix(k.(K), port)
		}
	}
	if sample != nil {
		d.sample = func(s *sampling, k kernel.Kernel) kernel.Kernel { return sample(s, k.(K)) }
	}
	kinds[kernel.Kind[K]()] = d
}

// touched is the number of distinct elements that an access reads or writes.
func touched(a *kernel.Access, outer, inner []int) int64 {
	n := int64(1)
	for i, e := range outer {
		if a.Outer[i] != 0 {
			n *= int64(e)
		}
	}
	for i, e := range inner {
		if i < len(a.Inner) && a.Inner[i] != 0 {
			n *= int64(e)
		}
	}
	return min(n, int64(max(a.Len, 1)))
}

func streams(access []kernel.Access, outer, inner []int) (in, out []workload.Stream) {
	for i := range access {
		a := &access[i]
		s := workload.Stream{DType: a.DType, Elements: touched(a, outer, inner), Constant: a.Const}
		if a.Write {
			out = append(out, s)
		} else {
			in = append(in, s)
		}
	}
	return in, out
}

// mixOf counts the operations of a body by class.
func mixOf(body kernel.Body) (m workload.Mix, gathers bool, compute dtype.DType) {
	for _, i := range body {
		switch i.Op {
		case kernel.Const, kernel.Load, kernel.Index, kernel.Acc, kernel.Kept, kernel.Input,
			kernel.Store, kernel.Bitcast:
			continue
		case kernel.LoadAt:
			gathers = true
			continue
		case kernel.Cast:
			m.Simple++
			continue
		case kernel.Div, kernel.Rem, kernel.FloorDiv, kernel.Mod:
			m.Divide++
		default:
			switch f := i.Op.Function(); {
			case f != nil && f.Cost == scalar.Division:
				m.Divide++
			case f != nil && f.Cost == scalar.Transcendental:
				m.Transcendental++
			default:
				m.Simple++
			}
		}
		if i.Type.Size() >= compute.Size() && i.Type != dtype.Bool {
			compute = i.Type
		}
	}
	return m, gathers, compute
}

func add(a, b workload.Mix) workload.Mix {
	return workload.Mix{Simple: a.Simple + b.Simple, Divide: a.Divide + b.Divide,
		Transcendental: a.Transcendental + b.Transcendental}
}

// nest describes a loop nest: a move if it computes nothing, rows if it has
// inner loops, pointwise work otherwise.
func nest(w *workload.Kernel, n *kernel.Nest) {
	n, _ = Sliced(n)
	n = Still(n)
	windows := WindowsOf(n)
	in, out := streams(n.Access, n.Outer, n.Inner)
	var each, once workload.Mix
	var compute dtype.DType
	passes, gathers := 0, false
	for _, s := range n.Stages {
		mix, g, d := mixOf(s.Body)
		mix.Simple += float64(len(s.Reduce))
		gathers = gathers || g
		if d != dtype.Invalid {
			compute = d
		}
		if s.Once {
			once = add(once, mix)
		} else {
			each = add(each, mix)
			passes++
		}
	}
	if compute == dtype.Invalid && len(out) > 0 {
		compute = out[0].DType
	}
	rows, cols := shape.Size(n.Outer), shape.Size(n.Inner)
	if cols > 0 {
		orders(in, n, rows, cols)
	}
	switch {
	case len(n.Inner) > 0 && cols > 0:
		w.Kind = workload.KindNormalize
		w.Normalize = workload.Normalize{Rows: rows, Cols: cols, DType: compute,
			Passes: max(passes, 1), Ops: each, RowOps: once, In: in, Out: out, Split: split(n)}
		late(w.Normalize.In, n)
		if windows.loops > 0 {
			windows.describe(&w.Normalize)
		}
	case add(each, once).Total() == 0 && len(out) == 1 && len(in) == 1 && !gathers && moves(n):
		move(w, n, rows)
	default:
		w.Kind = workload.KindPointwise
		w.Pointwise = workload.Pointwise{Elements: int64(rows), DType: compute,
			In: in, Out: out, Ops: add(each, once)}
	}
}

// moves reports whether a DMA alone can copy what the nest copies: forwards, in
// whole words.
func moves(n *kernel.Nest) bool {
	for i := range n.Access {
		a := &n.Access[i]
		list := loops(n.Outer, a.Outer)
		for _, l := range list {
			if l.Stride < 0 && l.Size > 1 {
				return false
			}
		}
		walk := workload.Walk{Outer: list}
		if size := a.DType.Size(); walk.Carried(size) != size {
			return false
		}
	}
	return n.Access[0].DType == n.Access[1].DType
}

// move describes a copy or transpose by its contiguous runs and the order of its
// source.
func move(w *workload.Kernel, n *kernel.Nest, elements int) {
	w.Kind = workload.KindMove
	w.Move = workload.Move{Elements: int64(elements)}
	for i := range n.Access {
		a := &n.Access[i]
		run := contiguous(a, n.Outer)
		if a.Write {
			w.Move.DType, w.Move.WriteRun = a.DType, run
			continue
		}
		w.Move.ReadRun = run
		if run < elements {
			w.Move.Walk = &workload.Walk{Outer: loops(n.Outer, a.Outer)}
		}
	}
}

// contiguous is the number of elements that an access visits in a row.
func contiguous(a *kernel.Access, extents []int) int {
	run := 1
	for i := len(extents) - 1; i >= 0 && (a.Outer[i] == run || extents[i] == 1); i-- {
		run *= extents[i]
	}
	return run
}

// epilogue describes the nest that follows a product; axes has the axes of each loop.
func epilogue(e *kernel.Epilogue, loops []int, axes []workload.Axes) (workload.Epilogue, dtype.DType) {
	mix, _, _ := mixOf(e.Body)
	in, out := streams(e.Access, loops, nil)
	next := 0
	for i := range e.Access {
		a := &e.Access[i]
		if a.Write {
			continue
		}
		for d, n := range loops {
			if n > 1 && a.Outer[d] != 0 {
				in[next].Axes |= axes[d]
			}
		}
		next++
	}
	result := dtype.F32
	var also []dtype.DType
	for i, o := range out {
		if i == 0 {
			result = o.DType
		} else {
			also = append(also, o.DType)
		}
	}
	return workload.Epilogue{Ops: mix, In: in, Also: also}, result
}

func contraction(w *workload.Kernel, c *kernel.Contraction) {
	loops := append(append([]int(nil), c.Batch...), c.M, c.N)
	axes := make([]workload.Axes, len(c.Batch), len(loops))
	for i := range axes {
		axes[i] = workload.AxisBatch
	}
	e, out := epilogue(&c.Epilogue, loops, append(axes, workload.AxisM, workload.AxisN))
	operand := func(m *kernel.Matrix) workload.Operand {
		o := workload.Operand{DType: m.DType, Constant: m.Const, Transposed: m.Row == 1 && m.Col != 1,
			Shared: shared(m, c.Batch)}
		if m.Stored() { // an array keeps it in the format of its own that is next, and multiplies bf16
			o.DType, o.Format, o.Transposed = dtype.BF16, kept(m.Format), true
		} else if m.Const { // the host packs it, once
			o.Format = m.Format
		} else {
			o.Rounded = m.Format
		}
		return o
	}
	w.Kind = workload.KindContraction
	w.Contraction = workload.Contraction{
		Batch: shape.Size(c.Batch), M: c.M, N: c.N, K: c.K, Acc: c.Acc, Out: out, Epilogue: e,
		A: operand(&c.A), B: operand(&c.B),
	}
	if w.Contraction.A.Format == dtype.Sparse24 { // multipliers skip zeros of the right operand
		w.Contraction.A.Format = dtype.Plain
	}
	if c.B.Stored() {
		w.Contraction.A.DType = dtype.BF16
	}
}

// kept is the format in which an array keeps weights that are stored in blocks: 4 bits for weights of up to 5 bits a
// value with their scales, and 8 bits for other weights.
func kept(f dtype.Format) dtype.Format {
	if 8*f.Bytes() <= 5*f.Block() {
		return dtype.Q4
	}
	return dtype.Q8
}

// shared reports whether all entries of a batch use one matrix.
func shared(m *kernel.Matrix, batch []int) bool {
	some := false
	for i, n := range batch {
		if n > 1 && m.Batch[i] != 0 {
			return false
		}
		some = some || n > 1
	}
	return some
}

func convolution(w *workload.Kernel, c *kernel.Convolution) {
	if n, ok := Depthwise(c); ok {
		nest(w, n.Nest)
		w.Normalize.Products, w.Normalize.Ops = w.Normalize.Cols, workload.Mix{}
		return
	}
	filter := workload.AxisN // the batch of a grouped convolution is its groups
	if c.Groups > 1 {
		filter |= workload.AxisBatch
	}
	e, out := epilogue(&c.Epilogue, []int{c.N, c.K, c.P, c.Q},
		[]workload.Axes{workload.AxisM, filter, workload.AxisM, workload.AxisM})
	after := func(outputs, i, filter, in int) int {
		return (outputs-1)*c.Stride[i] + (filter-1)*c.Dilation[i] + 1 - in - c.Pad[i]
	}
	w.Kind = workload.KindConvolution
	w.Convolution = workload.Convolution{
		N: c.N, C: c.C, H: c.H, W: c.W, K: c.K, R: c.R, S: c.S,
		StrideH: c.Stride[0], StrideW: c.Stride[1], DilationH: c.Dilation[0], DilationW: c.Dilation[1],
		PadTop: c.Pad[0], PadLeft: c.Pad[1],
		PadBottom: after(c.P, 0, c.R, c.H), PadRight: after(c.Q, 1, c.S, c.W),
		Groups: c.Groups, In: c.X.DType, Weight: c.Filter.DType, Acc: c.Acc, Out: out,
		ConstantWeight: c.Filter.Const, Epilogue: e,
	}
}

func attention(w *workload.Kernel, a *kernel.Attention) {
	w.Kind = workload.KindAttention
	heads := shape.Size(a.Batch)
	w.Attention = workload.Attention{Batch: 1, Heads: heads, KVHeads: heads, Sq: a.Queries,
		Sk: a.Keys, D: a.Dim, DV: a.VDim, Causal: a.Causal, Mask: mask(a),
		DType: a.Q.DType, Acc: a.Acc}
}

// mask describes the mask of attention by the heads and queries that share it.
func mask(a *kernel.Attention) *workload.Mask {
	if a.Mask == nil {
		return nil
	}
	m := &workload.Mask{DType: a.Mask.DType, Queries: a.Queries, Heads: loops(a.Batch, a.Mask.Batch)}
	if a.Mask.Row == 0 {
		m.Queries = 1
	}
	matrices := 1
	for i := len(m.Heads) - 1; i >= 0; i-- {
		if l := &m.Heads[i]; l.Stride != 0 {
			l.Stride = matrices
			matrices *= l.Size
		}
	}
	return m
}
