package lazy

import (
	"fmt"
	"maps"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/lazy/metrics"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/trace"
)

// stats counts and times what a runtime does. Events of every barrier are counted without a lock; the counts of one run
// of a program are multiplied by its runs when somebody asks.
type stats struct {
	cachedCompile, barriers    metrics.Counter
	bytesTo, bytesFrom         metrics.Counter
	uncachedCompile, cuts      metrics.Counter
	varying, exactPrograms     metrics.Counter
	bucketElements, padding    metrics.Counter
	runs, again                metrics.Counter
	packs, packedBytes         metrics.Counter
	compile, execute, to, from metrics.Timer
	memory                     *residency

	mu         sync.Mutex
	calls      map[string]int64 // of programs that are gone, and of host calls outside programs
	reset      map[string]int64 // what is subtracted since the last reset
	recomputed map[string]int   // by source line
	repacked   map[string]int   // by the reason
	warnings   []string         // of compilations
}

// counters are the counters by the names that users see.
func (s *stats) counters() map[string]*metrics.Counter {
	return map[string]*metrics.Counter{
		"CachedCompile": &s.cachedCompile, "UncachedCompile": &s.uncachedCompile, "HiddenBarriers": &s.barriers,
		"TraceCuts": &s.cuts, "VaryingNumbers": &s.varying, "ExactPrograms": &s.exactPrograms,
		"ProgramRuns": &s.runs, "RecomputedCalls": &s.again, "PackedOperands": &s.packs, "PackedBytes": &s.packedBytes,
		"BucketElements": &s.bucketElements, "PaddingElements": &s.padding,
		"TransferToDeviceBytes": &s.bytesTo, "TransferFromDeviceBytes": &s.bytesFrom,
	}
}

// timers are the timers by the names that users see.
func (s *stats) timers() map[string]*metrics.Timer {
	return map[string]*metrics.Timer{
		"CompileTime": &s.compile, "ExecuteTime": &s.execute, "TransferToDeviceTime": &s.to, "TransferFromDeviceTime": &s.from,
	}
}

// trackedBytes is the size from which tensors of a device are counted as live. For smaller ones, to notice their end
// costs too much.
const trackedBytes = 4 << 10

// residency is how much the tensors of a device hold.
type residency struct{ tensors, bytes, peak atomic.Int64 }

// track counts the memory of a buffer, which may be a file's, until the collector frees the buffer.
func (m *residency) track(b *buf.Buffer) {
	n := len(b.Bytes())
	if m == nil || n < trackedBytes {
		return
	}
	m.tensors.Add(1)
	now := m.bytes.Add(int64(n))
	for peak := m.peak.Load(); now > peak && !m.peak.CompareAndSwap(peak, now); {
		peak = m.peak.Load()
	}
	runtime.AddCleanup(b.First(), func(n int64) {
		m.tensors.Add(-1)
		m.bytes.Add(-n)
	}, int64(n))
}

func (s *stats) compiled(d time.Duration) {
	s.uncachedCompile.Add(1)
	s.compile.Add(d)
}

func (s *stats) executed(d time.Duration, p *program) {
	s.execute.Add(d)
	s.runs.Add(1)
	p.runs.Add(1)
	if p.packs != nil {
		if packed := p.packs.TakePacked(); packed.Times != 0 {
			s.packed(p, packed)
		}
	}
	if p.fit != nil {
		s.bucketElements.Add(p.fit.elements)
		s.padding.Add(p.fit.padding)
	}
}

// fallback counts a call that ran on the host outside programs.
func (s *stats) fallback(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.calls == nil {
		s.calls = map[string]int64{}
	}
	s.calls[fallbackCounter(name)]++
}

// fallbackCounter is the name of the counter of an operator on the host: "aten::svd".
func fallbackCounter(name string) string { return "aten::" + strings.TrimPrefix(name, "aten.") }

// retire keeps the counts of a program that leaves the cache.
func (s *stats) retire(p *program) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.add(p)
}

func (s *stats) add(p *program) {
	if s.calls == nil {
		s.calls = map[string]int64{}
	}
	addCalls(s.calls, p)
}

