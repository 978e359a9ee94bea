package ops

import (
	"embed"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/go-acap/acap/base/script"
)

// Operators that are only spellings of others stand in a table of expansions, the text files of folder table:
//
//	threshold_backward(Tensor grad_output, Tensor self, Scalar threshold) -> Tensor
//		return where(self > threshold, grad_output, 0)
//		> S(2, 3), S(2, 3), 0.5
//
// The schema is ATen's, `prims::sum` for operators of other namespaces, and `random` before the schema says that the
// operator draws numbers. Arguments that a schema marks with ! are written: behind the results the body returns their
// new values. The rest is TorchScript, whose functions are operators. tablerun.go says which part of the language may
// be used. Lines that begin with > are samples. Lines that begin with # are comments.
//
// `complex` and the name of an operator stand before what the operator is on complex tensors.
//
// [Lookup] and [Resolve] find these operators like all others, which is enough for imported programs. [All] and the
// methods of tensors do not have them. Their text is read when one of them is looked up.

//go:embed table/*.txt
var tableFiles embed.FS

// tabled is an operator of the table, which is read once it is wanted.
type tabled struct {
	file         string
	line         int // of the schema
	schema       string
	random       bool
	complex      bool // an entry for complex tensors, whose schema is only the name
	body         []string
	samples      []string
	sampleLines  []int
	once         sync.Once
	op           *Op
	bodyPosition int
}

// expansions are the operators of the table by name, and the names by base name; onComplex has the entries for complex
// tensors by the name of the operator.
type expansions struct {
	byName    map[string]*tabled
	names     map[string][]string
	onComplex map[string]*tabled
}

// table reads the files of the table, which no program wants whose operators are all others.
var table = sync.OnceValue(func() expansions {
	all := expansions{map[string]*tabled{}, map[string][]string{}, map[string]*tabled{}}
	files, err := tableFiles.ReadDir("table")
	must(err)
	for _, f := range files {
		text, err := tableFiles.ReadFile(path.Join("table", f.Name()))
		must(err)
		must(readTable(f.Name(), string(text), func(name, base string, t *tabled) error {
			into := all.byName
			if t.complex {
				into = all.onComplex
			} else {
				all.names[base] = append(all.names[base], name)
			}
			if into[name] != nil {
				return fmt.Errorf("ops: %s:%d: %s stands in the table twice", t.file, t.line, name)
			}
			into[name] = t
			return nil
		}))
	}
	return all
})

// readTable cuts a file of the table into its operators.
func readTable(file, text string, add func(name, base string, t *tabled) error) error {
	var last *tabled
	for i, line := range strings.Split(text, "\n") {
		trimmed := strings.TrimSpace(line)
		switch {
		case trimmed == "" || strings.HasPrefix(trimmed, "#"):
		case line[0] != ' ' && line[0] != '\t':
			last = &tabled{file: file, line: i + 1, bodyPosition: i + 1}
			last.schema, last.random = strings.CutPrefix(trimmed, "random ")
			last.schema, last.complex = strings.CutPrefix(last.schema, "complex ")
			full, _, ok := strings.Cut(last.schema, "(")
			if ok == last.complex {
				return fmt.Errorf("ops: %s:%d: there is no schema", file, i+1)
			}
			full = strings.Replace(full, "::", "/", 1)
			base, _, _ := strings.Cut(full, ".")
			if err := add(strings.Replace(full, "/", ".", 1), strings.Replace(base, "/", ".", 1), last); err != nil {
				return err
			}
		case last == nil:
			return fmt.Errorf("ops: %s:%d: there is no schema before", file, i+1)
		case strings.HasPrefix(trimmed, ">"):
			last.samples = append(last.samples, strings.TrimSpace(trimmed[1:]))
			last.sampleLines = append(last.sampleLines, i+1)
		default:
			for len(last.body) < i-last.bodyPosition { // so that positions have the lines of the file
				last.body = append(last.body, "")
			}
			last.body = append(last.body, line)
		}
	}
	return nil
}

// operator reads an operator of the table.
func (t *tabled) operator() *Op {
	t.once.Do(func() {
		text, samples := t.schema, t.readSamples
		if t.complex {
			of := MustLookup(t.schema)
			text, samples = of.Schema, of.Samples
		}
		source := strings.Repeat("\n", t.line-1) + "def f():\n" + strings.Join(t.body, "\n") + "\n"
		parsed, err := script.Parse(t.file, source)
		if err == nil && len(parsed.Functions) != 1 {
			err = fmt.Errorf("%s:%d: there is no body", t.file, t.line)
		}
		must(err)
		body := parsed.Functions[0].Body
		op := &Op{Schema: text, Infer: inferExpansion(nil), Draws: t.random, tabled: true, Samples: samples,
			Expand: func(e Emit, c *Call) []Value { return runTable(e, c, body) }}
		if t.complex {
			op.Grad = op.gradientOfExpansion
		}
		t.op = op.called(named(text))
		t.op.writeMarked()
	})
	return t.op
}

// writeMarked has the operator write the arguments that its schema marks, if there are any.
func (op *Op) writeMarked() {
	for i := range op.Parsed().Params {
		if op.Parsed().Params[i].Write {
			op.Written = append(op.Written, i)
		}
	}
	if len(op.Written) == 0 {
		return
	}
	whole := op.Expand
	op.Update = whole
	op.Expand = func(e Emit, c *Call) []Value { return whole(e, c)[:len(op.Parsed().Returns)] }
}

// readSamples evaluates the lines of samples.
func (t *tabled) readSamples() []Sample {
	samples := make([]Sample, len(t.samples))
	for i, text := range t.samples {
		e, err := script.ParseExpression(t.file, strings.Repeat("\n", t.sampleLines[i]-1)+"("+text+",)")
		must(err)
		samples[i] = Sample((&tableRun{vars: map[string]any{}}).eval(e).([]any))
		for k, v := range samples[i] {
			if list, ok := v.([]any); ok {
				samples[i][k] = sampleList(list)
			}
		}
	}
	return samples
}

// sampleList is a list of a sample: of tensors, or an argument.
func sampleList(list []any) any {
	tensors := make([]T, len(list))
	for i, v := range list {
		t, ok := v.(T)
		if !ok {
			return argOf(list)
		}
		tensors[i] = t
	}
	if len(list) == 0 {
		return argOf(list)
	}
	return tensors
}

// Table returns the operators of the table of expansions, sorted by name.
func Table() []*Op {
	all := make([]*Op, 0, len(table().byName))
	for _, t := range table().byName {
		all = append(all, t.operator())
	}
	slices.SortFunc(all, byName)
	return all
}

// OnComplex returns what the table has for complex tensors, sorted by the names of the operators.
func OnComplex() []*Op {
	all := make([]*Op, 0, len(table().onComplex))
	for _, t := range table().onComplex {
		all = append(all, t.operator())
	}
	slices.SortFunc(all, byName)
	return all
}

// fromTable returns an operator of the table, or nil.
func fromTable(name string) *Op {
	if t := table().byName[name]; t != nil {
		return t.operator()
	}
	return nil
}

// overloadsFromTable returns the operators of the table that share a base name.
func overloadsFromTable(base string) []*Op {
	var list []*Op
	for _, name := range table().names[base] {
		list = append(list, table().byName[name].operator())
	}
	slices.SortFunc(list, byName)
	return list
}
