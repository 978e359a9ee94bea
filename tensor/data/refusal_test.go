package data_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/data"
)

// TestStack: examples stack along a new first dimension if they have the same fields.
func TestStack(t *testing.T) {
	pair := func(a, b float32) data.Example { return data.Example{buf.From([]float32{a, b}, 2)} }
	e, err := data.Stack([]data.Example{pair(1, 2), pair(3, 4), pair(5, 6)})
	require.NoError(t, err)
	require.Equal(t, []int{3, 2}, e[0].Shape)
	require.Equal(t, []float32{1, 2, 3, 4, 5, 6}, buf.Slice[float32](e[0]))
	for want, list := range map[string][]data.Example{
		"no examples to stack":            nil,
		"field 0 is nil":                  {{nil}},
		"field 1 is nil":                  {{pair(1, 2)[0], pair(1, 2)[0]}, {pair(1, 2)[0], nil}},
		"examples of 1 and 2 fields":      {pair(1, 2), {pair(1, 2)[0], pair(1, 2)[0]}},
		"field 0: f32[2] and f32[1]":      {pair(1, 2), {buf.From([]float32{1}, 1)}},
		"field 0: f32[2] and f64[2] do n": {pair(1, 2), {buf.From([]float64{1, 2}, 2)}},
	} {
		_, err := data.Stack(list)
		require.ErrorContains(t, err, want)
	}
}

// TestDatasetBounds: the last example that there is and the first that there is not, for each kind of dataset.
func TestDatasetBounds(t *testing.T) {
	a, err := data.FromBuffers(buf.From([]float32{1, 2, 3, 4, 5, 6}, 3, 2), buf.From([]int64{7, 8, 9}, 3))
	require.NoError(t, err)
	same := func(e data.Example) (data.Example, error) { return e, nil }
	one, rest := data.Split(a, 1./3, 4)
	all, none := data.Split(a, 1, 4)
	for name, c := range map[string]struct {
		d data.Dataset
		n int
	}{"arrays": {a, 3}, "map": {data.Map(a, same), 3}, "subset": {data.Subset(a, []int{2, 0}), 2}, "empty": {data.Arrays{}, 0},
		"first": {one, 1}, "second": {rest, 2}, "all": {all, 3}, "none": {none, 0}} {
		require.Equal(t, c.n, c.d.Len(), name)
		for i := -1; i <= c.n; i++ {
			_, err := c.d.Example(i)
			if i < 0 || i == c.n {
				require.ErrorContains(t, err, "there is no example", name)
			} else {
				require.NoError(t, err, name)
			}
		}
	}
	e, err := data.Subset(a, []int{2, 0}).Example(0)
	require.NoError(t, err)
	require.Equal(t, []float32{5, 6}, buf.Slice[float32](e[0]))
	require.Equal(t, []int{2}, e[0].Shape)
	require.Equal(t, []int64{9}, buf.Slice[int64](e[1]))
	seen := map[int64]int{}
	for _, d := range []data.Dataset{one, rest} {
		for i := range d.Len() {
			e, err := d.Example(i)
			require.NoError(t, err)
			seen[buf.Slice[int64](e[1])[0]]++
		}
	}
	require.Equal(t, map[int64]int{7: 1, 8: 1, 9: 1}, seen, "each example is in one part")

	for want, f := range map[string]func(){
		"the share -0.1 is not between 0 and 1": func() { data.Split(a, -0.1, 1) },
		"the share 1.1 is not between 0 and 1":  func() { data.Split(a, 1.1, 1) },
		"arrays: data: field 1 has the shape":   func() { data.NewArrays(tensor.Ones(2), tensor.Ones(3)) },
	} {
		require.ErrorContains(t, tensor.Try(f), want)
	}
	_, err = data.FromBuffers(buf.From([]float32{1}, 1), nil)
	require.ErrorContains(t, err, "data: field 1 is nil")
	_, err = data.FromBuffers(buf.From([]float32{1}))
	require.ErrorContains(t, err, "field 0 has the shape []")
}

