package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"

	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/data"
	"github.com/go-acap/acap/tensor/data/digits/drawing"
	"github.com/go-acap/acap/tensor/nn"
	"github.com/go-acap/acap/tensor/optim"
	"github.com/go-acap/acap/tensor/train"
	"github.com/go-acap/acap/tensor/train/trainplot"
)

func main() {
	log.SetFlags(0)
	dir := flag.String("dir", filepath.Join(os.TempDir(), "acap-digits"), "where checkpoints and the plot go")
	mnist := flag.String("mnist", "", "folder with MNIST's four files")
	epochs := flag.Int("epochs", 4, "number of epochs")
	examples := flag.Int("examples", 6000, "digits to draw for training")
	flag.Parse()
	if err := run(os.Stdout, *dir, *mnist, *epochs, *examples); err != nil {
		log.Fatal(err)
	}
}

// datasets returns what to train on and what to evaluate on.
func datasets(mnist string, examples int) (training, evaluation data.Dataset, err error) {
	if mnist != "" {
		if training, err = data.MNIST(mnist, true); err == nil {
			evaluation, err = data.MNIST(mnist, false)
		}
		return training, evaluation, err
	}
	if training, err = drawing.New(1, examples); err == nil {
		evaluation, err = drawing.New(2, 1000)
	}
	return training, evaluation, err
}

func network(dev device.Device) *nn.Sequence {
	return nn.Sequential(
		nn.NewConv2d(1, 16, 5), nn.NewBatchNorm2d(16), nn.ReLU, nn.MaxPool2d(2, 2, 0),
		nn.NewConv2d(16, 32, 5), nn.NewBatchNorm2d(32), nn.ReLU, nn.MaxPool2d(2, 2, 0), nn.Flatten,
		nn.NewLinear(32*4*4, 64), nn.ReLU, nn.NewDropout(0.25), nn.NewLinear(64, 10)).To(dev)
}

func run(w io.Writer, dir, mnist string, epochs, examples int) error {
	training, evaluation, err := datasets(mnist, examples)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	tensor.Seed(1)
	dev := acap.Device()
	net := network(dev)
	loader := data.NewLoader(training, 100)
	loader.Shuffle, loader.DropLast, loader.Device = true, true, dev
	opt := optim.NewAdamW(4e-3, 0.01)
	opt.Schedule = optim.OneCycle(epochs * loader.Batches())
	check := data.NewLoader(evaluation, 250)
	check.Device = dev

	loop := &train.Loop{
		Model:     net,
		Optimizer: opt,
		Loader:    loader,
		Epochs:    epochs,
		Loss: func(b data.Batch) *tensor.Tensor {
			return net.Forward(b[0]).CrossEntropyLoss(b[1], tensor.LabelSmoothing(0.05))
		},
		Evaluate: func(ctx context.Context) (map[string]float64, error) {
			share, err := accuracy(ctx, net, check)
			return map[string]float64{"accuracy": share}, err
		},
		Checkpoints: &nn.Checkpoints{Dir: dir, Keep: 2},
		Observers:   []train.Observer{train.Progress(w), trainplot.Plot(filepath.Join(dir, "run.svg"))},
	}
	if err := loop.Run(context.Background()); err != nil {
		return err
	}
	nn.Eval(net)
	share, err := accuracy(context.Background(), net, check)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%d steps, accuracy %.2f%%\n", loop.Steps(), 100*share)
	return nil
}

// accuracy returns the share of digits that a model names right.
func accuracy(ctx context.Context, net nn.Module, digits *data.Loader) (float64, error) {
	right, all := 0.0, 0
	for b, err := range digits.Epoch(ctx) {
		if err != nil {
			return 0, err
		}
		right += net.Forward(b[0]).Argmax(tensor.Dim(1)).Eq(b[1]).Sum().Item()
		all += b[1].Size(0)
	}
	return right / float64(all), nil
}
