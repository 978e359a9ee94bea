package acap_test

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/longtest"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/acap/event"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/program"
	"github.com/go-acap/acap/device/acap/report"
	"github.com/go-acap/acap/mlir"
)

// deep is products of rows that do not depend on each other, with weights that are constants.
func deep(layers, rows, width int) string {
	text := wide(layers, rows, width)
	matrix := fmt.Sprintf("tensor<%dx%dxf32>", width, width)
	for i := range layers {
		text = strings.Replace(text, fmt.Sprintf(" %%w%d: %s", i, matrix), fmt.Sprintf(" %%w%d: %s {acap.constant}", i, matrix), 1)
	}
	return text
}

// batched compiles a program for inputs in a row.
func batched(t *testing.T, m *machine.Machine, text string, inputs int) *acap.Program {
	module, err := mlir.Parse("row.mlir", []byte(text))
	require.NoError(t, err)
	exe, err := acap.New(m).Pipelined(inputs).Compile(context.Background(), module)
	require.NoError(t, err)
	t.Cleanup(exe.Close)
	return exe.(*acap.Program)
}

// TestPipeline has inputs in a row pass through stages that are placed beside each other, which is shorter than one
// kernel after the other: every stage has columns of its own and its weights there, brought once; its programs are such
// of the whole array, and events take as long as is said.
func TestPipeline(t *testing.T) {
	const layers, rows, width, inputs = 4, 64, 256, 16
	for _, name := range longtest.Some(1, "npu2", "npu1", "vek280") {
		m, err := machine.Preset(name)
		require.NoError(t, err)
		m.DDR.Read.Value = min(m.DDR.Read.Value, 48e9) // slow enough that no activations are read again and again
		compiled := batched(t, m, deep(layers, rows, width), inputs)
		r := compiled.Report()
		p, total := r.Pipeline, r.Total()
		require.NotNil(t, p, name)
		require.True(t, p.Taken, name)
		require.Greater(t, len(p.Stages), 1, name)
		require.Equal(t, inputs, p.Samples)
		require.Less(t, p.Seconds, p.Layered, name)
		require.InDelta(t, p.Seconds, total.Seconds, 1e-12)
		require.InDelta(t, p.Layered-p.Seconds, p.Saved, 1e-12)
		require.Greater(t, r.Layers().Total().Seconds*inputs, p.Layered, "a call for each input")
		require.InEpsilon(t, total.Seconds, total.Cost.Host()+total.Cost.Launch()+total.Cost.Work(), 1e-9)
		called := 0.0
		for _, c := range r.Adds() {
			called += c.Host()
		}
		require.Equal(t, total.Cost.Host(), called, "the first stage's first kernel has the only call")
		require.Equal(t, int64(inputs*layers*rows*width*width), total.MACs)

		end, kernels, share := 0, 0, 0.0
		for i, s := range p.Stages {
			require.Equal(t, i+1, s.Number)
			require.Equal(t, end, s.Column, "%s: the columns of a stage begin where those before end", name)
			end = s.Column + s.Columns
			kernels, share = kernels+s.Kernels, share+s.Share
			require.Positive(t, s.Kernels)
			require.Zero(t, s.Fetched, "%s: weights come once", name)
			require.GreaterOrEqual(t, s.Resident, int64(s.Kernels*width*width*4))
		}
		require.Equal(t, m.Grid.Cols, end)
		require.Equal(t, layers, kernels)
		require.InDelta(t, 1, share, 1e-9, "%s: of the memory's rate", name)

		programs := make(map[int][]*program.Program)
		for i := range r.Kernels {
			k := &r.Kernels[i]
			e, err := k.Events(event.Options{})
			require.NoError(t, err)
			require.InEpsilon(t, k.Timing.Seconds, e.Seconds, 0.05, "%s: %s", name, k.Layout)
			built, err := k.Choice.Program()
			require.NoError(t, err)
			moved := built.Moved(m, k.Stage.Column)
			moved.Lower()
			require.NoError(t, moved.Verify(), "%s: %s", name, k.Layout)
			for _, b := range moved.Buffers {
				require.GreaterOrEqual(t, b.Tile.Col, k.Stage.Column)
				require.Less(t, b.Tile.Col, k.Stage.Column+k.Stage.Columns)
			}
			require.Equal(t, moved.ResidentBytes(), k.Resident)
			programs[k.Stage.Number] = append(programs[k.Stage.Number], moved)
			require.LessOrEqual(t, k.Timing.ReadL3, int64(2*rows*width*4), "%s: activations alone", name)
		}
		for _, list := range programs {
			require.NoError(t, program.CheckResidency(list), name)
		}
		require.Contains(t, r.Summary(), "16 samples through")
		require.Contains(t, r.Summary(), "resident weights")
		text, err := json.Marshal(r)
		require.NoError(t, err)
		var out struct{ Pipeline report.Pipeline }
		require.NoError(t, json.Unmarshal(text, &out))
		require.Equal(t, p.Stages, out.Pipeline.Stages)
		require.Equal(t, p.Saved, out.Pipeline.Saved)
		aie, err := compiled.Text("aie-lowered")
		require.NoError(t, err)
		last := p.Stages[len(p.Stages)-1]
		require.True(t, strings.Contains(aie, fmt.Sprintf("aie.tile(%d, ", last.Column)), "%s: at its place", name)
	}
}

