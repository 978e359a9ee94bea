package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"

	"github.com/go-acap/acap/base/atomicfile"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/acap/report"
	"github.com/go-acap/acap/device/host"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/lazy/explorer"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/data"
	"github.com/go-acap/acap/tensor/data/digits"
	"github.com/go-acap/acap/tensor/nn"
)

func main() {
	log.SetFlags(0)
	timeline := flag.String("trace", filepath.Join(os.TempDir(), "acap-formats.json"), "where the timeline goes")
	page := flag.String("page", filepath.Join(os.TempDir(), "acap-formats.html"), "where the explorer's page goes")
	flag.Parse()
	if err := run(*timeline, *page); err != nil {
		log.Fatal(err)
	}
}

// imported is a model from a file.
type imported interface {
	Forward(inputs ...*tensor.Tensor) ([]*tensor.Tensor, error)
}

// load reads the model from one of its files, for a device.
func load(format string, dev device.Device) (imported, error) {
	if format == "onnx" {
		return nn.ReadONNX(digits.ONNX(), "digits.onnx", dev)
	}
	file := digits.Model()
	return nn.ReadTorchScript(bytes.NewReader(file), int64(len(file)), "digits.pt", dev)
}

func run(timeline, page string) error {
	input, err := pictures()
	if err != nil {
		return err
	}
	var first *tensor.Tensor
	for _, format := range []string{"pt", "onnx"} {
		for _, dev := range []device.Device{host.Device(), acap.Device()} {
			model, err := load(format, dev)
			if err != nil {
				return err
			}
			results, err := model.Forward(input.To(dev))
			if err != nil {
				return err
			}
			scores := results[0].Cpu()
			if first == nil {
				first = scores
			}
			fmt.Printf("%-4s on %-9s names %v, scores differ by %.1g\n", format, dev.Name(), scores.Argmax(tensor.Dim(1)).Int64s(),
				scores.Sub(first).Abs().Max().Item())
		}
	}
	r := lazy.For(acap.Device()).LastReport()
	fmt.Print(r.Summary())
	if err := writeTimeline(timeline, r); err != nil {
		return err
	}
	if err := writePage(page, input); err != nil {
		return err
	}
	fmt.Println("timeline:", timeline)
	fmt.Println("page:", page)
	return nil
}

// pictures returns the ten digits as one tensor.
func pictures() (*tensor.Tensor, error) {
	var all []*tensor.Tensor
	for d := range 10 {
		p, err := digits.Picture(d)
		if err != nil {
			return nil, err
		}
		all = append(all, tensor.FromBuffer(data.Gray(p)))
	}
	return tensor.Cat(all), nil
}

func writeTimeline(path string, r *report.Report) error {
	return atomicfile.Write(path, r.WriteTrace)
}

// writePage records the model once more and shows it without running it.
func writePage(path string, input *tensor.Tensor) error {
	model, err := load("pt", acap.Device())
	if err != nil {
		return err
	}
	results, err := model.Forward(input.To(acap.Device()))
	if err != nil {
		return err
	}
	e, err := explorer.Pending("digits.pt", results[0])
	if err != nil {
		return err
	}
	defer e.Close()
	return atomicfile.Write(path, func(w io.Writer) error { return e.WritePage(context.Background(), w) })
}
