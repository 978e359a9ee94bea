package stablehlo

import (
	"fmt"
	"regexp"

	"github.com/go-acap/acap/mlir"
)

// Target is the name that a custom_call calls, and "" for other operations.
func Target(op *mlir.Operation) string {
	if op.Name != "stablehlo.custom_call" {
		return ""
	}
	name, _ := op.Attrs.Get("call_target_name").(mlir.StringAttr)
	return string(name)
}

// BackendConfig is the dictionary that a custom call has for its target, under either of the names that writers use. It
// is nil where there is none.
func BackendConfig(op *mlir.Operation) mlir.Attrs {
	for _, name := range []string{"backend_config", "mhlo.backend_config"} {
		if d, ok := op.Attrs.Get(name).(mlir.DictAttr); ok {
			return mlir.Attrs(d)
		}
	}
	return nil
}

var routine = regexp.MustCompile(`^(?:lapack_[sdcz]|cusolver_|hipsolver_|cusparse_)([a-z]+)2?_ffi$`)

// ofComplex are routines that have another name for complex elements.
var ofComplex = map[string]string{"heevd": "syevd", "ungqr": "orgqr"}

// Routine is LAPACK's name of what a custom call computes, without the letter of the element type, and as for real
// elements: potrf for the targets lapack_spotrf_ffi, cusolver_potrf_ffi and hipsolver_potrf_ffi, which JAX writes for
// processors and GPUs. It is "" for other targets.
func Routine(op *mlir.Operation) string {
	m := routine.FindStringSubmatch(Target(op))
	if m == nil {
		return ""
	}
	if name := ofComplex[m[1]]; name != "" {
		return name
	}
	return m[1]
}

// CopyCalled copies the body of the function that a custom call names as its called computation into a new region of
// to. Functions are by their names. The error says that the called computation is none of these.
func CopyCalled(functions map[string]*mlir.Operation, call, to *mlir.Operation) error {
	list, _ := call.Attrs.Get("called_computations").(mlir.ArrayAttr)
	if len(list) != 1 {
		return fmt.Errorf("%d called computations, and 1 is wanted", len(list))
	}
	name, _ := list[0].(mlir.SymbolRefAttr)
	if len(name) != 1 {
		return fmt.Errorf("the called computation is %s, and a function is wanted", list[0])
	}
	f := functions[name[0]]
	if f == nil || f.Body() == nil || len(f.Regions[0].Blocks) != 1 {
		return fmt.Errorf("the called computation %s is no function of one block here", name)
	}
	body := to.AddRegion().AddBlock(mlir.TypesOf(f.Body().Args)...)
	values := map[*mlir.Value]*mlir.Value{}
	for i, a := range f.Body().Args {
		values[a] = body.Args[i]
	}
	for _, op := range f.Body().Ops {
		c := body.Append(op.Clone(values))
		if c.Name == "func.return" {
			c.Name = "stablehlo.return"
		}
	}
	return nil
}

// Letter is an option of a custom call of LAPACK, such as 'L' for a lower triangle, and 0 where there is none.
func Letter(config mlir.Attrs, name string) byte {
	i, _ := config.Get(name).(mlir.IntegerAttr)
	return byte(i.Value)
}

// FunctionsOf are the functions of a module by their names.
func FunctionsOf(module *mlir.Operation) map[string]*mlir.Operation {
	functions := map[string]*mlir.Operation{}
	for _, f := range module.Funcs() {
		functions[f.Symbol()] = f
	}
	return functions
}
