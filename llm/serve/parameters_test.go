package serve_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/llm"
	"github.com/go-acap/acap/llm/serve"
)

// TestParameters: a biased token comes again and again, and no pair of tokens twice where a request says so. Parameters
// that name users or help to be fast change no answer.
func TestParameters(t *testing.T) {
	_, _, url := start(t, llm.LoadOptions{Context: 256}, serve.Options{})
	tokens := func(more string) []any {
		status, m := post(t, url+"/v1/completions", `{"prompt":[65,66],"temperature":0,"ignore_eos":true,"logprobs":1,
			"logit_bias":{"70":100}`+more+`}`)
		require.Equal(t, 200, status, m)
		return choice(m, 0)["logprobs"].(map[string]any)["tokens"].([]any)
	}
	biased := tokens(`,"max_tokens":1`)[0]
	twice := func(list []any) (count int) { // how often the token comes behind itself
		for i := range list[1:] {
			if list[i] == biased && list[i+1] == biased {
				count++
			}
		}
		return count
	}
	plain := tokens(`,"max_tokens":40`)
	require.Greater(t, twice(plain), 1)
	require.LessOrEqual(t, twice(tokens(`,"max_tokens":40,"no_repeat_ngram_size":2`)), 1)
	require.Equal(t, plain, tokens(`,"max_tokens":40,"user":"a","metadata":{"k":"v"},"service_tier":"auto","prompt_cache_key":"b","cache_prompt":true,"store":false`))
}

// TestTwice: a parameter that a request has twice is refused; readers of JSON differ in which of the values counts.
func TestTwice(t *testing.T) {
	_, _, url := start(t, llm.LoadOptions{Context: 64}, serve.Options{})
	status, m := post(t, url+"/v1/completions", `{"prompt":"a","max_tokens":1,"max_tokens":2}`)
	require.Equal(t, 400, status)
	require.Contains(t, m["error"].(map[string]any)["message"], `the name "max_tokens" twice`)
}
