package timing

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/workload"
)

// multiplied says how the multipliers of a machine take a product: the formats in which they take the operands, plain
// for elements, and the name of the pair in the machine's tables.
type multiplied struct {
	a, b dtype.Format
	name string
	rate float64 // multiply-accumulates of a core in a cycle, 0 if there are none
}

// multiplying finds the first of the pairs that the machine has a rate for: the operands with the
// packed values that they have, one of them unpacked, or both as elements.
func multiplying(m *machine.Machine, c *workload.Contraction) multiplied {
	a, b := c.A.Values(), c.B.Values()
	if m.Compute.Emulate && c.A.Format == dtype.Plain && c.B.Format == dtype.Plain {
		a, b = dtype.Plain, dtype.Plain // kernels round what they multiply
	}
	for _, f := range [...][2]dtype.Format{{a, b}, {dtype.Plain, b}, {a, dtype.Plain}} {
		if f[0] == dtype.Plain && f[1] == dtype.Plain {
			break
		}
		left, right := taken(c.A.DType, f[0]), taken(c.B.DType, f[1])
		for _, name := range pairs(left, right) {
			if rate, ok := m.Compute.MACs[name]; ok {
				return multiplied{f[0], f[1], name, rate.Value}
			}
		}
	}
	rate, _ := m.MACRate(c.A.DType, c.B.DType)
	if c.A.DType == dtype.BF16 && c.B.DType == dtype.BF16 && m.Compute.Emulate {
		rate = m.Compute.MACs[machine.BF16Emulated].Value
	}
	return multiplied{name: c.A.DType.String(), rate: rate}
}

// taken names an operand as the multipliers take it.
func taken(d dtype.DType, f dtype.Format) string {
	if f != dtype.Plain {
		return f.String()
	}
	return d.String()
}

// pairs are the names that a machine's tables may have for a pair of operands.
func pairs(a, b string) []string {
	if a == b {
		return []string{a}
	}
	return []string{a + "x" + b, b + "x" + a}
}

// Multiplied names what the multipliers of a machine take for a product, as the machine's tables do.
func Multiplied(m *machine.Machine, c *workload.Contraction) string { return multiplying(m, c).name }

// Rate returns the multiply-accumulates of a core in a cycle for a product; false if there are none.
func Rate(m *machine.Machine, c *workload.Contraction) (float64, bool) {
	rate := multiplying(m, c).rate
	return rate, rate > 0
}

// Converted returns the operands in the form that a core's multipliers take, after the core has packed or unpacked
// them. An operand that needs no conversion is nil.
func Converted(m *machine.Machine, c *workload.Contraction) (a, b *workload.Operand) {
	convert := func(o workload.Operand, f dtype.Format) *workload.Operand {
		if o.Format == f {
			return nil
		}
		o.Format = f
		return &o
	}
	to := multiplying(m, c)
	return convert(c.A, to.a), convert(c.B, to.b)
}

// operandCost is the cost of a value of an operand on a core, besides its products.
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
			lanes, some := m.LaneRate(to.DType)
			if costs[i].convert = each.Value / lanes; !known || !some {
				costs[i].convert = -1
			}
		}
		k, other, bytes := to.Cell()
		costs[i].loaded = float64(bytes) / float64(k*other)
	}
	return costs
}
