package kernel

import (
	"fmt"
	"math"

	"github.com/go-acap/acap/base/dtype"
)

func (v *verifier) accumulator(acc dtype.DType, operands ...dtype.DType) {
	switch acc {
	case dtype.F32, dtype.F64:
	case dtype.I32, dtype.I64:
		for _, d := range operands {
			if d.IsFloat() {
				v.fail("%s products summed in %s", d, acc)
			}
		}
	default:
		v.fail("accumulator of %s", acc)
	}
}

func (v *verifier) matrix(what string, m *Matrix, batch []int, rows, cols int, write bool) {
	v.port(what, m.Port)
	if m.Write != write {
		v.fail("%s: written: %t", what, m.Write)
	}
	if len(m.Batch) != len(batch) {
		v.fail("%s: %d batch strides for %d loops", what, len(m.Batch), len(batch))
		return
	}
	v.bounds(what, m.Port, m.Offset, append(append([]int(nil), batch...), rows, cols),
		append(append([]int(nil), m.Batch...), m.Row, m.Col))
}

func (v *verifier) contraction(c *Contraction) {
	v.extents("loops", append(append([]int(nil), c.Batch...), c.M, c.N, c.K)...)
	if v.err != nil {
		return
	}
	v.matrix("A", &c.A, c.Batch, c.M, c.K, false)
	if c.B.Stored() {
		v.blocks(c)
	} else {
		v.matrix("B", &c.B, c.Batch, c.K, c.N, false)
		v.accumulator(c.Acc, c.A.DType, c.B.DType)
	}
	if c.A.Stored() || c.Rounded && !c.B.Stored() {
		v.fail("A is stored in blocks, or rounded beside a B that is not")
	}
	v.epilogue(&c.Epilogue, 2, append(append([]int(nil), c.Batch...), c.M, c.N), c.Acc, c.Ports())
}

// blocks checks a contraction whose B is stored in blocks.
func (v *verifier) blocks(c *Contraction) {
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

func (v *verifier) epilogue(e *Epilogue, first int, extents []int, acc dtype.DType, ports []Port) {
	env := &bodyEnv{ports: ports, first: first, loops: len(extents), input: acc}
	v.body("epilogue", e.Body, env)
	if v.err != nil {
		return
	}
	n := &Nest{Outer: extents, Access: e.Access}
	for i, a := range e.Access {
		what := fmt.Sprintf("port %d", first+i)
		v.port(what, a.Port)
		if len(a.Outer) != len(extents) {
			v.fail("%s: %d strides for %d loops", what, len(a.Outer), len(extents))
			return
		}
		v.bounds(what, a.Port, a.Offset, extents, a.Outer)
	}
	for _, i := range e.Body {
		if i.Op == Store && v.err == nil {
			v.storeOnce(n, i.Port-first)
		}
	}
}

func (v *verifier) convolution(c *Convolution) {
	v.extents("input", c.N, c.C, c.H, c.W)
	v.extents("output", c.N, c.K, c.P, c.Q)
	v.extents("filter", c.K, c.C, c.R, c.S)
	if v.err != nil {
		return
	}
	if c.Groups < 1 || c.C%c.Groups != 0 || c.K%c.Groups != 0 {
		v.fail("%d groups of %d input and %d output channels", c.Groups, c.C, c.K)
		return
	}
	for d := range 2 {
		if s, l, p := c.Stride[d], c.Dilation[d], c.Pad[d]; s < 1 || l < 1 || abs(p) > 1<<31 ||
			s > 1<<31 || l > 1<<31 {
			v.fail("stride %d, dilation %d, padding %d", s, l, p)
		}
	}
	v.image("X", &c.X, c.N, c.C, c.H, c.W)
	v.image("filter", &c.Filter, c.K, c.C/c.Groups, c.R, c.S)
	v.accumulator(c.Acc, c.X.DType, c.Filter.DType)
	v.epilogue(&c.Epilogue, 2, []int{c.N, c.K, c.P, c.Q}, c.Acc, c.Ports())
}

func (v *verifier) image(what string, m *Image, extents ...int) {
	v.port(what, m.Port)
	if m.Write {
		v.fail("%s: written", what)
	}
	v.bounds(what, m.Port, m.Offset, extents, m.Strides[:])
}

func (v *verifier) attention(a *Attention) {
	v.extents("scores", append(append([]int(nil), a.Batch...), a.Queries, a.Keys)...)
	v.extents("features", a.Dim, a.VDim)
	if v.err != nil {
		return
	}
	v.matrix("Q", &a.Q, a.Batch, a.Queries, a.Dim, false)
	v.matrix("K", &a.K, a.Batch, a.Keys, a.Dim, false)
	v.matrix("V", &a.V, a.Batch, a.Keys, a.VDim, false)
	v.matrix("O", &a.O, a.Batch, a.Queries, a.VDim, true)
	if a.Mask != nil {
		v.matrix("mask", a.Mask, a.Batch, a.Queries, a.Keys, false)
		if a.MaskIsBool != (a.Mask.DType == dtype.Bool) {
			v.fail("mask of %s", a.Mask.DType)
		}
	}
	if a.Acc != dtype.F32 && a.Acc != dtype.F64 {
		v.fail("accumulator of %s", a.Acc)
	}
	for _, m := range []*Matrix{&a.Q, &a.K, &a.V, &a.O} {
		if !m.DType.IsFloat() {
			v.fail("operand of %s", m.DType)
		}
	}
	if math.IsNaN(a.Scale) {
		v.fail("scale is not a number")
	}
}
