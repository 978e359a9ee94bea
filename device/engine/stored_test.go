package engine

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/base/wire"
	"github.com/go-acap/acap/device/engine/enginetest"
	"github.com/go-acap/acap/device/engine/graph"
	"github.com/go-acap/acap/device/engine/plan"
	"github.com/go-acap/acap/device/store"
)

// randomNet is a function of a few random operations.
func randomNet(seed uint64) *grower {
	g := &grower{net: newNet()}
	g.r = rand.New(rand.NewPCG(seed, 11))
	g.values = append(g.values, g.input(enginetest.Split(g.r, 24)...), g.input(enginetest.Split(g.r, 24)...))
	for range 2 + g.r.IntN(10) {
		if v := g.step(); shape.Size(v.Shape()) < 2000 {
			g.values = append(g.values, v)
		}
	}
	return g
}

// TestStored: a program that was stored and loaded is the same program.
func TestStored(t *testing.T) {
	for seed := range uint64(40) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			g := randomNet(seed)
			opts := Options{ConstInputs: []bool{seed%2 == 0}}
			p, err := Compile(g.done(g.values[len(g.values)-1], g.pick()), opts)
			require.NoError(t, err)
			defer p.Close()
			data, err := p.Encode()
			require.NoError(t, err)
			q, err := Load(data, opts)
			require.NoError(t, err)
			defer q.Close()
			want, got := run(t, p, g.inputs...), run(t, q, g.inputs...)
			for i := range want {
				require.Equal(t, want[i].Bytes(), got[i].Bytes())
				require.Equal(t, want[i].Shape, got[i].Shape)
			}
			require.Equal(t, p.Kernels(), q.Kernels())
			require.Equal(t, p.Forecast(), q.Forecast())
			require.Equal(t, p.Stats(), q.Stats())
			again, err := q.Encode()
			require.NoError(t, err)
			require.Equal(t, data, again)
		})
	}
}

// A constant of the module is part of what is stored, and faults name their operation.
func TestStoredConstantsAndFaults(t *testing.T) {
	p := compile(t, `
func.func @main(%x: tensor<3xf32>, %i: tensor<2xi64>) -> tensor<2xf32> {
  %c = arith.constant dense<[1.0, 2.0, 4.0]> : tensor<3xf32>
  %s = arith.mulf %x, %c : tensor<3xf32>
  %zero = arith.constant dense<0> : tensor<2xi64>
  %j = arith.maxsi %i, %zero : tensor<2xi64>
  %e = tensor.empty() : tensor<2xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%j : tensor<2xi64>) outs(%e : tensor<2xf32>) {
    ^bb0(%a: i64, %out: f32):
      %k = arith.index_cast %a : i64 to index
      %v = tensor.extract %s[%k] : tensor<3xf32>
      linalg.yield %v : f32
  } -> tensor<2xf32>
  return %r : tensor<2xf32>
}`, Options{})
	data, err := p.Encode()
	require.NoError(t, err)
	q, err := Load(data, Options{})
	require.NoError(t, err)
	defer q.Close()
	x := buf.From(f32s(1, 10, 100), 3)
	require.Equal(t, f32s(400, 20), buf.Slice[float32](run(t, q, x, buf.From([]int64{2, 1}, 2))[0]))
	outside := []*buf.Buffer{x, buf.From([]int64{2, 3}, 2)}
	_, want := p.Run(context.Background(), outside)
	_, got := q.Run(context.Background(), outside)
	require.ErrorContains(t, want, "linalg.generic: index out of range")
	require.Equal(t, want.Error(), got.Error())
}

