package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"math"
	"runtime"
	"slices"
	"strings"

	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/native"
	"github.com/go-acap/acap/tensor"
)

// generators prints, for each generator of code, how many different kernels of the cases and of models the generator
// takes, and what one costs: microseconds, bytes and allocations on the heap.
func generators(args []string, out io.Writer) error {
	l := newListing("generators")
	target := l.f.String("target", "avx2", "the processor: avx2, avx512 or amx")
	rounds := l.f.Int("rounds", 5, "the least time of this many rounds counts")
	if err := l.f.Parse(args); err != nil {
		return err
	}
	if *rounds < 1 {
		return fmt.Errorf("-rounds %d: at least one", *rounds)
	}
	i := slices.IndexFunc(targets, func(t processor) bool { return t.name == *target })
	if i < 0 {
		return fmt.Errorf("-target %s: not one of avx2, avx512 and amx", *target)
	}
	found := map[string]kernel.Kernel{} // by text
	add := func(_ string, programs []string) error {
		for _, program := range programs {
			for _, text := range split(program) {
				if found[text] != nil {
					continue
				}
				k, err := kernel.Parse(text)
				if err != nil {
					return err
				}
				found[text] = k
			}
		}
		return nil
	}
	if err := l.each(add); err != nil {
		return err
	}
	programs, err := others()
	if err != nil {
		return err
	}
	if err := add("", programs); err != nil {
		return err
	}
	groups := map[string][]kernel.Kernel{} // by generator
	for _, text := range slices.Sorted(maps.Keys(found)) {
		code, err := native.CompileFor(found[text], targets[i].Features)
		if err != nil {
			return err
		}
		name, _, _ := strings.Cut(strings.TrimPrefix(fmt.Sprintf("%T", code), "*"), ".")
		code.Close()
		groups[name] = append(groups[name], found[text])
	}
	fmt.Fprintf(out, "%-12s %8s %10s %10s %10s\n", "generator", "kernels", "µs", "bytes", "allocs")
	for _, name := range slices.Sorted(maps.Keys(groups)) {
		c := costOf(groups[name], targets[i].Features, *rounds)
		n := float64(len(groups[name]))
		fmt.Fprintf(out, "%-12s %8d %10.1f %10.0f %10.0f\n", name, len(groups[name]), c.seconds*1e6/n, c.bytes/n, c.allocs/n)
	}
	return nil
}

// others returns programs with kernels that no case has: scans, scatters and random numbers.
func others() ([]string, error) {
	l := &listening{Device: acap.Device()}
	err := tensor.Try(func() {
		x := tensor.Randn(60, 70).To(l)
		for dim := range 2 {
			check(tensor.Sync(context.Background(), x.Cumsum(dim), x.Cumprod(dim), x.Sin().RandLike().Add(x)))
		}
		rows := tensor.ArangeOf[int64](0, 30, 1).To(l)
		check(tensor.Sync(context.Background(), x.IndexAdd(0, rows, x.Narrow(0, 0, 30))))
	})
	return l.kernels, err
}

// cost is what the compilation of some kernels takes.
type cost struct{ seconds, bytes, allocs float64 }

// costOf compiles kernels several times; the least counts.
func costOf(kernels []kernel.Kernel, f cpu.Features, rounds int) cost {
	least := cost{math.Inf(1), math.Inf(1), math.Inf(1)}
	var before, after runtime.MemStats
	for range rounds {
		runtime.GC()
		runtime.ReadMemStats(&before)
		begin := clock()
		for _, k := range kernels {
			code, err := native.CompileFor(k, f)
			check(err)
			code.Close()
		}
		least.seconds = min(least.seconds, (clock() - begin).Seconds())
		runtime.ReadMemStats(&after)
		least.bytes = min(least.bytes, float64(after.TotalAlloc-before.TotalAlloc))
		least.allocs = min(least.allocs, float64(after.Mallocs-before.Mallocs))
	}
	return least
}
