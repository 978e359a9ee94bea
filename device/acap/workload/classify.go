package workload

import "github.com/go-acap/acap/base/dtype"

// Classify names the measured routine ([Mix.Routine]) that the body of a kernel is, by its operands and operations. It
// is called last in the description of a kernel, so that a computation has the same routine whether it was read from a
// program or from a table of measurements. Routines were measured on arrays of bf16; operations are counted with
// conversions, which programs need more or fewer of.
func (k *Kernel) Classify() {
	switch k.Kind {
	case KindPointwise:
		p := &k.Pointwise
		p.Ops.Routine = pointwiseRoutine(p)
	case KindNormalize:
		n := &k.Normalize
		n.Ops.Routine = rowsRoutine(n)
	}
}

// pointwiseRoutine is the routine of a flat body with one or two inputs and one result, all as
// large as it.
func pointwiseRoutine(p *Pointwise) string {
	if len(p.Out) != 1 || p.Ops.Serial > 0 {
		return ""
	}
	for _, s := range append(p.In[:len(p.In):len(p.In)], p.Out[0]) {
		if s.Elements != p.Elements || !measured(s) {
			return ""
		}
	}
	o := &p.Ops
	switch {
	case len(p.In) == 2 && o.Transcendental == 0 && o.Divide == 0 && o.Simple <= 5:
		return "add"
	case len(p.In) == 2 && o.Transcendental == 1 && o.Divide <= 1 && o.Simple <= 10:
		return "silu_mul"
	case len(p.In) == 1 && o.Transcendental == 1 && o.Divide == 0 && o.Simple >= 5 && o.Simple <= 12:
		return "gelu"
	}
	return ""
}

// rowsRoutine is the routine of rows with one result as large as all of them.
func rowsRoutine(n *Normalize) string {
	all := int64(n.Rows) * int64(n.Cols)
	if len(n.Out) != 1 || n.Out[0].Elements != all || !measured(n.Out[0]) || n.Ops.Serial > 0 ||
		n.Ops.Transcendental > 0 || n.RowOps.Transcendental > 0 {
		return ""
	}
	whole, parameters := 0, 0
	for _, s := range n.In {
		switch {
		case !measured(s):
			return ""
		case s.Elements == all:
			whole++
		case s.Elements == int64(n.Cols):
			parameters++
		default:
			return ""
		}
	}
	o := &n.Ops
	switch {
	case whole == 2 && parameters == 0 && n.Passes <= 1 && o.Divide == 0 && n.RowOps.Total() == 0:
		return "rope"
	case whole == 1 && n.Passes == 2 && o.Divide == 0 && n.RowOps.Divide > 0 && parameters <= 1:
		return "rmsnorm"
	case whole == 1 && n.Passes == 3 && o.Divide == 0 && n.RowOps.Divide > 0 && parameters <= 2:
		return "layernorm"
	}
	return ""
}

// measured reports whether a stream is an array in order, of the type of the measurements.
func measured(s Stream) bool {
	return s.DType == dtype.BF16 && s.Walk == nil && s.Table == 0
}
