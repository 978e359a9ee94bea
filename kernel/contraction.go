package kernel

import (
	"slices"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/wire"
)

func init() { register[Contraction](1, "contraction") }

// Contraction is C[b, m, n] = epilogue(Σₖ A[b, m, k] · B[b, k, n]). The products
// are summed in Acc; the epilogue turns the sum into what is stored.
//
// Loops, in this order: the batch loops, m, n. Port 0 is A, port 1 is B, then
// the ports of the epilogue; what the epilogue stores is the result, so there is
// no separate C.
type Contraction struct {
	Name    string
	Batch   []int // extents, outermost first; may be empty
	M, N, K int
	A, B    Matrix
	// Rounded says that the rows of A are rounded to 8 bits before they are multiplied: blocks of 32 along k, each
	// to 255 multiples of a scale, as package block's Round does. It goes with B in stored blocks alone.
	Rounded  bool
	Acc      dtype.DType // f32, f64 or i32 (i64 for wide integers)
	Epilogue Epilogue
}

// Ports implements [Kernel].
func (c *Contraction) Ports() []Port {
	return append([]Port{c.A.Port, c.B.Port}, c.Epilogue.ports()...)
}

// String implements [Kernel].
func (c *Contraction) String() string {
	var p printer
	rounded := ""
	if c.Rounded {
		rounded = " rounded=1"
	}
	p.open("contraction %q batch=%s m=%d n=%d k=%d acc=%s%s", c.Name, list(c.Batch), c.M, c.N, c.K, c.Acc, rounded)
	p.line("a %s", &c.A)
	p.line("b %s", &c.B)
	p.epilogue(&c.Epilogue)
	p.end()
	return p.Builder.String()
}

func (c *Contraction) decode(d *decoder, it *item) {
	*c = Contraction{Name: c.Name, Batch: d.ints(it, "batch", -1), M: d.int(it, "m"), N: d.int(it, "n"),
		K: d.int(it, "k"), Acc: d.dtype(it, it.attrs["acc"])}
	if it.attrs["rounded"] != "" {
		c.Rounded = d.int(it, "rounded") != 0
	}
	d.operands(it, func(sub *item) { d.epilogue(sub, &c.Epilogue) },
		operand{"a", func(sub *item) { c.A = d.matrix(sub) }},
		operand{"b", func(sub *item) { c.B = d.matrix(sub) }})
}

func (c *Contraction) verify(v *verifier) {
	v.extents("loops", append(append([]int(nil), c.Batch...), c.M, c.N, c.K)...)
	if v.err != nil {
		return
	}
	v.matrix("A", &c.A, c.Batch, c.M, c.K, false)
	if c.B.Stored() {
		c.verifyBlocks(v)
	} else {
		v.matrix("B", &c.B, c.Batch, c.K, c.N, false)
		v.accumulator(c.Acc, c.A.DType, c.B.DType)
	}
	if c.A.Stored() || c.Rounded && !c.B.Stored() {
		v.fail("A is stored in blocks, or rounded beside a B that is not")
	}
	v.epilogue(&c.Epilogue, 2, append(append([]int(nil), c.Batch...), c.M, c.N), c.Acc, c.Ports())
}

func (k *Contraction) fields(c *wire.Coder) {
	c.Ints(&k.Batch)
	ints(c, &k.M, &k.N, &k.K)
	k.A.fields(c)
	k.B.fields(c)
	c.Bool(&k.Rounded)
	dtypeField(c, &k.Acc)
	k.Epilogue.fields(c)
}

func (c *Contraction) named() *string { return &c.Name }

// Overwrites implements [InPlace]: operands are read to the end.
func (c *Contraction) Overwrites(in, out int) bool { return c.Epilogue.overwrites(in-2, out-2) }

// WithBodies implements [Bodied].
func (c *Contraction) WithBodies(f func(b Body, refs []*int) Body) Kernel {
	other := *c
	other.Epilogue.Body = f(c.Epilogue.Body, nil)
	return &other
}

// Account implements [Kernel].
func (c *Contraction) Account() Account {
	points, _ := c.Sums()
	a := Account{What: "contraction", MACs: product(points) * int64(c.K)}
	a.matrix(&c.A, c.Batch, c.M, c.K)
	a.matrix(&c.B, c.Batch, c.K, c.N)
	a.epilogue(&c.Epilogue, points)
	return a
}

// Sums implements [Product].
func (c *Contraction) Sums() (extents []int, acc dtype.DType) {
	return append(slices.Clone(c.Batch), c.M, c.N), c.Acc
}

// Tail implements [Product].
func (c *Contraction) Tail() *Epilogue { return &c.Epilogue }

// WithTail implements [Product].
func (c *Contraction) WithTail(e Epilogue) Product {
	other := *c
	other.Epilogue = e
	return &other
}

// verifyBlocks checks a contraction whose B is stored in blocks.
func (c *Contraction) verifyBlocks(v *verifier) {
	f, b := c.B.Format, &c.B
	if c.Acc != dtype.F32 || !c.A.DType.IsFloat() {
		v.fail("%s products with blocks of %v summed in %s", c.A.DType, f, c.Acc)
	}
	if c.K%f.Block() != 0 || b.Row != f.Bytes() {
		v.fail("B: blocks of %v, %d bytes apart, for a sum of %d", f, b.Row, c.K)
		return
	}
	for _, stride := range append(append([]int(nil), b.Batch...), b.Offset, b.Col) {
		if stride%f.Bytes() != 0 {
			v.fail("B: a stride of %d is not whole blocks of %v", stride, f)
		}
	}
	if len(b.Batch) != len(c.Batch) {
		v.fail("B: %d batch strides for %d loops", len(b.Batch), len(c.Batch))
		return
	}
	last := b.Port // the place of the last byte of a block is inside if that of the first is so far from the end
	last.Len -= f.Bytes() - 1
	v.port("B", b.Port)
	v.bounds("B", last, b.Offset, append(append([]int(nil), c.Batch...), c.K/f.Block(), c.N),
		append(append([]int(nil), b.Batch...), b.Row, b.Col))
}
