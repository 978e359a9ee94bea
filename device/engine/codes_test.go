package engine

import (
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/parallel"
	"github.com/go-acap/acap/device/engine/code"
	"github.com/go-acap/acap/kernel/native"
)

// layers is a chain of equal layers.
func layers(n int) (g *net, last val) {
	g = newNet()
	x := g.input(8, 16)
	w, b := g.weight(16, 16), g.weight(16)
	for range n {
		x = g.softmax(g.linear(x, w, b))
	}
	return g, x
}

// Equal kernels have their code once, within a program and among programs, until the last of them is closed.
func TestCodesAreShared(t *testing.T) {
	before := code.InUse()
	g, last := layers(1)
	one, err := Compile(g.done(last), Options{ConstInputs: g.consts})
	require.NoError(t, err)
	few := code.InUse() - before
	require.Positive(t, few)
	h, end := layers(12)
	many, err := Compile(h.done(end), Options{ConstInputs: h.consts})
	require.NoError(t, err)
	require.Greater(t, len(many.Steps), 10)
	require.LessOrEqual(t, code.InUse()-before, 2*few+2, "the first and the last layer may differ from the others")
	want := run(t, many, h.inputs...)
	one.Close()
	require.Equal(t, want[0].Bytes(), run(t, many, h.inputs...)[0].Bytes(), "after another user has gone")
	many.Close()
	require.Equal(t, before, code.InUse())

	g, last = layers(2)
	_, err = Compile(g.done(last), Options{ConstInputs: g.consts}) // and never closed
	require.NoError(t, err)
	require.Eventually(t, func() bool { runtime.GC(); return code.InUse() == before }, time.Minute, time.Millisecond)
}

// Steps that differ in the rows that they read have their code once: the layers here add one row of the input after the
// other, against a program whose kernels a caller's back end compiles as they are.
func TestCodesOfRowsAreShared(t *testing.T) {
	const rows, width = 12, 16
	g := newNet()
	all, w, b := g.input(rows, width), g.weight(width, width), g.weight(width)
	row := func(i int) val { return g.Slice(all, []int{i, 0}, []int{1, width}, []int{1, 1}) }
	x := row(0)
	for i := 1; i < rows; i++ {
		x = g.softmax(g.add(g.linear(x, w, b), row(i)))
	}
	before, main := code.InUse(), g.done(x)
	p, err := Compile(main, Options{ConstInputs: g.consts})
	require.NoError(t, err)
	defer p.Close()
	require.Greater(t, len(p.Steps), rows)
	require.LessOrEqual(t, code.InUse()-before, 7, "the first and the last layer may differ from the others")
	own, err := Compile(main, Options{ConstInputs: g.consts, Backend: native.Compile})
	require.NoError(t, err)
	defer own.Close()
	require.Equal(t, run(t, own, g.inputs...)[0].Bytes(), run(t, p, g.inputs...)[0].Bytes())
}

// What comes out does not depend on how many goroutines compile.
func TestParallelCompile(t *testing.T) {
	stored := map[string][]byte{}
	for _, n := range []string{"1", "2", "7"} {
		t.Setenv(parallel.Variable, n)
		g, last := layers(6)
		p, err := Compile(g.done(last), Options{ConstInputs: g.consts})
		require.NoError(t, err)
		stored[n], err = p.Encode()
		require.NoError(t, err)
		p.Close()
	}
	require.Equal(t, stored["1"], stored["2"])
	require.Equal(t, stored["1"], stored["7"])
	t.Setenv(parallel.Variable, "none")
	g, last := layers(1)
	_, err := Compile(g.done(last), Options{})
	require.ErrorContains(t, err, `ACAP_COMPILE_PARALLELISM="none"`)
}
