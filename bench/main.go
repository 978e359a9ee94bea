package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "bench: "+err.Error())
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) == 3 && args[0] == "one" {
		return one(args[1], args[2])
	}
	f := flag.NewFlagSet("bench", flag.ContinueOnError)
	pattern := f.String("case", ".", "the cases whose name matches this regular expression")
	threads := f.String("threads", "1", "numbers of threads, separated by commas")
	asJSON := f.Bool("json", false, "print one JSON line a measurement")
	withPeers := f.Bool("peers", false, "run other runtimes too, interleaved, and print the ratios")
	plotPath := f.String("plot", "", "write a plot of the ratios to this .svg or .png file")
	rounds := f.Int("rounds", 1, "repeat everything and take the median round")
	if err := f.Parse(args); err != nil {
		return err
	}
	cases, err := find(*pattern)
	if err != nil {
		return err
	}
	counts, err := parseThreads(*threads)
	if err != nil {
		return err
	}
	return (&session{cases, counts, *rounds, *asJSON, *withPeers, *plotPath}).run()
}

// one measures a single case and prints a JSON line.
func one(name, threads string) error {
	n, err := strconv.Atoi(threads)
	if err != nil || n < 1 {
		return fmt.Errorf("%q is no number of threads", threads)
	}
	for i := range benchmarks {
		if benchmarks[i].name == strings.TrimSuffix(name, "_fused") {
			m := benchmarks[i].measure(n)
			m.Case = name
			if err := json.NewEncoder(os.Stdout).Encode(m); err != nil {
				return err
			}
			if m.Error != "" {
				return fmt.Errorf("%s: %s", name, m.Error)
			}
			return nil
		}
	}
	return fmt.Errorf("no case %q", name)
}

func parseThreads(text string) ([]int, error) {
	var out []int
	for _, part := range strings.Split(text, ",") {
		n, err := strconv.Atoi(part)
		if err != nil || n < 1 {
			return nil, fmt.Errorf("-threads %q is not like 1,2", text)
		}
		out = append(out, n)
	}
	return out, nil
}

// geomean is the geometric mean.
func geomean(values []float64) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	sum := 0.0
	for _, v := range values {
		sum += math.Log(v)
	}
	return math.Exp(sum / float64(len(values)))
}
