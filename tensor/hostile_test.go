package tensor_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"runtime/metrics"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/longtest"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/host"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/tensor"
)

// hostile makes calls of operators with arguments that nobody should give them.
type hostile struct {
	*rand.Rand
	dev device.Device
}

var (
	oddInts = []int{0, 1, -1, 2, 3, -2, 4, 5, 7, -3, 16, 100, 1 << 20, 1 << 31, -1 << 31, 1 << 40,
		1 << 47, 1 << 62, math.MinInt64, math.MaxInt64}
	oddFloats = []float64{0, 1, -1, 0.5, 2, 2.5, -0.25, math.NaN(), math.Inf(1), math.Inf(-1), 1e300,
		1e-300, -1e18, 1e-5}
	oddTexts = []string{"", "mean", "sum", "none", "reflect", "ij", "floor", "trunc", "bilinear",
		"nonsense", "i,i->i", "ij,jk->ik", "lower", "fro", "nuc", "same", "valid", "lu", "reduced", "complete"}
	oddShapes = [][]int{{}, {0}, {1}, {2}, {3}, {5}, {2, 3}, {3, 3}, {4, 4}, {0, 3}, {3, 0}, {1, 1}, {2, 3, 3},
		{2, 0, 3}, {1, 2, 3, 4}, {2, 3, 4, 4}, {1, 1, 2, 3, 2}, {2, 1, 2, 1, 2, 1, 2, 1}, {17, 9}, {40}}
)

func pick[T any](h *hostile, list []T) T { return list[h.IntN(len(list))] }

func (h *hostile) int() int {
	if h.IntN(4) > 0 {
		return pick(h, oddInts[:10])
	}
	return pick(h, oddInts)
}

func (h *hostile) ints() []int {
	list := make([]int, h.IntN(6))
	for i := range list {
		list[i] = h.int()
	}
	return list
}

func (h *hostile) floats() []float64 {
	list := make([]float64, h.IntN(5))
	for i := range list {
		list[i] = pick(h, oddFloats)
	}
	return list
}

// tensor returns a tensor of any type and shape with ordinary or odd values, or nil.
func (h *hostile) tensor() *tensor.Tensor {
	if h.IntN(40) == 0 {
		return nil
	}
	d := dtype.F32
	if h.IntN(2) == 0 {
		d = pick(h, dtype.All())
	}
	return h.filled(d, pick(h, oddShapes))
}

func (h *hostile) filled(d dtype.DType, dims []int) *tensor.Tensor {
	b := buf.New(d, dims)
	kind := h.IntN(8)
	for i := range b.Len() {
		v := h.NormFloat64()
		switch {
		case kind == 0:
			v = 0
		case kind == 1:
			v = pick(h, oddFloats)
		case kind == 2:
			v = float64(h.IntN(4))
		case kind == 3 && h.IntN(3) == 0:
			v = pick(h, oddFloats)
		case kind == 4:
			v *= 1e6
		}
		switch {
		case d.IsComplex():
			b.SetComplex(i, complex(v, h.NormFloat64()))
		case d.IsFloat():
			b.SetFloat64(i, v)
		case kind == 4:
			b.SetInt64(i, int64(pick(h, oddInts)))
		default:
			b.SetInt64(i, int64(max(min(v, 1e18), -1e18)))
		}
	}
	t := tensor.FromBuffer(b)
	if h.IntN(20) > 0 {
		t = t.To(h.dev)
	}
	if d.IsFloat() && h.IntN(8) == 0 {
		t = t.RequiresGrad()
	}
	return t
}

// any returns a value of any kind.
func (h *hostile) any() any {
	switch h.IntN(14) {
	case 0, 1, 2:
		return h.tensor()
	case 3:
		list := make([]*tensor.Tensor, h.IntN(4))
		for i := range list {
			list[i] = h.tensor()
		}
		return list
	case 4, 5:
		return h.int()
	case 6:
		return pick(h, oddFloats)
	case 7:
		return h.IntN(2) == 0
	case 8:
		return complex(pick(h, oddFloats), 1)
	case 9:
		return h.ints()
	case 10:
		return h.floats()
	case 11:
		return pick(h, oddTexts)
	case 12:
		return dtype.DType(h.IntN(20))
	}
	return nil
}

