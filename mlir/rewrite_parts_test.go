package mlir_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/mlir"
)

// longFunction has n operations, each of which takes what earlier ones made, some in regions.
func longFunction(t *testing.T, n int) *mlir.Operation {
	var b strings.Builder
	b.WriteString("func.func @f(%c: i1, %v0: i32, %v1: i32) -> i32 {\n")
	for i := 2; i < n; i++ {
		near, far := i-1, i*i%97%i
		switch i % 5 {
		case 0:
			fmt.Fprintf(&b, "%%v%d = scf.if %%c -> (i32) {\n%%n = \"test.a\"(%%v%d) : (i32) -> i32\nscf.yield %%n : i32\n} else {\nscf.yield %%v%d : i32\n}\n", i, far, near)
		case 1:
			fmt.Fprintf(&b, "%%v%d = \"test.same\"(%%v%d) : (i32) -> i32\n", i, near)
		default:
			fmt.Fprintf(&b, "%%v%d = \"test.a\"(%%v%d, %%v%d) : (i32, i32) -> i32\n", i, near, far)
		}
	}
	fmt.Fprintf(&b, "return %%v%d : i32\n}\n", n-1)
	module, err := mlir.Parse("x.mlir", []byte(b.String()))
	require.NoError(t, err)
	return module
}

// sameOrB is rename that also lets the operand of test.same stand for its result.
func sameOrB(r *mlir.Rewriter, op *mlir.Operation) error {
	if op.Name == "test.same" {
		r.Replace(op.Operands[0])
		return nil
	}
	return rename(r, op)
}

// Functions rewritten in parts are those rewritten as one, chains of replaced values across parts included.
func TestRewriteParts(t *testing.T) {
	for _, n := range []int{3, 64, 66, 1000} {
		one, parts := longFunction(t, n), longFunction(t, n)
		require.NoError(t, mlir.Rewrite(one, sameOrB))
		visits := 0
		require.NoError(t, mlir.RewriteParts(parts, func() mlir.Visit { visits++; return sameOrB }))
		require.NoError(t, mlir.Verify(parts))
		require.Equal(t, one.String(), parts.String())
		require.Equal(t, n > 64, visits > 1)
		for _, op := range parts.Funcs()[0].Body().Ops {
			require.Same(t, parts.Funcs()[0].Body(), op.Block)
		}
	}
}

// The error is the error of the first part that has one; nothing is lost.
func TestRewritePartsError(t *testing.T) {
	module := longFunction(t, 1000)
	ops := module.Funcs()[0].Body().Ops
	before := len(ops)
	bad := map[*mlir.Operation]string{ops[300]: "first", ops[900]: "second"}
	err := mlir.RewriteParts(module, func() mlir.Visit {
		return func(r *mlir.Rewriter, op *mlir.Operation) error {
			if text := bad[op]; text != "" {
				return errors.New(text)
			}
			return rename(r, op)
		}
	})
	require.EqualError(t, err, "first")
	require.Len(t, module.Funcs()[0].Body().Ops, before)
	require.NoError(t, mlir.Verify(module))
}
