package engine

import (
	"context"
	"runtime"
	"testing"
	"unsafe"

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

// TestSharedArena: programs that run one after the other have one arena, the largest, and programs that run at once
// have two. A frame at rest keeps no memory of a large arena.
func TestSharedArena(t *testing.T) {
	arenas.list = nil
	middle, some := products(t, 1024)
	want := run(t, middle, some...)[0].Bytes()
	require.NotNil(t, middle.frames[0].arena.memory)

	large, many := products(t, 2048)
	wantLarge := run(t, large, many...)[0].Bytes()
	shared := large.frames[0].arena
	require.Nil(t, middle.frames[0].arena.memory, "the larger one takes its place")
	require.Equal(t, want, run(t, middle, some...)[0].Bytes())
	require.Same(t, shared, middle.frames[0].arena)

	f, err := large.start(context.Background(), many)
	require.NoError(t, err)
	require.Same(t, shared, f.arena)
	require.Equal(t, want, run(t, middle, some...)[0].Bytes())
	require.NotSame(t, shared, middle.frames[0].arena)
	out := buf.New(many[0].DType, []int{1, 2048, 512})
	require.NoError(t, f.run(context.Background(), many, []*buf.Buffer{out}))
	large.finish(f)
	require.Equal(t, wantLarge, out.Bytes())
	for _, f := range []*frame{middle.frames[0], large.frames[0]} {
		begin := uintptr(unsafe.Pointer(&f.arena.memory[0]))
		for _, p := range f.ptrs {
			require.False(t, uintptr(p) >= begin && uintptr(p) < begin+uintptr(len(f.arena.memory)))
		}
	}
}

// TestTakeArena: a run takes the largest arena that is free and at most four times as large. A new one takes the place
// of smaller ones, of those that are free and a quarter at least. Arenas that nobody has are garbage.
func TestTakeArena(t *testing.T) {
	arenas.list = nil
	a, b, c := takeArena(4<<20), takeArena(8<<20), takeArena(8<<20+1)
	b.taken = false
	require.Same(t, b, takeArena(3<<20))
	require.Zero(t, testing.AllocsPerRun(10, func() {
		b.taken = false
		takeArena(3 << 20)
	}), "a run allocates nothing for it")
	a.taken, b.taken, c.taken = false, false, false
	for _, want := range []*arena{c, b, a} {
		require.Same(t, want, takeArena(3<<20))
	}
	require.Len(t, takeArena(3<<20).memory, 3<<20, "all others are taken")
	a.taken, b.taken = false, false
	require.Same(t, b, takeArena(2<<20), "a quarter of b")
	b.taken = false
	little := takeArena(2<<20 - 1)
	require.Same(t, a, little, "less than a quarter of b")
	a.taken = false
	large := takeArena(20 << 20)
	require.Nil(t, b.memory)
	require.Len(t, a.memory, 4<<20, "less than a quarter")
	require.Len(t, c.memory, 8<<20+1, "a run has it")

	runtime.KeepAlive([]*arena{a, b, c, little, large})
	a, b, c, little, large = nil, nil, nil, nil, nil
	runtime.GC()
	last := takeArena(1 << 20)
	require.Len(t, arenas.list, 1)
	runtime.KeepAlive(last)
}
