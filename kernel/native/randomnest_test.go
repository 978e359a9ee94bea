package native

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/longtest"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/kerneltest"
	"github.com/go-acap/acap/kernel/portable"
	"github.com/go-acap/acap/kernel/vector/function"
)

// allTypes are the types of elements of nests.
var allTypes = []dtype.DType{dtype.Bool, dtype.U8, dtype.I8, dtype.I16, dtype.I32, dtype.I64,
	dtype.F16, dtype.BF16, dtype.F32, dtype.F64}

// nestMaker makes one random nest.
type nestMaker struct {
	*rand.Rand
	types []dtype.DType
	ops   func(op kernel.Op, t dtype.DType) bool
	n     *kernel.Nest
}

// randomNest makes a nest of a few loops and stages over all types and operations.
func randomNest(r *rand.Rand) kernel.Kernel {
	return randomNestOf(r, allTypes, func(kernel.Op, dtype.DType) bool { return true })
}

// randomNestOf makes a nest of a few loops and stages over the allowed types and
// operations. Kept values, reductions, broadcasts, transposes and negative
// strides all occur.
func randomNestOf(r *rand.Rand, types []dtype.DType, ops func(op kernel.Op, t dtype.DType) bool) *kernel.Nest {
	g := &nestMaker{Rand: r, types: types, ops: ops, n: &kernel.Nest{Name: "random"}}
	for range r.IntN(4) {
		g.n.Outer = append(g.n.Outer, g.extent())
	}
	if r.IntN(2) == 0 {
		for range 1 + r.IntN(2) {
			g.n.Inner = append(g.n.Inner, g.extent())
		}
	}
	t := types[r.IntN(len(types))]
	for range 1 + r.IntN(3) {
		g.input(types[r.IntN(len(types))])
	}
	g.input(t)
	if len(g.n.Inner) == 0 {
		g.pointwise()
	} else {
		g.row()
	}
	return g.n
}

func (g *nestMaker) extent() int {
	switch g.IntN(6) {
	case 0:
		return 1
	case 1:
		return 17 + g.IntN(40)
	case 2:
		return 2 + g.IntN(3)
	}
	return 1 + g.IntN(20)
}

// layout gives strides to the loops: a random order, a random sign, some zero.
func (g *nestMaker) layout(extents []int, broadcast bool) (strides []int, offset, length int) {
	strides = make([]int, len(extents))
	order := g.Perm(len(extents))
	if g.IntN(2) == 0 {
		for i := range order {
			order[i] = len(extents) - 1 - i
		}
	}
	length = 1
	if g.IntN(4) == 0 {
		length = 2
	}
	last := 0
	for _, l := range order {
		if broadcast && g.IntN(5) == 0 {
			continue
		}
		strides[l] = length
		last += length * (extents[l] - 1)
		if g.IntN(8) == 0 {
			strides[l] = -length
			offset += length * (extents[l] - 1)
		}
		length *= extents[l]
	}
	pad := g.IntN(3)
	return strides, offset + pad, last + 1 + pad
}

func (g *nestMaker) input(t dtype.DType) {
	all := append(append([]int(nil), g.n.Outer...), g.n.Inner...)
	s, off, n := g.layout(all, true)
	k := len(g.n.Outer)
	g.n.Access = append(g.n.Access, kernel.Access{Port: kernel.Port{DType: t, Len: n}, Offset: off,
		Outer: s[:k:k], Inner: s[k:]})
}

// output adds a port that is written at every outer (and inner) point.
func (g *nestMaker) output(t dtype.DType, inner bool) int {
	all := append([]int(nil), g.n.Outer...)
	if inner {
		all = append(all, g.n.Inner...)
	}
	s, off, n := g.layout(all, false)
	s = append(s, make([]int, len(g.n.Outer)+len(g.n.Inner)-len(all))...)
	k := len(g.n.Outer)
	g.n.Access = append(g.n.Access, kernel.Access{Port: kernel.Port{DType: t, Len: n, Write: true},
		Offset: off, Outer: s[:k:k], Inner: s[k:]})
	return len(g.n.Access) - 1
}

// work writes random instructions and returns a value of a random type.
func (g *nestMaker) work(b *kernel.Builder, leaves []int) int {
	values := append([]int(nil), leaves...)
	for p, a := range g.n.Access {
		if !a.Write {
			values = append(values, b.Load(p, a.DType))
		}
	}
	if loops := len(g.n.Outer) + len(g.n.Inner); loops > 0 && g.IntN(3) == 0 {
		i := b.Index(g.IntN(loops))
		values = append(values, b.Cast(g.types[g.IntN(len(g.types))], i))
	}
	ops := kernel.Ops()
	for range 2 + g.IntN(12) {
		op := ops[g.IntN(len(ops))]
		x := values[g.IntN(len(values))]
		t := b.Type(x)
		if op < kernel.Add || op >= kernel.Store || !op.Takes(t) || !g.ops(op, t) {
			continue
		}
		y, z := g.like(b, values, t), g.like(b, values, t)
		switch {
		case op == kernel.Cast:
			x = b.Cast(g.types[g.IntN(len(g.types))], x)
		case op == kernel.Bitcast:
			continue
		case op == kernel.Select:
			x = b.Select(b.Binary(kernel.Lt, x, y), y, z)
		case op.Arity() == 1:
			x = b.Unary(op, x)
		case op.Arity() == 2:
			x = b.Binary(op, x, y)
		default:
			x = b.FMA(x, y, z)
		}
		values = append(values, x)
	}
	return values[len(values)-1]
}

