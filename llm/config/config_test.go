package config

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/tensor/gguf"
)

// TestObject reads values by one of several keys, whole numbers that are written with a point, and objects within.
func TestObject(t *testing.T) {
	var c Object
	require.NoError(t, json.Unmarshal([]byte(`{"n_layer": 3.0, "half": 0.5, "name": "x", "none": null, "part": {"deep": [1, 2]}, "mixed": [1, "a"]}`), &c))
	var n int
	require.True(t, c.Get(&n, "none", "num_layers", "n_layer"))
	require.Equal(t, 3, n)
	require.False(t, c.Get(&n, "half"), "no whole number")
	require.Equal(t, 3, n)
	require.Equal(t, "x", c.Text("none", "name"))
	require.Nil(t, c.Part("name"))
	var list []int
	require.True(t, c.Part("part").Get(&list, "deep"))
	require.Equal(t, []int{1, 2}, list)
	require.Equal(t, "null", TypeOf(c.Value("missing")))

	require.NoError(t, c.CheckType("f", "name", "number", "string"))
	require.NoError(t, c.CheckType("f", "none", "number"))
	require.EqualError(t, c.CheckType("f", "part", "number", "list"), `f: part is {"deep": [1, 2]}, an object; a number or a list is wanted`)
	require.ErrorContains(t, c.CheckType("f", "mixed", "list"), "a list of numbers is wanted")
}

// TestMetadata reads numbers behind a prefix.
func TestMetadata(t *testing.T) {
	m := &Metadata{File: &gguf.File{Metadata: map[string]any{"a.n": uint64(7), "a.x": 2.5, "a.on": true, "b.n": uint64(1)}}, Prefix: "a."}
	n, x, on := 1, 1.0, false
	m.Set("n", &n)
	m.Set("x", &x)
	m.Set("on", &on)
	require.Equal(t, []any{7, 2.5, true}, []any{n, x, on})
	m.Set("none", &n)
	require.Equal(t, 7, n)
	require.NoError(t, m.Err())
	require.Equal(t, 2, Whole(2.9))
	require.Equal(t, -1, Whole(1<<31))
}

// TestWrongMetadata: an entry that is there and is no number of the kind that is wanted is an error, the first one
// stays.
func TestWrongMetadata(t *testing.T) {
	for value, want := range map[any]string{
		"7": `a.n is the text "7", want a number`, int64(-3): "a.n is -3, want 0 to 2147483647", uint64(1 << 31): "a.n is 2147483648, want 0 to 2147483647",
		math.NaN(): "a.n is NaN, want 0 to 2147483647",
	} {
		m := &Metadata{File: &gguf.File{Metadata: map[string]any{"a.n": value, "a.x": math.Inf(1)}}, Prefix: "a."}
		n, x := 1, 1.0
		m.Set("n", &n)
		m.Set("x", &x)
		require.EqualError(t, m.Err(), want)
	}
	m := &Metadata{File: &gguf.File{Metadata: map[string]any{"a.x": math.Inf(-1)}}, Prefix: "a."}
	x := 1.0
	m.Set("x", &x)
	require.EqualError(t, m.Err(), "a.x is -Inf, want a finite number")
}
