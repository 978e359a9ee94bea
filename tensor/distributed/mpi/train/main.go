package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"time"

	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/data"
	"github.com/go-acap/acap/tensor/data/digits/drawing"
	"github.com/go-acap/acap/tensor/distributed"
	"github.com/go-acap/acap/tensor/distributed/mpi"
	"github.com/go-acap/acap/tensor/nn"
	"github.com/go-acap/acap/tensor/optim"
)

// settings are the flags.
type settings struct {
	dir                            string
	epochs, examples, batch, parts int
	shard                          bool
	delay                          time.Duration
}

func main() {
	log.SetFlags(0)
	var s settings
	flag.StringVar(&s.dir, "dir", "", "where checkpoints go; none are written if it is empty")
	flag.IntVar(&s.epochs, "epochs", 3, "number of epochs")
	flag.IntVar(&s.examples, "examples", 4000, "digits to draw for training")
	flag.IntVar(&s.batch, "batch", 100, "examples in a batch of all ranks together")
	flag.IntVar(&s.parts, "parts", 1, "parts in which a rank computes its gradients, one after the other")
	flag.BoolVar(&s.shard, "shard", false, "divide the optimiser's state among the ranks")
	flag.DurationVar(&s.delay, "delay", 0, "time to wait after each step")
	flag.Parse()
	if err := mpi.Run(s.train); err != nil {
		log.Fatal(err)
	}
}

func network() *nn.Sequence {
	return nn.Sequential(
		nn.NewConv2d(1, 16, 5), nn.ReLU, nn.MaxPool2d(2, 2, 0),
		nn.NewConv2d(16, 32, 5), nn.ReLU, nn.MaxPool2d(2, 2, 0), nn.Flatten,
		nn.NewLinear(32*4*4, 64), nn.ReLU, nn.NewLinear(64, 10))
}

func (s *settings) train(group *distributed.Group) error {
	ctx := context.Background()
	training, err := drawing.New(1, s.examples)
	if err != nil {
		return err
	}
	tensor.Seed(1)
	net := network().To(acap.Device())
	params := net.Parameters()
	opt, err := distributed.Data(ctx, params, optim.NewAdam(1e-3), group)
	if err != nil {
		return err
	}
	opt.Shard = s.shard
	loader := group.Loader(data.NewLoader(training, s.batch))
	loader.Shuffle, loader.DropLast, loader.Device = true, true, acap.Device()

	files := nn.Checkpoints{Dir: s.dir, Keep: 2, Rank: group.Rank()}
	parts := nn.Parts{"model": net, "optimizer": opt, "loader": loader}
	step := 0
	if s.dir != "" {
		if step, err = files.Resume(parts); err != nil {
			return err
		}
	}
	begin := time.Now()
	for epoch, _ := loader.Position(); epoch < s.epochs; epoch++ {
		for batch, err := range loader.Epoch(ctx) {
			if err != nil {
				return err
			}
			loss, err := s.step(ctx, net, params, opt, batch)
			if err != nil {
				return err
			}
			step++
			mean := group.AllReduce(tensor.FromSlice([]float64{loss}), distributed.Sum).Item() / float64(group.Size())
			if group.Rank() == 0 {
				fmt.Printf("step %d loss %.17g\n", step, mean)
			}
			if s.dir != "" && step%10 == 0 {
				if err := files.Save(step, parts); err != nil {
					return err
				}
			}
			time.Sleep(s.delay)
		}
	}
	took := time.Since(begin)
	share, err := accuracy(ctx, net)
	if err == nil && group.Rank() == 0 {
		fmt.Printf("%d ranks, %.3f s, accuracy %.2f%%\n", group.Size(), took.Seconds(), 100*share)
	}
	return err
}

// step computes the gradients of a batch in parts and steps with their mean over all ranks.
func (s *settings) step(ctx context.Context, net nn.Module, params []*tensor.Tensor, opt optim.Optimizer,
	batch data.Batch) (float64, error) {
	var sum optim.Accumulator
	total, n := 0.0, batch[0].Size(0)/s.parts
	for k := range s.parts {
		loss := net.Forward(batch[0].Narrow(0, k*n, n)).CrossEntropyLoss(batch[1].Narrow(0, k*n, n))
		if s.parts == 1 {
			err := optim.Minimize(ctx, opt, params, loss)
			return loss.Item(), err
		}
		if err := sum.Add(ctx, tensor.Grad([]*tensor.Tensor{loss}, params, nil), loss); err != nil {
			return 0, err
		}
		total += loss.Item()
	}
	return total / float64(s.parts), opt.Step(ctx, params, sum.Mean())
}

// accuracy returns the share of other digits that a model names right.
func accuracy(ctx context.Context, net nn.Module) (float64, error) {
	digits, err := drawing.New(2, 1000)
	if err != nil {
		return 0, err
	}
	right, all := 0.0, 0
	loader := data.NewLoader(digits, 250)
	loader.Device = acap.Device()
	for b, err := range loader.Epoch(ctx) {
		if err != nil {
			return 0, err
		}
		right += net.Forward(b[0]).Argmax(tensor.Dim(1)).Eq(b[1]).Sum().Item()
		all += b[1].Size(0)
	}
	return right / float64(all), nil
}
