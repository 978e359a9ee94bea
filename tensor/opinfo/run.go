package opinfo

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/tensor"
)

// sequence decodes a list: of tensors (entries may be null), ints, floats or bools.
func sequence(list []any, resolve func(string) (any, error)) (any, error) {
	var tensors []*tensor.Tensor
	var ints []int
	var floats []float64
	var bools []bool
	for _, e := range list {
		v, err := value(e, resolve)
		if err != nil {
			return nil, err
		}
		switch v := v.(type) {
		case nil:
			tensors = append(tensors, nil)
		case *tensor.Tensor:
			tensors = append(tensors, v)
		case int:
			ints = append(ints, v)
			floats = append(floats, float64(v))
		case float64:
			floats = append(floats, v)
		case bool:
			bools = append(bools, v)
		default:
			return nil, fmt.Errorf("unexpected list entry %v", v)
		}
	}
	switch len(list) {
	case len(tensors):
		if len(list) == 0 {
			return []int{}, nil
		}
		return tensors, nil
	case len(ints):
		return ints, nil
	case len(floats):
		return floats, nil
	case len(bools):
		return bools, nil
	}
	return nil, fmt.Errorf("list of mixed kinds %v", list)
}

// Run runs the program on a device and compares every output and gradient. The
// error names the first that differs.
func (p *Program) Run(dev device.Device) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	var failed error
	e := tensor.Try(func() { failed = p.run(dev) })
	if e != nil && p.Refused == "" {
		return e
	}
	return failed
}

type execution struct {
	p   *Program
	dev device.Device
	env map[string]*tensor.Tensor

	made map[string]origin // what computed each value

	last  []*tensor.Tensor       // results of the last operator
	exact bool                   // compute narrower types in f64
	moved map[string]*buf.Buffer // elements of inputs that are not the recorded ones
}

func newExecution(p *Program, dev device.Device) *execution {
	return &execution{p: p, dev: dev, env: map[string]*tensor.Tensor{}, made: map[string]origin{}}
}

// wasRefused computes what the last operator gave, which must fail if the call did not.
func (x *execution) wasRefused() error {
	for _, y := range x.last {
		if _, err := y.Buffer(ctx); err != nil {
			return nil
		}
	}
	return fmt.Errorf("is taken, where PyTorch says %q", x.p.Refused)
}

// origin says which result of which operator a value is.
type origin struct {
	op     *op
	result int
}

func (p *Program) run(dev device.Device) error {
	x := newExecution(p, dev)
	if err := x.compute(); err != nil {
		return err
	}
	if p.Refused != "" {
		return x.wasRefused()
	}
	for i := range p.Outputs {
		if err := x.check("output", &p.Outputs[i], x.env[p.Outputs[i].Name], false); err != nil {
			return err
		}
	}
	return x.grads()
}

// compute records the operators.
func (x *execution) compute() error {
	if err := x.inputs(); err != nil {
		return err
	}
	for i := range x.p.Ops {
		if err := x.op(&x.p.Ops[i]); err != nil {
			return fmt.Errorf("%s: %w", x.p.Ops[i].Op, err)
		}
	}
	return nil
}

func (x *execution) inputs() error {
	for _, list := range [][]named{x.p.Inputs, x.p.Consts} {
		for i := range list {
			b, err := x.p.buffer(&list[i].Tensor)
			if err != nil {
				return fmt.Errorf("%s: %w", list[i].Name, err)
			}
			if moved := x.moved[list[i].Name]; moved != nil {
				b = moved
			}
			t := tensor.FromBuffer(x.widened(b)).To(x.dev)
			if list[i].Grad && len(x.p.Grads) > 0 {
				t = t.RequiresGrad()
			}
			x.env[list[i].Name] = t
		}
	}
	return nil
}

func (x *execution) resolve(name string) (any, error) {
	if t, ok := x.env[name]; ok {
		return t, nil
	}
	return nil, fmt.Errorf("no value %s", name)
}

func (x *execution) op(o *op) error {
	var args []any
	for _, raw := range o.Args {
		v, err := x.argument(raw)
		if err != nil {
			return err
		}
		args = append(args, v)
	}
	for _, name := range slices.Sorted(maps.Keys(o.Kwargs)) {
		v, err := x.argument(o.Kwargs[name])
		if err != nil {
			return err
		}
		if v != nil {
			args = append(args, tensor.With(name, v))
		}
	}
	if scalar, want := scalarOut(o); scalar {
		got, err := tensor.CallScalar(o.Op, args...)
		if err != nil {
			return err
		}
		return sameScalar(got, want)
	}
	results := tensor.Call(o.Op, append(args, tensor.On(x.dev))...)
	x.last = results
	if len(results) < len(o.Outs) {
		return fmt.Errorf("%d results instead of %d", len(results), len(o.Outs))
	}
	for i, raw := range o.Outs {
		var name *string
		if err := json.Unmarshal(raw, &name); err != nil {
			return err
		}
		if name != nil {
			x.env[*name] = results[i]
			x.made[*name] = origin{o, i}
		}
	}
	return nil
}

// scalarOut reports whether the operator returns a number, and which.
func scalarOut(o *op) (bool, json.RawMessage) {
	var s struct{ Scalar json.RawMessage }
	if len(o.Outs) == 1 && json.Unmarshal(o.Outs[0], &s) == nil && s.Scalar != nil {
		return true, s.Scalar
	}
	return false, nil
}

func sameScalar(got float64, want json.RawMessage) error {
	v, err := argument(want, nil)
	if err != nil {
		return err
	}
	var w float64
	switch v := v.(type) {
	case bool:
		if v {
			w = 1
		}
	case int:
		w = float64(v)
	case float64:
		w = v
	}
	if !close64(got, w, 1e-6, 1e-6) {
		return fmt.Errorf("result is %v instead of %v", got, w)
	}
	return nil
}

func (x *execution) check(what string, want *named, got *tensor.Tensor, grad bool) error {
	w, err := x.p.buffer(&want.Tensor)
	if err != nil {
		return err
	}
	if got == nil {
		return fmt.Errorf("%s %s is missing", what, want.Name)
	}
	if got.Device() != x.dev {
		return fmt.Errorf("%s %s is on %s", what, want.Name, got.Device().Name())
	}
	var g *buf.Buffer
	if g, err = got.Buffer(ctx); err != nil {
		return fmt.Errorf("%s %s: %w", what, want.Name, err)
	}
	rtol, atol := x.p.tolerance(w.DType, grad)
	if err := Close(g, w, rtol, atol); err != nil && !x.agrees(want.Name, g, w, grad) {
		return fmt.Errorf("%s %s: %w", what, want.Name, err)
	}
	return nil
}

func (x *execution) grads() error {
	if len(x.p.Grads) == 0 {
		return nil
	}
	gradients, err := x.gradients()
	if err != nil {
		return err
	}
	for i, g := range gradients {
		if err := x.check("gradient of", &x.p.Grads[i], g, true); err != nil {
			return err
		}
	}
	return nil
}

func missing(name string) error { return fmt.Errorf("no output %s", name) }
