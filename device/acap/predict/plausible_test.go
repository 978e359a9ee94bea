package predict_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/longtest"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/predict"
)

// TestMoreTakesLonger predicts rows of all kernels in growing sizes, on all machines: what has more to do takes no less
// time.
func TestMoreTakesLonger(t *testing.T) {
	sizes := longtest.Some(3, 1, 1000, 8192, 100, 2048, 7, 64, 512, 5000)
	slices.Sort(sizes)
	for i, kernel := range []string{ // with the size to come
		"gemm,%d,512,512,bf16", "gemm,512,%d,512,bf16", "gemm,512,512,%d,i8", "gemv,%d,2048,1,bf16", "gemv,2048,%d,1,w4a16",
		"eltwise_add,%d,,4096,bf16", "silu_mul,%d,,4096,bf16", "gelu,%d,,4096,bf16", "relu,%d,,1000,f32",
		"rope,%d,,64,bf16", "rope,256,,%d,bf16", "rmsnorm,%d,,2048,bf16", "rmsnorm,64,,%d,bf16",
		"layernorm,%d,,768,bf16", "layernorm,64,,%d,f32", "softmax,%d,,1024,bf16", "softmax,64,,%d,bf16",
		"flash_attention dk64/64 heads 8/8,%[1]d,,%[1]d,bf16", "flash_attention dk64/64 heads 12/4 causal,512,,%d,bf16",
		"flash_attention dk64/64 heads %[1]d/%[1]d,256,,256,bf16",
		"conv2d %dx32x28x28 32x32x3x3 pad 1,,,,i8", "conv2d 1x32x28x28 %dx32x3x3 pad 1,,,,bf16",
	} {
		for j, array := range []string{"npu1", "npu2", "vek280", "vck190"} {
			if longtest.On() && (i+j)%2 > 0 || !longtest.On() && (i+2*j)%8 > 0 {
				continue
			}
			before := 0.0
			for _, n := range sizes {
				text := fmt.Sprintf(kernel, n)
				p := one(t, "s", array+","+text+",,latency,1,us,")
				require.Empty(t, p.Skipped, "%s %s", array, text)
				require.GreaterOrEqual(t, p.Predicted, before*0.98, "%s %s: %s", array, text, p.Mapping)
				before = max(before, p.Predicted)
			}
		}
	}
}

// TestLargerMachine predicts rows on more and more columns of one machine, and of its cores: none takes longer by more
// than its start does.
func TestLargerMachine(t *testing.T) {
	for _, row := range []string{
		"gemm,1024,1024,1024,bf16", "gemm,1024,1024,1024,i8xi4", "silu_mul,4194304,,,bf16", "rope,8192,,128,bf16",
		"softmax,4096,,1024,bf16", "flash_attention dk64/64 heads 32/8,1024,,1024,bf16", "conv2d 1x64x56x56 64x64x3x3 pad 1,,,,i8",
	} {
		before := 0.0
		for _, cols := range []int{1, 2, 4, 8} {
			rows, err := predict.Read(strings.NewReader(head + "s,npu2," + row + ",,latency,1,us,\n"))
			require.NoError(t, err)
			p := predict.Predict(rows[0], func(name string) (*machine.Machine, error) {
				m, err := machine.Preset(name)
				m.Grid.Resize(cols)
				return m, err
			})
			require.Empty(t, p.Skipped, row)
			if cols > 1 {
				require.LessOrEqual(t, p.Predicted, before*1.02, "%s on %d columns: %s", row, cols, p.Mapping)
			}
			before = p.Predicted
		}
	}
}

// TestImpossibleTiles refuses mappings that no core has space for, with what they take, and takes no default for a row
// if a core cannot hold one row of it.
func TestImpossibleTiles(t *testing.T) {
	for text, want := range map[string]string{
		"npu1,gemm,1024,1024,1024,bf16,16,latency,1,us,L1 tile 640x640x64":                             "983040 bytes of a core",
		"npu2,gemm drain,2048,2048,2048,bf16,32,latency,1,us,herd 8x4 tile m/kl2/kl1/n 640/256/32/128": "which has 65536",
		"npu2,gemm drain,2048,2048,2048,bf16,32,latency,1,us,herd 8x4 tile m/kl2/kl1/n 64/250/32/128":  "no whole number of tiles of 32",
		"npu2,gemv,2048,200000,1,bf16,8,latency,1,us,herd_m/tile_m/m_input 8/8/8":                      "bytes of a core",
		"npu2,gemv,8192,2048,1,bf16,8,latency,1,us,herd_m/tile_m/m_input 8/1000/8":                     "bytes of a mem tile",
		"npu2,gelu,1000000,,,bf16,8,latency,1,us,cfg 8/1/100000":                                       "200000 bytes of a core",
		"npu2,rmsnorm,64,,50000,bf16,8,latency,1,us,cfg 8/1/50000":                                     "200000 bytes of a core",
		"npu2,conv2d 1x64x56x56,,,,bf16,,latency,1,us,":                                                "without filters",
		"npu2,conv2d 1x64x56x56 64x48x3x3,,,,bf16,,latency,1,us,":                                      "filters for 48 of 64 channels",
		"npu2,conv2d 1x64x5x5 64x64x7x7,,,,bf16,,latency,1,us,":                                        "output is 0 x 0",
		"npu2,conv2d 1x64x56x56 64x64x3x3 pad 99999,,,,bf16,,latency,1,us,":                            "padding of 99999",
		"npu2,conv2d 1x1x2147483648x1 1x1x1x1,,,,bf16,,latency,1,us,":                                  "a picture of more than",
		"npu2,conv2d 1x1x100x100 1x1x99x99,,,,bf16,,latency,1,us,":                                     "filters of more than",
		"npu2,flash_attention dk64/64 heads 8/3,512,,512,bf16,32,latency,1,us,":                        "8 heads cannot share 3",
		"npu2,gelu,1000000,,,bf16,8,power,1,W,":                                                        "is not predicted",
		"npu2,rmsnorm,64,,1024,bf16,8,throughput,1,TOPS,":                                              "is not predicted",
	} {
		require.Contains(t, one(t, "s", text).Skipped, want, text)
	}
	for _, text := range []string{"rmsnorm,64,,50000,bf16,8", "rmsnorm,64,,50000,bf16,", "flash_attention dk256/256 heads 8/4,512,,512,bf16,32"} {
		p := one(t, "s", "npu2,"+text+",latency,1,us,")
		require.Empty(t, p.Skipped, text)
		require.False(t, p.Named, text)
	}
}

// TestBandwidth predicts bytes in a second from the time that the same row takes.
func TestBandwidth(t *testing.T) {
	us := one(t, "s", "npu2,eltwise_add,1048576,,,bf16,8,latency,1,us,").Predicted
	for metric, scale := range map[string]float64{"throughput,40,GB/s": 1e9, "bandwidth,40000,MB/s": 1e6, "effective bandwidth,40,GB/s": 1e9} {
		p := one(t, "s", "npu2,eltwise_add,1048576,,,bf16,8,"+metric+",")
		require.InEpsilon(t, 3*2*1048576/us*1e6/scale, p.Predicted, 1e-9, metric)
		require.InEpsilon(t, p.Row.Value/p.Predicted, 1/p.Times(), 1e-9)
		require.Less(t, p.Low, p.Predicted)
	}
}
