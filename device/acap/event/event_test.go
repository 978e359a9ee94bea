package event_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"testing"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/longtest"
	"github.com/go-acap/acap/device/acap/event"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/machine/machinetest"
	"github.com/go-acap/acap/device/acap/mapper"
	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/program"
	"github.com/go-acap/acap/device/acap/program/build"
	"github.com/go-acap/acap/device/acap/workload"
)

func product(m, k, n int, t dtype.DType) *workload.Kernel {
	op := workload.Operand{DType: t}
	return &workload.Kernel{Name: fmt.Sprintf("product %dx%dx%d %v", m, k, n, t),
		Kind: workload.KindContraction,
		Contraction: workload.Contraction{Batch: 1, M: m, N: n, K: k, A: op, B: op, Acc: dtype.F32,
			Out: t}}
}

func relu(elements int64, t dtype.DType) *workload.Kernel {
	s := []workload.Stream{{DType: t, Elements: elements}}
	return &workload.Kernel{Name: "relu", Kind: workload.KindPointwise, Pointwise: workload.Pointwise{
		Elements: elements, DType: t, In: s, Out: s, Ops: workload.Mix{Simple: 1}}}
}

func softmax(rows, cols int, t dtype.DType) *workload.Kernel {
	s := []workload.Stream{{DType: t, Elements: int64(rows * cols)}}
	return &workload.Kernel{Name: "softmax", Kind: workload.KindNormalize, Normalize: workload.Normalize{
		Rows: rows, Cols: cols, Passes: 3, DType: t, In: s, Out: s,
		Ops: workload.Mix{Simple: 2, Transcendental: 1}}}
}

func transpose(rows, cols int, t dtype.DType) *workload.Kernel {
	return &workload.Kernel{Name: "transpose", Kind: workload.KindMove, Move: workload.Move{DType: t,
		Elements: int64(rows * cols), Shape: []int{rows, cols}, Perm: []int{1, 0}}}
}

func convolution(c, h, k, r int, t dtype.DType) *workload.Kernel {
	return &workload.Kernel{Name: "convolution", Kind: workload.KindConvolution,
		Convolution: workload.Convolution{N: 1, C: c, H: h, W: h, K: k, R: r, S: r, StrideH: 1,
			StrideW: 1, PadTop: r / 2, PadLeft: r / 2, PadBottom: r / 2, PadRight: r / 2, DilationH: 1,
			DilationW: 1, Groups: 1, In: t, Weight: t, Acc: dtype.F32, Out: t}}
}

func mapped(t testing.TB, m *machine.Machine, w *workload.Kernel) (*mapper.Choice, *program.Program) {
	t.Helper()
	c, err := mapper.Map(m, w)
	if err != nil {
		t.Fatal(err)
	}
	p, err := c.Program()
	if err != nil {
		t.Fatal(err)
	}
	return c, p
}

func run(t testing.TB, p *program.Program, o event.Options) *event.Result {
	t.Helper()
	r, err := event.Run(p, o)
	if err != nil {
		t.Fatal(err)
	}
	if !r.Finished || !r.Restored {
		t.Fatalf("%s: finished %v, restored %v, waits %v", p.Name, r.Finished, r.Restored, r.Blocked)
	}
	return r
}

// options takes launch and restart from the time model, as package report does.
func options(c *mapper.Choice) event.Options {
	o := event.Options{Launch: c.Timing.Launch, Restart: c.Timing.Pause}
	if o.Restart == 0 {
		o.Restart = -1
	}
	return o
}

// TestAgreesWithClosedForm compares kernels of all kinds with package timing:
// within 1 % where all steps are alike and fill the time, 5 % otherwise.
func TestAgreesWithClosedForm(t *testing.T) {
	for _, c := range []struct {
		machine string
		kernel  *workload.Kernel
		within  float64
	}{
		{"npu1", relu(1<<24, dtype.BF16), 0.01},
		{"npu2", relu(1<<24, dtype.BF16), 0.01},
		{"npu1", softmax(4096, 1024, dtype.BF16), 0.01},
		{"npu2", softmax(4096, 1024, dtype.BF16), 0.01},
		{"npu1", transpose(1024, 1024, dtype.F32), 0.01},
		{"npu2", transpose(1024, 1024, dtype.F32), 0.01},
		{"npu1", product(3025, 363, 96, dtype.BF16), 0.05},
		{"npu1", product(4096, 4096, 4096, dtype.BF16), 0.05},
		{"npu1", product(1, 768, 3072, dtype.BF16), 0.01},
		{"npu2", product(1, 768, 3072, dtype.BF16), 0.01},
		{"npu1", convolution(64, 56, 64, 3, dtype.BF16), 0.05},
	} {
		choice, p := mapped(t, machinetest.Preset(t, c.machine), c.kernel)
		r := run(t, p, options(choice))
		if d := r.Seconds/choice.Timing.Seconds - 1; math.Abs(d) > c.within {
			t.Errorf("%s on %s, %v: events %.1f us, closed form %.1f us, %+.1f %%", c.kernel.Name,
				c.machine, choice.Mapping, r.Seconds*1e6, choice.Timing.Seconds*1e6, 100*d)
		}
	}
}

