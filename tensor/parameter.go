package tensor

import (
	"context"
	"fmt"

	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/trace"
)

// RequiresGrad makes the tensor a parameter: calls that use it afterwards can be
// differentiated with respect to it. A pending value is computed first; a view becomes a
// tensor of its own. A parameter stays one when it changes in place, which must happen
// within [NoGrad], and when it is moved by [Tensor.MoveTo]. It returns the tensor. An element type without gradients,
// such as i64, panics with a [*DTypeError].
func (t *Tensor) RequiresGrad() *Tensor {
	if !t.Type().Differentiable() {
		raise(&DTypeError{Op: "requires_grad", Detail: fmt.Sprintf("only floating tensors have gradients, not %v",
			t.DType())})
	}
	t.setParameter(t.value())
	return t
}

// setParameter makes t a parameter with a value of its runtime.
func (t *Tensor) setParameter(v ops.Value) {
	p, err := t.runtime.Parameter(context.Background(), v, t)
	if err != nil {
		raise(&DeviceError{Op: "requires_grad", Detail: err.Error(), Err: err})
	}
	if t.ref.IsView() {
		t.ref.Renew(p)
	} else {
		t.ref.SetValue(p)
	}
}

// IsParameter reports whether the tensor is a parameter: whether gradients end at it.
func (t *Tensor) IsParameter() bool {
	n, _ := trace.Of(t.value())
	return n.IsParameter()
}

// Assign gives the tensor the value of another of its type and device, without a copy. A
// parameter stays one, and a pending value is then computed first. It returns the tensor. Another type, shape or device
// panics with a [*ShapeError].
func (t *Tensor) Assign(x *Tensor) *Tensor {
	if x.present().runtime != t.present().runtime || x.DType() != t.DType() || !shape.Equal(x.Shape(), t.Shape()) {
		raise(&ShapeError{Op: "assign", Detail: fmt.Sprintf("%#v is not of the type and device of %#v", x, t)})
	}
	v := x.value()
	if t.IsParameter() && !t.ref.IsView() {
		p, err := t.runtime.Parameter(context.Background(), v, t)
		if err != nil {
			raise(&DeviceError{Op: "assign", Detail: err.Error(), Err: err})
		}
		v = p
	}
	t.ref.Assign(t.runtime, v)
	return t
}

// writesParameter reports whether the first argument of a call is a parameter or a view of
// one.
func writesParameter(args []ops.Arg) bool {
	if len(args) == 0 || args[0].Kind != ops.KindTensor {
		return false
	}
	t := args[0].Tensor().(*Tensor).present()
	n, _ := trace.Of(t.ref.Root().Value(t.runtime))
	return n.IsParameter()
}

// written is what an operator that works in place writes to, with what it is a view of.
type written struct {
	root  *ops.Ref
	owner any // of a parameter
	is    bool
}

// writes verifies that an operator may write t in place.
func (t *Tensor) writes(op *ops.Op) written {
	w := written{root: t.present().ref.Root()}
	if n, _ := trace.Of(w.root.Value(t.runtime)); n.IsParameter() {
		w.is, w.owner = true, n.Owner()
		if trace.GradEnabled() {
			raise(&ArgError{Op: op.Name(), Detail: "self is a parameter, or a view of one, " +
				"whose changes in place cannot be differentiated: change it within NoGrad"})
		}
	}
	return w
}

// done keeps a parameter a parameter after it was written through t. shared says that the new value may be another
// tensor's as well, or a view of the old one.
func (w *written) done(t *Tensor, shared bool) {
	if shared {
		v := ops.Emit{Builder: t.runtime}.Call("clone", w.root.Value(t.runtime))
		if w.root.IsView() { // of what it was, by a change of the shape
			w.root.Renew(v)
		} else {
			w.root.SetValue(v)
		}
	}
	n, _ := trace.Of(w.root.Value(t.runtime))
	n.Require(w.owner)
}
