package acap_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/longtest"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/host"
	"github.com/go-acap/acap/mlir"
)

const layer = `func.func @main(%x: tensor<64x256xf32>, %w: tensor<128x256xf32>, %b: tensor<128xf32>) -> tensor<64x128xf32> {
  %0 = "aten.linear"(%x, %w, %b) {operandSegmentSizes = array<i32: 1, 1, 1>} : (tensor<64x256xf32>, tensor<128x256xf32>, tensor<128xf32>) -> tensor<64x128xf32>
  %1 = "aten.relu"(%0) : (tensor<64x128xf32>) -> tensor<64x128xf32>
  return %1 : tensor<64x128xf32>
}`

func compile(t testing.TB, d device.Device) device.Executable {
	module, err := mlir.Parse("layer.mlir", []byte(layer))
	require.NoError(t, err)
	exe, err := d.Compile(context.Background(), module)
	require.NoError(t, err)
	t.Cleanup(exe.Close)
	return exe
}

func inputs() []*buf.Buffer {
	var list []*buf.Buffer
	for _, dims := range [][]int{{64, 256}, {128, 256}, {128}} {
		b := buf.New(dtype.F32, dims)
		for i := range b.Len() {
			b.SetFloat64(i, float64(i%13)/8-0.75)
		}
		list = append(list, b)
	}
	return list
}

// Time never touches data: the array computes what the host computes, bit for bit.
func TestSameBitsAsHost(t *testing.T) {
	var outputs []*buf.Buffer
	for _, d := range []device.Device{acap.Device(), host.Device()} {
		out, err := compile(t, d).Run(context.Background(), inputs())
		require.NoError(t, err)
		outputs = append(outputs, out[0])
	}
	require.Equal(t, outputs[0].Bytes(), outputs[1].Bytes())
}

func TestReportOnEveryMachine(t *testing.T) {
	for i, name := range machine.Names() {
		if !longtest.On() && i%4 > 0 {
			continue // a usual run has every fourth machine
		}
		d, err := acap.Open(name)
		require.NoError(t, err)
		report := acap.ReportOf(compile(t, d))
		require.NotNil(t, report)
		require.Len(t, report.Kernels, 1, "linear and relu are one kernel")
		k := report.Kernels[0]
		require.Empty(t, k.Problem, name)
		require.EqualValues(t, 64*128*256, k.Timing.MACs)
		require.Greater(t, k.Timing.Seconds, 0.0)
		require.LessOrEqual(t, k.Timing.PeakShare, 1.0)
		require.GreaterOrEqual(t, k.Timing.ReadL3, int64(4*(64*256+128*256+128)), name)
		require.Contains(t, k.Where, "layer.mlir:2")
		require.Contains(t, report.String(), name)
	}
	require.Nil(t, acap.ReportOf(compile(t, host.Device())))
}

func TestStages(t *testing.T) {
	exe := compile(t, acap.Device())
	acap.ReportOf(exe).Simulate()
	for stage, want := range map[string]string{
		"aie": "aie.objectfifo", "aie-lowered": "aie.dma_bd", "linalg": "linalg.matmul", "kernel": "contraction",
	} {
		text, err := exe.Text(stage)
		require.NoError(t, err)
		require.Contains(t, text, want)
	}
	_, err := exe.Text("nothing")
	require.Error(t, err)
}

func TestOpen(t *testing.T) {
	a, err := acap.Open("npu2")
	require.NoError(t, err)
	b, err := acap.Open("npu2")
	require.NoError(t, err)
	require.Same(t, a, b)
	require.Equal(t, "acap:npu2", a.Name())
	_, err = acap.Open("npu9")
	require.ErrorContains(t, err, "npu9")
	_, err = acap.Open(filepath.Join(t.TempDir(), "missing.json"))
	require.ErrorIs(t, err, os.ErrNotExist)

	path := filepath.Join(t.TempDir(), "mine.json")
	require.NoError(t, os.WriteFile(path, []byte(`{"base": "npu1", "name": "mine", "clock": 2e9}`), 0o644))
	mine, err := acap.Open(path)
	require.NoError(t, err)
	require.Equal(t, 2e9, mine.Machine().Clock.Value)
	require.NotEmpty(t, acap.ReportOf(compile(t, mine)).Kernels)
}

func ExampleOpen() {
	d, err := acap.Open("vck190")
	if err != nil {
		panic(err)
	}
	fmt.Println(d.Name(), d.Machine().Grid.Cores(), "cores")
	// Output: acap:vck190 400 cores
}

// An array without parts of memory and network takes no longer, computes the same bits, and remains another
// device than that with them.
func TestWithoutParts(t *testing.T) {
	whole, err := acap.Open("vek280")
	require.NoError(t, err)
	less := whole.Without(machine.Parts()...)
	require.NotEqual(t, whole.Identity(), less.Identity())
	var outputs [2][]byte
	var seconds [2]float64
	for i, d := range []*acap.Array{whole, less} {
		exe := compile(t, d)
		out, err := exe.Run(context.Background(), inputs())
		require.NoError(t, err)
		outputs[i], seconds[i] = out[0].Bytes(), acap.ReportOf(exe).Total().Seconds
	}
	require.Equal(t, outputs[0], outputs[1])
	require.Less(t, seconds[1], seconds[0])
}

// TestPrinted: a device prints as its name.
func TestPrinted(t *testing.T) {
	require.Equal(t, "acap:npu1", fmt.Sprint(acap.Device()))
}
