package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"text/tabwriter"
	"time"

	"github.com/go-acap/acap/base/cputime"
	"github.com/go-acap/acap/base/environment"
	"github.com/go-acap/acap/kernel/cpu"
)

// clock is the time that measurements read: of a clock, or the processor time of this process.
var clock = wall

const clockVariable = "PB_CLOCK"

// reproducible says that cases have the same bits everywhere; PB_REPRODUCIBLE=1 asks for it.
var reproducible = os.Getenv(reproducibleVariable) == "1"

const reproducibleVariable = "PB_REPRODUCIBLE"

// readClock lets PB_CLOCK=processor count processor time, which other programs disturb less. It counts all threads.
func readClock() error {
	switch value := os.Getenv(clockVariable); value {
	case "", "wall":
	case "processor":
		clock = func() time.Duration { return cputime.Used() }
	default:
		return &environment.Error{Variable: clockVariable, Value: value, Want: "wall or processor"}
	}
	return nil
}

// factors prints, for each case, the least processor time at each level of kernels that this processor has, with one
// thread, and by how much more the lower levels take than the highest, or what the same bits everywhere cost. A level
// runs in a process of its own.
func factors(args []string, out io.Writer) error {
	f := flag.NewFlagSet("bench factors", flag.ContinueOnError)
	pattern := f.String("case", "^(mm_512|mm_1024_i8|gemv_4096|add_1e6|gelu_1e6|sig_1e6|softmax_1024|layernorm_4096x768|sum_4096x768|conv_.*|lenet|resnet18)$",
		"the cases whose name matches this regular expression")
	same := f.Bool("reproducible", false, "what the same bits everywhere cost at the highest level, instead of the lower levels")
	if err := f.Parse(args); err != nil {
		return err
	}
	cases, err := find(*pattern)
	if err != nil {
		return err
	}
	ways := levelsHere()
	if *same {
		ways = []way{ways[0], {ways[0].level, true}}
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(w, "case\t")
	for i, l := range ways {
		if fmt.Fprintf(w, "%v ms\t", l); i > 0 {
			fmt.Fprint(w, "factor\t")
		}
	}
	fmt.Fprintln(w)
	for _, b := range cases {
		fmt.Fprintf(w, "%s\t", b.name)
		first := 0.0
		for i, l := range ways {
			m, err := measured(b.name, l)
			if err != nil {
				return err
			}
			if fmt.Fprintf(w, "%.4f\t", m.Min); i == 0 {
				first = m.Min
			} else {
				fmt.Fprintf(w, "%.1f\t", m.Min/first)
			}
		}
		fmt.Fprintln(w)
	}
	return w.Flush()
}

// levelsHere lists the levels of kernels that this processor runs, the highest first.
func levelsHere() (list []way) {
	highest := cpu.Detect().Level
	for l := int(highest); l >= 0; l-- {
		if highest.Includes(cpu.Level(l)) {
			list = append(list, way{level: cpu.Level(l)})
		}
	}
	return list
}

// way is how a case is run.
type way struct {
	level        cpu.Level
	reproducible bool
}

func (w way) String() string {
	if w.reproducible {
		return "reproducible"
	}
	return w.level.String()
}

// measured measures a case with one thread in a process of its own.
func measured(name string, w way) (m measurement, err error) {
	self, err := os.Executable()
	if err != nil {
		return m, err
	}
	var stderr bytes.Buffer
	cmd := exec.Command(self, "one", name, "1")
	cmd.Env = append(os.Environ(), "ACAP_KERNELS="+w.level.String(), clockVariable+"=processor")
	if w.reproducible {
		cmd.Env = append(cmd.Env, reproducibleVariable+"=1")
	}
	cmd.Stderr = &stderr
	text, err := cmd.Output()
	if err != nil {
		return m, fmt.Errorf("%s with %v kernels: %w: %s", name, w, err, bytes.TrimSpace(stderr.Bytes()))
	}
	return m, json.Unmarshal(text, &m)
}
