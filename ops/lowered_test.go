package ops_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/mlirtest"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/translate/passes"
	"github.com/go-acap/acap/translate/passes/lowering"
)

// TestSimplifications: canonicalization makes of calls what the text says.
func TestSimplifications(t *testing.T) {
	mlirtest.Passes(t, "../translate/passes/testdata/simplify_aten.mlir", func(names string, module *mlir.Operation) error {
		pipeline, err := passes.Parse(names)
		require.NoError(t, err)
		return pipeline.Run(module)
	})
}

// TestLocations: what an operator becomes stands where its call stands, for messages and profiles.
func TestLocations(t *testing.T) {
	place := mlir.Location{File: "model.py", Line: 7}
	for _, op := range ops.All() {
		if op.IsInplace() || op.Draws {
			continue
		}
		for _, s := range op.Samples() {
			module := sampleModule(t, op, s)
			if module == nil {
				continue
			}
			main := module.Func("main")
			for _, inner := range main.Body().Ops {
				inner.Loc = place
			}
			require.NoError(t, lowering.Decompose(module))
			require.NoError(t, lowering.ToLinalg(module))
			main.Walk(func(inner *mlir.Operation) {
				if inner != main && (inner.Loc.File != place.File || inner.Loc.Line != place.Line) {
					t.Errorf("%s%v: %s is at %v", op.Name(), s, inner.Name, inner.Loc)
				}
			})
		}
	}
}
