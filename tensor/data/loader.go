package data

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"math/rand/v2"
	"runtime"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/trace"
)

// Batch is several examples together: field k is a tensor [N …] of their fields k.
type Batch []*tensor.Tensor

// Loader makes batches of a dataset, epoch after epoch. A batch depends on the dataset, the fields of the loader and
// its position alone: not on how many goroutines read, nor on where an earlier process stopped.
//
//	loader := data.NewLoader(train, 64)
//	loader.Shuffle, loader.Device = true, acap.Device()
//	for range epochs {
//		for batch, err := range loader.Epoch(ctx) {
//			if err != nil { … }
//			x, y := batch[0], batch[1]
//
// Fields are not changed after the first batch was asked for. One goroutine at a time uses
// a loader; it leaves nothing behind that would have to be closed.
type Loader struct {
	Dataset   Dataset
	BatchSize int
	Shuffle   bool   // in another order each epoch
	Seed      uint64 // of the order and of Transform
	DropLast  bool   // leaves out a last batch that is not full: every batch has one shape

	// Workers is how many goroutines read batches at once; 0 stands for the number of
	// processors. Ahead is how many batches are read before they are asked for, at most.
	Workers, Ahead int

	// Ranks is the number of loaders that share every batch, as in package distributed. Rank is the number of this
	// loader, from 0; it makes its part of BatchSize/Ranks examples. Examples of a batch that do not divide are left
	// out, so that ranks have as many each; 0 stands for 1 rank.
	Rank, Ranks int

	// Device is where batches are copied to, ahead as well; nil is the host.
	Device device.Device

	// Transform changes each example with numbers from a generator of its own, which the
	// seed, the epoch and the index determine; nil changes none.
	Transform func(random *rand.Rand, e Example) (Example, error)

	// Collate makes batches of lists of examples; nil stands for [Stack].
	Collate func(list []Example) (Example, error)

	epoch, next int // the position: the next batch of an epoch
	order       []int
	waiting     []chan result // the batches from next on
	busy        chan struct{}
}

type result struct {
	batch Batch
	err   error
}

// NewLoader returns a loader that reads two batches ahead, in order. It panics with a
// [*tensor.ArgError] if a batch has no examples.
func NewLoader(d Dataset, batchSize int) *Loader {
	if d == nil || batchSize < 1 {
		trace.Raise(&tensor.ArgError{Op: "loader", Detail: fmt.Sprintf("batches of %d examples of %T", batchSize, d)})
	}
	return &Loader{Dataset: d, BatchSize: batchSize, Ahead: 2}
}

// Batches returns the number of batches in an epoch.
func (l *Loader) Batches() int {
	n := l.Dataset.Len()
	full, rest := n/l.BatchSize, n%l.BatchSize
	if l.DropLast || rest < max(l.Ranks, 1) {
		return full
	}
	return full + 1
}

// part is this rank's part of a batch.
func (l *Loader) part(indices []int) []int {
	n := len(indices) / max(l.Ranks, 1)
	return indices[l.Rank*n : (l.Rank+1)*n]
}

// Position returns which batch is next: its number in which epoch, both from 0.
func (l *Loader) Position() (epoch, batch int) { return l.epoch, l.next }

// Epoch returns the rest of the epoch: all batches, unless an earlier loop stopped within it. After an error, which
// ends the loop, the same batch is next again.
func (l *Loader) Epoch(ctx context.Context) iter.Seq2[Batch, error] {
	return func(yield func(Batch, error) bool) {
		for {
			b, err := l.Next(ctx)
			if err == io.EOF || !yield(b, err) || err != nil {
				return
			}
		}
	}
}

// Next returns the next batch, or [io.EOF] once after the last of an epoch. It is for who cannot range over functions,
// as in notebooks. Other errors are of the dataset, of the context, and of settings that do not fit together.
func (l *Loader) Next(ctx context.Context) (Batch, error) {
	if ranks := max(l.Ranks, 1); l.Rank < 0 || l.Rank >= ranks || l.BatchSize < ranks {
		return nil, fmt.Errorf("data: batches of %d examples for rank %d of %d", l.BatchSize, l.Rank, ranks)
	}
	if l.Workers < 0 || l.Ahead < 0 {
		return nil, fmt.Errorf("data: %d goroutines that read %d batches ahead: neither may be negative", l.Workers, l.Ahead)
	}
	if l.next >= l.Batches() {
		l.seek(l.epoch+1, 0)
		return nil, io.EOF
	}
	l.read()
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case r := <-l.waiting[0]:
		if r.err != nil {
			l.seek(l.epoch, l.next)
			return nil, r.err
		}
		l.waiting = l.waiting[1:]
		l.next++
		l.read()
		return r.batch, nil
	}
}

