package attention

import (
	"math"
	"unsafe"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
)

// step is one compiled piece.
type step struct {
	code   kernel.Code
	shared int
}

// run does the whole work of a step.
func (s *step) run(args *kernel.Args, ports []unsafe.Pointer) {
	args.Ptr = ports
	if s.shared > 0 {
		args.Ptr = append(args.Ptr, unsafe.Add(args.Scratch, kernel.Aligned(s.code.Scratch())))
	}
	kernel.RunAll(s.code, args)
}

// steps are compiled pieces by their text.
type steps map[string]*step

// memory is the bytes that any of the pieces needs.
func (s steps) memory() int {
	own, shared := 0, 0
	for _, s := range s {
		own, shared = max(own, s.code.Scratch()), max(shared, s.shared)
	}
	return kernel.Aligned(own) + shared
}

// close frees the pieces.
func (s steps) close() {
	for _, s := range s {
		s.code.Close()
	}
}

// builder compiles pieces; equal ones once.
type builder struct {
	*code
	compile Compiler
}

func (b *builder) step(k kernel.Kernel) (*step, error) {
	text := k.String()
	if s, ok := b.steps[text]; ok {
		return s, nil
	}
	c, err := b.compile(k)
	if err != nil {
		return nil, err
	}
	s := &step{c, kernel.Aligned(c.Shared())}
	b.steps[text] = s
	return s, nil
}

// piece compiles the code for the block of queries that starts at first.
func (b *builder) piece(first int) (p *piece, err error) {
	a := b.a
	p = &piece{first: first, queries: min(b.block, a.Queries-first), left: a.Keys}
	if a.Causal {
		p.left = min(a.Keys, first)
		p.diagonal = min(a.Keys-p.left, p.queries)
	}
	for part, keys := range []int{p.left, p.diagonal} {
		if keys == 0 {
			continue
		}
		if p.scores[part], err = b.step(b.scoresKernel(p.queries, keys, part == 1)); err != nil {
			return nil, err
		}
	}
	if p.softmax, err = b.step(b.softmaxKernel(p.queries, p.left+p.diagonal+sinks(a))); err != nil {
		return nil, err
	}
	p.product, err = b.step(b.productKernel(p.queries, p.left+p.diagonal))
	return p, err
}

// view is the part of an operand that a piece sees, from its first element on. A
// negative stride would need elements before that one.
func view(m *kernel.Matrix, rows, cols int, write bool) kernel.Matrix {
	return kernel.Matrix{Row: m.Row, Col: m.Col, Port: kernel.Port{DType: m.DType, Write: write,
		Len: max(0, (rows-1)*m.Row+(cols-1)*m.Col+1)}}
}

// scoresKernel is scale·Q·Kᵀ plus the masks.
func (b *builder) scoresKernel(queries, keys int, diagonal bool) *kernel.Contraction {
	a := b.a
	c := &kernel.Contraction{Name: "scores", M: queries, N: keys, K: a.Dim, Acc: a.Acc}
	c.A = view(&a.Q, queries, a.Dim, false)
	k := view(&a.K, keys, a.Dim, false)
	k.Row, k.Col = k.Col, k.Row
	c.B = k
	body := kernel.NewBody()
	s := body.Binary(kernel.Mul, body.Input(a.Acc), body.Const(a.Acc, a.Scale))
	if a.Cap != 0 {
		s = body.Binary(kernel.Mul, body.Unary(kernel.Tanh, body.Binary(kernel.Mul, s, body.Const(a.Acc, 1/a.Cap))), body.Const(a.Acc, a.Cap))
	}
	access := []kernel.Access{{Outer: []int{b.keys, 1},
		Port: kernel.Port{DType: a.Acc, Write: true, Len: (queries-1)*b.keys + keys}}}
	if a.Mask != nil {
		m := view(a.Mask, queries, keys, false)
		access = append(access, kernel.Access{Port: m.Port, Outer: []int{m.Row, m.Col}})
		v := body.Load(3, m.DType)
		if a.MaskIsBool {
			s = body.Select(v, s, body.Const(a.Acc, math.Inf(-1)))
		} else {
			s = body.Binary(kernel.Add, s, body.Cast(a.Acc, v))
		}
	}
	if diagonal {
		access = append(access, kernel.Access{Outer: []int{b.block, 1},
			Port: kernel.Port{DType: a.Acc, Len: (queries-1)*b.block + keys}})
		s = body.Binary(kernel.Add, s, body.Load(1+len(access), a.Acc))
	}
	body.Store(2, s)
	c.Epilogue = kernel.Epilogue{Access: access, Body: body.Body()}
	return c
}

