package report

import (
	"compress/gzip"
	"encoding/binary"
	"io"

	"github.com/go-acap/acap/mlir"
)

// WriteProfile writes a profile that `go tool pprof` reads (gzipped
// profile.proto): frames are the kernel and the source lines that it came from,
// samples are device cycles, bytes moved by DMA to and from memory, and cycles in
// which cores wait. A kernel of several source lines is shared between them
// evenly. The calls of the host are a frame of their own. An error is one of w.
func (r *Report) WriteProfile(w io.Writer) error {
	p := &profile{strings: map[string]int64{"": 0}, table: []string{""},
		functions: make(map[[2]string]uint64), locations: make(map[frame]uint64)}
	for _, s := range [][2]string{{"device_cycles", "count"}, {"dma_bytes", "bytes"},
		{"stall_cycles", "count"}} {
		p.out.message(1, p.valueType(s[0], s[1]))
	}
	adds := r.Adds()
	call, launch, begin := r.starts()
	for i := range r.Kernels {
		if k := &r.Kernels[i]; k.Problem == "" && !k.Once {
			seconds := adds[i].Seconds()
			if k.Stage != nil {
				seconds = launch[i] - call[i] + float64(float64(k.Samples())*(begin[i]-launch[i]+k.Array()))
			}
			host := adds[i].Host()
			p.call(host, r.Machine.Clock.Value)
			p.kernel(k, seconds-host, r.Machine.Clock.Value)
		}
	}
	p.out.message(3, p.mapping(r.Name))
	p.out.bytes = append(p.out.bytes, p.tables.bytes...)
	p.out.varint(10, uint64(r.Total().Seconds*1e9)) // duration_nanos
	p.out.varint(14, uint64(p.string("device_cycles")))
	for _, s := range p.table {
		p.out.data(6, []byte(s))
	}
	z := gzip.NewWriter(w)
	if _, err := z.Write(p.out.bytes); err != nil {
		return err
	}
	return z.Close()
}

// profile is a profile.proto under construction.
type profile struct {
	out, tables message
	strings     map[string]int64
	table       []string
	functions   map[[2]string]uint64 // by name and file
	locations   map[frame]uint64
}

// frame is a line of a function.
type frame struct {
	name, file string
	line       int
}

func (p *profile) string(s string) int64 {
	n, ok := p.strings[s]
	if !ok {
		n = int64(len(p.table))
		p.strings[s] = n
		p.table = append(p.table, s)
	}
	return n
}

func (p *profile) valueType(kind, unit string) []byte {
	var m message
	m.varint(1, uint64(p.string(kind)))
	m.varint(2, uint64(p.string(unit)))
	return m.bytes
}

// mapping is the binary that all frames belong to, which is the machine, and says
// that they have their functions, files and lines.
func (p *profile) mapping(name string) []byte {
	var m message
	m.varint(1, mappingID)
	m.varint(5, uint64(p.string(name)))
	for known := 7; known <= 9; known++ {
		m.varint(known, 1)
	}
	return m.bytes
}

const mappingID = 1

// call adds the sample of a call of the host. The cores wait during the call.
func (p *profile) call(seconds, clock float64) {
	if seconds == 0 {
		return
	}
	var ids message
	ids.raw(p.location(frame{name: "host call"}))
	cycles := int64(seconds * clock)
	p.sample(ids, []int64{cycles, 0, cycles})
}

func (p *profile) sample(ids message, values []int64) {
	var m, all message
	for _, v := range values {
		all.raw(uint64(v))
	}
	m.data(1, ids.bytes)
	m.data(2, all.bytes)
	p.out.message(2, m.bytes)
}

// kernel adds the samples of a kernel, one for each of its source lines, of its launches and the array's work in
// seconds.
func (p *profile) kernel(k *Kernel, seconds, clock float64) {
	var stacks [][]frame
	seen := make(map[string]bool)
	for _, l := range k.Locations {
		if s := l.Short(); s != "" && !seen[s] {
			seen[s] = true
			stacks = append(stacks, frames(l))
		}
	}
	if len(stacks) == 0 {
		stacks = [][]frame{nil}
	}
	t, runs := &k.Timing, float64(k.Runs())
	waits := seconds - float64(runs*(t.Stalls.Compute+t.Stalls.Call))
	values := []int64{int64(seconds * clock), (t.ReadL3 + t.WriteL3) * int64(k.Runs()), int64(waits * clock)}
	n := int64(len(stacks))
	for i, stack := range stacks {
		var ids message
		file := ""
		line := 0
		if len(stack) > 0 {
			file, line = stack[0].file, stack[0].line
		}
		ids.raw(p.location(frame{k.Name, file, line}))
		for _, f := range stack {
			ids.raw(p.location(f))
		}
		shares := make([]int64, len(values))
		for j, v := range values {
			shares[j] = v / n
			if i == 0 {
				shares[j] += v % n
			}
		}
		p.sample(ids, shares)
	}
}

// frames of a location, the innermost first.
func frames(l mlir.Location) []frame {
	for l.File == "" && len(l.Fused) > 0 {
		l = l.Fused[0]
	}
	name := l.Name
	if name == "" {
		name = l.Short()
	}
	out := []frame{{name, l.File, l.Line}}
	for _, c := range l.Callers {
		out = append(out, frames(c)...)
	}
	return out
}

func (p *profile) location(f frame) uint64 {
	id, ok := p.locations[f]
	if ok {
		return id
	}
	id = uint64(len(p.locations) + 1)
	p.locations[f] = id
	var line, m message
	line.varint(1, p.function(f))
	line.varint(2, uint64(f.line))
	m.varint(1, id)
	m.varint(2, mappingID)
	m.data(4, line.bytes)
	p.tables.message(4, m.bytes)
	return id
}

func (p *profile) function(f frame) uint64 {
	key := [2]string{f.name, f.file}
	id, ok := p.functions[key]
	if ok {
		return id
	}
	id = uint64(len(p.functions) + 1)
	p.functions[key] = id
	var m message
	m.varint(1, id)
	m.varint(2, uint64(p.string(f.name)))
	m.varint(3, uint64(p.string(f.name)))
	m.varint(4, uint64(p.string(f.file)))
	p.tables.message(5, m.bytes)
	return id
}

// message writes the fields of a protocol buffer.
type message struct{ bytes []byte }

func (m *message) raw(v uint64) { m.bytes = binary.AppendUvarint(m.bytes, v) }

func (m *message) varint(field int, v uint64) {
	m.raw(uint64(field) << 3)
	m.raw(v)
}

func (m *message) data(field int, b []byte) {
	m.raw(uint64(field)<<3 | 2)
	m.raw(uint64(len(b)))
	m.bytes = append(m.bytes, b...)
}

func (m *message) message(field int, b []byte) { m.data(field, b) }
