package llm

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/tensor/gguf"
)

// TestDescribeRefusals: numbers of a file that make no model are errors, whatever else is read before they are checked.
func TestDescribeRefusals(t *testing.T) {
	le := binary.LittleEndian
	text := func(b []byte, s string) []byte { return append(le.AppendUint64(b, uint64(len(s))), s...) }
	for _, name := range []string{"llama", "gemma3", "deepseek2", "gpt-oss"} {
		for _, layers := range []uint64{0, 1, 1025, 1 << 30, 1 << 63} {
			var meta []byte
			entries := uint64(0)
			number := func(key string, v uint64) {
				meta, entries = le.AppendUint64(le.AppendUint32(text(meta, key), 10), v), entries+1
			}
			meta, entries = text(le.AppendUint32(text(meta, "general.architecture"), 8), name), 1
			number(name+".block_count", layers)
			number(name+".attention.head_count", 4)
			number(name+".embedding_length", 64)
			number(name+".expert_count", 4)
			number(name+".leading_dense_block_count", 1)
			meta = le.AppendUint64(le.AppendUint32(le.AppendUint32(text(meta, name+".attention.sliding_window_pattern"), 9), 7), 1)
			meta, entries = append(meta, 1), entries+1
			b := le.AppendUint64(le.AppendUint64(le.AppendUint32([]byte("GGUF"), 3), 0), entries)
			f, err := gguf.Read(append(b, meta...), "x")
			require.NoError(t, err)
			_, _, err = describe(f)
			require.ErrorContains(t, err, ", want 1 to 16777216", "%s of %d layers", name, layers)
		}
	}
}

// TestNoModel: a part of a split file, and a folder without a description, are told what to do.
func TestNoModel(t *testing.T) {
	le := binary.LittleEndian
	b := le.AppendUint64(le.AppendUint64(le.AppendUint32([]byte("GGUF"), 3), 0), 1)
	b = append(le.AppendUint64(b, uint64(len("split.count"))), "split.count"...)
	f, err := gguf.Read(le.AppendUint16(le.AppendUint32(b, 2), 3), "x")
	require.NoError(t, err)
	_, _, err = describe(f)
	require.ErrorContains(t, err, "one of 3 parts")
	_, err = Load(t.TempDir(), LoadOptions{})
	require.ErrorContains(t, err, "the folder has no config.json")
	require.ErrorIs(t, err, os.ErrNotExist)
	cache := t.TempDir()
	snapshot := filepath.Join(cache, "snapshots", "0a1b")
	require.NoError(t, os.MkdirAll(snapshot, 0o700))
	_, err = Load(cache, LoadOptions{})
	require.ErrorContains(t, err, "name a snapshot in it, such as "+snapshot)
}
