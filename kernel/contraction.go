package kernel

import (
	"slices"

	"github.com/go-acap/acap/base/dtype"
)

func init() { register[Contraction](1, "contraction") }

// Contraction is C[b, m, n] = epilogue(Σₖ A[b, m, k] · B[b, k, n]). The products
// are summed in Acc; the epilogue turns the sum into what is stored.
//
// Loops, in this order: the batch loops, m, n. Port 0 is A, port 1 is B, then the ports of the epilogue; what the
// epilogue stores is the result, so there is no separate C.
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
	return append([]Port{c.A.Port, c.B.Port}, portsOf(c.Epilogue.Access)...)
}

func (c *Contraction) verify(v *verifier) {
	v.extents("loops", append(append([]int(nil), c.Batch...), c.M, c.N, c.K)...)
	if v.err != nil {
		return
	}
	v.matrix("A", &c.A, c.Batch, c.M, c.K, false)
	if c.B.Stored() {
		if c.Acc != dtype.F32 || !c.A.DType.IsFloat() {
			v.fail("%s products with blocks of %v summed in %s", c.A.DType, c.B.Format, c.Acc)
		}
		v.blocks("B", &c.B, c.Batch, side{c.K, c.B.Row}, side{c.N, c.B.Col})
	} else {
		v.matrix("B", &c.B, c.Batch, c.K, c.N, false)
		v.accumulator(c.Acc, c.A.DType, c.B.DType)
	}
	if c.A.Stored() || c.Rounded && !c.B.Stored() {
		v.fail("A is stored in blocks, or rounded beside a B that is not")
	}
	v.epilogue(&c.Epilogue, 2, append(append([]int(nil), c.Batch...), c.M, c.N), c.Acc, c.Ports())
}

// String implements [Kernel].
func (c *Contraction) String() string { return text(c) }
func (c *Contraction) named() *string { return &c.Name }

func (c *Contraction) form(f *form) {
	f.list("batch", &c.Batch)
	f.int("m", &c.M)
	f.int("n", &c.N)
	f.int("k", &c.K)
	f.operand("a", c.A.form)
	f.operand("b", c.B.form)
	f.unless(!c.Rounded, "rounded", func() { f.bool("rounded", &c.Rounded) })
	f.dtype("acc", &c.Acc)
	c.Epilogue.form(f)
}

// Overwrites implements [InPlace]: operands are read to the end.
func (c *Contraction) Overwrites(in, out int) bool { return c.Epilogue.overwrites(in-2, out-2) }

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