// seek sets the position. Batches that were read ahead are left to the collector.
func (l *Loader) seek(epoch, batch int) {
	l.epoch, l.next, l.order, l.waiting = epoch, batch, nil, nil
}

// read starts reading the next batch and those ahead.
func (l *Loader) read() {
	if l.busy == nil {
		n := l.Workers
		if n < 1 {
			n = runtime.GOMAXPROCS(0)
		}
		l.busy = make(chan struct{}, n)
	}
	if l.order == nil {
		if l.Shuffle {
			l.order = permutation(l.Dataset.Len(), l.Seed, uint64(l.epoch))
		} else {
			l.order = shape.UpTo(l.Dataset.Len())
		}
	}
	for len(l.waiting) < 1+l.Ahead && l.next+len(l.waiting) < l.Batches() {
		from := (l.next + len(l.waiting)) * l.BatchSize
		indices := l.part(l.order[from:min(from+l.BatchSize, len(l.order))])
		done := make(chan result, 1) // nobody need wait for it
		busy, epoch := l.busy, uint64(l.epoch)
		l.waiting = append(l.waiting, done)
		go func() {
			busy <- struct{}{}
			defer func() { <-busy }()
			b, err := l.batch(indices, epoch)
			done <- result{b, err}
		}()
	}
}

// batch reads the examples at indices.
func (l *Loader) batch(indices []int, epoch uint64) (b Batch, err error) {
	list := make([]Example, len(indices))
	for k, i := range indices {
		if list[k], err = l.example(i, epoch); err != nil {
			return nil, fmt.Errorf("example %d: %w", i, err)
		}
	}
	collate := l.Collate
	if collate == nil {
		collate = Stack
	}
	fields, err := collate(list)
	switch {
	case err != nil:
		return nil, err
	case len(fields) == 0:
		return nil, errors.New("data: the batch has no fields: the dataset, Transform or Collate made none")
	}
	err = tensor.Try(func() {
		for _, f := range fields {
			t := tensor.FromBuffer(f)
			if l.Device != nil {
				t = t.To(l.Device)
			}
			b = append(b, t)
		}
	})
	return b, err
}

// example reads an example. A panic of the program's own functions is an error with their
// message: it would end the process otherwise, as nobody can recover it.
func (l *Loader) example(i int, epoch uint64) (e Example, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	if e, err = l.Dataset.Example(i); err != nil || l.Transform == nil {
		return e, err
	}
	return l.Transform(rand.New(rand.NewPCG(l.Seed^uint64(i)*0x9e3779b97f4a7c15, ^epoch)), e)
}

// State returns the seed and the position, for checkpoints: "seed", "epoch" and "batch".
// Batches that were read ahead but not asked for are not counted.
func (l *Loader) State() map[string]*tensor.Tensor {
	return map[string]*tensor.Tensor{"seed": tensor.Of(int64(l.Seed)), "epoch": tensor.Of(int64(l.epoch)),
		"batch": tensor.Of(int64(l.next))}
}

// LoadState goes on from what State returned. A state of other tensors, or of a batch that the loader does not have, is
// an error and changes nothing.
func (l *Loader) LoadState(state map[string]*tensor.Tensor) error {
	var numbers [3]int64
	for i, name := range []string{"seed", "epoch", "batch"} {
		t := state[name]
		if t == nil || t.DType() != dtype.I64 || t.NumElements() != 1 {
			return fmt.Errorf("data: state %s of the loader is missing, or no number", name)
		}
		numbers[i] = t.Int64s()[0]
	}
	if len(state) != len(numbers) || numbers[1] < 0 || numbers[2] < 0 || numbers[2] > int64(l.Batches()) {
		return fmt.Errorf("data: epoch %d, batch %d is no position of a loader with %d batches", numbers[1], numbers[2],
			l.Batches())
	}
	l.Seed = uint64(numbers[0])
	l.seek(int(numbers[1]), int(numbers[2]))
	return nil
}
