package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strconv"
	"time"

	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/buf"
)

// measurement is one line of results.
type measurement struct {
	Peer    string  `json:"peer"`
	Case    string  `json:"case"`
	Threads int     `json:"threads"`
	Median  float64 `json:"median_ms"`
	Min     float64 `json:"min_ms"`
	GFLOPS  float64 `json:"gflops,omitempty"`
	GBPS    float64 `json:"gbps,omitempty"`
	Share   float64 `json:"share,omitempty"` // of the measured limit
	Error   string  `json:"error,omitempty"`
}

// defaultBudget is the seconds of sampling per case; PB_BUDGET changes it, as for
// the other runtimes' programs.
const defaultBudget = 0.5

func budget() time.Duration {
	if s, err := strconv.ParseFloat(os.Getenv("PB_BUDGET"), 64); err == nil && s > 0 {
		return time.Duration(s * float64(time.Second))
	}
	return time.Duration(defaultBudget * float64(time.Second))
}

// sample times f: warm-up, then up to 400 samples within the budget, each of
// enough calls to last 0.2 ms. It returns seconds per call.
func sample(f func(), total time.Duration) (median, least float64) {
	for start, n := time.Now(), 0; n < 3 || time.Since(start) < total/4; n++ {
		f()
	}
	once := time.Now()
	f()
	calls := int(200*time.Microsecond/max(time.Since(once), 1)) + 1
	var list []float64
	for start := time.Now(); len(list) < 400 && (len(list) < 5 || time.Since(start) < total); {
		t := time.Now()
		for range calls {
			f()
		}
		list = append(list, time.Since(t).Seconds()/float64(calls))
	}
	slices.Sort(list)
	return list[len(list)/2], list[0]
}

// measure runs one case with a number of threads.
func (b *benchmark) measure(threads int) (m measurement) {
	m = measurement{Peer: "acap", Case: b.name, Threads: threads}
	defer func() {
		if p := recover(); p != nil {
			m.Error = fmt.Sprint(p)
		}
	}()
	runtime.GOMAXPROCS(threads)
	tensor.Seed(rand.Uint64())
	inputs, f := b.build()
	dev := acap.Device()
	for i := range inputs {
		inputs[i] = inputs[i].To(dev)
	}
	var step func()
	if b.record {
		step = func() { check(tensor.Sync(context.Background(), f(inputs))) }
	} else {
		step = compiled(f(inputs))
	}
	median, least := sample(step, budget())
	m.Median, m.Min = median*1e3, least*1e3
	if b.flops > 0 {
		m.GFLOPS = b.flops / median / 1e9
	}
	if b.bytes > 0 {
		m.GBPS = b.bytes / median / 1e9
	}
	return m
}

// compiled returns a run of the cached program of y into buffers that are reused,
// which is how the other runtimes are measured.
func compiled(y *tensor.Tensor) func() {
	ctx := context.Background()
	exe, err := lazy.Executable(ctx, y)
	check(err)
	inputs := lazy.Inputs(y)
	outputs, err := exe.Run(ctx, inputs)
	check(err)
	into, ok := exe.(interface {
		RunInto(ctx context.Context, inputs, outputs []*buf.Buffer) error
	})
	if !ok {
		return func() { _, err := exe.Run(ctx, inputs); check(err) }
	}
	return func() { check(into.RunInto(ctx, inputs, outputs)) }
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
