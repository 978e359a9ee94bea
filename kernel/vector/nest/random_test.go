package nest_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/longtest"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/kerneltest"
	"github.com/go-acap/acap/kernel/vector/function"
)

var types = []dtype.DType{dtype.Bool, dtype.U8, dtype.I8, dtype.I16, dtype.I32, dtype.I64,
	dtype.F16, dtype.BF16, dtype.F32, dtype.F64}

// exact are the operations whose results are the same on every back end.
func exact(op kernel.Op, t dtype.DType) bool {
	if function.Is(op) && op.Arity() == 1 {
		return false
	}
	if op == kernel.Cast && t.IsFloat() {
		return false
	}
	switch op {
	case kernel.Pow, kernel.Atan2, kernel.Hypot:
		return !t.IsFloat()
	}
	return true
}

func TestRandomNests(t *testing.T) {
	for _, f := range kerneltest.Levels() {
		compiled, refused := 0, 0
		for seed := range uint64(longtest.Sample(60, 60, 400)) {
			r := rand.New(rand.NewPCG(seed, 2))
			o := kerneltest.Options{Types: types, Ops: exact}
			if seed%2 == 0 {
				o.Types = []dtype.DType{dtype.F32, dtype.I32, dtype.Bool, dtype.BF16, dtype.U8}
			}
			n := kerneltest.Random(r, o)
			code, err := compile(n, f)
			if errors.Is(err, kernel.ErrUnsupported) {
				refused++
				continue
			}
			require.NoError(t, err)
			compiled++
			if kerneltest.Executes(f) {
				err = kerneltest.Check(r, n, code, 4)
			}
			if err != nil {
				t.Log(code.Listing())
			}
			require.NoError(t, err, "%v seed %d", f.Level, seed)
			code.Close()
		}
		t.Logf("%v: %d compiled, %d refused", f.Level, compiled, refused)
	}
}
