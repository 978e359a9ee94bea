package mutants

import (
	"bytes"
	"fmt"
	"iter"
	"maps"
	"math"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/cputime"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/hostile"
	"github.com/go-acap/acap/base/longtest"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/mapper"
	"github.com/go-acap/acap/device/acap/predict"
	"github.com/go-acap/acap/device/acap/predict/calibrate"
	"github.com/go-acap/acap/device/acap/recording"
	"github.com/go-acap/acap/device/acap/workload"
)

// altered yields a number of forms of a file: changed in one place, and in several.
func altered(sound []byte, most int, forms ...func([]byte, int) iter.Seq2[string, []byte]) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		const each, longest = 2, 1 << 16
		n := 0
		for pool := [][]byte{sound}; len(pool) > 0; pool = pool[1:] {
			for _, alter := range forms {
				for what, form := range alter(pool[0], each) {
					if n == most || !yield(fmt.Sprintf("form %d, %s", n, what), form) {
						return
					}
					if n++; len(form) > 0 && len(form) < longest {
						pool = append(pool, bytes.Clone(form))
					}
				}
			}
		}
	}
}

// described maps a product and a sum of bf16 onto the machine of a file, which take some time each.
func described(path string) error {
	m, err := machine.Load(path)
	if err != nil {
		return err
	}
	op := workload.Operand{DType: dtype.BF16}
	sum := workload.Stream{DType: dtype.BF16, Elements: 5000}
	for _, w := range []*workload.Kernel{
		{Name: "product", Kind: workload.KindContraction,
			Contraction: workload.Contraction{Batch: 1, M: 64, N: 96, K: 48, A: op, B: op, Acc: dtype.F32, Out: dtype.BF16}},
		{Name: "sum", Kind: workload.KindPointwise, Pointwise: workload.Pointwise{Elements: 5000, DType: dtype.BF16,
			In: []workload.Stream{sum, sum}, Out: []workload.Stream{sum}, Ops: workload.Mix{Simple: 1}}},
	} {
		c, err := mapper.Map(m, w)
		if err != nil {
			return err
		}
		if s := c.Timing.Seconds; !(s > 0) || math.IsInf(s, 0) {
			panic(fmt.Sprintf("the %s takes %v s", w.Name, s))
		}
		if err := c.Verify(); err != nil {
			return err
		}
	}
	return nil
}

// calibrated fits two constants of npu1 to the rows of a file.
func calibrated(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	rows, err := predict.Read(bytes.NewReader(text))
	if err != nil {
		return err
	}
	m, err := machine.Preset("npu1")
	if err != nil {
		return err
	}
	r, err := calibrate.Fit(m, rows, calibrate.Options{Patterns: []string{"host.launch", "ddr.read"}})
	if err != nil {
		return err
	}
	for _, c := range r.Constants {
		if c.Loose == "" && !(c.After >= c.Low && c.After <= c.High) {
			panic(fmt.Sprintf("%s is %v, not from %v to %v", c.Name(), c.After, c.Low, c.High))
		}
	}
	return nil
}

// recorded reads a recording and its calls.
func recorded(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if filepath.Ext(path) == ".vcd" {
		d, err := recording.ReadVCD(bytes.NewReader(text))
		if err == nil {
			_, err = d.Calls(recording.OwnCores, 1e9)
		}
		return err
	}
	r, err := recording.ReadPackets(bytes.NewReader(text))
	if err == nil {
		_, err = r.Calls(recording.DefaultEvents)
	}
	return err
}

// TestArrayMutants uses altered files of what the array reads: machines of each family, rows, rows to calibrate to, and
// recordings. ACAP_LONG=1 tries a thousand forms of each.
func TestArrayMutants(t *testing.T) {
	const soon = 10 * time.Second
	type forms = []func([]byte, int) iter.Seq2[string, []byte]
	all := map[string]sample{
		"rows.csv":    {data: []byte(measured), forms: forms{hostile.Texts, hostile.Variants}, use: rows},
		"fit.csv":     {data: []byte(toFit), forms: forms{hostile.Texts, hostile.Variants}, use: calibrated},
		"d.vcd":       {data: []byte(dump), forms: forms{hostile.Texts, hostile.Variants}, use: recorded},
		"packets.txt": {data: []byte(packets), forms: forms{hostile.Texts, hostile.Variants}, use: recorded},
	}
	for _, name := range []string{"npu1", "npu2", "vck190", "systolic"} {
		m, err := machine.Preset(name)
		require.NoError(t, err)
		var text bytes.Buffer
		require.NoError(t, m.WriteJSON(&text))
		all[name+".json"] = sample{data: text.Bytes(), forms: forms{hostile.JSON, hostile.Texts}, use: described}
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		t.Run(name, func(t *testing.T) {
			s, path := all[name], filepath.Join(t.TempDir(), name)
			try := func(what string, form []byte) (err error) {
				require.NoError(t, os.WriteFile(path, form, 0o600))
				defer func() {
					if p := recover(); p != nil {
						t.Errorf("%s: %v\n%.2000s\n%s", what, p, form, debug.Stack())
					}
				}()
				start := cputime.Used()
				err = s.use(path)
				if took := cputime.Used() - start; took > soon {
					t.Errorf("%s takes %v of the processor:\n%.2000s", what, took, form)
				}
				if err != nil {
					for _, unclear := range []string{"runtime error", "BUG", "%!", "goroutine"} {
						require.NotContains(t, err.Error(), unclear, what)
					}
					require.Less(t, len(err.Error()), 8000, what)
				}
				return err
			}
			require.NoError(t, try("as it is", s.data))
			used, refused := 0, 0
			for what, form := range altered(s.data, longtest.Sample(20, 20, 1_000), s.forms...) {
				if try(what, form) == nil {
					used++
				} else {
					refused++
				}
			}
			t.Logf("%d used, %d refused", used, refused)
			require.NotZero(t, refused)
		})
	}
}

// toFit is rows of two kernels of two sources.
const toFit = `source,device,workload,M,K,N,dtype,tiles,metric,value,unit,notes
a paper,npu1,gemm,512,512,512,bf16,16,latency,0.5,ms,
a paper,npu1,gemm,256,256,256,bf16,16,latency,0.3,ms,
a report,npu1,vector add,,,65536,bf16,4,latency,150,us,one
`
