package lazy_test

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/environment"
	"github.com/go-acap/acap/lazy"
)

// TestSettings: each value that a variable may have, and what is none.
func TestSettings(t *testing.T) {
	for text, want := range map[string]int{"": 0, "0": 0, "1": 1, "2": 2, "3": 3, "4": 4} {
		t.Setenv(lazy.DebugVariable, text)
		level, err := lazy.DebugSetting()
		require.NoError(t, err, text)
		require.Equal(t, want, level, text)
	}
	for _, text := range []string{"5", "-1", "on", "11", " "} {
		t.Setenv(lazy.DebugVariable, text)
		_, err := lazy.DebugSetting()
		require.True(t, environment.IsError(err), text)
		require.ErrorContains(t, err, lazy.DebugVariable+`="`+text+`"`)
		require.ErrorContains(t, err, "a number from 0 to 4")
	}
	for text, want := range map[string]bool{"": false, "stop": true} {
		t.Setenv(lazy.NaNVariable, text)
		stop, err := lazy.NaNSetting()
		require.NoError(t, err, text)
		require.Equal(t, want, stop, text)
	}
	t.Setenv(lazy.NaNVariable, "1")
	stop, err := lazy.NaNSetting()
	require.False(t, stop)
	require.True(t, environment.IsError(err))
	require.ErrorContains(t, err, `"stop" or nothing`)
}

// TestNaNPlaces: the place of an element follows from its number and the shape.
func TestNaNPlaces(t *testing.T) {
	for want, e := range map[string]lazy.NaNError{
		"makes a NaN, the first at [1 0 2] of [2 2 3]":                             {Shape: []int{2, 2, 3}, Element: 8},
		"makes a NaN, the first at [] of []":                                       {Shape: nil},
		"takes a tensor that holds a NaN already, the first at [1 1] of [2 2]":     {Input: true, Shape: []int{2, 2}, Element: 3},
		"takes a tensor that holds a NaN already, the first at [0 0 1] of [1 1 2]": {Input: true, Shape: []int{1, 1, 2}, Element: 1},
	} {
		require.Equal(t, want, e.Error())
	}
}

// TestOfAllDevices: what is asked of all devices has what each of them has.
func TestOfAllDevices(t *testing.T) {
	before := lazy.FallbackOps()["aten.cholesky"]
	a, b := newRuntime(t), newRuntime(t)
	ctx := context.Background()
	for _, r := range []*lazy.Runtime{a, b} {
		require.NoError(t, lazy.Sync(ctx, value{r, matrix(2)}.call(t, "cholesky").call(t, "relu")))
		require.Contains(t, lazy.Runtimes(), r)
		require.Len(t, r.WhyRecompiled(), 1)
	}
	name := ""
	for k := range a.Metrics().Fallbacks {
		name = k
	}
	require.Contains(t, name, "cholesky")
	require.GreaterOrEqual(t, lazy.FallbackOps()[name], before+2)
	all := lazy.WhyRecompiled()
	require.GreaterOrEqual(t, len(all), 2)
	require.True(t, slices.IsSortedFunc(all, func(x, y lazy.Recompilation) int { return x.Time.Compare(y.Time) }))
	for _, r := range []*lazy.Runtime{a, b} {
		require.Contains(t, all, r.WhyRecompiled()[0])
	}
}

// TestNearest: programs are numbered from 1, in the order of their first barriers, and the nearest is that
// with the most calls in common.
func TestNearest(t *testing.T) {
	r := newRuntime(t)
	run := func(names ...string) {
		v := value{r, leaf(1, 2)}
		for _, n := range names {
			v = v.call(t, n)
		}
		require.NoError(t, lazy.Sync(context.Background(), v))
	}
	run("neg", "cos", "exp")
	run("sin", "sin")
	run("neg", "cos", "exp", "abs")
	run("neg", "cos", "exp") // cached
	run("abs")
	list := r.WhyRecompiled()
	require.Len(t, list, 4)
	for i, c := range []struct {
		step, calls, nearest, same int
		kind, advice               string
	}{
		{1, 3, 0, 0, "", ""}, {2, 2, 0, 0, "", ""},
		{3, 4, 1, 3, "extra call", "put a Sync at the end of every step, so that each has the same calls"},
		{5, 1, 3, 0, "operator", ""},
	} {
		w := list[i]
		require.Equal(t, i+1, w.Program)
		require.Equal(t, []int{c.step, c.calls, c.nearest, c.same}, []int{w.Step, w.Calls, w.Nearest, w.Same}, "program %d", i+1)
		if c.kind == "" {
			require.Nil(t, w.Difference)
		} else {
			require.Equal(t, c.kind, w.Difference.Kind)
		}
		require.Equal(t, c.advice, w.Advice)
	}
}
