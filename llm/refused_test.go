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
	for config, says := range map[string]string{
		`{"model_type":"dbrx"}`:                                 `folders of the model_type "dbrx" are not read, files of GGUF are`,
		`{"model_type":"electra","num_hidden_layers":1}`:        "embeddings of the width 128 in a network of the width 256",
		`{"model_type":"ernie","use_task_id":true}`:             "use_task_id of a ernie is not known",
		`{"model_type":"nomic_bert","prenorm":true}`:            "prenorm of a nomic_bert is not known",
		`{"model_type":"nomic_bert","rotary_emb_fraction":0.5}`: "a rotary_emb_fraction of 0.5 is not known",
		`{"model_type":"gemma3_text","rope_parameters":{"full_attention":{},"sliding_attention":{"rope_type":"linear","factor":2}}}`: "positions of layers with a window are scaled in the way \"linear\"",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "config.json"), []byte(config), 0o644))
		_, err := Load(dir, LoadOptions{})
		require.ErrorContains(t, err, says)
	}
	r := recordedFiles(t)["exaone4"]
	r.Header = []byte(strings.ReplaceAll(string(r.Header), "exaone4", "gemma3n"))
	_, err = Load(r.write(t), LoadOptions{})
	require.ErrorContains(t, err, `the architecture "gemma3n" is not supported: layers predict and correct`)
	r.Header = []byte(strings.ReplaceAll(string(r.Header), "gemma3n", "gemma9x"))
	_, err = Load(r.write(t), LoadOptions{})
	require.ErrorContains(t, err, `the architecture "gemma9x" is not known; there are afmoe, apertus, arcee`)
}
