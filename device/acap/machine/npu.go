package machine

// ModelSource is the source of the constants that whole language models told.
const ModelSource = "mlir-air language models, programs and whole models"

// Sources of the constants.
const (
	targetModel  = "mlir-aie AIETargetModel.h"
	devices      = "mlir-aie docs/Devices.md 1.4.0"
	am009        = "AMD AM009"
	am020        = "AMD AM020"
	ug1079       = "AMD UG1079"
	ug1603       = "AMD UG1603"
	ds957        = "AMD DS957"
	aries        = "ARIES example_gemm measurements, 300 rows"
	airRegistry  = "mlir-air kernel registry measurements"
	ironCI       = "amd/IRON, measurements of its continuous integration on Krackan"
	compiledRows = "NpuEmbeddings and amd/IRON issue 172, i8 on npu2"
	amdxdna      = "levels of the clock in the amdxdna driver"
	charm        = "CHARM measurements and CDSE model"
	horowitz     = "M. Horowitz, ISSCC 2014, scaled"
)

// kernelCode is the room of a kernel in a program memory.
var kernelCode = assumed(4<<10, "B", "a vectorized kernel with its loops, a quarter of a program memory")

// aie2Core is the core tile of AIE-ML and AIE2P.
func aie2Core() Tile {
	return Tile{
		Memory:      datasheet(64<<10, "B", targetModel),
		Program:     datasheet(16<<10, "B", targetModel),
		Stack:       datasheet(1<<10, "B", "mlir-aie default stack size"),
		Banks:       datasheet(4, "", targetModel),
		BankBytes:   datasheet(16, "B/cycle", am020),
		Locks:       datasheet(16, "", targetModel),
		LockMax:     datasheet(63, "", am020),
		In:          datasheet(2, "", targetModel),
		Out:         datasheet(2, "", targetModel),
		Descriptors: datasheet(16, "", targetModel),
		Dims:        datasheet(3, "", am020),
		LengthBits:  datasheet(14, "bit", am020),
		WrapBits:    datasheet(8, "bit", am020),
		StepBits:    datasheet(13, "bit", am020),
		IterBits:    datasheet(6, "bit", am020),
		ChannelRate: datasheet(4, "B/cycle", am020),
		Switch:      ports(6, 4, 4),
	}
}

// ports is those of a tile's switch to its neighbours.
func ports(north, south, side float64) Switch {
	return Switch{datasheet(north, "stream", targetModel), datasheet(south, "stream", targetModel),
		datasheet(side, "stream", targetModel)}
}

func aie2Mem() Tile {
	t := aie2Core()
	t.Memory = datasheet(512<<10, "B", targetModel)
	t.Program = Constant{}
	t.Stack = Constant{}
	t.Banks = datasheet(8, "", targetModel)
	t.Locks = datasheet(64, "", targetModel)
	t.In = datasheet(6, "", targetModel)
	t.Out = datasheet(6, "", targetModel)
	t.Descriptors = datasheet(48, "", targetModel)
	t.Dims = datasheet(4, "", am020)
	t.LengthBits = datasheet(17, "bit", am020)
	t.WrapBits = datasheet(10, "bit", am020)
	t.StepBits = datasheet(17, "bit", am020)
	t.Repeat = datasheet(256, "", targetModel)
	t.Switch = ports(6, 4, 0)
	return t
}

func aie2Shim() Tile {
	t := aie2Core()
	t.Memory, t.Stack, t.Banks, t.BankBytes, t.Program = Constant{}, Constant{}, Constant{}, Constant{}, Constant{}
	t.Locks, t.LockMax = Constant{}, Constant{} // the host waits for tasks, not for locks
	t.Queue = datasheet(4, "", am020)
	t.LengthBits = datasheet(32, "bit", am020)
	t.WrapBits = datasheet(10, "bit", am020)
	t.StepBits = datasheet(20, "bit", am020)
	return t
}

