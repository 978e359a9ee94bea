package portable

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/kerneltest"
)

var types = []dtype.DType{dtype.Bool, dtype.U8, dtype.I8, dtype.I16, dtype.I32, dtype.I64,
	dtype.F16, dtype.BF16, dtype.F32, dtype.F64}

// stable leaves out what turns a difference of one ULP into a large one.
func stable(op kernel.Op, t dtype.DType) bool {
	return op != kernel.Cast || !t.IsFloat()
}

func TestRandomNests(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		n := kerneltest.Random(r, kerneltest.Options{Types: types, Ops: stable})
		code, err := Compile(n)
		require.NoError(t, err, n.String())
		require.NoError(t, kerneltest.Check(r, n, code, 4), "seed %d", seed)
		again, err := kernel.Parse(n.String())
		require.NoError(t, err)
		require.Equal(t, n.String(), again.String())
	}
}
