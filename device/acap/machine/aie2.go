package machine

// AIE2 is the family of the AI Engine-ML, of Versal devices (VE2802) and of the first NPU (Phoenix).
const AIE2 Family = "aie2"

func init() {
	upstream := func(m *Machine) string {
		if m.Grid.MemRows == 1 && m.Grid.Cols <= 4 {
			return m.part("npu1", 4)
		}
		return "xcve2802"
	}
	register(family{name: AIE2, Architecture: tiles{upstream}},
		preset{name: "npu1", make: npu1, words: []string{"xdna", "phoenix", "hawk point"}},
		preset{name: "vek280", make: vek280, words: []string{"ve2802"}})
}

// kernelCode is the bytes of a kernel in a program memory.
var kernelCode = assumed(4<<10, "B", "a vectorized kernel with its loops, a quarter of a program memory")

// aie2Core is the core tile of AIE-ML and AIE2P.
func aie2Core() Tile {
	return Tile{
		Memory:      datasheet(64<<10, "B", targetModel),
		Program:     datasheet(16<<10, "B", targetModel),
		Stack:       datasheet(1<<10, "B", "mlir-aie default stack size"),
		Banks:       datasheet(4, "", targetModel+": each is two of 8 banks of 16 B side by side"),
		BankBytes:   datasheet(32, "B/cycle", am020),
		Access:      measured(16, "B", "xdna-emu: one access for 4 beats of a channel"),
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

// ports returns a tile's switch with the given numbers of ports north, south and to each side.
func ports(north, south, side float64) Switch {
	return Switch{datasheet(north, "stream", targetModel), datasheet(south, "stream", targetModel),
		datasheet(side, "stream", targetModel)}
}

func aie2Mem() Tile {
	t := aie2Core()
	t.Memory = datasheet(512<<10, "B", targetModel)
	t.Program = Constant{}
	t.Stack = Constant{}
	t.Banks = datasheet(8, "", targetModel+": each is two of 16 banks of 16 B side by side")
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
	t.Memory, t.Stack, t.Banks, t.BankBytes, t.Access, t.Program = Constant{}, Constant{}, Constant{}, Constant{}, Constant{}, Constant{}
	t.Locks, t.LockMax = Constant{}, Constant{} // the host waits for tasks, not for locks
	t.Queue = datasheet(4, "", am020)
	t.LengthBits = datasheet(32, "bit", am020)
	t.WrapBits = datasheet(10, "bit", am020)
	t.StepBits = datasheet(20, "bit", am020)
	return t
}

func aie2Compute() Compute {
	mac := func(v float64) Constant { return datasheet(v, "MAC/cycle", am020) }
	sparse := func(v float64) Constant {
		return datasheet(v, "MAC/cycle", "UG1603, UG1529: the zeros of weights that have two of every four are not multiplied, twice the dense rate")
	}
	lane := func(v float64) Constant { return datasheet(v, "op/cycle", am020) }
	return Compute{
		MACs: map[string]Constant{
			"i8": mac(256), "u8": mac(256), "u8xi8": mac(256),
			"i16xi8": mac(128), "i16": mac(64), "i32xi16": mac(32), "i32": mac(16),
			"i8xi4": mac(512), "bf16": mac(128), "f16": assumed(21, "MAC/cycle", "as f32, through bf16"),
			"f32": mac(21),
			// Of four weights along the sum two are multiplied: of any i8xi4 nobody says the rate.
			"i8xsparse24": sparse(512), "u8xsparse24": sparse(512), "i16xsparse24": sparse(128), "bf16xsparse24": sparse(256),
		},
		Lanes: map[string]Constant{
			"bool": lane(64), "i8": lane(64), "u8": lane(64), "i16": lane(32), "i32": lane(16),
			"i64":  assumed(1, "op/cycle", "scalar unit"),
			"bf16": lane(16), "f16": assumed(16, "op/cycle", "as bf16"), "f32": lane(16),
			"f64": assumed(0.05, "op/cycle", "software"),
		},
		Shapes: map[string][3]int{ // AMD UG1529, aie::mmul
			"i8": {4, 8, 8}, "u8": {4, 8, 8}, "i16": {4, 4, 4}, "i32": {4, 4, 4},
			"i8xi4": {4, 16, 8}, "i8xsparse24": {4, 16, 8}, "u8xsparse24": {4, 16, 8}, "i16xsparse24": {4, 8, 4},
			"bf16xsparse24": {4, 16, 4}, "bf16": {4, 8, 4}, "f16": {4, 8, 4}, "f32": {4, 8, 4}, "": {4, 8, 4},
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

		MeasuredBanks: Banking{datasheet(4, "", "as core.banks"), datasheet(32, "B/cycle", "as core.bank_bytes")},

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
			Start: Start{
				Read:  measured(747, "cycle", "xdna-emu: a line through 12 sizes of transfers to a mem tile, 1.05 cycles a word"),
				Write: measured(171, "cycle", "xdna-emu: a line through 12 sizes of transfers from a mem tile, 1.00 cycles a word"),
			},
			// 256 and 512 rows lose nothing; from 1024 on they do.
			Pitch: []Pitch{{4096, 512, fitted(0.729, "", aries)}},
			Page:  assumed(4096, "B", "32 bit of DDR5 chips with 1 KiB for 8 bit"),
			Chips: ddr5.chips(89.6e9, "128 bit of DDR5-5600, the usual memory of Phoenix", 4, "two of 32 bit for a module of 64"),
		},
		Host: Host{
			Launch: fitted(129.8e-6, "s", aries),
			Dispatch: map[string]Dispatch{
				"wall": {fitted(420e-6, "s", "amd/IRON, continuous integration on Phoenix: the median of 98 kernels of 1024 to 8192 elements, 245 to 626 us by the clock of the host")},
			},
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
	// Kernels that AMD's own compiler schedules.
	m.Compute.Styles["chess"] = Style{
		Efficiency: fitted(1, "", takaKernels),
		Update:     fitted(0.045, "cycle/element", takaKernels), Stored: true,
		Only: []string{"i8", "u8", "bf16"}, Reference: true, Makers: []string{"chess"},
	}
	return m
}

func vek280() *Machine {
	m := &Machine{
		Name: "vek280", Title: "AMD Versal VEK280 and V70 (VE2802, AI Engine-ML)", Family: AIE2,
		Grid: Grid{Cols: 38, CoreRows: 8, MemRows: 2, VerticalCascade: true,
			ShimDMA: []int{2, 3, 6, 7, 14, 15, 22, 23, 30, 31, 34, 35}},
		Clock: datasheet(1.25e9, "Hz", ds957),
		Core:  aie2Core(), Mem: aie2Mem(), Shim: aie2Shim(),
		Compute: aie2Compute(), Stream: aie2Stream(),
		DDR: DDR{
			Read:    assumed(40e9, "B/s", "two LPDDR4 controllers"),
			Write:   assumed(40e9, "B/s", "two LPDDR4 controllers"),
			Total:   assumed(60e9, "B/s", "two LPDDR4 controllers"),
			PerShim: datasheet(8e9, "B/s", am020),
			Page:    assumed(2048, "B", "usual for LPDDR4"),
			Chips:   lpddr4.chips(62.4e9, "two controllers of 64 bit, LPDDR4X-3900", 8, "of 16 bit"),
		},
		Host: Host{
			Launch:  assumed(50e-6, "s", "bare-metal start"),
			Restart: assumed(7.39e-6, "s", "as npu2"),
			Context: assumed(245e-6, "s", "as npu2"),
			Switch:  assumed(9.44e-6, "s/core", "as npu2"),
			Write:   assumed(13.1e9, "B/s", "as npu2"),
			Copy:    assumed(5.72e9, "B/s", "as npu2"),
		},
		Energy: nominalEnergy(),
	}
	m.Compute.Styles["vector"] = Style{
		Efficiency: assumed(0.85, "", "GAMA, AIE-ML GEMM at 85 %"),
		Call:       assumed(100, "cycle", "hand-written kernels"),
	}
	return m
}
