package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"os/exec"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/inputfile"
	"github.com/go-acap/acap/cmd/acap/commandline"
	"github.com/go-acap/acap/llm"
	"github.com/go-acap/acap/text/tokenizer"
)

func init() {
	register(command{"divergence", "compare a language model's probabilities with those of exact products, beside llama.cpp", divergence})
}

// divergenceRows are compared: the tokens behind prompts, which many rows at once compute, and the tokens behind one token more.
type divergenceRows struct{ prompt, answer []float64 }

// divergenceStep is how many tokens a prompt has more than the one before it. A sequence that has them all has whole pages of the cache.
const divergenceStep = 32

// divergenceBench is what divergence is asked for.
type divergenceBench struct {
	languageFlags
	rows, seeds int
	seed        int
	text        string
	llama       bool
}

func divergence(args []string) error {
	var b divergenceBench
	f := newFlags("divergence", "MODEL [-rows N] [-text FILE] [flags]")
	b.flags(f)
	f.IntVar(&b.rows, "rows", 16, "how `many` prompts are compared, each 32 tokens longer than the one before it")
	f.IntVar(&b.seed, "seed", 0, "the `number` of the tokens by chance: another one chooses others")
	f.IntVar(&b.seeds, "seeds", 1, "compare the prompts of so `many` numbers, from -seed on")
	f.StringVar(&b.text, "text", "", "a `file` whose text is the prompt; without it the prompt is tokens by chance")
	f.BoolVar(&b.llama, "llama", true, "compare llama-server as well, if it is on the path and the model is a GGUF file")
	path, err := parseOne(f, args)
	if err != nil {
		return err
	}
	if b.rows < 1 {
		return commandline.Errorf("-rows is %d, want at least 1", b.rows)
	}
	if b.seed < 0 {
		return commandline.Errorf("-seed is %d, want at least 0", b.seed)
	}
	if b.seeds < 1 || b.text != "" && b.seeds > 1 {
		return commandline.Errorf("-seeds is %d, want at least 1, and 1 for a text", b.seeds)
	}
	if b.how.Exact && (b.cache == "" || b.cache == dtype.F32.String()) {
		return commandline.Errorf("-exact compares exact products with themselves")
	}
	if b.how.Context == 0 {
		b.how.Context = divergenceStep*b.rows + 2
	}
	prompts, exact, err := b.exact(path)
	if err != nil {
		return err
	}
	m, err := b.load(path)
	if err != nil {
		return err
	}
	whole := wholeToken(m.Tokenizer())
	fast, err := compareRows(exact, prompts, func(tokens []int) ([]float64, error) { return logprobs(m, tokens) })
	m.Close()
	if err != nil {
		return err
	}
	var peer *divergenceRows
	if program, err := exec.LookPath("llama-server"); b.llama && err == nil && strings.HasSuffix(path, ".gguf") {
		server, err := startLlamaServer(program, path, b.how.Context)
		if err != nil {
			return err
		}
		peer, err = compareRows(exact, prompts, func(tokens []int) ([]float64, error) { return server.logprobs(tokens, whole, len(exact[0])) })
		server.stop()
		if err != nil {
			return err
		}
	}
	fmt.Fprintf(stdout, "%s: mean of %d divergences from exact products\n", path, b.rows*b.seeds)
	row := func(name string, own, other []float64) {
		m, e := mean(own)
		fmt.Fprintf(stdout, "%-34s %9.2e ±%3.0f%%", name, m, 100*e)
		if other != nil {
			n, e := mean(other)
			fmt.Fprintf(stdout, "  llama.cpp %9.2e ±%3.0f%%  ratio %.3f ±%.3f", n, 100*e, m/n, ratioError(own, other))
		}
		fmt.Fprintln(stdout)
	}
	if peer == nil {
		peer = new(divergenceRows)
	}
	row("behind a prompt", fast.prompt, peer.prompt)
	row("behind a token more", fast.answer, peer.answer)
	return stdout.err
}

