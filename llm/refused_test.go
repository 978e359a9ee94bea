package llm

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestRefused: a kind of models that is known not to run is refused with the cause, from folders and GGUF files.
func TestRefused(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "config.json"), []byte(`{"model_type":"falcon_mamba"}`), 0o644))
	_, err := Load(dir, LoadOptions{})
	require.ErrorContains(t, err, `the model_type "falcon_mamba" is not supported: layers have the selective scan of Mamba-1; supported are`)
	r := recordedFiles(t)["exaone4"]
	r.Header = []byte(strings.ReplaceAll(string(r.Header), "exaone4", "gemma3n"))
	_, err = Load(r.write(t), LoadOptions{})
	require.ErrorContains(t, err, `the architecture "gemma3n" is not supported: layers predict and correct`)
	r.Header = []byte(strings.ReplaceAll(string(r.Header), "gemma3n", "gemma9x"))
	_, err = Load(r.write(t), LoadOptions{})
	require.ErrorContains(t, err, `the architecture "gemma9x" is not known; there are afmoe, apertus, arcee`)
}