// of returns a value for a parameter, mostly of its kind.
func (h *hostile) of(q ops.Param) any {
	if h.IntN(25) == 0 {
		return h.any()
	}
	if q.Optional && h.IntN(3) == 0 {
		return nil
	}
	switch {
	case q.List && q.Type == ops.TypeTensor:
		list := make([]*tensor.Tensor, h.IntN(5))
		for i := range list {
			list[i] = h.tensor()
			if i > 0 && h.IntN(2) == 0 {
				list[i] = list[0]
			}
		}
		return list
	case q.List && q.Type == ops.TypeInt:
		return h.ints()
	case q.List && q.Type == ops.TypeBool:
		return []bool{h.IntN(2) == 0, true, false}[:h.IntN(4)]
	case q.List:
		return h.floats()
	}
	switch q.Type {
	case ops.TypeTensor:
		return h.tensor()
	case ops.TypeInt:
		return h.int()
	case ops.TypeFloat:
		return pick(h, oddFloats)
	case ops.TypeBool:
		return h.IntN(2) == 0
	case ops.TypeScalar:
		switch h.IntN(6) {
		case 0, 1:
			return h.int()
		case 2:
			return h.IntN(2) == 0
		case 3:
			return complex(pick(h, oddFloats), pick(h, oddFloats))
		}
		return pick(h, oddFloats)
	case ops.TypeString:
		return pick(h, oddTexts)
	case ops.TypeDType:
		if h.IntN(10) == 0 {
			return dtype.DType(h.IntN(40))
		}
		return pick(h, dtype.All())
	}
	return nil
}

// sample returns the arguments of one of the operator's samples, in another type now and then.
func (h *hostile) sample(op *ops.Op) []any {
	samples := op.Functional().Samples
	if samples == nil {
		return nil
	}
	list := samples()
	if len(list) == 0 {
		return nil
	}
	d := dtype.F32
	if h.IntN(3) == 0 {
		d = pick(h, dtype.All())
	}
	return h.retyped(pick(h, list), d)
}

// retyped fills a sample whose f32 tensors get type d.
func (h *hostile) retyped(s ops.Sample, d dtype.DType) []any {
	fill := func(t ops.T) *tensor.Tensor {
		if t.DType == dtype.F32 {
			t.DType = d
		}
		if h.IntN(3) == 0 {
			return h.filled(t.DType, t.Shape)
		}
		return tensor.FromBuffer(t.Fill(h.Rand)).To(h.dev)
	}
	var args []any
	for _, a := range s {
		switch a := a.(type) {
		case ops.T:
			args = append(args, fill(a))
		case []ops.T:
			var tensors []*tensor.Tensor
			for _, t := range a {
				tensors = append(tensors, fill(t))
			}
			args = append(args, tensors)
		default:
			args = append(args, a)
		}
	}
	return args
}

// args returns the arguments of a call: a sample with some of them replaced, or anything.
func (h *hostile) args(op *ops.Op) []any {
	params := op.Parsed().Params
	args := h.sample(op)
	if args == nil || h.IntN(3) == 0 {
		args = args[:0]
		for _, q := range params {
			if q.HasDef && h.IntN(3) == 0 {
				break
			}
			args = append(args, h.of(q))
		}
	} else if h.IntN(8) > 0 {
		for len(args) < len(params) && h.IntN(2) == 0 {
			args = append(args, h.of(params[len(args)]))
		}
		for range 1 + h.IntN(2) {
			if len(args) > 0 {
				i := h.IntN(len(args))
				args[i] = h.of(params[i])
			}
		}
	}
	if h.IntN(30) == 0 {
		args = append(args, h.any())
	}
	if h.IntN(20) == 0 && len(params) > 0 {
		args = append(args, tensor.With(pick(h, params).Name, h.any()))
	}
	return args
}

// describe writes a call.
func describe(op *ops.Op, args []any) string {
	var b strings.Builder
	b.WriteString(op.Name() + "(")
	for i, a := range args {
		if i > 0 {
			b.WriteString(", ")
		}
		switch a := a.(type) {
		case *tensor.Tensor:
			b.WriteString(brief(a))
		case []*tensor.Tensor:
			b.WriteString("[")
			for _, t := range a {
				b.WriteString(brief(t) + " ")
			}
			b.WriteString("]")
		default:
			fmt.Fprintf(&b, "%T %v", a, a)
		}
	}
	return b.String() + ")"
}

func brief(t *tensor.Tensor) string {
	if t == nil {
		return "nil"
	}
	text := fmt.Sprintf("%v%v", t.DType(), t.Shape())
	if t.NumElements() < 10 {
		text += fmt.Sprint(t.Float64s())
	}
	return text + "@" + t.Device().Name()
}

