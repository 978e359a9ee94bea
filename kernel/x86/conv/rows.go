package conv

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"unsafe"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/convolution"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/exec"
	"github.com/go-acap/acap/kernel/x86/asm"
	"github.com/go-acap/acap/kernel/x86/epilogue"
)

// rowPairs is a convolution with high filters and few input channels. It makes two rows of the
// result at a time by Winograd's F(2, 3) over the filter rows (Lavin and Gray, Fast Algorithms for
// Convolutional Neural Networks, 2016): with vertical stride v, every v-th filter row meets every
// v-th input row with stride 1, and three such filter rows take 4 products for two results instead
// of 6. Rows beyond a multiple of three are multiplied directly. A unit transforms the rows that it
// needs into scratch memory, splits their columns by the horizontal stride, and so has pixels in
// the lanes.
type rowPairs struct {
	*kernel.Convolution
	features cpu.Features
	entries  [points]int // transformed rows of a channel for each point
	vecs     int         // of pixels in a tile
	filters  int         // in a tile
	strips   int
	blocks   int // of filters
	padded   int // columns of one horizontal phase in a transformed row
	pairs    int // pairs of rows in a unit
	units    int // of an image
	exec     *exec.Code
	tiles    [2][2]int // entries: last block of filters, last strip
	split    int
	combine  int
	ports    [][4]int // strides in bytes
	workers  sync.Pool
}

// The points at which F(2, 3) evaluates, in the order of their sums: the two results are
// m1 + m2 + m0 and m1 - m2 + m∞.
const (
	pointOne = iota
	pointMinusOne
	pointZero
	pointInfinity
	points
)

// rowArgs is the argument block of the code.
type rowArgs struct {
	x, w  uintptr
	spill uintptr
	both  int // whether the second row exists
	ports [epilogue.MaxPorts]uintptr
}

const (
	rowX     = 0
	rowW     = 8
	rowSpill = 16
	rowBoth  = 24
	rowPorts = 32
)

// rowScratch bounds the transformed rows: they should stay in the first-level cache.
const rowScratch = 40 << 10

// compileRowPairs compiles c if it is one of those that gain from it.
func compileRowPairs(c *kernel.Convolution, f cpu.Features) (kernel.Code, error) {
	a := asm.Unlisted()
	g, err := emitRowPairs(a, c, f)
	if err != nil {
		return nil, err
	}
	if g.exec, err = exec.Load(a.Assemble().Bytes); err != nil {
		return nil, err
	}
	g.workers.New = func() any { return new(rowArgs) }
	return g, nil
}

// emitRowPairs emits all code.
func emitRowPairs(a *asm.Assembler, c *kernel.Convolution, f cpu.Features) (*rowPairs, error) {
	if !rowPairsFit(c, f) {
		return nil, fmt.Errorf("%w: not by pairs of rows", kernel.ErrUnsupported)
	}
	g := &rowPairs{Convolution: c, features: f}
	for v := range c.Stride[0] {
		n := g.taps(v)
		g.entries[pointOne] += n / 3
		g.entries[pointZero] += n/3 + n%3
	}
	g.entries[pointMinusOne], g.entries[pointInfinity] = g.entries[pointOne], g.entries[pointZero]
	g.chooseTile()
	if g.C*g.rows()*g.rowBytes() > rowScratch || g.cost() > 0.9 {
		return nil, fmt.Errorf("%w: no gain by pairs of rows", kernel.ErrUnsupported)
	}
	temps := f.Level.VectorRegisters() - g.vecs*g.filters
	epi, err := epilogue.New(&c.Epilogue, 2, 1, 3, c.Acc, f, temps)
	if err != nil {
		return nil, err
	}
	g.ports = (&plan{Convolution: c}).portStrides()
	(&rowEmitter{rowPairs: g, a: a, epi: epi}).emit()
	return g, nil
}