// TestPipelineTimeline draws all samples of a pipeline: each passes every kernel once, no core and no stage has two at
// a time, and the last ends with the run. Where there is no space for the intervals of all, the timeline says for how
// many.
func TestPipelineTimeline(t *testing.T) {
	const inputs = 16
	m, err := machine.Preset("npu2")
	require.NoError(t, err)
	r := batched(t, m, deep(4, 64, 256), inputs).Report()
	require.True(t, r.Pipeline.Taken)
	r.Written = 1 << 20 // which the host hands over before
	total := r.Total()
	drawnOf := func(most int) (cores map[int]int) { // slices of cores by sample
		end, cores := 0.0, make(map[int]int)
		for _, track := range r.Timeline(most) {
			slices.SortFunc(track.Slices, func(a, b report.Slice) int { return cmp.Compare(a.Start, b.Start) })
			of := make(map[[2]int]int)
			for i, s := range track.Slices {
				of[[2]int{s.Kernel, s.Sample}]++
				if i > 0 {
					before := track.Slices[i-1]
					require.GreaterOrEqual(t, s.Start, before.Start+before.Length-1e-12, "%s %v after %v", track.Name, s, before)
				}
				if track.Group == "cores" {
					cores[s.Sample]++
				}
				end = max(end, s.Start+s.Length)
			}
			if strings.HasPrefix(track.Name, "kernels, stage ") {
				require.Zero(t, len(track.Slices)%inputs)
				require.Len(t, of, len(track.Slices), "each sample passes each kernel once")
			}
		}
		require.InDelta(t, total.Seconds, end, 1e-9)
		return cores
	}
	all := drawnOf(1 << 20)
	require.Len(t, all, inputs)
	for n := range inputs {
		require.Equal(t, all[0], all[n], "sample %d", n)
	}
	require.NotContains(t, r.Drawn(1<<20), "repeat")
	require.Contains(t, r.Drawn(1<<20), "16 samples through")
	few := drawnOf(100)
	require.Less(t, len(few), inputs)
	require.Contains(t, r.Drawn(100), "the others repeat them")

	var vcd, trace bytes.Buffer
	require.NoError(t, r.WriteVCD(&vcd))
	require.Contains(t, vcd.String(), "16 samples through")
	last := int64(0)
	for line := range strings.Lines(vcd.String()) {
		if at, ok := strings.CutPrefix(strings.TrimSpace(line), "#"); ok {
			now, err := strconv.ParseInt(at, 10, 64)
			require.NoError(t, err)
			require.Greater(t, now, last-1)
			last = now
		}
	}
	require.InEpsilon(t, 1e12*total.Seconds, float64(last), 0.03, "changes go on to the end")
	require.NoError(t, r.WriteTrace(&trace))
	var file struct {
		OtherData struct{ Pipeline string }
	}
	require.NoError(t, json.Unmarshal(trace.Bytes(), &file))
	require.Equal(t, r.Drawn(20000), file.OtherData.Pipeline)

	var pprof bytes.Buffer
	require.NoError(t, r.WriteProfile(&pprof))
	cycles, moved := profiled(t, &pprof)
	require.Equal(t, total.ReadL3+total.WriteL3, moved)
	busy := 0.0 // seconds of all stages
	for _, s := range r.Pipeline.Stages {
		busy += float64(inputs) * s.Seconds
	}
	require.InEpsilon(t, (busy+total.Cost.Host())*m.Clock.Value, float64(cycles), 0.01)

	layers := r.Layers()
	require.Empty(t, layers.Drawn(100))
	for _, track := range layers.Timeline(100) {
		for _, s := range track.Slices {
			require.Zero(t, s.Sample)
		}
	}
}

