package lazy

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/trace"
)

// program is the compiled form of all traces of one structure.
type program struct {
	key    ops.Hash
	family ops.Hash
	before *program          // of the family, while it is being compiled
	ready  chan struct{}     // closed when the rest is known
	done   atomic.Bool       // it is closed
	exe    device.Executable // nil if it could not be compiled
	packs  device.Packs      // exe, if it tells

	overwrites []int // see [device.Overwriter]
	memory     device.Memory
	bytes      int64 // that it keeps
	sketch     *trace.Sketch
	took       time.Duration // to compile
	number     int           // in the order of compilation

	exact string // why it is not a bucket's, if it has dynamic dimensions
	fit   *fit   // if the executable serves a bucket
	text  string // for debugging

	// counts of one run, by the names of counters
	calls map[string]int64
	runs  atomic.Int64

	packedBefore atomic.Bool // it has computed something from constants alone

	newer, older *program // in the cache
}

// wait returns when the program has been compiled, or ctx is done.
func (p *program) wait(ctx context.Context) error {
	select {
	case <-p.ready:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (p *program) isReady() bool { return p.done.Load() }

// count notes what one run is counted as: the calls on the device by their recorded names,
// those on the host by what is left of them after decomposition.
func (p *program) count(g *trace.Graph, exe device.Executable) {
	p.packs, _ = exe.(device.Packs)
	if o, ok := exe.(device.Overwriter); ok {
		p.overwrites = o.Overwrites()
	}
	calls := map[*ops.Op]int64{}
	for _, n := range g.Nodes {
		calls[n.Pattern().Op]++
	}
	p.calls = make(map[string]int64, len(calls))
	for op, n := range calls {
		p.calls["acap::"+op.Name()] += n
	}
	for name, n := range exe.Fallbacks() {
		p.calls[fallbackCounter(name)] += int64(n)
	}
}
