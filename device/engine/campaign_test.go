package engine

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/device/engine/enginetest"
	"github.com/go-acap/acap/device/engine/reference"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/kerneltest"
	"github.com/go-acap/acap/kernel/native"
	"github.com/go-acap/acap/kernel/portable"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/ops"
)

// quantity is a value of a random program with what is known of its elements: they are at most most,
// unless they are special, and off by at most err from the reference, and if err is 0 they are whole
// multiples of step. Then every order of operations gives the same, and results are compared bit by bit.
type quantity struct {
	val
	most, step, err float64
	special         bool // infinities and NaN may be among them
}

// program draws programs of all types.
type program struct {
	*net
	values []quantity
	moving bool // draws many that put elements elsewhere, one after the other
}

var campaignTypes = []dtype.DType{dtype.F32, dtype.F32, dtype.F32, dtype.F64, dtype.BF16, dtype.F16,
	dtype.I32, dtype.I64, dtype.I8, dtype.I16}

func (p *program) newInput(d dtype.DType, dims []int) quantity {
	b := buf.New(d, dims)
	q := quantity{most: 4, step: 1}
	if d.IsFloat() {
		q.step, q.special = 0.25, p.r.IntN(6) == 0
	}
	for i := range b.Len() {
		switch v := float64(p.r.IntN(33)-16) / 4; {
		case !d.IsFloat():
			b.SetInt64(i, int64(v))
		case q.special && p.r.IntN(12) == 0:
			b.SetFloat64(i, []float64{math.Inf(1), math.Inf(-1), math.NaN(), math.Copysign(0, -1)}[p.r.IntN(4)])
		default:
			b.SetFloat64(i, v)
		}
	}
	q.val = p.inputOf(b)
	p.consts[len(p.consts)-1] = p.r.IntN(4) == 0
	return q
}

// inputOf adds an input with the given data.
func (n *net) inputOf(b *buf.Buffer) val {
	n.inputs, n.consts = append(n.inputs, b), append(n.consts, false)
	return val{V: n.Block.AddArg(mlir.Tensor(b.DType, b.Shape)), D: b.DType}
}

// digits is how many bits the numbers of a type have, and unit the relative error of a rounding to it.
func digits(d dtype.DType) int {
	return map[dtype.DType]int{dtype.F64: 53, dtype.F32: 24, dtype.F16: 11, dtype.BF16: 8}[d]
}

func unit(d dtype.DType) float64 { return math.Ldexp(1, -digits(d)) }

// smallest bounds the error of roundings to subnormal numbers.
func smallest(d dtype.DType) float64 {
	if d == dtype.F16 {
		return 0x1p-24
	}
	return 0x1p-126
}

// rounded takes into account that a quantity is rounded to its type, and bounds it: what grows too
// large for numbers of the type to be told apart is clamped.
func (p *program) rounded(q quantity) quantity {
	if !q.D.IsFloat() {
		q.step, q.err, q.special = 1, 0, false
		q.most = min(q.most, math.Ldexp(1, q.D.Bits()-1))
		return q
	}
	if q.step > 0 && q.most > math.Ldexp(q.step, digits(q.D)) {
		q.step = 0
	}
	if q.step == 0 {
		q.err += 8*unit(q.D)*q.most + smallest(q.D)
	}
	if q.most > 100 {
		q.val = p.clamped(q.val, 2)
		q.most = 2
	}
	return q
}

func (p *program) clamped(x val, limit float64) val {
	return p.pointOf(x.D, func(s *ops.Scalars, x []ops.Elem) ops.Elem {
		return s.Min(s.Max(x[0], s.Const(x[0].D, -limit)), s.Const(x[0].D, limit))
	}, x)
}

func (p *program) pointOf(d dtype.DType, f scalarFunc, ins ...val) val {
	dims := ins[0].Shape()
	for _, v := range ins[1:] {
		dims, _ = shape.Broadcast(dims, v.Shape())
	}
	return p.Pointwise(ops.TensorType{DType: d, Shape: dims}, ins, f)
}

// pick returns a value that is there: where elements move, rather one of the last.
func (p *program) pick() quantity {
	at := p.r.IntN(len(p.values))
	if p.moving {
		at = max(at, p.r.IntN(len(p.values)))
	}
	return p.values[at]
}

