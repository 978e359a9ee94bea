package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"image"
	"image/png"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/data"
	"github.com/go-acap/acap/tensor/data/digits"
	"github.com/go-acap/acap/tensor/nn"
)

func main() {
	log.SetFlags(0)
	address := flag.String("http", "localhost:8080", "address to listen on")
	wait := flag.Duration("wait", 2*time.Millisecond, "how long a request waits for others")
	flag.Parse()
	if err := run(*address, *wait); err != nil {
		log.Fatal(err)
	}
}

// run serves until an interrupt or a request to end the process comes, and then until the last request is answered. A
// second signal ends the process at once.
func run(address string, wait time.Duration) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	b, err := newModel(wait)
	if err != nil {
		return err
	}
	defer b.stop()
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	log.Printf("listening on %s", listener.Addr())
	return serve(ctx, listener, handler(b), usual)
}

// side is the height and width of pictures.
const side = 28

// newModel loads the model and starts its batcher.
func newModel(wait time.Duration) (*batcher, error) {
	dev := acap.Device()
	file := digits.Model()
	model, err := nn.ReadTorchScript(bytes.NewReader(file), int64(len(file)), "digits.pt", dev)
	if err != nil {
		return nil, err
	}
	forward := func(x *tensor.Tensor) (*tensor.Tensor, error) {
		out, err := model.Forward(x.To(dev))
		if err != nil {
			return nil, err
		}
		return out[0], nil
	}
	return newBatcher(forward, tensor.Zeros(1, side, side), wait, 1, 8, 32)
}

// maxBytes bounds a request.
const maxBytes = 64 << 10

// handler answers POST /digit: the body is a PNG picture of 28 × 28 pixels.
func handler(b *batcher) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /digit", func(w http.ResponseWriter, r *http.Request) {
		picture, err := read(http.MaxBytesReader(w, r.Body, maxBytes))
		if err != nil {
			status := http.StatusBadRequest
			if errors.Is(err, os.ErrDeadlineExceeded) {
				status = http.StatusRequestTimeout
			}
			http.Error(w, err.Error(), status)
			return
		}
		scores, err := b.ask(r.Context(), tensor.FromBuffer(data.Gray(picture)).View([]int{1, side, side}))
		if err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
			return
		}
		best := 0
		for i, s := range scores {
			if s > scores[best] {
				best = i
			}
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]any{"digit": best, "scores": scores})
	})
	return mux
}

// read reads a picture of the right size.
func read(r io.Reader) (image.Image, error) {
	file, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	c, err := png.DecodeConfig(bytes.NewReader(file))
	if err != nil {
		return nil, err
	}
	if c.Width != side || c.Height != side {
		return nil, fmt.Errorf("the picture is %d x %d, not %d x %d", c.Width, c.Height, side, side)
	}
	return png.Decode(bytes.NewReader(file))
}
