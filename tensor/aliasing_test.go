package tensor_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/tensor"
)

// cells is a tensor by definition: places of a memory, which its views share.
type cells struct {
	memory *[]float32
	dims   []int
	at     []int // of every element, row by row
}

func newCells(dims []int, data []float32) cells {
	c := cells{memory: &data, dims: dims}
	for i := range data {
		c.at = append(c.at, i)
	}
	return c
}

func (c cells) data() []float32 {
	out := make([]float32, len(c.at))
	for i, at := range c.at {
		out[i] = (*c.memory)[at]
	}
	return out
}

// view has dims, and its element at an index is c's element where from says.
func (c cells) view(dims []int, from func(index []int) []int) cells {
	v := cells{memory: c.memory, dims: dims}
	eachIndex(dims, func(index []int) { v.at = append(v.at, c.at[offset(c.dims, from(index))]) })
	return v
}

// reshaped is the view of another shape if its elements lie evenly, else a copy: as PyTorch's reshape.
func (c cells) reshaped(dims []int) cells {
	v := cells{memory: c.memory, dims: dims, at: c.at}
	if len(c.at) == 0 {
		return v
	}
	steps := make([]int, len(dims)) // from an element to the next of each dimension
	for d, n := range dims {
		if n > 1 {
			next := make([]int, len(dims))
			next[d] = 1
			steps[d] = c.at[offset(dims, next)] - c.at[0]
		}
	}
	even := true
	eachIndex(dims, func(index []int) {
		at := c.at[0]
		for d, i := range index {
			at += i * steps[d]
		}
		even = even && at == c.at[offset(dims, index)]
	})
	if !even {
		return newCells(dims, c.data())
	}
	return v
}

// overlaps reports whether two elements share a place.
func (c cells) overlaps() bool {
	at := slices.Sorted(slices.Values(c.at))
	return len(slices.Compact(at)) < len(c.at)
}

// write sets all elements.
func (c cells) write(data []float32) {
	for i, at := range c.at {
		(*c.memory)[at] = data[i]
	}
}

// eachIndex calls f for the indices of a shape, row by row.
func eachIndex(dims []int, f func(index []int)) {
	index := make([]int, len(dims))
	var walk func(d int)
	walk = func(d int) {
		if d == len(dims) {
			f(slices.Clone(index))
			return
		}
		for index[d] = range dims[d] {
			walk(d + 1)
		}
	}
	walk(0)
}

func offset(dims, index []int) (at int) {
	for d, n := range dims {
		at = at*n + index[d]
	}
	return at
}

// aliased is a tensor beside what it is by definition.
type aliased struct {
	t *tensor.Tensor
	c cells
}

// aliasing draws programs of views, writes through them, and what is computed from them, with barriers anywhere.
type aliasing struct {
	t    *testing.T
	r    *rand.Rand
	dev  device.Device
	list []aliased
	log  []string
}

func (p *aliasing) pick() aliased { return p.list[p.r.IntN(len(p.list))] }

func (p *aliasing) fresh(dims []int) aliased {
	n := 1
	for _, d := range dims {
		n *= d
	}
	data := make([]float32, n)
	for i := range data {
		data[i] = float32(p.r.IntN(9) - 4)
	}
	return aliased{tensor.FromSlice(slices.Clone(data)).Reshape(dims).To(p.dev), newCells(dims, data)}
}

// like returns a tensor of a shape.
func (p *aliasing) like(dims []int) aliased {
	for range 6 {
		if x := p.pick(); slices.Equal(x.c.dims, dims) {
			return x
		}
	}
	return p.fresh(dims)
}

func (p *aliasing) add(t *tensor.Tensor, c cells, format string, args ...any) {
	p.log = append(p.log, fmt.Sprintf("%d = ", len(p.list))+fmt.Sprintf(format, args...))
	p.list = append(p.list, aliased{t, c})
}

// name is the number of a tensor in the log.
func (p *aliasing) name(x aliased) string {
	i := slices.IndexFunc(p.list, func(y aliased) bool { return y.t == x.t })
	return fmt.Sprintf("%d%v", i, x.c.dims)
}

