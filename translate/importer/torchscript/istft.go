package torchscript

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/script"
	"github.com/go-acap/acap/base/shape"
)

// inverseFourier is torch.istft: the frames of a signal [N F T] from their spectra, each times the window, are added
// where they overlap, and divided by the sum of the squares of the windows there.
func inverseFourier(ev *evaluator, at script.Position, args arguments) (value, bool) {
	call := func(name string, list ...value) *tensor {
		return ev.callOperator(at, name, arguments{positional: list}).(*tensor)
	}
	x, ok := args.at(0).(*tensor)
	o, known := inverseOptionsOf(args)
	if !ok || !known {
		return nil, false
	}
	if !x.typeOf().DType.IsComplex() {
		x = call("view_as_complex", x)
	}
	single := len(x.typeOf().Shape) == 2
	if single {
		x = call("unsqueeze", x, 0)
	}
	dims := x.typeOf().Shape
	half, fits := o.half(dims)
	if !fits {
		return nil, false
	}
	if !half && !o.whole {
		x = call("slice", x, 1, 0, o.n/2+1) // the other half is as a real signal has it
	}
	if o.step < 1 || o.width < 1 || o.width > o.n || dims[2] < 1 || dims[2] > shape.MaxElements/(o.n+o.step) {
		failAt(at, "frames of %d elements %d apart of a spectrum %s, with a window of %d", o.n, o.step, shape.String(dims), o.width)
	}
	frames := dims[2]
	ev.charge(at, frames*o.n/itemsPerStep)
	window := o.windowOf(at, call, x.typeOf().DType)
	total := o.n + o.step*(frames-1)
	overlapped := overlapping(ev, call, frames, o.n, o.step, total)
	normalization := 2 // divide by the length
	if o.normalized {
		normalization = 1
	}
	signal := call("transpose", x, 1, 2)
	if o.whole {
		signal = call("_fft_c2c", signal, ints([]int{2}), normalization, false)
	} else {
		signal = call("_fft_c2r", signal, ints([]int{2}), normalization, o.n)
	}
	y := overlapped(call("mul", signal, window), dims[0])
	weight := overlapped(call("expand", call("mul", window, window), ints([]int{frames, o.n})), 1)
	from, to := 0, total
	if o.center {
		from, to = o.n/2, total-o.n/2
	}
	if o.length >= 0 {
		to = from + o.length
	}
	if to < from || to-from > shape.MaxElements {
		failAt(at, "a signal of %d elements", to-from)
	}
	cut := min(to, total)
	y = call("div", call("slice", y, 1, from, cut, 1), call("slice", weight, 1, from, cut, 1))
	if to > total {
		y = call("constant_pad_nd", y, ints([]int{0, to - total}), 0)
	}
	if single {
		y = call("squeeze", y, 0)
	}
	return y, true
}

// inverseOptions are the arguments of torch.istft behind the spectrum.
type inverseOptions struct {
	n, step, width int // elements of a frame, between two frames, and of the window
	window         value
	center         bool
	normalized     bool
	onesided       bool // if sided is set; otherwise the spectrum's rows say
	sided          bool
	length         int  // of the signal; -1 if the frames say
	whole          bool // the signal is complex, and its spectrum has all frequencies
}

// inverseOptionsOf reads arguments, and reports whether all are constants.
func inverseOptionsOf(args arguments) (o inverseOptions, known bool) {
	n, known := args.at(1).(int)
	if !known || n < 1 {
		return o, false
	}
	integer := func(i int, name string, or int) int {
		if v, _ := args.get(i, name); v != nil {
			n, ok := v.(int)
			known = known && ok
			return n
		}
		return or
	}
	flag := func(i int, name string, or bool) bool {
		if v, _ := args.get(i, name); v != nil {
			b, ok := v.(bool)
			known = known && ok
			return b
		}
		return or
	}
	o = inverseOptions{n: n, step: integer(2, "hop_length", n/4), width: integer(3, "win_length", n), center: flag(5, "center", true),
		normalized: flag(6, "normalized", false), onesided: flag(7, "onesided", false), length: integer(8, "length", -1),
		whole: flag(9, "return_complex", false)}
	o.window, _ = args.get(4, "window")
	sided, _ := args.get(7, "onesided")
	o.sided = sided != nil
	return o, known
}

// half reports whether spectra [N F T] have the lower half of the frequencies, and whether spectra of these extents fit
// the options.
func (o *inverseOptions) half(dims []int) (half, fits bool) {
	half = o.onesided
	if !o.sided {
		half = !o.whole && (len(dims) != 3 || dims[1] != o.n)
	}
	rows := o.n
	if half {
		rows = o.n/2 + 1
	}
	return half, len(dims) == 3 && dims[1] == rows && !(o.whole && half)
}

// windowOf is the window for spectra of a dtype, with zeros on both sides up to a frame's length. It is of ones if none
// is given.
func (o *inverseOptions) windowOf(at script.Position, call func(string, ...value) *tensor, spectrum dtype.DType) *tensor {
	window, ok := o.window.(*tensor)
	switch {
	case o.window == nil:
		d := dtype.F32
		if spectrum == dtype.C128 {
			d = dtype.F64
		}
		window = call("ones", ints([]int{o.width}), d.TorchCode())
	case !ok || len(window.typeOf().Shape) != 1 || window.typeOf().Shape[0] != o.width:
		failAt(at, "the window does not have %d elements", o.width)
	}
	if o.width < o.n {
		low := (o.n - o.width) / 2
		window = call("constant_pad_nd", window, ints([]int{low, o.n - o.width - low}), 0)
	}
	return window
}

// overlapping returns a function that adds frames [B F N], which begin step elements apart, to a signal of total
// elements.
func overlapping(ev *evaluator, call func(string, ...value) *tensor, frames, n, step, total int) func(values *tensor, batch int) *tensor {
	places := make([]int, frames*n)
	for i := range places {
		places[i] = i/n*step + i%n
	}
	index := ev.wholeTensor(places)
	return func(values *tensor, batch int) *tensor {
		flat := call("reshape", values, ints([]int{batch, frames * n}))
		sums := call("zeros", ints([]int{batch, total}), values.typeOf().DType.TorchCode())
		return call("index_add", sums, 1, index, flat)
	}
}
