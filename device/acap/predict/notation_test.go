package predict_test

import (
	"strings"
	"testing"

	"github.com/go-acap/acap/device/acap/predict"
)

// one predicts a row given without its source.
func one(t *testing.T, source, text string) predict.Prediction {
	t.Helper()
	rows, err := predict.Read(strings.NewReader(head + source + "," + text + "\n"))
	if err != nil {
		t.Fatal(err)
	}
	return predict.Predict(rows[0], predict.Presets())
}

// TestSpellings expects rows that say the same in other words to be read alike.
func TestSpellings(t *testing.T) {
	for _, same := range [][]string{
		{"npu1 (Ryzen AI NPU),gemm,512,256,1024,bf16,16,latency,1,us,L1 tile 64x64x64",
			"NPU1,GEMM,512,256,1024,bfloat16,16,Latency,1,µs,l1  Tile: 64 × 64 × 64",
			"XDNA (Phoenix),gemm,512,256,1024,BF16,,mean latency,1,us,TEST PASSED; L1 tile 64x64x64"},
		{"npu2 (Strix AIE2P),gemm drain,256,960,960,bf16->bf16,32,throughput,1,GFLOPS," +
			"herd 8x4 tile m/kl2/kl1/n 32/320/32/80 mean_rel_L1 0.0093",
			"Strix,GEMM Drain,256,960,960,bf16 → bfloat16,32,Throughput,1,GOP/s," +
				"\"Herd 8 x 4, Tile m / kl2 / kl1 / n 32 / 320 / 32 / 80\""},
		{"npu2,gemm tile_n sweep 2048^3,,,,bf16->f32,32,throughput,1,TFLOPS,tile_n=64 tile_k_l2=512",
			"npu2,gemm tile_n sweep,2048,2048,2048,bf16->fp32,32,throughput,1,TOPS,\"tile_n = 64, tile_k_l2 = 512\""},
		{"npu2,gemv,2048,2048,1,bf16,8,latency,1,ms,herd_m/tile_m/m_input 8/8/8",
			"npu2,gemv,2048,2048,,bf16,8,latency,1,ms,\"25 GFLOPS, herd_m / tile_m / m_input 8 / 8 / 8\""},
		{"npu2,eltwise_add,1048576,,,bf16,8,latency,1,us,cfg 8/1/2048",
			"npu2,eltwise_add N=1048576 (sweep),,,,bf16,8,latency,1,us,",
			"npu2,Eltwise_Add,1024,,1024,bf16,8,latency,1,us,cfg 8 / 1 / 2048"},
		{"npu2,rmsnorm,2048,,1024,bf16,8,latency,1,us,",
			"npu2,rmsnorm 2048x1024 (sweep),,,,bf16,8,latency,1,us,",
			"npu2,RMSNorm 2048 × 1024,,,,bf16,8,latency,1,us,cfg 8/1/1024"},
		{"npu2,flash_attention dk64/64 heads 2/2 causal ✓,512,,512,bf16,32,latency,1,ms,",
			"npu2,Flash_Attention dk64/64 heads 2 / 2 causal,512,,512,bf16,,latency,1,ms,"},
		{"npu2,flash_attention dk64/64 heads 2/2 causal ✗,512,,512,bf16,32,latency,1,ms,",
			"npu2,flash_attention dk64/64 heads 2/2 non-causal,512,,512,bf16,32,latency,1,ms,",
			"npu2,flash_attention dk64/64 heads 2/2,512,,512,bf16,32,latency,1,ms,"},
		{"VCK190 (AIE1),gemm,1024,1024,1024,fp32,384,throughput,1,GFLOPS,tiles=A*B*C 12x4x8",
			"vck190,gemm,1024,1024,1024,float32,384,throughput,1,GFLOPS,A * B * C = 12 × 4 × 8"},
		{"\"32x32 systolic, 64+64+64 KB\",gemm ws CALC,97,89,83,any,1024,compute cycles,1,cycles,",
			"systolic 32 × 32,GEMM WS,97,89,83,any,1024,compute cycles,1,cycles,",
			"systolic-32x32-ws,layer 3,97,89,83,any,1024,compute cycles,1,cycles,"},
	} {
		source := "source"
		if strings.HasPrefix(same[0], "VCK190") {
			source = "arc-research-lab/CHARM README"
		}
		want := one(t, source, same[0])
		if want.Skipped != "" || !want.Named {
			t.Errorf("%s: %s", same[0], want.Skipped)
		}
		for _, text := range same[1:] {
			p := one(t, source, text)
			if p.Skipped != "" || p.Mapping != want.Mapping || p.Predicted != want.Predicted {
				t.Errorf("%s: %q, %s, %g; want %s, %g", text, p.Skipped, p.Mapping, p.Predicted,
					want.Mapping, want.Predicted)
			}
		}
	}
}