// like finds or makes a value of type t.
func (g *nestMaker) like(b *kernel.Builder, values []int, t dtype.DType) int {
	for range 4 {
		if v := values[g.IntN(len(values))]; b.Type(v) == t {
			return v
		}
	}
	return b.Const(t, float64(g.IntN(7)-3))
}

func (g *nestMaker) pointwise() {
	b := kernel.NewBody()
	v := g.work(b, nil)
	b.Store(g.output(b.Type(v), true), v)
	if g.IntN(3) == 0 {
		w := g.work(b, []int{v})
		b.Store(g.output(b.Type(w), true), w)
	}
	g.n.Stages = []kernel.Stage{{Body: b.Body()}}
}

func (g *nestMaker) row() {
	b := kernel.NewBody()
	v := g.work(b, nil)
	t := b.Type(v)
	s := kernel.Stage{Keep: []int{v}, Reduce: []kernel.Reduction{g.reduction(b, v)}}
	s.Body = b.Body()
	result := s.Reduce[0].Result()
	g.n.Stages = append(g.n.Stages, s)
	once := kernel.NewBody()
	a := once.Acc(0, 0, result)
	once.Store(g.output(result, false), a)
	g.n.Stages = append(g.n.Stages, kernel.Stage{Once: true, Body: once.Body(), Keep: []int{a}})
	if g.IntN(2) == 0 {
		last := kernel.NewBody()
		k := last.Kept(0, 0, t)
		m := last.Kept(1, 0, result)
		last.Store(g.output(t, true), k)
		last.Store(g.output(result, true), m)
		g.n.Stages = append(g.n.Stages, kernel.Stage{Body: last.Body()})
	}
}

func (g *nestMaker) reduction(b *kernel.Builder, v int) kernel.Reduction {
	t := b.Type(v)
	kinds := []kernel.ReduceKind{kernel.ReduceSum, kernel.ReduceMin, kernel.ReduceMax,
		kernel.ReduceMinNum, kernel.ReduceMaxNum, kernel.ReduceArgMax, kernel.ReduceArgMin}
	if !t.IsFloat() {
		kinds = append(kinds, kernel.ReduceAnd, kernel.ReduceOr, kernel.ReduceXor, kernel.ReduceProd)
	}
	r := kernel.Reduction{Kind: kinds[g.IntN(len(kinds))], Value: v, Type: t,
		Init: kernel.Bits(t, float64(g.IntN(3)))}
	if r.Kind.IsArg() {
		r.Arg = b.Index(len(g.n.Outer) + g.IntN(len(g.n.Inner)))
	}
	return r
}

// TestRandomNestsInGo compares random nests in Go with the interpreter, and reads their text. Casts of floats are left out,
// which turn a difference of one ULP into a large one.
func TestRandomNestsInGo(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		n := randomNestOf(r, allTypes, func(op kernel.Op, t dtype.DType) bool { return op != kernel.Cast || !t.IsFloat() })
		code, err := portable.Compile(n)
		require.NoError(t, err, n.String())
		require.NoError(t, kerneltest.Check(r, n, code, 4), "seed %d", seed)
		again, err := kernel.Parse(n.String())
		require.NoError(t, err)
		require.Equal(t, n.String(), again.String())
	}
}

// repeatable are the operations whose results are the same on every back end.
func repeatable(op kernel.Op, t dtype.DType) bool {
	if function.Is(op) && op.Arity() == 1 {
		return false
	}
	if op == kernel.Cast && t.IsFloat() {
		return false
	}
	switch op {
	case kernel.Pow, kernel.Atan2, kernel.Hypot:
		return !t.IsFloat()
	}
	return true
}

// TestRandomNests compares random nests in machine code with the interpreter.
func TestRandomNests(t *testing.T) {
	for _, f := range kerneltest.Levels() {
		compiled, refused := 0, 0
		for seed := range uint64(longtest.Sample(60, 60, 400)) {
			r := rand.New(rand.NewPCG(seed, 2))
			types := allTypes
			if seed%2 == 0 {
				types = []dtype.DType{dtype.F32, dtype.I32, dtype.Bool, dtype.BF16, dtype.U8}
			}
			n := randomNestOf(r, types, repeatable)
			code, err := generate(n, f)
			if errors.Is(err, kernel.ErrUnsupported) {
				refused++
				continue
			}
			require.NoError(t, err)
			compiled++
			if kerneltest.Executes(f) {
				err = kerneltest.Check(r, n, code, 4)
			}
			if err != nil {
				t.Log(code.Listing())
			}
			require.NoError(t, err, "%v seed %d", f.Level, seed)
			code.Close()
		}
		t.Logf("%v: %d compiled, %d refused", f.Level, compiled, refused)
	}
}
