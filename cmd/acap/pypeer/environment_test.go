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
	environ := (&exec.Cmd{Env: pypeer.Environment(1, cpu.AVX2)}).Environ()
	require.NotContains(t, strings.Join(environ, "\n"), "=default")
	require.Subset(t, environ, []string{"ATEN_CPU_CAPABILITY=avx2", "ONEDNN_MAX_CPU_ISA=AVX2", "OPENBLAS_CORETYPE=Haswell"})
}
