package tune

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/environment"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/kerneltest"
)

const product = `contraction "product" batch=[] m=49 n=70 k=24 acc=f32 {
  a f32 in len=1176 offset=0 batch=[] row=24 col=1
  b f32 in const len=1680 offset=0 batch=[] row=70 col=1
  port f32 out len=3430 offset=0 outer=[70,1]
  epilogue {
    %0 = input f32
    store f32 %0 port=2
  }
}
`

const layer = `convolution "layer" input=[1,4,14,14] output=[40,12,12] filter=[3,3] stride=[1,1] dilation=[1,1] pad=[0,0] groups=1 acc=f32 {
  x f32 in len=784 offset=0 strides=[784,196,14,1]
  filter f32 in const len=1440 offset=0 strides=[36,9,3,1]
  port f32 out len=5760 offset=0 outer=[5760,144,12,1]
  epilogue {
    %0 = input f32
    store f32 %0 port=2
  }
}
`

func TestRecorder(t *testing.T) {
	r := &recorder{}
	require.Equal(t, 1, r.Choose(1, []float64{109, 100, 112, math.Inf(1)}))
	require.Equal(t, 0, r.Choose(0, []float64{1, 1.05, 1.2}))
	require.Equal(t, Choices{1, 0}, r.taken())
	require.Equal(t, []Choices{{0}, {1, 1}}, r.others(), "each choice within a tenth of the best, one decision at a time")

	again := &recorder{choices: Choices{0, 7}}
	require.Equal(t, 0, again.Choose(1, []float64{109, 100}))
	require.Equal(t, 0, again.Choose(0, []float64{1, 1.05}), "there is no form 7")
	require.Equal(t, 1, again.Choose(1, []float64{2, 1}), "a decision beyond the list")
}

// TestForms: every form of a kernel computes the kernel, and the form that was taken is made again by its choices.
func TestForms(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, text := range []string{product, layer} {
		k, err := kernel.Parse(text)
		require.NoError(t, err)
		kerneltest.Processors(t, func(t *testing.T, f cpu.Features) {
			first := &recorder{}
			code, err := compile(k, f, first)
			require.NoError(t, err)
			code.Close()
			for _, choices := range append(first.others(), first.taken()) {
				code, err := Again(k, f, choices)
				require.NoError(t, err)
				if kerneltest.Executes(f) {
					require.NoError(t, kerneltest.Check(rng, k, code, 0), "choices %v", choices)
				}
				code.Close()
			}
		})
	}
}

func TestFastest(t *testing.T) {
	for _, c := range []struct {
		seconds []float64
		want    int
	}{{[]float64{1, 0.9, 0.8, 0.85}, 2}, {[]float64{1, 0.98, 1.2}, 0}, {[]float64{1, 0.96, 0.965}, 1}, {[]float64{1}, 0}} {
		var forms []*form
		for _, s := range c.seconds {
			forms = append(forms, &form{seconds: s})
		}
		require.Same(t, forms[c.want], fastest(forms), "%v", c.seconds)
	}
}

func TestCompile(t *testing.T) {
	k, err := kernel.Parse(product)
	require.NoError(t, err)
	f := cpu.Detect()
	code, result, err := Compile(k, f)
	require.NoError(t, err)
	defer code.Close()
	require.LessOrEqual(t, result.Best, result.Model)
	if result.Forms > 0 {
		require.Positive(t, result.Best)
	}
	again, err := Again(k, f, result.Choices)
	require.NoError(t, err)
	defer again.Close()
	require.Equal(t, code.Listing(), again.Listing())

	_, fixed, err := Compile(k, f.InFixedOrder())
	require.NoError(t, err)
	require.Zero(t, fixed.Forms, "forms may order sums otherwise")
}

func TestSetting(t *testing.T) {
	for value, on := range map[string]bool{"": false, "0": false, "1": true} {
		t.Setenv(Variable, value)
		got, err := Setting()
		require.NoError(t, err)
		require.Equal(t, on, got)
	}
	t.Setenv(Variable, "yes")
	_, err := Setting()
	require.True(t, environment.IsError(err))
}
