package serve_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/llm"
	"github.com/go-acap/acap/llm/serve"
)

// TestLikelihoodsOfPrompt: the tokens of a prompt have the probabilities that the same tokens have as an answer, and
// say where they begin. A prompt alone is scored without an answer.
func TestLikelihoodsOfPrompt(t *testing.T) {
	_, model, url := start(t, llm.LoadOptions{Context: 256, Exact: true}, serve.Options{})
	logs := func(m map[string]any) (tokens, values, offsets, top []any) {
		l := choice(m, 0)["logprobs"].(map[string]any)
		return l["tokens"].([]any), l["token_logprobs"].([]any), l["text_offset"].([]any), l["top_logprobs"].([]any)
	}
	_, m := post(t, url+"/v1/completions", `{"prompt":[65,66,67],"max_tokens":80,"temperature":0,"logprobs":1,"echo":true}`)
	tokens, values, offsets, top := logs(m)
	require.Equal(t, []int{83, 83, 83, 83}, []int{len(tokens), len(values), len(offsets), len(top)})
	require.Equal(t, []any{nil, nil, 0.0, 1.0}, []any{values[0], top[0], offsets[0], offsets[1]})
	text := []rune(choice(m, 0)["text"].(string))
	for i, token := range tokens[:82] {
		if name := []rune(token.(string)); !strings.HasPrefix(string(name), "bytes:") && name[0] != '<' { // special tokens have no text
			at := int(offsets[i].(float64))
			require.Equal(t, string(name), string(text[at:at+len(name)]), "token %d", i)
		}
		if i > 2 {
			require.Contains(t, top[i], token, "the most likely token was taken")
		}
	}
	ids := []string{"65", "66", "67"} // the prompt and its answer
	for p, err := range model.GenerateTokens(t.Context(), []int{65, 66, 67}, llm.Options{MaxTokens: 80}) {
		require.NoError(t, err)
		ids = append(ids, fmt.Sprint(p.Token))
	}
	status, m := post(t, url+"/v1/completions", `{"prompt":[`+strings.Join(ids, ",")+`],"max_tokens":0,"n":2,"best_of":3,"logprobs":1,"echo":true}`)
	require.Equal(t, 200, status, m)
	require.Equal(t, map[string]any{"prompt_tokens": 83.0, "completion_tokens": 0.0, "total_tokens": 83.0, "prompt_tokens_details": map[string]any{"cached_tokens": 0.0}}, m["usage"])
	require.Len(t, m["choices"], 2)
	again, scored, places, most := logs(m)
	require.Equal(t, []any{tokens, offsets[:82]}, []any{again, places[:82]})
	for i := range values[1:] {
		require.InDelta(t, values[i+1], scored[i+1], 1e-5, "token %d", i+1)
		require.LessOrEqual(t, len(most[i+1].(map[string]any)), 2)
	}
	for n, want := range map[int]int{256: 200, 257: 400} { // an answer of no token needs no room in the context
		for _, more := range []string{``, `,"logprobs":0`} {
			status, m = post(t, url+"/v1/completions", `{"prompt":[65`+strings.Repeat(",66", n-1)+`],"max_tokens":0,"echo":true`+more+`}`)
			require.Equal(t, want, status, m)
		}
	}
	list := events(t, url+"/v1/completions", `{"prompt":[65,66,67],"max_tokens":80,"temperature":0,"logprobs":1,"echo":true,"stream":true}`)
	var streamed []any
	for _, e := range list {
		_, _, part, _ := logs(e)
		streamed = append(streamed, part...)
	}
	require.Equal(t, offsets, streamed)
}