// looked adds a view.
func (p *aliasing) looked(x aliased) {
	dims, rank := x.c.dims, len(x.c.dims)
	if rank == 0 {
		p.add(x.t.Unsqueeze(0), x.c.view([]int{1}, func([]int) []int { return nil }), "unsqueeze %s", p.name(x))
		return
	}
	d := p.r.IntN(rank)
	without := slices.Delete(slices.Clone(dims), d, d+1)
	switch p.r.IntN(11) {
	case 7:
		to := []int{}
		for n := len(x.c.at); n > 1; {
			f := 1 + p.r.IntN(n)
			for n%f != 0 {
				f--
			}
			to, n = append(to, f), n/f
		}
		p.add(x.t.Reshape(to), x.c.reshaped(to), "reshape %s %v", p.name(x), to)
	case 8:
		p.add(x.t.Flatten(), x.c.reshaped([]int{len(x.c.at)}), "flatten %s", p.name(x))
	case 9:
		c := x.c.reshaped([]int{len(x.c.at)})
		if len(c.at) > 1 && c.memory == x.c.memory && c.at[1] != c.at[0]+1 {
			c = newCells(c.dims, c.data()) // what lies evenly need not lie together
		}
		c.dims = dims
		p.add(x.t.Contiguous(), c, "contiguous %s", p.name(x))
	case 10:
		to := p.r.IntN(rank)
		moved := slices.Insert(slices.Clone(without), to, dims[d])
		p.add(x.t.Movedim(d, to), x.c.view(moved, func(at []int) []int {
			i := at[to]
			return slices.Insert(slices.Delete(at, to, to+1), d, i)
		}), "movedim %s %d %d", p.name(x), d, to)
	case 0:
		i := p.r.IntN(dims[d])
		p.add(x.t.Select(d, i), x.c.view(without, func(at []int) []int { return slices.Insert(at, d, i) }), "select %s %d %d", p.name(x), d, i)
	case 1:
		from := p.r.IntN(dims[d])
		to, step := from+1+p.r.IntN(dims[d]-from), 1+p.r.IntN(2)
		sliced := slices.Clone(dims)
		sliced[d] = (to - from + step - 1) / step
		p.add(x.t.Slice(d, from, to, tensor.With("step", step)), x.c.view(sliced, func(at []int) []int {
			at[d] = from + step*at[d]
			return at
		}), "slice %s %d %d:%d:%d", p.name(x), d, from, to, step)
	case 2:
		order := p.r.Perm(rank)
		permuted := make([]int, rank)
		for i, o := range order {
			permuted[i] = dims[o]
		}
		p.add(x.t.Permute(order), x.c.view(permuted, func(at []int) []int {
			from := make([]int, rank)
			for i, o := range order {
				from[o] = at[i]
			}
			return from
		}), "permute %s %v", p.name(x), order)
	case 3:
		p.add(x.t.Unsqueeze(d), x.c.view(slices.Insert(slices.Clone(dims), d, 1), func(at []int) []int { return slices.Delete(at, d, d+1) }),
			"unsqueeze %s %d", p.name(x), d)
	case 4:
		if rank < 2 {
			p.looked(x)
			return
		}
		n := min(dims[0], dims[1])
		p.add(x.t.Diagonal(), x.c.view(append(slices.Clone(dims[2:]), n), func(at []int) []int {
			last := at[len(at)-1]
			return append([]int{last, last}, at[:len(at)-1]...)
		}), "diagonal %s", p.name(x))
	case 5:
		wide := slices.Insert(slices.Clone(dims), 0, 1+p.r.IntN(3))
		p.add(x.t.Expand(wide), x.c.view(wide, func(at []int) []int { return at[1:] }), "expand %s %v", p.name(x), wide)
	case 6:
		size := 1 + p.r.IntN(dims[d])
		step := 1 + p.r.IntN(2)
		windows := append(slices.Clone(dims), size)
		windows[d] = (dims[d]-size)/step + 1
		p.add(x.t.Unfold(d, size, step), x.c.view(windows, func(at []int) []int {
			last := at[rank]
			at = at[:rank]
			at[d] = at[d]*step + last
			return at
		}), "unfold %s %d %d %d", p.name(x), d, size, step)
	}
}

