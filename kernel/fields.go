package kernel

import (
	"reflect"
	"slices"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/wire"
)

// Fields codes a kernel. What has been read is to be checked with [Verify].
func Fields(c *wire.Coder, k *Kernel) {
	kindField(c, k)
	if c.Failed() {
		return
	}
	c.String(nameOf(*k))
	(*k).(coded).fields(c)
}

// AppendKey appends bytes to data that are the same for kernels that differ in nothing but their names.
func AppendKey(data []byte, k Kernel) []byte {
	return wire.Append(data, func(c *wire.Coder) {
		kindField(c, &k)
		k.(coded).fields(c)
	})
}

// coded is what every kernel is.
type coded interface {
	Kernel
	fields(c *wire.Coder) // all but the name
}

// kinds are the types of kernels.
var kinds = [...]reflect.Type{reflect.TypeFor[Nest](), reflect.TypeFor[Contraction](), reflect.TypeFor[Convolution](),
	reflect.TypeFor[Attention](), reflect.TypeFor[Scan](), reflect.TypeFor[Sort](), reflect.TypeFor[Scatter](),
	reflect.TypeFor[Random](), reflect.TypeFor[Unpack]()}

// kindField codes the type of a kernel, and makes one of it.
func kindField(c *wire.Coder, k *Kernel) {
	var kind uint8
	if !c.Reading() {
		kind = uint8(slices.Index(kinds[:], reflect.TypeOf(*k).Elem()))
	}
	wire.Small(c, &kind, uint8(len(kinds)))
	if c.Reading() {
		*k = reflect.New(kinds[kind]).Interface().(Kernel)
	}
}

func nameOf(k Kernel) *string {
	return reflect.ValueOf(k).Elem().FieldByName("Name").Addr().Interface().(*string)
}

func (n *Nest) fields(c *wire.Coder) {
	c.Ints(&n.Outer)
	c.Ints(&n.Inner)
	accesses(c, &n.Access)
	wire.Slice(c, &n.Stages, func(s *Stage) {
		c.Bool(&s.Once)
		s.Body.fields(c)
		wire.Slice(c, &s.Reduce, func(r *Reduction) {
			wire.Small(c, &r.Kind, ReduceArgMin+1)
			c.Int(&r.Value)
			c.Int(&r.Arg)
			dtypeField(c, &r.Type)
			c.Uint64(&r.Init)
		})
		c.Ints(&s.Keep)
	})
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

func (k *Convolution) fields(c *wire.Coder) {
	ints(c, &k.N, &k.C, &k.H, &k.W, &k.K, &k.P, &k.Q, &k.R, &k.S, &k.Stride[0], &k.Stride[1],
		&k.Dilation[0], &k.Dilation[1], &k.Pad[0], &k.Pad[1], &k.Groups)
	for _, i := range []*Image{&k.X, &k.Filter} {
		i.Port.fields(c)
		ints(c, &i.Offset, &i.Strides[0], &i.Strides[1], &i.Strides[2], &i.Strides[3])
	}
	dtypeField(c, &k.Acc)
	k.Epilogue.fields(c)
}

func (k *Attention) fields(c *wire.Coder) {
	c.Ints(&k.Batch)
	ints(c, &k.Queries, &k.Keys, &k.Dim, &k.VDim)
	c.Float64(&k.Scale)
	c.Bool(&k.Causal)
	c.Bool(&k.Safe)
	for _, m := range []*Matrix{&k.Q, &k.K, &k.V, &k.O} {
		m.fields(c)
	}
	wire.Optional(c, &k.Mask, func(m *Matrix) { m.fields(c) })
	c.Bool(&k.MaskIsBool)
	dtypeField(c, &k.Acc)
}

func (k *Scan) fields(c *wire.Coder) {
	k.Lines.fields(c)
	wire.Small(c, &k.Fold, numFolds)
	c.Bool(&k.Unsigned)
	c.Bool(&k.Positions)
	portFields(c, &k.X, &k.Out)
}

func (k *Sort) fields(c *wire.Coder) {
	k.Lines.fields(c)
	ints(c, &k.First, &k.Count)
	c.Bool(&k.Descending)
	c.Bool(&k.Unsigned)
	portFields(c, &k.X, &k.Values, &k.Positions)
}

func (k *Scatter) fields(c *wire.Coder) {
	wire.Small(c, &k.Fold, numFolds)
	c.Bool(&k.Unsigned)
	c.Int(&k.Axis)
	c.Ints(&k.Extents)
	c.Ints(&k.IndexExtents)
	c.Ints(&k.IntoExtents)
	portFields(c, &k.Updates, &k.Index, &k.Into, &k.Result)
}

func (k *Random) fields(c *wire.Coder) {
	portFields(c, &k.Key, &k.Counter, &k.Out)
}

func (k *Unpack) fields(c *wire.Coder) { portFields(c, &k.X, &k.Out) }

func (l *Lines) fields(c *wire.Coder) { ints(c, &l.Outer, &l.N, &l.Inner) }

func (m *Matrix) fields(c *wire.Coder) {
	m.Port.fields(c)
	c.Int(&m.Offset)
	c.Ints(&m.Batch)
	ints(c, &m.Row, &m.Col)
}

func (e *Epilogue) fields(c *wire.Coder) {
	accesses(c, &e.Access)
	e.Body.fields(c)
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
