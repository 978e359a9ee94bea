package main

import (
	"fmt"
	"io"
	"os"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/passes"
	"github.com/go-acap/acap/tensor/buf/inputfile"
)

func init() {
	register(command{"opt", "run passes over a file of MLIR", opt})
}

func opt(args []string) error {
	f := newFlags("opt", "[-passes a,b,c] [flags] FILE (- for standard input)")
	names := f.String("passes", "", "the passes to run, separated by commas")
	before := f.Bool("print-before", false, "print the module before each pass, to standard error")
	after := f.Bool("print-after", false, "print the module after each pass, to standard error")
	timings := f.Bool("time", false, "print how long each pass took, to standard error")
	unverified := f.Bool("no-verify", false, "do not verify between passes")
	generic := f.Bool("generic", false, "print the generic form of every operation")
	pretty := f.Bool("pretty", false, "print the custom form of operations that upstream does not know")
	locations := f.Bool("locations", false, "print source locations")
	spelling2019 := f.Bool("acap-2019", false, "print functions as in 2019: func @f")
	show := f.Bool("list", false, "list the passes")
	rest, err := parse(f, args)
	if err != nil {
		return err
	}
	if *show {
		for _, p := range passes.All {
			fmt.Fprintf(stdout, "%-20s %s\n", p.Name, p.Doc)
		}
		return nil
	}
	if len(rest) != 1 {
		f.Usage()
		return errUsage
	}
	pipeline, err := passes.Parse(*names)
	if err != nil {
		return err
	}
	pipeline.Unverified = *unverified
	if *before {
		pipeline.Before = os.Stderr
	}
	if *after {
		pipeline.After = os.Stderr
	}
	module, err := readModule(rest[0])
	if err != nil {
		return err
	}
	if err := pipeline.Run(module); err != nil {
		return err
	}
	if *timings {
		for _, t := range pipeline.Timings {
			fmt.Fprintf(os.Stderr, "%-20s %v\n", t.Pass, t.Duration)
		}
	}
	opts := mlir.PrintOptions{Generic: *generic, Pretty: *pretty, Locations: *locations}
	if *spelling2019 {
		opts.Spelling = mlir.ACAP2019
	}
	return mlir.Print(stdout, module, opts)
}

// readModule parses a file, or standard input for "-".
func readModule(path string) (*mlir.Operation, error) {
	if path != "-" {
		text, err := inputfile.ReadText(path)
		if err != nil {
			return nil, err
		}
		return mlir.Parse(path, text)
	}
	text, err := io.ReadAll(os.Stdin)
	if err != nil {
		return nil, err
	}
	return mlir.Parse("<stdin>", text)
}
