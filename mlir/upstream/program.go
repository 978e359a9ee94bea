package upstream

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/mlir"
	_ "github.com/go-acap/acap/mlir/dialect" // what drivers are written in
)

// Program is a module in linalg form, whose function @main runs on the inputs.
type Program struct {
	Module *mlir.Operation
	Inputs []*buf.Buffer
}

// signature is the type of a program's function @main.
func (p *Program) signature() (mlir.FunctionType, error) {
	var none mlir.FunctionType
	f := p.Module.Func("main")
	if f == nil {
		return none, errors.New("there is no function @main")
	}
	a, _ := f.Attrs.Get("function_type").(mlir.TypeAttr)
	t, ok := a.Type.(mlir.FunctionType)
	if !ok || len(t.Inputs) != len(p.Inputs) {
		return none, fmt.Errorf("@main is not a function of %d inputs", len(p.Inputs))
	}
	for i, v := range slices.Concat(t.Inputs, t.Results) {
		tensor, ok := v.(mlir.TensorType)
		if !ok || slices.Contains(tensor.Shape, mlir.Dynamic) || !transferred(tensor.Elem) {
			return none, fmt.Errorf("@main takes or returns %v, not a tensor of numbers of known extents", v)
		}
		if i < len(p.Inputs) && len(p.Inputs[i].Bytes()) != bytesOf(tensor) {
			return none, fmt.Errorf("input %d has not the bytes of %v", i, v)
		}
	}
	return t, nil
}

// transferred reports whether elements have the same bytes in memory there and here.
func transferred(elem mlir.Type) bool {
	d := mlir.DTypeOf(elem)
	return d.Valid() && !d.IsComplex()
}

// addTo appends a program to a module, with a prefix before the names of its functions, and a
// driver of that name.
func (p *Program) addTo(module *mlir.Operation, name string, t mlir.FunctionType) error {
	prefix := name + "_"
	copied := p.Module.Clone(map[*mlir.Value]*mlir.Value{})
	if err := withoutSigns(copied); err != nil {
		return err
	}
	for _, op := range copied.Body().Ops {
		op.Walk(func(inner *mlir.Operation) { renameSymbols(inner, prefix) })
		module.Body().Append(op)
	}
	t = mlir.FunctionType{Inputs: signlessTypes(t.Inputs), Results: signlessTypes(t.Results)}
	drive, err := mlir.Parse(name, []byte(driver(name, prefix+"main", t)))
	if err != nil {
		return fmt.Errorf("BUG: upstream: %w", err)
	}
	for _, op := range drive.Body().Ops {
		module.Body().Append(op)
	}
	return nil
}

// renameSymbols puts a prefix before the name that an operation defines and those that it uses.
func renameSymbols(op *mlir.Operation, prefix string) {
	for i, a := range op.Attrs {
		switch v := a.Value.(type) {
		case mlir.StringAttr:
			if a.Name == "sym_name" {
				op.Attrs[i].Value = mlir.StringAttr(prefix) + v
			}
		case mlir.SymbolRefAttr:
			renamed := slices.Clone(v)
			renamed[0] = prefix + renamed[0]
			op.Attrs[i].Value = renamed
		}
	}
}

// driver is the text of a function that reads the inputs, calls @main and writes the results.
func driver(name, main string, t mlir.FunctionType) string {
	var b strings.Builder
	fmt.Fprintf(&b, "func.func @%s() {\n  %%in = arith.constant 0 : i32\n  %%out = arith.constant 1 : i32\n", name)
	transfer := func(call, file, value string, v mlir.TensorType) {
		fmt.Fprintf(&b, `  %%x_%[1]s = memref.extract_aligned_pointer_as_index %%%[1]s : %[2]s -> index
  %%p_%[1]s = arith.index_cast %%x_%[1]s : index to i64
  %%n_%[1]s = arith.constant %[3]d : i64
  %%r_%[1]s = func.call @%[4]s(%%%[5]s, %%p_%[1]s, %%n_%[1]s) : (i32, i64, i64) -> i64
`, value, memory(v), bytesOf(v), call, file)
	}
	var args, results []string
	for i, in := range t.Inputs {
		v := in.(mlir.TensorType)
		fmt.Fprintf(&b, "  %%a%d = memref.alloc() : %s\n", i, memory(v))
		transfer("read", "in", fmt.Sprintf("a%d", i), v)
		fmt.Fprintf(&b, "  %%t%d = bufferization.to_tensor %%a%d restrict writable : %s\n", i, i, memory(v))
		args = append(args, fmt.Sprintf("%%t%d", i))
	}
	for i := range t.Results {
		results = append(results, fmt.Sprintf("%%y%d", i))
	}
	if len(results) > 0 {
		b.WriteString("  " + strings.Join(results, ", ") + " =")
	}
	fmt.Fprintf(&b, "  func.call @%s(%s) : %s\n", main, strings.Join(args, ", "), t)
	for i, out := range t.Results {
		v := out.(mlir.TensorType)
		fmt.Fprintf(&b, "  %%m%d = bufferization.to_memref %%y%d : %s\n", i, i, memory(v))
		transfer("write", "out", fmt.Sprintf("m%d", i), v)
	}
	b.WriteString("  return\n}\n")
	return b.String()
}

func memory(t mlir.TensorType) mlir.Type { return mlir.MemRefType{Shape: t.Shape, Elem: t.Elem} }

func bytesOf(t mlir.TensorType) int {
	n, _ := mlir.NumElements(t.Shape)
	return n * mlir.DTypeOf(t.Elem).Size()
}
