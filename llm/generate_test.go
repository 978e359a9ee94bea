package llm_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/llm"
	"github.com/go-acap/acap/llm/grammar"
	"github.com/go-acap/acap/llm/llmtest"
)

// small writes a small model and loads it.
func small(t testing.TB, o llm.LoadOptions) *llm.Model {
	path := llmtest.File(t, llmtest.Small)
	m, err := llm.Load(path, o)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, m.Close()) })
	return m
}

func tokensOf(t testing.TB, m *llm.Model, prompt string, o llm.Options) (tokens []int) {
	a, err := llm.Complete(m.Generate(context.Background(), prompt, o))
	require.NoError(t, err)
	for _, p := range a.Pieces {
		tokens = append(tokens, p.Token)
	}
	return tokens
}

// TestFileAndFolder: a model says the same out of a GGUF file, where rows of queries and keys are in another order, and
// out of a folder.
func TestFileAndFolder(t *testing.T) {
	dir := llmtest.Folder(t, llmtest.Small)
	folder, err := llm.Load(dir, llm.LoadOptions{Context: 256})
	require.NoError(t, err)
	defer folder.Close()
	file := small(t, llm.LoadOptions{Context: 256})
	prompt := []int{1, 260, 270, 44, 280, 300}
	for _, m := range []*llm.Model{folder, file} {
		require.True(t, m.HasTemplate())
	}
	ask := func(m *llm.Model) (tokens []int, logs []float64) {
		for p, err := range m.GenerateTokens(context.Background(), prompt, llm.Options{MaxTokens: 12, Logprobs: 1, IgnoreEnd: true}) {
			require.NoError(t, err)
			tokens, logs = append(tokens, p.Token), append(logs, p.Logprob)
		}
		return tokens, logs
	}
	a, x := ask(folder)
	b, y := ask(file)
	require.Equal(t, a, b)
	require.InDeltaSlice(t, x, y, 1e-4)
}

// TestNothingIsCompiledLater: after the second token no program is compiled, and the context is used up to its end.
func TestNothingIsCompiledLater(t *testing.T) {
	m := small(t, llm.LoadOptions{Context: 1200})
	metrics := lazy.For(acap.Device()).Metrics
	after, n := 0, 0
	for p, err := range m.Generate(context.Background(), "ab cd", llm.Options{IgnoreEnd: true}) {
		require.NoError(t, err)
		if n++; n == 3 {
			after = int(metrics().CompiledPrograms)
		}
		if p.Finish != "" {
			require.Equal(t, "length", p.Finish)
		}
	}
	require.Greater(t, n, 1000)
	require.EqualValues(t, after, metrics().CompiledPrograms)
}

// TestTogether: sequences in one batch give the tokens of each sequence alone, for any shared prefixes and any number
// of pages.
func TestTogether(t *testing.T) {
	alone := small(t, llm.LoadOptions{Context: 256})
	together := small(t, llm.LoadOptions{Context: 256, Sequences: 4, CacheTokens: 288})
	prefix := strings.Repeat("ab cd ef ", 8)
	prompts := []string{prefix + "x", prefix + "yy", "zz", prefix + "x", "q w e r", prefix + "zzz", "ab"}
	want := make([][]int, len(prompts))
	for i, p := range prompts {
		want[i] = tokensOf(t, alone, p, llm.Options{MaxTokens: 60, IgnoreEnd: true})
		require.Len(t, want[i], 60)
	}
	var wait sync.WaitGroup
	got := make([][]int, len(prompts))
	for i, p := range prompts {
		wait.Go(func() { got[i] = tokensOf(t, together, p, llm.Options{MaxTokens: 60, IgnoreEnd: true}) })
	}
	wait.Wait()
	require.Equal(t, want, got)
	s := together.Stats()
	require.Zero(t, s.Running)
	require.Equal(t, s.Pages, s.FreePages, "all pages are given back")
	require.Positive(t, s.Preempted, "there were too few pages")
	require.Equal(t, want[0], tokensOf(t, together, prompts[0], llm.Options{MaxTokens: 60, IgnoreEnd: true}))
	require.Greater(t, together.Stats().ReusedTokens, s.ReusedTokens, "the prefix was in the cache")
}