func addCalls(to map[string]int64, p *program) {
	runs := p.runs.Load()
	for name, n := range p.calls {
		if runs > 0 {
			to[name] += n * runs
		}
	}
}

// warn keeps what went wrong while a program was compiled.
func (s *stats) warn(warnings []string) {
	if len(warnings) == 0 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.warnings = append(s.warnings, warnings...)
	s.warnings = s.warnings[max(len(s.warnings)-mostWarnings, 0):]
}

// exact keeps why a program with dynamic dimensions is not one of a bucket, each reason once.
func (s *stats) exact(why string) {
	s.exactPrograms.Add(1)
	s.warnOnce("a program with a dynamic dimension is compiled for its extent, as no bucket can serve it: " + why)
}

// warnOnce keeps a warning unless it is there already.
func (s *stats) warnOnce(text string) {
	s.mu.Lock()
	known := slices.Contains(s.warnings, text)
	s.mu.Unlock()
	if !known {
		s.warn([]string{text})
	}
}

// Warn adds a warning to [Metrics], once, such as what an imported model does that is left out.
func (r *Runtime) Warn(text string) { r.stats.warnOnce(text) }

// mostWarnings bounds the warnings that are kept; the oldest go first.
const mostWarnings = 1000

// recompute counts calls that an earlier program computed, and the values that they were computed again for.
func (s *stats) recompute(values []*trace.Node, calls int) {
	s.again.Add(int64(calls))
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.recomputed == nil {
		s.recomputed = map[string]int{}
	}
	for _, n := range values {
		file, line := n.Caller()
		s.recomputed[fmt.Sprintf("%s:%d", filepath.Base(file), line)]++
	}
}

// Metrics counts what a runtime did since it was made, or since [Runtime.ResetMetrics].
//
// Timers:
//   - CompileTime, ExecuteTime, TransferToDeviceTime.
//   - TransferFromDeviceTime includes the barrier.
//
// Counters:
//   - CachedCompile and UncachedCompile: barriers that found their program, and barriers that had to compile one.
//   - HiddenBarriers: barriers without a call of [Sync].
//   - TraceCuts: see [MaxPending].
//   - VaryingNumbers: Go numbers that became inputs of programs, because they vary.
//   - ProgramRuns: runs of programs.
//   - RecomputedCalls: calls that a program computed although an earlier program had, which kept no result of them.
//   - PackedOperands and PackedBytes: results of constants alone that programs keep, computed at the first run with
//     each set of weights, and weights that models packed for all their programs.
//   - BucketElements and PaddingElements: elements of inputs that were padded to a bucket, and how many are padding.
//   - ExactPrograms: programs with a dynamic dimension that no bucket can serve; Warnings say why.
//   - Bytes of transfers.
//   - "acap::<op>" and "aten::<op>": calls that ran on the device, as recorded, and calls that ran on the host instead.
//
// Gauges:
//   - LiveTensors, LiveBytes and PeakBytes, of tensors of 4 KiB and more.
//   - PendingNodes, in the traces of 256 calls and more.
//   - CachedPrograms and CachedBytes.
type Metrics struct {
	metrics.Snapshot

	CachedPrograms   int           // barriers that found their program
	CompiledPrograms int           // barriers that had to compile it
	CompileTime      time.Duration // total
	ExecuteTime      time.Duration // total
	Fallbacks        map[string]int
	Recomputed       map[string]int // values computed a second time, by source line
	Repacked         map[string]int // programs that packed weights again, by program and reason
	// Warnings name groups that could not be compiled, say why a program with dynamic dimensions has no bucket, and
	// what an imported model does that is left out, each once.
	Warnings []string
}