// like returns a value of the type of q, and of its shape or one that is broadcast to it.
func (p *program) like(q quantity) quantity {
	for range 4 {
		if o := p.pick(); o.D == q.D && shape.Equal(o.Shape(), q.Shape()) {
			return o
		}
	}
	dims := append([]int(nil), q.Shape()...)
	for i := range dims {
		if p.r.IntN(4) == 0 {
			dims[i] = 1
		}
	}
	return p.newInput(q.D, dims[p.r.IntN(2)*p.r.IntN(len(dims)+1):])
}

// step draws one operation.
func (p *program) draw() quantity {
	q := p.pick()
	dims := q.Shape()
	rank := len(dims)
	if p.moving && p.r.IntN(3) > 0 || p.r.IntN(6) == 0 {
		return p.moved(q)
	}
	switch kind := p.r.IntN(14); {
	case kind < 4:
		return p.binary(q, p.like(q))
	case kind == 4:
		return p.unary(q)
	case kind == 5:
		return p.cast(q, campaignTypes[p.r.IntN(len(campaignTypes))])
	case kind == 6 && rank > 0:
		return p.reduce(q, p.r.IntN(rank))
	case kind == 7:
		q.val = p.Reshape(q.val, enginetest.Split(p.r, shape.Size(dims)))
	case kind == 8:
		q.val = p.Permute(q.val, p.r.Perm(rank))
	case kind == 9:
		offsets, sizes, steps := make([]int, rank), make([]int, rank), make([]int, rank)
		for d, n := range dims {
			offsets[d] = p.r.IntN(n)
			steps[d] = 1 + p.r.IntN(3)
			sizes[d] = 1 + p.r.IntN((n-1-offsets[d])/steps[d]+1)
		}
		q.val = p.Slice(q.val, offsets, sizes, steps)
	case kind == 10:
		low, high := make([]int, rank), make([]int, rank)
		for d := range low {
			low[d], high[d] = p.r.IntN(2), p.r.IntN(3)
		}
		q.val = p.Pad(q.val, low, high, 1)
		q.most = max(q.most, 1)
	case kind == 11 && rank > 0 && (q.D.Size() >= 4):
		axis := p.r.IntN(rank)
		if p.r.IntN(2) == 0 && !q.special && q.err == 0 {
			q.val, _ = p.Sort(q.val, axis, p.r.IntN(2) == 0, 0, dims[axis])
		} else {
			q.val = p.Scan("add", q.val, axis)
			n := float64(dims[axis])
			q.most, q.err = q.most*n, q.err*n
			return p.rounded(q)
		}
	case kind == 12:
		return p.product(q)
	case kind == 13 && q.D == dtype.F32:
		return p.convolution(q)
	default:
		return p.binary(q, p.like(q))
	}
	return q
}

func (p *program) unary(q quantity) quantity {
	if q.D.IsFloat() && p.r.IntN(2) == 0 {
		name := []string{"tanh", "sin", "erf", "exp"}[p.r.IntN(4)]
		if name == "exp" && q.most > 4 || q.special && name == "sin" {
			name = "tanh"
		}
		q.val = p.pointOf(q.D, func(s *ops.Scalars, x []ops.Elem) ops.Elem { return s.Math(name, x[0]) }, q.val)
		if name == "exp" { // of at most 4
			q.most, q.err = 60, 60*q.err
			q.special = q.special || q.err > 0.1
		} else {
			q.most, q.err = 1, 1.2*q.err
		}
		q.step = 0
		return p.rounded(q)
	}
	negative := p.r.IntN(2) == 0
	q.val = p.pointOf(q.D, func(s *ops.Scalars, x []ops.Elem) ops.Elem {
		if negative {
			return s.Neg(x[0])
		}
		return s.Abs(x[0])
	}, q.val)
	return q
}

func (p *program) binary(a, b quantity) quantity {
	kind := p.r.IntN(7)
	exact := a.err == 0 && b.err == 0
	if kind == 2 && (a.special || b.special) && !exact {
		kind = 0 // an infinity times what is zero or nearly so
	}
	if kind == 5 && !exact {
		kind = 1
	}
	q := quantity{special: a.special || b.special, err: a.err + b.err, most: a.most + b.most, step: min(a.step, b.step)}
	q.val = p.pointOf(a.D, func(s *ops.Scalars, x []ops.Elem) ops.Elem {
		switch kind {
		case 0:
			return s.Add(x[0], x[1])
		case 1:
			return s.Sub(x[0], x[1])
		case 2:
			return s.Mul(x[0], x[1])
		case 3:
			return s.Max(x[0], x[1])
		case 4:
			return s.Min(x[0], x[1])
		case 5:
			return s.Select(s.Cmp("lt", x[0], x[1]), x[0], s.Neg(x[1]))
		}
		return s.Add(s.Mul(x[0], s.Const(x[0].D, 2)), x[1])
	}, a.val, b.val)
	switch kind {
	case 2:
		q.most, q.err, q.step = a.most*b.most, a.err*b.most+b.err*a.most+a.err*b.err, a.step*b.step
	case 3, 4, 5:
		q.most, q.err = max(a.most, b.most), max(a.err, b.err)
	case 6:
		q.most, q.err = 2*a.most+b.most, 2*a.err+b.err
	}
	return p.rounded(q)
}

