package kernel

import (
	"fmt"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/wire"
)

func init() { register[Convolution](2, "convolution") }

// Convolution is a 2-d convolution (cross-correlation, as in PyTorch):
//
//	Y[n, k, p, q] = epilogue(Σ_{c,r,s} X[n, g·C/G+c, p·Stride₀+r·Dilation₀-Pad₀, …] · W[k, c, r, s])
//
// with zero outside X. Loops, in this order: n, k, p, q. Port 0 is X, port 1 is
// W, then the ports of the epilogue.
type Convolution struct {
	Name             string
	N, C, H, W       int // input; C counts all groups
	K, P, Q          int // output channels (all groups), height, width
	R, S             int // filter
	Stride, Dilation [2]int
	Pad              [2]int // before the first row and column; after follows from P, Q
	Groups           int
	X                Image // strides of n, c, h, w
	Filter           Image // strides of k, c, r, s
	Acc              dtype.DType
	Epilogue         Epilogue
}

// Image is a strided view of a four-dimensional operand.
type Image struct {
	Port
	Offset  int
	Strides [4]int
}

// Ports implements [Kernel].
func (c *Convolution) Ports() []Port {
	return append([]Port{c.X.Port, c.Filter.Port}, c.Epilogue.ports()...)
}

// String implements [Kernel].
func (c *Convolution) String() string {
	var p printer
	p.open("convolution %q input=%s output=%s filter=%s stride=%s dilation=%s pad=%s groups=%d acc=%s",
		c.Name, list{c.N, c.C, c.H, c.W}, list{c.K, c.P, c.Q}, list{c.R, c.S},
		list(c.Stride[:]), list(c.Dilation[:]), list(c.Pad[:]), c.Groups, c.Acc)
	p.line("x %s", &c.X)
	p.line("filter %s", &c.Filter)
	p.epilogue(&c.Epilogue)
	p.end()
	return p.Builder.String()
}

// String prints the operand as the text form has it.
func (m *Image) String() string {
	return fmt.Sprintf("%s offset=%d strides=%s", m.Port, m.Offset, list(m.Strides[:]))
}

func (c *Convolution) decode(d *decoder, it *item) {
	input, output := d.ints(it, "input", 4), d.ints(it, "output", 3)
	filter := d.ints(it, "filter", 2)
	*c = Convolution{Name: c.Name, N: input[0], C: input[1], H: input[2], W: input[3],
		K: output[0], P: output[1], Q: output[2], R: filter[0], S: filter[1],
		Stride: [2]int(d.ints(it, "stride", 2)), Dilation: [2]int(d.ints(it, "dilation", 2)),
		Pad: [2]int(d.ints(it, "pad", 2)), Groups: d.int(it, "groups"),
		Acc: d.dtype(it, it.attrs["acc"])}
	d.operands(it, func(sub *item) { d.epilogue(sub, &c.Epilogue) },
		operand{"x", func(sub *item) { c.X = d.image(sub) }},
		operand{"filter", func(sub *item) { c.Filter = d.image(sub) }})
}

func (d *decoder) image(it *item) Image {
	return Image{Port: d.port(it), Offset: d.int(it, "offset"), Strides: [4]int(d.ints(it, "strides", 4))}
}

func (c *Convolution) verify(v *verifier) {
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

func (c *Convolution) named() *string { return &c.Name }

// Overwrites implements [InPlace]: operands are read to the end.
func (c *Convolution) Overwrites(in, out int) bool { return c.Epilogue.overwrites(in-2, out-2) }

// WithBodies implements [Bodied].
func (c *Convolution) WithBodies(f func(b Body, refs []*int) Body) Kernel {
	other := *c
	other.Epilogue.Body = f(c.Epilogue.Body, nil)
	return &other
}

// Account implements [Kernel].
func (c *Convolution) Account() Account {
	points, _ := c.Sums()
	groups := max(c.Groups, 1)
	a := Account{What: "convolution", MACs: product(points) * int64(c.C/groups*c.R*c.S)}
	a.add(c.X.Port, []int{c.N, c.C, c.H, c.W}, c.X.Strides[:])
	a.add(c.Filter.Port, []int{c.K, c.C / groups, c.R, c.S}, c.Filter.Strides[:])
	a.epilogue(&c.Epilogue, points)
	return a
}

// Sums implements [Product].
func (c *Convolution) Sums() (extents []int, acc dtype.DType) {
	return []int{c.N, c.K, c.P, c.Q}, c.Acc
}

// Tail implements [Product].
func (c *Convolution) Tail() *Epilogue { return &c.Epilogue }

// WithTail implements [Product].
func (c *Convolution) WithTail(e Epilogue) Product {
	other := *c
	other.Epilogue = e
	return &other
}
