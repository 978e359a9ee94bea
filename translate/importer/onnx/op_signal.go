package onnx

import (
	"math"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/translate/importer/onnx/proto"
)

func init() {
	register("DFT", func(n *node) {
		x := n.tensor(0)
		at := n.int("axis", 1)
		if n.version >= 20 { // an input since
			if at = -2; n.has(2) {
				at = n.integer(2)
			}
		}
		d := axis(at, rank(x))
		inverse, oneSided := n.bool("inverse", false), n.bool("onesided", false)
		if inverse && oneSided && extents(x)[rank(x)-1] == 2 {
			n.set(n.realSignal(x, d))
			return
		}
		if n.has(1) {
			x = n.resizeTo(x, d, n.integer(1))
		}
		n.set(n.fourier(x, d, inverse, oneSided))
	})
	register("STFT", shortTimeFourier)
	registerIn(microsoft, "Rfft", func(n *node) {
		x := n.halfSpectrum(1)
		d := rank(x) - 1
		n.set(n.fourier(n.Call("unsqueeze", x, d+1), d, false, true))
	})
	registerIn(microsoft, "Irfft", func(n *node) {
		x := n.halfSpectrum(2)
		y := n.realSignal(x, rank(x)-2)
		n.set(n.Reshape(y, extents(y)[:rank(y)-1]))
	})
	register("MelWeightMatrix", melWeights)
}

// halfSpectrum returns the input of com.microsoft's transforms, which are of the last dimension of a real signal and
// keep half of its spectrum.
func (n *node) halfSpectrum(least int) ops.Value {
	x := n.tensor(0)
	if n.int("signal_ndim", 1) != 1 || !n.bool("onesided", true) || n.bool("normalized", false) || rank(x) < least {
		failf("signal_ndim %d, onesided %v, normalized %v of %v", n.int("signal_ndim", 1), n.bool("onesided", true),
			n.bool("normalized", false), extents(x))
	}
	return x
}

// resizeTo cuts dimension d, or pads it with zeros at its end.
func (n *node) resizeTo(x ops.Value, d, length int) ops.Value {
	high := make([]int, rank(x))
	high[d] = length - extents(x)[d]
	return n.padWith(x, make([]int, rank(x)), high, 0)
}

// fourier transforms dimension d of numbers whose real and imaginary parts, or only real parts, lie
// in the last dimension. The inverse is divided by the length.
func (n *node) fourier(x ops.Value, d int, inverse, oneSided bool) ops.Value {
	last := rank(x) - 1
	if last < 1 || d == last || extents(x)[last] < 1 || extents(x)[last] > 2 {
		failf("axis %d of complex numbers in %v", d, extents(x))
	}
	if extents(x)[last] == 1 {
		high := make([]int, rank(x))
		high[last] = 1
		x = n.padWith(x, make([]int, rank(x)), high, 0)
	}
	normalization := 0
	if inverse {
		normalization = 2 // divide by the length
	}
	z := n.Call("_fft_c2c", n.Call("view_as_complex", n.wide(x)), []int{d}, normalization, !inverse)
	y := n.To(n.Call("view_as_real", z), elem(x))
	if oneSided {
		y = n.Call("slice.Tensor", y, d, 0, extents(y)[d]/2+1, 1)
	}
	return y
}

// realSignal is the inverse for half of a spectrum: the other half is its mirror image, so that the
// signal is real. It has an even length unless the model gives one.
func (n *node) realSignal(x ops.Value, d int) ops.Value {
	last := rank(x) - 1
	if d == last {
		failf("axis %d of complex numbers in %v", d, extents(x))
	}
	length := 2 * (extents(x)[d] - 1)
	if n.has(1) {
		length = n.integer(1)
	}
	if length < 1 {
		failf("a signal of %d elements", length)
	}
	half := n.Call("view_as_complex", n.wide(n.resizeTo(x, d, length/2+1)))
	return n.To(n.Call("unsqueeze", n.Call("_fft_c2r", half, []int{d}, 2, length), last), elem(x))
}

// shortTimeFourier transforms windows of a signal [N T] or [N T 1 or 2], step apart.
func shortTimeFourier(n *node) {
	x, step := n.tensor(0), n.integer(1)
	if rank(x) == 2 {
		x = n.Call("unsqueeze", x, 2)
	}
	if rank(x) != 3 || step < 1 {
		failf("frames %d apart of a signal of %d dimensions", step, rank(x))
	}
	length := 0
	switch {
	case n.has(3):
		length = n.integer(3)
	case n.has(2):
		length = size(n.value(2).dims())
	}
	if length < 1 || length > extents(x)[1] {
		failf("frames of %d elements of %d", length, extents(x)[1])
	}
	frames := (extents(x)[1]-length)/step + 1
	index := n.numbers(dtype.I64, []int{frames * length}, func(i int) int { return i/length*step + i%length })
	picked := n.Call("index_select", x, 1, n.constant(index))
	picked = n.Reshape(picked, []int{extents(x)[0], frames, length, extents(x)[2]})
	if n.has(2) {
		picked = n.Mul(picked, n.view(n.tensor(2), length, 1))
	}
	n.set(n.fourier(picked, 2, false, n.bool("onesided", true)))
}

// melWeights maps the bins of a spectrum to triangles that are evenly spaced on the mel scale,
// 2595·log10(1 + f/700).
func melWeights(n *node) {
	bins, length := n.integer(0), n.integer(1)
	rate, low, high := n.number(2), n.number(3), n.number(4)
	d, err := proto.DTypeOf(int64(n.int("output_datatype", 1)))
	if err != nil {
		failf("%w", err)
	}
	if bins < 0 || length < 0 || !(rate > 0) || !(low >= 0) || !(high >= low) {
		failf("%d mel bins of %d, from %v to %v Hz at %v", bins, length, low, high, rate)
	}
	n.ev.work(bins)
	mel := func(f float64) float64 { return float64(2595 * math.Log10(1+f/700)) }
	spectrum := length/2 + 1
	step := (mel(high) - mel(low)) / float64(bins+2)
	edges := make([]int, bins+2)
	for i := range edges {
		f := 700 * (math.Pow(10, (float64(float64(i)*step)+mel(low))/2595) - 1)
		edges[i] = int(math.Floor(float64(length+1) * f / rate))
	}
	b := n.buffer(d, []int{spectrum, bins})
	for i := range bins {
		first, middle, last := edges[i], edges[i+1], edges[i+2]
		for j := max(first, 0); j <= min(middle, spectrum-1); j++ {
			v := 1.0
			if middle > first {
				v = float64(j-first) / float64(middle-first)
			}
			if middle > first || j == middle {
				b.SetFloat64(j*bins+i, v)
			}
		}
		for j := max(middle, 0); middle < last && j < min(last, spectrum); j++ {
			b.SetFloat64(j*bins+i, float64(last-j)/float64(last-middle))
		}
	}
	if d == dtype.Invalid {
		failf("no element type")
	}
	n.setKnown(0, b)
}
