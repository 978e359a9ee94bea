package llm

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
)

// FuzzLoad changes a byte of a small GGUF file, or ends the file there: the model is an error, or it answers.
func FuzzLoad(f *testing.F) {
	data, err := os.ReadFile(smallGGUF(f, 8, dtype.Q8_0, false))
	require.NoError(f, err)
	f.Add(uint16(0), uint64(0), byte(0), false)
	path := filepath.Join(f.TempDir(), "changed.gguf")
	f.Fuzz(func(t *testing.T, at uint16, by uint64, count byte, cut bool) {
		changed := append([]byte(nil), data...)
		place := int(at) % len(changed)
		for i := range min(int(count)%9, len(changed)-place) {
			changed[place+i] ^= byte(by >> (8 * i))
		}
		if cut {
			changed = changed[:place]
		}
		require.NoError(t, os.WriteFile(path, changed, 0o600))
		m, err := Load(path, LoadOptions{Context: 64})
		if err != nil {
			return
		}
		defer m.Close()
		for _, err := range m.GenerateTokens(context.Background(), []int{3, 1, 4}, Options{MaxTokens: 2, IgnoreEnd: true}) {
			if err != nil {
				return
			}
		}
	})
}
