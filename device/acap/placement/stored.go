package placement

import (
	"bytes"
	"encoding/gob"
	"fmt"
	"slices"
	"strings"

	"github.com/go-acap/acap/device/acap/mapper"
	"github.com/go-acap/acap/device/acap/workload"
	"github.com/go-acap/acap/device/store"
)

// storedKernel is a choice with the key of its kernel.
type storedKernel struct {
	Key    string
	Choice mapper.Stored
}

// Mappings are mappings that were stored, by the keys of kernels.
type Mappings map[string]mapper.Stored

// Stored returns the mappings of the kernels, to be stored: the same bytes for the same mappings. An error is one of
// package gob.
func (p *Plan) Stored() ([]byte, error) {
	var all []storedKernel
	for _, q := range p.placed {
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

// ReadMappings reads the bytes that [Plan.Stored] returned for an equal machine. Other bytes are an error.
func ReadMappings(data []byte) (Mappings, error) {
	var all []storedKernel
	if err := gob.NewDecoder(bytes.NewReader(data)).Decode(&all); err != nil {
		return nil, err
	}
	given := make(Mappings, len(all))
	for _, k := range all {
		given[k.Key] = k.Choice
	}
	return given, nil
}

// mapKernel maps a kernel onto the machine and verifies the program, or takes the mapping from what is given or the
// cache on disk and verifies that.
func (a *Array) mapKernel(key string, q *Kernel, given Mappings) (*mapper.Choice, error) {
	w := q.work
	if s, ok := given[key]; ok {
		if c, err := a.restore(w, s); err == nil {
			return c, nil
		}
	}
	disk := store.Default()
	if disk != nil {
		key = a.Identity() + key
		if data, ok := disk.Get("mapping", key); ok {
			var s mapper.Stored
			if gob.NewDecoder(bytes.NewReader(data)).Decode(&s) == nil {
				if c, err := a.restore(w, s); err == nil {
					return c, nil
				}
			}
		}
	}
	choice, err := mapper.Map(a.Machine, w)
	if err == nil {
		err = choice.Verify()
	}
	if err != nil || disk == nil {
		return choice, err
	}
	var b bytes.Buffer
	s := choice.Stored()
	if gob.NewEncoder(&b).Encode(&s) == nil {
		disk.Put("mapping", key, a.Machine.Name+" "+q.title(), b.Bytes())
	}
	return choice, nil
}

// restore is [mapper.Restore] of what a file says. A mapping that the models of programs and of time cannot take,
// though its check does, is an error as well: what is in a file must not end the process.
func (a *Array) restore(w *workload.Kernel, s mapper.Stored) (c *mapper.Choice, err error) {
	defer func() {
		if p := recover(); p != nil {
			c, err = nil, fmt.Errorf("placement: mapping %v of a file: %v", s.Mapping, p)
		}
	}()
	return mapper.Restore(a.Machine, w, s)
}

// title names a kernel for people.
func (q *Kernel) title() string {
	title := q.work.Kind.String() + " " + q.work.Extents()
	if at := where(q.kernel); at != "" {
		title += ", from " + at
	}
	return title
}
