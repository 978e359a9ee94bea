package language

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/longtest"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/predict"
)

const modelHead = "# measured\nmodel,layers,emb,q_heads,kv_heads,head_dim,hidden,vocab,phase,what,program,launches,runs,ms,remark\n"

func modelRows(t testing.TB, lines ...string) []Row {
	rows, err := Read(strings.NewReader(modelHead + strings.Join(lines, "\n")))
	require.NoError(t, err)
	return rows
}

func predictions(t testing.TB, lines ...string) []Prediction {
	out, err := Rows(modelRows(t, lines...))
	require.NoError(t, err)
	for _, p := range out {
		require.Empty(t, p.Skipped, "line %d", p.Row.Line)
	}
	return out
}

// measuredModels are rows of mlir-air's programming_examples/llms.
var measuredModels = []string{
	"llama-3.2-1b,16,2048,32,8,64,8192,128256,prefill,program,rms_gemms_rope,rmsnorm 2048x2048; gemm 2048x2048x2048; gemm 2048x2048x512; gemm 2048x2048x512; rope q; rope k,16,7.3,",
	"llama-3.2-1b,16,2048,32,8,64,8192,128256,prefill,program,flash_attention,causal attention 2048 x 32/8 heads x 64,16,21.6,",
	"llama-3.2-1b,16,2048,32,8,64,8192,128256,decode,program,o_gemv_ffn,gemv 2048x2048; add; rmsnorm; gemv 8192x2048; gemv 8192x2048; silu_mul; gemv 2048x8192; add,16,3.6,",
	"llama-3.2-1b,16,2048,32,8,64,8192,128256,decode,program,lm_head_gemv,8 x gemv 16384x2048,1,13.6,",
	"llama-3.2-1b,16,2048,32,8,64,8192,128256,prefill,device,,,,1062,",
	"llama-3.2-1b,16,2048,32,8,64,8192,128256,prefill,wall,iron,,,2744,one host call a kernel",
	"smollm2-1.7b,24,2048,32,32,64,8192,49152,prefill,program,o_ffn,gemm 2048x2048x2048; add; rmsnorm; gemm 2048x2048x8192; gemm 2048x2048x8192; silu_mul; gemm 2048x8192x2048; add,24,37.2,",
	"smollm2-1.7b,24,2048,32,32,64,8192,49152,decode,token,,,,124,",
	"qwen3-0.6b,28,1024,16,8,128,3072,151936,prefill,device,,3 programs a layer: rmsnorm+qkv+norms of heads+rope; attention; o+ffn,,1290,host transposes around attention (head width 128)",
	"qwen2.5-1.5b,28,1536,12,2,128,8960,151936,decode,token,,5 programs a layer and the head,,151.5,biases",
	"llama-3.2-3b,28,3072,24,8,128,8192,128256,prefill,wall,,,,3700,",
}

func TestLanguageModels(t *testing.T) {
	var errors []float64
	for _, p := range predictions(t, measuredModels...) {
		errors = append(errors, math.Abs(p.Error))
		require.Less(t, math.Abs(p.Error), 0.2, "line %d", p.Row.Line)
		require.Less(t, p.Low, p.Predicted)
		require.Less(t, p.Predicted, p.High)
	}
	require.Less(t, predict.NewSummary("", "", errors).Median, 0.08)
}

// TestLanguageShapes predicts models of other sizes: what has more to do takes longer, and
// no less than reading its weights.
func TestLanguageShapes(t *testing.T) {
	m, err := machine.Preset("npu2")
	require.NoError(t, err)
	before := 0.0
	for _, config := range [][7]int{ // from small to large; no tiles of the registry divide the first
		{12, 720, 9, 3, 40, 1800, 32000},
		{24, 896, 14, 2, 64, 4864, 151936}, {28, 2048, 16, 8, 128, 6144, 151936},
		{36, 2048, 16, 2, 128, 11008, 151936}, {36, 2560, 32, 8, 128, 9728, 151936},
	} {
		line := strings.ReplaceAll(strings.Trim(fmt.Sprint(config), "[]"), " ", ",")
		p := predictions(t, "x,"+line+",prefill,device,,,,1,", "x,"+line+",prefill,wall,,,,1,",
			"x,"+line+",decode,token,,,,1,", "x,"+line+",decode,token,iron,,,1,")
		require.Greater(t, p[0].Predicted, before)
		before = p[0].Predicted
		require.Greater(t, p[1].Predicted, p[0].Predicted, "device time is part of the wall's")
		require.Greater(t, p[3].Predicted, p[2].Predicted, "a call a kernel costs more")
		emb, heads, kv, width, hidden := config[1], config[2], config[3], config[4], config[5]
		weights := config[0]*emb*(2*heads*width+2*kv*width+3*hidden) + config[6]*emb
		require.Greater(t, p[2].Predicted, 2e3*float64(weights)/m.DDR.Total.Value)
	}
}

