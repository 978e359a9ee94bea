package importer

import (
	"fmt"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/translate/passes/guard"
)

// guarded is a value that was read, the contents that it had, and the purpose.
type guarded struct {
	value *mlir.Value
	was   *buf.Buffer
	what  string
}

// place names the purpose and the place of a read: the line of the model's source, if the file knows the line.
func (s *specialized) place(value *mlir.Value, what string) string {
	for i, a := range s.block.Args {
		if a == value && a.Name != "" {
			what += " (input " + a.Name + ")"
		} else if a == value {
			what += fmt.Sprintf(" (input %d)", i)
		}
	}
	at := s.location
	if n := len(at.Callers); n > 0 {
		at = at.Callers[n-1]
	}
	if place := at.Short(); place != "" {
		what += " at " + place
		if name := s.location.Name; name != "" && name != place {
			what += " in " + name
		}
	}
	return what
}

// guard writes what was read as the guards of the module. A value that depends on no input cannot differ.
func (s *specialized) guard(module *mlir.Operation) error {
	unknown := func(*mlir.Operation) *buf.Buffer { return nil }
	all := map[*mlir.Operation]bool{}
	var list []guarded
	for _, g := range s.guards {
		ops := needed(g.value, unknown)
		depends := g.value.Def == nil
		for op := range ops {
			for _, v := range op.Operands {
				depends = depends || v.Def == nil
			}
		}
		if depends {
			list = append(list, g)
			for op := range ops {
				all[op] = true
			}
		}
	}
	if len(list) == 0 {
		return nil
	}
	w, copies := s.another()
	for _, op := range s.block.Ops {
		if all[op] {
			w.block.Append(op.Clone(copies))
		}
	}
	values := make([]*mlir.Value, len(list))
	for i, g := range list {
		values[i] = copies[g.value]
	}
	if err := s.again(w, values, list); err != nil {
		return err
	}
	var results []*mlir.Value
	var names []string
	for i, g := range list {
		results = append(results, values[i], ops.ToIR(w.Constant("", g.was)))
		names = append(names, g.what)
	}
	guard.Add(module, w.function("guards", results), names)
	return nil
}

// again computes numbers that are no whole ones once more, by one program for all guards: the bits of sums depend on
// what they are computed with, and a guard compares bits.
func (s *specialized) again(w *writer, values []*mlir.Value, list []guarded) error {
	var inexact []int
	for i, g := range list {
		if g.value.Def != nil && (g.was.DType.IsFloat() || g.was.DType.IsComplex()) {
			inexact = append(inexact, i)
		}
	}
	if len(inexact) == 0 || s.run == nil {
		return nil
	}
	module := mlir.NewModule()
	module.Body().Append(w.function("main", values).Clone(map[*mlir.Value]*mlir.Value{}))
	w.block.Ops = w.block.Ops[:len(w.block.Ops)-1] // it goes on
	results, err := s.run(module, s.inputs)
	if err != nil {
		return err
	}
	for _, i := range inexact {
		list[i].was = results[i]
	}
	return nil
}
