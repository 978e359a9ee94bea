package opinfo

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/host"
)

// The integrals that judge Bessel functions agree with the standard library.
func TestBesselIntegral(t *testing.T) {
	for _, x := range []float64{0.7, 4.9, 5.5, 9, 20} {
		require.InDelta(t, math.J0(x), besselIntegral('j', 0, x), 1e-9)
		require.InDelta(t, math.J1(x), besselIntegral('j', 1, x), 1e-9)
		require.InDelta(t, math.Y0(x), besselIntegral('y', 0, x), 1e-8)
		require.InDelta(t, math.Y1(x), besselIntegral('y', 1, x), 1e-8)
	}
}

// A product that was recorded with a rounding after every sum is judged by the same one in
// f64: 96 + ¼ + ¼ is 96 if bf16 is rounded after every sum.
func TestRoundedOnce(t *testing.T) {
	const line = `{"name":"mm/bf16/0","inputs":[` +
		`{"name":"a","tensor":{"dtype":"bf16","shape":[1,3],"off":0,"len":6}},` +
		`{"name":"b","tensor":{"dtype":"bf16","shape":[3,1],"off":6,"len":6}}],` +
		`"ops":[{"op":"aten.mm.default","args":[{"v":"a"},{"v":"b"}],"outs":["c"]}],` +
		`"outputs":[{"name":"c","tensor":{"dtype":"bf16","shape":[1,1],"off":%d,"len":2}}]}`
	b := buf.New(dtype.BF16, []int{8})
	for i, v := range []float64{96, 1, 1, 1, 0.25, 0.25, 91, 102} {
		b.SetFloat64(i, v)
	}
	programs, err := Read(strings.NewReader(fmt.Sprintf(line, 14)), b.Bytes(), "test")
	require.NoError(t, err)
	exact, err := programs[0].exact("c", false)
	require.NoError(t, err)
	require.Equal(t, dtype.F64, exact.DType)
	require.Equal(t, 96.5, exact.Float64(0))
	require.NoError(t, programs[0].Run(host.Device())) // 102 is wrong by 5.5, 96.5 is not

	a := &answer{x: newExecution(programs[0], host.Device()), name: "c", rtol: 1e-3, atol: 1e-3}
	value := func(v float64) *buf.Buffer {
		c := buf.New(dtype.BF16, []int{1, 1})
		c.SetFloat64(0, v)
		return c
	}
	a.want, a.got = value(96), value(97)
	require.True(t, a.isRoundedOnce())
	a.got = value(98)
	require.False(t, a.isRoundedOnce())
}

// The gradient of w in w·x/w is 0, a sum of two terms that cancel: what f32 leaves of it, and the recorded value is
// such a rest too, is judged by differences in f64.
func TestCancelledGradient(t *testing.T) {
	const program = `{"name":"div/f32/0","inputs":[` +
		`{"name":"x","tensor":{"dtype":"f32","shape":[1],"off":0,"len":4}},` +
		`{"name":"w","tensor":{"dtype":"f32","shape":[1],"off":4,"len":4},"grad":true}],"ops":[` +
		`{"op":"aten.mul.Tensor","args":[{"v":"w"},{"v":"x"}],"outs":["a"]},` +
		`{"op":"aten.div.Tensor","args":[{"v":"a"},{"v":"w"}],"outs":["y"]}],` +
		`"outputs":[{"name":"y","tensor":{"dtype":"f32","shape":[1],"off":0,"len":4}}],` +
		`"grad_outputs":[{"name":"y","tensor":{"dtype":"f32","shape":[1],"off":8,"len":4}}],` +
		`"grads":[{"name":"w","tensor":{"dtype":"f32","shape":[1],"off":12,"len":4}}]}`
	b := buf.New(dtype.F32, []int{4})
	for i, v := range []float64{37.1, 0.03, 1, 0.001} {
		b.SetFloat64(i, v)
	}
	programs, err := Read(strings.NewReader(program), b.Bytes(), "test")
	require.NoError(t, err)
	differences, terms, err := programs[0].differences("w")
	require.NoError(t, err)
	require.InDelta(t, 0, differences[0], 1e-6)
	require.InEpsilon(t, 37.1/0.03, terms[0], 1e-4)

	a := &answer{x: newExecution(programs[0], host.Device()), name: "w", grad: true, rtol: 1e-4, atol: 1e-4}
	value := func(v float64) *buf.Buffer {
		c := buf.New(dtype.F32, []int{1})
		c.SetFloat64(0, v)
		return c
	}
	a.want, a.got = value(0.001), value(-0.0009)
	require.True(t, a.isDifference())
	a.got = value(0.003) // the terms are 1237, and 16 units of that are 0.0024
	require.False(t, a.isDifference())
	a.want, a.got = a.got, value(0) // a recorded gradient that is no rest of rounding
	require.False(t, a.isDifference())
}
