package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/go-acap/acap/base/atomicfile"
	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/acap/report"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/tensor"
)

// options are the flags.
type options struct {
	config, weights, prompt, machine string
	mlir                             string
	length, new                      int
	account                          bool
	seed                             uint64
}

func main() {
	log.SetFlags(0)
	var o options
	flag.StringVar(&o.config, "config", "small", "name of a configuration, or a .json file of one")
	flag.StringVar(&o.weights, "weights", "", "a .safetensors `file` or an index of them; random weights without")
	flag.StringVar(&o.prompt, "prompt", "", "numbers of tokens, with commas between them")
	flag.IntVar(&o.length, "length", 16, "tokens of a prompt where none is given")
	flag.IntVar(&o.new, "new", 8, "tokens to decode")
	flag.StringVar(&o.machine, "machine", "npu2", "the machine of the account")
	flag.StringVar(&o.mlir, "mlir", "", "with -account: write the MLIR of the prefill to this `file`, for acap sweep")
	flag.BoolVar(&o.account, "account", false, "compile and report, and run nothing")
	flag.Uint64Var(&o.seed, "seed", 1, "of random weights")
	flag.Parse()
	if err := tensor.Try(func() {
		if err := o.run(os.Stdout); err != nil {
			log.Fatal(err)
		}
	}); err != nil {
		log.Fatal(err)
	}
}

func (o *options) run(out io.Writer) error {
	c, err := configOf(o.config)
	if err != nil {
		return err
	}
	prompt, err := o.tokens(&c)
	if err != nil {
		return err
	}
	dev, err := acap.Open(o.machine)
	if err != nil {
		return err
	}
	var m *Model
	tensor.Seed(o.seed)
	switch {
	case o.account:
		m = empty(c, dev, dtype.BF16)
	case o.weights != "":
		if m, err = read(c, o.weights, dev, dtype.BF16); err != nil {
			return err
		}
	default:
		m = random(c, dev, dtype.BF16)
	}
	if o.account {
		return m.account(out, len(prompt), o.mlir)
	}
	return m.generate(out, prompt, o.new)
}

// tokens returns the prompt, checked against the vocabulary.
func (o *options) tokens(c *Config) ([]int64, error) {
	var out []int64
	for _, text := range strings.FieldsFunc(o.prompt, func(r rune) bool { return r == ',' }) {
		v, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
		if err != nil || v < 0 || v >= int64(c.Vocab) {
			return nil, fmt.Errorf("token %q, want a number below %d", text, c.Vocab)
		}
		out = append(out, v)
	}
	if o.length < 1 || o.length > 1<<20 || o.new < 0 || o.new > 1<<20 {
		return nil, fmt.Errorf("a prompt of %d tokens and %d new ones", o.length, o.new)
	}
	for i := 0; len(out) == 0 || o.prompt == "" && len(out) < o.length; i++ {
		out = append(out, int64(i*7919%c.Vocab))
	}
	return out, nil
}

// generate prints the most likely tokens after a prompt, and the account of both programs.
func (m *Model) generate(out io.Writer, prompt []int64, n int) error {
	start := time.Now()
	scores, c := m.Prefill(prompt, len(prompt)+n)
	exe, err := lazy.Executable(context.Background(), values(scores, c)...)
	if err != nil {
		return err
	}
	defer exe.Close()
	next := scores.Argmax(tensor.Dim(-1)).Int64s()[0]
	fmt.Fprintf(out, "prefill of %d tokens: next is %d (%v on the host)\n", len(prompt), next,
		time.Since(start).Round(time.Millisecond))
	summary(out, acap.ReportOf(exe))
	var list []string
	for i := range n {
		scores = m.Decode(next, len(prompt)+i, c)
		if i == 0 {
			exe, err := lazy.Executable(context.Background(), values(scores, c)...)
			if err != nil {
				return err
			}
			defer exe.Close()
			defer func() { summary(out, acap.ReportOf(exe)) }()
			start = time.Now()
		}
		next = scores.Argmax(tensor.Dim(-1)).Int64s()[0]
		list = append(list, strconv.FormatInt(next, 10))
	}
	if n > 0 {
		fmt.Fprintf(out, "decoded %s (%v a token on the host)\n", strings.Join(list, " "),
			(time.Since(start) / time.Duration(n)).Round(time.Microsecond))
	}
	return nil
}

// values are what a program computes: scores, if there are any, and a cache.
func values(scores *tensor.Tensor, c *cache) []lazy.Value {
	var list []lazy.Value
	if scores != nil {
		list = append(list, scores)
	}
	for i := range c.keys {
		list = append(list, c.keys[i], c.values[i])
	}
	return list
}

// account compiles a prefill of n tokens and the token after it, and prints their reports. It
// writes the prefill to a file if one is named.
func (m *Model) account(out io.Writer, n int, mlir string) error {
	scores, c := m.Prefill(make([]int64, n), n)
	if mlir != "" {
		if err := atomicfile.WriteBytes(mlir, []byte(lazy.GetMLIR(scores))); err != nil {
			return err
		}
	}
	if err := compiled(out, fmt.Sprintf("prefill of %d tokens", n), values(scores, c)); err != nil {
		return err
	}
	full := new(cache)
	for range m.Layers {
		for _, list := range []*[]*tensor.Tensor{&full.keys, &full.values} {
			*list = append(*list, tensor.FromBuffer(buf.New(m.dtype, []int{1, m.KVHeads, n, m.HeadDim})).To(m.device))
		}
	}
	scores = m.Decode(0, n-1, full)
	return compiled(out, "a token after it", values(scores, full))
}

func compiled(out io.Writer, what string, list []lazy.Value) error {
	start := time.Now()
	exe, err := lazy.Executable(context.Background(), list...)
	if err != nil {
		return err
	}
	defer exe.Close()
	r := acap.ReportOf(exe)
	fmt.Fprintf(out, "%s, compiled and mapped in %v\n", what, time.Since(start).Round(time.Millisecond))
	summary(out, r)
	return r.Err()
}

// summary prints the head of a report: the total and its parts.
func summary(out io.Writer, r *report.Report) {
	head, _, _ := strings.Cut(r.Summary(), "\n\n")
	fmt.Fprintln(out, head)
}
