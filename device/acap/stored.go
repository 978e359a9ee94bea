package acap

import (
	"bytes"
	"crypto/sha256"
	"encoding/gob"
	"encoding/hex"

	"github.com/go-acap/acap/device/acap/mapper"
	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/timing"
	"github.com/go-acap/acap/device/acap/workload"
	"github.com/go-acap/acap/device/store"
)

// storedChoice is what a search for a mapping found out, as a cache on disk keeps it.
type storedChoice struct {
	Mapping       mapping.Mapping
	Timing        timing.Timing
	Runners       []mapper.Candidate
	Rejected      []mapper.Rejection
	Legal, Pruned int
}

// mapKernel maps a kernel onto the machine and verifies the program, or takes both from the cache on
// disk, which has only what was verified.
func (a *Array) mapKernel(key string, w *workload.Kernel) (*mapper.Choice, error) {
	disk := store.Default()
	if disk != nil {
		key = a.identity() + key
		if data, ok := disk.Get("mapping", key); ok {
			var s storedChoice
			if gob.NewDecoder(bytes.NewReader(data)).Decode(&s) == nil {
				return &mapper.Choice{Machine: a.machine, Kernel: w, Mapping: s.Mapping, Timing: s.Timing,
					Runners: s.Runners, Rejected: s.Rejected, Legal: s.Legal, Pruned: s.Pruned}, nil
			}
		}
	}
	choice, err := mapper.Map(a.machine, w)
	if err == nil {
		err = choice.Verify()
	}
	if err != nil || disk == nil {
		return choice, err
	}
	var b bytes.Buffer
	s := storedChoice{choice.Mapping, choice.Timing, choice.Runners, choice.Rejected, choice.Legal, choice.Pruned}
	if gob.NewEncoder(&b).Encode(&s) == nil {
		disk.Put("mapping", key, b.Bytes())
	}
	return choice, nil
}

// identity tells machines apart by all that is known of them.
func (a *Array) identity() string {
	a.hash.Do(func() {
		h := sha256.New()
		if err := a.machine.WriteJSON(h); err != nil {
			panic("BUG: acap: " + err.Error())
		}
		a.name = a.machine.Name + " " + hex.EncodeToString(h.Sum(nil)) + "\n"
	})
	return a.name
}
