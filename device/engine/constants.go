package engine

import (
	"encoding/hex"
	"fmt"
	"sync/atomic"
	"unsafe"

	"github.com/go-acap/acap/device/kernel"
	"github.com/go-acap/acap/device/kernel/parallel"
	"github.com/go-acap/acap/device/plan"
	"github.com/go-acap/acap/device/store"
	"github.com/go-acap/acap/tensor/buf"
)

// constantsKind is the kind of entry that what a program computes once is in the cache on disk.
const constantsKind = "constants"

// leastConstants is how many bytes are worth an entry: fewer are computed sooner than found.
const leastConstants = 1 << 20

// constant is memory that a binding fills once: the fixed values, or a port in its packed form.
type constant struct {
	step, port, bytes int // step -1: the fixed values
	data              []byte
}

// parts lists the memory of a binding, without data.
func (p *Program) parts() (list []constant, total int) {
	list = append(list, constant{step: -1, bytes: p.fixedBytes})
	for i, s := range p.steps {
		for _, k := range s.packed {
			list = append(list, constant{i, k.port, k.bytes, nil})
			total += k.bytes
		}
	}
	return list, total + p.fixedBytes
}

// use makes a part the binding's.
func (b *binding) use(m constant) {
	if m.step < 0 {
		b.fixed = m.data
		return
	}
	if b.packed[m.step] == nil {
		b.packed[m.step] = make([]unsafe.Pointer, len(b.p.steps[m.step].slots))
	}
	b.memory = append(b.memory, m.data)
	b.packed[m.step][m.port] = unsafe.Pointer(unsafe.SliceData(m.data))
}

// pack fills a part from the port as a run has it.
func (f *frame) pack(m constant) {
	s := f.b.p.steps[m.step]
	s.code.(kernel.Packer).Pack(m.port, f.b.packed[m.step][m.port], f.ptrs[s.ptrs+m.port])
}

// saved is where the cache on disk has what the program computes once from some inputs.
type saved struct {
	disk *store.Store
	key  string
}

// saved returns nil if that is not to be kept.
func (p *Program) saved(inputs []*buf.Buffer, list []constant, total int) *saved {
	disk := store.Default()
	if disk == nil || !p.native || total < leastConstants || int64(total) > disk.Limit()/2 {
		return nil
	}
	for _, m := range list {
		if m.bytes > store.MostEntry {
			return nil
		}
	}
	encoded, err := p.Encode()
	if err != nil {
		return nil
	}
	digests := make([][32]byte, 1+len(p.consts))
	parallel.For(len(digests), func(i int) {
		if i == 0 {
			digests[0] = store.Digest(encoded)
			return
		}
		digests[i] = store.Digest(inputs[p.consts[i-1]].Bytes())
	})
	var all []byte
	for _, d := range digests {
		all = append(all, d[:]...)
	}
	sum := store.Digest(all)
	return &saved{disk, plan.Processor() + "\n" + hex.EncodeToString(sum[:])}
}

func (s *saved) of(i int) string { return fmt.Sprintf("%s %d", s.key, i) }

// load reads all parts, or reports that some are missing.
func (s *saved) load(list []constant) bool {
	var missing atomic.Bool
	parallel.For(len(list), func(i int) {
		if list[i].bytes == 0 || missing.Load() {
			return
		}
		data, ok := s.disk.Get(constantsKind, s.of(i))
		if !ok || len(data) != list[i].bytes {
			missing.Store(true)
			return
		}
		list[i].data = data
	})
	return !missing.Load()
}

// titleOf names a part for people.
func (p *Program) titleOf(m *constant) string {
	if m.step < 0 {
		return fmt.Sprintf("what %d kernels compute once from weights", len(p.steps))
	}
	s := p.steps[m.step]
	port := s.kernel.Ports()[m.port]
	title := fmt.Sprintf("packed operand %d of %s, %d elements of %v", m.port, s.from[0].op, port.Len, port.DType)
	if at := s.from[0].loc.Short(); at != "" {
		title += ", from " + at
	}
	return title
}

func (s *saved) store(p *Program, list []constant) {
	parallel.For(len(list), func(i int) {
		if list[i].bytes > 0 {
			s.disk.Put(constantsKind, s.of(i), p.titleOf(&list[i]), list[i].data)
		}
	})
}
