package train

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/data"
	"github.com/go-acap/acap/tensor/nn"
	"github.com/go-acap/acap/tensor/optim"
)

// Loop is a training run. Model, Loss, Optimizer and Loader must be set.
type Loop struct {
	Model     any                               // whose parameters are trained
	Loss      func(b data.Batch) *tensor.Tensor // the loss of a batch, one number
	Optimizer optim.Optimizer
	Loader    *data.Loader
	Epochs    int // at least 1

	// ClipNorm is the greatest norm that the gradients together may have; 0 limits nothing.
	ClipNorm float64

	// Evaluate returns numbers by name, such as an accuracy, after each epoch; the model is
	// not in training while it runs.
	Evaluate func(ctx context.Context) (map[string]float64, error)

	// Checkpoints are written after each epoch and, if SaveEvery is not 0, after every SaveEvery steps. Run goes on
	// from the newest.
	Checkpoints *nn.Checkpoints
	SaveEvery   int

	// Parts are kept in checkpoints as well as model, optimiser and loader.
	Parts nn.Parts

	Observers []Observer

	steps int
}

// Record is what observers are told: after each step, and once more after each epoch with
// what Evaluate returned.
type Record struct {
	Step           int // steps made so far, in all epochs
	Epoch, Epochs  int // from 0
	Batch, Batches int // of the epoch, from 1
	Values         map[string]float64
	Took           time.Duration // since the last record
	EndOfEpoch     bool

	// Trained and Kept are set in the first record of a run: the names of the parameters, and of the floating tensors
	// that the optimiser leaves alone. A tensor of one's own layer that was made without RequiresGrad is among the
	// latter.
	Trained, Kept []string
}

// Observer is told of each step. An error of it ends the run.
type Observer func(r Record) error

// ErrDiverged says that a loss became infinite or NaN in a step that was made. A step that an [optim.Scaler] leaves out
// ends no run.
var ErrDiverged = errors.New("the loss is not finite")

// Steps returns the number of steps made so far, those before a checkpoint included.
func (l *Loop) Steps() int { return l.steps }

// Run trains until the epochs are over, ctx is done, or something fails. Misuse, such as a
// loss that depends on no parameter, is an error, too.
func (l *Loop) Run(ctx context.Context) (err error) {
	if l.Model == nil || l.Loss == nil || l.Optimizer == nil || l.Loader == nil {
		return errors.New("train: a loop needs a model, a loss, an optimiser and a loader")
	}
	if err := l.check(); err != nil {
		return fmt.Errorf("train: %w", err)
	}
	if misuse := tensor.Try(func() { err = l.run(ctx) }); misuse != nil {
		return misuse
	}
	return err
}

// check refuses settings that would do nothing.
func (l *Loop) check() error {
	switch {
	case l.Epochs < 1:
		return fmt.Errorf("the number of Epochs is %d, want at least 1", l.Epochs)
	case math.IsNaN(l.ClipNorm) || l.ClipNorm < 0:
		return fmt.Errorf("ClipNorm is %g, want more than 0, or 0 for no limit", l.ClipNorm)
	case l.SaveEvery < 0:
		return fmt.Errorf("SaveEvery is %d, want a number of steps, or 0 for the ends of epochs alone", l.SaveEvery)
	case l.SaveEvery > 0 && l.Checkpoints == nil:
		return fmt.Errorf("SaveEvery is %d, and Checkpoints, which says where to save, is nil", l.SaveEvery)
	}
	for i, o := range l.Observers {
		if o == nil {
			return fmt.Errorf("observer %d is nil", i)
		}
	}
	return nil
}

