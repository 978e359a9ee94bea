package lazy

import (
	"sync"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/trace"
)

// Generator is the stream of random numbers of a device, as PyTorch's CUDA generator is
// one: Philox with the seed as key, and an offset that moves on by four with each draw,
// because each draw takes one block of four words of every subsequence. It moves on when
// a call is recorded, so that values do not depend on when or how they are computed, and
// seed and offset are inputs of the program, so that every step is the same program.
type Generator struct {
	mu           sync.Mutex
	seed, offset uint64
	key          ops.Value // the seed in the trace
}

// Generator returns the generator of the device. It starts as the last [Seed] says.
func (r *Runtime) Generator() *Generator { return &r.random }

// State returns the seed and the offset.
func (g *Generator) State() (seed, offset uint64) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.seed, g.offset
}

// SetState continues a stream at an offset, which is rounded down to a multiple of four.
func (g *Generator) SetState(seed, offset uint64) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.seed, g.offset, g.key = seed, offset&^3, nil
}

// Seed restarts the generators of all devices, also of those that are used later.
func Seed(s uint64) {
	seed.Store(s)
	for _, r := range Runtimes() {
		r.random.SetState(s, 0)
	}
}

// Draw returns seed and counter of the random numbers of a call, and moves on.
func (r *Runtime) Draw() (seed, counter ops.Value) {
	g := &r.random
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.key == nil {
		g.key = number(g.seed)
	}
	counter = number(g.offset / 4)
	g.offset += 4
	trace.NoteDraw(g.key, counter)
	return g.key, counter
}

func number(v uint64) ops.Value { return trace.Leaf(buf.From([]int64{int64(v)}).Reshape([]int{})) }
