package lazy

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/trace"
)

// Stats counts what a runtime did.
type Stats struct {
	mu sync.Mutex
	m  Metrics
}

// Metrics is a snapshot of a runtime's counters.
type Metrics struct {
	CachedPrograms   int           // barriers that found their program
	CompiledPrograms int           // barriers that had to compile it
	CompileTime      time.Duration // total
	ExecuteTime      time.Duration // total
	Fallbacks        map[string]int
	Recomputed       map[string]int // values computed a second time, by source line
}

// Metrics returns the counters.
func (r *Runtime) Metrics() Metrics {
	r.stats.mu.Lock()
	defer r.stats.mu.Unlock()
	m := r.stats.m
	m.Fallbacks, m.Recomputed = maps.Clone(m.Fallbacks), maps.Clone(m.Recomputed)
	return m
}

// String prints one counter a line, names sorted within a group.
func (m Metrics) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "CachedPrograms: %d\nCompiledPrograms: %d\n", m.CachedPrograms, m.CompiledPrograms)
	fmt.Fprintf(&b, "CompileTime: %v\nExecuteTime: %v\n", m.CompileTime, m.ExecuteTime)
	for _, k := range slices.Sorted(maps.Keys(m.Fallbacks)) {
		fmt.Fprintf(&b, "Fallback %s: %d\n", k, m.Fallbacks[k])
	}
	for _, k := range slices.Sorted(maps.Keys(m.Recomputed)) {
		fmt.Fprintf(&b, "Recomputed at %s: %d (a Sync there would have kept it)\n", k, m.Recomputed[k])
	}
	return b.String()
}

func (s *Stats) cached() {
	s.mu.Lock()
	s.m.CachedPrograms++
	s.mu.Unlock()
}

func (s *Stats) compiled(d time.Duration) {
	s.mu.Lock()
	s.m.CompiledPrograms++
	s.m.CompileTime += d
	s.mu.Unlock()
}

func (s *Stats) executed(d time.Duration, exe device.Executable) {
	s.mu.Lock()
	s.m.ExecuteTime += d
	s.mu.Unlock()
	for name, n := range exe.Fallbacks() {
		s.fallback(name, n)
	}
}

func (s *Stats) fallback(name string, n int) {
	s.mu.Lock()
	if s.m.Fallbacks == nil {
		s.m.Fallbacks = map[string]int{}
	}
	s.m.Fallbacks[name] += n
	s.mu.Unlock()
}

func (s *Stats) kept(nodes []*trace.Node) {
	s.mu.Lock()
	if s.m.Recomputed == nil {
		s.m.Recomputed = map[string]int{}
	}
	for _, n := range nodes {
		file, line := n.Caller()
		s.m.Recomputed[fmt.Sprintf("%s:%d", filepath.Base(file), line)]++
	}
	s.mu.Unlock()
}