func (l *Loop) run(ctx context.Context) (err error) {
	if l.Checkpoints != nil {
		if l.steps, err = l.Checkpoints.Resume(l.parts()); err != nil {
			return err
		}
	}
	nn.Train(l.Model)
	last, first := time.Now(), true
	for {
		epoch, _ := l.Loader.Position()
		if epoch >= l.Epochs {
			return nil
		}
		if l.Loader.Batches() == 0 {
			return errors.New("train: the loader has no batches")
		}
		for batch, err := range l.Loader.Epoch(ctx) {
			if err != nil {
				return err
			}
			loss, err := l.step(ctx, batch)
			if err != nil {
				return err
			}
			_, n := l.Loader.Position()
			r := Record{Epoch: epoch, Batch: n, Values: map[string]float64{"loss": loss}}
			if first {
				r.Trained, r.Kept = l.tensors()
				first = false
			}
			if err := l.tell(r, &last); err != nil {
				return err
			}
			if l.SaveEvery > 0 && l.steps%l.SaveEvery == 0 {
				if err := l.save(); err != nil {
					return err
				}
			}
		}
		if err := l.endEpoch(ctx, epoch, &last); err != nil {
			return err
		}
	}
}

// tensors returns the names of the model's floating tensors that the optimiser trains and leaves alone.
func (l *Loop) tensors() (trained, kept []string) {
	for _, p := range nn.NamedParameters(l.Model) {
		trained = append(trained, p.Name)
	}
	for _, b := range nn.NamedBuffers(l.Model) {
		if b.Tensor.DType().IsFloat() {
			kept = append(kept, b.Name)
		}
	}
	return trained, kept
}

// step trains on a batch and returns the loss.
func (l *Loop) step(ctx context.Context, batch data.Batch) (float64, error) {
	params := nn.Parameters(l.Model)
	loss := l.Loss(batch)
	grads := tensor.Grad([]*tensor.Tensor{optim.Scaled(l.Optimizer, loss)}, params, nil)
	if l.ClipNorm > 0 {
		var err error
		if grads, err = optim.Gather(l.Optimizer, params, grads); err != nil {
			return 0, err
		}
		grads, _ = optim.ClipNorm(grads, l.ClipNorm)
	}
	skips := optim.Skips(l.Optimizer)
	if err := l.Optimizer.Step(ctx, params, grads, loss); err != nil {
		return 0, err
	}
	l.steps++
	v := loss.Item()
	if (math.IsNaN(v) || math.IsInf(v, 0)) && optim.Skips(l.Optimizer) == skips {
		return 0, fmt.Errorf("train: step %d: %w: %v", l.steps, ErrDiverged, v)
	}
	return v, nil
}

// endEpoch evaluates, tells the observers and writes a checkpoint.
func (l *Loop) endEpoch(ctx context.Context, epoch int, last *time.Time) error {
	values := map[string]float64{}
	if l.Evaluate != nil {
		nn.Eval(l.Model)
		found, err := l.Evaluate(ctx)
		nn.Train(l.Model)
		if err != nil {
			return err
		}
		values = found
	}
	r := Record{Epoch: epoch, Batch: l.Loader.Batches(), Values: values, EndOfEpoch: true}
	if err := l.tell(r, last); err != nil {
		return err
	}
	return l.save()
}

func (l *Loop) tell(r Record, last *time.Time) error {
	now := time.Now()
	r.Step, r.Epochs, r.Batches, r.Took = l.steps, l.Epochs, l.Loader.Batches(), now.Sub(*last)
	*last = now
	for _, o := range l.Observers {
		if err := o(r); err != nil {
			return err
		}
	}
	return nil
}

// parts are what a checkpoint of the run holds.
func (l *Loop) parts() nn.Parts {
	parts := nn.Parts{"model": l.Model, "loader": l.Loader}
	if s, ok := l.Optimizer.(nn.Stateful); ok {
		parts["optimizer"] = s
	}
	for name, p := range l.Parts {
		parts[name] = p
	}
	return parts
}

func (l *Loop) save() error {
	if l.Checkpoints == nil {
		return nil
	}
	return l.Checkpoints.Save(l.steps, l.parts())
}
