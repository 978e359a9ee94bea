package main

import (
	"crypto/rand"
	"encoding/json"
	"flag"
	"io"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/cmd/acap/commandline"
	"github.com/go-acap/acap/cmd/acap/languagebench"
	"github.com/go-acap/acap/llm"
	"github.com/go-acap/acap/llm/fit"
	"github.com/go-acap/acap/llm/llmtest"
)

// TestLanguageCommands runs the command of docs/llm.md, and the others, on a small model.
func TestLanguageCommands(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "model.gguf")
	require.NoError(t, llmtest.WriteGGUF(path, llmtest.Small))
	page, err := os.ReadFile("../../docs/llm.md")
	require.NoError(t, err)
	found := regexp.MustCompile(`(?m)^    acap generate model\.gguf -p "([^"]*)" -n (\d+)$`).FindStringSubmatch(string(page))
	require.NotNil(t, found)
	out, errs, status := invoke(t, "generate", path, "-p", found[1], "-n", found[2])
	require.Zero(t, status, errs)
	require.True(t, strings.HasPrefix(out, found[1]), out)
	require.Greater(t, len(out), len(found[1])+20)

	one, errs, status := invoke(t, "generate", path, "-p", "ab", "-n", "12", "-temp", "1", "-top-p", "0")
	require.Zero(t, status, errs)
	likeliest, _, _ := invoke(t, "generate", path, "-p", "ab", "-n", "12")
	require.Equal(t, likeliest, one, "a share of zero leaves the likeliest token")

	schema := filepath.Join(dir, "s.json")
	require.NoError(t, os.WriteFile(schema, []byte(`{"type":"object","properties":{"a":{"type":"boolean"}},"required":["a"],"additionalProperties":false}`), 0o644))
	out, errs, status = invoke(t, "generate", path, "-p", "x", "-schema", schema, "-temp", "1", "-seed", "5")
	require.Zero(t, status, errs)
	require.Regexp(t, `^x\{\s*"a":\s?(true|false)\s*\}\s*$`, out)

	out, errs, status = invoke(t, "bench-llm", path, "-p", "8", "-n", "4", "-rounds", "1", "-llama=false", "-clients", "3", "-json")
	require.Zero(t, status, errs)
	var figures languagebench.Figures
	require.NoError(t, json.Unmarshal([]byte(out), &figures))
	require.Positive(t, figures.Decode)
	require.Positive(t, figures.FileBandwidth)
	require.Equal(t, figures.Decode*float64(figures.WeightBytes), figures.WeightsRead)
	require.Equal(t, 3, figures.Clients.Count)
	require.Equal(t, figures.Clients.Together/figures.Clients.Alone, figures.Clients.Times)
	require.Nil(t, figures.Llama)
	out, errs, status = invoke(t, "divergence", path, "-rows", "1", "-seeds", "2", "-llama=false", "-cache-type", "f32")
	require.Zero(t, status, errs)
	require.Contains(t, out, "mean of 2 divergences")
	require.Regexp(t, `behind a prompt +0\.00e\+00.*\nbehind a token more +0\.00e\+00`, out) // nothing is packed
	for want, args := range map[string][]string{
		"no such file":               {"generate", "missing.gguf", "-p", "x"},
		"both restrict":              {"generate", path, "-p", "x", "-schema", schema, "-grammar", schema},
		"want at least 1":            {"bench-llm", path, "-p", "0"},
		"0 clients":                  {"bench-llm", path, "-clients", "0"},
		"-rows is 0":                 {"divergence", path, "-rows", "0"},
		"-seed is -1":                {"divergence", path, "-seed", "-1"},
		"-seeds is 0":                {"divergence", path, "-seeds", "0"},
		"and 1 for a text":           {"divergence", path, "-text", schema, "-seeds", "2"},
		"with themselves":            {"divergence", path, "-exact"},
		"fewer by -rows":             {"divergence", path, "-text", schema, "-rows", "50"},
		"grammar: line":              {"generate", path, "-p", "x", "-grammar", schema},
		"-grammar takes a file, and": {"generate", path, "-p", "x", "-grammar", `root ::= "a"`},
		"-schema takes a file, and":  {"generate", path, "-p", "x", "-schema", `{"type": "integer"}`},
		"-schema: open missing.json": {"generate", path, "-p", "x", "-schema", "missing.json"},
		"was made for up to":         {"generate", path, "-p", "x", "-context", "99999999"},
		"leaves no room":             {"generate", path, "-p", strings.Repeat("x", llmtest.Small.Context)},
		"-parallel is 0":             {"serve", path, "-parallel", "0"},
		"-queue is -1":               {"serve", path, "-queue", "-1"},
		"-n is -2":                   {"serve", path, "-n", "-2"},
		"-cache is -3":               {"serve", path, "-cache", "-3"},
		"-timeout is -1s":            {"serve", path, "-timeout", "-1s"},
		"-grace is -2s":              {"serve", path, "-grace", "-2s"},
		"adapter.type":               {"generate", path, "-p", "x", "-lora", path},
		"byte 0: it does not":        {"generate", schema, "-p", "x"},
		`but with "{\"ty"`:           {"generate", schema, "-p", "x"},
		"adapter.type is":            {"generate", path, "-p", "x", "-lora-scaled", path + ":0.5"},
		"scale is NaN":               {"generate", path, "-p", "x", "-lora-scaled", path + ":nan"},
		"no adapter with its":        {"generate", path, "-p", "x", "-lora-scaled", path + ":0.5," + path},
	} {
		out, errs, status := invoke(t, args...)
		require.NotZero(t, status)
		require.Contains(t, errs, want)
		require.Empty(t, out, "a prompt without an answer")
	}
	for _, command := range []string{"generate", "chat", "divergence", "bench-llm"} { // a file is named once
		_, errs, status = invoke(t, command, schema)
		require.NotZero(t, status)
		require.Equal(t, 1, strings.Count(errs, schema), errs)
	}
	_, errs, status = invoke(t, "generate", path, "-p", "x", "-lora", schema)
	require.NotZero(t, status)
	require.Equal(t, 1, strings.Count(errs, schema), errs)
}

