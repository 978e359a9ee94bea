package traffic_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/llm"
	"github.com/go-acap/acap/llm/account"
	"github.com/go-acap/acap/llm/llmtest"
	"github.com/go-acap/acap/llm/traffic"
	"github.com/go-acap/acap/llm/traffic/trafficplot"
)

// TestPoisson: gaps have the mean of the rate and, as an exponential distribution has, as large a deviation.
func TestPoisson(t *testing.T) {
	list := traffic.Poisson(4, 20000, 3, 10, 20)
	last, sum, squares := 0.0, 0.0, 0.0
	for _, r := range list {
		gap := r.Arrival - last
		last, sum, squares = r.Arrival, sum+gap, squares+gap*gap
		require.Equal(t, [2]int{10, 20}, [2]int{r.Prompt, r.Answer})
	}
	mean := sum / 20000
	require.InEpsilon(t, 0.25, mean, 0.03)
	require.InEpsilon(t, 2*mean*mean, squares/20000, 0.06)
	require.Equal(t, list, traffic.Poisson(4, 20000, 3, 10, 20))
	require.NotEqual(t, list, traffic.Poisson(4, 20000, 4, 10, 20))
}

func TestRead(t *testing.T) {
	list, err := traffic.Read(strings.NewReader("# ours\narrival,prompt,answer,shared,group\n2.5,10,3,4,1\n3,20,0,0,0\n"))
	require.NoError(t, err)
	require.Equal(t, []llm.Request{{Prompt: 10, Answer: 3, Shared: 4, Group: 1}, {Arrival: 0.5, Prompt: 20, Answer: 1}}, list)
	list, err = traffic.Read(strings.NewReader("TIMESTAMP,ContextTokens,GeneratedTokens\n2023-11-16 18:15:46.6805900,374,44\n2023-11-16 18:15:50.9951690,396,109\n"))
	require.NoError(t, err)
	require.Equal(t, []int{374, 44, 396, 109}, []int{list[0].Prompt, list[0].Answer, list[1].Prompt, list[1].Answer})
	require.InDelta(t, 4.314579, list[1].Arrival, 1e-6)
	for text, want := range map[string]string{
		"":                               "no line with the names",
		"arrival,prompt\n":               "no column answer (or generatedtokens",
		"arrival,prompt,answer\n":        "no requests",
		"arrival,prompt,answer\nx,1,1\n": `2:1: arrival: "x" is neither`,
		"arrival,prompt,answer\n1,1\n":   "wrong number of fields",
		"arrival,prompt,answer\n1,1,-1\n2,-1,-1\n": "2:5: answer is",
		"arrival,answer,prompt\n1,-1,-1\n":         "2:6: prompt is",
		"arrival,prompt,answer\n1,-1,1\n":          "2:3: prompt is",
	} {
		_, err := traffic.Read(strings.NewReader(text))
		require.ErrorContains(t, err, want, text)
	}
}

// TestSummarize: by hand.
func TestSummarize(t *testing.T) {
	s := traffic.Summarize(&llm.Traffic{Seconds: 10, Joules: 6, Busy: []float64{4, 6}, Served: []llm.Served{
		{Request: llm.Request{Arrival: 1}, Tokens: []float64{2, 4, 5}},
		{Request: llm.Request{Arrival: 2}, Tokens: []float64{5, 6, 10}},
		{Refused: "no"}}})
	require.Equal(t, traffic.Percentiles{Count: 2, Mean: 2, P50: 1, P90: 3, P95: 3, P99: 3, Most: 3}, s.First)
	require.Equal(t, traffic.Percentiles{Count: 4, Mean: 2, P50: 1, P90: 4, P95: 4, P99: 4, Most: 4}, s.Between)
	require.Equal(t, traffic.Percentiles{Count: 2, Mean: 6, P50: 4, P90: 8, P95: 8, P99: 8, Most: 8}, s.Whole)
	require.Equal(t, 1, s.Refused)
	require.Equal(t, "no", s.Refusal)
	require.Equal(t, []float64{0.6, 1, 0.5}, []float64{s.TokensPerSecond, s.JoulesPerToken, s.Busy})
}

// TestServer: a request alone waits for the pass of its prompt, and for a pass for each token.
func TestServer(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "m.gguf")
	require.NoError(t, llmtest.WriteGGUF(path, llmtest.Small))
	o, err := llm.Inspect(path)
	require.NoError(t, err)
	m, err := machine.Preset("npu1")
	require.NoError(t, err)
	s, err := traffic.Server(o, m, llm.Simulation{Context: 256})
	require.NoError(t, err)
	got, err := s.Simulate(context.Background(), []llm.Request{{Arrival: 3, Prompt: 32, Answer: 3}})
	require.NoError(t, err)
	a := account.New(o, m)
	prompt, err := a.Pass(llm.Pass{Sequences: 1, Tokens: 32, Seen: 256})
	require.NoError(t, err)
	token, err := a.Pass(llm.Pass{Sequences: 1, Tokens: 1, Seen: 256})
	require.NoError(t, err)
	require.InDeltaSlice(t, []float64{3 + prompt.Seconds, 3 + prompt.Seconds + token.Seconds, 3 + prompt.Seconds + 2*token.Seconds}, got.Served[0].Tokens, 1e-12)
	require.InDelta(t, prompt.Joules+2*token.Joules, got.Joules, 1e-12)
	svg := filepath.Join(dir, "p.svg")
	require.NoError(t, trafficplot.Plot(got, "a title", svg))
	drawn, err := os.ReadFile(svg)
	require.NoError(t, err)
	require.Contains(t, string(drawn), "a title")
	require.Contains(t, traffic.Summarize(got).String(), "1 requests in")
	require.Error(t, trafficplot.Plot(new(llm.Traffic), "", svg))
	_, err = traffic.Server(o, m, llm.Simulation{Context: 99999})
	require.ErrorContains(t, err, "was made for up to 2048")
}
