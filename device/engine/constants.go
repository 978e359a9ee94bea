package engine

import (
	"encoding/hex"
	"fmt"
	"slices"
	"unsafe"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/wire"
	"github.com/go-acap/acap/device/plan"
	"github.com/go-acap/acap/device/store"
)

// constantsKind is the kind of entry that what a program computes once is in the cache on disk.
const constantsKind = "constants"

// leastConstants is how many bytes are worth an entry: fewer are computed sooner than found.
const leastConstants = 1 << 20

// constant is a part of the memory that a binding fills once: the fixed values, or a port in its packed form.
type constant struct {
	step, port, at, bytes int  // step -1: the fixed values
	again                 bool // the memory is the memory of a part before it
}

// parts lists what a binding fills once, and how much memory it takes. Steps that pack the same operand alike, such as
// the turns of a loop, share its packed form.
func (p *Program) parts() (list []constant, total int) {
	add := func(step, port, bytes int) {
		list = append(list, constant{step: step, port: port, at: total, bytes: bytes})
		total = int(buf.AddBytes(int64(total), int64(bytes+buf.Alignment-1)&^(buf.Alignment-1)))
	}
	add(-1, 0, p.FixedBytes)
	type operand struct{ slot, port int }
	packed := map[operand][]int{} // parts of steps that run each time, whose operands stay as they are
	for i, s := range p.Steps {
		for _, k := range s.Packed {
			key := operand{s.Slots[k.Port], k.Port}
			if like := slices.IndexFunc(packed[key], func(n int) bool { return !s.Fixed && s.PacksLike(p.Steps[list[n].step], k.Port) }); like >= 0 {
				list = append(list, constant{step: i, port: k.Port, at: list[packed[key][like]].at, bytes: k.Bytes, again: true})
				continue
			}
			if !s.Fixed {
				packed[key] = append(packed[key], len(list))
			}
			add(i, k.Port, k.Bytes)
		}
	}
	return list, total
}

// use makes memory the binding's, by its parts.
func (b *binding) use(list []constant, memory []byte) {
	for _, m := range list {
		data := memory[m.at : m.at+m.bytes : m.at+m.bytes]
		if m.step < 0 {
			b.fixed = data
			continue
		}
		if b.packed[m.step] == nil {
			b.packed[m.step] = make([]unsafe.Pointer, len(b.p.Steps[m.step].Slots))
		}
		b.memory = append(b.memory, data)
		b.packed[m.step][m.port] = unsafe.Pointer(unsafe.SliceData(data))
	}
}

// pack fills a part from the port as a run has it.
func (f *frame) pack(m constant) {
	s, to := f.b.p.Steps[m.step], f.b.packed[m.step][m.port]
	buf.Populate(unsafe.Slice((*byte)(to), m.bytes))
	s.Code.Pack(m.port, to, f.ptrs[s.Ptrs+m.port])
}

// saved is where the cache on disk has what the program computes once from some inputs.
type saved struct {
	disk *store.Store
	key  string
}

// saved returns nil if that is not to be kept.
func (p *Program) saved(inputs []*buf.Buffer, total int) *saved {
	disk := store.Default()
	if disk == nil || !p.native || total < leastConstants || !disk.Takes(total) {
		return nil
	}
	var constants wire.Blobs // which are not copied
	encoded, err := p.EncodeWith(&constants)
	if err != nil {
		return nil
	}
	var all []byte
	add := func(data []byte) {
		sum := store.Digest(data)
		all = append(all, sum[:]...)
	}
	add(encoded)
	for _, data := range constants.List {
		add(data)
	}
	for _, i := range p.Deciding {
		add(inputs[i].Bytes())
	}
	sum := store.Digest(all)
	return &saved{disk, plan.Processor() + "\n" + hex.EncodeToString(sum[:])}
}

// load returns the memory of a binding, filled.
func (s *saved) load(total int) ([]byte, bool) {
	data, ok := s.disk.Get(constantsKind, s.key)
	return data, ok && len(data) == total
}

func (s *saved) store(p *Program, data []byte) {
	title := fmt.Sprintf("what %d kernels compute once from weights", len(p.Steps))
	s.disk.Put(constantsKind, s.key, title, data)
}
