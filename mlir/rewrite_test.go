package mlir_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/mlir"
)

// rename replaces operations test.a by test.b.
func rename(r *mlir.Rewriter, op *mlir.Operation) error {
	if op.Name == "test.a" {
		b := r.Create("test.b", op.Operands, mlir.TypesOf(op.Results), nil)
		r.Replace(b.Results...)
	}
	return nil
}

// TestRewrite: a replaced value is replaced in later blocks, in regions that capture it,
// in what branches pass, and where a graph region uses it before it is defined.
func TestRewrite(t *testing.T) {
	module, err := mlir.Parse("x.mlir", []byte(`
func.func @f(%c: i1, %x: i32) -> i32 {
  %a = "test.a"(%x) : (i32) -> i32
  cf.cond_br %c, ^later(%a : i32), ^last
^end:
  %s = scf.if %c -> (i32) {
    %n = "test.a"(%m) : (i32) -> i32
    scf.yield %n : i32
  } else {
    scf.yield %a : i32
  }
  return %s : i32
^later(%p: i32):
  cf.br ^last
^last:
  %m = "test.a"(%a) : (i32) -> i32
  cf.br ^end
}
%early = "test.use"(%late) : (i32) -> i32
%late = "test.a"(%early) : (i32) -> i32
`))
	require.NoError(t, err)
	require.NoError(t, mlir.Verify(module))
	n, err := mlir.RewriteCount(module, rename)
	require.NoError(t, err)
	require.Equal(t, 4, n)
	require.NoError(t, mlir.Verify(module), module)
	require.NotContains(t, module.String(), "test.a")
}

// TestRewriteError: what was not visited stays.
func TestRewriteError(t *testing.T) {
	module, err := mlir.Parse("x.mlir", []byte(`func.func @f(%c: i1) {
  scf.if %c {
    "test.a"() : () -> ()
    "test.stop"() : () -> ()
    "test.a"() : () -> ()
  }
  "test.a"() : () -> ()
  return
}`))
	require.NoError(t, err)
	stop := errors.New("stop")
	err = mlir.Rewrite(module, func(r *mlir.Rewriter, op *mlir.Operation) error {
		if op.Name == "test.stop" {
			return stop
		}
		return rename(r, op)
	})
	require.ErrorIs(t, err, stop)
	require.NoError(t, mlir.Verify(module))
	require.Equal(t, 2, strings.Count(module.String(), "test.a"))
	require.Equal(t, 1, strings.Count(module.String(), "test.b"))
}

func TestCaptured(t *testing.T) {
	module, err := mlir.Parse("x.mlir", []byte(`func.func @f(%c: i1, %x: i32, %y: i32) -> i32 {
  %s = scf.if %c -> (i32) {
    %n = arith.addi %x, %x : i32
    scf.yield %n : i32
  } else {
    scf.yield %y : i32
  }
  return %s : i32
}`))
	require.NoError(t, err)
	f := module.Func("f")
	require.Equal(t, f.Body().Args, f.Body().Ops[0].Captured())
}

// TestEmptyBlock: a block without operations is more than no block.
func TestEmptyBlock(t *testing.T) {
	const text = `module {
  "foo.x"() ({
  ^bb0:
  }, {
  }) : () -> ()
}
`
	module, err := mlir.Parse("x.mlir", []byte(text))
	require.NoError(t, err)
	require.Equal(t, text, module.Text(mlir.PrintOptions{}))
}