// profiled adds up the cycles and the bytes of the samples of a profile.
func profiled(t *testing.T, from io.Reader) (cycles, moved int64) {
	z, err := gzip.NewReader(from)
	require.NoError(t, err)
	data, err := io.ReadAll(z)
	require.NoError(t, err)
	each := func(data []byte, visit func(field uint64, sub []byte)) {
		for len(data) > 0 {
			key, n := binary.Uvarint(data)
			v, size := binary.Uvarint(data[n:])
			data = data[n+size:]
			if key&7 == 2 {
				visit(key>>3, data[:v])
				data = data[v:]
			}
		}
	}
	each(data, func(field uint64, sample []byte) {
		if field != 2 {
			return
		}
		each(sample, func(field uint64, values []byte) {
			if field != 2 {
				return
			}
			a, n := binary.Uvarint(values)
			b, _ := binary.Uvarint(values[n:])
			cycles, moved = cycles+int64(a), moved+int64(b)
		})
	})
	return cycles, moved
}

// TestPipelineOrNot takes a pipeline where it is shorter and never else, and says what was decided.
func TestPipelineOrNot(t *testing.T) {
	m, err := machine.Preset("npu2")
	require.NoError(t, err)
	for name, text := range map[string]string{"a batch": deep(3, 512, 512), "weights that do not fit": deep(2, 16, 2048),
		"attention": blocks(1, 16, 2, 32)} {
		for _, inputs := range []int{1, 2, 8} {
			r := batched(t, m, text, inputs).Report()
			p, total := r.Pipeline, r.Total()
			layers := r.Layers().Total()
			require.LessOrEqual(t, total.Seconds, float64(inputs)*layers.Seconds*(1+1e-9), "%s, %d inputs", name, inputs)
			require.InEpsilon(t, float64(inputs)*float64(layers.MACs), float64(total.MACs), 1e-9)
			if p == nil {
				require.Equal(t, 1, inputs, name)
				continue
			}
			require.Equal(t, inputs, p.Inputs)
			require.LessOrEqual(t, total.Seconds, p.Layered*(1+1e-9), "%s, %d inputs", name, inputs)
			require.Equal(t, p.Taken && len(p.Stages) > 1, p.Saved > 0, "%s, %d inputs", name, inputs)
			require.Contains(t, r.Summary(), "pipeline: ", name)
		}
	}
}

// TestNoPipeline has no pipeline where runs depend on each other or samples do.
func TestNoPipeline(t *testing.T) {
	m, err := machine.Preset("npu2")
	require.NoError(t, err)
	require.Nil(t, batched(t, m, layer, 1).Report().Pipeline, "of one kernel")
	mixed := `func.func @main(%x: tensor<512x512xf32>, %w: tensor<512x512xf32> {acap.constant}) -> tensor<512x512xf32> {
  %y = "aten.mm"(%x, %w) : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
  %s = "aten.softmax.int"(%y) {dim = 0 : i64} : (tensor<512x512xf32>) -> tensor<512x512xf32>
  %z = "aten.mm"(%s, %w) : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
  return %z : tensor<512x512xf32>
}
`
	m.Host.Restart.Value, m.Host.Launch.Value = 0, 0
	require.Nil(t, batched(t, m, mixed, 1).Report().Pipeline, "softmax over the batch")
}

