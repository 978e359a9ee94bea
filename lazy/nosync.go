package lazy

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/trace"
)

// SyncError is a hidden barrier in a function that [NoSync] runs.
type SyncError struct {
	What string // the reason of the barrier: "read", or an operator whose result has a shape that depends on data
	// Calls is the number of recorded calls that would have run.
	Calls int
	// Varies says that there is no barrier: a function of [Compile] reads elements that differ from call to call, of an
	// argument, of a parameter, or of a tensor from outside of the function.
	Varies bool
	File   string // the line that needed it
	Line   int
}

func (e *SyncError) Error() string {
	if e.Varies {
		return e.What + " would keep the elements of the first call, and they differ from call to call: choose on the device, " +
			"with Where, or outside of the function; a tensor whose elements never change is frozen"
	}
	calls := "1 pending call"
	if e.Calls != 1 {
		calls = fmt.Sprintf("%d pending calls", e.Calls)
	}
	return fmt.Sprintf("%s is a hidden barrier: it would run %s (lazy.NoSync; call Sync to mean it)", e.What, calls)
}

// NoSync runs f, in which hidden barriers are errors: a pending value that is read, printed,
// compared or copied to another device by the goroutine that calls NoSync. The barrier
// panics with the typed error of package tensor, or is an error where there is one; either
// way NoSync returns the first one, a [*SyncError] with its line, also if f recovers.
// An explicit [Sync] is allowed.
func NoSync(f func()) (err error) {
	trace.Need("no sync", "the function", f)
	guard := &trace.Guard{}
	defer func() {
		err = guard.Err()
		if p := recover(); p != nil {
			var hidden *SyncError
			e, ok := p.(error)
			if !ok || !errors.As(e, &hidden) {
				panic(p)
			}
			if err == nil {
				err = hidden
			}
		}
		var hidden *SyncError
		if errors.As(err, &hidden) && hidden.File != "" {
			err = fmt.Errorf("%s:%d: %w", filepath.Base(hidden.File), hidden.Line, err)
		}
	}()
	trace.Guarded(guard, f)
	return nil
}

// hidden is compute for a barrier that the program does not ask for by name.
func (r *Runtime) hidden(ctx context.Context, what string, values ...ops.Value) error {
	pending, varies, watch := false, false, trace.CurrentWatch()
	for _, v := range values {
		n, _ := trace.Of(v)
		pending = pending || n.Pending()
		varies = varies || watch != nil && !n.Pending() && !watch.Made(n) && !n.Frozen()
	}
	if guard := trace.CurrentGuard(); guard != nil && varies && !pending {
		e := &SyncError{What: what, Varies: true}
		e.File, e.Line = trace.UserLine()
		guard.Note(e)
		return e
	}
	if !pending {
		return nil
	}
	r.stats.barriers.Add(1)
	if guard := trace.CurrentGuard(); guard != nil && !r.atOnce() {
		e := &SyncError{What: what, Calls: len(trace.Collect(values).Nodes)}
		e.File, e.Line = trace.UserLine()
		guard.Note(e)
		return e
	}
	return r.compute(ctx, values, nil)
}
