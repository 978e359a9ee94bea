package convolution

import (
	"math"
	"unsafe"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/schedule"
)

// guarded is a convolution whose code does more with some numbers than the definition says, which shows where they are
// infinite or NaN: it multiplies filters with zeros that stand for padding, which contributes nothing, or it adds
// pixels and filters up before it multiplies. A first phase looks for the largest magnitudes, and a run with numbers
// that do not suit is left to the portable back end. Constant filters are looked at once, when they are packed.
type guarded struct {
	kernel.Code
	exact  kernel.Code
	looks  []*look
	limit  float32
	packed int // bytes of the code's own packed filters
}

// look finds the largest magnitudes of an operand, one for each element of its outer loop.
type look struct {
	nested
	port, count int
	once        bool // the operand is constant
}

// PixelSums is the limit for code that adds pixels up, and filters: sums of thousands of products of a few of them are
// then finite.
const PixelSums = 0x1p50

// Finite is the limit for code that multiplies filters with a border of zeros.
var Finite = float32(math.Inf(1))

// Guard wraps code for a convolution whose numbers have to be below a limit: numbers that are not are left to the code of
// exact. The limit is 0 for code that does what the definition says, [Finite] or [PixelSums]. Guard closes code if it fails.
func Guard(c *kernel.Convolution, code kernel.Code, exact func(kernel.Kernel) (kernel.Code, error), nests schedule.Nests, limit float32) (kernel.Code, error) {
	if !c.Acc.IsFloat() || limit == 0 || limit == Finite && !HasBorder(c) {
		return code, nil
	}
	other, err := exact(c)
	if err != nil {
		code.Close()
		return nil, err
	}
	g := &guarded{Code: code, exact: other, limit: limit, packed: kernel.Aligned(code.PackedBytes(1))}
	err = g.add(1, &c.Filter, []int{c.K, c.C / c.Groups, c.R, c.S}, nests)
	if err == nil && limit < Finite {
		err = g.add(0, &c.X, []int{c.N, c.C, c.H, c.W}, nests)
	}
	if err != nil {
		g.Close()
		return nil, err
	}
	return g, nil
}

// HasBorder reports whether a window reaches out of the image.
func HasBorder(c *kernel.Convolution) bool {
	out := func(d, extent, window, result int) bool {
		last := (result-1)*c.Stride[d] + (window-1)*c.Dilation[d] - c.Pad[d]
		return c.Pad[d] > 0 || last >= extent
	}
	return out(0, c.H, c.R, c.P) || out(1, c.W, c.S, c.Q)
}

// add has the guard look at an operand.
func (g *guarded) add(port int, m *kernel.Image, extents []int, nests schedule.Nests) error {
	if !m.DType.IsFloat() {
		return nil
	}
	outer := 0 // the longer of the first two loops
	if extents[1] > extents[0] {
		outer = 1
	}
	l := &look{port: port, count: extents[outer], once: m.Const && g.packed > 0 && port == 1}
	inner := []int{extents[1-outer], extents[2], extents[3]}
	b := kernel.NewBody()
	size := b.Unary(kernel.Abs, b.Cast(dtype.F32, b.Load(0, m.DType)))
	largest := kernel.NewBody()
	largest.Store(1, largest.Acc(0, 0, dtype.F32))
	n := &kernel.Nest{Name: "largest", Outer: []int{l.count}, Inner: inner,
		Access: []kernel.Access{
			{Port: kernel.Port{DType: m.DType, Len: m.Len}, Offset: m.Offset, Outer: []int{m.Strides[outer]},
				Inner: []int{m.Strides[1-outer], m.Strides[2], m.Strides[3]}},
			{Port: kernel.Port{DType: dtype.F32, Len: l.count, Write: true}, Outer: []int{1}, Inner: []int{0, 0, 0}},
		},
		Stages: []kernel.Stage{
			{Body: b.Body(), Reduce: []kernel.Reduction{{Kind: kernel.ReduceMax, Type: dtype.F32, Value: size}}},
			{Once: true, Body: largest.Body()},
		}}
	var err error
	if l.Code, err = nests(n); err == nil {
		g.looks = append(g.looks, l)
	}
	return err
}

func (l *look) bytes() int { return kernel.Aligned(4 * l.count) }

// Shared implements [kernel.Code]: what the code shares, then the largest magnitudes.
func (g *guarded) Shared() int {
	size := g.ownShared()
	for _, l := range g.looks {
		size += l.bytes()
	}
	return size
}

func (g *guarded) ownShared() int { return kernel.Aligned(g.Code.Shared()) }

func (g *guarded) PrologueUnits() int {
	units := g.Code.PrologueUnits()
	for _, l := range g.looks {
		if !l.once {
			units += l.Units()
		}
	}
	return units
}

// RunPrologue implements [kernel.Code]: operands are looked at first, and warm for the code then.
func (g *guarded) RunPrologue(args *kernel.Args, lo, hi int) {
	to := unsafe.Add(args.Ptr[len(args.Ptr)-1], g.ownShared())
	first := 0
	for _, l := range g.looks {
		if !l.once {
			units := l.Units()
			if from, end := max(lo-first, 0), min(hi-first, units); from < end {
				l.run(args, from, end, args.Ptr[l.port], to)
			}
			first += units
		}
		to = unsafe.Add(to, l.bytes())
	}
	if from := max(lo, first); from < hi {
		g.Code.RunPrologue(args, from-first, hi-first)
	}
}

// suits reports whether the numbers of a run suit the code.
func (g *guarded) suits(args *kernel.Args) bool {
	shared := unsafe.Add(args.Ptr[len(args.Ptr)-1], g.ownShared())
	for _, l := range g.looks {
		at := shared
		if l.once {
			at = unsafe.Add(args.Packed[l.port], g.packed)
		}
		for _, m := range unsafe.Slice((*float32)(at), l.count) {
			if !(m < g.limit) {
				return false
			}
		}
		shared = unsafe.Add(shared, l.bytes())
	}
	return true
}

func (g *guarded) Run(args *kernel.Args, lo, hi int) {
	if g.suits(args) {
		g.Code.Run(args, lo, hi)
		return
	}
	units, exact := g.Units(), g.exact.Units()
	g.exact.Run(args, lo*exact/units, hi*exact/units)
}

func (g *guarded) Scratch() int {
	size := max(g.Code.Scratch(), g.exact.Scratch())
	for _, l := range g.looks {
		size = max(size, l.Scratch())
	}
	return size
}

func (g *guarded) PackedBytes(port int) int {
	size := g.Code.PackedBytes(port)
	for _, l := range g.looks {
		if l.once && l.port == port {
			size = g.packed + l.bytes()
		}
	}
	return size
}

func (g *guarded) PackedForm(int) string { return "" }

func (g *guarded) Pack(port int, dst, src unsafe.Pointer) {
	g.Code.Pack(port, dst, src)
	for _, l := range g.looks {
		if l.once && l.port == port {
			l.run(&kernel.Args{Scratch: scratchOf(l)}, 0, l.Units(), src, unsafe.Add(dst, g.packed))
		}
	}
}

// scratchOf returns memory for one run of a code.
func scratchOf(c kernel.Code) unsafe.Pointer {
	return unsafe.Pointer(unsafe.SliceData(buf.Aligned(c.Scratch())))
}

func (g *guarded) Close() {
	g.Code.Close()
	g.exact.Close()
	for _, l := range g.looks {
		l.Close()
	}
}