// TestStoredDamage: whatever is altered, loading fails or gives a program whose kernels stay within its
// memory.
func TestStoredDamage(t *testing.T) {
	g := randomNet(3)
	p, err := Compile(g.done(g.values[len(g.values)-1]), Options{})
	require.NoError(t, err)
	defer p.Close()
	data, err := p.Encode()
	require.NoError(t, err)
	for n := range data {
		_, err := Load(data[:n], Options{})
		require.ErrorIs(t, err, wire.ErrMalformed)
	}
	r := rand.New(rand.NewPCG(1, 1))
	loaded := 0
	for range 400 {
		changed := append([]byte{}, data...)
		changed[r.IntN(len(changed))] ^= 1 << r.IntN(8)
		q, err := Load(changed, Options{})
		if err != nil {
			continue
		}
		if loaded++; q.Memory() < 1<<20 {
			_, err = q.Run(context.Background(), g.inputs)
			var known *graph.Error
			require.True(t, err == nil || !errors.As(err, &known) || known.Message != "")
		}
		q.Close()
	}
	t.Logf("%d of 400 load", loaded)
}

func FuzzLoad(f *testing.F) {
	for seed := range uint64(5) {
		g := randomNet(seed)
		p, err := Compile(g.done(g.values[len(g.values)-1]), Options{})
		require.NoError(f, err)
		data, err := p.Encode()
		require.NoError(f, err)
		f.Add(data)
		p.Close()
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if p, err := Load(data, Options{}); err == nil {
			p.Close()
		}
	})
}

// TestStoredConstants: what is computed once from weights is found in the cache on disk, by what the weights
// hold; a damaged entry is computed and written again.
func TestStoredConstants(t *testing.T) {
	dir := t.TempDir()
	t.Setenv(store.Variable, "")
	g := newNet()
	x := g.input(4, 600)
	w := g.weight(600, 600)
	y := g.linear(x, g.math("exp", w), g.weight(600)) // exp(w) is fixed, and packed
	f := g.done(y)
	result := func(inputs []*buf.Buffer) []byte {
		p, err := Compile(f, Options{ConstInputs: g.consts})
		require.NoError(t, err)
		defer p.Close()
		return run(t, p, inputs...)[0].Bytes()
	}
	want := result(g.inputs)
	others := slices.Clone(g.inputs)
	others[1] = buf.New(others[1].DType, others[1].Shape)
	copy(others[1].Bytes(), g.inputs[1].Bytes())
	others[1].SetFloat64(359_999, 0.25)
	wantOthers := result(others)
	require.NotEqual(t, want, wantOthers)

	t.Setenv(store.Variable, dir)
	stats := func(inputs []*buf.Buffer, want []byte) (hits, misses int64) {
		h, m, _ := store.Default().Stats()
		require.Equal(t, want, result(inputs))
		h2, m2, _ := store.Default().Stats()
		return h2 - h, m2 - m
	}
	_, misses := stats(g.inputs, want)
	require.Positive(t, misses)
	hits, misses := stats(g.inputs, want)
	require.Positive(t, hits)
	require.Zero(t, misses)
	_, misses = stats(others, wantOthers)
	require.Positive(t, misses, "other weights")
	hits, misses = stats(others, wantOthers)
	require.Positive(t, hits)
	require.Zero(t, misses)

	files, err := filepath.Glob(filepath.Join(dir, "*.acap"))
	require.NoError(t, err)
	for i, file := range files {
		info, err := os.Stat(file)
		require.NoError(t, err)
		if i%2 == 0 {
			require.NoError(t, os.Truncate(file, info.Size()/2))
			continue
		}
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		data[len(data)/2] ^= 4
		require.NoError(t, os.WriteFile(file, data, 0o666))
	}
	hits, misses = stats(g.inputs, want)
	require.Zero(t, hits)
	require.Positive(t, misses)
	_, misses = stats(g.inputs, want)
	require.Zero(t, misses)
}