// computed adds what is computed from others into memory of its own.
func (p *aliasing) computed(x aliased) {
	a := x.c.data()
	dims, rank := x.c.dims, len(x.c.dims)
	y := p.like(dims)
	b := y.c.data()
	out := make([]float32, len(a))
	switch kind := p.r.IntN(5); {
	case kind == 0:
		for i := range a {
			out[i] = a[i] + b[i]
		}
		p.add(x.t.Add(y.t), newCells(dims, out), "add %s %s", p.name(x), p.name(y))
	case kind == 1:
		for i := range a {
			out[i] = max(a[i]*b[i], -100)
			out[i] = min(out[i], 100)
		}
		p.add(x.t.Mul(y.t).Clamp(tensor.With("min", -100), tensor.With("max", 100)), newCells(dims, out), "mul %s %s", p.name(x), p.name(y))
	case kind == 2 && rank > 0:
		d := p.r.IntN(rank)
		kept := slices.Clone(dims)
		kept[d] = 1
		sums := newCells(kept, make([]float32, len(a)/dims[d]))
		eachIndex(dims, func(at []int) {
			v := x.c.view([]int{}, func([]int) []int { return at }).data()[0]
			at[d] = 0
			(*sums.memory)[offset(kept, at)] += v
		})
		p.add(x.t.SumDim([]int{d}, tensor.With("keepdim", true)), sums, "sum %s %d", p.name(x), d)
	case kind == 3 && rank > 0:
		joined := slices.Clone(dims)
		joined[0] *= 2
		p.add(tensor.Cat([]*tensor.Tensor{x.t, y.t}), newCells(joined, append(a, b...)), "cat %s %s", p.name(x), p.name(y))
	default:
		p.add(x.t.Clone(), newCells(dims, a), "clone %s", p.name(x))
	}
}

// written writes to a tensor in place, and so to all that share its memory.
func (p *aliasing) written(x aliased) {
	a, y := x.c.data(), p.like(x.c.dims)
	b := y.c.data()
	if x.c.overlaps() {
		require.ErrorContains(p.t, tensor.Try(func() { x.t.AddInPlace(tensor.Scalar(1.0)) }), "elements more than once", p.log)
		return
	}
	if y.c.memory == x.c.memory && !slices.Equal(y.c.at, x.c.at) && slices.ContainsFunc(y.c.at, func(at int) bool { return slices.Contains(x.c.at, at) }) {
		require.ErrorContains(p.t, tensor.Try(func() { x.t.AddInPlace(y.t) }), "clone the operand first", p.log)
		return
	}
	var what string
	switch p.r.IntN(6) {
	case 0:
		what = "add_ " + p.name(y)
		for i := range a {
			a[i] += b[i]
		}
		x.t.AddInPlace(y.t)
	case 1:
		what = "copy_ " + p.name(y)
		copy(a, b)
		x.t.CopyInPlace(y.t)
	case 2:
		what = "zero_"
		clear(a)
		x.t.ZeroInPlace()
	case 3:
		what = "relu_"
		for i := range a {
			a[i] = max(a[i], 0)
		}
		x.t.ReLUInPlace()
	case 4:
		what = "add_ 1"
		for i := range a {
			a[i]++
		}
		x.t.AddScalarInPlace(1)
	case 5:
		what = "where negative, fill_"
		for i := range a {
			if b[i] < 0 {
				a[i] = 3
			}
		}
		x.t.MaskedFillInPlace(y.t.LtScalar(0), tensor.Scalar(3.0))
	}
	for i := range a {
		a[i] = min(max(a[i], -1000), 1000)
	}
	x.t.ClampInPlace(tensor.With("min", -1000), tensor.With("max", 1000))
	x.c.write(a)
	p.log = append(p.log, p.name(x)+" "+what)
}

// read compares a tensor with what it is by definition.
func (p *aliasing) read(t *testing.T, x aliased) {
	p.log = append(p.log, "read "+p.name(x))
	require.Equal(t, x.c.dims, append([]int{}, x.t.Shape()...), strings.Join(p.log, "\n"))
	require.Equal(t, x.c.data(), x.t.Float32s(), strings.Join(p.log, "\n"))
}

// TestSharedMemory: random programs of views and writes through them see what a plain model of shared memory sees,
// wherever they are computed. ACAP_PROGRAMS says how many, or which ("FROM:COUNT").
func TestSharedMemory(t *testing.T) {
	from, count := uint64(0), uint64(150)
	if text := os.Getenv("ACAP_PROGRAMS"); text != "" {
		_, err := fmt.Sscanf(text, "%d:%d", &from, &count)
		require.NoError(t, err)
	}
	for seed := from; seed < from+count; seed++ {
		p := &aliasing{t: t, r: rand.New(rand.NewPCG(seed, 21)), dev: devices[seed%uint64(len(devices))]}
		for range 1 + p.r.IntN(2) {
			dims := make([]int, p.r.IntN(4))
			for d := range dims {
				dims[d] = 1 + p.r.IntN(4)
			}
			p.list = append(p.list, p.fresh(dims))
		}
		p.log = []string{fmt.Sprintf("seed %d on %s", seed, p.dev.Name())}
		for range 5 + p.r.IntN(25) {
			x := p.pick()
			switch kind := p.r.IntN(20); {
			case kind < 7:
				if len(x.c.at) < 200 && len(x.c.dims) < 5 {
					p.looked(x)
				}
			case kind < 11:
				if len(x.c.at) < 500 {
					p.computed(x)
				}
			case kind < 17:
				p.written(x)
			case kind < 18:
				p.read(t, x)
			case kind < 19:
				require.NoError(t, tensor.Sync(context.Background(), x.t, p.pick().t))
			default:
				p.list[p.r.IntN(len(p.list))] = x // the other is forgotten
				if p.r.IntN(8) == 0 {
					runtime.GC()
				}
			}
		}
		for _, i := range p.r.Perm(len(p.list)) {
			p.read(t, p.list[i])
		}
	}
}