func (p *program) cast(q quantity, d dtype.DType) quantity {
	if q.D.IsFloat() && !d.IsFloat() && (q.special || q.err > 0 || q.most > 120) || q.D == dtype.I64 || d == q.D {
		return q
	}
	if !q.D.IsFloat() && d.IsFloat() && q.most > 120 {
		return q
	}
	q.val = p.Cast(q.val, d)
	return p.rounded(q)
}

func (p *program) reduce(q quantity, dim int) quantity {
	n := float64(q.Shape()[dim])
	acc := q.D
	kind := p.r.IntN(3)
	if kind == 0 && acc.IsFloat() && acc.Size() < 4 {
		acc = dtype.F32
	}
	if kind > 0 && !q.D.IsFloat() {
		kind = 0
	}
	fold := [...]ops.Folding{{Init: func(dtype.DType) float64 { return 0 }, Combine: (*ops.Scalars).Add},
		{Init: ops.Lowest, Combine: (*ops.Scalars).Max}, {Init: ops.Highest, Combine: (*ops.Scalars).Min}}[kind]
	q.val = p.Fold(q.val, []int{dim}, p.r.IntN(2) == 0, acc, fold)
	if kind == 0 {
		if q.most *= n; q.err > 0 {
			q.err = n * (q.err + unit(acc)*q.most)
		}
	}
	return p.rounded(q)
}

// product multiplies a value, as a matrix, with a new one.
func (p *program) product(a quantity) quantity {
	dims := a.Shape()
	if len(dims) == 0 || a.special && a.err > 0 || a.D == dtype.I8 || a.D == dtype.I16 {
		return a
	}
	k := dims[len(dims)-1]
	n := 1 + p.r.IntN(20)
	b := p.newInput(a.D, []int{k, n})
	if a.special || b.special {
		if a.err > 0 || b.err > 0 {
			return a
		}
	}
	right := b.val
	if p.r.IntN(2) == 0 {
		b = p.newInput(a.D, []int{n, k})
		right = p.Permute(b.val, []int{1, 0})
	}
	if b.special && a.err > 0 {
		return a
	}
	acc := a.D
	if acc.IsFloat() && acc.Size() < 4 {
		acc = dtype.F32
	}
	q := quantity{special: a.special || b.special, step: a.step * b.step}
	q.val = p.Contract(p.Reshape(a.val, []int{shape.Size(dims) / k, k}), right, acc)
	terms := float64(k)
	q.most = terms * a.most * b.most
	if a.err > 0 || q.step > 0 && q.most > math.Ldexp(q.step, digits(acc)) {
		q.err = terms * (a.err*b.most + unit(acc)*q.most)
	}
	return p.rounded(q)
}

// convolution slides a new window over a value, as an image, with padding.
func (p *program) convolution(a quantity) quantity {
	dims := a.Shape()
	if shape.Size(dims) < 4 || a.special && a.err > 0 {
		return a
	}
	size := shape.Size(dims)
	width := 1
	for w := 2; w*w <= size; w++ {
		if size%w == 0 {
			width = w
		}
	}
	channels := 1
	if height := size / width; height%2 == 0 {
		channels = 2
	}
	x := p.Reshape(a.val, []int{1, channels, size / width / channels, width})
	window := 1 + p.r.IntN(min(3, min(width, size/width/channels)))
	w := p.newInput(dtype.F32, []int{1 + p.r.IntN(5), channels, window, window})
	if w.special && a.err > 0 {
		return a
	}
	q := quantity{special: a.special || w.special, step: a.step * w.step}
	pad := p.r.IntN(2)
	if w.special {
		pad = 0 // the reference multiplies a border of zeros
	}
	q.val = p.conv(x, w.val, 1+p.r.IntN(2), pad)
	terms := float64(channels * window * window)
	q.most = terms * a.most * w.most
	if a.err > 0 || q.step > 0 && q.most > math.Ldexp(q.step, digits(dtype.F32)) {
		q.err = terms * (a.err*w.most + unit(dtype.F32)*q.most)
	}
	return p.rounded(q)
}

