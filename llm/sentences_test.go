package llm

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/tensor/safetensors"
)

// sentenceFiles writes files of sentence-transformers into a folder, with a dense layer if there is a folder 2_Dense.
func sentenceFiles(t *testing.T, dir string, files map[string]string) {
	for name, text := range files {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		if strings.HasPrefix(name, "2_Dense") {
			var list []safetensors.Tensor
			for name, shape := range map[string][]int{"linear.weight": {12, 32}, "linear.bias": {12}} {
				list = append(list, safetensors.Tensor{Name: name, Data: buf.From(formula(name, shape), shape...)})
			}
			require.NoError(t, safetensors.WriteFile(filepath.Join(dir, "2_Dense/model.safetensors"), list, nil))
		}
	}
}

const (
	transformerModule = `{"idx":0,"name":"0","path":"","type":"sentence_transformers.models.Transformer"}`
	poolingModule     = `,{"idx":1,"name":"1","path":"1_Pooling","type":"sentence_transformers.models.Pooling"}`
	denseModule       = `,{"idx":2,"name":"2","path":"2_Dense","type":"sentence_transformers.models.Dense"}`
	normalizeModule   = `,{"idx":3,"name":"3","path":"3_Normalize","type":"sentence_transformers.models.Normalize"}`
	denseSettings     = `{"in_features":32,"out_features":12,"bias":true,"activation_function":"torch.nn.modules.activation.Tanh"}`
)

// TestPoolings: embeddings of a folder of sentence-transformers agree with its modules; testdata/pooling.py records
// them.
func TestPoolings(t *testing.T) {
	data, err := os.ReadFile("testdata/pooling.json")
	require.NoError(t, err)
	var r struct {
		Tokens  []int
		Vectors map[string]struct{ Plain, Dense []float32 }
	}
	require.NoError(t, json.Unmarshal(data, &r))
	var words []string
	for _, id := range r.Tokens {
		words = append(words, fmt.Sprint("w", id))
	}
	bert := recordings(t)["bert"]
	for kind, want := range r.Vectors {
		for modules, vector := range map[string][]float32{poolingModule + normalizeModule: want.Plain, poolingModule + denseModule: want.Dense} {
			dir := folderOf(t, bert)
			files := map[string]string{"modules.json": "[" + transformerModule + modules + "]",
				"1_Pooling/config.json":             `{"word_embedding_dimension":32,"pooling_mode_` + kind + `":true,"pooling_mode_cls":false}`,
				"config_sentence_transformers.json": `{"prompts":{"query":"W3 W1 "},"default_prompt_name":"query"}`,
				"sentence_bert_config.json":         `{"max_seq_length":11,"do_lower_case":true}`}
			if modules != poolingModule+normalizeModule {
				files["2_Dense/config.json"] = denseSettings
			}
			sentenceFiles(t, dir, files)
			m, err := Load(dir, LoadOptions{})
			require.NoError(t, err)
			require.Equal(t, 11, m.Limit())
			require.Equal(t, len(vector), m.EmbeddingWidth())
			have, err := m.Embed(context.Background(), strings.Join(words[2:], " ")) // the prompt has the first two
			require.NoError(t, err)
			near(t, vector, have[0], 0)
			require.NoError(t, m.Close())
		}
	}
}

// TestUnfilled: a text to embed is neither filled up nor cut, as folders of sentence-transformers have it in
// tokenizer.json.
func TestUnfilled(t *testing.T) {
	dir := folderOf(t, recordings(t)["bert"])
	m, err := Load(dir, LoadOptions{})
	require.NoError(t, err)
	defer m.Close()
	path := filepath.Join(dir, "tokenizer.json")
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path, []byte(strings.TrimSuffix(string(data), "}")+`,"truncation":{"direction":"Right","max_length":2,"strategy":"LongestFirst","stride":0},
		"padding":{"strategy":{"Fixed":8},"direction":"Right","pad_id":0,"pad_type_id":0,"pad_token":"w0"}}`), 0o644))
	other, err := Load(dir, LoadOptions{})
	require.NoError(t, err)
	defer other.Close()
	for _, text := range []string{"w5", "w5 w6 w7"} {
		want, err := m.Embed(context.Background(), text)
		require.NoError(t, err)
		have, err := other.Embed(context.Background(), text)
		require.NoError(t, err)
		require.Equal(t, want, have)
	}
}

// TestSentencesRefused: what a folder of sentence-transformers asks for and is not computed is an error.
func TestSentencesRefused(t *testing.T) {
	for _, c := range []struct {
		modules string
		files   map[string]string
		want    string
	}{
		{transformerModule + poolingModule, map[string]string{"1_Pooling/config.json": `{"pooling_mode_mean_tokens":true,"pooling_mode_max_tokens":true}`}, `"max_tokens and mean_tokens"`},
		{transformerModule + poolingModule, map[string]string{"1_Pooling/config.json": `{"pooling_mode":"attention"}`}, `"attention"`},
		{transformerModule + poolingModule, map[string]string{"1_Pooling/config.json": `{"pooling_mode":"mean","include_prompt":false}`}, "include_prompt"},
		{transformerModule + poolingModule, nil, "1_Pooling/config.json"},
		{transformerModule + denseModule, map[string]string{"2_Dense/config.json": denseSettings}, "as part 1 is not known"},
		{transformerModule + `,{"path":"1_LSTM","type":"sentence_transformers.models.LSTM"}`, nil, "models.LSTM as part 1"},
		{`{"path":"0_Transformer","type":"sentence_transformers.models.Transformer"}`, nil, "0_Transformer"},
		{`{"path":"../x","type":"sentence_transformers.models.Transformer"}`, nil, "leaves the folder"},
		{transformerModule + poolingModule + denseModule, map[string]string{"1_Pooling/config.json": `{"pooling_mode":"mean"}`,
			"2_Dense/config.json": `{"in_features":16,"out_features":12}`}, "in_features is 16"},
		{transformerModule + poolingModule + denseModule, map[string]string{"1_Pooling/config.json": `{"pooling_mode":"mean"}`,
			"2_Dense/config.json": `{"in_features":32,"out_features":13}`}, "13 outputs"},
		{transformerModule + poolingModule + denseModule, map[string]string{"1_Pooling/config.json": `{"pooling_mode":"mean"}`,
			"2_Dense/config.json": `{"in_features":32,"out_features":12,"activation_function":"torch.nn.Mish"}`}, "torch.nn.Mish"},
		{transformerModule, map[string]string{"config_sentence_transformers.json": `{"prompts":{},"default_prompt_name":"query"}`}, `"query"`},
	} {
		dir := folderOf(t, recordings(t)["bert"])
		sentenceFiles(t, dir, map[string]string{"modules.json": "[" + c.modules + "]"})
		sentenceFiles(t, dir, c.files)
		_, err := Load(dir, LoadOptions{})
		require.ErrorContains(t, err, c.want)
	}
}