// TestGarbage: the process of a language model keeps little garbage, unless GOGC says how much.
func TestGarbage(t *testing.T) {
	path := llmtest.File(t, llmtest.Small)
	for says, want := range map[int]int{100: 25, 60: 60} {
		var o commandline.Language
		o.Flags(flag.NewFlagSet("", flag.ContinueOnError))
		before := debug.SetGCPercent(says)
		m, err := o.Load(path)
		got := debug.SetGCPercent(before)
		require.NoError(t, err)
		require.NoError(t, m.Close())
		require.Equal(t, want, got)
	}
}

// TestRecommended: what the command line says comes before what a model recommends, and this before the defaults of
// flags.
func TestRecommended(t *testing.T) {
	var a commandline.Answer
	f := flag.NewFlagSet("generate", flag.ContinueOnError)
	a.Flags(f, 128)
	require.NoError(t, f.Parse([]string{"-top-k", "7", "-stop", "x", "-repeat-penalty", "0"}))
	o, followed := a.Over(llm.Options{Sampling: llm.Sampling{Temperature: 0.6, TopK: 20, MinP: 0.1, NoRepeat: 3, RepeatPenalty: 1.5}, Stop: []string{"y"}}, f)
	require.Equal(t, llm.Options{Sampling: llm.Sampling{Temperature: 0.6, TopK: 7, TopP: 0.95, MinP: 0.1, NoRepeat: 3}, MaxTokens: 128,
		Stop: []string{"x"}}, o)
	require.Equal(t, []string{"-min-p 0.1", "-temp 0.6"}, followed)
	f = flag.NewFlagSet("generate", flag.ContinueOnError)
	a = commandline.Answer{}
	a.Flags(f, 128)
	require.NoError(t, f.Parse([]string{"-top-p", "0"}))
	o, _ = a.Over(llm.Options{Sampling: llm.Sampling{TopP: 0.9}}, f)
	require.Positive(t, o.TopP)
	require.Less(t, o.TopP, 1e-300, "one token is left")

	dir := llmtest.Folder(t, llmtest.Small)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "generation_config.json"), []byte(`{"max_new_tokens":1,"do_sample":true,"top_k":3,"temperature":0.5}`), 0o644))
	_, errs, status := invoke(t, "generate", dir, "-p", "ab", "-temp", "0")
	require.Zero(t, status, errs)
	require.Contains(t, errs, dir+" recommends -n 1 -top-k 3\n")
}

