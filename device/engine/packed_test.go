package engine

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/portable"
)

// copying is a code that copies an operand before it begins.
type copying struct{ kernel.Code }

func (copying) Shared() int                            { return 192 }
func (copying) PrologueUnits() int                     { return 1 }
func (copying) RunPrologue(_ *kernel.Args, lo, hi int) {}

// TestPackedEach: what every run brings into another form is listed with the reason.
func TestPackedEach(t *testing.T) {
	why := func(weight func(n *net) val) (string, int64) {
		n := newNet()
		f := n.done(n.linear(n.input(8, 16), weight(n), n.weight(16)))
		p, err := Compile(f, Options{ConstInputs: n.consts, Backend: func(k kernel.Kernel) (kernel.Code, error) {
			code, err := portable.Compile(k)
			if _, ok := k.(*kernel.Contraction); ok && err == nil {
				code = copying{code}
			}
			return code, err
		}})
		require.NoError(t, err)
		defer p.Close()
		for _, k := range p.Kernels() {
			if k.PackedEach > 0 {
				return k.PackedWhy, k.PackedEach
			}
		}
		return "", 0
	}
	text, bytes := why(func(n *net) val { return n.input(16, 16) })
	require.Contains(t, text, "operand 1 is input 1, which is not constant")
	require.EqualValues(t, 192, bytes)
	text, _ = why(func(n *net) val { return n.math("tanh", n.input(16, 16)) })
	require.Contains(t, text, "operand 1 is computed in every run")
	text, _ = why(func(n *net) val { return n.weight(16, 16) })
	require.Contains(t, text, "operand 0 varies")
}

// TestPackedOnce: products with one weight and one code have one packed form of it, and give the results of portable
// kernels.
func TestPackedOnce(t *testing.T) {
	build := func(weights int) *Program {
		n := newNet()
		x, bias := n.input(8, 64), n.weight(64)
		list := make([]val, weights)
		for i := range list {
			list[i] = n.weight(64, 64)
		}
		for i := range 6 {
			x = n.math("tanh", n.linear(x, list[i%weights], bias))
		}
		f := n.done(x)
		p, err := Compile(f, Options{ConstInputs: n.consts})
		require.NoError(t, err)
		t.Cleanup(func() { p.Close() })
		want, err := Compile(f, Options{ConstInputs: n.consts, Backend: portable.Compile})
		require.NoError(t, err)
		t.Cleanup(func() { want.Close() })
		inputs := n.inputs
		got, err := p.Run(context.Background(), inputs)
		require.NoError(t, err)
		right, err := want.Run(context.Background(), inputs)
		require.NoError(t, err)
		for i := range right[0].Len() {
			require.InDelta(t, right[0].Float64(i), got[0].Float64(i), 1e-5)
		}
		return p
	}
	one := build(1)
	if one.Packed().Operands == 0 {
		t.Skip("kernels here read weights as they are")
	}
	two := build(2)
	require.EqualValues(t, 1, one.Packed().Operands)
	require.EqualValues(t, 2, two.Packed().Operands)
	require.Less(t, one.Memory(), two.Memory())
}
