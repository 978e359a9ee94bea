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
	n, known := args.at(1).(int)
	if !ok || !known || n < 1 {
		return nil, false
	}
	integer := func(i int, name string, or int) int {
		if v, _ := args.get(i, name); v != nil {
			or, ok = v.(int)
			known = known && ok
		}
		return or
	}
	flag := func(i int, name string, or bool) bool {
		if v, _ := args.get(i, name); v != nil {
			or, ok = v.(bool)
			known = known && ok
		}
		return or
	}
	step, width := integer(2, "hop_length", n/4), integer(3, "win_length", n)
	center, normalized := flag(5, "center", true), flag(6, "normalized", false)
	length := integer(8, "length", -1)
	if !x.typeOf().DType.IsComplex() {
		x = call("view_as_complex", x)
	}
	single := len(x.typeOf().Shape) == 2
	if single {
		x = call("unsqueeze", x, 0)
	}
	dims := x.typeOf().Shape
	whole := flag(9, "return_complex", false) // the signal is complex, and its spectrum has all frequencies
	onesided, rows := flag(7, "onesided", !whole && (len(dims) != 3 || dims[1] != n)), n/2+1
	if !onesided {
		rows = n
	}
	if !known || len(dims) != 3 || dims[1] != rows || whole && onesided {
		return nil, false
	}
	if !onesided && !whole {
		x = call("slice", x, 1, 0, n/2+1) // the other half is that of a real signal, too
		dims = x.typeOf().Shape
	}
	if step < 1 || width < 1 || width > n || dims[2] < 1 || dims[2] > shape.MaxElements/(n+step) {
		failAt(at, "frames of %d elements %d apart of a spectrum %s, with a window of %d", n, step, shape.String(dims), width)
	}
	w, _ := args.get(4, "window")
	window, ok := w.(*tensor)
	switch {
	case w == nil:
		d := dtype.F32
		if x.typeOf().DType == dtype.C128 {
			d = dtype.F64
		}
		window = call("ones", ints([]int{width}), d.TorchCode())
	case !ok || len(window.typeOf().Shape) != 1 || window.typeOf().Shape[0] != width:
		failAt(at, "the window does not have %d elements", width)
	}
	if width < n {
		low := (n - width) / 2
		window = call("constant_pad_nd", window, ints([]int{low, n - width - low}), 0)
	}
	frames := dims[2]
	ev.charge(at, frames*n/itemsPerStep)
	total := n + step*(frames-1)
	overlapped := overlapping(ev, call, frames, n, step)
	normalization := 2 // divide by the length
	if normalized {
		normalization = 1
	}
	signal := call("transpose", x, 1, 2)
	if whole {
		signal = call("_fft_c2c", signal, ints([]int{2}), normalization, false)
	} else {
		signal = call("_fft_c2r", signal, ints([]int{2}), normalization, n)
	}
	y := overlapped(call("mul", signal, window), dims[0])
	weight := overlapped(call("expand", call("mul", window, window), ints([]int{frames, n})), 1)
	from, to := 0, total
	if center {
		from, to = n/2, total-n/2
	}
	if length >= 0 {
		to = from + length
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

// overlapping returns a function that adds frames [B F N], which begin step elements apart, to a signal.
func overlapping(ev *evaluator, call func(string, ...value) *tensor, frames, n, step int) func(values *tensor, batch int) *tensor {
	places := make([]int, frames*n)
	for i := range places {
		places[i] = i/n*step + i%n
	}
	index := ev.wholeTensor(places)
	return func(values *tensor, batch int) *tensor {
		flat := call("reshape", values, ints([]int{batch, frames * n}))
		sums := call("zeros", ints([]int{batch, n + step*(frames-1)}), values.typeOf().DType.TorchCode())
		return call("index_add", sums, 1, index, flat)
	}
}
