package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/go-acap/acap/base/atomicfile"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/acap/report"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/data"
	"github.com/go-acap/acap/tensor/data/digits"
	"github.com/go-acap/acap/tensor/nn"
)

func main() {
	log.SetFlags(0)
	path := flag.String("trace", filepath.Join(os.TempDir(), "acap-report.json"),
		"where the timeline goes")
	flag.Parse()

	picture, err := digits.Picture(7)
	if err != nil {
		log.Fatal(err)
	}
	input := tensor.FromBuffer(data.Gray(picture))
	var last *report.Report
	for _, machine := range []string{"npu1", "npu2", "vck190"} {
		digit, r, err := run(machine, input)
		if err != nil {
			log.Fatal(err)
		}
		total := r.Total()
		fmt.Printf("%-7s names the digit %d in %s, %.2f%% of peak; %s\n", machine, digit,
			report.Duration(total.Seconds), 100*total.PeakShare, r.Verdict())
		last = r
	}
	if err := writeTrace(*path, last); err != nil {
		log.Fatal(err)
	}
	fmt.Println("timeline:", *path)
}

// run names the digit in a picture on a machine, and returns the account of it.
func run(machine string, input *tensor.Tensor) (digit int64, r *report.Report, err error) {
	dev, err := acap.Open(machine)
	if err != nil {
		return 0, nil, err
	}
	file := digits.Model()
	model, err := nn.ReadTorchScript(bytes.NewReader(file), int64(len(file)), "digits.pt", dev)
	if err != nil {
		return 0, nil, err
	}
	scores, err := model.Forward(input.To(dev))
	if err != nil {
		return 0, nil, err
	}
	exe, err := lazy.Executable(context.Background(), scores[0])
	if err != nil {
		return 0, nil, err
	}
	r = acap.ReportOf(exe)
	return scores[0].Argmax().Int64s()[0], r, nil
}

func writeTrace(path string, r *report.Report) error {
	return atomicfile.Write(path, r.WriteTrace)
}
