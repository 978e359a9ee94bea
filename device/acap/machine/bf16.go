package machine

import "fmt"

// The ways to multiply bf16 on a machine whose multipliers take block floating point, too.
const (
	// BF16Exact is products of bf16 as they are, summed in f32.
	BF16Exact = "exact"
	// BF16Emulated is products of operands that kernels turn to block floating point in registers, bfp16: 8 values
	// along the summed dimension share an exponent, and keep 8 bits with the sign. It is faster, and less accurate.
	BF16Emulated = "bfp16"
)

// WithBF16 returns the machine with kernels that multiply bf16 in one of the two ways; "" is the machine as it is.
// Another name is an error, and so is emulation on a machine without multipliers of bfp16.
func (m *Machine) WithBF16(mode string) (*Machine, error) {
	with := *m
	switch mode {
	case "":
		return m, nil
	case BF16Exact:
		with.Compute.Emulate = false
		return &with, nil
	case BF16Emulated:
		with.Compute.Emulate = true
		return &with, with.emulates()
	}
	return nil, fmt.Errorf("bf16 is multiplied as %s or as %s, and not as %q", BF16Exact, BF16Emulated, mode)
}

// emulates is the error of a machine that is to emulate bf16 and has no multipliers for that.
func (m *Machine) emulates() error {
	if _, ok := m.Compute.MACs[BF16Emulated]; m.Compute.Emulate && !ok {
		return fmt.Errorf("%s multiplies bf16 as it is, and has no multipliers of %s", m.Name, BF16Emulated)
	}
	return nil
}

// Suits reports whether kernels of a style multiply operands of the type in the machine's way. Block floating point is
// for products of matrices; convolutions and attention multiply as it is.
func (m *Machine) Suits(s *Style, name string, product bool) bool {
	if name != "bf16" || s.Vector {
		return true
	}
	if _, both := m.Compute.MACs[BF16Emulated]; !both {
		return true
	}
	return (s.As != "") == (m.Compute.Emulate && product)
}

// RateOf returns the multiply-accumulates of a core in a cycle by kernels of a style, whose operands multipliers take
// as the type or format named, at the rate given.
func (m *Machine) RateOf(s *Style, name string, rate float64) float64 {
	switch {
	case s.As != "" && name == "bf16": // else a format of as many products
		return m.Compute.MACs[s.As].Value
	case name == "bf16":
		return m.Compute.MACs[name].Value
	}
	return rate
}
