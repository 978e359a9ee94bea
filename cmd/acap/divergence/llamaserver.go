package divergence

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os/exec"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-acap/acap/cmd/acap/bandwidth"
	"github.com/go-acap/acap/cmd/acap/pypeer"
	"github.com/go-acap/acap/text/tokenizer"
)

// Server is llama.cpp's server of a model.
type Server struct {
	process *exec.Cmd
	address string
	log     bytes.Buffer
	ended   chan struct{}
}

// StartServer runs the server until it answers.
func StartServer(program, path string, context int) (*Server, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &Server{address: listener.Addr().String(), ended: make(chan struct{})}
	listener.Close()
	_, port, _ := net.SplitHostPort(s.address)
	s.process = exec.Command(program, "-m", path, "--port", port, "-c", strconv.Itoa(context), "-t", strconv.Itoa(bandwidth.Threads()), "-np", "1")
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
			return nil, fmt.Errorf("llama-server ended: %s", pypeer.LastLine(s.log.String()))
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// Stop ends the server.
func (s *Server) Stop() {
	_ = s.process.Process.Kill()
	<-s.ended
}

// WholeToken is a token that is a text of its own, and no part of a character.
func WholeToken(t *tokenizer.Tokenizer) int {
	for id := range t.Size() {
		if text, err := t.Decode([]int{id}, false); err == nil && text != "" && !strings.ContainsRune(text, utf8.RuneError) {
			return id
		}
	}
	return 0
}

// Logprobs are the logarithms of the probabilities of all tokens behind some. The server chooses a token that is a
// text, because it tells no probabilities beside the end of an answer or a part of a character. The probabilities come
// from scores before the bias.
func (s *Server) Logprobs(tokens []int, whole, vocabulary int) ([]float64, error) {
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
