package main

import (
	"fmt"
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"time"

	"github.com/go-acap/acap/base/environment"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/tensor"
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
	// Allocs is the number of heap allocations of a run, or of an operator where the
	// time is of one.
	Allocs *float64 `json:"allocs,omitempty"`
	// Bytes is the memory that a run, or an operator, allocates, for cases where it counts.
	Bytes *float64 `json:"alloc_bytes,omitempty"`
	// Overhead is the additional time of a run because of what the case measures, as a share of the time without it.
	Overhead *float64 `json:"overhead,omitempty"`
	Error    string   `json:"error,omitempty"`
}

// budget is the time of sampling per case; PB_BUDGET changes it, as for the other
// runtimes' programs.
var budget = time.Second / 2

func readBudget() error {
	value := os.Getenv("PB_BUDGET")
	if value == "" {
		return nil
	}
	const most = 3600
	s, err := strconv.ParseFloat(value, 64)
	if err != nil || !(s > 0 && s <= most) {
		return &environment.Error{Variable: "PB_BUDGET", Value: value,
			Want: fmt.Sprintf("a number of seconds above 0, at most %d", most)}
	}
	budget = time.Duration(s * float64(time.Second))
	return nil
}

// A sample is at least sampleTime long, so that the clock does not count; there are
// minSamples to maxSamples of them.
const (
	sampleTime = 200 * time.Microsecond
	minSamples = 5
	maxSamples = 400
)

// times are seconds per call, in order.
type times []float64

func (t times) median() float64 { return t[len(t)/2] }
func (t times) least() float64  { return t[0] }

// few are the samples of a case that takes long, without warming up.
const few = 3

// seldom measures a few steps and what one allocates, or needs.
func (w work) seldom() (steps times, bytes float64) {
	var before, after runtime.MemStats
	for range few {
		if w.prepare != nil {
			w.prepare()
		}
		runtime.GC()
		runtime.ReadMemStats(&before)
		if w.timed != nil {
			var seconds float64
			seconds, bytes = w.timed()
			steps = append(steps, seconds)
			continue
		}
		t := clock()
		w.step()
		steps = append(steps, (clock() - t).Seconds())
		runtime.ReadMemStats(&after)
		bytes = float64(after.TotalAlloc - before.TotalAlloc)
	}
	slices.Sort(steps)
	return steps, bytes
}

// sample warms up for a quarter of the time and then samples w. The second list is
// of its base, if it has one.
func (w work) sample(total time.Duration) (steps, bases times) {
	prepare := func() {
		if w.prepare != nil {
			w.prepare()
		}
	}
	once := time.Duration(math.MaxInt64) // the least: an interrupted call says nothing, and the last one is often that
	for start, n := clock(), 0; n < 3 || clock()-start < total/4; n++ {
		prepare()
		t := clock()
		w.step()
		once = min(once, max(clock()-t, 1))
	}
	calls := int(sampleTime/once) + 1
	if w.prepare != nil {
		calls = 1
	}
	timed := func(f func()) float64 {
		t := clock()
		for range calls {
			f()
		}
		return (clock() - t).Seconds() / float64(calls)
	}
	more := func(start time.Duration) bool { return len(steps) < minSamples || clock()-start < total }
	for start := clock(); len(steps) < maxSamples && more(start); {
		prepare()
		steps = append(steps, timed(w.step))
		if w.base != nil {
			bases = append(bases, timed(w.base))
		}
	}
	slices.Sort(steps)
	slices.Sort(bases)
	return steps, bases
}

// allocations is the number of heap allocations of a step: the least of several
// runs, because the count is the process's and the runtime allocates meanwhile.
func (w work) allocations() float64 {
	const runs = 10
	var before, after runtime.MemStats
	least := uint64(math.MaxUint64)
	for range runs {
		if w.prepare != nil {
			w.prepare()
		}
		runtime.ReadMemStats(&before)
		w.step()
		runtime.ReadMemStats(&after)
		least = min(least, after.Mallocs-before.Mallocs)
	}
	return float64(least)
}

// measure runs one case with a number of threads.
func (b *benchmark) measure(threads int) (m measurement) {
	m = measurement{Peer: ours, Case: b.name, Threads: threads}
	defer func() {
		if p := recover(); p != nil {
			m.Error = fmt.Sprint(p)
		}
	}()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(threads))
	// The peers' allocators are set to keep memory, which spares them page faults; for
	// ours that means to let more garbage gather before it is collected.
	defer debug.SetGCPercent(debug.SetGCPercent(400))
	tensor.Seed(1)
	dev, err := deviceOf(threads)
	if err != nil {
		m.Error = err.Error()
		return m
	}
	w := b.build(dev)
	runtime.GC() // of what building left
	each := float64(max(b.operators, 1))
	if b.once {
		steps, bytes := w.seldom()
		if w.close != nil {
			w.close()
		}
		m.Median, m.Min = steps.median()*1e3/each, steps.least()*1e3/each
		if bytes /= each; w.timed == nil || bytes > 0 {
			m.Bytes = &bytes
		}
		return m
	}
	steps, bases := w.sample(budget)
	m.Median, m.Min = steps.median()*1e3/each, steps.least()*1e3/each
	b.rates(&m)
	allocs := w.allocations() / each
	m.Allocs = &allocs
	if bases != nil {
		more := steps.median()/bases.median() - 1
		m.Overhead = &more
	}
	return m
}

// arrays are the arrays of numbers of threads. Programs use as many threads as Go does when they are compiled, and an
// array keeps its programs.
var arrays = map[int]*acap.Array{}

// deviceOf returns the device whose programs use a number of threads.
func deviceOf(threads int) (device.Device, error) {
	a := arrays[threads]
	if a == nil {
		m, err := machine.Load(acap.DefaultMachine)
		if err != nil {
			return nil, err
		}
		a = acap.New(m)
		arrays[threads] = a
	}
	return device.Configure(a, device.Config{}.WithReproducible(reproducible))
}

// rates fills in what a measured time means for the case.
func (b *benchmark) rates(m *measurement) {
	m.GFLOPS, m.GBPS = b.flops/m.Median/1e6, b.bytes/m.Median/1e6
}

// compare fills in the share of a limit, in GFLOP/s or GB/s; 0 is none.
func (m *measurement) compare(limit float64) {
	if m.Error == "" && limit > 0 {
		m.Share = max(m.GFLOPS, m.GBPS) / limit
	}
}