// exact returns the longest prompts, and the exact rows: two a prompt.
func (b *divergenceBench) exact(path string) (prompts [][]int, rows [][]float64, err error) {
	how := b.languageFlags
	how.how.Exact, how.cache = true, dtype.F32.String()
	m, err := how.load(path)
	if err != nil {
		return nil, nil, err
	}
	defer m.Close()
	if prompts, err = b.prompts(m); err != nil {
		return nil, nil, err
	}
	err = eachPrompt(prompts, func(tokens []int) error {
		row, err := logprobs(m, tokens)
		rows = append(rows, row)
		return err
	})
	return prompts, rows, err
}

// prompts are the tokens that prompts are the beginnings of.
func (b *divergenceBench) prompts(m *llm.Model) (list [][]int, err error) {
	most := divergenceStep*b.rows + 1
	if b.text == "" {
		for i := range b.seeds {
			list = append(list, chanceTokens(most, b.seed+i, m.Tokenizer().Size()))
		}
		return list, nil
	}
	data, err := inputfile.ReadText(b.text)
	if err != nil {
		return nil, err
	}
	tokens := m.Tokenizer().Encode(string(data), tokenizer.EncodeOptions{Special: true, Literal: true, Whole: true})
	if len(tokens) < most {
		return nil, fmt.Errorf("%s has %d tokens, which is enough for %d rows: ask for fewer by -rows", b.text, len(tokens),
			(len(tokens)-1)/divergenceStep)
	}
	return [][]int{tokens[:most]}, nil
}

// eachPrompt calls f for each prompt, and for each prompt with the token behind it.
func eachPrompt(prompts [][]int, f func([]int) error) error {
	for _, tokens := range prompts {
		for n := divergenceStep; n < len(tokens); n += divergenceStep {
			if err := errors.Join(f(tokens[:n]), f(tokens[:n+1])); err != nil {
				return err
			}
		}
	}
	return nil
}

// compareRows returns the divergences of what f makes of each prompt from the exact rows.
func compareRows(exact [][]float64, prompts [][]int, f func([]int) ([]float64, error)) (*divergenceRows, error) {
	var d divergenceRows
	count := 0
	err := eachPrompt(prompts, func(tokens []int) error {
		row, err := f(tokens)
		if err != nil {
			return err
		}
		list := &d.prompt
		if count%2 == 1 {
			list = &d.answer
		}
		*list = append(*list, kullbackLeibler(exact[count], row))
		count++
		return nil
	})
	return &d, err
}

// kullbackLeibler is how far probabilities are from the right ones. Both are logarithms. The terms q-p, whose sum is 0, are left in, so that
// rounding of small divergences does not cancel.
func kullbackLeibler(right, other []float64) (sum float64) {
	for i, p := range right {
		d := other[i] - p
		sum += math.Exp(p) * (math.Expm1(d) - d)
	}
	return sum
}

// mean of some numbers, and the error of the mean that their spread tells, as a share of the mean.
func mean(list []float64) (mean, share float64) {
	n, square := float64(len(list)), 0.0
	for _, v := range list {
		mean += v / n
	}
	for _, v := range list {
		square += (v - mean) * (v - mean)
	}
	if mean == 0 || n < 2 {
		return mean, 0
	}
	return mean, math.Sqrt(square/(n*(n-1))) / mean
}

// ratioError is the error of the ratio of the means of two divergences, row by row, of the first order. Rows that are far
// from the exact ones are so for both, so that it is smaller than those of the means.
func ratioError(own, other []float64) float64 {
	m, _ := mean(own)
	n, _ := mean(other)
	count, square := float64(len(own)), 0.0
	if count < 2 || n == 0 {
		return 0
	}
	for i, v := range own {
		d := v - float64(m/n*other[i])
		square += float64(d * d)
	}
	return math.Sqrt(square/(count*(count-1))) / n
}

