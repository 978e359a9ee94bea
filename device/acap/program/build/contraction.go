package build

import (
	"fmt"

	"github.com/go-acap/acap/device/acap/program"
	"github.com/go-acap/acap/device/acap/timing"
	"github.com/go-acap/acap/device/acap/workload"
)

// product builds the output-stationary contraction. Core (m, n, k) of the parts
// and the cascade keeps tile (m, n) of every block and sums the k-th range of K;
// partial sums go down the cascade to its last core, which hands the tile over.
type product struct {
	*builder
	c                *workload.Contraction
	conv             *strips // of a convolution whose input lies in mem tiles
	blocksM, blocksN int
	padM, padN, padK int
	rangeK           int  // elements of K of one core
	holdB            bool // B remains in the cores while blocks advance along M
	mm, kk, nn       int
	across           bool // columns of cores split M, rows split N

	a, b    incoming
	out     [][]int // FIFOs that cores fill: by m and n
	outer   []outStream
	result  int                   // the argument that is the first result
	cascade map[program.Coord]int // FIFO out of a core
	addends []addend
}

func (b *builder) contraction(c workload.Contraction) { b.product(c, nil) }

func (b *builder) product(c workload.Contraction, conv *strips) {
	g, m := &b.mapping, b.machine
	if m.Compute.Styles[g.Style].Cast.Value > 0 {
		b.fail("style %s is two launches, hence two programs", g.Style)
		return
	}
	p := &product{builder: b, c: &c, conv: conv, cascade: make(map[program.Coord]int)}
	p.blocksM, p.blocksN = up(c.M, g.PartsM*g.TM), up(c.N, g.PartsN*g.TN)
	p.rangeK = up(c.K, g.Cascade*g.TK) * g.TK
	p.a = incoming{operand: operandOf(&c.A), arg: 0, slice: g.TK}
	p.b = incoming{operand: operandOf(&c.B), arg: 1, slice: g.TK}
	if m.Grid.MemRows > 0 {
		p.a.slice, p.b.slice = g.SliceA(c.K), g.SliceB(c.K)
	}
	p.padM, p.padN = p.blocksM*g.PartsM*g.TM, p.blocksN*g.PartsN*g.TN
	p.padK = p.rangeK * g.Cascade
	p.mm, p.kk, p.nn = m.ShapeOf(timing.Multiplied(m, &c))
	if conv != nil {
		conv.resize(p)
	}
	p.across = g.Across(m.Grid.VerticalCascade)
	if g.PartsM*g.PartsN*g.Cascade > g.Cores() {
		b.fail("%d x %d parts and a cascade of %d need more than %d cores",
			g.PartsM, g.PartsN, g.Cascade, g.Cores())
		return
	}
	shareA, shareB := timing.Shares(m, &c, g)
	if conv != nil {
		shareA = timing.ConvolutionShare(m, conv.c, g)
	} else if b.kernel.Kind == workload.KindConvolution {
		shareA /= timing.InputShare(&b.kernel.Convolution)
	}
	// Bytes that staging memory serves again do not come from memory.
	shareA *= float64(min(g.StageN, p.blocksN))
	p.holdB = p.rangeK == g.TK && p.blocksN == 1 && len(c.Epilogue.In) == 0
	if !p.holdB {
		shareB *= float64(min(g.StageM, p.blocksM))
	}
	b.shares = []float64{shareA, shareB}
	p.args()
	if g.Resident > 0 && !p.takesResident() {
		return
	}
	if g.Hold > 0 && (p.carries(false) || conv != nil || m.Grid.MemRows == 0) {
		p.fail("a strip of A is held in a mem tile, and carries nothing else")
		return
	}
	if !p.retains() {
		return
	}
	p.bringA()
	p.bringB()
	if p.outputs(); b.err != nil {
		return
	}
	p.cascades()
	p.cores()
	if b.err == nil {
		p.host()
	}
}

// place returns the core of part (m, n) and stage k.
func (p *product) place(m, n, k int) program.Coord {
	leftwards := func(row int) bool { return p.coreAt(0, row).Row%2 == 1 }
	return p.coreAt(p.mapping.Place(m, n, k, p.machine.Grid.VerticalCascade, leftwards))
}

func (p *product) args() {
	c := p.c
	rowsA, colsA := p.a.left(p.padM, p.padK)
	rowsB, colsB := p.b.right(p.padK, p.padN)
	p.p.Args = []program.Arg{
		{Name: "a", Shape: []int{c.Batch, rowsA, colsA}, DType: p.a.dtype},
		{Name: "b", Shape: []int{c.Batch, rowsB, colsB}, DType: p.b.dtype},
	}
	if p.conv != nil {
		p.p.Args[0].Shape = p.conv.inputShape()
	}
	for i, in := range c.Epilogue.In {
		if in.Elements > 1 {
			p.addend(i, in)
		}
	}
	p.result = len(p.p.Args)
	for i, t := range c.Epilogue.Results(c.Out) {
		name := "c"
		if i > 0 {
			name += fmt.Sprint(i)
		}
		p.p.Args = append(p.p.Args, program.Arg{Name: name, Shape: []int{c.Batch, p.padM, p.padN},
			DType: t, Output: true})
	}
}