// softmaxKernel turns rows of scores into probabilities in place.
func (b *builder) softmaxKernel(queries, keys int) *kernel.Nest {
	t := b.a.Acc
	x, y, z := kernel.NewBody(), kernel.NewBody(), kernel.NewBody()
	x.Load(0, t)
	most, sum := y.Acc(0, 0, t), z.Acc(1, 0, t)
	if b.a.Safe { // scores that are all -Inf have exponentials of 0, and the sum 1
		most = y.Binary(kernel.Max, most, y.Const(t, lowest(t)))
		sum = z.Binary(kernel.Max, sum, z.Const(t, 1))
	}
	e := y.Unary(kernel.Exp, y.Binary(kernel.Sub, y.Load(0, t), most))
	z.Store(1, z.Binary(kernel.Div, z.Kept(1, 0, t), sum))
	n := &kernel.Nest{Name: "softmax", Outer: []int{queries}, Inner: []int{keys}, Stages: []kernel.Stage{
		{Body: x.Body(), Reduce: []kernel.Reduction{{Kind: kernel.ReduceMax, Type: t,
			Init: kernel.Bits(t, math.Inf(-1))}}},
		{Body: y.Body(), Keep: []int{e}, Reduce: []kernel.Reduction{{Value: e, Type: t}}},
		{Body: z.Body()},
	}}
	for _, write := range []bool{false, true} {
		n.Access = append(n.Access, kernel.Access{Outer: []int{b.keys}, Inner: []int{1},
			Port: kernel.Port{DType: t, Write: write, Len: (queries-1)*b.keys + keys}})
	}
	return n
}

// lowest is the least finite number of f32 or f64.
func lowest(t dtype.DType) float64 {
	if t == dtype.F64 {
		return -math.MaxFloat64
	}
	return -math.MaxFloat32
}

// productKernel multiplies probabilities with V.
func (b *builder) productKernel(queries, keys int) *kernel.Contraction {
	a := b.a
	c := &kernel.Contraction{Name: "product", M: queries, N: a.VDim, K: keys, Acc: a.Acc}
	c.A = kernel.Matrix{Row: b.keys, Col: 1, Port: kernel.Port{DType: a.Acc, Len: (queries-1)*b.keys + keys}}
	c.B = view(&a.V, keys, a.VDim, false)
	body := kernel.NewBody()
	body.Store(2, body.Cast(a.O.DType, body.Input(a.Acc)))
	o := view(&a.O, queries, a.VDim, true)
	c.Epilogue = kernel.Epilogue{Body: body.Body(),
		Access: []kernel.Access{{Port: o.Port, Outer: []int{o.Row, o.Col}}}}
	return c
}

// makeMask writes the square that hides the keys after each query.
func (c *code) makeMask() {
	n, size := c.block, c.a.Acc.Size()
	c.mask = make([]byte, n*n*size+64)
	c.masked = unsafe.Pointer(&c.mask[0])
	c.masked = unsafe.Add(c.masked, -int(uintptr(c.masked))&63)
	for i := range n {
		for j := i + 1; j < n; j++ {
			put(c.a.Acc, unsafe.Add(c.masked, (i*n+j)*size), math.Inf(-1))
		}
	}
}
