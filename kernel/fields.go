package kernel

import (
	"reflect"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/wire"
)

// Fields codes a kernel. Check a kernel that has been read with [Verify].
func Fields(c *wire.Coder, k *Kernel) {
	kindField(c, k)
	if c.Failed() {
		return
	}
	c.String((*k).named())
	(*k).form(&form{wire: c})
}

// AppendKey appends bytes to data that are the same for kernels that differ in nothing but their names.
func AppendKey(data []byte, k Kernel) []byte {
	return wire.Append(data, func(c *wire.Coder) {
		kindField(c, &k)
		k.form(&form{wire: c})
	})
}

// kindField codes the kind of a kernel, and makes one of it.
func kindField(c *wire.Coder, k *Kernel) {
	var kind uint8
	if !c.Reading() {
		kind = numberOf(*k)
	}
	wire.Small(c, &kind, uint8(len(kinds)))
	if c.Reading() {
		*k = kinds[kind].make()
	}
}

// numberOf returns the number of the kind of a kernel.
func numberOf(k Kernel) (kind uint8) {
	for reflect.TypeOf(kinds[kind].make()) != reflect.TypeOf(k) {
		kind++
	}
	return kind
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