// rowPairsFit: constant f32 filters, columns side by side, wide rows and no dilation.
func rowPairsFit(c *kernel.Convolution, f cpu.Features) bool {
	x := c.X.Strides
	switch {
	case f.Level < cpu.AVX512:
	case c.X.DType != dtype.F32 || c.Filter.DType != dtype.F32 || c.Acc != dtype.F32:
	case !c.Filter.Const || c.Groups != 1 || c.Dilation != [2]int{1, 1}:
	case max(c.Stride[0], c.Stride[1]) > 2 || c.R < 5 || c.R > 12 || c.S > 12:
	case c.Q < 32 || c.Q > 1<<10 || min(c.N, c.C, c.H, c.W, c.K, c.P, c.S) == 0:
	case min(c.Pad[0], c.Pad[1]) < 0 || max(c.Pad[0], c.Pad[1]) > 1<<10:
	case x[3] != 1 || min(x[0], x[1], x[2]) < 0:
	case convolution.ChannelsLast(c):
	default:
		return true
	}
	return false
}

// taps returns how many filter rows vertical phase v has.
func (g *rowPairs) taps(v int) int { return (g.R - v + g.Stride[0] - 1) / g.Stride[0] }

// rows returns the transformed rows of a channel.
func (g *rowPairs) rows() int {
	n := 0
	for _, e := range g.entries {
		n += e
	}
	return n
}

func (g *rowPairs) rowBytes() int { return g.padded * g.Stride[1] * f32 }

// rawRows returns the rows of a channel that a pair of result rows needs.
func (g *rowPairs) rawRows() int { return g.R + g.Stride[0] }

// chooseTile fills the registers with accumulators, the filters but one and a vector of pixels.
func (g *rowPairs) chooseTile() {
	vectors := (g.Q + 15) / 16
	g.vecs = split(vectors, 7)
	g.strips = pieces(vectors, g.vecs)
	g.filters = split(g.K, g.features.Level.VectorRegisters()/(g.vecs+1))
	g.blocks = pieces(g.K, g.filters)
	g.padded = (vectors*16 + (g.S-1)/g.Stride[1] + 15) / 16 * 16
	all := (g.P + 1) / 2
	flops := 4 * float64(g.Q*g.K*g.C*g.R*g.S)
	g.pairs = split(all, max(1, min(all, int(unitFlops/flops)+1)))
	g.units = pieces(all, g.pairs)
}

// cost returns the time as a part of that of the direct sum.
func (g *rowPairs) cost() float64 {
	products := float64(g.rows()) / float64(2*g.R)
	lanes := float64(16*((g.Q+15)/16)) / float64(g.Q)
	filters := float64(max(g.filters, 4)) / float64(g.filters)
	height := float64((g.P+1)/2*2) / float64(g.P)
	return products*lanes*filters*height + 4/float64(g.K) + 1/float64(g.C*g.S)
}

// PackedBytes implements kernel.Packer.
func (g *rowPairs) PackedBytes(port int) int {
	if port != 1 {
		return 0
	}
	return g.blocks * g.blockBytes()
}

func (g *rowPairs) blockBytes() int { return g.rows() * g.C * g.S * g.filters * f32 }

// Pack implements kernel.Packer: for each block of filters, point, channel, transformed row and
// filter column, an element of every filter.
func (g *rowPairs) Pack(port int, dst, src unsafe.Pointer) {
	out := unsafe.Slice((*float32)(dst), g.PackedBytes(port)/f32)
	st, i := g.Filter.Strides, 0
	for b := range g.blocks {
		for p := range points {
			for n := range g.C * g.entries[p] * g.S * g.filters {
				k, s := b*g.filters+n%g.filters, n/g.filters%g.S
				entry := n / g.filters / g.S
				c := entry / g.entries[p]
				if k < g.K {
					at := g.Filter.Offset + k*st[0] + c*st[1] + s*st[3]
					out[i] = g.transformed(p, entry%g.entries[p], func(r int) float32 {
						return *(*float32)(unsafe.Add(src, (at+r*st[2])*f32))
					})
				} else {
					out[i] = 0
				}
				i++
			}
		}
	}
}

// transformed returns the filter's element for an entry of point p, from its rows.
func (g *rowPairs) transformed(p, entry int, row func(int) float32) float32 {
	v := g.Stride[0]
	for phase := range v {
		n := g.taps(phase)
		count := n / 3
		if p == pointZero || p == pointInfinity {
			count += n % 3
		}
		if entry >= count {
			entry -= count
			continue
		}
		if entry >= n/3 { // a row alone
			return row(phase + (n/3*2+entry)*v)
		}
		a, b, c := row(phase+3*entry*v), row(phase+(3*entry+1)*v), row(phase+(3*entry+2)*v)
		switch p {
		case pointOne:
			return (a + b + c) / 2
		case pointMinusOne:
			return (a - b + c) / 2
		case pointZero:
			return a
		}
		return c
	}
	panic("BUG: conv: no such row of a transformed filter")
}

