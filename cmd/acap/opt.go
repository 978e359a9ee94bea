package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/go-acap/acap/base/atomicfile"
	"github.com/go-acap/acap/base/inputfile"
	"github.com/go-acap/acap/cmd/acap/commandline"
	"github.com/go-acap/acap/cmd/acap/modelfile"
	"github.com/go-acap/acap/cmd/acap/printable"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/translate/passes"
	"github.com/go-acap/acap/translate/passes/driver"
	"github.com/go-acap/acap/translate/passes/report"
)

func init() {
	register(command{"opt", "run passes over a file of MLIR", opt})
}

// optFlags are the flags of opt; those that mlir-opt has too mean the same.
type optFlags struct {
	driver.Options
	pipeline                 []string // the parts in the order of the flags
	output                   string
	before, after            list
	eachVerified, unverified bool
	spelling2019             bool
	listing, dialects        bool
}

func (o *optFlags) define(f *flag.FlagSet) {
	add := func(text string) error { o.pipeline = append(o.pipeline, text); return nil }
	f.Func("passes", "the `passes` to run, separated by commas", add)
	f.Func("pass-pipeline", "the `pipeline` to run, such as 'builtin.module(func.func(canonicalize,cse))'", add)
	f.StringVar(&o.output, "o", "-", "write to this `file`")
	f.Var(&o.before, "print-ir-before", "print what this `pass` gets, to standard error; repeat for more")
	f.Var(&o.after, "print-ir-after", "print what this `pass` leaves, to standard error; repeat for more")
	for _, name := range []string{"print-ir-before-all", "print-before"} {
		f.BoolVar(&o.Between.BeforeAll, name, false, "print before each pass, to standard error")
	}
	for _, name := range []string{"print-ir-after-all", "print-after"} {
		f.BoolVar(&o.Between.AfterAll, name, false, "print after each pass, to standard error")
	}
	f.BoolVar(&o.Between.AfterChange, "print-ir-after-change", false, "print after a pass only if it changed something")
	f.BoolVar(&o.eachVerified, "verify-each", true, "verify after each pass")
	f.BoolVar(&o.unverified, "no-verify", false, "do not verify between passes")
	for _, name := range []string{"mlir-timing", "time"} {
		f.BoolVar(&o.Times, name, false, "print how long each pass took, to standard error")
	}
	f.BoolVar(&o.Split, "split-input-file", false, "take the parts between lines // ----- for files of their own")
	f.BoolVar(&o.Expect, "verify-diagnostics", false, "compare the errors with the comments // expected-error {{…}}")
	for _, name := range []string{"mlir-print-op-generic", "generic"} {
		f.BoolVar(&o.Print.Generic, name, false, "print the generic form of every operation")
	}
	f.BoolVar(&o.Print.Pretty, "pretty", false, "print the custom form of operations that upstream does not know")
	for _, name := range []string{"mlir-print-debuginfo", "locations"} {
		f.BoolVar(&o.Print.Locations, name, false, "print source locations")
	}
	for _, name := range []string{"elide-elementsattrs-if-larger", "mlir-elide-elementsattrs-if-larger"} {
		f.IntVar(&o.Print.ElideLargerThan, name, 0, "leave out the elements of constants with more than `n` of them (0: never)")
	}
	f.BoolVar(&o.Bytecode, "emit-bytecode", false, "write MLIR's bytecode in place of text")
	f.Bool("allow-unregistered-dialect", true, "is always so")
	f.BoolVar(&o.spelling2019, "acap-2019", false, "print functions as in 2019: func @f")
	f.BoolVar(&o.listing, "list", false, "list the passes and the named pipelines")
	f.BoolVar(&o.dialects, "show-dialects", false, "list the dialects")
	for _, r := range report.All {
		f.BoolFunc(r.Name, "print in place of the module "+r.Doc, alone(func() error { o.Report = &r; return nil }))
	}
	for _, p := range passes.All() {
		if f.Lookup(p.Name) == nil {
			f.BoolFunc(p.Name, p.Doc, alone(func() error { return add(p.Name) }))
		}
	}
}

// alone makes the function of a flag that takes no value. A value is refused, because it would change nothing.
func alone(do func() error) func(string) error {
	return func(value string) error {
		if value != "true" { // which package flag gives to a flag that stands alone
			return errors.New("the flag takes no value; write options of a pass in -passes, as in -passes 'canonicalize{max-iterations=3}'")
		}
		return do()
	}
}

func opt(args []string) error {
	var o optFlags
	f := newFlags("opt", "[-passes a,b,c] [flags] [FILE] (standard input without one)")
	o.define(f)
	rest, err := parseBetween(f, args, 0, 1)
	if err != nil {
		return err
	}
	switch {
	case o.listing:
		return listPasses(stdout)
	case o.dialects:
		_, err := fmt.Fprintln(stdout, "Available Dialects: "+strings.Join(mlir.Dialects(), ","))
		return err
	}
	path := "-"
	if len(rest) == 1 {
		path = rest[0]
	}
	name, text, err := readText(path)
	if err != nil {
		return err
	}
	if err := o.complete(); err != nil {
		return err
	}
	out, err := driver.Run(name, text, o.Options)
	if err != nil {
		return modelfile.NoProgram(err, name, text)
	}
	if o.Expect {
		return nil
	}
	return write(o.output, out)
}

// complete makes options of the flags, and refuses passes that there are not.
func (o *optFlags) complete() error {
	for _, name := range slices.Concat(o.before, o.after) {
		if _, known := passes.Lookup(name); !known {
			return commandline.Errorf("-print-ir-before and -print-ir-after: there is no pass %q; acap opt -list has all", name)
		}
	}
	o.Passes = strings.Join(o.pipeline, ",")
	if _, err := passes.Parse(o.Passes); err != nil {
		return commandline.Wrong(err)
	}
	o.Between.Before, o.Between.After = o.before, o.after
	o.Unverified, o.Messages = o.unverified || !o.eachVerified, printable.Messages
	if o.spelling2019 {
		o.Spelling = mlir.ACAP2019
	}
	return nil
}

func listPasses(w io.Writer) error {
	for _, p := range passes.All() {
		fmt.Fprintf(w, "%-20s %s\n", p.Name, p.Doc)
		for _, option := range p.Options {
			fmt.Fprintf(w, "    {%s=%d} %s\n", option.Name, option.Default, option.Doc)
		}
	}
	for _, n := range passes.Pipelines() {
		if _, err := fmt.Fprintf(w, "%-20s %s: %s\n", n.Name, n.Doc, n.Text); err != nil {
			return err
		}
	}
	return nil
}

// readText reads a file, or standard input for "-", and returns the name for positions.
func readText(path string) (name, text string, err error) {
	var data []byte
	if path == "-" {
		beat.rests()
		data, err = io.ReadAll(os.Stdin)
		beat.does("at work")
		return "<stdin>", string(data), err
	}
	data, err = inputfile.ReadText(path)
	return path, string(data), err
}

// write replaces a file by a text, or writes it to standard output.
func write(path, text string) error {
	if path == "-" {
		_, err := io.WriteString(stdout, text)
		return err
	}
	return atomicfile.Write(path, func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	})
}