// TestDraft: with a draft model the answer is the same, and some guesses of a draft that is the model itself are right.
func TestDraft(t *testing.T) {
	other := llmtest.Small
	other.Seed = 2
	path := llmtest.File(t, other)
	want := tokensOf(t, small(t, llm.LoadOptions{Context: 256}), "ab cd", llm.Options{MaxTokens: 50, IgnoreEnd: true})
	bad := small(t, llm.LoadOptions{Context: 256, Draft: path, DraftTokens: 3})
	require.Equal(t, want, tokensOf(t, bad, "ab cd", llm.Options{MaxTokens: 50, IgnoreEnd: true}))
	require.NoError(t, llmtest.WriteGGUF(path, llmtest.Small))
	good := small(t, llm.LoadOptions{Context: 256, Draft: path, DraftTokens: 3})
	require.Equal(t, want, tokensOf(t, good, "ab cd", llm.Options{MaxTokens: 50, IgnoreEnd: true}))
	s := good.Stats()
	require.Equal(t, s.DraftedTokens, s.AcceptedTokens)
	require.Less(t, s.Passes, 100)
	other.Vocabulary = 330
	require.NoError(t, llmtest.WriteGGUF(path, other))
	file := llmtest.File(t, llmtest.Small)
	_, err := llm.Load(file, llm.LoadOptions{Draft: path})
	require.ErrorContains(t, err, "needs the same vocabulary")
}

// TestStops: an answer ends in front of a text, also of one that comes in pieces.
func TestStops(t *testing.T) {
	m := small(t, llm.LoadOptions{Context: 256})
	a, err := llm.Complete(m.Generate(context.Background(), "ab", llm.Options{MaxTokens: 40, IgnoreEnd: true}))
	require.NoError(t, err)
	require.Equal(t, "length", a.Finish)
	at := len(a.Text) / 2
	for !(a.Text[at] < 128) || !(a.Text[at+3] < 128) {
		at++
	}
	stop := a.Text[at : at+4]
	b, err := llm.Complete(m.Generate(context.Background(), "ab", llm.Options{MaxTokens: 40, IgnoreEnd: true, Stop: []string{"never there", stop}}))
	require.NoError(t, err)
	require.Equal(t, "stop", b.Finish)
	require.Equal(t, a.Text[:strings.Index(a.Text, stop)], b.Text)
}

// TestEndsOutsideVocabulary: a folder that names tokens which its model does not have, such as -1 for none, generates
// as others do.
func TestEndsOutsideVocabulary(t *testing.T) {
	dir := llmtest.Folder(t, llmtest.Small)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "generation_config.json"), []byte(`{"eos_token_id":[-1,99999]}`), 0o644))
	m, err := llm.Load(dir, llm.LoadOptions{Context: 64})
	require.NoError(t, err)
	defer m.Close()
	require.Len(t, tokensOf(t, m, "ab", llm.Options{MaxTokens: 3, IgnoreEnd: true}), 3)
}

