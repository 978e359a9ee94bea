package llm_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/llm"
	"github.com/go-acap/acap/llm/llmtest"
)

// TestFolderTypes: what the files beside config.json give under another type than theirs is refused, not passed over.
func TestFolderTypes(t *testing.T) {
	dir := llmtest.Folder(t, llmtest.Small)
	for _, c := range [][3]string{
		{"generation_config.json", `{"eos_token_id": [2, 3], "temperature": null, "do_sample": true, "top_k": 5.0}`, ""},
		{"generation_config.json", `{"eos_token_id": "</s>"}`, `generation_config.json: eos_token_id is "</s>", a string; a number or a list is wanted`},
		{"generation_config.json", `{"eos_token_id": [[2]]}`, "eos_token_id is [[2]]; a list of numbers is wanted"},
		{"generation_config.json", `{"eos_token_id": 2.5}`, "eos_token_id is 2.5; numbers of tokens are wanted"},
		{"generation_config.json", `{"temperature": "0.7"}`, `temperature is "0.7", a string; a number is wanted`},
		{"generation_config.json", `{"do_sample": 1}`, "do_sample is 1, a number; a truth value is wanted"},
		{"tokenizer_config.json", `{"bos_token": {"content": "<s>"}, "eos_token": null}`, ""},
		{"tokenizer_config.json", `{"bos_token": 1}`, "tokenizer_config.json: bos_token is 1, a number; a string or an object is wanted"},
		{"tokenizer_config.json", `{"chat_template": 1}`, "chat_template is 1; a string or a list of named templates is wanted"},
	} {
		path := filepath.Join(dir, c[0])
		sound, err := os.ReadFile(path)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(path, []byte(c[1]), 0o600))
		m, err := llm.Load(dir, llm.LoadOptions{Context: 64})
		if c[2] == "" {
			require.NoError(t, err, c[1])
			require.NoError(t, m.Close())
		} else {
			require.ErrorContains(t, err, c[2])
		}
		require.NoError(t, os.WriteFile(path, sound, 0o600))
	}
}
