package nn

import (
	"context"
	"slices"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/trace"
	"github.com/go-acap/acap/translate/importer"
)

// imported is a model read from a file, callable on tensors. Its parameters live
// on one device.
type imported struct {
	forward importer.Forward
	runtime *lazy.Runtime
	state   []weight
	tied    []weight                       // further names of tensors in state
	named   map[*buf.Buffer]*tensor.Tensor // of state, by the data in the file
	unnamed *constants
	blocks  weightBlocks

	templates templates
}

// weight is a tensor of the model's file.
type weight struct {
	name      string
	data      *buf.Buffer
	trainable bool
	handle    *tensor.Tensor
}

func newImported(forward importer.Forward, state []weight, dev device.Device) *imported {
	m := &imported{forward: forward, runtime: lazy.For(dev), unnamed: newConstants(),
		named: map[*buf.Buffer]*tensor.Tensor{}}
	for _, w := range state {
		if w.handle = m.named[w.data]; w.handle != nil {
			m.tied = append(m.tied, w)
			continue
		}
		w.handle = tensor.FromBuffer(w.data).To(dev).Freeze()
		m.named[w.data] = w.handle
		m.state = append(m.state, w)
	}
	return m
}

// Parameters makes the floating weights of the model parameters, which it returns in the
// order of the file, for fine-tuning: until then they are frozen, as they are after
// [Freeze]. Those of a part can be frozen again, one by one, by [tensor.Tensor.Freeze].
func (m *imported) Parameters() []*tensor.Tensor {
	var list []*tensor.Tensor
	for _, w := range m.state {
		if w.trainable && w.handle.DType().IsFloat() {
			if !w.handle.IsParameter() {
				w.handle.RequiresGrad()
			}
			list = append(list, w.handle)
		}
	}
	return list
}

// members lets the functions on models, such as [StateDict], find the weights.
func (m *imported) members() []member {
	var list []member
	for _, w := range slices.Concat(m.state, m.tied) {
		list = append(list, member{name: w.name, tensor: w.handle})
	}
	return list
}

// Forward records (or, on the host, runs) the model's computation. Inputs are
// copied to the model's device where they lie elsewhere. The error names the
// place in the model.
func (m *imported) Forward(inputs ...*tensor.Tensor) ([]*tensor.Tensor, error) {
	values := make([]ops.Value, len(inputs))
	for i, x := range inputs {
		_, values[i] = x.To(m.runtime.Device()).Trace()
	}
	results, err := m.record(values)
	if err != nil {
		return nil, err
	}
	together(results, values)
	out := make([]*tensor.Tensor, len(results))
	for i, v := range results {
		out[i] = tensor.FromTrace(m.runtime, v)
	}
	return out, nil
}

// together makes results that are no inputs one group: they are computed in one program, whichever is read first.
func together(results, inputs []ops.Value) {
	if len(results) < 2 {
		return
	}
	var own []ops.Value
next:
	for _, v := range results {
		n, _ := trace.Of(v)
		for _, in := range inputs {
			if m, _ := trace.Of(in); m == n {
				continue next
			}
		}
		own = append(own, v)
	}
	trace.Together(own...)
}

// recorder records a model's computation in the trace of its device. It is an [importer.Warner].
type recorder struct {
	*lazy.Runtime
	model     *imported
	used      []usedWeight     // so far
	recording *trace.Recording // nil if the calls are not noted
}

// Constant implements [importer.Builder]. A parameter is one leaf, however
// often it is used.
func (r *recorder) Constant(name string, data *buf.Buffer) ops.Value {
	if t := r.model.named[data]; t != nil {
		_, v := t.To(r.Device()).Trace()
		r.used = append(r.used, usedWeight{t, v})
		return v
	}
	return r.model.unnamed.leaf(data)
}

// Read implements [importer.Reader]: a model whose structure depends on elements
// has them computed. Those of weights alone are the same in every call.
func (r *recorder) Read(v ops.Value, _ string) (*buf.Buffer, error) {
	if g := ofWeights(v); g != nil {
		if b := r.aside(g, v); b != nil {
			return b, nil
		}
	}
	b, err := tensor.FromTrace(r.Runtime, v).Buffer(context.Background())
	if err == nil && r.recording != nil {
		r.recording.Read(v, b)
	}
	return b, err
}

// RunHost implements [importer.Host]: it is how a call of the tensor's method is recorded.
func (r *recorder) RunHost(c *ops.Call) ([]ops.Value, error) {
	n, err := r.Record(c.Op, c.Args...)
	if err != nil {
		return nil, err
	}
	return n.Results(), nil
}

// SetLocation implements [importer.Builder].
func (r *recorder) SetLocation(l mlir.Location) { trace.SetLocation(l) }