// What the kernels of a program add to a run is the run, so that sums by groups and by source lines are right.
func TestKernelsAddUp(t *testing.T) {
	m, err := machine.Preset("npu2")
	require.NoError(t, err)
	p := batched(t, m, deep(4, 64, 256), 1)
	sum, calls := 0.0, 0
	for _, k := range p.Kernels() {
		if k.Once {
			continue
		}
		sum += k.Seconds
		require.Equal(t, k.Seconds*p.Report().Machine.Clock.Value, k.Cycles)
		if k.Call > 0 {
			calls++
		}
	}
	total := p.Report().Total()
	require.Greater(t, total.Kernels, 1)
	require.Equal(t, total.Calls, calls)
	require.InEpsilon(t, total.Seconds, sum, 1e-9)
}

// TestPipelineOutside: arrays that two stages read pass through the memory outside. The next product, in the same
// stage, reads the first result of a chain of products, and so does the last product, in another stage. So the result
// is written outside, though other arrays of the chain remain in mem tiles. A stage's results for the next stage are
// written outside as well.
func TestPipelineOutside(t *testing.T) {
	sizes := map[string][3]int{"npu2": {6, 16, 256}, "vek280": {6, 64, 128}}
	for _, name := range longtest.Some(1, "npu2", "vek280") {
		layers, rows, width := sizes[name][0], sizes[name][1], sizes[name][2]
		m, err := machine.Preset(name)
		require.NoError(t, err)
		x := fmt.Sprintf("tensor<%dx%dxf32>", rows, width)
		text := strings.Replace(wide(layers, rows, width), fmt.Sprintf("return %%x%d", layers),
			fmt.Sprintf("%%z = \"aten.sub.Tensor\"(%%x%d, %%x1) {alpha = 1 : i64} : (%s, %s) -> %s\n  return %%z", layers, x, x, x), 1)
		r := batched(t, m, text, 16).Report()
		require.True(t, r.Pipeline.Taken)
		require.Greater(t, len(r.Pipeline.Stages), 1)
		require.Positive(t, r.Kept.Arrays, "%s: arrays that one stage alone knows remain", name)
		for i := range r.Kernels {
			k := &r.Kernels[i]
			if last := i == layers-1 || r.Kernels[i+1].Stage != k.Stage; i == 0 || last {
				require.GreaterOrEqual(t, k.Timing.WriteL3, int64(rows*width*4), "%s: %s", name, k.Layout)
			}
			if first := i == 0 || r.Kernels[i-1].Stage != k.Stage; first {
				require.GreaterOrEqual(t, k.Timing.ReadL3, int64((rows+width)*width*4), "%s: %s", name, k.Layout)
			}
		}
		require.NotEqual(t, r.Kernels[0].Stage, r.Kernels[layers-1].Stage)
		require.Equal(t, r.Kernels[0].Stage, r.Kernels[1].Stage, "%s: the first result is read in the stage that makes it", name)
	}
}

// TestDescribed: the kernels of a run are known without mapping them.
func TestDescribed(t *testing.T) {
	exe := batched(t, acap.Device().Machine(), deep(2, 64, 64), 1)
	described, mapped := exe.Described(), exe.Report().Kernels
	require.Len(t, described, len(mapped))
	for i, k := range described {
		require.Equal(t, mapped[i].Name, k.Name)
		require.Equal(t, mapped[i].Work.Key(), k.Work.Key())
		require.Nil(t, k.Choice)
		require.Zero(t, k.Timing.Seconds)
	}
}
