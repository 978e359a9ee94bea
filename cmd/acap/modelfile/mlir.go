package modelfile

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/go-acap/acap/base/inputfile"
	"github.com/go-acap/acap/device/compiler"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/bytecode"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/translate/importer/stablehlo"
	"github.com/go-acap/acap/translate/importer/tosa"
	"github.com/go-acap/acap/translate/passes/acap2019"
	"github.com/go-acap/acap/translate/passes/simplify"
)

// readMLIR reads a text or bytecode.
func readMLIR(path string) (*mlir.Operation, error) {
	text, err := inputfile.ReadText(path)
	if err != nil {
		return nil, err
	}
	module, err := bytecode.Parse(path, text)
	if err != nil {
		return nil, NoProgram(err, path, string(text))
	}
	// A module that opt refuses is not taken apart: a rule that lowers an operation trusts its form.
	if err := mlir.Verify(module); err != nil && openFunction(module) == nil {
		return nil, err
	}
	return module, nil
}

// NoProgram says why a text does not parse as a program: the text is kernels, or definitions of a dialect. For other
// texts the error is err.
func NoProgram(err error, path, text string) error {
	switch {
	case strings.HasPrefix(text, compiler.GroupLine):
		return fmt.Errorf("%s: text of the stage kernel, vector or asm, which is no program: acap run MODEL -kernels FILE runs a model with "+
			"the kernels of a text of the stage kernel", path)
	case definitions.MatchString(text):
		return fmt.Errorf("%s: definitions of a dialect in IRDL, which are no program: mlir-opt -irdl-file reads them", path)
	}
	return err
}

// definitions matches a text whose first line, but for comments, opens a dialect of IRDL.
var definitions = regexp.MustCompile(`^(\s*//.*\n)*\s*irdl\.dialect\b`)

// loadMLIR lowers a text. Operators of aten need to know extents: open extents become the extents of the inputs.
func loadMLIR(path string, module *mlir.Operation, inputs []ops.TensorType) (*mlir.Operation, error) {
	if err := acap2019.From(module); err != nil {
		return nil, err
	}
	if tosa.Has(module) {
		if err := tosa.Lower(module); err != nil {
			return nil, err
		}
	}
	if stablehlo.Has(module) {
		if f := openFunction(module); f != nil {
			if err := givenAll(path, f, inputs); err != nil {
				return nil, err
			}
			if err := stablehlo.Refine(module, f, irTypes(inputs)); err != nil {
				return nil, inputfile.Named(path, err)
			}
		} else if f := openInside(module); f != nil {
			if err := stablehlo.Refine(module, f, mlir.TypesOf(f.Body().Args)); err != nil {
				return nil, inputfile.Named(path, err)
			}
		}
		if err := stablehlo.Lower(module); err != nil {
			return nil, err
		}
	}
	err := mlir.Verify(module)
	if f := openFunction(module); err != nil && f != nil {
		if err := givenAll(path, f, inputs); err != nil {
			return nil, err
		}
		if err := simplify.Specialize(module, f, irTypes(inputs)); err != nil {
			return nil, inputfile.Named(path, err)
		}
		err = mlir.Verify(module)
	}
	if err != nil {
		return nil, err
	}
	return module, nil
}

// openFunction is the function that runs, if an argument has an open extent, else nil.
func openFunction(module *mlir.Operation) *mlir.Operation {
	f, err := compiler.EntryOf(module)
	if err != nil || f.Body() == nil {
		return nil
	}
	for _, v := range f.Body().Args {
		if t, ok := v.Type.(mlir.TensorType); ok && slices.Contains(t.Shape, mlir.Dynamic) {
			return f
		}
	}
	return nil
}

// openInside is the function that runs, if a type in the module has an open extent, which constants may determine;
// else nil.
func openInside(module *mlir.Operation) *mlir.Operation {
	f, err := compiler.EntryOf(module)
	if err != nil || f.Body() == nil {
		return nil
	}
	found := false
	module.Walk(func(op *mlir.Operation) {
		for _, v := range op.Results {
			t, ok := v.Type.(mlir.TensorType)
			found = found || ok && slices.Contains(t.Shape, mlir.Dynamic)
		}
	})
	if !found {
		return nil
	}
	return f
}

// givenAll reports inputs that are missing of a function with open extents.
func givenAll(path string, f *mlir.Operation, inputs []ops.TensorType) error {
	if n := len(f.Body().Args); len(inputs) != n {
		return fmt.Errorf("%s: some of its %d inputs have open extents, and %d are given: give -input or -shape for all of them",
			path, n, len(inputs))
	}
	return nil
}

func irTypes(inputs []ops.TensorType) []mlir.Type {
	var types []mlir.Type
	for _, t := range inputs {
		types = append(types, mlir.Tensor(t.DType, t.Shape))
	}
	return types
}
