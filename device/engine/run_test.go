package engine

import (
	"context"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/race"
)

// TestAllocations checks that a program that has run allocates nothing.
func TestAllocations(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector allocates")
	}
	n := newNet()
	f := n.done(n.lenet(n.input(2, 1, 28, 28)))
	p, err := Compile(f, Options{ConstInputs: n.consts, Threads: 1})
	require.NoError(t, err)
	defer p.Close()
	out, err := p.Run(context.Background(), n.inputs)
	require.NoError(t, err)
	require.Zero(t, testing.AllocsPerRun(20, func() {
		if err := p.RunInto(context.Background(), n.inputs, out); err != nil {
			t.Error(err)
		}
	}))
}

// TestConcurrent runs one program in several goroutines, with two sets of weights.
func TestConcurrent(t *testing.T) {
	n := newNet()
	f := n.done(n.block(n.input(1, 16, 64), 4, nil))
	p, err := Compile(f, Options{ConstInputs: n.consts, Threads: 3})
	require.NoError(t, err)
	defer p.Close()
	sets := [][]*buf.Buffer{n.inputs, append([]*buf.Buffer(nil), n.inputs...)}
	for i := range sets[1] {
		if n.consts[i] {
			b := n.inputs[i].Clone()
			for k := range b.Len() {
				b.SetFloat64(k, -b.Float64(k))
			}
			sets[1][i] = b
		}
	}
	var want [2][]byte
	for i, set := range sets {
		want[i] = run(t, p, set...)[0].Bytes()
	}
	require.NotEqual(t, want[0], want[1])
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() {
			for i := range 10 {
				k := (g + i) % 2
				out, err := p.Run(context.Background(), sets[k])
				if err != nil || string(out[0].Bytes()) != string(want[k]) {
					t.Errorf("run %d: results differ (%v)", i, err)
				}
			}
		})
	}
	wg.Wait()
}

// TestBindings changes the constant inputs more often than a program remembers.
func TestBindings(t *testing.T) {
	n := newNet()
	f := n.done(n.linear(n.input(8, 16), n.math("tanh", n.weight(16, 16)), n.weight(16)))
	p, err := Compile(f, Options{ConstInputs: n.consts})
	require.NoError(t, err)
	defer p.Close()
	plain, err := Compile(f, Options{NoFusion: true})
	require.NoError(t, err)
	defer plain.Close()
	for i := range 3 * leastBindings {
		w := n.inputs[1].Clone()
		w.SetFloat64(i, 5)
		inputs := []*buf.Buffer{n.inputs[0], w, n.inputs[2]}
		requireClose(t, run(t, plain, inputs...)[0], run(t, p, inputs...)[0], "")
		requireClose(t, run(t, plain, inputs...)[0], run(t, p, inputs...)[0], "again")
	}
	require.LessOrEqual(t, len(p.bindings), mostBindings)
}

func TestWrongInputs(t *testing.T) {
	p := compile(t, linear, Options{})
	x := buf.From(make([]float32, 6), 2, 3)
	_, err := p.Run(context.Background(), []*buf.Buffer{x})
	require.ErrorContains(t, err, "1 inputs, the program has 3")
	_, err = p.Run(context.Background(), []*buf.Buffer{x, x, x})
	require.ErrorContains(t, err, "input 1 is")
	_, err = p.Run(context.Background(), []*buf.Buffer{x, nil, x})
	require.ErrorContains(t, err, "input 1 is")
}

// TestClosed runs a program whose machine code is gone.
func TestClosed(t *testing.T) {
	n := newNet()
	f := n.done(n.linear(n.input(2, 3), n.weight(4, 3), n.weight(4)))
	p, err := Compile(f, Options{ConstInputs: n.consts})
	require.NoError(t, err)
	run(t, p, n.inputs...)
	p.Close()
	p.Close()
	_, err = p.Run(context.Background(), n.inputs)
	require.ErrorContains(t, err, "closed")
}