// Units implements kernel.Code.
func (g *rowPairs) Units() int { return g.N * g.units }

// UnitNanos implements kernel.Code.
func (g *rowPairs) UnitNanos() float64 {
	return g.cost() * 4 * float64(g.pairs*g.Q*g.K*g.C*g.R*g.S) / 240
}

// Scratch implements kernel.Code: transformed rows, rows of one channel, accumulators.
func (g *rowPairs) Scratch() int {
	return (g.C*g.rows()+g.rawRows())*g.rowBytes() + g.vecs*g.filters*16*f32
}

// Listing implements kernel.Code. It emits the code once more: who runs it needs no listing.
func (g *rowPairs) Listing() string {
	var b strings.Builder
	fmt.Fprintf(&b, "; pairs of rows by F(2, 3), tile %d filters by %d vectors of pixels\n",
		g.filters, g.vecs)
	a := asm.New()
	if _, err := emitRowPairs(a, g.Convolution, g.features); err == nil { // as before
		a.Assemble().WriteTo(&b)
	}
	return b.String()
}

// Close implements kernel.Code.
func (g *rowPairs) Close() { g.exec.Close() }

// Run implements kernel.Code.
func (g *rowPairs) Run(args *kernel.Args, lo, hi int) {
	w := g.workers.Get().(*rowArgs)
	for u := lo; u < hi; u++ {
		first := u % g.units * g.pairs
		for pair := first; pair < min(first+g.pairs, (g.P+1)/2); pair++ {
			g.transform(w, args, u/g.units, 2*pair)
			g.products(w, args, u/g.units, 2*pair)
		}
	}
	*w = rowArgs{}
	g.workers.Put(w)
	runtime.KeepAlive(args)
}

// transform writes the transformed rows for rows p and p+1 of image n.
func (g *rowPairs) transform(w *rowArgs, args *kernel.Args, n, p int) {
	transformed := uintptr(args.Scratch)
	raw := unsafe.Add(args.Scratch, g.C*g.rows()*g.rowBytes())
	for c := range g.C {
		to := raw
		for v := range g.Stride[0] {
			for i := range g.taps(v) + 1 {
				y := (p+i)*g.Stride[0] + v - g.Pad[0]
				if y < 0 || y >= g.H {
					clear(unsafe.Slice((*byte)(to), g.rowBytes()))
				} else {
					st := g.X.Strides
					at := g.X.Offset + n*st[0] + c*st[1] + y*st[2]
					w.x, w.w = uintptr(args.Ptr[0])+uintptr(at*f32), uintptr(to)
					g.exec.CallAt(g.split, unsafe.Pointer(w))
				}
				to = unsafe.Add(to, g.rowBytes())
			}
		}
		w.x, w.w = uintptr(raw), transformed+uintptr(c*g.rows()*g.rowBytes())
		g.exec.CallAt(g.combine, unsafe.Pointer(w))
	}
}

// products computes rows p and p+1 of image n from the transformed rows.
func (g *rowPairs) products(w *rowArgs, args *kernel.Args, n, p int) {
	w.spill = uintptr(args.Scratch) + uintptr((g.C*g.rows()+g.rawRows())*g.rowBytes())
	w.both = min(1, g.P-1-p)
	for b := range g.blocks {
		w.w = uintptr(args.Packed[1]) + uintptr(b*g.blockBytes())
		for s := range g.strips {
			q := s * g.vecs * 16
			w.x = uintptr(args.Scratch) + uintptr(q*f32)
			for i, st := range g.ports {
				a := &g.Epilogue.Access[i]
				at := a.Offset*a.DType.Size() + n*st[0] + b*g.filters*st[1] + p*st[2] + q*st[3]
				w.ports[i] = uintptr(args.Ptr[2+i]) + uintptr(at)
			}
			g.exec.CallAt(g.tiles[(b+1)/g.blocks][(s+1)/g.strips], unsafe.Pointer(w))
		}
	}
}