// Metrics returns the metrics of the device.
func (r *Runtime) Metrics() Metrics {
	s := &r.stats
	m := Metrics{Fallbacks: map[string]int{}}
	m.Timers = map[string]metrics.Times{}
	for name, t := range s.timers() {
		m.Timers[name] = t.Read()
	}
	s.mu.Lock()
	m.Counters = maps.Clone(s.calls)
	m.Recomputed = maps.Clone(s.recomputed)
	m.Repacked = maps.Clone(s.repacked)
	m.Warnings = slices.Clone(s.warnings)
	reset := maps.Clone(s.reset)
	s.mu.Unlock()
	if m.Counters == nil {
		m.Counters = map[string]int64{}
	}
	r.cache.each(func(p *program) bool { addCalls(m.Counters, p); return true })
	for name, n := range reset {
		if m.Counters[name] -= n; m.Counters[name] == 0 {
			delete(m.Counters, name)
		}
	}
	for name, n := range m.Counters {
		if op, ok := strings.CutPrefix(name, "aten::"); ok {
			m.Fallbacks["aten."+op] = int(n)
		}
	}
	for name, c := range s.counters() {
		m.Counters[name] = c.Value()
	}
	r.cache.mu.Lock()
	programs, held := r.cache.count, r.cache.held
	r.cache.mu.Unlock()
	m.Gauges = map[string]int64{"LiveTensors": s.memory.tensors.Load(), "LiveBytes": s.memory.bytes.Load(),
		"PeakBytes": s.memory.peak.Load(), "PendingNodes": int64(r.pending.pending()),
		"CachedPrograms": int64(programs), "CachedBytes": held}
	m.CachedPrograms, m.CompiledPrograms = int(s.cachedCompile.Value()), int(s.uncachedCompile.Value())
	m.CompileTime, m.ExecuteTime = m.Timers["CompileTime"].Total, m.Timers["ExecuteTime"].Total
	return m
}

// ResetMetrics starts counting and timing again, and the peak at what is live.
func (r *Runtime) ResetMetrics() {
	s := &r.stats
	calls := map[string]int64{}
	s.mu.Lock()
	s.recomputed, s.repacked, s.warnings = nil, nil, nil
	maps.Copy(calls, s.calls)
	s.mu.Unlock()
	r.cache.each(func(p *program) bool { addCalls(calls, p); return true })
	s.mu.Lock()
	s.reset = calls
	s.mu.Unlock()
	for _, c := range s.counters() {
		c.Reset()
	}
	for _, t := range s.timers() {
		t.Reset()
	}
	s.memory.peak.Store(s.memory.bytes.Load())
}

// String prints the report, and the lines at which a Sync would have kept a value that was
// computed twice.
func (m Metrics) String() string {
	var b strings.Builder
	b.WriteString(m.Report())
	for _, k := range slices.Sorted(maps.Keys(m.Recomputed)) {
		fmt.Fprintf(&b, "Recomputed at %s: %d (a Sync there would have kept it)\n", k, m.Recomputed[k])
	}
	for _, k := range slices.Sorted(maps.Keys(m.Repacked)) {
		fmt.Fprintf(&b, "Packed again: %s: %d times\n", k, m.Repacked[k])
	}
	for _, w := range m.Warnings {
		fmt.Fprintf(&b, "Warning: %s\n", w)
	}
	return b.String()
}

// FallbackOps returns the operators that ran on the host instead of a device, and how often.
func FallbackOps() map[string]int {
	all := map[string]int{}
	for _, r := range Runtimes() {
		if r.eager {
			continue
		}
		for name, n := range r.Metrics().Fallbacks {
			all[name] += n
		}
	}
	return all
}

// Received returns a leaf of the device's trace with data that came from elsewhere. It panics with an
// [ops.ArgError] if b is nil.
func (r *Runtime) Received(b *buf.Buffer) *trace.Node {
	if b == nil {
		trace.Raise(&ops.ArgError{Op: "Received", Detail: "there is no buffer"})
	}
	if !r.eager {
		start := time.Now()
		r.stats.memory.track(b)
		r.stats.bytesTo.Add(int64(len(b.Bytes())))
		r.pending.received(int64(len(b.Bytes())))
		r.stats.to.Add(time.Since(start))
	}
	return trace.Leaf(b)
}

// sent counts data that leaves the device.
func (r *Runtime) sent(v ops.Value, b *buf.Buffer, start time.Time) {
	if !r.eager {
		r.stats.bytesFrom.Add(int64(len(b.Bytes())))
		if !start.IsZero() {
			r.stats.from.Add(time.Since(start))
		}
	}
}
