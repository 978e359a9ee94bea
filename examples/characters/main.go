package main

import (
	"context"
	_ "embed"
	"flag"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"os"
	"strings"

	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/data"
	"github.com/go-acap/acap/tensor/nn"
	"github.com/go-acap/acap/tensor/optim"
)

// sample is the text to learn from if no other is given.
//
//go:embed sample.txt
var sample string

func main() {
	log.SetFlags(0)
	file := flag.String("text", "", "a text in UTF-8 to learn from")
	steps := flag.Int("steps", 300, "number of steps")
	count := flag.Int("write", 90, "number of characters to write, at most 96 with the start")
	temperature := flag.Float64("temperature", 0, "0 writes the likeliest character, 1 draws by the model's shares")
	flag.Parse()
	text := sample
	if *file != "" {
		b, err := os.ReadFile(*file)
		if err != nil {
			log.Fatal(err)
		}
		text = string(b)
	}
	if err := run(os.Stdout, text, *steps, *count, *temperature); err != nil {
		log.Fatal(err)
	}
}

// length is how many characters the model sees at once.
const length = 96

func run(w io.Writer, text string, steps, count int, temperature float64) error {
	tensor.Seed(1)
	ctx := context.Background()
	dev := acap.Device()
	set, err := data.NewText(text, length)
	if err != nil {
		return err
	}
	m := newModel(len(set.Alphabet), length, 64, 4, 2)
	nn.To(m, dev)
	loader := data.NewLoader(set, 8)
	loader.Shuffle, loader.DropLast, loader.Device = true, true, dev
	opt := optim.NewAdamW(6e-3, 0.01)
	opt.Schedule = optim.OneCycle(max(steps, 1))
	params := nn.Parameters(m)
	for step := 0; step < steps; {
		for b, err := range loader.Epoch(ctx) {
			if err != nil {
				return err
			}
			scores := m.Forward(b[0])
			loss := scores.View([]int{-1, len(set.Alphabet)}).CrossEntropyLoss(b[1].View([]int{-1}))
			grads, _ := optim.ClipNorm(tensor.Grad([]*tensor.Tensor{loss}, params, nil), 1)
			if err := opt.Step(ctx, params, grads, loss); err != nil {
				return err
			}
			if step%50 == 0 || step == steps-1 {
				fmt.Fprintf(w, "step %3d  loss %.3f\n", step, loss.Item())
			}
			if step++; step == steps {
				break
			}
		}
	}
	nn.Freeze(m)
	start, _, _ := strings.Cut(text, " ")
	compiled := lazy.For(dev).Metrics().CompiledPrograms
	written, err := write(ctx, m, set, start, count, temperature)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%s\n%d programs for %d characters\n", written, lazy.For(dev).Metrics().CompiledPrograms-compiled,
		len([]rune(written)))
	return nil
}

// write lets the model go on with a text.
func write(ctx context.Context, m *model, set *data.Text, text string, count int, temperature float64) (string, error) {
	tokens, err := set.Encode(text)
	if err != nil {
		return "", err
	}
	random := rand.New(rand.NewPCG(1, 2))
	c := &cache{}
	var scores *tensor.Tensor
	for i := 0; i < len(tokens) && i < length-1 && len(tokens) < len(text)+count; i++ {
		scores = m.next(c, tokens[i])
		if err := tensor.Sync(ctx, append(c.all(), scores)...); err != nil {
			return "", err
		}
		if i == len(tokens)-1 {
			tokens = append(tokens, choose(scores.Float32s(), temperature, random.Float64()))
		}
	}
	return set.Decode(tokens), nil
}
