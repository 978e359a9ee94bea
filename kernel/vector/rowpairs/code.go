package rowpairs

import (
	"fmt"
	"runtime"
	"slices"
	"unsafe"

	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/vector"
)

// code is a compiled convolution.
type code struct {
	*vector.Machine
	*plan
}

// Compile makes code of a convolution. The error wraps [kernel.ErrUnsupported] for a convolution that gains nothing
// from pairs of rows.
func Compile(c *kernel.Convolution, t vector.Backend) (kernel.Code, error) {
	p, err := newPlan(c, t)
	if err != nil {
		return nil, err
	}
	g := &code{plan: p}
	if g.Machine, err = t.Build(func() *vector.Program { return p.program(t) }, g.words(), wordFault); err != nil {
		return nil, err
	}
	return g, nil
}

// Units implements [kernel.Code].
func (g *code) Units() int { return g.N * g.units }

// UnitNanos implements [kernel.Code].
func (g *code) UnitNanos() float64 {
	return g.cost() * 4 * float64(g.pairs*g.Q*g.K*g.C*g.R*g.S) / float64(15*g.lanes)
}

// Scratch implements [kernel.Code]: a call block, transformed rows, rows of one channel of the image, sums that wait.
func (g *code) Scratch() int { return g.waiting() + g.vecs*g.filters*g.lanes*f32 }

// transformedRows is where the transformed rows lie in the scratch memory.
func (g *code) transformedRows() int { return g.BlockBytes() }

// channel is where the rows of a channel of the image lie.
func (g *code) channel() int { return g.transformedRows() + g.C*g.rows()*g.rowBytes() }

// waiting is where sums lie that wait for others.
func (g *code) waiting() int { return g.channel() + g.imageRows()*g.rowBytes() }

// Listing implements [kernel.Code].
func (g *code) Listing() string {
	return fmt.Sprintf("; pairs of rows by F(2, 3), tile %d filters by %d vectors of pixels\n%s",
		g.filters, g.vecs, g.Machine.Listing())
}

// Run implements [kernel.Code].
func (g *code) Run(args *kernel.Args, lo, hi int) {
	for u := lo; u < hi; u++ {
		first := u % g.units * g.pairs
		for pair := first; pair < min(first+g.pairs, (g.P+1)/2); pair++ {
			g.transform(args, u/g.units, 2*pair)
			g.products(args, u/g.units, 2*pair)
		}
	}
	runtime.KeepAlive(args)
}

// call returns the call block of a call that runs a part.
func (g *code) call(args *kernel.Args, part int) []uintptr {
	words := unsafe.Slice((*uintptr)(args.Scratch), g.words())
	clear(words[:wordParts+firstTile+len(g.tiles)])
	words[wordParts+part] = 1
	return words
}

// transform writes the transformed rows for rows p and p+1 of image n.
func (g *code) transform(args *kernel.Args, n, p int) {
	words, rows := g.call(args, transforming), uintptr(args.Scratch)+uintptr(g.transformedRows())
	for c := range g.C {
		to := unsafe.Add(args.Scratch, g.channel())
		for v := range g.Stride[0] {
			for i := range g.taps(v) + 1 {
				g.copyRow(unsafe.Slice((*float32)(to), g.rowBytes()/f32), args.Ptr[0], n, c, (p+i)*g.Stride[0]+v-g.Pad[0])
				to = unsafe.Add(to, g.rowBytes())
			}
		}
		words[g.operand(operandRows)] = uintptr(args.Scratch) + uintptr(g.channel())
		words[g.operand(operandTransformed)] = rows + uintptr(c*g.rows()*g.rowBytes())
		g.Call(args.Scratch)
	}
}

// copyRow copies row y of channel c of image n with its border.
func (g *code) copyRow(to []float32, image unsafe.Pointer, n, c, y int) {
	left, right := min(g.Pad[1], len(to)), min(g.Pad[1]+g.W, len(to))
	if y < 0 || y >= g.H {
		left, right = 0, 0
	}
	clear(to[:left])
	st := g.X.Strides
	if right > left {
		row := (*float32)(unsafe.Add(image, (g.X.Offset+n*st[0]+c*st[1]+y*st[2])*f32))
		copy(to[left:right], unsafe.Slice(row, right-left))
	}
	clear(to[right:])
}

// products computes rows p and p+1 of image n from the transformed rows.
func (g *code) products(args *kernel.Args, n, p int) {
	for s := range g.strips {
		for b, count := 0, 0; b < g.blocks; b += count {
			tile := g.tileOf(b, s)
			if count = 1; tile.filters == g.filters {
				count = g.K / g.filters
			}
			words := g.call(args, firstTile+slices.Index(g.tiles, tile))
			q := s * g.vecs * g.lanes
			words[g.operand(operandTransformed)] = uintptr(args.Scratch) + uintptr(g.transformedRows()+q*f32)
			words[g.operand(operandFilters)] = uintptr(args.Packed[1]) + uintptr(b*g.blockBytes())
			words[g.operand(operandWaiting)] = uintptr(args.Scratch) + uintptr(g.waiting())
			words[g.operand(operandBlocks)], words[g.operand(operandBoth)] = uintptr(count), uintptr(min(1, g.P-1-p))
			for i := range g.Epilogue.Access {
				a := &g.Epilogue.Access[i]
				at := a.Offset + n*a.Outer[0] + b*g.filters*a.Outer[1] + p*a.Outer[2] + q*a.Outer[3]
				words[g.operand(operandPorts+i)] = uintptr(args.Ptr[2+i]) + uintptr(at*a.DType.Size())
			}
			g.Call(args.Scratch)
		}
	}
}
