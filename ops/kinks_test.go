package ops_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/tensor"
)

// kink is a call at points where an operator has no derivative or an infinite one: ties, corners, ends of ranges,
// zeros, infinities, NaN. testdata/kinks.py recorded what PyTorch 2.14 gives there: the first result, the gradients of
// the floating arguments for cotangents of 1, and gradients of their sum.
type kink struct {
	Op     string
	Args   []json.RawMessage
	Out    []string
	Grads  [][]string
	Second [][]string // the gradients of the sum of the gradients, of some calls
}

// otherwise are the calls whose values here differ, and why.
var otherwise = map[string]string{
	"hardsigmoid 0":    "PyTorch rounds 1/6 to float32",
	"smooth_l1_loss 1": "PyTorch gives -1 at 0 for beta 0, where it says that it computes l1_loss, whose gradient is 0",
	"cdist 2":          "PyTorch gives all ties of a maximum the whole gradient: no subgradient, and not that of its vector_norm",
	"logdet 0":         "the gradient of a singular matrix is not defined: its infinity is in one place, beside it is 0·∞",
}

// numbers reads numbers that are written as text, infinities among them.
func numbers(t *testing.T, list []string) []float64 {
	out := make([]float64, len(list))
	for i, s := range list {
		v, err := strconv.ParseFloat(s, 64)
		require.NoError(t, err)
		out[i] = v
	}
	return out
}

// argument reads an argument, and reports whether it is a tensor that may have a gradient.
func (k *kink) argument(t *testing.T, raw json.RawMessage) (arg any, floating bool) {
	var v struct {
		T     []string
		Shape []int
		C     bool
		D     string
		F     string
	}
	if json.Unmarshal(raw, &v) == nil && v.T != nil {
		list := numbers(t, v.T)
		switch {
		case v.C:
			z := make([]complex128, len(list)/2)
			for i := range z {
				z[i] = complex(list[2*i], list[2*i+1])
			}
			return tensor.FromSlice(z).Reshape(v.Shape).RequiresGrad(), true
		case v.D == "torch.float64":
			return tensor.FromSlice(list).Reshape(v.Shape).RequiresGrad(), true
		case v.D == "torch.bool":
			return tensor.FromSlice(list, v.Shape...).NeScalar(0), false
		}
		return tensor.FromSlice(list, v.Shape...).ToDtype(dtype.I64), false
	}
	if v.F != "" {
		return numbers(t, []string{v.F})[0], false
	}
	var plain any
	require.NoError(t, json.Unmarshal(raw, &plain))
	switch p := plain.(type) {
	case float64:
		return int(p), false
	case []any:
		list := make([]int, len(p))
		for i, n := range p {
			list[i] = int(n.(float64))
		}
		return list, false
	}
	return plain, false
}

// parts are the numbers of a tensor, real and imaginary parts one after the other.
func parts(x *tensor.Tensor) []float64 {
	if x.DType().IsComplex() {
		x = tensor.Call("view_as_real", x)[0]
	}
	return x.Float64s()
}

func agree(want, got []float64) error {
	if len(want) != len(got) {
		return fmt.Errorf("%d numbers, not %d", len(got), len(want))
	}
	for i, w := range want {
		g := got[i]
		if !(w == g || math.IsNaN(w) && math.IsNaN(g) || !math.IsInf(w, 0) && math.Abs(w-g) <= 1e-9*(1+math.Abs(w))) {
			return fmt.Errorf("%v, PyTorch %v", got, want)
		}
	}
	return nil
}

// gradientsAgree compares gradients with those that PyTorch has; a gradient that is not there is 0.
func gradientsAgree(t *testing.T, want [][]string, grads []*tensor.Tensor) error {
	for j, g := range grads {
		if want[j] == nil {
			continue
		}
		got := make([]float64, len(want[j]))
		if g != nil {
			got = parts(g)
		}
		if err := agree(numbers(t, want[j]), got); err != nil {
			return fmt.Errorf("gradient %d: %w", j, err)
		}
	}
	return nil
}

// TestKinks: what PyTorch gives at ties and corners is given here.
func TestKinks(t *testing.T) {
	text, err := os.ReadFile("testdata/kinks.json")
	require.NoError(t, err)
	var list []kink
	require.NoError(t, json.Unmarshal(text, &list))
	require.Greater(t, len(list), 150)
	number := map[string]int{}
	for i := range list {
		k := &list[i]
		name := fmt.Sprintf("%s %d", k.Op, number[k.Op]) // the calls of an operator are numbered
		number[k.Op]++
		t.Run(k.Op, func(t *testing.T) {
			var args []any
			var leaves []*tensor.Tensor
			for _, raw := range k.Args {
				a, floating := k.argument(t, raw)
				args = append(args, a)
				if floating {
					leaves = append(leaves, a.(*tensor.Tensor))
				}
			}
			var failed error
			err := tensor.Try(func() {
				out := tensor.Call(k.Op, args...)[0]
				if failed = agree(numbers(t, k.Out), parts(out)); failed != nil {
					failed = fmt.Errorf("result: %w", failed)
					return
				}
				ones := tensor.Call("ones_like", tensor.Call("abs", out)[0])[0]
				if out.DType().IsComplex() {
					ones = tensor.Call("complex", ones, tensor.Call("zeros_like", ones)[0])[0]
				}
				if k.Second == nil {
					failed = gradientsAgree(t, k.Grads, tensor.Grad([]*tensor.Tensor{out}, leaves, []*tensor.Tensor{ones}))
					return
				}
				grads := tensor.Grad([]*tensor.Tensor{out}, leaves, []*tensor.Tensor{ones}, tensor.CreateGraph)
				if failed = gradientsAgree(t, k.Grads, grads); failed != nil {
					return
				}
				sum := tensor.Zeros()
				for _, g := range grads {
					sum = sum.To(g.Device()).Add(g.Sum())
				}
				failed = gradientsAgree(t, k.Second, tensor.Grad([]*tensor.Tensor{sum}, leaves, nil))
			})
			if failed == nil {
				failed = err
			}
			reason := otherwise[name]
			if (failed != nil) != (reason != "") {
				t.Errorf("%s %s: %v; listed: %q", name, k.Args, failed, reason)
			}
		})
	}
}
