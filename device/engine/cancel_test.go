package engine

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/portable"
)

// watched is code that tells of its calls and of its end.
type watched struct {
	kernel.Code
	call   func()
	closed *atomic.Bool
}

func (w *watched) Run(args *kernel.Args, lo, hi int) {
	w.call()
	w.Code.Run(args, lo, hi)
	if w.closed.Load() {
		panic("code was freed while it ran")
	}
}

func (w *watched) Close() { w.closed.Store(true); w.Code.Close() }

// chain compiles two long kernels that cannot be fused, and has call called at each
// call of either.
func chain(t testing.TB, threads int, call func()) (p *Program, inputs []*buf.Buffer, closed *atomic.Bool) {
	t.Helper()
	n := newNet()
	f := n.done(n.linear(n.linear(n.input(256, 64), n.weight(64, 64), n.weight(64)),
		n.weight(64, 64), n.weight(64)))
	closed = new(atomic.Bool)
	p, err := Compile(f, Options{Threads: threads, NoFusion: true,
		Backend: func(k kernel.Kernel) (kernel.Code, error) {
			code, err := portable.Compile(k)
			return &watched{code, call, closed}, err
		}})
	require.NoError(t, err)
	t.Cleanup(p.Close)
	return p, n.inputs, closed
}

// TestCancelledRun cancels at each call of a kernel in turn: every thread ends no more
// than the piece that it is at.
func TestCancelledRun(t *testing.T) {
	for _, threads := range []int{1, 3} {
		var calls, at atomic.Int64
		var stop atomic.Value // of context.CancelFunc
		p, inputs, _ := chain(t, threads, func() {
			if calls.Add(1) == at.Load() {
				stop.Load().(context.CancelFunc)()
			}
		})
		// attempt cancels at call number k, counted from one.
		attempt := func(k int64) error {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			stop.Store(cancel)
			calls.Store(0)
			at.Store(k)
			if k == 0 {
				cancel()
			}
			_, err := p.Run(ctx, inputs)
			return err
		}
		require.NoError(t, attempt(1<<40))
		total := calls.Load()
		require.Greater(t, total, int64(4), "a program of several calls")
		for k := range total + 1 {
			err := attempt(k)
			if calls.Load() < k { // after a late thread a kernel runs on one, in fewer calls
				require.NoError(t, err)
				continue
			}
			require.ErrorIs(t, err, context.Canceled)
			require.LessOrEqual(t, calls.Load(), k+int64(threads)-1)
			if k == 0 {
				require.Zero(t, calls.Load(), "cancelled before the run")
			}
		}
		require.NoError(t, attempt(1<<40), "a cancelled run leaves the program as it was")
	}
}

// TestCancelledPreparation cancels while constants are computed: the next run computes
// them again.
func TestCancelledPreparation(t *testing.T) {
	n := newNet()
	w := n.math("tanh", n.weight(64, 64))
	f := n.done(n.linear(n.input(64, 64), w, n.weight(64)))
	ctx, cancel := context.WithCancel(t.Context())
	p, err := Compile(f, Options{ConstInputs: n.consts, Threads: 1,
		Backend: func(k kernel.Kernel) (kernel.Code, error) {
			code, err := portable.Compile(k)
			return &watched{code, cancel, new(atomic.Bool)}, err
		}})
	require.NoError(t, err)
	defer p.Close()
	_, err = p.Run(ctx, n.inputs)
	require.ErrorIs(t, err, context.Canceled)
	plain, err := Compile(f, Options{NoFusion: true})
	require.NoError(t, err)
	defer plain.Close()
	requireClose(t, run(t, plain, n.inputs...)[0], run(t, p, n.inputs...)[0], "")
}

// TestCloseWhileRunning closes a program from inside a run, which ends as if nothing
// had happened before the code is freed.
func TestCloseWhileRunning(t *testing.T) {
	var once sync.Once
	var p *Program
	p, inputs, closed := chain(t, 2, func() { once.Do(func() { p.Close() }) })
	plain, _, _ := chain(t, 1, func() {})
	want := run(t, plain, inputs...)
	out, err := p.Run(t.Context(), inputs)
	require.NoError(t, err)
	require.True(t, closed.Load(), "the last run frees the code")
	require.Equal(t, want[0].Bytes(), out[0].Bytes())
	_, err = p.Run(t.Context(), inputs)
	require.ErrorContains(t, err, "closed")
}

// TestCloseAtOnce closes a program beside runs that start and finish: it is freed once, and never under a run.
func TestCloseAtOnce(t *testing.T) {
	for range 50 {
		p, inputs, closed := chain(t, 1, func() {})
		_, err := p.Run(t.Context(), inputs)
		require.NoError(t, err)
		var all sync.WaitGroup
		for range 3 {
			all.Go(func() {
				for {
					f, err := p.start(t.Context(), inputs)
					if err != nil {
						return
					}
					if closed.Load() {
						t.Error("freed under a run")
					}
					p.finish(f)
				}
			})
		}
		for range 2 {
			all.Go(p.Close)
		}
		all.Wait()
		require.True(t, closed.Load())
	}
}
