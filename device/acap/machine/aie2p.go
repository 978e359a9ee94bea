package machine

// AIE2P is the family of the second NPU (Strix).
const AIE2P Family = "aie2p"

func init() {
	upstream := func(m *Machine) string { return m.part("npu2", 8) }
	register(family{name: AIE2P, Architecture: tiles{upstream}},
		preset{name: "npu2", make: npu2, words: []string{"xdna2", "xdna 2", "strix", "krackan"}})
}

func npu2() *Machine {
	m := &Machine{
		Name: "npu2", Title: "AMD Ryzen AI NPU, Strix, Strix Halo and Krackan (XDNA 2, AIE2P)",
		Family: AIE2P,
		Grid: Grid{Cols: 8, CoreRows: 4, MemRows: 1, ShimDMA: []int{0, 1, 2, 3, 4, 5, 6, 7},
			VerticalCascade: true},
		Modes: map[string]Mode{
			"turbo":       {datasheet(1800e6, "Hz", amdxdna)},
			"performance": {datasheet(1584e6, "Hz", amdxdna)},
			"balanced":    {datasheet(1267e6, "Hz", amdxdna)},
			"powersave":   {datasheet(792e6, "Hz", amdxdna)},
		},
		Clock: datasheet(1.8e9, "Hz", "mlir-aie PR #3668; 1.81 GHz derived from tnzr.org"),
		Core:  aie2Core(), Mem: aie2Mem(), Shim: aie2Shim(),
		Compute: aie2Compute(), Stream: aie2Stream(),
		DDR: DDR{
			Read:    fitted(65.3e9, "B/s", ironCI),
			Write:   fitted(71.6e9, "B/s", airRegistry),
			Total:   fitted(71.6e9, "B/s", airRegistry),
			PerShim: assumed(14.4e9, "B/s", "as much as one channel, 8 B/cycle at 1.8 GHz"),
			Burst: []Burst{
				{2048, fitted(1, "", airRegistry)},
				{512, fitted(0.847, "", airRegistry)},
				{256, fitted(0.476, "", airRegistry)},
				{0, fitted(0.414, "", airRegistry)},
			},
			Page:  datasheet(2048, "B", "LPDDR5, JESD209-5"),
			Chips: lpddr5.chips(120e9, "128 bit of LPDDR5X-7500, the fastest memory of Strix Point", 8, "of 16 bit"),
		},
		Host: Host{
			Launch: fitted(78.3e-6, "s", airRegistry),
			Dispatch: map[string]Dispatch{
				"alone":    {measured(52e-6, "s", "a run of one kernel, by the array's own counter")},
				"queued":   {measured(12.7e-6, "s", "runs that are queued one behind the other")},
				"switched": {fitted(323e-6, "s", "launch after another program: launch and context")},
				"xrt":      {measured(170e-6, "s", "140 to 200 us by other paths of XRT")},
				"wall":     {fitted(170e-6, "s", ironCI+": kernels of 2048 elements take 130 to 230 us, by the clock of the host")},
			},
			Restart: fitted(7.39e-6, "s", airRegistry),
			Context: fitted(245e-6, "s", ModelSource),
			Switch:  fitted(9.44e-6, "s/core", ModelSource),
			Write:   fitted(13.1e9, "B/s", ModelSource),
			Copy:    fitted(5.72e9, "B/s", ModelSource),
		},
		Energy: nominalEnergy(),
	}
	m.Energy.Static = fitted(0.5, "W", flm)
	m.Core.ChannelRate = datasheet(8, "B/cycle", "streams of 64 bit, AIE-ML v2")
	m.Mem.ChannelRate, m.Shim.ChannelRate = m.Core.ChannelRate, m.Core.ChannelRate
	m.Compute.aie2p()
	npu2Styles(m.Compute.Styles)
	npu2Routines(m.Compute.Routines)
	return m
}