// TestBestOf: of several answers those come back whose tokens are likelier, and all of them count.
func TestBestOf(t *testing.T) {
	_, _, url := start(t, llm.LoadOptions{Context: 128}, serve.Options{})
	ask := func(more string) ([]float64, map[string]any) {
		_, m := post(t, url+"/v1/completions", `{"prompt":"ab","max_tokens":4,"ignore_eos":true,"seed":5,"logprobs":0,"n":2`+more+`}`)
		var means []float64
		for i := range m["choices"].([]any) {
			sum := 0.0
			for _, v := range choice(m, i)["logprobs"].(map[string]any)["token_logprobs"].([]any) {
				sum += v.(float64)
			}
			means = append(means, sum/4)
		}
		return means, m["usage"].(map[string]any)
	}
	_, m := post(t, url+"/v1/completions", `{"prompt":"ab","max_tokens":4,"ignore_eos":true,"seed":5,"logprobs":0,"n":6}`)
	var all []float64
	for i := range 6 {
		sum := 0.0
		for _, v := range choice(m, i)["logprobs"].(map[string]any)["token_logprobs"].([]any) {
			sum += v.(float64)
		}
		all = append(all, sum/4)
	}
	slices.Sort(all)
	best, usage := ask(`,"best_of":6`)
	require.InDeltaSlice(t, []float64{all[5], all[4]}, best, 1e-4)
	require.Equal(t, 24.0, usage["completion_tokens"])
}

// TestShares: a share of zero leaves the most likely token.
func TestShares(t *testing.T) {
	_, _, url := start(t, llm.LoadOptions{Context: 128}, serve.Options{})
	text := func(more string) any {
		_, m := post(t, url+"/v1/completions", `{"prompt":"ab","max_tokens":12,"ignore_eos":true`+more+`}`)
		return choice(m, 0)["text"]
	}
	require.Equal(t, text(`,"seed":5,"temperature":0`), text(`,"seed":5,"top_p":0`))
	require.Equal(t, text(`,"seed":9,"typical_p":0`), text(`,"seed":5,"typical_p":0`))
}

// TestRefusedEmbeddings: a name that is not the model's, and an input that the context has no room for, have codes.
func TestRefusedEmbeddings(t *testing.T) {
	_, _, url := start(t, llm.LoadOptions{Context: 64}, serve.Options{Name: "small"})
	for body, want := range map[string][]any{
		`{"input":"ab","model":"small"}`:                         {200.0, nil, nil},
		`{"input":"ab","model":"large"}`:                         {404.0, "model_not_found", "model"},
		`{"input":["ab",[65` + strings.Repeat(",65", 64) + `]]}`: {400.0, "context_length_exceeded", "input"},
	} {
		status, m := post(t, url+"/v1/embeddings", body)
		e, _ := m["error"].(map[string]any)
		require.Equal(t, want, []any{float64(status), e["code"], e["param"]}, m)
	}
}

// TestDimensions: a shorter vector is the first numbers of the whole one, and of length one.
func TestDimensions(t *testing.T) {
	_, m, url := start(t, llm.LoadOptions{Context: 128}, serve.Options{})
	vector := func(more string) (out []float64) {
		_, r := post(t, url+"/v1/embeddings", `{"input":"ab"`+more+`}`)
		for _, v := range r["data"].([]any)[0].(map[string]any)["embedding"].([]any) {
			out = append(out, v.(float64))
		}
		return out
	}
	whole, short := vector(``), vector(`,"dimensions":5`)
	require.Equal(t, whole, vector(fmt.Sprintf(`,"dimensions":%d`, m.Width)))
	require.Len(t, short, 5)
	sum := 0.0
	for i, v := range short {
		sum += v * v
		require.InDelta(t, whole[i]/whole[0], v/short[0], 1e-5)
	}
	require.InDelta(t, 1, sum, 1e-5)
	for _, n := range []int{0, m.Width + 1} {
		status, r := post(t, url+"/v1/embeddings", fmt.Sprintf(`{"input":"ab","dimensions":%d}`, n))
		require.Equal(t, 400, status)
		require.Contains(t, r["error"].(map[string]any)["message"], fmt.Sprintf("dimensions is %d, want 1 to %d", n, m.Width))
	}
}
