package ops

// Where gradients are off, an operator in place changes what a tensor holds, and not where the tensor's gradients flow:
// they flow as they did before. A view shows what was written, with the gradients of its base.

// GradientMode is a [Builder] that can record calls which take no part in differentiation.
type GradientMode interface {
	// GradEnabled reports whether calls that are added now take part.
	GradEnabled() bool
}

// untracked reports whether calls that are added to b now take no part in differentiation.
func untracked(b Builder) bool {
	m, ok := b.(GradientMode)
	return ok && !m.GradEnabled()
}

// needsGrad reports whether a gradient may flow to or through a value.
func needsGrad(v Value) bool {
	g, ok := v.(interface{ NeedsGrad() bool })
	return ok && g.NeedsGrad()
}

// losesGradient reports whether v, which was made of a value, has no gradients, although the value has.
func losesGradient(of, v Value) bool {
	return needsGrad(of) && !needsGrad(v) && v.Type().Differentiable()
}

// rewritten returns what a tensor that held a value holds after v was written by an operator in place. A tensor whose
// elements follow the value no more has gradients of zeros. Who writes a parameter makes v a parameter.
func rewritten(b Builder, before, v Value) Value {
	if p, ok := before.(interface{ IsParameter() bool }); ok && p.IsParameter() || !losesGradient(before, v) {
		return v
	}
	if untracked(b) {
		return Emit{b}.Call("_rewritten", v, before)
	}
	return Emit{b}.Call("_constant_in", v, []Value{before})
}

// WriteResult stores v, the result of an operator in place, as the elements of r. Truths that become numbers have
// gradients of zeros for all operands. PyTorch has no gradients of logical operators in place: gradients of r flow as
// they did before.
func (r *Ref) WriteResult(b Builder, op *Op, args []Arg, v Value) {
	e := Emit{b}
	number := e.To(v, r.Type().DType)
	if !untracked(b) && number.Type().Differentiable() && !v.Type().Differentiable() {
		var followed []Value
		c := Call{Args: args}
		c.Map(func(v Value) Value {
			if of, ok := v.(*Ref); ok {
				v = of.Value(b)
			}
			if needsGrad(v) {
				followed = append(followed, v)
			}
			return v
		})
		if before := r.Value(b); op.Functional().Unseen && needsGrad(before) {
			number = e.Call("_rewritten", number, before)
		} else if !op.Functional().Unseen {
			number = e.constantIn(number, followed...)
		}
	}
	r.Write(b, number)
}

// unread is a version that no root has.
const unread = ^uint64(0)

// Untracked reports whether r is a view that was made where gradients are off.
func (r *Ref) Untracked() bool { return r.IsView() && r.untracked }

// untrackedError refuses the use of a view that was made where gradients are off, where they are on.
func (r *Ref) untrackedError() error {
	return r.call.ArgErrorf("the view was made where gradients are off (NoGrad), and its memory has been written since: " +
		"whether gradients flow through the view is not clear; make the view again, or use it within NoGrad")
}

// tracked returns an error if an operator would write through such a view with gradients.
func (r *Ref) tracked(b Builder, op *Op) error {
	for v := r; v.IsView(); v = v.Base() {
		if v.untracked && !untracked(b) && needsGrad(r.Root().value) {
			return (&Call{Op: op}).ArgErrorf("self is a view that was made where gradients are off (NoGrad), of a tensor that has " +
				"gradients: make the view anew, or write it within NoGrad")
		}
	}
	return nil
}
