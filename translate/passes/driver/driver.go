package driver

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/bytecode"
	"github.com/go-acap/acap/translate/passes"
	"github.com/go-acap/acap/translate/passes/report"
)

// Options say what is done with a file.
type Options struct {
	Passes     string            // the pipeline, as [passes.Parse] reads it
	Unverified bool              // the module is not verified between passes
	Between    Between           // what is printed between passes
	Times      bool              // how long each pass took is written to Messages
	Messages   io.Writer         // where Between and Times are written
	Split      bool              // the parts between lines // ----- are files of their own
	Expect     bool              // errors are compared with the comments // expected-error {{…}}, and nothing is printed
	Print      mlir.PrintOptions // of the result and between passes
	Spelling   mlir.Spelling     // of the result
	Bytecode   bool              // the result is bytecode
	Report     *report.Report    // what is printed in place of the module
}

// Between says what is printed of the module between passes.
type Between struct {
	Before, After       []string // passes by name
	BeforeAll, AfterAll bool
	AfterChange         bool // after a pass only if it changed something
}

// Run processes the parts of a text and returns what comes out. name stands for the file in positions. A text that does
// not parse, a pass that fails and, with Expect, errors that are not the expected ones are errors with their positions.
func Run(name, text string, o Options) (string, error) {
	var out strings.Builder
	var failed error
	for i, part := range o.parts(text) {
		if i > 0 && o.Bytecode {
			return "", errors.New("bytecode holds one module: leave -split-input-file or -emit-bytecode out")
		}
		if i > 0 && !o.Expect {
			out.WriteString(separator + "\n")
		}
		err := o.part(&out, name, part)
		if o.Expect {
			err = meets(part, err)
		}
		if err != nil && failed == nil {
			failed = shown(err, part)
		}
	}
	if failed != nil || o.Expect {
		return "", failed
	}
	return out.String(), nil
}

// separator is the line between the parts of a file.
const separator = "// -----"

// parts cuts a text at its separators. The parts keep the line numbers of the whole by
// empty lines in front.
func (o *Options) parts(text string) []string {
	if !o.Split || bytecode.Is([]byte(text)) {
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

// meets compares the error of a part with what the part expects.
func meets(part string, err error) error {
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

// part runs the passes over one part and prints the result.
func (o *Options) part(w io.Writer, name, text string) error {
	pipeline, err := passes.Parse(o.Passes)
	if err != nil {
		return err
	}
	pipeline.Print, pipeline.Unverified = o.Print, o.Unverified
	o.Between.set(pipeline, o.Messages)
	module, err := bytecode.Parse(name, []byte(text))
	if err != nil {
		return err
	}
	if err := pipeline.Run(module); err != nil {
		return err
	}
	if o.Times {
		printTimes(o.Messages, pipeline.Timings)
	}
	if o.Report != nil {
		return o.Report.Write(w, module)
	}
	if o.Bytecode {
		return bytecode.Write(w, module)
	}
	opts := o.Print
	opts.Spelling = o.Spelling
	return mlir.Print(w, module, opts)
}

// set has a pipeline print.
func (b *Between) set(p *passes.Pipeline, w io.Writer) {
	if b.BeforeAll || len(b.Before) > 0 {
		p.Before = w
	}
	if b.AfterAll || b.AfterChange || len(b.After) > 0 {
		p.After = w
	}
	p.OnlyChanges = b.AfterChange
	p.PrintsBefore = func(name string) bool { return b.BeforeAll || slices.Contains(b.Before, name) }
	p.PrintsAfter = func(name string) bool {
		return b.AfterAll || b.AfterChange && len(b.After) == 0 || slices.Contains(b.After, name)
	}
}

// printTimes writes how long each pass took.
func printTimes(w io.Writer, timings []passes.Timing) {
	total := time.Duration(0)
	for _, t := range timings {
		total += t.Duration
	}
	for _, t := range timings {
		fmt.Fprintf(w, "%12v %5.1f%%  %s\n", t.Duration, 100*float64(t.Duration)/float64(max(total, 1)), t.Pass)
	}
	fmt.Fprintf(w, "%12v 100.0%%  total\n", total)
}