// cascades joins the stages of every group.
func (p *product) cascades() {
	g := &p.mapping
	acc := array([]int{g.TM, g.TN}, p.c.Acc)
	for m := range g.PartsM {
		for n := range g.PartsN {
			for k := range g.Cascade - 1 {
				from := p.place(m, n, k)
				p.cascade[from] = p.fifo(program.FIFO{Name: fmt.Sprintf("p%d_%d_%d", m, n, k),
					Producer: from, Consumers: []program.Coord{p.place(m, n, k+1)}, Depth: 1, Object: acc,
					Cascade: true})
			}
		}
	}
}

// cores writes the programs.
func (p *product) cores() {
	g := &p.mapping
	for m := range g.PartsM {
		for n := range g.PartsN {
			for k := range g.Cascade {
				p.p.Cores = append(p.p.Cores, p.core(m, n, k))
			}
		}
	}
}

func (p *product) core(m, n, k int) program.Core {
	g, c := &p.mapping, p.c
	style := p.machine.Compute.Styles[g.Style]
	core := program.Core{Tile: p.place(m, n, k)}
	last := k == g.Cascade-1
	// The accumulator is the output tile itself when it is all that leaves and the
	// types agree.
	sum := program.ObjectRef{FIFO: p.out[m][n]}
	var head, tail []program.Stmt
	if last {
		head = append(head, program.Acquire{FIFO: p.out[m][n], Produce: true, N: 1})
	}
	if !last || c.Acc != c.Out || len(c.Epilogue.Also) > 0 {
		core.Locals = []program.Object{array([]int{g.TM, g.TN}, c.Acc)}
		sum = program.ObjectRef{FIFO: -1}
	}
	finish := []program.ObjectRef{sum}
	if last {
		for _, a := range p.addends {
			keep := program.ObjectRef{FIFO: -1, Index: len(core.Locals)}
			core.Locals = append(core.Locals, array([]int{a.tm, a.tn}, p.p.Args[a.arg].DType))
			finish = append(finish, keep)
			tail = append(tail, p.capture(m, n, k, a, keep)...)
		}
	}
	clear := float64(g.TM*g.TN) * style.Block.Value
	head = append(head, program.Call{Kernel: "zero", Args: []program.ObjectRef{sum}, Cycles: int(clear)})
	beat := c.Acc.Size() * g.TM * g.TN / max(1, p.machine.Compute.CascadeBytes.Int())
	if k > 0 {
		f := p.cascade[p.place(m, n, k-1)]
		tail = append(tail, program.Acquire{FIFO: f, N: 1},
			program.Call{Kernel: "add", Args: []program.ObjectRef{{FIFO: f}, sum}, Cycles: beat},
			program.Release{FIFO: f, N: 1})
	}
	if last {
		out := program.ObjectRef{FIFO: p.out[m][n]}
		if len(finish) > 1 || sum != out {
			convert := float64(g.TM*g.TN) * style.Convert.Value
			tail = append(tail, program.Call{Kernel: "finish", Args: append(finish, out),
				Cycles: int(convert)})
		}
		tail = append(tail, program.Release{FIFO: p.out[m][n], Produce: true, N: 1})
	} else {
		f := p.cascade[core.Tile]
		tail = append(tail, program.Acquire{FIFO: f, Produce: true, N: 1},
			program.Call{Kernel: "pass", Args: []program.ObjectRef{sum, {FIFO: f}}, Cycles: beat},
			program.Release{FIFO: f, Produce: true, N: 1})
	}
	a, b := p.a.inner[m][k], p.b.inner[n][k]
	call := program.Call{Kernel: "matmul", Args: append([]program.ObjectRef{{FIFO: a}, {FIFO: b}, sum}, p.converted(&core)...),
		Cycles: p.cycles(p.timing.Step.Core)}
	core.Body = p.loop(a, b, call, head, tail)
	return core
}

// converted makes the buffers of a core's own for tiles that it packs or unpacks.
func (p *product) converted(core *program.Core) (refs []program.ObjectRef) {
	g := &p.mapping
	a, b := timing.Converted(p.machine, p.c)
	local := func(o *workload.Operand, other int) {
		if o != nil {
			refs = append(refs, program.ObjectRef{FIFO: -1, Index: len(core.Locals)})
			of := operandOf(o)
			core.Locals = append(core.Locals, array([]int{o.Bytes(g.TK, other) / of.dtype.Size()}, of.dtype))
		}
	}
	local(a, g.TM)
	local(b, g.TN)
	return refs
}

// loop runs all blocks: head, the steps of the block, each a call on one object of the FIFOs a and b, and tail.
func (p *product) loop(a, b int, call program.Call, head, tail []program.Stmt) []program.Stmt {
	takeA, giveA := program.Acquire{FIFO: a, N: 1}, program.Release{FIFO: a, N: 1}
	takeB, giveB := program.Acquire{FIFO: b, N: 1}, program.Release{FIFO: b, N: 1}
	if p.holdB {
		body := append(append(head, takeA, call, giveA), tail...)
		return []program.Stmt{program.Loop{Count: p.c.Batch, Body: []program.Stmt{takeB,
			program.Loop{Count: p.blocksM, Body: body}, giveB}}}
	}
	steps := program.Loop{Count: p.rangeK / p.mapping.TK,
		Body: []program.Stmt{takeA, takeB, call, giveA, giveB}}
	body := append(append(head, steps), tail...)
	return []program.Stmt{program.Loop{Count: p.c.Batch * p.blocksM * p.blocksN, Body: body}}
}