// TestLanguageSteps changes one thing of a model at a time: longer prompts, later positions, more layers, wider parts,
// biases and norms of heads take longer; how a head is tied and what a model is called changes nothing, unless the name
// tells what it has.
func TestLanguageSteps(t *testing.T) {
	ms := func(config, phase, what, remark string) float64 {
		return predictions(t, "x,"+config+","+phase+","+what+",,,,1,"+remark)[0].Predicted
	}
	const llama = "16,2048,32,8,64,8192,128256"
	lengths := longtest.Some(4, 1, 250, 256, 4096, 100, 1000, 128, 512, 1024, 2000, 2048, 3000, 8192)
	slices.Sort(lengths)
	for _, what := range []string{"device", "wall"} {
		before := 0.0
		for _, n := range lengths {
			now := ms(llama, "prefill", what, fmt.Sprintf("sequence %d", n))
			require.GreaterOrEqual(t, now, before, "%d tokens, %s", n, what)
			before = now
		}
	}
	require.Equal(t, ms(llama, "prefill", "wall", ""), ms(llama, "prefill", "wall", "sequence 2048"))
	before := ms(llama, "decode", "token", "")
	for _, n := range []int{1, 128, 1024, 4096} {
		now := ms(llama, "decode", "token", fmt.Sprintf("position %d", n))
		require.Greater(t, now, before)
		before = now
	}
	for _, phase := range []string{"prefill", "decode"} {
		what := map[string]string{"prefill": "device", "decode": "token"}[phase]
		plain := ms(llama, phase, what, "")
		require.Equal(t, plain, ms(llama, phase, what, "tied head; without biases; no q/k norms"))
		for _, more := range []string{"17,2048,32,8,64,8192,128256", "16,2560,32,8,64,8192,128256", "16,2048,40,8,64,8192,128256",
			"16,2048,32,16,64,8192,128256", "16,2048,32,8,64,9216,128256", "16,2048,32,8,64,8192,160000"} {
			require.Greater(t, ms(more, phase, what, ""), plain, "%s %s", phase, more)
		}
		for _, same := range [][]string{{"biases", "QKV bias", "q/k/v biases", "with biases"}, {"norms of heads", "q/k norms", "QK-norm", "head norms"}} {
			want := ms(llama, phase, what, same[0])
			require.Greater(t, want, plain, "%s %s", phase, same[0])
			for _, remark := range same[1:] {
				require.Equal(t, want, ms(llama, phase, what, remark), remark)
			}
		}
		// A layer more takes as much as each of the others.
		two, four := ms(strings.Replace(llama, "16", "32", 1), phase, what, ""), ms(strings.Replace(llama, "16", "64", 1), phase, what, "")
		require.InEpsilon(t, 2*(two-plain), four-two, 1e-9)
	}
	named := func(name, remark string) float64 {
		return predictions(t, name+","+llama+",prefill,device,,,,1,"+remark)[0].Predicted
	}
	require.Equal(t, named("x", "biases"), named("Qwen2.5-0.5B", ""))
	require.Equal(t, named("x", "norms of heads"), named("qwen3-1.7b", ""))
	require.Equal(t, named("x", ""), named("qwen3-1.7b", "without q/k norms"))
	require.Equal(t, named("x", ""), named("smollm2-360m", ""))
}

// TestLanguageNeighbours predicts models that nobody measured beside those that have a little more and a little less of
// everything: the array's time lies between, and so does what it takes for the arithmetic of a layer.
func TestLanguageNeighbours(t *testing.T) {
	config := func(scale float64) (text string, work float64) {
		round := func(n float64) int { return int(n*scale/256+0.5) * 256 }
		emb, hidden := round(2048), round(8192)
		heads := emb / 64
		kv := heads / 4
		work = float64(2*emb*(2*heads*64+2*kv*64+3*hidden))*2048 + 4*2048*2048*float64(heads*64)
		return fmt.Sprintf("x,16,%d,%d,%d,64,%d,128256,prefill,device,,,,1,", emb, heads, kv, hidden), work
	}
	var times, each []float64
	for _, scale := range []float64{0.5, 0.75, 1, 1.25, 1.5, 2} {
		text, work := config(scale)
		p := predictions(t, text)[0]
		times, each = append(times, p.Predicted), append(each, p.Predicted/work)
	}
	for i := 1; i < len(times); i++ {
		require.Greater(t, times[i], times[i-1])
		require.InEpsilon(t, each[i-1], each[i], 0.35, "%d", i)
		require.Less(t, each[i], 1.1*each[i-1], "larger models keep the array no worse busy")
	}
}

