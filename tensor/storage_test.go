package tensor_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/tensor"
)

// float8 defines a float of 8 bits by its numbers: 2^(e-bias) · (1 + m/2^bits), and m · 2^(1-bias-bits) for e = 0.
type float8 struct {
	d          dtype.DType
	bits, bias int
	fnuz, inf  bool
}

var float8s = []float8{{dtype.F8E4M3FN, 3, 7, false, false}, {dtype.F8E5M2, 2, 15, false, true},
	{dtype.F8E4M3FNUZ, 3, 8, true, false}, {dtype.F8E5M2FNUZ, 2, 16, true, false}}

// value is the number of a pattern, by the definition.
func (f float8) value(pattern int) float64 {
	e, m, scale := pattern&0x7f>>f.bits, pattern&(1<<f.bits-1), math.Pow(2, float64(f.bits))
	sign := 1.0
	if pattern >= 128 {
		sign = -1
	}
	top := 0x7f >> f.bits
	switch {
	case f.fnuz && pattern == 128, f.inf && e == top && m > 0, !f.inf && !f.fnuz && pattern&0x7f == 0x7f:
		return math.NaN()
	case f.inf && e == top:
		return sign * math.Inf(1)
	case e == 0:
		return math.Copysign(float64(m)/scale*math.Pow(2, float64(1-f.bias)), sign)
	}
	return sign * (1 + float64(m)/scale) * math.Pow(2, float64(e-f.bias))
}

// nearest is the number nearest to v, the one with an even pattern of two, found by looking at all of them. What rounds
// to the number that would follow the largest one is infinite, NaN in the fnuz types, and the largest one in e4m3fn.
func (f float8) nearest(v float64) float64 {
	if math.IsNaN(v) {
		return v
	}
	best, even, high, before := 0.0, true, 0.0, 0.0
	for p := range 128 {
		x := f.value(p)
		if math.IsNaN(x) || math.IsInf(x, 0) {
			break
		}
		if gap, least := math.Abs(math.Abs(v)-x), math.Abs(math.Abs(v)-best); gap < least || gap == least && !even {
			best, even = x, p%2 == 0
		}
		high, before = x, high
	}
	if over, half := math.Abs(v)-high, (high-before)/2; over > half || over == half && !even {
		switch {
		case f.inf:
			return math.Copysign(math.Inf(1), v)
		case f.fnuz:
			return math.NaN()
		}
		return math.Copysign(high, v) // PyTorch 2.14 saturates
	}
	if best == 0 && f.fnuz {
		return 0
	}
	return math.Copysign(best, v)
}

// samples are numbers of every size, those around the ends of the formats, ties, and what is no number.
func samples() []float32 {
	r := rand.New(rand.NewPCG(1, 8))
	var list []float32
	for _, f := range float8s {
		for p := range 256 {
			v := float32(f.value(p))
			list = append(list, v, math.Nextafter32(v, 1e9), math.Nextafter32(v, -1e9), v*1.0625, v*1.03125, v*1.125)
		}
	}
	for range 500 {
		list = append(list, float32(math.Ldexp(r.Float64()-0.5, r.IntN(50)-25)))
	}
	return append(list, 0, float32(math.Copysign(0, -1)), 464, 465, 480, 248, 61440, 61439, 65536, 1e30, -1e30, 1e-40,
		float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.NaN()), math.MaxFloat32)
}

// TestPowersOfTwo: f8e8m0fnu rounds as dtype.Float8Bits does, which is held against PyTorch, and is read back, on every
// device.
func TestPowersOfTwo(t *testing.T) {
	in := samples()
	for code := range 255 { // powers, what is around them, and ties
		v := float32(math.Ldexp(1, code-127))
		in = append(in, v, math.Nextafter32(v, 0), math.Nextafter32(v, 1e38), 1.5*v, math.Nextafter32(1.5*v, 0), -v)
	}
	for _, dev := range devices {
		small := tensor.FromSlice(in).To(dev).ToDtype(dtype.F8E8M0FNU)
		bits := small.ViewDtype(dtype.U8).ToDtype(dtype.I32).Int64s()
		values := small.ToDtype(dtype.F32).Float32s()
		for i, v := range in {
			want := dtype.Float8Bits(dtype.F8E8M0FNU, v)
			require.EqualValues(t, want, bits[i], "%s: %v", dev.Name(), v)
			same(t, float64(dtype.Float8E8M0FNU(want).Float32()), float64(values[i]), "%s: %v", dev.Name(), v)
		}
	}
}

// TestFloat8 converts both ways on every device.
func TestFloat8(t *testing.T) {
	in := samples()
	for _, f := range float8s {
		want := make([]float64, len(in))
		for i, v := range in {
			want[i] = f.nearest(float64(v))
		}
		for _, dev := range devices {
			name := fmt.Sprintf("%v on %s", f.d, dev.Name())
			small := tensor.FromSlice(in).To(dev).ToDtype(f.d)
			require.Equal(t, f.d, small.DType())
			for i, v := range small.ToDtype(dtype.F32).Float32s() {
				same(t, want[i], float64(v), "%s of %v", name, in[i])
			}
			for i, v := range small.Float32s() {
				same(t, want[i], float64(v), "%s of %v", name, in[i])
			}
			for i, v := range f.patterns().To(dev).ToDtype(dtype.F64).Float64s() {
				same(t, f.value(i), v, "%s: pattern %#x", name, i)
			}
		}
	}
}

