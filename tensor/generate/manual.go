package main

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/go-acap/acap/ops"
)

// manualText has a line for each operator: its name and what it does, or "= name" for
// another name of one, and "@name" where PyTorch's name does not follow from it. Headings
// are families.
//
//go:embed manual.txt
var manualText string

// family is a heading of the manual, with the names of its operators.
type family struct {
	title string
	names []string
}

// entry is what the manual says of an operator.
type entry struct {
	text    string // "returns |x|."
	same    string // the operator that this one is another name of
	pytorch string
}

// readManual returns the families and the entries by name.
func readManual() (list []family, of map[string]entry, err error) {
	of = map[string]entry{}
	for i, line := range strings.Split(manualText, "\n") {
		if title, ok := strings.CutPrefix(line, "# "); ok {
			list = append(list, family{title: title})
			continue
		}
		if line == "" {
			continue
		}
		line, pytorch, _ := strings.Cut(line, " @")
		e := entry{pytorch: pytorch}
		name, same, alias := strings.Cut(line, " = ")
		if alias && !strings.Contains(name, ":") {
			e.same = same
		} else if name, e.text, alias = strings.Cut(line, ": "); !alias {
			return nil, nil, fmt.Errorf("manual.txt:%d: %q", i+1, line)
		}
		if _, twice := of[name]; twice || len(list) == 0 {
			return nil, nil, fmt.Errorf("manual.txt:%d: %s is here twice, or in no family", i+1, name)
		}
		if e.pytorch == "" {
			e.pytorch = pytorchName(name)
		}
		of[name] = e
		list[len(list)-1].names = append(list[len(list)-1].names, name)
	}
	return list, of, nil
}

// pytorchName is where PyTorch has most operators.
func pytorchName(name string) string {
	for _, module := range []string{"fft", "linalg", "special"} {
		if rest, ok := strings.CutPrefix(name, module+"_"); ok {
			return "torch." + module + "." + rest
		}
	}
	return "torch." + name
}

// manual is what the manual says.
var manual, entries = func() ([]family, map[string]entry) {
	list, of, err := readManual()
	if err != nil {
		panic(err)
	}
	return list, of
}()

// sentence says what a method does.
func sentence(op *ops.Op, name string) string {
	s := op.Parsed()
	base := s.Name
	if op.IsInplace() {
		base = op.Functional().Parsed().Name
	}
	e := entries[base]
	switch {
	case op.IsInplace():
		return fmt.Sprintf("%s changes x in place: x becomes what %s gives.", name, base)
	case e.same != "":
		return fmt.Sprintf("%s is another name of %s.", name, e.same)
	}
	return name + " " + e.text
}

// comment documents a method.
func comment(op *ops.Op, name string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "// %s\n//\n//\t%s\n", sentence(op, name), schemaText(op))
	if f := factsOf(op); f.example != "" {
		fmt.Fprintf(&b, "//\t%s\n", f.example)
	}
	return b.String()
}
