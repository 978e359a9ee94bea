package nn

import (
	"fmt"
	"math"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/trace"
)

// The functions Init* give a tensor other values, as the functions of torch.nn.init do, and return it; parameters stay
// parameters. Random numbers come from the generator of the host, and so are the same on every device.

// InitConstant fills a tensor with a number.
func InitConstant(t *tensor.Tensor, v float64) *tensor.Tensor {
	return initialize(t, tensor.FullLike(v, t.DType(), t.Shape()...))
}

// InitUniform draws numbers uniform in [low, high).
func InitUniform(t *tensor.Tensor, low, high float64) *tensor.Tensor {
	return initialize(t, tensor.Uniform(low, high, t.Shape()...))
}

// InitNormal draws numbers from a normal distribution. A negative deviation panics with a [*tensor.ArgError].
func InitNormal(t *tensor.Tensor, mean, deviation float64) *tensor.Tensor {
	if !(deviation >= 0) {
		trace.Raise(&tensor.ArgError{Op: "init", Detail: fmt.Sprintf("deviation %v is not 0 or more", deviation)})
	}
	return initialize(t, tensor.Randn(t.Shape()...).MulScalar(deviation).AddScalar(mean))
}

// InitTruncatedNormal draws numbers from a normal distribution, restricted to [low, high],
// by inverting its distribution function. A deviation that is not above 0, and bounds that do not ascend, panic with a
// [*tensor.ArgError].
func InitTruncatedNormal(t *tensor.Tensor, mean, deviation, low, high float64) *tensor.Tensor {
	if !(low < high) || !(deviation > 0) {
		trace.Raise(&tensor.ArgError{Op: "init", Detail: fmt.Sprintf("deviation %v in [%v, %v]", deviation, low, high)})
	}
	below := func(x float64) float64 { return (1 + math.Erf((x-mean)/deviation/math.Sqrt2)) / 2 }
	from, to := below(low), below(high)
	values := tensor.Rand(t.Shape()...).Float64s()
	for i, u := range values {
		x := mean + deviation*math.Sqrt2*math.Erfinv(2*(from+(to-from)*u)-1)
		values[i] = min(max(x, low), high)
	}
	return initialize(t, tensor.FromBuffer(buf.From(values, t.Shape()...)))
}

// InitEye fills a matrix with the identity. What is no matrix panics with a [*tensor.ShapeError].
func InitEye(t *tensor.Tensor) *tensor.Tensor {
	if t.Dim() != 2 {
		trace.Raise(&tensor.ShapeError{Op: "init eye", Detail: fmt.Sprintf("%d dimensions, not 2", t.Dim())})
	}
	values := make([]float64, t.NumElements())
	for i := range min(t.Size(0), t.Size(1)) {
		values[i*t.Size(1)+i] = 1
	}
	return initialize(t, tensor.FromBuffer(buf.From(values, t.Shape()...)))
}

// InitDirac fills the filters [out in …] of a convolution so that channel i of its result is channel i of its input,
// as far as there are both: 1 in the middle of filter i at channel i, 0 elsewhere. Fewer than 3 dimensions panic with a
// [*tensor.ShapeError].
func InitDirac(t *tensor.Tensor) *tensor.Tensor {
	if t.Dim() < 3 {
		trace.Raise(&tensor.ShapeError{Op: "init dirac", Detail: fmt.Sprintf("%d dimensions, not 3 to 5", t.Dim())})
	}
	values := make([]float64, t.NumElements())
	for i := range min(t.Size(0), t.Size(1)) {
		at := i*t.Size(1) + i
		for _, n := range t.Shape()[2:] {
			at = at*n + n/2
		}
		values[at] = 1
	}
	return initialize(t, tensor.FromBuffer(buf.From(values, t.Shape()...)))
}

// InitOrthogonal makes rows, or columns if there are fewer, of a tensor as a matrix
// [first rest…] orthogonal (Saxe et al., "Exact solutions to the nonlinear dynamics of
// learning in deep linear neural networks", 2013). Fewer than 2 dimensions panic with a [*tensor.ShapeError].
func InitOrthogonal(t *tensor.Tensor, gain float64) *tensor.Tensor {
	if t.Dim() < 2 {
		trace.Raise(&tensor.ShapeError{Op: "init orthogonal", Detail: "fewer than 2 dimensions"})
	}
	rows := t.Size(0)
	cols := t.NumElements() / max(rows, 1)
	x := tensor.Randn(max(rows, cols), min(rows, cols))
	parts := tensor.Call("linalg_qr", x)
	q, r := parts[0], parts[1]
	q = q.Mul(tensor.Call("diagonal", r)[0].Sign())
	if rows < cols {
		q = q.Transpose(0, 1)
	}
	return initialize(t, q.MulScalar(gain).Reshape(t.Shape()))
}

// Fan says by which number of connections a scheme scales.
type Fan int

// The numbers of inputs and of outputs of a unit.
const (
	FanIn Fan = iota
	FanOut
)

// fans returns the numbers of inputs and outputs of a unit with a weight.
func fans(t *tensor.Tensor) (in, out float64) {
	if t.Dim() < 2 {
		trace.Raise(&tensor.ShapeError{Op: "init", Detail: fmt.Sprintf("a weight of %d dimensions has no inputs and outputs", t.Dim())})
	}
	field := 1
	for _, n := range t.Shape()[2:] {
		field *= n
	}
	return float64(t.Size(1) * field), float64(t.Size(0) * field)
}

// InitXavierUniform draws numbers uniform within ±gain·√(6/(in+out)) (Glorot and Bengio,
// "Understanding the difficulty of training deep feedforward neural networks", 2010).
func InitXavierUniform(t *tensor.Tensor, gain float64) *tensor.Tensor {
	in, out := fans(t)
	bound := gain * math.Sqrt(6/(in+out))
	return InitUniform(t, -bound, bound)
}

// InitXavierNormal draws normal numbers with a deviation of gain·√(2/(in+out)).
func InitXavierNormal(t *tensor.Tensor, gain float64) *tensor.Tensor {
	in, out := fans(t)
	return InitNormal(t, 0, gain*math.Sqrt(2/(in+out)))
}

// InitKaimingUniform draws numbers uniform within ±gain·√(3/fan) (He et al., "Delving Deep
// into Rectifiers", 2015).
func InitKaimingUniform(t *tensor.Tensor, fan Fan, gain float64) *tensor.Tensor {
	bound := gain * math.Sqrt(3/chosen(t, fan))
	return InitUniform(t, -bound, bound)
}

// InitKaimingNormal draws normal numbers with a deviation of gain/√fan.
func InitKaimingNormal(t *tensor.Tensor, fan Fan, gain float64) *tensor.Tensor {
	return InitNormal(t, 0, gain/math.Sqrt(chosen(t, fan)))
}

func chosen(t *tensor.Tensor, fan Fan) float64 {
	in, out := fans(t)
	if fan == FanOut {
		return out
	}
	return in
}

// The gains that keep the variance of activations; the gain of linear layers, of sigmoids and of convolutions is 1.
var (
	GainReLU = math.Sqrt2
	GainTanh = 5. / 3
	GainSELU = 3. / 4
)

// GainLeakyReLU is the gain of [LeakyReLU].
func GainLeakyReLU(slope float64) float64 { return math.Sqrt(2 / (1 + slope*slope)) }

// initialize gives a tensor values of its shape.
func initialize(t, values *tensor.Tensor) *tensor.Tensor {
	if values.DType() != t.DType() {
		values = tensor.Call("_to_copy", values, tensor.DType(t.DType()))[0]
	}
	return t.Assign(values.To(t.Device()))
}
