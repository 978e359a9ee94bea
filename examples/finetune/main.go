package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"os"
	"path/filepath"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/data"
	"github.com/go-acap/acap/tensor/data/digits"
	"github.com/go-acap/acap/tensor/nn"
	"github.com/go-acap/acap/tensor/optim"
)

func main() {
	log.SetFlags(0)
	path := flag.String("o", filepath.Join(os.TempDir(), "acap-finetuned.safetensors"), "where the weights go")
	steps := flag.Int("steps", 60, "number of steps")
	flag.Parse()
	for _, kind := range []string{"pt", "onnx"} {
		if err := run(os.Stdout, kind, *path, *steps); err != nil {
			log.Fatal(err)
		}
	}
}

// imported is a model from a file, of either kind.
type imported interface {
	Forward(inputs ...*tensor.Tensor) ([]*tensor.Tensor, error)
	Parameters() []*tensor.Tensor
}

func load(kind string, dev device.Device) (imported, error) {
	if kind == "onnx" {
		return nn.ReadONNX(digits.ONNX(), "digits.onnx", dev)
	}
	file := digits.Model()
	return nn.ReadTorchScript(bytes.NewReader(file), int64(len(file)), "digits.pt", dev)
}

// negative is the ten pictures of package digits, black on white, f32 [1 28 28], with noise
// of the loader's.
func negative() (data.Arrays, error) {
	pictures, labels := buf.New(dtype.F32, []int{10, 1, 28, 28}), make([]int64, 10)
	for d := range 10 {
		picture, err := digits.Picture(d)
		if err != nil {
			return nil, err
		}
		for i, v := range buf.Slice[float32](data.Gray(picture)) {
			buf.Slice[float32](pictures)[d*28*28+i] = 1 - v
		}
		labels[d] = int64(d)
	}
	return data.FromBuffers(pictures, buf.From(labels, 10))
}

func noise(random *rand.Rand, e data.Example) (data.Example, error) {
	noisy := e[0].Clone()
	for i := range buf.Slice[float32](noisy) {
		buf.Slice[float32](noisy)[i] += float32(0.1 * random.NormFloat64())
	}
	return data.Example{noisy, e[1]}, nil
}

func run(w io.Writer, kind, path string, steps int) error {
	ctx := context.Background()
	dev := acap.Device()
	model, err := load(kind, dev)
	if err != nil {
		return err
	}
	set, err := negative()
	if err != nil {
		return err
	}
	before, err := right(model, set, dev)
	if err != nil {
		return err
	}
	params := model.Parameters()
	for _, p := range params {
		if p.Dim() == 4 { // of a convolution
			p.Freeze()
		}
	}
	params = nn.Parameters(model)
	loader := data.NewLoader(set, 10)
	loader.Shuffle, loader.Device, loader.Transform = true, dev, noise
	opt := &optim.SGD{LR: 0.02, Momentum: 0.9}
	for step := 0; step < steps; step++ {
		for b, err := range loader.Epoch(ctx) { // one batch
			if err != nil {
				return err
			}
			scores, err := model.Forward(b[0])
			if err != nil {
				return err
			}
			loss := scores[0].CrossEntropyLoss(b[1])
			if err := optim.Minimize(ctx, opt, params, loss); err != nil {
				return err
			}
		}
	}
	after, err := right(model, set, dev)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%s: %d tensors trained, %d of 10 right before, %d after\n", kind, len(params), before, after)
	return nn.WriteState(path, nn.StateDict(model))
}

// right counts the digits that a model names right.
func right(model imported, set data.Arrays, dev device.Device) (int, error) {
	scores, err := model.Forward(tensor.FromBuffer(set[0]).To(dev))
	if err != nil {
		return 0, err
	}
	return int(scores[0].Argmax(tensor.Dim(1)).Eq(tensor.FromBuffer(set[1]).To(dev)).Sum().Item()), nil
}
