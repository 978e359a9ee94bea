package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/go-acap/acap/base/atomicfile"
	"github.com/go-acap/acap/base/inputfile"
	"github.com/go-acap/acap/cmd/acap/commandline"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/bytecode"
	"github.com/go-acap/acap/translate/passes"
	"github.com/go-acap/acap/translate/passes/report"
)

func init() {
	register(command{"opt", "run passes over a file of MLIR", opt})
}

// optFlags are the flags of opt; those that mlir-opt has too mean the same.
type optFlags struct {
	pipeline                  []string // the parts in the order of the flags
	output                    string
	before, after             list
	beforeAll, afterAll       bool
	afterChange, eachVerified bool
	unverified, timings       bool
	split, expect             bool
	generic, pretty           bool
	bytecode                  bool
	locations, spelling2019   bool
	elide                     int
	listing, dialects         bool
	report                    *report.Report // what is printed in place of the module
}

func (o *optFlags) define(f *flag.FlagSet) {
	add := func(text string) error { o.pipeline = append(o.pipeline, text); return nil }
	f.Func("passes", "the `passes` to run, separated by commas", add)
	f.Func("pass-pipeline", "the `pipeline` to run, such as 'builtin.module(func.func(canonicalize,cse))'", add)
	f.StringVar(&o.output, "o", "-", "write to this `file`")
	f.Var(&o.before, "print-ir-before", "print what this `pass` gets, to standard error; repeat for more")
	f.Var(&o.after, "print-ir-after", "print what this `pass` leaves, to standard error; repeat for more")
	for _, name := range []string{"print-ir-before-all", "print-before"} {
		f.BoolVar(&o.beforeAll, name, false, "print before each pass, to standard error")
	}
	for _, name := range []string{"print-ir-after-all", "print-after"} {
		f.BoolVar(&o.afterAll, name, false, "print after each pass, to standard error")
	}
	f.BoolVar(&o.afterChange, "print-ir-after-change", false, "print after a pass only if it changed something")
	f.BoolVar(&o.eachVerified, "verify-each", true, "verify after each pass")
	f.BoolVar(&o.unverified, "no-verify", false, "do not verify between passes")
	for _, name := range []string{"mlir-timing", "time"} {
		f.BoolVar(&o.timings, name, false, "print how long each pass took, to standard error")
	}
	f.BoolVar(&o.split, "split-input-file", false, "take the parts between lines // ----- for files of their own")
	f.BoolVar(&o.expect, "verify-diagnostics", false, "compare the errors with the comments // expected-error {{…}}")
	for _, name := range []string{"mlir-print-op-generic", "generic"} {
		f.BoolVar(&o.generic, name, false, "print the generic form of every operation")
	}
	f.BoolVar(&o.pretty, "pretty", false, "print the custom form of operations that upstream does not know")
	for _, name := range []string{"mlir-print-debuginfo", "locations"} {
		f.BoolVar(&o.locations, name, false, "print source locations")
	}
	for _, name := range []string{"elide-elementsattrs-if-larger", "mlir-elide-elementsattrs-if-larger"} {
		f.IntVar(&o.elide, name, 0, "leave out the elements of constants with more than `n` of them (0: never)")
	}
	f.BoolVar(&o.bytecode, "emit-bytecode", false, "write MLIR's bytecode in place of text")
	f.Bool("allow-unregistered-dialect", true, "is always so")
	f.BoolVar(&o.spelling2019, "acap-2019", false, "print functions as in 2019: func @f")
	f.BoolVar(&o.listing, "list", false, "list the passes and the named pipelines")
	f.BoolVar(&o.dialects, "show-dialects", false, "list the dialects")
	for _, r := range report.All {
		f.BoolFunc(r.Name, "print in place of the module "+r.Doc, alone(func() error { o.report = &r; return nil }))
	}
	for _, p := range passes.All() {
		if f.Lookup(p.Name) == nil {
			f.BoolFunc(p.Name, p.Doc, alone(func() error { return add(p.Name) }))
		}
	}
}

// alone is what a flag without a value does; a value is refused, as it would not change that.
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
	return o.run(name, text)
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

// separator is the line between the parts of a file.
const separator = "// -----"