func aie2Compute() Compute {
	mac := func(v float64) Constant { return datasheet(v, "MAC/cycle", am020) }
	lane := func(v float64) Constant { return datasheet(v, "op/cycle", am020) }
	return Compute{
		MACs: map[string]Constant{
			"i8": mac(256), "u8": mac(256), "u8xi8": mac(256),
			"i16xi8": mac(128), "i16": mac(64), "i32xi16": mac(32), "i32": mac(16),
			"i8xi4": mac(512), "bf16": mac(128), "f16": assumed(21, "MAC/cycle", "as f32, through bf16"),
			"f32": mac(21),
		},
		Lanes: map[string]Constant{
			"bool": lane(64), "i8": lane(64), "u8": lane(64), "i16": lane(32), "i32": lane(16),
			"i64":  assumed(1, "op/cycle", "scalar unit"),
			"bf16": lane(16), "f16": assumed(16, "op/cycle", "as bf16"), "f32": lane(16),
			"f64": assumed(0.05, "op/cycle", "software"),
		},
		Shapes: map[string][3]int{ // AMD UG1529, aie::mmul
			"i8": {4, 8, 8}, "u8": {4, 8, 8}, "i16": {4, 4, 4}, "i32": {4, 4, 4},
			"i8xi4": {4, 16, 8}, "bf16": {4, 8, 4}, "f16": {4, 8, 4}, "f32": {4, 8, 4}, "": {4, 8, 4},
		},
		Convert: map[string]Constant{
			"bfp16": assumed(2, "op/value", "a mantissa is widened and multiplied by its power of two"),
			"q4":    assumed(3, "op/value", "4 bits are cut out, widened and multiplied by their scale"),
			"q4_1":  assumed(4, "op/value", "as q4, and their minimum is added"),
			"q8":    assumed(2, "op/value", "8 bits are widened and multiplied by their scale"),
			"i4":    assumed(1, "op/value", "4 bits are unpacked"),
		},
		Styles:   map[string]Style{},
		Routines: nominalRoutines(),

		Code:         kernelCode,
		LoadBytes:    datasheet(64, "B/cycle", am020),
		StoreBytes:   datasheet(32, "B/cycle", am020),
		CascadeBytes: datasheet(64, "B/cycle", am020),
	}
}

func aie2Stream() Stream {
	return Stream{
		Hop:     assumed(2, "cycle", ug1079),
		BDSetup: assumed(8, "cycle", "descriptor fetch and lock"),
	}
}