// aie2p changes the arithmetic of AIE2 to that of AIE2P.
func (c *Compute) aie2p() {
	c.LoadBytes = datasheet(128, "B/cycle", ug1603+", AIE-ML v2")
	c.StoreBytes = datasheet(64, "B/cycle", ug1603+", AIE-ML v2")
	for _, t := range []string{"i8", "u8", "u8xi8"} {
		c.MACs[t] = assumed(512, "MAC/cycle", "50 TOPS of AMD XDNA 2 over 32 cores at 1.5 GHz, rounded to a power of two")
		c.Shapes[t] = [3]int{8, 8, 8}
	}
	delete(c.Shapes, "u8xi8")
	for _, t := range []string{"i8", "u8", "i16", "bf16"} { // nobody has published how fast AIE2P skips zeros
		delete(c.MACs, t+"xsparse24")
		delete(c.Shapes, t+"xsparse24")
	}
	c.MACs["i8xi4"] = assumed(512, "MAC/cycle", "as i8: IRON pull request 182 says that AIE2P puts its 4x16x16 together from others")
	c.Shapes["i8xi4"] = [3]int{4, 16, 16}
	c.MACs["i16xi8"] = assumed(256, "MAC/cycle", "half the rate of i8, as on AIE-ML")
	c.MACs["i16"] = assumed(128, "MAC/cycle", "a quarter of the rate of i8, as on AIE-ML")
	c.MACs["bfp16"] = datasheet(512, "MAC/cycle", "tnzr.org: VMAC.F of XDNA 2 multiplies 8x8x8 of bfp16")
	c.MACs["bf16"] = datasheet(128, "MAC/cycle", "tnzr.org: 256 operations a cycle without bfp16")
	c.MACs["bf16xbfp16"] = datasheet(512, "MAC/cycle", "as bfp16: the left operand is turned to it in registers")
	for _, t := range []string{"bf16", "bfp16", "bf16xbfp16"} { // two instructions for bf16 as it is
		c.Shapes[t] = [3]int{8, 8, 8}
	}
	// Two products of 262144 rows of weights, 1536 and 2560 wide, differ by 0.444 cycle a weight of a core; 0.057 of
	// that is the multiplication.
	c.Convert["q4_1"] = fitted(6.2, "op/value", ironCI)
	c.Convert["q4"] = fitted(5.2, "op/value", ironCI+", without the least value of q4_1")
}

