package timing

import (
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/workload"
	"github.com/go-acap/acap/tensor/dtype"
)

// multiplied returns the packed format that the multipliers take for a product: that whose values
// both operands have, if the machine has a rate for it. Else it is plain: the type of A's elements.
func multiplied(m *machine.Machine, c *workload.Contraction) dtype.Format {
	f := c.A.Values()
	if f == dtype.Plain || f != c.B.Values() {
		return dtype.Plain
	}
	if _, ok := m.Compute.MACs[f.String()]; !ok {
		return dtype.Plain
	}
	return f
}

// Multiplied names what the multipliers of a machine take for a product, as the machine's tables do.
func Multiplied(m *machine.Machine, c *workload.Contraction) string {
	if f := multiplied(m, c); f != dtype.Plain {
		return f.String()
	}
	return c.A.DType.String()
}

// Rate returns the multiply-accumulates of a core in a cycle for a product; false if there are none.
func Rate(m *machine.Machine, c *workload.Contraction) (float64, bool) {
	if f := multiplied(m, c); f != dtype.Plain {
		return m.Compute.MACs[f.String()].Value, true
	}
	return m.MACRate(c.A.DType, c.B.DType)
}

// Converted returns the operands as a core has them once it has packed or unpacked them for its
// multipliers; nil for one that it takes as it comes.
func Converted(m *machine.Machine, c *workload.Contraction) (a, b *workload.Operand) {
	f := multiplied(m, c)
	convert := func(o workload.Operand) *workload.Operand {
		if o.Format == f {
			return nil
		}
		o.Format = f
		return &o
	}
	return convert(c.A), convert(c.B)
}

// operandCost is what a value of an operand costs a core besides its products.
type operandCost struct {
	convert float64 // cycles, to pack or unpack it; negative if the core cannot
	loaded  float64 // bytes, with every load of it
}

// operandCosts returns the costs of A and B.
func operandCosts(m *machine.Machine, c *workload.Contraction) (costs [2]operandCost) {
	a, b := Converted(m, c)
	for i, o := range [...]struct{ from, to *workload.Operand }{{&c.A, a}, {&c.B, b}} {
		to := o.from
		if o.to != nil {
			to = o.to
			format := max(o.from.Format, to.Format) // one of them is plain
			each, known := m.Compute.Convert[format.String()]
			lanes, some := m.LaneRate(dtype.BF16)
			if costs[i].convert = each.Value / lanes; !known || !some {
				costs[i].convert = -1
			}
		}
		k, other, bytes := to.Cell()
		costs[i].loaded = float64(bytes) / float64(k*other)
	}
	return costs
}