// TestTransforms compares Unit and Normalize with their formulas.
func TestTransforms(t *testing.T) {
	e, err := data.Unit(data.Example{buf.From([]uint8{0, 51, 255, 128}, 2, 2), buf.From([]int64{3}, 1)})
	require.NoError(t, err)
	require.Equal(t, []float32{0, 0.2, 1, float32(128.) / 255}, buf.Slice[float32](e[0]))
	require.Equal(t, []int64{3}, buf.Slice[int64](e[1]))
	_, err = data.Unit(data.Example{nil})
	require.ErrorContains(t, err, "field 0 is nil")

	x := data.Example{buf.From([]float32{1, 2, 3, 4}, 2, 2)}
	e, err = data.Normalize([]float64{1, 2}, []float64{2, 4})(x)
	require.NoError(t, err)
	require.Equal(t, []float32{0, 0.5, 0.25, 0.5}, buf.Slice[float32](e[0]))
	require.Equal(t, []float32{1, 2, 3, 4}, buf.Slice[float32](x[0]), "the example stays as it is")
	for _, wrong := range []data.Example{nil, {nil}, {buf.From([]float64{1, 2}, 2)}, {buf.From([]float32{1}, 1)}, {buf.From([]float32{1})}} {
		_, err := data.Normalize([]float64{1, 2}, []float64{2, 4})(wrong)
		require.ErrorContains(t, err, "2 means and 2 deviations are not the channels")
	}
	_, err = data.Normalize([]float64{1, 2}, []float64{2})(x)
	require.ErrorContains(t, err, "2 means and 1 deviations")
}

// TestTables reads tables of numbers, of classes and without a target, and names the place of what is none.
func TestTables(t *testing.T) {
	path := filepath.Join(t.TempDir(), "table.csv")
	require.NoError(t, os.WriteFile(path, []byte("\ufeffa, kind ,b\n1,dog,2.5\n -3 ,cat,4\n5,dog,6\n"), 0o644))
	table, err := data.CSV(path, "kind")
	require.NoError(t, err)
	require.Equal(t, []string{"a", "b"}, table.Columns)
	require.Equal(t, []string{"cat", "dog"}, table.Classes)
	require.Equal(t, []int{3, 2}, table.Arrays[0].Shape)
	require.Equal(t, []float32{1, 2.5, -3, 4, 5, 6}, buf.Slice[float32](table.Arrays[0]))
	require.Equal(t, []int64{1, 0, 1}, buf.Slice[int64](table.Arrays[1]))
	table, err = data.ReadCSV(strings.NewReader("a,b\n1,2\n3,4\n"), "a")
	require.NoError(t, err)
	require.Nil(t, table.Classes)
	require.Equal(t, []float32{1, 3}, buf.Slice[float32](table.Arrays[1]))
	table, err = data.ReadCSV(strings.NewReader("a\n1\n"), "")
	require.NoError(t, err)
	require.Len(t, table.Arrays, 1)
	for want, c := range map[string][2]string{
		`there is no column "c"; there is a, b`:       {"a,b\n", "c"},
		"csv: 1 columns":                              {"a\n1\n", "a"},
		"csv: the file is empty":                      {"", ""},
		"csv: line 3, column 3: the target is empty":  {"a,b\n1,2\n3,\n", "b"},
		`csv: line 3, column 3: "x" is no number`:     {"a,b\n1,2\n3,x\n", ""},
		"csv: record on line 2: wrong number of fiel": {"a,b\n1\n", ""},
	} {
		_, err := data.ReadCSV(strings.NewReader(c[0]), c[1])
		require.ErrorContains(t, err, want)
	}
	_, err = data.CSV(path, "b c")
	require.ErrorContains(t, err, path+": csv: there is no column")
	_, err = data.CSV(path+"x", "")
	require.ErrorIs(t, err, os.ErrNotExist)
}
