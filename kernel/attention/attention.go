package attention

import (
	"fmt"
	"strings"
	"sync"
	"unsafe"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/vector"
)

// Compiler compiles the pieces.
type Compiler func(kernel.Kernel) (kernel.Code, error)

// code is a compiled attention. A unit is a block of queries of one batch entry.
type code struct {
	kernel.OnePhase
	a       *kernel.Attention
	block   int      // queries of a block
	blocks  []*piece // of one batch entry
	steps   steps    // of all pieces
	batches int
	keys    int            // elements between rows of scores
	mask    []byte         // the causal mask of a square on the diagonal
	masked  unsafe.Pointer // its first element
	scratch int
	nanos   float64
	workers sync.Pool
}

// piece is the code for one block of queries.
type piece struct {
	first, queries int
	left, diagonal int // keys before the diagonal square, and in it
	// scores of both parts (nil if empty), softmax, product with V
	scores  [2]*step
	softmax *step
	product *step
}

// Compile compiles a with pieces from compile, and with programs of its own from a back end, nil if it shall have none.
func Compile(a *kernel.Attention, f cpu.Features, t vector.Backend, compile Compiler) (kernel.Code, error) {
	if a.Queries == 0 || a.Keys == 0 || a.Dim == 0 || a.VDim == 0 {
		return nil, fmt.Errorf("%w: an extent of 0", kernel.ErrUnsupported)
	}
	for _, m := range []*kernel.Matrix{&a.Q, &a.K, &a.V, &a.O, a.Mask, a.Sinks, a.Index} {
		if m != nil && (m.Row < 0 || m.Col < 0) {
			return nil, fmt.Errorf("%w: a negative stride", kernel.ErrUnsupported)
		}
	}
	if a.Index != nil {
		return newLookup(a, t, compile)
	}
	c := &code{a: a, steps: steps{}, block: blockSize(a, f), batches: shape.Size(a.Batch), keys: (a.Keys + sinks(a) + 15) &^ 15}
	if a.Causal {
		c.makeMask()
	}
	b := &builder{c, compile}
	for first := 0; first < a.Queries; first += c.block {
		p, err := b.piece(first)
		if err != nil {
			c.Close()
			return nil, err
		}
		c.blocks = append(c.blocks, p)
	}
	c.scratch = c.scoreBytes() + c.steps.memory()
	c.nanos = float64(c.block*a.Keys) * (float64(a.Dim+a.VDim)/80 + 0.2)
	c.workers.New = func() any { return new(worker) }
	return c, nil
}

// maxScores bounds the bytes of the scores of a block.
const maxScores = 256 << 10

// scoreBytes is the memory of the scores of a block.
func (c *code) scoreBytes() int { return kernel.Aligned(c.block * c.keys * c.a.Acc.Size()) }

// blockSize returns how many queries are done together: fewer with a causal mask,
// which wastes half of the square on the diagonal.
func blockSize(a *kernel.Attention, f cpu.Features) int {
	n := 64
	if a.Causal && a.Queries <= 512 {
		n = 32
	}
	for n > 16 && n*a.Keys*a.Acc.Size() > max(maxScores, f.L2/2) {
		n /= 2
	}
	if a.Causal { // every block has code of its own
		n = max(n, (a.Queries+31)/32)
	}
	return min(n, a.Queries)
}

func (c *code) Units() int         { return c.batches * len(c.blocks) }
func (c *code) UnitNanos() float64 { return c.nanos }
func (c *code) Scratch() int       { return c.scratch }

func (c *code) Listing() string {
	var b strings.Builder
	for _, p := range c.blocks[:min(1, len(c.blocks))] {
		for _, s := range []*step{p.scores[0], p.scores[1], p.softmax, p.product} {
			if s != nil {
				b.WriteString(s.code.Listing())
			}
		}
	}
	return b.String()
}

func (c *code) Close() { c.steps.close() }

// worker is the state of one goroutine.
type worker struct {
	args kernel.Args
	ptr  [8]unsafe.Pointer
}

func (c *code) Run(args *kernel.Args, lo, hi int) {
	w := c.workers.Get().(*worker)
	for u := lo; u < hi; u++ {
		c.unit(w, args, c.blocks[u%len(c.blocks)], u/len(c.blocks))
	}
	*w = worker{}
	c.workers.Put(w)
}

func (c *code) unit(w *worker, args *kernel.Args, p *piece, batch int) {
	a := c.a
	size := a.Acc.Size()
	scores := args.Scratch
	w.args.Scratch = unsafe.Add(scores, c.scoreBytes())
	q := at(args.Ptr[0], a, &a.Q, batch, p.first)
	for part, s := range p.scores {
		if s == nil {
			continue
		}
		key := part * p.left
		k := at(args.Ptr[1], a, &a.K, batch, key)
		to := unsafe.Add(scores, key*size)
		ports := append(w.ptr[:0], q, k, to)
		if a.Mask != nil {
			m := at(args.Ptr[4], a, a.Mask, batch, p.first)
			ports = append(ports, unsafe.Add(m, key*a.Mask.Col*a.Mask.DType.Size()))
		}
		if part == 1 && a.Causal {
			ports = append(ports, c.masked)
		}
		s.run(&w.args, ports)
	}
	putSinks(args, a, queries{batch, p.first, p.queries}, unsafe.Add(scores, (p.left+p.diagonal)*size), c.keys)
	p.softmax.run(&w.args, append(w.ptr[:0], scores, scores))
	v := at(args.Ptr[2], a, &a.V, batch, 0)
	p.product.run(&w.args, append(w.ptr[:0], scores, v, at(args.Ptr[3], a, &a.O, batch, p.first)))
}

// queries are some queries of a batch entry.
type queries struct{ batch, first, count int }

// putSinks writes the sinks of queries behind their keys, to a column of scores with row elements in a row.
func putSinks(args *kernel.Args, a *kernel.Attention, q queries, column unsafe.Pointer, row int) {
	if a.Sinks == nil {
		return
	}
	for i := range q.count {
		sink := *(*float32)(at(args.Ptr[a.SinksPort()], a, a.Sinks, q.batch, q.first+i))
		put(a.Acc, unsafe.Add(column, i*row*a.Acc.Size()), float64(sink))
	}
}

// put stores a number of a type.
func put(t dtype.DType, p unsafe.Pointer, x float64) {
	if t == dtype.F64 {
		*(*float64)(p) = x
	} else {
		*(*float32)(p) = float32(x)
	}
}

// sinks is how many scores of a query have no key.
func sinks(a *kernel.Attention) int {
	if a.Sinks == nil {
		return 0
	}
	return 1
}

// at returns the address of a row of an operand in a batch entry.
func at(p unsafe.Pointer, a *kernel.Attention, m *kernel.Matrix, batch, row int) unsafe.Pointer {
	return unsafe.Add(p, (m.EntryAt(a.Batch, batch)+row*m.Row)*m.DType.Size())
}
