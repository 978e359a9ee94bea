package kernel

import (
	"github.com/go-acap/acap/base/dtype"
)

func init() { register[Convolution](2, "convolution") }

// Convolution is a 2-d convolution (cross-correlation, as in PyTorch):
//
//	Y[n, k, p, q] = epilogue(Σ_{c,r,s} X[n, g·C/G+c, p·Stride₀+r·Dilation₀-Pad₀, …] · W[k, c, r, s])
//
// with zero outside X. Loops, in this order: n, k, p, q. Port 0 is X, port 1 is W, then the ports of the epilogue.
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
	return append([]Port{c.X.Port, c.Filter.Port}, portsOf(c.Epilogue.Access)...)
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

func (m *Image) form(f *form) {
	m.Port.form(f)
	f.int("offset", &m.Offset)
	f.listOf("strides", &m.Strides[0], &m.Strides[1], &m.Strides[2], &m.Strides[3])
}

func (v *verifier) image(what string, m *Image, extents ...int) {
	v.port(what, m.Port)
	if m.Write {
		v.fail("%s: written", what)
	}
	v.bounds(what, m.Port, m.Offset, extents, m.Strides[:])
}

// String implements [Kernel].
func (c *Convolution) String() string { return text(c) }
func (c *Convolution) named() *string { return &c.Name }

func (c *Convolution) form(f *form) {
	f.listOf("input", &c.N, &c.C, &c.H, &c.W)
	f.listOf("output", &c.K, &c.P, &c.Q)
	f.listOf("filter", &c.R, &c.S)
	f.listOf("stride", &c.Stride[0], &c.Stride[1])
	f.listOf("dilation", &c.Dilation[0], &c.Dilation[1])
	f.listOf("pad", &c.Pad[0], &c.Pad[1])
	f.int("groups", &c.Groups)
	f.operand("x", c.X.form)
	f.operand("filter", c.Filter.form)
	f.dtype("acc", &c.Acc)
	c.Epilogue.form(f)
}

// Overwrites implements [InPlace]: operands are read to the end.
func (c *Convolution) Overwrites(in, out int) bool { return c.Epilogue.overwrites(in-2, out-2) }

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
