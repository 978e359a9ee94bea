package kernel

import (
	"math"

	"github.com/go-acap/acap/base/dtype"
)

func init() { register[Attention](3, "attention") }

// Attention is O = softmax(Scale·Q·Kᵀ + mask)·V for every batch entry, over the last axis, computed block by block with
// a running maximum and sum. Ports: 0 Q, 1 K, 2 V, 3 O, then the mask, the sinks and the index, as far as there are
// any. With a Cap the scores are Cap·tanh(Scale·Q·Kᵀ/Cap) + mask. A sink is a score of a query that has no key: it
// counts in the softmax, and no value goes with it.
//
// With an index keys and values are looked up: key j of an entry is row Index[j] of K, and of V, which have Places rows.
// A number outside of these is a fault if a query sees the key, and may be one if none does.
//
// With an index K and V may be stored in blocks of a packed format ([Port.Stored]): their strides count bytes, and Col
// is a block's.
type Attention struct {
	Name       string
	Batch      []int // extents
	Queries    int   // rows of Q
	Keys       int   // rows of K and V
	Dim, VDim  int   // columns of Q and K; of V
	Scale      float64
	Cap        float64 // 0 for none
	Causal     bool    // key j is visible to query i if j <= i
	Safe       bool    // a query whose scores are all -Inf gives 0, not NaN
	Q, K, V, O Matrix  // Row is the stride of the position, Col of the feature
	Mask       *Matrix
	MaskIsBool bool    // a bool mask: false hides; otherwise it is added
	Sinks      *Matrix // a row for each query, f32
	Index      *Matrix // i64, a row for each key
	Places     int     // with an index: rows of K and V
	Acc        dtype.DType
}

// Ports implements [Kernel].
func (a *Attention) Ports() []Port {
	ports := []Port{a.Q.Port, a.K.Port, a.V.Port, a.O.Port}
	for _, m := range []*Matrix{a.Mask, a.Sinks, a.Index} {
		if m != nil {
			ports = append(ports, m.Port)
		}
	}
	return ports
}

// SinksPort is the number of the port of the sinks.
func (a *Attention) SinksPort() int { return 4 + number01(a.Mask != nil) }

// IndexPort is the number of the port of the index.
func (a *Attention) IndexPort() int { return a.SinksPort() + number01(a.Sinks != nil) }

// KeyRows is how many rows K and V have.
func (a *Attention) KeyRows() int {
	if a.Index != nil {
		return a.Places
	}
	return a.Keys
}

func (a *Attention) verify(v *verifier) {
	v.extents("scores", append(append([]int(nil), a.Batch...), a.Queries, a.Keys)...)
	v.extents("features", a.Dim, a.VDim)
	if v.err != nil {
		return
	}
	v.matrix("Q", &a.Q, a.Batch, a.Queries, a.Dim, false)
	a.verifyRows(v, "K", &a.K, a.Dim)
	a.verifyRows(v, "V", &a.V, a.VDim)
	v.matrix("O", &a.O, a.Batch, a.Queries, a.VDim, true)
	if a.Mask != nil {
		v.matrix("mask", a.Mask, a.Batch, a.Queries, a.Keys, false)
		if a.MaskIsBool != (a.Mask.DType == dtype.Bool) {
			v.fail("mask of %s", a.Mask.DType)
		}
	}
	if a.Sinks != nil {
		v.matrix("sinks", a.Sinks, a.Batch, a.Queries, 1, false)
		if a.Sinks.DType != dtype.F32 || a.Safe {
			v.fail("sinks of %s, safe %t", a.Sinks.DType, a.Safe)
		}
	}
	switch {
	case a.Index != nil:
		v.matrix("index", a.Index, a.Batch, a.Keys, 1, false)
		if a.Index.DType != dtype.I64 || a.Places < 1 || a.Causal {
			v.fail("an index of %s to %d places, causal %t", a.Index.DType, a.Places, a.Causal)
		}
	case a.Places != 0:
		v.fail("%d places and no index", a.Places)
	}
	if a.Acc != dtype.F32 && a.Acc != dtype.F64 {
		v.fail("accumulator of %s", a.Acc)
	}
	for _, m := range []*Matrix{&a.Q, &a.K, &a.V, &a.O} {
		if !m.DType.IsFloat() && !m.Stored() {
			v.fail("operand of %s", m.DType)
		}
	}
	if a.Q.Stored() {
		v.fail("Q is stored in blocks")
	}
	if math.IsNaN(a.Scale) {
		v.fail("scale is not a number")
	}
	if math.IsNaN(a.Cap) || a.Cap < 0 || math.IsInf(a.Cap, 0) {
		v.fail("scores are capped at %v", a.Cap)
	}
}

// verifyRows checks keys or values, which may be stored in blocks.
func (a *Attention) verifyRows(v *verifier, what string, m *Matrix, width int) {
	if !m.Stored() {
		v.matrix(what, m, a.Batch, a.KeyRows(), width, false)
		return
	}
	if a.Index == nil {
		v.fail("%s: blocks of %v, and no index that names rows", what, m.Format)
	}
	v.blocks(what, m, a.Batch, side{width, m.Col}, side{a.KeyRows(), m.Row})
}

// String implements [Kernel].
func (a *Attention) String() string { return text(a) }
func (a *Attention) named() *string { return &a.Name }

func (a *Attention) form(f *form) {
	f.list("batch", &a.Batch)
	f.int("queries", &a.Queries)
	f.int("keys", &a.Keys)
	f.int("dim", &a.Dim)
	f.int("vdim", &a.VDim)
	f.float("scale", &a.Scale)
	f.unless(a.Cap == 0, "cap", func() { f.float("cap", &a.Cap) })
	f.bool("causal", &a.Causal)
	f.bool("safe", &a.Safe)
	f.operand("q", a.Q.form)
	f.operand("k", a.K.form)
	f.operand("v", a.V.form)
	f.operand("o", a.O.form)
	f.optional("mask", &a.Mask, func(f *form) { f.bool("bool", &a.MaskIsBool) })
	f.optional("sinks", &a.Sinks, func(*form) {})
	f.optional("index", &a.Index, func(f *form) { f.int("places", &a.Places) })
	f.dtype("acc", &a.Acc)
}

// Account implements [Kernel]. Scores are scaled, compared, exponentiated and summed.
func (a *Attention) Account() Account {
	scores := product(a.Batch) * int64(a.Queries) * int64(a.Keys)
	c := Account{What: "attention", MACs: scores * int64(a.Dim+a.VDim), Work: 4 * scores}
	c.matrix(&a.Q, a.Batch, a.Queries, a.Dim)
	for _, m := range []struct {
		*Matrix
		width int
	}{{&a.K, a.Dim}, {&a.V, a.VDim}} {
		if m.Stored() {
			m.width, _ = m.Format.RowBytes(m.width)
		}
		c.matrix(m.Matrix, a.Batch, a.Keys, m.width)
	}
	if a.Mask != nil {
		c.matrix(a.Mask, a.Batch, a.Queries, a.Keys)
	}
	c.matrix(&a.O, a.Batch, a.Queries, a.VDim)
	if a.Sinks != nil {
		c.matrix(a.Sinks, a.Batch, a.Queries, 1)
	}
	if a.Index != nil {
		c.matrix(a.Index, a.Batch, a.Keys, 1)
	}
	return c
}
