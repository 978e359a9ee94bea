package program_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/mapper"
	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/program"
	"github.com/go-acap/acap/device/acap/workload"
	"github.com/go-acap/acap/mlir"
)

// genericOf returns the device of a kernel's program on a machine.
func genericOf(t *testing.T, name string, w *workload.Kernel) string {
	m, err := machine.Preset(name)
	require.NoError(t, err)
	c, err := mapper.Map(m, w)
	require.NoError(t, err)
	p, err := c.Program()
	require.NoError(t, err)
	return p.Generic()
}

func genericKernels() []*workload.Kernel {
	f32 := workload.Operand{DType: dtype.F32}
	all := workload.Stream{DType: dtype.F32, Elements: 1 << 14}
	return []*workload.Kernel{
		{Name: "product", Kind: workload.KindContraction, Contraction: workload.Contraction{Batch: 1, M: 128, N: 128,
			K: 256, A: f32, B: f32, Acc: dtype.F32, Out: dtype.F32}},
		{Name: "parted", Kind: workload.KindContraction, Contraction: workload.Contraction{Batch: 1, M: 512, N: 512,
			K: 512, A: f32, B: f32, Acc: dtype.F32, Out: dtype.F32}},
		{Name: "relu", Kind: workload.KindPointwise, Pointwise: workload.Pointwise{Elements: 1 << 14, DType: dtype.F32,
			In: []workload.Stream{all}, Out: []workload.Stream{all}, Ops: workload.Mix{Simple: 1}}},
	}
}

// TestGeneric reads the generic form with our own parser, and has mlir-opt check it against the
// definitions where it is installed; a text that breaks them is refused.
func TestGeneric(t *testing.T) {
	opt, err := exec.LookPath("mlir-opt-19")
	dir := t.TempDir()
	definitions := filepath.Join(dir, "aie.irdl.mlir")
	require.NoError(t, os.WriteFile(definitions, []byte(program.Definitions), 0o644))
	check := func(text string) (string, error) {
		path := filepath.Join(dir, "device.mlir")
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		out, err := exec.Command(opt, "--irdl-file="+definitions, "--allow-unregistered-dialect", path).CombinedOutput()
		return string(out), err
	}
	for _, name := range []string{"npu1", "npu2", "vck190", "vek280"} {
		for i, w := range genericKernels() {
			text := genericOf(t, name, w)
			if m, err := machine.Preset(name); err == nil && m.Grid.MemRows > 0 && w.Name == "product" {
				retained := mapping.Retained{Row: 1}
				c, err := mapper.MapRetained(m, w, mapper.Retention{Out: retained, Cols: 4, Block: 32})
				require.NoError(t, err)
				p, err := c.Program()
				require.NoError(t, err)
				require.Contains(t, p.Generic(), "c0_retained")
				text = p.Generic()
			}
			if name == "vek280" && w.Name == "parted" {
				require.Regexp(t, "[ab][0-9]+_[0-9]+_1_l1", text, "a second part of a stream")
			}
			_, parseErr := mlir.Parse("device.mlir", []byte(text))
			require.NoError(t, parseErr)
			require.Contains(t, text, `"aie.dma_bd"`)
			if err != nil {
				continue
			}
			out, optErr := check(text)
			require.NoError(t, optErr, "%s %s: %.500s", name, w.Name, out)
			if i > 0 {
				continue // what is wrong in one text of an array is refused
			}
			for from, to := range map[string]string{"row = ": "rows = ", `"aie.lock"`: `"aie.lok"`,
				"bd_id = 0 : i32": `bd_id = "0"`} {
				out, optErr = check(strings.Replace(text, from, to, 1))
				require.Error(t, optErr, "%s: %.300s", to, out)
			}
		}
	}
}
