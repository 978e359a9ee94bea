package arm64

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/longtest"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/kerneltest"
)

// here returns the processors whose code runs here. Elsewhere than on arm64 tests compile only.
func here() (list []cpu.Features, runs bool) {
	if list := kerneltest.ArmHere(); len(list) > 0 {
		return list, true
	}
	for _, p := range kerneltest.Arm {
		list = append(list, p.Features)
	}
	return list, false
}

// TestRandom compares random nests over all operations with the interpreter.
func TestRandom(t *testing.T) {
	types := []dtype.DType{dtype.Bool, dtype.U8, dtype.I8, dtype.I16, dtype.I32, dtype.I64, dtype.F16, dtype.BF16,
		dtype.F32, dtype.F64}
	list, runs := here()
	refused := 0
	n := longtest.Sample(30, 60, 10000)
	for seed := range uint64(n) {
		r := rand.New(rand.NewPCG(seed, 1))
		k := kerneltest.Random(r, kerneltest.Options{Types: types, Ops: func(kernel.Op, dtype.DType) bool { return true }})
		f := list[seed%uint64(len(list))]
		code, err := Compile(k, f)
		if errors.Is(err, kernel.ErrUnsupported) {
			refused++
			continue
		}
		require.NoError(t, err, "%s", k)
		if runs {
			require.NoError(t, kerneltest.Check(r, k, code, 16), "seed %d", seed)
		}
		code.Close()
	}
	require.Less(t, refused, max(n/5, 8), fmt.Sprint(refused, " of ", n, " refused"))
	t.Logf("%d of %d refused, run: %t", refused, n, runs)
}