// TestCheckedSteps: a step that reads or writes outside of its memory, or what it must not write, is refused, and one
// that ends where it may is not.
func TestCheckedSteps(t *testing.T) {
	n := newNet()
	p, err := Compile(n.done(n.relu(n.input(6, 8))), Options{})
	require.NoError(t, err)
	defer p.Close()
	require.Len(t, p.Steps, 1)
	s := p.Steps[0]
	ports := len(s.Kernel.Ports())
	var in, out int
	for i, port := range s.Kernel.Ports() {
		if port.Write {
			out = s.Slots[i]
		} else {
			in = s.Slots[i]
		}
	}
	slots, sound := slices.Clone(p.Slots), *s
	for name, c := range map[string]struct {
		change func(s *plan.Step)
		want   string
	}{
		"as it is":        {func(*plan.Step) {}, ""},
		"operations":      {func(s *plan.Step) { s.From = nil }, "comes from 0 operations"},
		"fault":           {func(s *plan.Step) { s.Faults = len(s.From) }, "operations"},
		"last fault":      {func(s *plan.Step) { s.Faults = len(s.From) - 1 }, ""},
		"no fault":        {func(s *plan.Step) { s.Faults = -1 }, ""},
		"odd fault":       {func(s *plan.Step) { s.Faults = -2 }, "operations"},
		"few slots":       {func(s *plan.Step) { s.Slots = s.Slots[1:] }, "slots for"},
		"many slots":      {func(s *plan.Step) { s.Slots = append(slices.Clone(s.Slots), in, in); s.Shared = in }, "slots for"},
		"shared":          {func(s *plan.Step) { s.Slots = append(slices.Clone(s.Slots), in); s.Shared = in }, ""},
		"shared other":    {func(s *plan.Step) { s.Slots = append(slices.Clone(s.Slots), in); s.Shared = out }, "slots for"},
		"shared none":     {func(s *plan.Step) { s.Slots = append(slices.Clone(s.Slots), -1); s.Shared = -1 }, "slots for"},
		"slot before":     {func(s *plan.Step) { s.Slots = slices.Clone(s.Slots); s.Slots[0] = -1 }, "slot -1 of"},
		"slot behind":     {func(s *plan.Step) { s.Slots = slices.Clone(s.Slots); s.Slots[ports-1] = len(p.Slots) }, "slot"},
		"too small":       {func(*plan.Step) { p.Slots[out].Bytes = 6*8*4 - 1 }, "of 192 bytes on 191"},
		"large enough":    {func(*plan.Step) { p.Slots[out].Bytes = 6 * 8 * 4 }, ""},
		"writes input":    {func(*plan.Step) { p.Slots[out].Kind = plan.Argument }, "writes to constant memory"},
		"writes constant": {func(*plan.Step) { p.Slots[out].Data = make([]byte, 192) }, "writes to constant memory"},
	} {
		changed := sound
		c.change(&changed)
		err := p.CheckStep(&changed)
		copy(p.Slots, slots)
		if c.want == "" {
			require.NoError(t, err, name)
		} else {
			require.ErrorContains(t, err, c.want, name)
		}
	}
}

// The name of what the cache keeps tells constants apart, and is found without a copy of them.
func TestNameOfConstants(t *testing.T) {
	t.Setenv(store.Variable, t.TempDir())
	const bytes = 4 << 20
	named := func(last string) (key string, allocated uint64) {
		p := compile(t, fmt.Sprintf(`
func.func @main(%%x: tensor<%[1]dxf32>) -> tensor<%[1]dxf32> {
  %%c = arith.constant dense<"0x%[2]s%[3]s"> : tensor<%[1]dxf32>
  %%s = arith.mulf %%x, %%c : tensor<%[1]dxf32>
  return %%s : tensor<%[1]dxf32>
}`, bytes/4, strings.Repeat("0000803F", bytes/4-1), last), Options{})
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		s := p.saved(nil, leastConstants)
		runtime.ReadMemStats(&after)
		require.NotNil(t, s)
		return s.key, after.TotalAlloc - before.TotalAlloc
	}
	key, allocated := named("00000040")
	require.Less(t, allocated, uint64(bytes/4))
	again, _ := named("00000040")
	require.Equal(t, key, again)
	other, _ := named("00004040")
	require.NotEqual(t, key, other)
}