// TestFit runs the command of docs/llm.md: the status and the numbers agree with what the page says they are.
func TestFit(t *testing.T) {
	path := llmtest.File(t, llmtest.Small)
	page, err := os.ReadFile("../../docs/llm.md")
	require.NoError(t, err)
	found := regexp.MustCompile(`(?m)^    acap fit model\.gguf (.*)$`).FindStringSubmatch(string(page))
	require.NotNil(t, found)
	out, errs, status := invoke(t, append([]string{"fit", path}, strings.Fields(found[1])...)...)
	require.Zero(t, status, errs)
	require.Contains(t, out, "of 8 GiB\n")
	out, errs, status = invoke(t, "fit", path, "-memory", "1M", "-json")
	require.Equal(t, 1, status)
	require.Contains(t, errs, "does not fit")
	var r fit.Report
	require.NoError(t, json.Unmarshal([]byte(out), &r))
	require.False(t, r.Fits)
	require.Equal(t, llmtest.Small.Context, r.Length)
	require.Nil(t, r.Token)
	cache := func(flags ...string) (n int64) {
		out, errs, status := invoke(t, append([]string{"fit", path, "-json"}, flags...)...)
		require.Zero(t, status, errs)
		require.NoError(t, json.Unmarshal([]byte(out), &r))
		for _, p := range r.Parts {
			if p.Name == "cache" {
				n = p.Bytes
			}
		}
		return n
	}
	require.EqualValues(t, 2, cache("-cache-type", "f32")/cache(), "4 bytes, and 2 where nothing is said")
	out, errs, status = invoke(t, "fit", path, "-length", "64", "-machine", "npu1", "-json")
	require.Zero(t, status, errs)
	require.NoError(t, json.Unmarshal([]byte(out), &r))
	require.Positive(t, r.Token.Seconds)
	out, errs, status = invoke(t, "fit", "../../tensor/data/digits/model.pt", "-memory", "1G")
	require.Zero(t, status, errs)
	require.Contains(t, out, "weights")
	for want, args := range map[string][]string{
		"want a size in bytes":  {path, "-memory", "much"},
		"give -machine as well": {path, "-bf16", "exact"},
		"no machine":            {path, "-machine", "abacus"},
		"give -length instead":  {path, "-shape", "1x3"},
		"is no language model":  {"../../tensor/data/digits/model.pt", "-length", "5"},
		"was made for up to":    {path, "-length", "99999"},
		"-sequences is 0, want": {path, "-sequences", "0"},
		"-length is -1, want":   {path, "-length", "-1"},
		"-cache-type is \"f8\"": {path, "-cache-type", "f8"},
		"whose blocks have 32":  {path, "-cache-type", "q8_0"},
		"and -cache-type":       {"../../tensor/data/digits/model.pt", "-cache-type", "f16"},
		"no such file":          {path[:len(path)-5], "-length", "5"},
		"without config.json":   {t.TempDir()},
	} {
		_, errs, status := invoke(t, append([]string{"fit"}, args...)...)
		require.NotZero(t, status)
		require.Contains(t, errs, want)
	}
}

// TestShowAllocates: 10,000 pieces of an answer allocate no more than its text a few times over.
func TestShowAllocates(t *testing.T) {
	defer func(kept *output) { stdout = kept }(stdout)
	stdout = &output{file: io.Discard}
	const pieces = 10_000
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	text, err := show("", func(yield func(llm.Piece, error) bool) {
		for range pieces {
			yield(llm.Piece{Text: " word"}, nil)
		}
	})
	runtime.ReadMemStats(&after)
	require.NoError(t, err)
	require.Len(t, text, 5*pieces)
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(100*5*pieces)) // each piece in front of all of the text: 250 MB
}

// TestReadPrompt: standard input without an end is refused, and a text is read whole.
func TestReadPrompt(t *testing.T) {
	text, err := readPrompt(strings.NewReader("Once upon\na time\n"))
	require.NoError(t, err)
	require.Equal(t, "Once upon\na time\n", text)
	_, err = readPrompt(rand.Reader)
	require.EqualError(t, err, "standard input has more than 16 MiB, the most of a prompt; give a shorter text")
}

// TestExposure: an address that other machines reach has a warning, with keys and without.
func TestExposure(t *testing.T) {
	of := func(ip string) net.Addr { return &net.TCPAddr{IP: net.ParseIP(ip), Port: 80} }
	require.Empty(t, exposure(of("127.0.0.1"), 0))
	require.Empty(t, exposure(of("::1"), 0))
	require.Contains(t, exposure(of("::"), 0), "give -keys")
	require.Contains(t, exposure(of("192.168.1.2"), 0), "without a key")
	require.Contains(t, exposure(of("0.0.0.0"), 1), "pass unencrypted")
}
