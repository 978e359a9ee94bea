package pypeer

import (
	"fmt"
	"os"
	"strings"

	"github.com/go-acap/acap/kernel/cpu"
)

// Environment returns the environment of this process for a peer with that many threads. Settings that make the
// libraries slower than they are drop out; others keep them from returning memory to the system after every call, and
// have them use the instructions that f has.
func Environment(threads int, f cpu.Features) []string {
	var env []string
	for _, e := range os.Environ() {
		if !strings.HasPrefix(e, "OPENBLAS_") && !strings.HasPrefix(e, "OMP_") &&
			!strings.HasPrefix(e, "DNNL_") {
			env = append(env, e)
		}
	}
	env = append(env, fmt.Sprintf("OMP_NUM_THREADS=%d", threads),
		"MALLOC_TRIM_THRESHOLD_=4000000000", "MALLOC_MMAP_THRESHOLD_=33554432", "MALLOC_TOP_PAD_=134217728")
	if f.Level >= cpu.AVX2 {
		env = append(env, "ONEDNN_MAX_CPU_ISA="+oneDNN(f))
	}
	return append(env, levels[f.Level]...)
}

// levels are the settings that hold PyTorch, MKL and OpenBLAS to a level of our kernels. ONNX Runtime has no such
// setting.
var levels = map[cpu.Level][]string{
	cpu.AVX512: {"ATEN_CPU_CAPABILITY=avx512"},
	cpu.AVX2:   {"ATEN_CPU_CAPABILITY=avx2", "MKL_ENABLE_INSTRUCTIONS=AVX2", "OPENBLAS_CORETYPE=Haswell"},
}

// oneDNN returns the name by which oneDNN knows the instructions that f has from AVX2 on, so that products of bytes and
// of bfloat16 are made by the same instructions as those of our kernels. A processor with AMX is held to nothing.
func oneDNN(f cpu.Features) string {
	switch {
	case f.Level == cpu.AVX2 && f.VNNI:
		return "AVX2_VNNI"
	case f.Level == cpu.AVX2:
		return "AVX2"
	case f.Tiles:
		return "DEFAULT"
	case f.BF16:
		return "AVX512_CORE_BF16"
	case f.VNNI:
		return "AVX512_CORE_VNNI"
	}
	return "AVX512_CORE"
}