// call makes one call and computes what it returns.
func (h *hostile) call(op *ops.Op, args []any) (panicked string, err error) {
	defer func() {
		if p := recover(); p != nil {
			stack := make([]byte, 1<<14)
			panicked = fmt.Sprintf("%v\n%s", p, stack[:runtime.Stack(stack, false)])
		}
	}()
	var results []*tensor.Tensor
	if err := tensor.Try(func() { results = tensor.Call(op.Name(), args...) }); err != nil {
		return "", err
	}
	for _, r := range results[:min(len(results), 8)] {
		if _, err := r.Buffer(context.Background()); err != nil {
			return "", err
		}
	}
	return "", nil
}

// allocated counts the bytes that were allocated so far.
func allocated() uint64 {
	s := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}

// hostileLimit bounds the memory that one thing may ask for in the test.
const hostileLimit = 256 << 20

// TestHostile calls operators with odd arguments, on the host and recorded: each call gives
// results or a typed error, in seconds, and within the memory that the limit allows. The
// environment variable ACAP_HOSTILE ("FROM:COUNT") asks for other calls, and more.
func TestHostile(t *testing.T) {
	from, count := 0, longtest.Sample(200, 1000, 4000)
	if text := os.Getenv("ACAP_HOSTILE"); text != "" {
		_, err := fmt.Sscanf(text, "%d:%d", &from, &count)
		require.NoError(t, err)
	}
	defer buf.SetLimit(buf.SetLimit(hostileLimit))
	all := ops.All()
	for i := from; i < from+count; i++ {
		h := &hostile{rand.New(rand.NewPCG(uint64(i), 77)), host.Device()}
		if i%2 == 1 {
			h.dev = acap.Device()
		}
		op := pick(h, all)
		h.check(t, i, op, h.args(op))
	}
}

func (h *hostile) check(t *testing.T, i int, op *ops.Op, args []any) {
	t.Helper()
	text := fmt.Sprintf("call %d: %s", i, describe(op, args))
	if note := os.Getenv("ACAP_HOSTILE_NOTE"); note != "" { // for crashes that nothing recovers
		require.NoError(t, os.WriteFile(note, []byte(text), 0o644))
	}
	watch := time.AfterFunc(10*time.Minute, func() { panic(text + " does not end") })
	defer watch.Stop()
	before := allocated()
	panicked, err := h.call(op, args)
	switch {
	case panicked != "":
		t.Errorf("%s panics: %s", text, panicked)
	case err != nil && strings.Contains(err.Error(), "%!"):
		t.Errorf("%s has an error that is formatted wrongly: %v", text, err)
	case err != nil && !isOrdinary(err):
		t.Errorf("%s: %v", text, err)
	}
	if n := allocated() - before; n > 4*hostileLimit {
		t.Errorf("%s allocates %d MiB", text, n>>20)
	}
}

// isOrdinary reports whether an error is one that names the mistake: a typed one, or what
// only the values of operands can show.
func isOrdinary(err error) bool {
	var s *tensor.ShapeError
	var d *tensor.DTypeError
	var a *tensor.ArgError
	var fault *device.RunError
	var memory *buf.MemoryError
	return errors.As(err, &s) || errors.As(err, &d) || errors.As(err, &a) || errors.As(err, &memory) ||
		strings.Contains(err.Error(), "operands") && strings.Contains(err.Error(), " on ") ||
		errors.As(err, &fault) && slices.ContainsFunc(ofElements, func(text string) bool { return strings.Contains(err.Error(), text) })
}

// ofElements are the parts of errors that only elements of operands can show.
var ofElements = []string{"out of range", "is not a probability", "is not a weight", "weights of a row are all 0", "is not a standard deviation",
	"is not a rate", "integers cannot be divided by 0"}

func TestHostileTypes(t *testing.T) {
	if os.Getenv("ACAP_HOSTILE") == "" {
		t.Skip()
	}
	for i, op := range ops.All() {
		f := op.Functional()
		if f.Samples == nil {
			continue
		}
		for _, d := range dtype.All() {
			for k, s := range f.Samples() {
				h := &hostile{rand.New(rand.NewPCG(uint64(i), 77)), host.Device()}
				h.check(t, k, op, h.retyped(s, d))
			}
		}
	}
}