// A write to some of the places of a repeated element changes the element.
// TestGivesSelf: where nothing is to be computed the result is the operand, and a write to the one is seen in the other
// (PyTorch 2.14). Where something is computed the result is a copy.
func TestGivesSelf(t *testing.T) {
	call := func(name string, args ...any) func(x *tensor.Tensor) *tensor.Tensor {
		return func(x *tensor.Tensor) *tensor.Tensor { return tensor.Call(name, append([]any{x}, args...)...)[0] }
	}
	for name, c := range map[string]struct {
		f      func(x *tensor.Tensor) *tensor.Tensor
		shares bool
	}{
		"dropout outside of training": {func(x *tensor.Tensor) *tensor.Tensor { return x.Dropout(0.5, false) }, true},
		"dropout of nothing":          {func(x *tensor.Tensor) *tensor.Tensor { return x.Dropout(0, true) }, true},
		"dropout of all":              {func(x *tensor.Tensor) *tensor.Tensor { return x.Dropout(1, true) }, false},
		"alpha dropout":               {call("alpha_dropout", 0.5, false), true},
		"atleast_1d":                  {(*tensor.Tensor).Atleast1d, true},
		"sum_to_size":                 {call("sum_to_size", []int{3}), true},
		"to its type":                 {call("to.dtype", dtype.F32), true},
		"to its type, copied":         {call("to.dtype", dtype.F32, false, true), false},
		"to its type, in order":       {call("to.dtype", dtype.F32, false, false, 0), true},
		"to another type":             {call("to.dtype", dtype.F64), false},
		"as its own type":             {func(x *tensor.Tensor) *tensor.Tensor { return tensor.Call("type_as", x, tensor.Zeros(2))[0] }, true},
		"conj of real numbers":        {call("conj"), true},
		"clone":                       {call("clone"), false},
	} {
		x := tensor.Of([]float32{1, 2, 3})
		c.f(x).AddScalarInPlace(1)
		want := []float32{1, 2, 3}
		if c.shares {
			want = []float32{2, 3, 4}
		}
		require.Equal(t, want, x.Float32s(), name)
	}
	for _, lies := range []int{0, 2} { // contiguous, or channels last
		for _, format := range []int{0, 1, 2} { // 1 keeps what is
			x := tensor.Zeros(1, 2, 3, 4).Clone(tensor.With("memory_format", lies))
			tensor.Call("to.dtype", x, dtype.F32, false, false, format)[0].AddScalarInPlace(1)
			require.Equal(t, format == 1 || format == lies, x.At(0, 0, 0, 0).Item() == 1, "format %d of %d", format, lies)
		}
	}
	x, far := tensor.Scalar(float32(1)), tensor.Zeros(1).To(acap.Device()) // a number moves to where the others are
	require.Equal(t, acap.Device(), tensor.Call("type_as", x, far)[0].Device())
	require.Panics(t, func() { tensor.Of([]float32{1}).Dropout(2, false) }, "the probability is checked where nothing is drawn")
}

func TestWritesToRepeated(t *testing.T) {
	for _, dev := range devices {
		x := tensor.Of([]float32{1, 2, 3}).To(dev)
		x.Expand([]int{2, 3}).Select(0, 1).ZeroInPlace()
		require.Equal(t, []float32{0, 0, 0}, x.Float32s(), "the second of two rows")
		x.Unfold(0, 2, 1).Select(0, 0).AddScalarInPlace(5)
		require.Equal(t, []float32{5, 5, 0}, x.Float32s(), "the first of two windows that overlap")
		x.AsStrided([]int{2, 2}, []int{1, 1}).Select(0, 1).AddScalarInPlace(1)
		require.Equal(t, []float32{5, 6, 1}, x.Float32s(), "the second of two rows that overlap")
	}
}
