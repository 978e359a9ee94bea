package lazy

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/trace"
)

// Recycler lets a loop that replaces values in every turn, as training replaces
// parameters, run in memory of its own: the results of a turn take the memory of what
// the turn before replaced. The zero value is ready.
//
// A turn calls [Recycler.Replace] with the values that it is about to replace, records
// the new ones, and computes them with [Recycler.Sync]. Replaced values stay readable until the Sync of the next turn.
// Then its memory is taken, but not while a program reads it, a recorded call that has not run needs it, or Go code has
// been given its address: then the loop allocates. Whatever comes back to a value whose memory was taken gets a
// [*RecycledError].
type Recycler struct {
	replaced []trace.Edge // by the turn that goes on
	spare    []trace.Edge // by the turn before
	next     int          // where to look for spare memory first
}

// Replace notes values that the next Sync replaces. Only results of an earlier Sync
// of a Recycler can be taken; others are left to the collector.
func (c *Recycler) Replace(values ...Value) {
	for _, v := range values {
		_, w := traceOf(v)
		n, result := trace.Of(w)
		if b := n.Data(result); b != nil && b.MayTake() {
			c.replaced = append(c.replaced, trace.Edge{Node: n, Result: result})
		}
	}
}

// Sync computes values as [Sync] does, and ends the turn. Errors are those of [Sync]; what the
// turn replaced is not used again after one.
func (c *Recycler) Sync(ctx context.Context, values ...Value) error {
	err := computeAll(ctx, values, c)
	if err != nil {
		clear(c.replaced)
		c.replaced = c.replaced[:0]
	}
	clear(c.spare)
	c.spare, c.replaced, c.next = c.replaced, c.spare[:0], 0
	return err
}

// Retain says that the last Sync replaced nothing after all: what it computed is not used
// in the place of the values that Replace was told.
func (c *Recycler) Retain() {
	clear(c.spare)
	c.spare = c.spare[:0]
}

// take returns memory for a result, from a spare value if there is one of its size.
func (c *Recycler) take(t ops.TensorType) *buf.Buffer {
	for range c.spare {
		if c.next == len(c.spare) {
			c.next = 0
		}
		e := c.spare[c.next]
		c.next++
		if e.Node.Awaited() {
			continue
		}
		if b := e.Node.Data(e.Result).Take(t.DType, t.Shape); b != nil {
			return b
		}
	}
	return nil
}

// results appends the buffers of a program's results to out, for good if c is nil and nothing was ever
// donated. New memory is counted.
// Those in taken are there already.
func (c *Recycler) results(g *trace.Graph, out, taken []*buf.Buffer, memory *residency, d *donations) []*buf.Buffer {
	donated := d.on.Load()
	for i, e := range g.Roots {
		t := e.Node.Types()[e.Result]
		var b *buf.Buffer
		if i < len(taken) {
			b = taken[i]
		}
		if b == nil && c != nil {
			b = c.take(t)
		}
		if b == nil && donated {
			b = d.take(t)
		}
		if b == nil {
			b = buf.New(t.DType, t.Shape)
			memory.track(b)
		}
		if c != nil || donated || e.Node.Replaces() {
			b.Recyclable()
		}
		out = append(out, b)
	}
	return out
}

// RecycledError says that a value is gone: its memory was taken by a [Recycler].
type RecycledError struct {
	Type ops.TensorType // of the value
	File string         // where the value is needed, if another call needs it
	Line int
}

func (e *RecycledError) Error() string {
	where := ""
	if e.File != "" {
		where = fmt.Sprintf(" that %s:%d needs", filepath.Base(e.File), e.Line)
	}
	return fmt.Sprintf("the old value%s, of type %v, is gone: it was donated or written in place, or two steps have replaced it, and later results have its memory; "+
		"compute what depends on it (Sync, or with the step) before that", where, e.Type)
}

// recycled is the error of a graph whose leaf is gone.
func recycled(g *trace.Graph, leaf trace.Edge) error {
	err := &RecycledError{Type: leaf.Node.Types()[leaf.Result]}
	if n := g.User(leaf); n != nil {
		err.File, err.Line = n.Caller()
	}
	return err
}
