package reference

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/tensor"
)

// tolerance is how far an element may be from its reference.
const tolerance = 1e-5

// Compare runs a sample of an operator on a device and compares types, extents and elements, which may
// differ by 1e-5, with those of [Functions]. An expected NaN agrees with all. The error names what differs, or is the
// one that the call raised.
func Compare(op *ops.Op, s ops.Sample, dev device.Device) (err error) {
	args, call := arguments(s, dev)
	want := Functions[op.Name()](args)
	var got []*tensor.Tensor
	if err := tensor.Try(func() { got = tensor.Call(op.Name(), call...) }); err != nil {
		return err
	}
	if len(got) != len(want) {
		return fmt.Errorf("%d results instead of %d", len(got), len(want))
	}
	for i, w := range want {
		if got[i].DType() != w.DType || !slices.Equal(got[i].Shape(), w.Shape) {
			return fmt.Errorf("result %d is %v%v instead of %v%v", i, got[i].DType(), got[i].Shape(), w.DType, w.Shape)
		}
		if w.Values == nil {
			continue
		}
		for k, v := range got[i].Float64s() {
			if !math.IsNaN(w.Values[k]) && !(math.Abs(v-w.Values[k]) <= tolerance) {
				return fmt.Errorf("element %d of result %d is %v instead of %v", k, i, v, w.Values[k])
			}
		}
	}
	return nil
}

// arguments fills a sample, for a reference and for a call on a device.
func arguments(s ops.Sample, dev device.Device) (Args, []any) {
	r := rand.New(rand.NewPCG(7, 9))
	var want Args
	var got []any
	fill := func(t ops.T) (*buf.Buffer, *tensor.Tensor) {
		b := t.Fill(r)
		return b, tensor.FromBuffer(b.Clone()).To(dev)
	}
	for _, a := range s {
		switch a := a.(type) {
		case ops.T:
			b, t := fill(a)
			want, got = append(want, b), append(got, t)
		case []ops.T:
			var buffers []*buf.Buffer
			var tensors []*tensor.Tensor
			for _, t := range a {
				b, t := fill(t)
				buffers, tensors = append(buffers, b), append(tensors, t)
			}
			want, got = append(want, buffers), append(got, tensors)
		default:
			want, got = append(want, a), append(got, a)
		}
	}
	return want, append(got, tensor.On(dev))
}
