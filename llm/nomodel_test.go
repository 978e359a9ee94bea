package llm

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/llm/llmtest"
)

// TestNoModel: a folder without a description, and what is no model, are told what to do.
func TestNoModel(t *testing.T) {
	_, err := Load(t.TempDir(), LoadOptions{})
	require.ErrorContains(t, err, "the folder has no config.json")
	require.ErrorIs(t, err, os.ErrNotExist)
	for _, c := range []struct{ name, text, says string }{
		{"config.json", "{", "config.json: byte 0: unexpected end of JSON input"},
		{"tokenizer.json", "", "the folder has no tokenizer.json; transformers writes it"},
	} {
		dir := llmtest.Folder(t, llmtest.Small)
		if c.text == "" {
			require.NoError(t, os.Remove(filepath.Join(dir, c.name)))
		} else {
			require.NoError(t, os.WriteFile(filepath.Join(dir, c.name), []byte(c.text), 0o600))
		}
		_, err = Load(dir, LoadOptions{})
		require.ErrorContains(t, err, c.says)
		_, err = Load(filepath.Join(dir, "model.safetensors"), LoadOptions{})
		require.ErrorContains(t, err, "name the folder")
	}
	_, err = Load("owner/name", LoadOptions{})
	require.ErrorIs(t, err, os.ErrNotExist)
	require.ErrorContains(t, err, "models are not fetched")
	cache := t.TempDir()
	snapshot := filepath.Join(cache, "snapshots", "0a1b")
	require.NoError(t, os.MkdirAll(snapshot, 0o700))
	_, err = Load(cache, LoadOptions{})
	require.ErrorContains(t, err, "name a snapshot in it, such as "+snapshot)
}