// TestResidualLayers compares the layers of a residual network with normalization
// and shortcuts, whose epilogues read arrays on the streams of operands.
func TestResidualLayers(t *testing.T) {
	m := machinetest.Preset(t, "npu1")
	for _, layer := range []struct {
		c, h, k, r, stride int
		shortcut           bool
	}{
		{3, 224, 64, 7, 2, false}, {64, 56, 64, 3, 1, false}, {64, 56, 64, 3, 1, true},
		{64, 56, 128, 3, 2, false}, {64, 56, 128, 1, 2, true}, {128, 28, 128, 3, 1, true},
		{128, 28, 256, 3, 2, false}, {128, 28, 256, 1, 2, true}, {256, 14, 256, 3, 1, true},
		{256, 14, 512, 3, 2, false}, {256, 14, 512, 1, 2, true}, {512, 7, 512, 3, 1, false},
		{512, 7, 512, 3, 1, true},
	} {
		w := convolution(layer.c, layer.h, layer.k, layer.r, dtype.F32)
		c := &w.Convolution
		c.StrideH, c.StrideW = layer.stride, layer.stride
		row := workload.Stream{DType: dtype.F32, Elements: int64(c.K), Constant: true}
		c.Epilogue = workload.Epilogue{Ops: workload.Mix{Simple: 3}, In: []workload.Stream{row, row}}
		if layer.shortcut {
			c.Epilogue.In = append(c.Epilogue.In, workload.Stream{DType: dtype.F32,
				Elements: int64(c.N) * int64(c.K) * int64(c.OutH()) * int64(c.OutW())})
		}
		choice, p := mapped(t, m, w)
		r := run(t, p, options(choice))
		if d := r.Seconds/choice.Timing.Seconds - 1; math.Abs(d) > 0.05 {
			t.Errorf("%+v, %v: events %.1f us, closed form %.1f us, %+.1f %%", layer,
				choice.Mapping, r.Seconds*1e6, choice.Timing.Seconds*1e6, 100*d)
		}
	}
}

// random is a mapping that fits, of a small kernel of any kind.
func random(t testing.TB, r *rand.Rand) (*mapper.Choice, *program.Program) {
	names := []string{"npu1", "npu2", "vek280", "vck190"}
	types := []dtype.DType{dtype.BF16, dtype.F32}
	for {
		d := types[r.IntN(2)]
		var w *workload.Kernel
		switch r.IntN(5) {
		case 0:
			w = product(1+r.IntN(512), 1+r.IntN(512), 1+r.IntN(512), d)
		case 1:
			w = relu(int64(1+r.IntN(1<<18)), d)
		case 2:
			w = softmax(1+r.IntN(300), 4+4*r.IntN(200), d)
		case 3:
			w = convolution(4*(1+r.IntN(8)), 8+r.IntN(24), 4*(1+r.IntN(8)), 1+2*r.IntN(2), d)
		default:
			w = transpose(4*(1+r.IntN(64)), 4*(1+r.IntN(64)), d)
		}
		c, err := mapper.Map(machinetest.Preset(t, names[r.IntN(4)]), w)
		if err != nil {
			continue
		}
		p, err := c.Program()
		if err != nil {
			continue
		}
		p.Lower()
		return c, p
	}
}

// TestSkippingIsExact compares runs that skip what repeats with runs that do not.
func TestSkippingIsExact(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	skipped := int64(0)
	for range longtest.Sample(10, 12, 60) {
		c, p := random(t, r)
		fast, exact := run(t, p, event.Options{}), run(t, p, event.Options{Exact: true})
		skipped += fast.Skipped
		fast.Events, fast.Skipped = exact.Events, 0
		if !reflect.DeepEqual(fast, exact) {
			t.Errorf("%s on %s, %v: skipping gives %s", p.Name, c.Machine.Name, c.Mapping,
				difference(fast, exact))
		}
	}
	if skipped == 0 {
		t.Error("nothing was skipped")
	}
}

