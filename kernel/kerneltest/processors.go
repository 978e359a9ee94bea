package kerneltest

import (
	"runtime"
	"slices"
	"testing"

	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/exec"
)

// Processor is a processor that kernels are compiled for in tests.
type Processor struct {
	Name string
	cpu.Features
}

// Table lists processors with and without each extension, and with small and large caches. Where the name is the name
// of a make, the sizes come from its data sheet.
var Table = []Processor{
	{"haswell", cpu.Features{Level: cpu.AVX2, L1D: 32 << 10, L2: 256 << 10, L3: 6 << 20}},
	{"zen2", cpu.Features{Level: cpu.AVX2, L1D: 32 << 10, L2: 512 << 10, L3: 16 << 20}},
	{"avx2_4m", cpu.Features{Level: cpu.AVX2, L1D: 48 << 10, L2: 4 << 20, L3: 4 << 20}},
	{"gracemont", cpu.Features{Level: cpu.AVX2, VNNI: true, AVXVNNI: true, L1D: 32 << 10, L2: 2 << 20, L3: 6 << 20}},
	{"skylake_sp", cpu.Features{Level: cpu.AVX512, L1D: 32 << 10, L2: 1 << 20, L3: 22 << 20}},
	{"icelake", cpu.Features{Level: cpu.AVX512, VNNI: true, L1D: 48 << 10, L2: 512 << 10, L3: 8 << 20}},
	{"zen4", cpu.Features{Level: cpu.AVX512, VNNI: true, BF16: true, L1D: 32 << 10, L2: 1 << 20, L3: 32 << 20}},
	{"avx512_256k", cpu.Features{Level: cpu.AVX512, VNNI: true, BF16: true, L1D: 32 << 10, L2: 256 << 10, L3: 1 << 20}},
	{"sapphire_rapids", cpu.Features{Level: cpu.AVX512, VNNI: true, BF16: true, Tiles: true,
		L1D: 48 << 10, L2: 2 << 20, L3: 60 << 20}},
	{"amx_4m", cpu.Features{Level: cpu.AVX512, VNNI: true, BF16: true, Tiles: true,
		L1D: 64 << 10, L2: 4 << 20, L3: 256 << 20}},
}

// Arm lists processors of arm64 as [Table] lists processors of x86. Cortex-A72 is without extensions.
var Arm = []Processor{
	{"cortex_a72", cpu.Features{Level: cpu.NEON, L1D: 32 << 10, L2: 1 << 20, L3: 1 << 20}},
	{"neoverse_n1", cpu.Features{Level: cpu.NEON, DotProduct: true, L1D: 64 << 10, L2: 1 << 20, L3: 32 << 20}},
	{"neoverse_v1", cpu.Features{Level: cpu.NEON, DotProduct: true, I8MM: true, BF16: true, L1D: 64 << 10, L2: 1 << 20, L3: 32 << 20}},
	{"apple_m1", cpu.Features{Level: cpu.NEON, DotProduct: true, L1D: 128 << 10, L2: 12 << 20, L3: 12 << 20}},
}

// x86 reports whether code for x86 can be loaded, which is tested where there is such a processor.
const x86 = exec.Supported && runtime.GOARCH == "amd64"

// Executes reports whether this processor runs code that was compiled for one with the features of f. All run
// portable code.
func Executes(f cpu.Features) bool {
	return f.Level == cpu.Portable || exec.Supported && cpu.Detect().Executes(f)
}

// Processors calls test for this processor, if it has vector instructions, and for each of [Table].
// Code that [Executes] refuses is for compiling only, and left out with -short, as are processors that differ from one
// before in their caches alone.
func Processors(t *testing.T, test func(t *testing.T, f cpu.Features)) {
	if !x86 {
		t.Skip("no generated code for x86 on this system")
	}
	var done []cpu.Features
	if here := cpu.Detect(); here.Level > cpu.Portable {
		t.Run("here", func(t *testing.T) { test(t, here) })
		done = append(done, here)
	}
	for _, p := range Table {
		if testing.Short() && (!Executes(p.Features) || sameInstructions(done, p.Features)) {
			continue
		}
		done = append(done, p.Features)
		t.Run(p.Name, func(t *testing.T) { test(t, p.Features) })
	}
}

// sameInstructions reports whether a list has a processor with the instructions of f: each runs the code of the other.
func sameInstructions(list []cpu.Features, f cpu.Features) bool {
	return slices.ContainsFunc(list, func(g cpu.Features) bool { return f.Executes(g) && g.Executes(f) })
}

// Levels returns a processor for each level of vector instructions of x86, the highest first: this one as far
// as it goes. Not all of their code runs here, see [Runnable]; with -short, all does. There is none where the system
// cannot run generated code.
func Levels() (list []cpu.Features) {
	if !x86 {
		return nil
	}
	here := cpu.Detect()
	for l := cpu.AVX512; l >= cpu.AVX2; l-- {
		f := here.Lower(l)
		f.Level = l
		if !testing.Short() || Executes(f) {
			list = append(list, f)
		}
	}
	return list
}

// ArmHere returns the processors of [Arm] whose code this processor runs, and itself; with -short, one for each set of
// instructions.
func ArmHere() (list []cpu.Features) {
	if runtime.GOARCH != "arm64" || !exec.Supported || cpu.Detect().Level != cpu.NEON {
		return nil
	}
	list = append(list, cpu.Detect())
	for _, p := range Arm {
		if Executes(p.Features) && !(testing.Short() && sameInstructions(list, p.Features)) {
			list = append(list, p.Features)
		}
	}
	return list
}

// Runnable returns the processors of [Levels] whose code this processor runs.
func Runnable() []cpu.Features {
	return slices.DeleteFunc(Levels(), func(f cpu.Features) bool { return !Executes(f) })
}

// Here returns the processors whose machine code this processor runs: [Runnable] on x86, [ArmHere] on arm64.
func Here() []cpu.Features { return append(Runnable(), ArmHere()...) }

// LevelsHere returns what [Runnable] returns, and skips the test if that is nothing.
func LevelsHere(t testing.TB) []cpu.Features {
	list := Runnable()
	if len(list) == 0 {
		t.Skip("no vector instructions, or no generated code")
	}
	return list
}
