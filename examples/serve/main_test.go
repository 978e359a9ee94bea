package main

import (
	"bytes"
	"context"
	"encoding/json"
	"image"
	"image/png"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/data/digits"
)

// pictures are the PNG files of the ten digits.
func pictures(t *testing.T) (files [10][]byte) {
	for d := range files {
		img, err := digits.Picture(d)
		require.NoError(t, err)
		var b bytes.Buffer
		require.NoError(t, png.Encode(&b, img))
		files[d] = b.Bytes()
	}
	return files
}

func post(url string, body []byte) (digit, status int, err error) {
	r, err := http.Post(url+"/digit", "image/png", bytes.NewReader(body))
	if err != nil {
		return 0, 0, err
	}
	defer r.Body.Close()
	var reply struct{ Digit int }
	if r.StatusCode == http.StatusOK {
		err = json.NewDecoder(r.Body).Decode(&reply)
	}
	return reply.Digit, r.StatusCode, err
}

// Fifty clients at once are answered rightly, each for its own picture, by the programs
// that were compiled at the start.
func TestFiftyClients(t *testing.T) {
	const clients, each = 50, 20
	b, err := newModel(2 * time.Millisecond)
	require.NoError(t, err)
	defer b.stop()
	server := httptest.NewServer(handler(b))
	defer server.Close()
	files := pictures(t)
	compiled := lazy.For(acap.Device()).Metrics().CompiledPrograms
	runs := 0
	stop := lazy.For(acap.Device()).OnRun(func(lazy.Run) { runs++ }) // one goroutine runs batches
	start := time.Now()
	var wg sync.WaitGroup
	wrong := make(chan string, clients*each)
	for c := range clients {
		wg.Go(func() {
			for i := range each {
				d := (c + i) % 10
				if got, status, err := post(server.URL, files[d]); err != nil || status != http.StatusOK || got != d {
					wrong <- http.StatusText(status)
				}
			}
		})
	}
	wg.Wait()
	took := time.Since(start)
	stop()
	require.Empty(t, wrong)
	require.Equal(t, compiled, lazy.For(acap.Device()).Metrics().CompiledPrograms)
	require.Less(t, runs, clients*each, "requests share runs")
	t.Logf("%d requests of %d clients in %v: %.0f a second, %.1f requests a run", clients*each, clients,
		took.Round(time.Millisecond), clients*each/took.Seconds(), float64(clients*each)/float64(runs))
}

func TestRefused(t *testing.T) {
	b, err := newModel(0)
	require.NoError(t, err)
	server := httptest.NewServer(handler(b))
	defer server.Close()
	var large bytes.Buffer
	require.NoError(t, png.Encode(&large, image.NewGray(image.Rect(0, 0, 29, 28))))
	for _, body := range [][]byte{nil, []byte("no picture"), large.Bytes(), make([]byte, maxBytes+1)} {
		_, status, err := post(server.URL, body)
		require.NoError(t, err)
		require.Equal(t, http.StatusBadRequest, status)
	}
	// A request that nobody waits for is not computed; after the end none is.
	gone, leave := context.WithCancel(context.Background())
	leave()
	_, err = b.ask(gone, tensor.Zeros(1, side, side))
	require.ErrorIs(t, err, context.Canceled)
	_, err = b.ask(context.Background(), tensor.Zeros(1, side, side+20))
	require.Error(t, err, "the model's error is the answer")
	_, err = b.ask(context.Background(), tensor.Zeros(1, side, side))
	require.NoError(t, err, "and the next request has its own")
	b.stop()
	_, err = b.ask(context.Background(), tensor.Zeros(1, side, side))
	require.ErrorIs(t, err, errStopped)
}
