package ops

import "github.com/go-acap/acap/base/shape"

// stft: the spectra of overlapping pieces of a signal, as a matrix of frequencies by pieces.
func init() {
	composite("stft(Tensor self, int n_fft, int? hop_length=None, int? win_length=None, "+
		"Tensor? window=None, bool normalized=False, bool? onesided=None, bool? return_complex=None, "+
		"bool? align_to_window=None) "+
		"-> Tensor", func(e Emit, c *Call) []Value {
		n, hop, length := c.Int(1), c.Int(1)/4, c.Int(1)
		if c.Has(2) {
			hop = c.Int(2)
		}
		if c.Has(3) {
			length = c.Int(3)
		}
		signal := c.Tensor(0)
		if c.Bool(8) && 0 < length && length < n { // the first window begins where the signal does
			left := (n - length) / 2
			signal = e.Call("constant_pad_nd", signal, []int{left, n - length - left}, 0)
		}
		dims := signal.Type().Shape
		rank := len(dims)
		if rank < 1 || rank > 2 || hop < 1 || length < 1 || length > n ||
			n > dims[rank-1] {
			panic(c.ArgErrorf("signal %v, n_fft %d, hop_length %d and win_length %d do not fit", dims, n,
				hop, length))
		}
		frames := e.Call("unfold", signal, -1, n, hop)
		window := c.Tensor(4)
		if window != nil && !shape.Equal(c.Shape(4), []int{length}) {
			panic(c.ShapeErrorf("window %s is no vector of win_length %d", shape.String(c.Shape(4)), length))
		}
		if window == nil && length < n {
			window = e.Full([]int{length}, 1, c.DTypeOf(0))
		}
		if window != nil {
			left := (n - length) / 2
			frames = e.Mul(frames, e.Call("constant_pad_nd", window, []int{left, n - length - left}, 0))
		}
		norm := 0
		if c.Bool(5) {
			norm = 1
		}
		whole := c.DTypeOf(0).IsComplex() || window != nil && window.Type().DType.IsComplex()
		onesided := !whole
		if c.Has(6) {
			onesided = c.Bool(6)
		}
		var v Value
		switch {
		case whole && onesided:
			panic(c.ArgErrorf("complex signals have no spectrum of one side"))
		case whole:
			v = e.Call("_fft_c2c", frames, []int{rank}, norm, true)
		default:
			v = e.Call("_fft_r2c", frames, []int{rank}, norm, onesided)
		}
		v = e.Call("transpose.int", v, -2, -1)
		if c.Has(7) && !c.Bool(7) {
			v = e.Call("view_as_real", v)
		}
		return []Value{v}
	}, Sample{S(16), 8, 4, 6, S(6), false, true, true}, Sample{S(2, 16), 8, nil, nil, nil, true, false, false})
}