// TestCancel: the end of the loop and of the context give the pages back.
func TestCancel(t *testing.T) {
	m := small(t, llm.LoadOptions{Context: 512, Sequences: 2})
	for range m.Generate(context.Background(), "ab", llm.Options{IgnoreEnd: true}) {
		break
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	n := 0
	for _, err := range m.Generate(ctx, "ab", llm.Options{IgnoreEnd: true}) {
		if n++; n == 3 {
			cancel()
		}
		if err != nil {
			require.ErrorIs(t, err, context.Canceled)
		}
	}
	require.Len(t, tokensOf(t, m, "ab", llm.Options{MaxTokens: 5, IgnoreEnd: true}), 5)
	require.Eventually(t, func() bool { s := m.Stats(); return s.Running == 0 && s.FreePages == s.Pages }, 10e9, 1e6)
}

// TestGrammar: an answer obeys its grammar, whatever the model would say.
func TestGrammar(t *testing.T) {
	m := small(t, llm.LoadOptions{Context: 256})
	g, err := grammar.Parse(`root ::= "yes" | "no" [0-9]{2}`)
	require.NoError(t, err)
	for seed := range 5 {
		a, err := llm.Complete(m.Generate(context.Background(), "ab", llm.Options{MaxTokens: 40, Grammar: g, Sampling: llm.Sampling{Temperature: 2, Seed: uint64(seed + 1)}}))
		require.NoError(t, err)
		require.Regexp(t, `^(yes|no[0-9]{2})$`, a.Text)
		require.Equal(t, "stop", a.Finish)
	}
}

// TestGrammarOfTokens: an answer obeys rules that name tokens. The tokens are llama-server's, but where it ends with an
// error.
func TestGrammarOfTokens(t *testing.T) {
	m := small(t, llm.LoadOptions{Context: 256})
	for rules, want := range map[string][]int{
		`root ::= <[5]> <[70]>`:                            {5, 70},
		`root ::= <unk> "a"`:                               {0, 259},
		`root ::= <s> "a" <[260]>`:                         {1, 259, 260},
		`root ::= !<[260]>{3} <[259]>`:                     {19, 19, 19, 259},
		`root ::= !<[19]>* <[19]> "x"`:                     {19, 123},
		`root ::= !</s>{3}`:                                {19, 19, 19},
		`root ::= ("a" | !<[259]>){2}`:                     {19, 19},
		`root ::= [a-c] !<[260]> "\u00e9"`:                 {101, 316, 198, 172},
		"root ::= <unk> body <s> .{2}\nbody ::= !<s>{2,4}": {0, 19, 316, 19, 6, 1, 83, 221},
		`root ::= "a" </s>`:                                {259, 2},   // llama-server has an error
		`root ::= "a" </s> "b"`:                            {259, 2},   // and this
		`root ::= <[229]> "b"`:                             {229, 101}, // and this: a token is whole though its text is the beginning of a character
		`root ::= (. | <[229]>) "b"`:                       {19, 101},  // and this
	} {
		g, err := grammar.ParseTokens(rules, m.Tokenizer())
		require.NoError(t, err, rules)
		var got []int
		for p, err := range m.GenerateTokens(t.Context(), []int{65, 66, 67}, llm.Options{MaxTokens: 8, Grammar: g}) {
			require.NoError(t, err, rules)
			got = append(got, p.Token)
		}
		require.Equal(t, want, got, rules)
	}
	g, err := grammar.ParseTokens(`root ::= <s>`, small(t, llm.LoadOptions{}).Tokenizer())
	require.NoError(t, err)
	require.ErrorContains(t, firstError(m.Generate(t.Context(), "ab", llm.Options{Grammar: g})), "another vocabulary")
}

// TestMisuse: what cannot be generated is an error with its cause.
func TestMisuse(t *testing.T) {
	m := small(t, llm.LoadOptions{Context: 64})
	for want, f := range map[string]func() error{
		"leaves no room": func() error { return firstError(m.GenerateTokens(t.Context(), make([]int, 64), llm.Options{})) },
		"is empty":       func() error { return firstError(m.GenerateTokens(t.Context(), nil, llm.Options{})) },
		"token 999999":   func() error { return firstError(m.GenerateTokens(t.Context(), []int{999999}, llm.Options{})) },
		"MaxTokens is":   func() error { return firstError(m.Generate(t.Context(), "a", llm.Options{MaxTokens: -1})) },
		"no such file":   func() error { _, err := llm.Load("missing.gguf", llm.LoadOptions{}); return err },
		"CacheTokens is -5, want": func() error {
			path := llmtest.File(t, llmtest.Small)
			_, err := llm.Load(path, llm.LoadOptions{CacheTokens: -5})
			return err
		},
	} {
		require.ErrorContains(t, f(), want)
	}
	require.NoError(t, m.Close())
	require.ErrorIs(t, firstError(m.Generate(t.Context(), "a", llm.Options{})), llm.ErrClosed)
	_, err := m.Embed(t.Context(), "a")
	require.ErrorIs(t, err, llm.ErrClosed)
}

func firstError(pieces func(func(llm.Piece, error) bool)) (err error) {
	for _, e := range pieces {
		err = e
	}
	return err
}

// TestEmbedBesideGeneration: many goroutines may ask for embeddings of many lengths while sequences are computed.
func TestEmbedBesideGeneration(t *testing.T) {
	m := small(t, llm.LoadOptions{Context: 256, Sequences: 2})
	want := map[int][]float32{}
	for n := 1; n <= 128; n *= 2 {
		v, err := m.EmbedTokens(make([]int, n))
		require.NoError(t, err)
		want[n] = v
	}
	other := small(t, llm.LoadOptions{Context: 256, Sequences: 2})
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			for n := 1; n <= 128; n *= 2 {
				v, err := other.EmbedTokens(make([]int, n))
				assert.NoError(t, err)
				assert.Equal(t, want[n], v)
			}
		})
	}
	wait.Go(func() {
		_, err := llm.Complete(other.Generate(context.Background(), "ab", llm.Options{MaxTokens: 20, IgnoreEnd: true}))
		assert.NoError(t, err)
	})
	wait.Wait()
}

// TestEmbed: vectors have length 1, and equal texts equal vectors.
func TestEmbed(t *testing.T) {
	m := small(t, llm.LoadOptions{Context: 64})
	v, err := m.Embed(context.Background(), "ab cd", "ab cd", "x")
	require.NoError(t, err)
	require.Equal(t, v[0], v[1])
	require.NotEqual(t, v[0], v[2])
	sum := float32(0)
	for _, x := range v[2] {
		sum += x * x
	}
	require.InDelta(t, 1, sum, 1e-5)
	require.False(t, slices.Contains(v[0], 0))
}
