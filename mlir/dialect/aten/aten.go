package aten

import (
	"strings"
	"sync"

	"github.com/go-acap/acap/mlir"
)

func init() {
	mlir.RegisterDialect(&mlir.Dialect{Name: "aten", Unknown: define})
}

// Verifier checks an operation of the dialect. It may refuse an unknown operator.
type Verifier func(op *mlir.Operation) error

// Effects reports whether the operator of the given name has effects besides its
// results, so that calls of it neither merge nor vanish.
type Effects func(name string) bool

var (
	verifier Verifier
	effects  Effects
)

// SetVerifier installs the checks of the operators. Call it from an init function.
func SetVerifier(v Verifier, e Effects) { verifier, effects = v, e }

// Simplifier builds what stands for the results of an operation with the same bits, or returns nil.
type Simplifier func(b *mlir.Builder, op *mlir.Operation) []*mlir.Value

var simplifier Simplifier

// SetSimplifier installs what canonicalization does with the operators. Call it from an init function.
func SetSimplifier(s Simplifier) { simplifier = s }

var definitions sync.Map // of *mlir.OpDef by name

// define makes the definition of an operator when its name first occurs.
func define(name string) *mlir.OpDef {
	if d, ok := definitions.Load(name); ok {
		return d.(*mlir.OpDef)
	}
	def := &mlir.OpDef{
		Name: name, Operands: mlir.Variadic, Results: mlir.Variadic, Regions: mlir.Variadic,
		Parse: mlir.ParseFunctional, Print: mlir.PrintFunctional,
		Verify: func(op *mlir.Operation) error {
			if verifier == nil {
				return nil
			}
			return verifier(op)
		},
		Simplify: func(b *mlir.Builder, op *mlir.Operation) []*mlir.Value {
			if simplifier == nil {
				return nil
			}
			return simplifier(b, op)
		},
	}
	if !inPlace(name) && (effects == nil || !effects(name)) {
		def.Traits |= mlir.Pure
	}
	if name == "aten.constant" {
		def.Traits |= mlir.ConstantLike
	}
	d, _ := definitions.LoadOrStore(name, def)
	return d.(*mlir.OpDef)
}

// inPlace reports whether the operator's name ends in one underscore, which marks
// those that change an operand: aten.add_.Tensor.
func inPlace(name string) bool {
	base := BaseName(name)
	return strings.HasSuffix(base, "_") && !strings.HasSuffix(base, "__")
}

// Is reports whether an operation is of this dialect.
func Is(op *mlir.Operation) bool { return strings.HasPrefix(op.Name, "aten.") }

// BaseName returns the name of an operator without its dialect and its overload: "add" for "aten.add.Tensor".
func BaseName(name string) string {
	base, _, _ := strings.Cut(strings.TrimPrefix(name, "aten."), ".")
	return base
}

// Create appends the operator of the given name, without "aten.", and returns the
// operation.
func Create(b *mlir.Builder, name string, operands []*mlir.Value, results []mlir.Type,
	attrs mlir.Attrs) *mlir.Operation {
	return b.Create("aten."+name, operands, results, attrs)
}
