package lazytest

import (
	"errors"
	"flag"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-acap/acap/base/atomicfile"
	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/lazy/metrics"
)

// TB is the part of [testing.TB] that the functions need.
type TB interface {
	Helper()
	Fatalf(format string, args ...any)
}

// Compiles runs f and fails unless it compiles at most n programs on the device.
func Compiles(t TB, dev device.Device, n int, f func()) {
	t.Helper()
	r := lazy.For(dev)
	before, known := r.Metrics().Snapshot, len(r.WhyRecompiled())
	f()
	got := int(r.Metrics().Snapshot.Sub(before).Counters["UncachedCompile"])
	if got <= n {
		return
	}
	why := r.WhyRecompiled()
	if got < len(why) || known < len(why) {
		why = why[max(len(why)-got, 0):]
	}
	t.Fatalf("%d programs were compiled, at most %d are allowed:\n%v", got, n, why)
}

// Metrics runs f and returns the device's counts of that time.
func Metrics(dev device.Device, f func()) metrics.Snapshot {
	r := lazy.For(dev)
	before := r.Metrics().Snapshot
	f()
	return r.Metrics().Snapshot.Sub(before)
}

// NoSync runs f and fails if it has a hidden barrier; see [lazy.NoSync].
func NoSync(t TB, f func()) {
	t.Helper()
	if err := lazy.NoSync(f); err != nil {
		t.Fatalf("%v", err)
	}
}

// NoFallbacks runs f and fails if a call runs on the host instead of the device.
func NoFallbacks(t TB, dev device.Device, f func()) {
	t.Helper()
	counters := Metrics(dev, f).Counters
	for _, name := range slices.Sorted(maps.Keys(counters)) {
		if op, ok := strings.CutPrefix(name, "aten::"); ok {
			t.Fatalf("%s ran on the host, %d times", op, counters[name])
		}
	}
}

// NoRepacking runs f and fails if a program on the device computes something from constants alone, such as the packed
// form of weights: each does so once, at its first run. f makes later runs, such as the second call of a model.
func NoRepacking(t TB, dev device.Device, f func()) {
	t.Helper()
	r := lazy.For(dev)
	before := r.Metrics()
	f()
	after := r.Metrics()
	counters := after.Snapshot.Sub(before.Snapshot).Counters
	if counters["PackedOperands"] == 0 && counters["PackedBytes"] == 0 {
		return
	}
	why := "a program ran for the first time"
	for _, reason := range slices.Sorted(maps.Keys(after.Repacked)) {
		if after.Repacked[reason] > before.Repacked[reason] {
			why = reason
			break
		}
	}
	t.Fatalf("%d operands were packed, %s of constants in all: %s", counters["PackedOperands"],
		buf.Size(counters["PackedBytes"]), why)
}

// NoRecomputing runs f and fails if a program on the device computes a call again that an earlier program computed,
// because no result of the call was kept.
func NoRecomputing(t TB, dev device.Device, f func()) {
	t.Helper()
	r := lazy.For(dev)
	before := r.Metrics()
	f()
	after := r.Metrics()
	calls := after.Snapshot.Sub(before.Snapshot).Counters["RecomputedCalls"]
	if calls == 0 {
		return
	}
	var lines []string
	for _, at := range slices.Sorted(maps.Keys(after.Recomputed)) {
		if after.Recomputed[at] > before.Recomputed[at] {
			lines = append(lines, at)
		}
	}
	t.Fatalf("%d calls were computed again, for values of %s; a lazy.Sync there would have kept them", calls, strings.Join(lines, ", "))
}

// Runs runs f and fails unless it runs at most n programs on the device: what is computed again, or piece by piece,
// runs more.
func Runs(t TB, dev device.Device, n int, f func()) {
	t.Helper()
	if got := Metrics(dev, f).Counters["ProgramRuns"]; got > int64(n) {
		t.Fatalf("%d programs ran, at most %d are allowed", got, n)
	}
}

// MaxKernels fails if computing the pending values takes more than n kernels and calls on
// the host, not counting what is computed once from weights. Nothing runs.
func MaxKernels(t TB, n int, values ...lazy.Value) {
	t.Helper()
	e, ok := explain(t, values)
	if !ok {
		return
	}
	count := 0
	for _, k := range e.Kernels {
		if !k.Once {
			count++
		}
	}
	if count > n {
		t.Fatalf("%d kernels, at most %d are allowed:\n%v", count, n, e)
	}
}

// PeakBytes fails if computing the pending values takes more than the given bytes beside
// its inputs. Nothing runs.
func PeakBytes(t TB, bytes int64, values ...lazy.Value) {
	t.Helper()
	if e, ok := explain(t, values); ok && e.Peak > bytes {
		t.Fatalf("the peak is %s, at most %s are allowed:\n%v", buf.Size(e.Peak), buf.Size(bytes), e)
	}
}

func explain(t TB, values []lazy.Value) (*lazy.Explanation, bool) {
	t.Helper()
	e, err := lazy.Explain(values...)
	if err != nil {
		t.Fatalf("%v", err)
	}
	return e, err == nil
}

// update has [Golden] write files; `go test -update` sets it. Tests that use this package
// and have golden files of their own look the flag up instead of defining it again.
func update() bool {
	f := flag.Lookup("update")
	return f != nil && f.Value.String() == "true"
}

func init() {
	if flag.Lookup("update") == nil {
		flag.Bool("update", false, "write golden files")
	}
}

// Golden compares a stage of the pending values' program with a file, such as
// testdata/step.mlir. With -update it writes the file. Nothing runs.
func Golden(t TB, file string, stage lazy.Stage, values ...lazy.Value) {
	t.Helper()
	text, err := lazy.MLIRAt(stage, values...)
	if err != nil {
		t.Fatalf("%v", err)
		return
	}
	if update() {
		err := os.MkdirAll(filepath.Dir(file), 0o777)
		if err == nil {
			err = atomicfile.WriteBytes(file, []byte(text))
		}
		if err != nil {
			t.Fatalf("%v", err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if errors.Is(err, os.ErrNotExist) {
		t.Fatalf("%s does not exist; `go test -update` writes it", file)
		return
	}
	if err != nil {
		t.Fatalf("%v", err)
		return
	}
	if line, have, wanted := differ(string(text), string(want)); line > 0 {
		t.Fatalf("%s:%d differs (`go test -update` writes it)\n have %s\n want %s", file, line, have, wanted)
	}
}

// differ returns the first line that differs, from 1, or 0.
func differ(have, want string) (line int, h, w string) {
	a, b := strings.Split(have, "\n"), strings.Split(want, "\n")
	for i := range max(len(a), len(b)) {
		h, w = "nothing", "nothing"
		if i < len(a) {
			h = a[i]
		}
		if i < len(b) {
			w = b[i]
		}
		if i >= len(a) || i >= len(b) || h != w {
			return i + 1, h, w
		}
	}
	return 0, "", ""
}
