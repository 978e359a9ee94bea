package kernel

import (
	"math"
	"strconv"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/wire"
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
// is that of a block.
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
	if a.Mask != nil {
		ports = append(ports, a.Mask.Port)
	}
	if a.Sinks != nil {
		ports = append(ports, a.Sinks.Port)
	}
	if a.Index != nil {
		ports = append(ports, a.Index.Port)
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

// String implements [Kernel].
func (a *Attention) String() string {
	var p printer
	limit := ""
	if a.Cap != 0 {
		limit = " cap=" + strconv.FormatFloat(a.Cap, 'g', -1, 64)
	}
	p.open("attention %q batch=%s queries=%d keys=%d dim=%d vdim=%d scale=%s%s causal=%d safe=%d acc=%s",
		a.Name, list(a.Batch), a.Queries, a.Keys, a.Dim, a.VDim,
		strconv.FormatFloat(a.Scale, 'g', -1, 64), limit, number01(a.Causal), number01(a.Safe), a.Acc)
	p.line("q %s", &a.Q)
	p.line("k %s", &a.K)
	p.line("v %s", &a.V)
	p.line("o %s", &a.O)
	if a.Mask != nil {
		p.line("mask %s bool=%d", a.Mask, number01(a.MaskIsBool))
	}
	if a.Sinks != nil {
		p.line("sinks %s", a.Sinks)
	}
	if a.Index != nil {
		p.line("index %s places=%d", a.Index, a.Places)
	}
	p.end()
	return p.Builder.String()
}

func (a *Attention) decode(d *decoder, it *item) {
	scale, err := strconv.ParseFloat(it.attrs["scale"], 64)
	if err != nil {
		d.fail(it, "scale: bad number %q", it.attrs["scale"])
	}
	limit := 0.0
	if text, capped := it.attrs["cap"]; capped {
		if limit, err = strconv.ParseFloat(text, 64); err != nil {
			d.fail(it, "cap: bad number %q", text)
		}
	}
	*a = Attention{Name: a.Name, Cap: limit, Batch: d.ints(it, "batch", -1), Queries: d.int(it, "queries"),
		Keys: d.int(it, "keys"), Dim: d.int(it, "dim"), VDim: d.int(it, "vdim"), Scale: scale,
		Causal: d.int(it, "causal") != 0, Safe: d.int(it, "safe") != 0, Acc: d.dtype(it, it.attrs["acc"])}
	d.operands(it, func(sub *item) {
		m := d.matrix(sub)
		switch word(sub) {
		case "mask":
			a.Mask, a.MaskIsBool = &m, d.int(sub, "bool") != 0
		case "sinks":
			a.Sinks = &m
		case "index":
			a.Index, a.Places = &m, d.int(sub, "places")
		default:
			d.unexpected(sub)
		}
	}, operand{"q", func(sub *item) { a.Q = d.matrix(sub) }}, operand{"k", func(sub *item) { a.K = d.matrix(sub) }},
		operand{"v", func(sub *item) { a.V = d.matrix(sub) }}, operand{"o", func(sub *item) { a.O = d.matrix(sub) }})
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
	f := m.Format
	if a.Index == nil || width%f.Block() != 0 || m.Col != f.Bytes() {
		v.fail("%s: blocks of %v, %d bytes apart, for rows of %d that an index is to name", what, f, m.Col, width)
		return
	}
	for _, stride := range append(append([]int(nil), m.Batch...), m.Offset, m.Row) {
		if stride%f.Bytes() != 0 {
			v.fail("%s: a stride of %d is not whole blocks of %v", what, stride, f)
		}
	}
	v.port(what, m.Port)
	if len(m.Batch) != len(a.Batch) {
		v.fail("%s: %d batch strides for %d loops", what, len(m.Batch), len(a.Batch))
		return
	}
	last := m.Port // the last byte of a block is inside if the first is so far from the end
	last.Len -= f.Bytes() - 1
	v.bounds(what, last, m.Offset, append(append([]int(nil), a.Batch...), a.KeyRows(), width/f.Block()), append(append([]int(nil), m.Batch...), m.Row, m.Col))
}

func (k *Attention) fields(c *wire.Coder) {
	c.Ints(&k.Batch)
	ints(c, &k.Queries, &k.Keys, &k.Dim, &k.VDim)
	c.Float64(&k.Scale)
	c.Float64(&k.Cap)
	c.Bool(&k.Causal)
	c.Bool(&k.Safe)
	for _, m := range []*Matrix{&k.Q, &k.K, &k.V, &k.O} {
		m.fields(c)
	}
	wire.Optional(c, &k.Mask, func(m *Matrix) { m.fields(c) })
	c.Bool(&k.MaskIsBool)
	wire.Optional(c, &k.Sinks, func(m *Matrix) { m.fields(c) })
	wire.Optional(c, &k.Index, func(m *Matrix) { m.fields(c) })
	c.Int(&k.Places)
	dtypeField(c, &k.Acc)
}

func (a *Attention) named() *string { return &a.Name }

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
