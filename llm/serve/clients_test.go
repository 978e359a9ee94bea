package serve_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/longtest"
	"github.com/go-acap/acap/llm"
	"github.com/go-acap/acap/llm/serve"
)

// TestManyClients: 50 clients, some of which go away, lose nothing: each answer is what its prompt has alone, all
// places are given back, and shutting down waits for answers. A long run goes on for a minute, all clients at once.
func TestManyClients(t *testing.T) {
	asks := func(k int) bool { return k < 3 }
	how := llm.LoadOptions{Context: 128, Sequences: 8}
	if longtest.On() {
		end := time.Now().Add(time.Minute)
		asks = func(int) bool { return time.Now().Before(end) }
		how.Sequences, how.CacheTokens = 50, 25*128 // half of what all of them may want
	}
	s, m, url := start(t, how, serve.Options{})
	body := func(i int) string {
		return fmt.Sprintf(`{"prompt":"%s","max_tokens":12,"temperature":0,"ignore_eos":true}`, strings.Repeat(string(rune('a'+i%5))+"b ", 1+i%7))
	}
	want := map[string]string{}
	for i := range 35 {
		status, r := post(t, url+"/v1/completions", body(i))
		require.Equal(t, 200, status, r)
		want[body(i)] = choice(r, 0)["text"].(string)
	}
	var wait sync.WaitGroup
	var asked, done, gone atomic.Int64
	for i := range 50 {
		wait.Go(func() {
			r := rand.New(rand.NewPCG(uint64(i), 5))
			for k := 0; asks(k); k++ {
				asked.Add(1)
				ctx, cancel := context.WithCancel(context.Background())
				if r.IntN(3) == 0 {
					ctx, cancel = context.WithTimeout(context.Background(), time.Duration(r.IntN(20))*time.Millisecond)
				}
				b := body(i*3 + k)
				request, err := http.NewRequestWithContext(ctx, http.MethodPost, url+"/v1/completions", bytes.NewReader([]byte(b)))
				if err != nil {
					t.Error(err)
				}
				resp, err := http.DefaultClient.Do(request)
				if err == nil {
					var out map[string]any
					if err = json.NewDecoder(resp.Body).Decode(&out); err == nil {
						done.Add(1)
						if text := choice(out, 0)["text"]; text != want[b] {
							t.Errorf("%s: %q, want %q", b, text, want[b])
						}
					}
					resp.Body.Close()
				}
				if err != nil {
					gone.Add(1)
					if ctx.Err() == nil {
						t.Error(err)
					}
				}
				cancel()
			}
		})
	}
	wait.Wait()
	require.Equal(t, asked.Load(), done.Load()+gone.Load())
	t.Logf("%d answers, %d clients went away", done.Load(), gone.Load())
	require.Positive(t, done.Load())
	require.Positive(t, gone.Load())
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	require.NoError(t, s.Shutdown(ctx))
	require.Eventually(t, func() bool { st := m.Stats(); return st.Running+st.Waiting == 0 && st.FreePages == st.Pages }, time.Minute, time.Millisecond)
	resp, err := http.Get(url + "/metrics")
	require.NoError(t, err)
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	require.Contains(t, string(text), "acap_sequences_running 0\n")
}

// TestFailedStream: where answers fail that are being streamed beside each other, the stream says so once, as an event.
func TestFailedStream(t *testing.T) {
	_, m, url := start(t, llm.LoadOptions{Context: 2048, Sequences: 2}, serve.Options{})
	resp, err := http.Post(url+"/v1/completions", "application/json", strings.NewReader(`{"prompt":"ab","n":2,"ignore_eos":true,"stream":true}`))
	require.NoError(t, err)
	defer resp.Body.Close()
	require.Equal(t, 200, resp.StatusCode)
	require.NoError(t, m.Close())
	data, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	list := strings.Split(strings.TrimSpace(string(data)), "\n\n")
	for _, line := range list {
		require.True(t, strings.HasPrefix(line, "data: {"), line)
	}
	require.Equal(t, `data: {"error":{"code":null,"message":"llm: the model is closed","param":null,"type":"server_error"}}`, list[len(list)-1])
	require.Equal(t, 1, strings.Count(string(data), `"error"`))
}

// TestQueue: a request that finds the queue full is refused at once.
func TestQueue(t *testing.T) {
	_, _, url := start(t, llm.LoadOptions{Context: 2048}, serve.Options{Queue: 1})
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, url+"/v1/completions", strings.NewReader(`{"prompt":"ab","ignore_eos":true,"stream":true}`))
	require.NoError(t, err)
	resp, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	defer resp.Body.Close()
	status, m := post(t, url+"/v1/completions", `{"prompt":"ab"}`)
	require.Equal(t, http.StatusTooManyRequests, status, m)
	cancel()
	require.Eventually(t, func() bool {
		status, _ := post(t, url+"/v1/completions", `{"prompt":"ab","max_tokens":1}`)
		return status == 200
	}, time.Minute, time.Millisecond)
}

// TestHalfSent: a server that is shutting down waits a second for the rest of a request, and for an answer as long as
// it takes.
func TestHalfSent(t *testing.T) {
	s, _, url := start(t, llm.LoadOptions{Context: 2048}, serve.Options{})
	address := strings.TrimPrefix(url, "http://")
	half, err := net.Dial("tcp", address)
	require.NoError(t, err)
	defer half.Close()
	_, err = half.Write([]byte("POST /v1/completions HTTP/1.1\r\nHost: " + address + "\r\nContent-Length: 100\r\n\r\n{"))
	require.NoError(t, err)
	late, err := net.Dial("tcp", address)
	require.NoError(t, err)
	defer late.Close()
	text := `{"prompt":[65,66],"max_tokens":300,"ignore_eos":true}`
	_, err = fmt.Fprintf(late, "POST /v1/completions HTTP/1.1\r\nHost: %s\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s", address, len(text), text[:10])
	require.NoError(t, err)
	time.Sleep(200 * time.Millisecond) // both have begun
	begin := time.Now()
	ended := make(chan error, 1)
	go func() { ended <- s.Shutdown(context.Background()) }()
	time.Sleep(100 * time.Millisecond)
	_, err = late.Write([]byte(text[10:]))
	require.NoError(t, err)
	answer, err := http.ReadResponse(bufio.NewReader(half), nil)
	require.NoError(t, err)
	require.Equal(t, http.StatusRequestTimeout, answer.StatusCode)
	require.Less(t, time.Since(begin), 10*time.Second)
	answer, err = http.ReadResponse(bufio.NewReader(late), nil)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, answer.StatusCode)
	_, err = io.ReadAll(answer.Body)
	require.NoError(t, err)
	require.NoError(t, <-ended)
}