func npu1() *Machine {
	m := &Machine{
		Name: "npu1", Title: "AMD Ryzen AI NPU, Phoenix and Hawk Point (XDNA, AIE-ML)",
		Family: AIE2,
		Grid: Grid{Cols: 4, CoreRows: 4, MemRows: 1, ShimDMA: []int{0, 1, 2, 3},
			VerticalCascade: true},
		Modes: map[string]Mode{
			"turbo":     {datasheet(1600e6, "Hz", amdxdna)},
			"qos":       {measured(1028e6, "Hz", "xdna-emu: the array's clock for a service of 1800 GOPS or more")},
			"powersave": {measured(800e6, "Hz", "xdna-emu: the array's clock below that")},
		},
		Clock: assumed(1e9, "Hz", "scale of the fits, near 1024 MHz of the middle power states in amdxdna's driver; the highest has 1600"),
		Core:  aie2Core(), Mem: aie2Mem(), Shim: aie2Shim(),
		Compute: aie2Compute(), Stream: aie2Stream(),
		DDR: DDR{
			Read:    fitted(16.05e9, "B/s", aries),
			Write:   assumed(16.05e9, "B/s", "as reads"),
			Total:   assumed(32.1e9, "B/s", "reads and writes at once"),
			PerShim: datasheet(8e9, "B/s", am020),
			// 256 and 512 rows lose nothing; from 1024 on they do.
			Pitch: []Pitch{{4096, 512, fitted(0.729, "", aries)}},
			Page:  assumed(4096, "B", "32 bit of DDR5 chips with 1 KiB for 8 bit"),
			Chips: ddr5.chips(89.6e9, "128 bit of DDR5-5600, the usual memory of Phoenix", 4, "two of 32 bit for a module of 64"),
		},
		Host: Host{
			Launch:  fitted(129.8e-6, "s", aries),
			Restart: fitted(16.2e-6, "s", aries),
			Context: assumed(245e-6, "s", "as npu2"),
			Switch:  assumed(9.44e-6, "s/core", "as npu2"),
			Write:   assumed(13.1e9, "B/s", "as npu2"),
			Copy:    assumed(5.72e9, "B/s", "as npu2"),
		},
		Energy: nominalEnergy(),
	}
	m.Compute.Styles["vector"] = Style{
		Efficiency: fitted(0.9, "", aries), Call: fitted(960, "cycle", aries),
	}
	return m
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
			Read:    fitted(66e9, "B/s", ironCI),
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
				"wall":     {fitted(285e-6, "s", ironCI+": submit, wait, and caches, by the clock of the host")},
			},
			Restart: fitted(7.39e-6, "s", airRegistry),
			Context: fitted(245e-6, "s", ModelSource),
			Switch:  fitted(9.44e-6, "s/core", ModelSource),
			Write:   fitted(13.1e9, "B/s", ModelSource),
			Copy:    fitted(5.72e9, "B/s", ModelSource),
		},
		Energy: nominalEnergy(),
	}
	m.Core.ChannelRate = datasheet(8, "B/cycle", "streams of 64 bit, AIE-ML v2")
	m.Mem.ChannelRate, m.Shim.ChannelRate = m.Core.ChannelRate, m.Core.ChannelRate
	c := &m.Compute
	c.LoadBytes = datasheet(128, "B/cycle", ug1603+", AIE-ML v2")
	c.StoreBytes = datasheet(64, "B/cycle", ug1603+", AIE-ML v2")
	for _, t := range []string{"i8", "u8", "u8xi8"} {
		c.MACs[t] = assumed(512, "MAC/cycle", "50 TOPS of AMD XDNA 2 over 32 cores at 1.5 GHz, rounded to a power of two")
		c.Shapes[t] = [3]int{8, 8, 8}
	}
	delete(c.Shapes, "u8xi8")
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
	c.Styles["external"] = Style{
		Efficiency: fitted(0.2485, "", airRegistry),
		Update:     fitted(0.0698, "cycle/element", airRegistry),
		Block:      fitted(2.97, "cycle/element", airRegistry),
		Set:        2, Accumulate: "f32", Only: []string{"bf16", "bf16xbfp16"}, As: BF16Emulated, Published: true,
		Read: fitted(0.727, "", airRegistry),
	}
	c.Styles["direct"] = Style{
		Efficiency: fitted(0.1722, "", airRegistry),
		Update:     fitted(0.2424, "cycle/element", airRegistry),
		Widen:      fitted(0.0408, "cycle/element", airRegistry),
		Block:      fitted(0.805, "cycle/element", airRegistry),
		Set:        2, Only: []string{"bf16", "bf16xbfp16"}, As: BF16Emulated, Published: true,
		Read: fitted(0.727, "", airRegistry),
	}
	// Nobody published rows of other types that name their mapping.
	c.Styles["vector"] = Style{
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
	// Kernels whose operands become bfp16 in registers and whose sums stay in the core: one
	// published number tells what they reach at least.
	c.Styles["balanced"] = Style{
		Efficiency: assumed(0.27, "", "a tenth more than the 14.71 TFLOPS that E. Taka et al. measured, Striking the Balance, 2025"),
		Call:       assumed(100, "cycle", "hand-written kernels"),
		Only:       []string{"bf16"}, As: BF16Emulated,
	}
	// Kernels that a compiler schedules, those of mlir-aie and IRON.
	c.Styles["compiled"] = Style{
		Efficiency: fitted(0.25, "", compiledRows), Update: fitted(0.43, "cycle/element", compiledRows),
		Only: []string{"i8", "u8", "i16", "bf16"}, Published: true, Reference: true,
	}
	// Kernels whose left operand becomes bfp16 in registers, and whose right one is that in memory.
	c.Styles["asymmetric"] = Style{
		Efficiency: fitted(0.43, "", ironCI+"; C. Wang et al., Can Asymmetric Tile Buffering Be Beneficial?, 2025, 24.6 TFLOPS"),
		Call:       assumed(100, "cycle", "hand-written kernels"),
		Only:       []string{"bf16xbfp16"}, Published: true,
		Read: fitted(0.727, "", ironCI),
	}
	c.Styles["exact"] = Style{
		Efficiency: assumed(0.86, "", "tnzr.org: a kernel of bf16 without bfp16, 86 % of a core's peak"),
		Call:       assumed(100, "cycle", "hand-written kernels"),
		Only:       []string{"bf16"},
	}
	drain := c.Styles["external"]
	drain.Convert = fitted(5.13, "cycle/element", airRegistry)
	c.Styles["drain"] = drain
	cast := c.Styles["external"]
	cast.Cast = fitted(427e-6, "s", airRegistry)
	c.Styles["fused-cast"] = cast
	c.Styles["gemv"] = Style{
		Efficiency: assumed(0.55, "", "the memory is slower"), Vector: true, Set: 4, Published: true,
		Read: fitted(0.727, "", airRegistry),
		Amid: fitted(0.766, "", ModelSource),
	}
	c.Styles["matvec"] = Style{ // of all cores of a column
		Efficiency: assumed(0.55, "", "as gemv"), Vector: true, Published: true,
		Only: []string{"i8", "u8", "i8xi4", "i16", "i32", "bf16", "f16", "f32", "bfp16", "bf16xbfp16"},
	}
	npu2Routines(c.Routines)
	return m
}
