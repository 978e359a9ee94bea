package portable

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
)

// A loop over lanes takes about the time of its stores. A product of floats that one addition alone reads, or one sum, is
// computed in the loop of its reader, rounded as in a loop of its own.

// fuse notes which products are computed where they are read.
func (c *bodyCompiler) fuse(sums []kernel.Reduction) {
	c.fused = make([]bool, len(c.body))
	for n := range c.body {
		if i := &c.body[n]; i.Op == kernel.Add {
			for _, o := range i.Operands() {
				if c.alone(o) && c.varies(o) == c.varies(n) {
					c.readAt(o, n)
					break
				}
			}
		}
	}
	for _, r := range sums {
		if r.Kind == kernel.ReduceSum && r.Type == dtype.F32 && c.body[r.Value].Type == dtype.F32 && c.alone(r.Value) && c.varies(r.Value) {
			c.readAt(r.Value, len(c.body))
		}
	}
}

// alone reports whether a value is a product of floats that is read once.
func (c *bodyCompiler) alone(n int) bool {
	i := &c.body[n]
	return i.Op == kernel.Mul && (i.Type == dtype.F32 || i.Type == dtype.F64) && c.reads[n] == 1
}

// factors returns the registers of the operands of a product that its reader computes, nil if a value is none.
func (c *bodyCompiler) factors(n int) []int {
	if !c.fused[n] {
		return nil
	}
	return []int{c.reg[c.body[n].A], c.reg[c.body[n].B]}
}

// readAt has a product computed by its reader.
func (c *bodyCompiler) readAt(product, reader int) {
	c.fused[product] = true
	for _, o := range c.body[product].Operands() {
		c.lastUse[o] = max(c.lastUse[o], reader)
	}
}

// varies reports whether a value depends on the inner point.
func (c *bodyCompiler) varies(n int) bool { return c.varying == nil || c.varying[n] }

// alike reports whether all lanes of a value are equal.
func (c *bodyCompiler) alike(n int) bool {
	return c.body[n].Op == kernel.Const || c.lanesInside && !c.varies(n)
}

// computeFused compiles an operation that computes a product which it reads, or an FMA by a number, nil if i is neither.
func (c *bodyCompiler) computeFused(i *kernel.Instr, d int) step {
	switch i.Op {
	case kernel.Add:
		for _, o := range [...][2]int{{i.A, i.B}, {i.B, i.A}} {
			if c.fused[o[0]] {
				p := &c.body[o[0]]
				return addProduct(i.Type, operands{d: d, a: c.reg[p.A], b: c.reg[p.B], c: c.reg[o[1]]})
			}
		}
	case kernel.FMA:
		for _, o := range [...][2]int{{i.A, i.B}, {i.B, i.A}} {
			if i.Type == dtype.F32 && c.alike(o[1]) && c.alike(i.C) {
				a, b, sum := c.reg[o[0]], c.reg[o[1]], c.reg[i.C]
				return func(f *frame) {
					fma32By(lanesOf[float32](f, d), lanesOf[float32](f, a), at[float32](f.reg[b], 0), at[float32](f.reg[sum], 0))
				}
			}
		}
	}
	return nil
}

// addProduct is d = a·b + c, rounded twice.
func addProduct(t dtype.DType, r operands) step {
	if t == dtype.F64 {
		return ternaryStep(r, addProductLanes[float64])
	}
	return ternaryStep(r, addProductLanes[float32])
}

func addProductLanes[T float](d, a, b, c []T) {
	a, b, c = a[:len(d)], b[:len(d)], c[:len(d)]
	for i := range d {
		d[i] = T(a[i]*b[i]) + c[i]
	}
}
