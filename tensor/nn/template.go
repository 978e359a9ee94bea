package nn

import (
	"slices"
	"sync"

	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/trace"
)

// templates are the calls that an imported model has recorded, by what they depend on. A call of the model with inputs
// of the same kind records them again, which costs a small part of walking through the file.
type templates struct {
	mu sync.Mutex
	of map[ops.Hash]*recordedCalls
}

// mostTemplates bounds the templates of one kind of inputs, which differ in what the model has read of them, and
// mostKinds the kinds of inputs.
const (
	mostTemplates = 8
	mostKinds     = 64
)

// recordedCalls are the templates for one kind of inputs.
type recordedCalls struct {
	list  []noted // the one that served last comes first
	tries int
	used  []usedWeight // by the last call that walked through the file
}

// noted is a template with the weights that it uses, which may differ from side to side of a condition.
type noted struct {
	template *trace.Template
	used     []usedWeight
}

// usedWeight is a parameter with the value that a call has taken.
type usedWeight struct {
	handle *tensor.Tensor
	value  ops.Value
}

func current(used []usedWeight) bool {
	for _, w := range used {
		if _, v := w.handle.Trace(); v != w.value {
			return false
		}
	}
	return true
}

// kindOf is a hash of what the calls of a model depend on, beside its weights and what it reads.
func kindOf(inputs []ops.Value) ops.Hash {
	h := ops.Hash{Hi: uint64(len(inputs))}
	if trace.NoGradient() {
		h = h.Mix(1)
	}
	for i, v := range inputs {
		n, result := trace.Of(v)
		h = n.Signature(result, h).Mix(uint64(result))
		if n.NeedsGrad() {
			h = h.Mix(1)
		}
		for k, w := range inputs[:i] {
			if m, _ := trace.Of(w); m == n {
				h = h.Mix(uint64(k))
			}
		}
	}
	return h
}

// find returns the templates for a kind of inputs, none if a weight has changed. It also reports whether a call that
// walks through the file is to be noted: a call whose weights differ from the weights of the call before is a step of a
// training.
func (t *templates) find(kind ops.Hash) (list []noted, note bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	of := t.of[kind]
	switch {
	case of == nil:
		return nil, true
	case !current(of.used) || slices.ContainsFunc(of.list, func(n noted) bool { return !current(n.used) }):
		of.list, of.tries = nil, 0
		return nil, false
	}
	return of.list, of.tries < mostTemplates
}

// served has a template be the first to be tried.
func (t *templates) served(kind ops.Hash, template *trace.Template) {
	t.mu.Lock()
	defer t.mu.Unlock()
	of := t.of[kind]
	if of == nil {
		return
	}
	if i := slices.IndexFunc(of.list, func(n noted) bool { return n.template == template }); i > 0 {
		others := slices.Delete(slices.Clone(of.list), i, i+1) // somebody may be trying the templates of the list
		of.list = append([]noted{of.list[i]}, others...)
	}
}

// add keeps what a call has recorded.
func (t *templates) add(kind ops.Hash, template *trace.Template, used []usedWeight) {
	t.mu.Lock()
	defer t.mu.Unlock()
	of := t.of[kind]
	if of == nil {
		if t.of == nil || len(t.of) >= mostKinds {
			t.of = map[ops.Hash]*recordedCalls{}
		}
		of = &recordedCalls{}
		t.of[kind] = of
	}
	of.used = used
	if of.tries++; template != nil {
		of.list = append([]noted{{template, used}}, of.list...)
	}
}

// forget notes the weights of a call that has not been noted.
func (t *templates) forget(kind ops.Hash, used []usedWeight) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if of := t.of[kind]; of != nil && !slices.Equal(of.used, used) {
		of.list, of.used, of.tries = nil, used, 0
	}
}

// record records the model's computation. If there was an earlier call of its kind, it records that computation again.
func (m *imported) record(inputs []ops.Value) (results []ops.Value, err error) {
	r := &recorder{Runtime: m.runtime, model: m}
	if e, ok := m.runtime.Device().(device.Eager); ok && e.Eager() {
		return m.walk(r, inputs)
	}
	kind := kindOf(inputs)
	list, note := m.templates.find(kind)
	for i, t := range list {
		results, ok, err := t.template.Replay(inputs, r)
		if ok && i > 0 {
			m.templates.served(kind, t.template)
		}
		if ok || err != nil {
			return results, err
		}
	}
	if !note {
		results, err = m.walk(r, inputs)
		if err == nil {
			m.templates.forget(kind, r.used)
		}
		return results, err
	}
	r.recording = trace.Recorded(inputs, func(of *trace.Recording) {
		r.recording = of
		results, err = m.walk(r, inputs)
	})
	if err != nil {
		return nil, err
	}
	template := r.recording.Template(results)
	m.templates.add(kind, template, r.used)
	if template != nil && template.Keeps() {
		again, ok, err := template.Replay(inputs, &recorder{Runtime: m.runtime, model: m})
		if err != nil {
			return nil, err
		}
		if ok {
			r.recording.Abandon()
			return again, nil
		}
	}
	return results, nil
}

// walk goes through the file.
func (m *imported) walk(r *recorder, inputs []ops.Value) (results []ops.Value, err error) {
	m.unnamed.begin()
	trace.Within("", func() { results, err = m.forward(r, inputs) })
	return results, err
}
