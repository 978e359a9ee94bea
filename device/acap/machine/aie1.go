package machine

// AIE1 is the family of the AI Engine of Versal devices (VC1902).
const AIE1 Family = "aie1"

func init() {
	register(family{name: AIE1, Architecture: tiles{func(*Machine) string { return "xcvc1902" }}},
		preset{name: "vck190", make: vck190, words: []string{"vc1902"}}, preset{name: "vck5000", make: vck5000})
}

func aie1Core() Tile {
	t := aie2Core()
	t.Memory = datasheet(32<<10, "B", ug1079)
	t.Banks = datasheet(8, "", ug1079)
	t.BankBytes, t.Access = datasheet(16, "B/cycle", ug1079), Constant{}
	t.LockMax = datasheet(1, "", targetModel)
	t.Dims = datasheet(2, "", ug1079)
	t.LengthBits = datasheet(13, "bit", targetModel)
	return t
}

func aie1Shim() Tile {
	t := aie2Shim()
	t.Queue = datasheet(0, "", targetModel)
	// Streams to and from programmable logic, 64 bit at half the array's clock;
	// data movers built there take any order of addresses.
	t.Dims = assumed(6, "", "data movers in programmable logic")
	t.WrapBits = assumed(24, "bit", "data movers in programmable logic")
	t.StepBits = assumed(32, "bit", "data movers in programmable logic")
	t.Out = datasheet(8, "", am009)
	t.In = datasheet(6, "", am009)
	return t
}

func aie1Compute() Compute {
	mac := func(v float64) Constant { return datasheet(v, "MAC/cycle", ug1079) }
	lane := func(v float64) Constant { return datasheet(v, "op/cycle", ug1079) }
	c := aie2Compute()
	c.MACs = map[string]Constant{
		"i8": mac(128), "u8": mac(128), "u8xi8": mac(128),
		"i16xi8": mac(64), "i16": mac(32), "i32xi16": mac(16), "i32": mac(8),
		"f32": mac(8), "bf16": assumed(8, "MAC/cycle", "as f32"),
		"f16": assumed(8, "MAC/cycle", "as f32"),
	}
	c.Lanes = map[string]Constant{
		"bool": lane(32), "i8": lane(32), "u8": lane(32), "i16": lane(32), "i32": lane(16),
		"i64": assumed(1, "op/cycle", "scalar unit"),
		"f32": lane(8), "bf16": assumed(8, "op/cycle", "as f32"),
		"f16": assumed(8, "op/cycle", "as f32"),
		"f64": assumed(0.05, "op/cycle", "software"),
	}
	c.Shapes = map[string][3]int{
		"i8": {4, 8, 4}, "u8": {4, 8, 4}, "i16": {4, 4, 4}, "f32": {4, 1, 2}, "": {4, 2, 2},
	}
	c.Styles = map[string]Style{"cascade": {
		Efficiency: fitted(0.94, "", charm), Call: datasheet(40, "cycle", charm),
	}}
	c.MeasuredBanks = Banking{datasheet(8, "", "as core.banks"), datasheet(16, "B/cycle", "as core.bank_bytes")}
	c.CascadeBytes = datasheet(48, "B/cycle", ug1079)
	return c
}

// interfaceColumns lists the columns from first to last: 39 of the 50 of VC1902
// lead to programmable logic (AM009).
func interfaceColumns(first, last int) []int {
	var c []int
	for i := first; i <= last; i++ {
		c = append(c, i)
	}
	return c
}

// vc1902 is a board with that device. Its buffers in programmable logic stage
// blocks of the operands, as CHARM does.
func vc1902(name, title string, ddr DDR) *Machine {
	return &Machine{
		Name: name, Title: title, Family: AIE1,
		Grid:  Grid{Cols: 50, CoreRows: 8, Checkerboard: true, ShimDMA: interfaceColumns(6, 44)},
		Clock: datasheet(1e9, "Hz", charm),
		Core:  aie1Core(), Shim: aie1Shim(),
		Compute: aie1Compute(), Stream: aie2Stream(),
		DDR:     ddr,
		Staging: datasheet(20<<20, "B", "block and ultra RAM of VC1902, DS957"),
		Host: Host{
			Launch:  fitted(320e-6, "s", charm),
			Restart: assumed(0, "s", "the programmable logic issues its own transfers"),
			Context: assumed(245e-6, "s", "as npu2"),
			Switch:  assumed(9.44e-6, "s/core", "as npu2"),
			Write:   assumed(13.1e9, "B/s", "as npu2"),
			Copy:    assumed(5.72e9, "B/s", "as npu2"),
		},
		Energy: nominalEnergy(),
	}
}

func vck190() *Machine {
	return vc1902("vck190", "AMD Versal VCK190 (VC1902, AI Engine)", DDR{
		// Reads and writes take turns on the bus of a DIMM.
		Read:    fitted(13.78e9, "B/s", charm),
		Write:   fitted(4.93e9, "B/s", charm),
		PerShim: datasheet(24e9, "B/s", am009),
		Page:    datasheet(8192, "B", "Ramulator 2, DDR4: eight chips of 8 bit with 1 KiB"),
		Chips:   ddr4.chips(25.6e9, "one DIMM of VCK190, DDR4-3200", 1, "one DIMM"),
	})
}

func vck5000() *Machine {
	return vc1902("vck5000", "AMD Versal VCK5000 (VC1902, AI Engine)", DDR{
		Read:    fitted(22.3e9, "B/s", charm),
		Write:   fitted(8.09e9, "B/s", charm),
		PerShim: datasheet(24e9, "B/s", am009),
		Page:    datasheet(8192, "B", "Ramulator 2, DDR4: eight chips of 8 bit with 1 KiB"),
		Chips:   ddr4.chips(102.4e9, "four channels of VCK5000, DDR4-3200", 4, "of 64 bit"),
	})
}
