package kernel

import (
	"reflect"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/wire"
)

// Fields codes a kernel. What has been read is to be checked with [Verify].
func Fields(c *wire.Coder, k *Kernel) {
	kindField(c, k)
	if c.Failed() {
		return
	}
	c.String((*k).named())
	(*k).fields(c)
}

// AppendKey appends bytes to data that are the same for kernels that differ in nothing but their names.
func AppendKey(data []byte, k Kernel) []byte {
	return wire.Append(data, func(c *wire.Coder) {
		kindField(c, &k)
		k.fields(c)
	})
}

// kindField codes the kind of a kernel, and makes one of it.
func kindField(c *wire.Coder, k *Kernel) {
	var kind uint8
	if !c.Reading() {
		for kind = 0; reflect.TypeOf(kinds[kind].make()) != reflect.TypeOf(*k); {
			kind++
		}
	}
	wire.Small(c, &kind, uint8(len(kinds)))
	if c.Reading() {
		*k = kinds[kind].make()
	}
}

func accesses(c *wire.Coder, list *[]Access) {
	wire.Slice(c, list, func(a *Access) {
		a.Port.fields(c)
		c.Int(&a.Offset)
		c.Ints(&a.Outer)
		c.Ints(&a.Inner)
	})
}

func (b *Body) fields(c *wire.Coder) {
	wire.Slice(c, (*[]Instr)(b), func(i *Instr) {
		wire.Small(c, &i.Op, numOps)
		dtypeField(c, &i.Type)
		ints(c, &i.A, &i.B, &i.C, &i.Port)
		c.Uint64(&i.Imm)
	})
}

func portFields(c *wire.Coder, list ...*Port) {
	for _, p := range list {
		p.fields(c)
	}
}

func (p *Port) fields(c *wire.Coder) {
	dtypeField(c, &p.DType)
	c.Bool(&p.Write)
	c.Int(&p.Len)
	c.Bool(&p.Const)
	wire.Small(c, &p.Format, dtype.NumFormats)
}

func ints(c *wire.Coder, list ...*int) {
	for _, v := range list {
		c.Int(v)
	}
}

func dtypeField(c *wire.Coder, d *dtype.DType) {
	wire.Small(c, d, ^dtype.DType(0))
	if !d.Valid() && *d != dtype.Invalid {
		c.Fail("no element type %d", *d)
		*d = dtype.Invalid
	}
}
