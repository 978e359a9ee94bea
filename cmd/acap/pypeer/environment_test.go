package pypeer_test

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/cmd/acap/pypeer"
	"github.com/go-acap/acap/kernel/cpu"
)

// TestEnvironment: kernels of AVX2 are compared with peers of AVX2, whatever the environment says.
func TestEnvironment(t *testing.T) {
	for _, name := range []string{"ATEN_CPU_CAPABILITY", "ONEDNN_MAX_CPU_ISA", "DNNL_MAX_CPU_ISA", "OPENBLAS_CORETYPE", "OMP_NUM_THREADS", "OMP_SCHEDULE"} {
		t.Setenv(name, "default")
	}
	environment := func(f cpu.Features) []string { return (&exec.Cmd{Env: pypeer.Environment(1, f)}).Environ() }
	environ := environment(cpu.Features{Level: cpu.AVX2})
	require.NotContains(t, strings.Join(environ, "\n"), "=default")
	require.Subset(t, environ, []string{"ATEN_CPU_CAPABILITY=avx2", "ONEDNN_MAX_CPU_ISA=AVX2", "OPENBLAS_CORETYPE=Haswell"})
	for name, f := range map[string]cpu.Features{
		"AVX2_VNNI":        {Level: cpu.AVX2, VNNI: true, AVXVNNI: true},
		"AVX512_CORE":      {Level: cpu.AVX512},
		"AVX512_CORE_VNNI": {Level: cpu.AVX512, VNNI: true},
		"AVX512_CORE_BF16": {Level: cpu.AVX512, VNNI: true, BF16: true},
		"DEFAULT":          {Level: cpu.AVX512, VNNI: true, BF16: true, Tiles: true},
	} {
		require.Contains(t, environment(f), "ONEDNN_MAX_CPU_ISA="+name)
	}
}