// logprobs are the logarithms of the probabilities of all tokens behind some.
func logprobs(m *llm.Model, tokens []int) ([]float64, error) {
	answer, err := llm.Complete(m.GenerateTokens(context.Background(), tokens, llm.Options{MaxTokens: 1, Logprobs: m.Vocabulary + 1}))
	if err != nil {
		return nil, err
	}
	list := make([]float64, m.Vocabulary)
	for _, c := range answer.Pieces[0].Top {
		list[c.Token] = c.Logprob
	}
	return list, nil
}

// llamaServer is llama.cpp's server of a model.
type llamaServer struct {
	process *exec.Cmd
	address string
	log     bytes.Buffer
	ended   chan struct{}
}

// startLlamaServer runs the server until it answers.
func startLlamaServer(program, path string, context int) (*llamaServer, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &llamaServer{address: listener.Addr().String(), ended: make(chan struct{})}
	listener.Close()
	_, port, _ := net.SplitHostPort(s.address)
	s.process = exec.Command(program, "-m", path, "--port", port, "-c", strconv.Itoa(context), "-t", strconv.Itoa(threads()), "-np", "1")
	s.process.Stderr = &s.log
	if err := s.process.Start(); err != nil {
		return nil, err
	}
	go func() { _ = s.process.Wait(); close(s.ended) }()
	for {
		if r, err := http.Get("http://" + s.address + "/health"); err == nil {
			r.Body.Close()
			if r.StatusCode == http.StatusOK {
				return s, nil
			}
		}
		select {
		case <-s.ended:
			return nil, fmt.Errorf("llama-server ended: %s", lastLine(s.log.String()))
		case <-time.After(50 * time.Millisecond):
		}
	}
}

func (s *llamaServer) stop() {
	_ = s.process.Process.Kill()
	<-s.ended
}

// wholeToken is a token that is a text of its own, and no part of a character.
func wholeToken(t *tokenizer.Tokenizer) int {
	for id := range t.Size() {
		if text := t.Decode([]int{id}, false); text != "" && !strings.ContainsRune(text, utf8.RuneError) {
			return id
		}
	}
	return 0
}

// logprobs are the logarithms of the probabilities of all tokens behind some. The server chooses a token that is a text, because it tells no
// probabilities beside the end of an answer or a part of a character. The probabilities are those of scores before the bias.
func (s *llamaServer) logprobs(tokens []int, whole, vocabulary int) ([]float64, error) {
	ask, err := json.Marshal(map[string]any{"prompt": tokens, "n_predict": 1, "n_probs": vocabulary, "cache_prompt": true, "temperature": 0,
		"logit_bias": [][]any{{whole, 1e6}}})
	if err != nil {
		return nil, err
	}
	r, err := http.Post("http://"+s.address+"/completion", "application/json", bytes.NewReader(ask))
	if err != nil {
		return nil, fmt.Errorf("llama-server: %w", err)
	}
	defer r.Body.Close()
	data, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, fmt.Errorf("llama-server: %w", err)
	}
	var answer struct {
		Tokens []struct {
			Top []struct {
				ID      int     `json:"id"`
				Logprob float64 `json:"logprob"`
			} `json:"top_logprobs"`
		} `json:"completion_probabilities"`
	}
	if err := json.Unmarshal(data, &answer); err != nil {
		return nil, fmt.Errorf("llama-server: %w", err)
	}
	if r.StatusCode != http.StatusOK || len(answer.Tokens) == 0 || len(answer.Tokens[0].Top) != vocabulary {
		return nil, fmt.Errorf("llama-server answered %s, without the probabilities of %d tokens: %.200s", r.Status, vocabulary, data)
	}
	list := make([]float64, vocabulary)
	for _, t := range answer.Tokens[0].Top {
		list[t.ID] = t.Logprob
	}
	return list, nil
}
