package main

import (
	"math"
	"math/bits"
	"runtime"
	"sync"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel/x86/peak"
)

// limits is what the machine can do. Rates are of median times, like the cases'.
// Bandwidth, of copies, is measured once for a number of threads and a number of
// bytes, since it is the level of the memory that holds a case's data that bounds it.
type limits struct{ gbps map[[2]int]float64 }

// of is the limit that a case runs against, in GFLOP/s or GB/s, 0 if there is none.
// The rate of arithmetic is measured anew each time: the clock of a shared machine
// changes by a quarter within seconds.
func (l *limits) of(b *benchmark, threads int) float64 {
	switch {
	case b.flops > 0:
		return parallelRate(threads, multiplyAdd)
	case b.bytes > 0:
		return l.bandwidth(threads, b.bytes)
	}
	return 0
}

// bandwidth is the bandwidth of copies, in GB/s, for as much traffic as a case has, up to a power of two.
func (l *limits) bandwidth(threads int, traffic float64) float64 {
	key := [2]int{threads, bits.Len(uint(math.Ceil(traffic)) - 1)}
	if v, ok := l.gbps[key]; ok {
		return v
	}
	if l.gbps == nil {
		l.gbps = map[[2]int]float64{}
	}
	l.gbps[key] = parallelRate(threads, func() (func(), float64) { return copies(1 << key[1] / threads / 2) })
	return l.gbps[key]
}

// parallelRate is the sum over threads of work per second, in units of 10⁹.
func parallelRate(threads int, loop func() (f func(), work float64)) float64 {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(threads))
	rates := make([]float64, threads)
	var wait sync.WaitGroup
	for i := range rates {
		wait.Add(1)
		go func() {
			defer wait.Done()
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			f, amount := loop()
			steps, _ := work{step: f}.sample(budget / 4)
			rates[i] = amount / steps.median() / 1e9
		}()
	}
	wait.Wait()
	sum := 0.0
	for _, r := range rates {
		sum += r
	}
	return sum
}

// multiplyAdd is the loop of independent multiply-adds; it does nothing where no
// code can be generated.
func multiplyAdd() (func(), float64) {
	l, err := peak.MultiplyAdd()
	if err != nil {
		return func() {}, 0
	}
	return l.Run, l.Work
}

// copies copies n bytes; the traffic is a read and a write of each.
func copies(n int) (func(), float64) {
	from, to := buf.New(dtype.U8, []int{n}), buf.New(dtype.U8, []int{n})
	for i := range n {
		from.Bytes()[i] = byte(i) // a page that was never written is no memory yet
	}
	return func() { copy(to.Bytes(), from.Bytes()) }, 2 * float64(n)
}
