package direct

import (
	"fmt"
	"runtime"
	"unsafe"

	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/convolution"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/schedule"
	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/vector/nest"
	"github.com/go-acap/acap/kernel/vector/panel"
)

// code is a compiled direct convolution.
type code struct {
	vector.Code
	convolution.Filters
	*plan
	tiles    *vector.Machine
	filter   *panel.StridedCode    // packs filters, nil if they are of cells of bytes
	deferred *convolution.Deferred // nil if the program has the epilogue
}

// ErrNoPlan is wrapped by errors of [Compile] for convolutions whose sums are of other types, or whose image runs
// backwards.
var ErrNoPlan = fmt.Errorf("%w: no direct convolution", kernel.ErrUnsupported)

// Compile makes code of a convolution for a processor. Padded reports whether products with padding are added. nests
// compiles epilogues that are not written in line, and copies of images.
func Compile(c *kernel.Convolution, f cpu.Features, to vector.Processor, nests schedule.Nests) (code kernel.Code, padded bool, err error) {
	p, err := newPlan(c, f)
	switch {
	case err != nil:
		return nil, false, fmt.Errorf("%w: %w", ErrNoPlan, err)
	case p.needsCopy():
		code, err = convolution.OnCopy(c, p.copied(), func(c *kernel.Convolution) (kernel.Code, error) {
			p, err := newPlan(c, f)
			if err != nil {
				return nil, err
			}
			return p.compile(to.Backend(f), nests)
		}, nests)
		return code, true, err
	}
	code, err = p.compile(to.Backend(f), nests)
	return code, false, err
}

// copied is the convolution of a copy of the image: floats by columns, for tiles to read neighbours, bytes as they lie.
func (p *plan) copied() *kernel.Convolution {
	if p.cells == nil {
		return convolution.WithBorder(p.Convolution, false, 0)
	}
	return convolution.WithBorder(p.Convolution, p.X.Strides[1] == 1, p.cells.beyond())
}

func (p *plan) compile(t vector.Backend, nests schedule.Nests) (_ kernel.Code, err error) {
	g := &code{plan: p}
	if !nest.FitsEpilogueAlong(&p.Epilogue, f32, p.laneLoop(), p.rowLoop()) {
		unit := convolution.Unit{Channels: p.width(), Rows: p.rowBlock * p.tileP, ChannelsLast: !p.transposed}
		if g.deferred, p.Convolution, err = convolution.Defer(p.Convolution, unit, nests); err != nil {
			return nil, err
		}
	}
	p.listTiles()
	g.tiles = g.Build(t, func() *vector.Program { return g.program(t) }, g.words(), wordFault)
	if err = g.Err(); err == nil {
		g.filter, err = g.newFilter(g.On(t))
	}
	if err != nil {
		g.Close()
		return nil, err
	}
	panels := p.Groups * p.panels
	g.Filters = convolution.Filters{Once: p.Filter.Const, Packed: panels * p.panel, Pieces: panels, Piece: g.packPanel}
	flops := 2 * float64(p.rowBlock*p.tileP*p.Q*p.width()) * float64(p.depth*p.R*p.taps)
	g.Count, g.Nanos = p.N*p.rowBlocks*panels, flops/(60*float64(p.lanes)/4)
	g.Memory = g.deferredAt() + g.deferred.Scratch() // behind a call block, and sums that are transposed
	g.Title = fmt.Sprintf("; direct, tile %d×%d pixels by %d channels, pixels in lanes %t\n", p.tileP, p.tileQ, p.width(), p.transposed)
	return g, nil
}

// deferredAt is where the sums of a unit lie: behind sums that are transposed, which lie behind the call block.
func (g *code) deferredAt() int {
	if !g.transposed {
		return g.BlockBytes()
	}
	return g.BlockBytes() + kernel.Aligned(g.tileP*g.tileQ*g.width()*f32)
}

func (g *code) Close() {
	g.Code.Close()
	g.deferred.Close()
}

