package main

import (
	"context"
	"errors"
	"time"

	"github.com/go-acap/acap/tensor"
)

// batcher puts inputs that come at the same time into one run of a model.
type batcher struct {
	forward func(x *tensor.Tensor) (*tensor.Tensor, error) // [N …] to [N …], for any N of sizes
	sizes   []int                                          // of batches, ascending
	wait    time.Duration                                  // for more inputs, at most
	queue   chan request
	done    chan struct{}
}

type request struct {
	ctx    context.Context
	input  *tensor.Tensor // […]
	answer chan answer
}

type answer struct {
	output []float32
	err    error
}

var errStopped = errors.New("the server is stopping")

// newBatcher starts a batcher and compiles the programs of all sizes with an input.
func newBatcher(forward func(*tensor.Tensor) (*tensor.Tensor, error), example *tensor.Tensor, wait time.Duration,
	sizes ...int) (*batcher, error) {
	b := &batcher{forward: forward, sizes: sizes, wait: wait, queue: make(chan request, 4*sizes[len(sizes)-1]),
		done: make(chan struct{})}
	for _, n := range sizes {
		list := make([]request, n)
		for i := range list {
			list[i].input = example
		}
		if _, err := b.run(list); err != nil {
			return nil, err
		}
	}
	go b.serve()
	return b, nil
}

// ask returns what the model makes of an input. It waits while the queue is full.
func (b *batcher) ask(ctx context.Context, input *tensor.Tensor) ([]float32, error) {
	r := request{ctx, input, make(chan answer, 1)}
	select {
	case b.queue <- r:
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-b.done:
		return nil, errStopped
	}
	select {
	case a := <-r.answer:
		return a.output, a.err
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-b.done:
		return nil, errStopped
	}
}

// stop ends the batcher.
func (b *batcher) stop() { close(b.done) }

// serve collects batches and runs them, one after the other.
func (b *batcher) serve() {
	for {
		var list []request
		select {
		case r := <-b.queue:
			list = append(list, r)
		case <-b.done:
			return
		}
		most := b.sizes[len(b.sizes)-1]
		late := time.After(b.wait)
	collect:
		for len(list) < most {
			select {
			case r := <-b.queue:
				list = append(list, r)
			case <-late:
				break collect
			}
		}
		b.reply(list)
	}
}

// reply runs the requests that somebody still waits for.
func (b *batcher) reply(list []request) {
	var alive []request
	for _, r := range list {
		if r.ctx.Err() == nil {
			alive = append(alive, r)
		}
	}
	if len(alive) == 0 {
		return
	}
	rows, err := b.run(alive)
	for i, r := range alive {
		a := answer{err: err}
		if err == nil {
			a.output = rows[i]
		}
		r.answer <- a
	}
}

// run computes a batch, filled up to the next size by its last input.
func (b *batcher) run(list []request) (rows [][]float32, err error) {
	size := b.sizes[len(b.sizes)-1]
	for _, n := range b.sizes {
		if n >= len(list) {
			size = n
			break
		}
	}
	inputs := make([]*tensor.Tensor, size)
	for i := range inputs {
		inputs[i] = list[min(i, len(list)-1)].input
	}
	misuse := tensor.Try(func() {
		var out *tensor.Tensor
		if out, err = b.forward(tensor.Stack(inputs)); err != nil {
			return
		}
		all := out.Float32s()
		width := len(all) / size
		for i := range list {
			rows = append(rows, all[i*width:][:width])
		}
	})
	return rows, errors.Join(err, misuse)
}
