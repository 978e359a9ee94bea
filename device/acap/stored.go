package acap

import (
	"bytes"
	"crypto/sha256"
	"encoding/gob"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/go-acap/acap/device/acap/mapper"
	"github.com/go-acap/acap/device/acap/workload"
	"github.com/go-acap/acap/device/compiler"
	"github.com/go-acap/acap/device/store"
)

// storedKernel is a choice with the key of its kernel.
type storedKernel struct {
	Key    string
	Choice mapper.Stored
}

// Mappings returns the mappings of the program's kernels, to be stored: the same bytes for the same mappings.
func (p *Program) Mappings() ([]byte, error) {
	var all []storedKernel
	for _, q := range p.mapped() {
		if q.err == nil {
			all = append(all, storedKernel{q.work.Key(), q.mapped.Stored()})
		}
	}
	byKey := func(a, b storedKernel) int { return strings.Compare(a.Key, b.Key) }
	slices.SortStableFunc(all, byKey)
	all = slices.CompactFunc(all, func(a, b storedKernel) bool { return byKey(a, b) == 0 })
	var b bytes.Buffer
	err := gob.NewEncoder(&b).Encode(all)
	return b.Bytes(), err
}

// Adopt makes a program of the array of one that was compiled before, with what [Program.Mappings]
// returned for a machine that is the same in all that is known of it; nil if there is none.
func (a *Array) Adopt(exe *compiler.Executable, mappings []byte) (*Program, error) {
	p := &Program{Executable: exe, array: a, placements: &placements{}}
	if mappings == nil {
		return p, nil
	}
	var all []storedKernel
	if err := gob.NewDecoder(bytes.NewReader(mappings)).Decode(&all); err != nil {
		return nil, err
	}
	p.given = make(map[string]mapper.Stored, len(all))
	for _, k := range all {
		p.given[k.Key] = k.Choice
	}
	return p, nil
}

// Identity tells machines apart by all that is known of them.
func (a *Array) Identity() string { return a.identity() }

// mapKernel maps a kernel onto the machine and verifies the program, or takes the mapping from what is given or the cache on
// disk and verifies that.
func (a *Array) mapKernel(key string, q *placement, given map[string]mapper.Stored) (*mapper.Choice, error) {
	w := q.work
	if s, ok := given[key]; ok {
		if c, err := a.restore(w, s); err == nil {
			return c, nil
		}
	}
	disk := store.Default()
	if disk != nil {
		key = a.identity() + key
		if data, ok := disk.Get("mapping", key); ok {
			var s mapper.Stored
			if gob.NewDecoder(bytes.NewReader(data)).Decode(&s) == nil {
				if c, err := a.restore(w, s); err == nil {
					return c, nil
				}
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
	s := choice.Stored()
	if gob.NewEncoder(&b).Encode(&s) == nil {
		disk.Put("mapping", key, a.machine.Name+" "+q.title(), b.Bytes())
	}
	return choice, nil
}

// restore is [mapper.Restore] of what a file says. A mapping that the models of programs and of time cannot take, though its
// check does, is an error as well: what is in a file must not end the process.
func (a *Array) restore(w *workload.Kernel, s mapper.Stored) (c *mapper.Choice, err error) {
	defer func() {
		if p := recover(); p != nil {
			c, err = nil, fmt.Errorf("acap: mapping %v of a file: %v", s.Mapping, p)
		}
	}()
	return mapper.Restore(a.machine, w, s)
}

// title names a kernel for people.
func (q *placement) title() string {
	title := q.work.Kind.String() + " " + q.work.Extents()
	if at := where(q.kernel); at != "" {
		title += ", from " + at
	}
	return title
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
