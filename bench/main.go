package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/go-acap/acap/base/environment"
	"github.com/go-acap/acap/kernel/native"
)

func main() {
	err := run(os.Args[1:])
	if err == nil || errors.Is(err, flag.ErrHelp) {
		return
	}
	fmt.Fprintln(os.Stderr, "bench: "+err.Error())
	if environment.IsError(err) {
		os.Exit(2)
	}
	os.Exit(1)
}

func run(args []string) error {
	if err := native.Setting(); err != nil {
		return err
	}
	if err := readBudget(); err != nil {
		return err
	}
	if err := readClock(); err != nil {
		return err
	}
	if len(args) > 0 && args[0] == "one" {
		if len(args) != 3 {
			return errors.New("usage: bench one CASE THREADS")
		}
		return one(args[1], args[2])
	}
	if len(args) > 0 && args[0] == "factors" {
		return factors(args[1:], os.Stdout)
	}
	if len(args) > 0 && args[0] == "digests" {
		return digests(args[1:], os.Stdout)
	}
	if len(args) > 0 && args[0] == "generators" {
		return generators(args[1:], os.Stdout)
	}
	if len(args) == 2 && args[0] == "start" {
		return startHere(args[1])
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
	if f.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q: -case takes the names of cases", f.Arg(0))
	}
	if err := checkPlot(*plotPath, *withPeers); err != nil {
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
	if *rounds < 1 {
		return fmt.Errorf("-rounds %d: at least one", *rounds)
	}
	s := &session{cases: cases, threads: counts, rounds: *rounds, out: os.Stdout, json: *asJSON,
		plotPath: *plotPath, progress: newProgress(os.Stderr)}
	if *withPeers {
		if s.peers, err = installed(); err != nil {
			return err
		}
	}
	return s.run()
}

// one measures a single case and prints a JSON line.
func one(name, threads string) error {
	n, err := strconv.Atoi(threads)
	if err != nil || n < 1 {
		return fmt.Errorf("%q is no number of threads", threads)
	}
	b, err := lookup(name)
	if err != nil {
		return err
	}
	m := b.measure(n)
	m.Case = name
	if m.Error != "" {
		return fmt.Errorf("%s: %s", name, m.Error)
	}
	return json.NewEncoder(os.Stdout).Encode(m)
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
