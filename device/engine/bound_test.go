package engine

import (
	"context"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
)

// boundNet is x·tanh(large) + tanh(small) + direct: two constants that something is computed from once, a small one
// and one of 16 KiB, and a constant that kernels read as it is.
func boundNet(t *testing.T) (p, plain *Program, inputs []*buf.Buffer) {
	n := newNet()
	x, large, small, direct := n.input(8, 64), n.weight(64, 64), n.weight(64), n.weight(64)
	f := n.done(n.add(n.linear(x, n.math("tanh", large), n.math("tanh", small)), direct))
	p, err := Compile(f, Options{ConstInputs: n.consts})
	require.NoError(t, err)
	t.Cleanup(p.Close)
	plain, err = Compile(f, Options{NoFusion: true})
	require.NoError(t, err)
	t.Cleanup(plain.Close)
	return p, plain, n.inputs
}

// A constant that somebody makes again with the same elements is the same constant, if it is small; one with
// other elements never is.
func TestSmallConstantsByContent(t *testing.T) {
	p, plain, inputs := boundNet(t)
	runs := func(times int64, change func(in []*buf.Buffer)) {
		t.Helper()
		in := append([]*buf.Buffer(nil), inputs...)
		change(in)
		for range 2 {
			requireClose(t, run(t, plain, in...)[0], run(t, p, in...)[0], "")
		}
		require.Equal(t, times, p.Packed().Times)
		bound, other := p.Binds(in)
		require.True(t, bound)
		require.Equal(t, -1, other)
	}
	require.NotContains(t, p.Deciding, 3, "nothing is computed from it alone")
	runs(1, func([]*buf.Buffer) {})
	runs(1, func(in []*buf.Buffer) { in[2], in[3] = in[2].Clone(), in[3].Clone() })
	runs(1, func(in []*buf.Buffer) { in[3] = in[3].Clone(); in[3].SetFloat64(5, 7) })
	runs(2, func(in []*buf.Buffer) { in[2] = in[2].Clone(); in[2].SetFloat64(63, 7) })
	runs(3, func(in []*buf.Buffer) { in[1] = in[1].Clone() })

	in := append([]*buf.Buffer(nil), inputs...)
	in[2] = in[2].Clone()
	in[2].SetFloat64(0, 9)
	before := p.Packed()
	bound, _ := p.Binds(in)
	require.False(t, bound)
	run(t, p, in...)
	require.Equal(t, before.Times+1, p.Packed().Times)
	require.Greater(t, p.Packed().Bytes, before.Bytes+64*64*4-1)
}

// Layers of one structure are one program: all of their weights stay bound, as far as memory allows.
func TestManyBindings(t *testing.T) {
	p, _, inputs := boundNet(t)
	var sets [][]*buf.Buffer
	for i := range 3 * leastBindings {
		in := append([]*buf.Buffer(nil), inputs...)
		in[1] = in[1].Clone()
		in[1].SetFloat64(i, 3)
		sets = append(sets, in)
	}
	var want [][]byte
	for _, in := range sets {
		want = append(want, run(t, p, in...)[0].Bytes())
	}
	packed := p.Packed()
	require.EqualValues(t, len(sets), packed.Times)
	for i, in := range sets {
		require.Equal(t, want[i], run(t, p, in...)[0].Bytes())
	}
	require.Equal(t, packed, p.Packed(), "nothing is packed again")
	require.Len(t, p.frames, 1, "they share the memory of a run")

	defer buf.SetLimit(buf.SetLimit(6 * bindingsShare * int64(p.bindings[0].bytes)))
	in := append([]*buf.Buffer(nil), inputs...)
	in[1] = in[1].Clone()
	run(t, p, in...)
	require.Len(t, p.bindings, 6)
	for i, in := range sets {
		require.Equal(t, want[i], run(t, p, in...)[0].Bytes())
	}
	runtime.KeepAlive(sets)
}

// What has been computed once from weights goes with them.
func TestBindingsGo(t *testing.T) {
	p, _, inputs := boundNet(t)
	func() {
		in := append([]*buf.Buffer(nil), inputs...)
		in[1] = in[1].Clone()
		_, err := p.Run(context.Background(), in)
		require.NoError(t, err)
	}()
	for range 100 {
		runtime.GC()
		p.mu.Lock()
		left := len(p.bindings)
		p.mu.Unlock()
		if left == 0 {
			break
		}
	}
	require.Empty(t, p.bindings)
	require.Nil(t, p.frames[0].b, "nor does the memory of a run keep it")
	run(t, p, inputs...)
}
