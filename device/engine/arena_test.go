package engine

import (
	"context"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
)

// products multiplies a matrix of some rows by two others.
func products(t *testing.T, rows int) (*Program, []*buf.Buffer) {
	const width = 512
	n := newNet()
	x := n.bmm(n.input(1, rows, width), n.input(1, width, width))
	p, err := Compile(n.done(n.bmm(x, n.input(1, width, width))), Options{})
	require.NoError(t, err)
	t.Cleanup(p.Close)
	return p, n.inputs
}

// TestSharedArena: programs that run one after the other have one arena, the largest, and programs that run at once have
// two.
func TestSharedArena(t *testing.T) {
	arenas.list = nil
	middle, some := products(t, 1024)
	want := run(t, middle, some...)[0].Bytes()
	first := middle.frames[0].arena

	large, many := products(t, 2048)
	wantLarge := run(t, large, many...)[0].Bytes()
	second := large.frames[0].arena
	require.NotSame(t, first, second)
	require.Equal(t, want, run(t, middle, some...)[0].Bytes())
	require.Same(t, second, middle.frames[0].arena)

	f, err := large.start(context.Background(), many)
	require.NoError(t, err)
	require.Same(t, second, f.arena)
	require.Equal(t, want, run(t, middle, some...)[0].Bytes())
	require.NotSame(t, second, middle.frames[0].arena)
	out := buf.New(many[0].DType, []int{1, 2048, 512})
	require.NoError(t, f.run(context.Background(), many, []*buf.Buffer{out}))
	large.finish(f)
	require.Equal(t, wantLarge, out.Bytes())
}

// TestTakeArena: a run takes the largest arena that is free and at most four times as large, the last one before an equal one.
// Small arenas are a frame's own, and arenas that nobody has are garbage.
func TestTakeArena(t *testing.T) {
	arenas.list = nil
	a := takeArena(4<<20, nil)
	b := takeArena(8<<20, nil)
	c := takeArena(8<<20, nil)
	require.Same(t, b, func() *arena { b.leave(); return takeArena(3<<20, a) }())
	a.leave()
	b.leave()
	c.leave()
	require.Same(t, c, takeArena(2<<20, c))
	require.Same(t, b, takeArena(2<<20, c))
	require.Same(t, a, takeArena(2<<20, c))
	require.Len(t, takeArena(2<<20, c).memory, 2<<20, "all others are taken")
	b.leave()
	require.Len(t, takeArena(2<<20-1, nil).memory, 2<<20-1, "less than a quarter of b")
	small := takeArena(leastShared-1, nil)
	require.NotSame(t, small, takeArena(leastShared-1, nil))
	require.Same(t, small, takeArena(leastShared-1, small))

	runtime.KeepAlive([]*arena{a, b, c, small})
	a, b, c, small = nil, nil, nil, nil
	runtime.GC()
	last := takeArena(1<<20, nil)
	require.Len(t, arenas.list, 1)
	runtime.KeepAlive(last)
}
