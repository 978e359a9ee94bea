package placement

import (
	"crypto/sha256"
	"encoding/hex"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap/describe"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/timing"
	"github.com/go-acap/acap/device/acap/workload"
	"github.com/go-acap/acap/kernel"
)

// Array is the array that kernels are placed on.
type Array struct {
	Machine *machine.Machine
	Packed  bool // weights are packed by the host, whatever the machine multiplies
	Outside bool // what passes from launch to launch does so in the memory outside
	Inputs  int  // in a row, that a run of an account is about
	// Told, if it is not nil, is called by several goroutines while kernels are mapped. Kernels that are alike are one
	// kind and are mapped once; mapped of all kinds are done.
	Told func(mapped, kinds int)

	hash sync.Once
	name string // see Identity
}

// describe returns what a kernel asks of the array; in place its result has the memory of what it replaces. Where it is
// the array that turns bf16 to block floating point, in registers, constant operands are not packed so in memory.
func (a *Array) describe(name string, k kernel.Kernel, inPlace bool) (*workload.Kernel, error) {
	of := describe.Kernel
	if inPlace {
		of = describe.InPlace
	}
	w, err := of(name, k)
	if err == nil {
		w = timing.Stored(a.Machine, w)
	}
	if err != nil || !a.Machine.Compute.Emulate || a.Packed || w.Kind != workload.KindContraction {
		return w, err
	}
	for _, o := range []*workload.Operand{&w.Contraction.A, &w.Contraction.B} {
		if o.DType == dtype.BF16 && o.Format == dtype.BFP16 {
			o.Format, o.Rounded = dtype.Plain, dtype.BFP16
		}
	}
	return w, nil
}

// place maps kernels, those that are alike once, on all processors.
func (a *Array) place(all []Kernel, given Mappings) {
	alike := make(map[string][]*Kernel)
	var order []string
	for i := range all {
		q := &all[i]
		if q.err != nil {
			continue
		}
		key := q.work.Key()
		if alike[key] == nil {
			order = append(order, key)
		}
		alike[key] = append(alike[key], q)
	}
	next := make(chan string)
	var wait sync.WaitGroup
	var mapped atomic.Int64
	tell := func(more int64) {
		if n := mapped.Add(more); a.Told != nil {
			a.Told(int(n), len(order))
		}
	}
	tell(0)
	for range min(len(order), runtime.GOMAXPROCS(0)) {
		wait.Add(1)
		go func() {
			defer wait.Done()
			for key := range next {
				same := alike[key]
				choice, err := a.mapKernel(key, same[0], given)
				for _, q := range same {
					q.mapped, q.choice, q.err = choice, choice, err
				}
				tell(1)
			}
		}()
	}
	for _, key := range order {
		next <- key
	}
	close(next)
	wait.Wait()
}

// Identity tells machines apart by all that is known of them.
func (a *Array) Identity() string {
	a.hash.Do(func() {
		h := sha256.New()
		if err := a.Machine.WriteJSON(h); err != nil {
			panic("BUG: placement: " + err.Error())
		}
		a.name = a.Machine.Name + " " + hex.EncodeToString(h.Sum(nil)) + "\n"
	})
	return a.name
}