// patterns has the 256 patterns of the type.
func (f float8) patterns() *tensor.Tensor {
	switch f.d {
	case dtype.F8E4M3FN:
		return counted[dtype.Float8E4M3FN]()
	case dtype.F8E5M2:
		return counted[dtype.Float8E5M2]()
	case dtype.F8E4M3FNUZ:
		return counted[dtype.Float8E4M3FNUZ]()
	}
	return counted[dtype.Float8E5M2FNUZ]()
}

func counted[T interface {
	~uint8
	dtype.Go
}]() *tensor.Tensor {
	all := make([]T, 256)
	for i := range all {
		all[i] = T(i)
	}
	return tensor.FromSlice(all)
}

// same compares numbers with the signs of zeros; all NaN are the same.
func same(t *testing.T, want, got float64, format string, args ...any) {
	t.Helper()
	if want != got && (want == want || got == got) || want == 0 && math.Signbit(want) != math.Signbit(got) {
		t.Fatalf("%s: %v, not %v", fmt.Sprintf(format, args...), got, want)
	}
}

// TestUnsigned compares arithmetic on unsigned integers with Go's.
func TestUnsigned(t *testing.T) {
	unsigned[uint16](t)
	unsigned[uint32](t)
	unsigned[uint64](t)
}

func unsigned[T interface {
	uint16 | uint32 | uint64
	dtype.Go
}](t *testing.T) {
	r := rand.New(rand.NewPCG(2, 3))
	d := dtype.Of[T]()
	var a, b []T
	for range 200 {
		a, b = append(a, T(r.Uint64()>>r.IntN(64))), append(b, max(1, T(r.Uint64()>>r.IntN(64))))
	}
	a, b = append(a, ^T(0), 0, ^T(0)), append(b, 1, ^T(0), ^T(0))
	bit := func(v bool) T {
		if v {
			return 1
		}
		return 0
	}
	for _, dev := range devices {
		x, y := tensor.FromSlice(a).To(dev), tensor.FromSlice(b).To(dev)
		for name, c := range map[string]struct {
			got  *tensor.Tensor
			want func(x, y T) T
		}{
			"add":   {x.Add(y), func(x, y T) T { return x + y }},
			"sub":   {x.Sub(y), func(x, y T) T { return x - y }},
			"mul":   {x.Mul(y), func(x, y T) T { return x * y }},
			"div":   {tensor.Call("div.Tensor_mode", x, y, "floor")[0], func(x, y T) T { return x / y }},
			"trunc": {tensor.Call("div.Tensor_mode", x, y, "trunc")[0], func(x, y T) T { return x / y }},
			"rem":   {tensor.Call("remainder.Tensor", x, y)[0], func(x, y T) T { return x % y }},
			"and":   {tensor.Call("bitwise_and.Tensor", x, y)[0], func(x, y T) T { return x & y }},
			"xor":   {tensor.Call("bitwise_xor.Tensor", x, y)[0], func(x, y T) T { return x ^ y }},
			"not":   {tensor.Call("bitwise_not", x)[0], func(x, y T) T { return ^x }},
			"shift": {tensor.Call("bitwise_right_shift.Tensor_Scalar", x, 3)[0], func(x, y T) T { return x >> 3 }},
			"max":   {tensor.Call("maximum", x, y)[0], func(x, y T) T { return max(x, y) }},
			"min":   {tensor.Call("minimum", x, y)[0], func(x, y T) T { return min(x, y) }},
			"less":  {tensor.Call("lt.Tensor", x, y)[0].ToDtype(d), func(x, y T) T { return bit(x < y) }},
			"ge":    {tensor.Call("ge.Tensor", x, y)[0].ToDtype(d), func(x, y T) T { return bit(x >= y) }},
			"abs":   {tensor.Call("abs", x)[0], func(x, y T) T { return x }},
		} {
			require.Equal(t, d, c.got.DType(), name)
			for i, v := range tensor.Data[T](c.got) {
				require.Equal(t, c.want(a[i], b[i]), v, "%v %s of %d and %d on %s", d, name, a[i], b[i], dev.Name())
			}
		}
		high, low := a[0], a[0]
		for _, v := range a {
			high, low = max(high, v), min(low, v)
		}
		require.Equal(t, []T{high}, tensor.Data[T](tensor.Call("amax", x, []int{0}, true)[0]))
		require.Equal(t, []T{low}, tensor.Data[T](tensor.Call("amin", x, []int{0}, true)[0]))
		require.Equal(t, high, tensor.Data[T](tensor.Call("sort", x)[0])[len(a)-1])
		require.Equal(t, high, tensor.Data[T](tensor.Call("cummax", x, 0)[0])[len(a)-1])
		for i, v := range x.ToDtype(dtype.F64).Float64s() {
			require.Equal(t, float64(a[i]), v, "%d on %s", a[i], dev.Name())
		}
		for i, v := range x.ToDtype(dtype.F32).Float32s() {
			require.Equal(t, float32(a[i]), v, "%d on %s", a[i], dev.Name())
		}
		floats := tensor.Of([]float64{0, 1.9, 65535, 4294967295, math.Ldexp(1, 63), math.Ldexp(1, 64) - 2048}).To(dev)
		for i, v := range tensor.Data[T](floats.ToDtype(d)) {
			if in := floats.Float64s()[i]; in < math.Ldexp(1, d.Bits()) {
				require.Equal(t, T(in), v, "%v on %s", in, dev.Name())
			}
		}
	}
}
