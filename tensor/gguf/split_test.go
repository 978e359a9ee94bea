package gguf_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/tensor/gguf"
)

// splits writes a model in three files with the keys and types of gguf-split. change may leave a file out by nil, or
// change what it says.
func splits(t *testing.T, change func(number int, says map[string]entry, tensors map[string][]uint64) bool) string {
	t.Helper()
	dir := t.TempDir()
	short := func(n int) entry { return entry{2, little.AppendUint16(nil, uint16(n))} }
	for i, tensors := range []map[string][]uint64{{}, {"a": {4, 3}, "b": {5}}, {"c": {2}}} {
		says := map[string]entry{"split.no": short(i), "split.count": short(3), "split.tensors.count": {5, little.AppendUint32(nil, 3)}}
		if i == 0 {
			says["general.name"] = words("model")
		}
		if change != nil && !change(i, says, tensors) {
			continue
		}
		name := filepath.Join(dir, fmt.Sprintf("m-%05d-of-00003.gguf", i+1))
		require.NoError(t, os.WriteFile(name, described(says, tensors), 0o600))
	}
	return filepath.Join(dir, "m-00001-of-00003.gguf")
}

// TestSplit: a model in several files is one, in the order of the files.
func TestSplit(t *testing.T) {
	f, err := gguf.Open(splits(t, nil))
	require.NoError(t, err)
	require.Equal(t, map[string]any{"general.name": "model"}, maps.Clone(f.Metadata))
	require.Len(t, f.Tensors(), 3)
	require.Equal(t, "c", f.Tensors()[2].Name)
	a, err := f.Tensor("a")
	require.NoError(t, err)
	require.Equal(t, []float32{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, buf.Slice[float32](a))
	row := make([]float32, 4)
	rows, err := f.Rows("a")
	require.NoError(t, err)
	require.NoError(t, rows.Lookup([]int{2}, row))
	require.Equal(t, []float32{8, 9, 10, 11}, row)
	c, _, err := f.Stored("c")
	require.NoError(t, err)
	require.NoError(t, f.Close())
	require.Equal(t, []float32{0, 1}, buf.Slice[float32](c))
	_, err = f.Tensor("c")
	require.ErrorContains(t, err, "closed")
}

// TestSplitRefused: files that are not the parts of one model say which one is at fault.
func TestSplitRefused(t *testing.T) {
	short := func(n int) entry { return entry{2, little.AppendUint16(nil, uint16(n))} }
	for says, change := range map[string]func(i int, says map[string]entry, tensors map[string][]uint64) bool{
		"file 3 of 3 of the model": func(i int, _ map[string]entry, _ map[string][]uint64) bool { return i < 2 },
		"m-00002-of-00003.gguf: the file says that it is number 2 of 3, counted from 0, and not 1 of 3": func(i int, says map[string]entry, _ map[string][]uint64) bool {
			if i == 1 {
				says["split.no"] = short(2)
			}
			return true
		},
		"m-00003-of-00003.gguf: another file of the model has a tensor \"a\" as well": func(i int, _ map[string]entry, tensors map[string][]uint64) bool {
			if i == 2 {
				tensors["a"] = []uint64{4, 3}
			}
			return true
		},
		"the files have 2 tensors, and split.tensors.count says 3": func(_ int, _ map[string]entry, tensors map[string][]uint64) bool {
			delete(tensors, "c")
			return true
		},
		"its name does not end in -00001-of-00004.gguf": func(_ int, says map[string]entry, _ map[string][]uint64) bool {
			says["split.count"] = short(4)
			return true
		},
		"m-00003-of-00003.gguf: the file says that it is number 2 of 4": func(i int, says map[string]entry, _ map[string][]uint64) bool {
			if i == 2 {
				says["split.count"] = short(4)
			}
			return true
		},
		"file 3 of 3 of a model; there": func(i int, says map[string]entry, _ map[string][]uint64) bool {
			says["split.no"] = short(3)
			return true
		},
		"file 7 of 3 of a model": func(i int, says map[string]entry, _ map[string][]uint64) bool {
			says["split.no"] = short(7)
			return true
		},
	} {
		_, err := gguf.Open(splits(t, change))
		require.ErrorContains(t, err, says)
	}
	first := splits(t, nil)
	second := filepath.Join(filepath.Dir(first), "m-00002-of-00003.gguf")
	_, err := gguf.Open(second)
	require.ErrorContains(t, err, "number 2 of 3 of a model; open the first one, "+first)
}
