package main

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-acap/acap/base/atomicfile"
	"github.com/go-acap/acap/cmd/acap/commandline"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/data"
	"github.com/go-acap/acap/tensor/data/digits"
	"github.com/go-acap/acap/tensor/nn"
)

func init() {
	register(command{"demo", "name ten pictures of digits with a model on the simulated array", demo})
}

func demo(args []string) error {
	f := newFlags("demo", "[-machine NAME] [-trace file.json]")
	name := f.String("machine", acap.DefaultMachine, "the `array`: a preset or a JSON file")
	tracePath := f.String("trace", "", "the `file` of the Chrome/Perfetto trace (default: one in the folder for temporary files)")
	if _, err := parseBetween(f, args, 0, 0); err != nil {
		return err
	}
	if err := commandline.CheckFolder("trace", *tracePath); err != nil {
		return err
	}
	dev, err := acap.Open(*name)
	if err != nil {
		return commandline.WrongName(*name, err)
	}
	pictures, batch, err := loadDigits()
	if err != nil {
		return err
	}
	file := digits.Model()
	model, err := nn.ReadTorchScript(bytes.NewReader(file), int64(len(file)), "digits/model.pt", dev)
	if err != nil {
		return err
	}
	out, err := model.Forward(batch.To(dev))
	if err != nil {
		return err
	}
	scores := out[0]
	fmt.Fprintf(stdout, "The model on ten pictures, recorded on %s and not run yet:\n\n", dev.Name())
	fmt.Fprintln(stdout, lazy.GetMLIR(scores))
	return showDemo(scores, pictures, *tracePath)
}

func loadDigits() ([]image.Image, *tensor.Tensor, error) {
	var pictures []image.Image
	var rows []*tensor.Tensor
	for d := range 10 {
		p, err := digits.Picture(d)
		if err != nil {
			return nil, nil, err
		}
		pictures = append(pictures, p)
		rows = append(rows, tensor.FromBuffer(data.Gray(p)))
	}
	return pictures, tensor.Cat(rows), nil
}

// showDemo compiles and runs what was recorded, and prints the account and the
// predictions.
func showDemo(scores *tensor.Tensor, pictures []image.Image, tracePath string) error {
	ctx := context.Background()
	exe, err := lazy.Executable(ctx, scores)
	if err != nil {
		return err
	}
	if err := tensor.Sync(ctx, scores); err != nil {
		return err
	}
	report := acap.ReportOf(exe)
	fmt.Fprintln(stdout, "What the array did:")
	fmt.Fprintln(stdout)
	fmt.Fprint(stdout, report.Summary())

	best := scores.Argmax(tensor.With("dim", 1)).Int64s()
	fmt.Fprintln(stdout, "\nPredictions:")
	fmt.Fprintln(stdout)
	fmt.Fprint(stdout, gallery(pictures, best))
	right := 0
	for digit, b := range best {
		if int(b) == digit {
			right++
		}
	}
	fmt.Fprintf(stdout, "\n%d of %d are right.\n", right, len(best))
	asked := tracePath != ""
	if !asked {
		tracePath = filepath.Join(os.TempDir(), fmt.Sprintf("acap-demo-%d.json", os.Getuid())) // no other user's
	}
	if err := atomicfile.Write(tracePath, report.WriteTrace); err != nil {
		if asked {
			return err
		}
		fmt.Fprintf(stdout, "The timeline is not written (%v); -trace FILE says where it goes.\n", err)
		return nil
	}
	fmt.Fprintf(stdout, "The timeline is in %s; open it at ui.perfetto.dev or chrome://tracing.\n", tracePath)
	return nil
}

// gallery draws pictures side by side, two pixels a character high and wide, five
// a line, with the prediction under each.
func gallery(pictures []image.Image, labels []int64) string {
	const perLine = 5
	shades := []rune(" .:-=+*#%@")
	var b strings.Builder
	for first := 0; first < len(pictures); first += perLine {
		row := pictures[first:min(first+perLine, len(pictures))]
		for y := 0; y < 28; y += 2 {
			for _, p := range row {
				for x := range 28 {
					top, _, _, _ := p.At(x, y).RGBA()
					bottom, _, _, _ := p.At(x, y+1).RGBA()
					b.WriteRune(shades[int(top+bottom)/2*(len(shades)-1)/0xffff])
				}
				b.WriteByte(' ')
			}
			b.WriteByte('\n')
		}
		for i := range row {
			fmt.Fprintf(&b, "%-29s", fmt.Sprintf("%15s", fmt.Sprint(labels[first+i])))
		}
		b.WriteByte('\n')
	}
	return b.String()
}
