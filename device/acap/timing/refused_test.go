package timing

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/workload"
)

// TestRefused gives fields of products and convolutions values at random: a model is made, or it is an error. Operands
// that are packed in a format without known cells are refused.
func TestRefused(t *testing.T) {
	m, err := machine.Preset("npu2")
	require.NoError(t, err)
	r := rand.New(rand.NewPCG(5, 6))
	values := []int64{-1 << 40, -1, 0, 1, 2, 7, 64, 255, 1 << 20, 1 << 31, 1 << 40, 1 << 62}
	var set func(v reflect.Value)
	set = func(v reflect.Value) {
		switch n := values[r.IntN(len(values))]; v.Kind() {
		case reflect.Struct:
			set(v.Field(r.IntN(v.NumField())))
		case reflect.Int, reflect.Int64, reflect.Int32, reflect.Int8:
			v.SetInt(n)
		case reflect.Uint8:
			v.SetUint(uint64(r.IntN(60)))
		case reflect.Bool:
			v.SetBool(n > 1)
		}
	}
	plain := workload.Operand{DType: dtype.BF16}
	refused := 0
	for range 3000 {
		k := workload.Kernel{Name: "k", Kind: workload.KindContraction, Contraction: workload.Contraction{Batch: 1, M: 64, N: 64, K: 64,
			A: plain, B: plain, Acc: dtype.F32, Out: dtype.BF16}}
		if r.IntN(3) == 0 {
			k.Kind = workload.KindConvolution
			k.Convolution = workload.Convolution{N: 1, H: 8, W: 8, C: 8, K: 8, R: 3, S: 3, StrideH: 1, StrideW: 1, DilationH: 1, DilationW: 1,
				Groups: 1, In: dtype.BF16, Weight: dtype.BF16, Acc: dtype.F32, Out: dtype.BF16}
			set(reflect.ValueOf(&k.Convolution).Elem())
		} else {
			set(reflect.ValueOf(&k.Contraction).Elem())
		}
		if r.IntN(20) == 0 {
			set(reflect.ValueOf(&k.Kind).Elem())
		}
		require.NotPanics(t, func() {
			if _, err := NewModel(m, &k); err != nil {
				refused++
			}
		}, "%+v", k)
	}
	require.Positive(t, refused)
	k := workload.Kernel{Kind: workload.KindContraction, Contraction: workload.Contraction{Batch: 1, M: 8, N: 8, K: 256,
		A: plain, B: workload.Operand{DType: dtype.BF16, Format: dtype.Q6_K}, Acc: dtype.F32, Out: dtype.BF16}}
	_, err = NewModel(m, &k)
	require.ErrorContains(t, err, "packed as q6_k")
}