func (g *code) Run(args *kernel.Args, lo, hi int) {
	words := unsafe.Slice((*uintptr)(args.Scratch), g.words())
	clear(words)
	words[wordSums] = uintptr(args.Scratch) + uintptr(g.BlockBytes())
	for u := lo; u < hi; u++ {
		g.unit(words, args, u)
	}
	runtime.KeepAlive(args)
}

// unit computes one panel of channels over a block of rows.
func (g *code) unit(words []uintptr, args *kernel.Args, u int) {
	panel := u % g.panels
	u /= g.panels
	block := u % g.rowBlocks
	u /= g.rowBlocks
	group, n := u%g.Groups, u/g.Groups
	image := uintptr(args.Ptr[0]) + uintptr((g.X.Offset+n*g.X.Strides[0]+group*g.depth*g.channel)*g.elem)
	filters := g.At(args) + uintptr((group*g.panels+panel)*g.panel)
	last := 0
	if (panel+1)*g.width() > g.perGroup {
		last = 1
	}
	k := group*g.perGroup + panel*g.width()
	words[wordAhead] = filters + uintptr(g.panel)
	strips, s := kernel.Pieces(g.P, g.tileP), strip{image, filters, n, k, block * g.rowBlock * g.tileP}
	for range min(strips-block*g.rowBlock, g.rowBlock) {
		low := 0
		if s.row+g.tileP > g.P {
			low = 1
		}
		g.strip(words, args, s, g.runs[low][last])
		s.row += g.tileP
	}
	g.deferred.Run(args, g.deferredAt(), n, k, block*g.rowBlock*g.tileP)
}

// strip is the tiles of channels from k on, of image n, in the rows that tiles have from a row on.
type strip struct {
	image, filters uintptr
	n, k, row      int
}

// strip computes the tiles of a strip.
func (g *code) strip(words []uintptr, args *kernel.Args, s strip, runs []run) {
	top := s.row*g.Stride[0] - g.Pad[0]
	first, end := g.filterRows(top)
	step, rows := g.taps*g.width()*f32, max(end-first, 0)
	words[wordRows], words[wordSkip] = uintptr(rows), uintptr((g.R-rows)*step)
	words[wordFilter] = s.filters + uintptr(first*step)
	for _, r := range runs {
		y := (top + first*g.Dilation[0]) * g.X.Strides[2]
		x := (r.q*g.Stride[1] - g.Pad[1]) * g.X.Strides[3]
		words[wordImage] = s.image + uintptr((x+y)*g.elem)
		words[wordCount] = uintptr(r.tiles)
		g.setPorts(words[wordPorts:], args, s, r.q)
		for n, b := range g.shapes[r.shape].borders {
			words[g.borderWord(n)] = uintptr('1' - b[r.kind])
		}
		words[g.shapeWord(r.shape)] = 1
		g.tiles.Call(args.Scratch)
		words[g.shapeWord(r.shape)] = 0
		words[wordAhead] += uintptr(r.tiles * g.depth * g.linesAhead() * 64)
	}
}

// setPorts sets the addresses of the epilogue's operands at the tile of a strip from pixel q on.
func (g *code) setPorts(ports []uintptr, args *kernel.Args, s strip, q int) {
	if g.deferred != nil {
		a := &g.Epilogue.Access[0]
		at := s.row%(g.rowBlock*g.tileP)*a.Outer[2] + q*a.Outer[3]
		ports[0] = uintptr(args.Scratch) + uintptr(g.deferredAt()+at*a.DType.Size())
		return
	}
	for i := range g.Epilogue.Access {
		a := &g.Epilogue.Access[i]
		at := a.Offset + s.n*a.Outer[0] + s.k*a.Outer[1] + s.row*a.Outer[2] + q*a.Outer[3]
		ports[i] = uintptr(args.Ptr[2+i]) + uintptr(at*a.DType.Size())
	}
}

// filterRows returns the range of filter rows that lie inside the image when the first lies at top.
func (g *code) filterRows(top int) (first, end int) {
	d := g.Dilation[0]
	if top < 0 {
		first = (-top + d - 1) / d
	}
	end = min(g.R, (g.H-1-top+d)/d)
	if top >= g.H {
		end = 0
	}
	return first, end
}