// npu2Styles sets the kernels of products.
func npu2Styles(styles map[string]Style) {
	styles["external"] = Style{
		Efficiency: fitted(0.2485, "", airRegistry),
		Update:     fitted(0.0698, "cycle/element", airRegistry),
		Block:      fitted(2.97, "cycle/element", airRegistry),
		Set:        2, Accumulate: "f32", Only: []string{"bf16", "bf16xbfp16"}, As: BF16Emulated, Published: true,
		Read: fitted(0.735, "", airRegistry),
	}
	styles["direct"] = Style{
		Efficiency: fitted(0.1722, "", airRegistry),
		Update:     fitted(0.2424, "cycle/element", airRegistry),
		Widen:      fitted(0.0408, "cycle/element", airRegistry),
		Block:      fitted(0.805, "cycle/element", airRegistry),
		Set:        2, Only: []string{"bf16", "bf16xbfp16"}, As: BF16Emulated, Published: true,
		Read: fitted(0.735, "", airRegistry),
	}
	// Nobody published rows of other types that name their mapping.
	styles["vector"] = Style{
		Efficiency: assumed(0.85, "", "GAMA, AIE-ML GEMM at 85 %"),
		Types: map[string]Constant{
			"i8":    assumed(0.95, "", "as the kernel of bfp16 of tnzr.org, 95 % of an XDNA 2 core's peak"),
			"u8":    assumed(0.95, "", "as i8"),
			"i8xi4": assumed(0.95, "", "as i8"),
			"bfp16": assumed(0.95, "", "tnzr.org: a kernel of operands that are bfp16 in memory, 95 % of an XDNA 2 core's peak"),
		},
		Call: assumed(100, "cycle", "hand-written kernels"),
		Only: []string{"i8", "u8", "i8xi4", "i16", "i32", "f16", "f32", "bfp16"},
	}
	// Kernels whose operands become bfp16 in registers and whose sums remain in the core: one
	// published number tells what they reach at least.
	styles["balanced"] = Style{
		Efficiency: assumed(0.27, "", "a tenth more than the 14.71 TFLOPS that E. Taka et al. measured, Striking the Balance, 2025"),
		Call:       assumed(100, "cycle", "hand-written kernels"),
		Only:       []string{"bf16"}, As: BF16Emulated, Makers: flmMakers,
	}
	// Kernels that AMD's own compiler schedules.
	styles["chess"] = Style{
		Efficiency: fitted(1, "", takaKernels),
		Types:      map[string]Constant{"bf16": fitted(0.345, "", takaKernels)},
		Update:     fitted(0.045, "cycle/element", takaKernels), Stored: true,
		Only: []string{"i8", "u8", "bf16"}, As: BF16Emulated, Reference: true, Makers: []string{"chess"},
		Read: assumed(0.735, "", "as external; E. Taka et al. read 50 GB/s"),
	}
	// Kernels of IREE's, which AMD's compiler and its open one scheduled better from month to month.
	styles["microkernel"] = Style{
		Efficiency: fitted(0.4, "", ireeRows), Update: fitted(0.045, "cycle/element", takaKernels), Stored: true,
		Only: []string{"i8"}, Reference: true, Makers: []string{"iree"},
		Read: assumed(0.735, "", "as external"),
	}
	// Kernels that a compiler schedules, those of mlir-aie and IRON.
	styles["compiled"] = Style{
		Efficiency: fitted(0.25, "", compiledRows), Update: fitted(0.43, "cycle/element", compiledRows),
		Only: []string{"i8", "u8", "i16", "bf16", "bfp16"}, Published: true, Reference: true,
	}
	// Kernels whose left operand becomes bfp16 in registers, and whose right one is that in memory, or both.
	styles["asymmetric"] = Style{
		Efficiency: fitted(0.43, "", ironCI+"; C. Wang et al., Can Asymmetric Tile Buffering Be Beneficial?, 2025, 24.6 TFLOPS"),
		Call:       assumed(100, "cycle", "hand-written kernels"),
		Only:       []string{"bf16xbfp16", "bfp16"}, Published: true, Makers: flmMakers,
		Read: fitted(0.735, "", ironCI),
		Load: fitted(115e-6, "s", ironCI+": a product of 256x512x128"),
	}
	styles["exact"] = Style{
		Efficiency: assumed(0.86, "", "tnzr.org: a kernel of bf16 without bfp16, 86 % of a core's peak"),
		Call:       assumed(100, "cycle", "hand-written kernels"),
		Only:       []string{"bf16"},
	}
	drain := styles["external"]
	drain.Convert = fitted(5.13, "cycle/element", airRegistry)
	styles["drain"] = drain
	cast := styles["external"]
	cast.Cast = fitted(427e-6, "s", airRegistry)
	styles["fused-cast"] = cast
	styles["gemv"] = Style{
		Efficiency: assumed(0.55, "", "the memory is slower"), Vector: true, Set: 4, Published: true,
		Read: fitted(0.735, "", airRegistry),
		Amid: fitted(0.766, "", ModelSource),
	}
	styles["matvec"] = Style{ // of all cores of a column
		Efficiency: assumed(0.55, "", "as gemv"), Vector: true, Ordered: true, Published: true,
		Only: []string{"i8", "u8", "i8xi4", "i16", "i32", "bf16", "f16", "f32", "bfp16", "bf16xbfp16"},
		Read: fitted(0.78, "", ironCI+": products of matrices in bf16 by a vector"),
	}
}