// TestLanguageNames writes the launches of one program in several ways.
func TestLanguageNames(t *testing.T) {
	const config = "x,28,1536,12,2,128,8960,151936,prefill,program,p,%s,28,1,"
	want := predictions(t, fmt.Sprintf(config, "rmsnorm+qkv+biases+norms of heads+rope; attention; o+ffn"))[0].Predicted
	for _, list := range []string{
		"rms norm; q; k; v; q bias; k bias; v bias; q norm; k norm; rope q; rope k; flash attention; o; ffn",
		"rmsnorm 2048x1536; gemm 2048x1536x1536; 2 x gemm 2048x1536x256; add 2048x1536; 2 x add 2048x256; " +
			"rmsnorm 24576x128; rmsnorm 4096x128; rope 24576x128; rope k 4096x128; causal attention 2048 x 12/2 heads x 128; " +
			"gemm 2048x1536x1536; add; rmsnorm; 2 x gemm 2048x1536x8960; silu_mul 2048x8960; gemm 2048x8960x1536; residual add",
		"rmsnorm+qkv+bias+qk-norm+rope; attention 2048x12/2 heads x 128; o gemm; residual; norm; gate; up; swiglu; down; add",
	} {
		// What the host hands over depends on the names.
		got := predictions(t, fmt.Sprintf(config, list))[0]
		require.InEpsilon(t, want, got.Predicted, 0.05, list)
	}
}

func TestLanguageErrors(t *testing.T) {
	line := measuredModels[0]
	for _, c := range []struct{ from, to, want string }{
		{",16,2048", ",x,2048", "3:14: layers"},
		{",16,2048", ",99999,2048", "layers"},
		{",32,8,64,", ",32,64,64,", "3:25: kv_heads"},
		{",32,8,64,", ",32,7,64,", "a divisor of the 32 heads"},
		{",32,8,64,", ",32,8,63,", "head_dim"},
		{"prefill", "warmup", "prefill or decode"},
		{"prefill,program", "prefill,energy", "program, device, wall or token"},
		{",7.3,", ",-7.3,", "ms"},
		{"model,layers", "models,layers", `no column "models"`},
		{",7.3,", ",7.3", "fields"},
	} {
		_, err := Read(strings.NewReader(strings.Replace(modelHead+line, c.from, c.to, 1)))
		require.ErrorContains(t, err, c.want, c.to)
	}
	_, err := Read(strings.NewReader("# nothing\n"))
	require.ErrorContains(t, err, "empty")
	for _, launches := range []string{"conv 3x3", "gemm 2048x2048", "9999 x gemm 2048x2048x2048",
		"gemm 2048x2048x999999999999"} {
		out, err := Rows(modelRows(t, strings.Replace(line, "rmsnorm 2048x2048;", launches+";", 1)))
		require.NoError(t, err)
		require.NotEmpty(t, out[0].Skipped, launches)
		require.Zero(t, out[0].Predicted)
	}
	require.True(t, IsTable(modelHead))
	require.False(t, IsTable("source,device,workload,dtype,metric,value,unit"), "a table of kernels")
}

// TestLanguageConstants changes every constant that only whole models tell.
func TestLanguageConstants(t *testing.T) {
	m, err := machine.Preset("npu2")
	require.NoError(t, err)
	rows, l := modelRows(t, measuredModels...), NewPredictor(m)
	before, changed := l.Predict(rows), 0
	m.Constants(func(path string, c *machine.Constant) {
		if c.Source != machine.ModelSource {
			return
		}
		other, err := machine.Preset("npu2")
		require.NoError(t, err)
		other.Constants(func(p string, c *machine.Constant) {
			if p == path {
				c.Value *= 2
			}
		})
		require.NotEqual(t, before, l.On(other).Predict(rows), path)
		changed++
	})
	require.Equal(t, Constants(), changed)
}

func FuzzRead(f *testing.F) {
	f.Add(modelHead + measuredModels[1])
	f.Fuzz(func(t *testing.T, text string) {
		rows, err := Read(strings.NewReader(text))
		if err == nil && len(rows) < 4 {
			_, _ = Rows(rows)
		}
	})
}

func ExampleRows() {
	rows, err := Read(strings.NewReader(modelHead + measuredModels[4]))
	if err != nil {
		panic(err)
	}
	out, err := Rows(rows)
	if err != nil {
		panic(err)
	}
	fmt.Printf("measured %.0f ms, predicted %.2g s\n", out[0].Row.MS, out[0].Predicted/1e3)
	// Output: measured 1062 ms, predicted 1 s
}