// difference names the first field in which two results differ.
func difference(a, b *event.Result) string {
	x, y := reflect.ValueOf(*a), reflect.ValueOf(*b)
	for i := range x.NumField() {
		f, g := x.Field(i), y.Field(i)
		if reflect.DeepEqual(f.Interface(), g.Interface()) {
			continue
		}
		name := x.Type().Field(i).Name
		if f.Kind() == reflect.Slice && f.Len() == g.Len() {
			for j := range f.Len() {
				if u, v := f.Index(j).Interface(), g.Index(j).Interface(); !reflect.DeepEqual(u, v) {
					return fmt.Sprintf("%s[%d] %+v, every iteration %+v", name, j, u, v)
				}
			}
		}
		return fmt.Sprintf("%s %v, every iteration %v", name, f, g)
	}
	return "the same"
}

// TestInvariants checks random programs: they come to rest as they began, flows
// move as much out as in, time is no less than compute and bytes take, and more
// bandwidth or clock is never slower.
func TestInvariants(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range longtest.Sample(10, 12, 60) {
		c, p := random(t, r)
		base := run(t, p, event.Options{})
		work := base.Seconds - base.Launch - base.Restart
		cycles := work*c.Machine.Clock.Value + 1
		for i, ch := range base.Channels {
			if ch.Bytes == 0 {
				t.Errorf("%s: channel %d moves nothing", p.Name, i)
			}
			if ch.Busy > cycles {
				t.Errorf("%s: channel %d is busy longer than the array", p.Name, i)
			}
		}
		byPort := make(map[program.Port]int64)
		for i, ch := range base.Channels {
			kind := program.Port{Tile: ch.Tile, Channel: ch.Channel * 2}
			if p.DMAs[i].Dir == program.S2MM {
				kind.Channel++
			}
			byPort[kind] = ch.Bytes
		}
		for _, f := range p.Flows {
			from := byPort[program.Port{Tile: f.From.Tile, Channel: f.From.Channel * 2}]
			to := byPort[program.Port{Tile: f.To.Tile, Channel: f.To.Channel*2 + 1}]
			if from != to {
				t.Errorf("%s: a flow takes %d bytes in and %d out", p.Name, from, to)
			}
		}
		for _, core := range base.Cores {
			if core.Busy+core.Input+core.Output+core.Cascade > base.Cycles+1 {
				t.Errorf("%s: a core is busy and waits longer than the run", p.Name)
			}
			if core.Busy > cycles {
				t.Errorf("%s: a core is busy longer than the array", p.Name)
			}
		}
		if base.MemoryBusy > cycles {
			t.Errorf("%s: the memory is busy longer than the array", p.Name)
		}
		staged := c.Kernel.Kind == workload.KindConvolution || c.Mapping.StageN > 1 || c.Mapping.StageM > 1
		if need := float64(base.ReadBytes) / c.Machine.DDR.Read.Value; work < need && !staged {
			t.Errorf("%s: reads %d bytes in %g s", p.Name, base.ReadBytes, work)
		}
		if need := float64(base.WriteBytes) / c.Machine.DDR.Write.Value; work < need {
			t.Errorf("%s: writes %d bytes in %g s", p.Name, base.WriteBytes, work)
		}
		faster := *c.Machine
		q := *p
		q.Machine = &faster
		for _, v := range []*float64{&faster.DDR.Read.Value, &faster.DDR.Write.Value,
			&faster.DDR.Total.Value, &faster.DDR.PerShim.Value} {
			*v *= 2
		}
		if f := run(t, &q, event.Options{}); f.Seconds > base.Seconds*1.0005 {
			t.Errorf("%s on %s, %v: %g s with twice the bandwidth, %g without", p.Name, c.Machine.Name,
				c.Mapping, f.Seconds, base.Seconds)
		}
		faster = *c.Machine
		faster.Clock.Value *= 2
		if f := run(t, &q, event.Options{}); f.Seconds > base.Seconds*1.0005 {
			t.Errorf("%s on %s, %v: %g s with twice the clock, %g without", p.Name, c.Machine.Name,
				c.Mapping, f.Seconds, base.Seconds)
		}
	}
}

