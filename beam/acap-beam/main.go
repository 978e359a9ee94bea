package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"

	sdk "github.com/apache/beam/sdks/v2/go/pkg/beam"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/core/runtime/exec/optimized" // calls without reflection
	"github.com/apache/beam/sdks/v2/go/pkg/beam/log"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/flink" // registers itself
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism" // registers itself
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/spark" // registers itself

	"github.com/go-acap/acap/beam"
	"github.com/go-acap/acap/cmd/acap/commandline"
)

func main() { os.Exit(run(os.Args[1:])) }

func run(args []string) int {
	log.LogLevel = "warn"
	if isWorker(args) {
		flag.CommandLine.Parse(args)
		sdk.Init() // runs the worker and ends the process
		return 1
	}
	if len(args) == 0 || !slices.Contains(beam.Kinds(), args[0]) {
		usage()
		if len(args) > 0 && (args[0] == "help" || args[0] == "-h" || args[0] == "--help") {
			return 0
		}
		return 2
	}
	flag.CommandLine.Parse(nil)
	sdk.Init()
	err := do(args[0], args[1:])
	if removal := beam.RemoveCopies(); err == nil {
		err = removal
	}
	switch {
	case err == nil, errors.Is(err, flag.ErrHelp):
		return 0
	case errors.Is(err, commandline.ErrUsage):
		return 2
	}
	fmt.Fprintln(os.Stderr, "acap-beam "+args[0]+": "+err.Error())
	return 1
}

// isWorker tells whether Beam starts this process as a worker.
func isWorker(args []string) bool {
	return slices.ContainsFunc(args, func(a string) bool {
		return strings.TrimLeft(a, "-") == "worker" || strings.HasPrefix(strings.TrimLeft(a, "-"), "worker=")
	})
}

// do runs a job. Its flags are the job's, the flags of all jobs, and Beam's.
func do(name string, args []string) error {
	var o beam.Options
	f := flag.NewFlagSet("acap-beam "+name, flag.ContinueOnError)
	arguments := beam.Record(f, name)
	f.StringVar(&o.Output, "output", "", "the `file` of the result; pieces are kept in the folder FILE.parts beside it")
	f.IntVar(&o.Attempts, "attempts", 3, "how `often` a piece is tried before it counts as failed")
	f.IntVar(&o.Elements, "elements", 1, "among how many `elements` of the pipeline pieces are divided: several for each worker")
	flag.CommandLine.VisitAll(func(g *flag.Flag) {
		if f.Lookup(g.Name) == nil {
			f.Var(g.Value, g.Name, "of Beam: "+g.Usage)
		}
	})
	f.Usage = func() { fmt.Fprintf(f.Output(), "usage: acap-beam %s %s\n", name, beam.Usage(name)) }
	rest, err := commandline.Parse(f, args)
	if err != nil {
		return err
	}
	o.Runner = *runners.Runner
	return beam.Run(context.Background(), name, append(*arguments, rest...), o)
}

func usage() {
	fmt.Println("acap-beam: work of acap, divided among the workers of Apache Beam\n\nusage: acap-beam COMMAND -output FILE [flags]")
	fmt.Println()
	for _, name := range beam.Kinds() {
		fmt.Printf("  %-12s %s\n", name, beam.Usage(name))
	}
	fmt.Println("\n`acap-beam COMMAND -h` shows its flags. The runner is -runner prism, which is embedded, flink or spark.")
}