// ways are what runs a program: code for each processor that this one can be, and the portable back end, fused and not.
func ways() map[string]Options {
	list := map[string]Options{"portable": {Backend: portable.Compile},
		"unfused": {NoFusion: true, Threads: 1, Backend: portable.Compile}}
	for _, f := range kerneltest.Here() {
		list[fmt.Sprintf("%+v", f)] = Options{Threads: 2, Backend: func(k kernel.Kernel) (kernel.Code, error) {
			return native.CompileFor(k, f)
		}}
	}
	return list
}

// checkProgram draws a program and compares what the back ends make of it with the reference.
func checkProgram(seed uint64) error {
	p := &program{net: newNet()}
	p.r = rand.New(rand.NewPCG(seed, 11))
	p.moving = p.r.IntN(3) == 0
	for range 1 + p.r.IntN(2) {
		dims := enginetest.Split(p.r, []int{1, 6, 7, 12, 24, 30, 64, 90}[p.r.IntN(8)])
		p.values = append(p.values, p.newInput(campaignTypes[p.r.IntN(len(campaignTypes))], dims))
	}
	for range 1 + p.r.IntN(14) {
		if q := p.draw(); shape.Size(q.Shape()) <= 3000 {
			p.values = append(p.values, q)
		}
	}
	results := []quantity{p.values[len(p.values)-1]}
	for range p.r.IntN(3) {
		results = append(results, p.pick())
	}
	var list []val
	for _, q := range results {
		list = append(list, q.val)
	}
	f := p.done(list...)
	want, err := reference.Run(f, p.inputs)
	if err != nil {
		return fmt.Errorf("reference: %w\n%v", err, f)
	}
	for way, opts := range ways() {
		opts.ConstInputs = p.consts
		if err := p.compareWay(f, opts, want, results); err != nil {
			return fmt.Errorf("%s: %w\n%v", way, err, f)
		}
	}
	return nil
}

func (p *program) compareWay(f *mlir.Operation, opts Options, want []*buf.Buffer, results []quantity) error {
	compiled, err := Compile(f, opts)
	if err != nil {
		return err
	}
	defer compiled.Close()
	got, err := compiled.Run(context.Background(), p.inputs)
	if err != nil {
		return err
	}
	for i, q := range results {
		for k := range want[i].Len() {
			if !want[i].DType.IsFloat() {
				if w, g := want[i].Int64(k), got[i].Int64(k); w != g {
					return fmt.Errorf("result %d element %d: have %d, want %d\n%s", i, k, g, w, compiled.KernelText())
				}
				continue
			}
			w, g := want[i].Float64(k), got[i].Float64(k)
			if w != g && !(math.IsNaN(w) && math.IsNaN(g)) && !(math.Abs(w-g) <= q.err) {
				return fmt.Errorf("result %d element %d: have %v, want %v within %g\n%s", i, k, g, w, q.err, compiled.KernelText())
			}
		}
	}
	return nil
}

// TestCampaign compares random programs of all types, with special values, on all back ends.
// ACAP_PROGRAMS says how many, or which ("FROM:COUNT").
func TestCampaign(t *testing.T) {
	from, count := uint64(0), uint64(400)
	if testing.Short() {
		count = 80
	}
	if text := os.Getenv("ACAP_PROGRAMS"); text != "" {
		if !strings.Contains(text, ":") {
			text = "0:" + text
		}
		_, err := fmt.Sscanf(text, "%d:%d", &from, &count)
		require.NoError(t, err)
	}
	failed := 0
	for seed := from; seed < from+count; seed++ {
		if seed > from && (seed-from)%5000 == 0 {
			t.Logf("%d programs", seed-from)
		}
		if err := checkProgram(seed); err != nil {
			t.Errorf("seed %d: %v", seed, err)
			if failed++; failed == 5 {
				t.FailNow()
			}
		}
	}
}

func FuzzPrograms(f *testing.F) {
	f.Add(uint64(1))
	f.Fuzz(func(t *testing.T, seed uint64) { require.NoError(t, checkProgram(seed)) })
}
