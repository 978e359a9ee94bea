package ops

// MathBits tells whether r shows the elements of its root conjugated, and whether negated: PyTorch keeps both as bits
// beside a view, and resolve_conj and resolve_neg copy a tensor that has one.
func (r *Ref) MathBits() (conjugated, negated bool) {
	if !r.IsView() {
		return false, false
	}
	conjugated, negated = r.Base().MathBits()
	switch name := r.call.Op.Functional().Name(); {
	case r.call.Args[0].Tensor().Type().DType.IsComplex() && (name == "conj" || name == "_conj" || hermitian[name]):
		conjugated = !conjugated
	case name == "_neg_view":
		negated = !negated
	case name == "real":
		conjugated = false
	case name == "imag":
		conjugated, negated = false, negated != conjugated
	}
	return conjugated, negated
}
