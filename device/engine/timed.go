package engine

import (
	"context"
	"runtime"
	"time"

	"github.com/go-acap/acap/base/buf"
)

// RunTimed is [Program.RunInto] that also returns how long each kernel took, in the order
// of [Program.Kernels]. Work that is done once takes no time in a run. Errors are those of [Program.RunInto].
func (p *Program) RunTimed(ctx context.Context, inputs, outputs []*buf.Buffer) ([]time.Duration, error) {
	took := make([]time.Duration, len(p.Steps))
	// The first run does work that is done once, and is not timed.
	if err := p.RunInto(ctx, inputs, outputs); err != nil {
		return took, err
	}
	f, err := p.start(ctx, inputs)
	if err != nil {
		return took, err
	}
	defer p.finish(f)
	f.point(inputs, outputs)
	f.watch(ctx)
	for i, s := range p.Steps {
		if s.Fixed {
			continue
		}
		start := time.Now()
		if err := f.step(i, s); err != nil {
			return took, err
		}
		took[i] = time.Since(start)
	}
	runtime.KeepAlive(inputs)
	runtime.KeepAlive(outputs)
	return took, nil
}