// TestHiddenRestart checks that what the host takes while the array goes on is not
// counted as rest: tiles are never busy for more than the whole of what is left.
func TestHiddenRestart(t *testing.T) {
	m, err := machinetest.Preset(t, "npu2").WithBF16(machine.BF16Emulated)
	if err != nil {
		t.Fatal(err)
	}
	delete(m.Compute.Styles, "balanced") // the other kernels have more to do after a block than the host
	c, p := mapped(t, m, product(2048, 2048, 2048, dtype.BF16))
	sets := 0
	for i, op := range p.Runtime {
		if _, task := op.(program.Task); task && i > 0 {
			if _, ok := p.Runtime[i-1].(program.Await); ok {
				sets++
			}
		}
	}
	o := options(c)
	r := run(t, p, o)
	if all := float64(sets) * o.Restart; sets == 0 || r.Restart >= all/2 {
		t.Errorf("the array rests for %g s of %g s in which the host begins %d times", r.Restart, all, sets)
	}
	cycles := (r.Seconds-r.Launch-r.Restart)*c.Machine.Clock.Value + 1
	if r.MemoryBusy > cycles {
		t.Errorf("the memory is busy for %g of %g cycles", r.MemoryBusy, cycles)
	}
	for _, core := range r.Cores {
		if core.Busy > cycles {
			t.Errorf("core %v is busy for %g of %g cycles", core.Tile, core.Busy, cycles)
		}
	}
}

// TestDeterminism runs programs a hundred times on different numbers of
// processors.
func TestDeterminism(t *testing.T) {
	_, p := mapped(t, machinetest.Preset(t, "npu1"), product(300, 200, 100, dtype.BF16))
	want := run(t, p, event.Options{Intervals: 1000})
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for i := range 100 {
		runtime.GOMAXPROCS(1 + i%4)
		if got := run(t, p, event.Options{Intervals: 1000}); !reflect.DeepEqual(got, want) {
			t.Fatalf("run %d differs", i)
		}
	}
}

// alexNet is a layer like AlexNet's first on a machine.
func alexNet(t testing.TB, name string) (*mapper.Choice, *program.Program) {
	w := &workload.Kernel{Name: "conv1", Kind: workload.KindConvolution,
		Convolution: workload.Convolution{N: 1, C: 3, H: 224, W: 224, K: 96, R: 11, S: 11, StrideH: 4,
			StrideW: 4, PadTop: 2, PadLeft: 2, PadBottom: 2, PadRight: 2, DilationH: 1, DilationW: 1,
			Groups: 1, In: dtype.BF16, Weight: dtype.BF16, Acc: dtype.F32, Out: dtype.BF16}}
	c, p := mapped(t, machinetest.Preset(t, name), w)
	p.Lower()
	return c, p
}

// TestEventsAreFew bounds the events of a convolution by the calls of its cores: an event is a transfer or a kernel's
// call, not a word or a cycle. BenchmarkRun says how long they take.
func TestEventsAreFew(t *testing.T) {
	for _, name := range []string{"npu1", "npu2", "vck190"} {
		c, p := alexNet(t, name)
		r := run(t, p, event.Options{})
		calls := int64(c.Timing.Cores) * c.Timing.Rounds * c.Timing.Steps
		t.Logf("%s: %d events, %d calls", name, r.Events, calls)
		if r.Events > 6*calls {
			t.Errorf("%s: %d events for %d calls", name, r.Events, calls)
		}
	}
}

func BenchmarkRun(b *testing.B) {
	_, p := alexNet(b, "npu1")
	for b.Loop() {
		run(b, p, event.Options{})
	}
}

func ExampleRun() {
	m, err := machine.Preset("npu1")
	if err != nil {
		panic(err)
	}
	w := relu(1<<20, dtype.BF16)
	p, err := build.Program(m, w, mapping.Mapping{Kind: w.Kind, Cols: 4, Rows: 2, Tile: 4096, Depth: 2})
	if err != nil {
		panic(err)
	}
	r, err := event.Run(p, event.Options{})
	if err != nil {
		panic(err)
	}
	fmt.Printf("%.0f us after a launch of %.0f us, %d bytes read, %d written\n",
		1e6*(r.Seconds-r.Launch), 1e6*r.Launch, r.ReadBytes, r.WriteBytes)
	fmt.Println("finished:", r.Finished, "at rest:", r.Restored)
	// Output:
	// 143 us after a launch of 130 us, 2097152 bytes read, 2097152 written
	// finished: true at rest: true
}
