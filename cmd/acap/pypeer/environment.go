package pypeer

import (
	"fmt"
	"os"
	"strings"

	"github.com/go-acap/acap/kernel/cpu"
)

// Environment returns the environment of this process for a peer with that many threads. Settings that make the
// libraries slower than they are drop out; others keep them from returning memory to the system after every call, and
// have them use the instructions of a level.
func Environment(threads int, level cpu.Level) []string {
	var env []string
	for _, e := range os.Environ() {
		if !strings.HasPrefix(e, "OPENBLAS_") && !strings.HasPrefix(e, "OMP_") &&
			!strings.HasPrefix(e, "DNNL_") {
			env = append(env, e)
		}
	}
	env = append(env, fmt.Sprintf("OMP_NUM_THREADS=%d", threads),
		"MALLOC_TRIM_THRESHOLD_=4000000000", "MALLOC_MMAP_THRESHOLD_=33554432", "MALLOC_TOP_PAD_=134217728")
	return append(env, levels[level]...)
}

// levels are the settings that hold PyTorch, oneDNN, MKL and OpenBLAS to a level of our kernels. ONNX Runtime has no
// such setting.
var levels = map[cpu.Level][]string{
	cpu.AVX512: {"ATEN_CPU_CAPABILITY=avx512"},
	cpu.AVX2: {"ATEN_CPU_CAPABILITY=avx2", "ONEDNN_MAX_CPU_ISA=AVX2", "MKL_ENABLE_INSTRUCTIONS=AVX2",
		"OPENBLAS_CORETYPE=Haswell"},
}