// TestRanges reads the middle of a range, however it is written.
func TestRanges(t *testing.T) {
	for text, want := range map[string]float64{"2.36–2.61": 2.485, "2-4": 3, "2 ~ 4": 3, "~7": 7,
		"1e-3": 1e-3, "1e2—3e2": 200} {
		p := one(t, "s", "npu2,gemv,64,64,1,bf16,8,latency,"+text+",ms,")
		if p.Row.Value != want {
			t.Errorf("%q is %g, want %g", text, p.Row.Value, want)
		}
	}
}

// TestContradictions expects a reason where a row's mapping cannot be what was measured.
func TestContradictions(t *testing.T) {
	const herd = "herd 8x4 tile m/kl2/kl1/n 64/256/32/128"
	for text, want := range map[string]string{
		"npu2,gemm drain,512,512,512,bf16->bf16,16,latency,1,us," + herd:                                  "measured on 16 cores",
		"npu1,gemm,512,512,512,bf16,18,latency,1,us,L1 tile 64x64x64":                                     "measured on 18 cores",
		"npu2,gemm drain,512,512,512,bf16->bf16,64,latency,1,us,herd 16x4 tile m/kl2/kl1/n 64/256/32/128": "npu2 has 8 x 4",
		"npu1,gemm drain,512,512,512,bf16->bf16,,latency,1,us,herd 4x4 tile m/kl2/kl1/n 64/256/32/128":    `no kernels of style "drain"`,
		"npu2,gemm,512,512,512,bf16->bf16,32,latency,1,us," + herd:                                        "does not turn sums in f32 into an output in bf16",
		"npu2,gemm drain,512,512,512,bf16->f32,32,latency,1,us," + herd:                                   "does not turn sums",
		"npu2,gemm external,512,512,512,i8,32,latency,1,us," + herd:                                       "sum in f32, not in i32",
		"npu2,flash_attention dk64/64 heads 2/2,512,,512,bf16,16,latency,1,us,":                           "measured on 16 cores",
		"npu1,gelu,4096,,,bf16,8,latency,1,us,cfg 8/1/512":                                                "npu1 has 4 x 4",
		"npu2,gelu,2147483648,2147483648,2147483648,bf16,8,latency,1,us,":                                 "elements",
		"npu1_2col,gemm,512,512,512,bf16,8,latency,1,us,L1 tile 64x64x64":                                 "2 columns of npu1",
		"32x32 systolic,gemm,9,9,9,any,,compute cycles,1,cycles,":                                         "no dataflow",
		"npu2,gemm,512,,512,bf16,32,latency,1,us,":                                                        "give the product's M, K and N",
		"npu2,gelu,,,,bf16,8,latency,1,us,":                                                               "give the number of elements as M",
		"npu2,softmax,,,64,bf16,8,latency,1,us,":                                                          "give the number of rows as M",
		"npu2,flash_attention,512,,512,bf16,16,latency,1,us,":                                             "such as dk64/64 heads 32/8",
	} {
		if p := one(t, "s", text); !strings.Contains(p.Skipped, want) {
			t.Errorf("%s: %q, want %q", text, p.Skipped, want)
		}
	}
}