// parts cuts a text at its separators. The parts keep the line numbers of the whole by
// empty lines in front.
func (o *optFlags) parts(text string) []string {
	if !o.split || bytecode.Is([]byte(text)) {
		return []string{text}
	}
	var list []string
	start, begin := 0, 0
	lines := strings.SplitAfter(text, "\n")
	for i, line := range append(lines, separator) {
		if strings.TrimSpace(line) != separator {
			continue
		}
		list = append(list, strings.Repeat("\n", start)+strings.Join(lines[begin:min(i, len(lines))], ""))
		start, begin = i+1, i+1
	}
	return list
}

// run processes the parts of a text and writes what comes out in the end, so that an
// error leaves the output file as it was.
func (o *optFlags) run(name, text string) error {
	var out strings.Builder
	var failed error
	for i, part := range o.parts(text) {
		if i > 0 && o.bytecode {
			return errors.New("bytecode holds one module: leave -split-input-file or -emit-bytecode out")
		}
		if i > 0 && !o.expect {
			out.WriteString(separator + "\n")
		}
		err := o.part(&out, name, part)
		if o.expect {
			err = o.meets(part, err)
		}
		if err != nil && failed == nil {
			failed = shown(err, part)
		}
	}
	if failed != nil || o.expect {
		return failed
	}
	return write(o.output, out.String())
}

// meets compares the error of a part with what the part expects.
func (o *optFlags) meets(part string, err error) error {
	var diags mlir.Diagnostics
	if err != nil && !errors.As(err, &diags) {
		return err
	}
	if missed, _ := mlir.MissedExpectations(part, diags); len(missed) > 0 {
		return errors.New(strings.Join(missed, "\n"))
	}
	return nil
}

// shown adds the lines of the source to the diagnostics of an error.
func shown(err error, source string) error {
	var diags mlir.Diagnostics
	if !errors.As(err, &diags) {
		return err
	}
	prefix, _, _ := strings.Cut(err.Error(), diags.Error())
	return errors.New(prefix + diags.Show(source))
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

// part runs the passes over one part and prints the result.
func (o *optFlags) part(w io.Writer, name, text string) error {
	pipeline, err := passes.Parse(strings.Join(o.pipeline, ","))
	if err != nil {
		return commandline.Wrong(err)
	}
	pipeline.Print = mlir.PrintOptions{Generic: o.generic, Pretty: o.pretty, Locations: o.locations,
		ElideLargerThan: o.elide}
	if err := o.printing(pipeline); err != nil {
		return err
	}
	module, err := bytecode.Parse(name, []byte(text))
	if err != nil {
		return err
	}
	if err := pipeline.Run(module); err != nil {
		return err
	}
	if o.timings {
		printTimings(os.Stderr, pipeline.Timings)
	}
	if o.report != nil {
		return o.report.Write(w, module)
	}
	if o.bytecode {
		return bytecode.Write(w, module)
	}
	opts := pipeline.Print
	if o.spelling2019 {
		opts.Spelling = mlir.ACAP2019
	}
	return mlir.Print(w, module, opts)
}

func (o *optFlags) printing(p *passes.Pipeline) error {
	for _, name := range slices.Concat(o.before, o.after) {
		if _, known := passes.Lookup(name); !known {
			return commandline.Errorf("-print-ir-before and -print-ir-after: there is no pass %q; acap opt -list has all", name)
		}
	}
	p.Unverified = o.unverified || !o.eachVerified
	if o.beforeAll || len(o.before) > 0 {
		p.Before = os.Stderr
	}
	if o.afterAll || o.afterChange || len(o.after) > 0 {
		p.After = os.Stderr
	}
	p.OnlyChanges = o.afterChange
	p.PrintsBefore = func(name string) bool { return o.beforeAll || slices.Contains(o.before, name) }
	p.PrintsAfter = func(name string) bool {
		return o.afterAll || o.afterChange && len(o.after) == 0 || slices.Contains(o.after, name)
	}
	return nil
}

func printTimings(w io.Writer, timings []passes.Timing) {
	total := time.Duration(0)
	for _, t := range timings {
		total += t.Duration
	}
	for _, t := range timings {
		fmt.Fprintf(w, "%12v %5.1f%%  %s\n", t.Duration, 100*float64(t.Duration)/float64(max(total, 1)), t.Pass)
	}
	fmt.Fprintf(w, "%12v 100.0%%  total\n", total)
}
