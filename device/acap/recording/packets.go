package recording

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"slices"
	"strconv"
	"strings"
)

const (
	packetWords = 8          // a header and seven words of frames
	filler      = 0xfe       // a byte without meaning
	empty       = 0xa5a5a5a5 // a word of a buffer that was not written
	silence     = 1 << 18    // cycles without an event, after which a unit says so
)

// ReadPackets reads words of packets, one a line in hexadecimal digits. A line that is no word, and a packet without a
// header, are errors with the number of the line.
func ReadPackets(r io.Reader) (*Recording, error) {
	type unit struct {
		tile  *Tile
		bytes []byte
	}
	var units []*unit
	var now *unit
	lines := bufio.NewScanner(r)
	number, words, zeros := 0, 0, 0
	for lines.Scan() {
		number++
		text := strings.TrimPrefix(strings.TrimSpace(lines.Text()), "0x")
		if text == "" {
			continue
		}
		v, err := strconv.ParseUint(text, 16, 32)
		if err != nil {
			return nil, fmt.Errorf("recording: line %d: %.40q is no word of 8 hexadecimal digits", number, text)
		}
		word := uint32(v)
		first := words%packetWords == 0
		words++
		if first {
			if word == 0 { // the end of what a channel wrote; another one's part may follow
				words, zeros = 0, zeros+1
				continue
			}
			t, ok := tileOf(word)
			if !ok {
				return nil, fmt.Errorf("recording: line %d: %08x is no header of a packet", number, word)
			}
			i := slices.IndexFunc(units, func(u *unit) bool { return u.tile.Col == t.Col && u.tile.Row == t.Row && u.tile.Kind == t.Kind })
			if i < 0 {
				i, units = len(units), append(units, &unit{tile: t})
			}
			now = units[i]
			continue
		}
		if word != empty {
			now.bytes = append(now.bytes, byte(word>>24), byte(word>>16), byte(word>>8), byte(word))
		}
	}
	if err := lines.Err(); errors.Is(err, bufio.ErrTooLong) {
		return nil, fmt.Errorf("recording: line %d is longer than %d bytes, and no word", number+1, bufio.MaxScanTokenSize)
	} else if err != nil {
		return nil, fmt.Errorf("recording: line %d: %w", number+1, err)
	}
	if len(units) == 0 {
		return nil, fmt.Errorf("recording: no packet in %d words: nothing was recorded", number)
	}
	rec := &Recording{}
	for _, u := range units {
		if err := u.tile.decode(u.bytes); err != nil {
			return nil, fmt.Errorf("recording: %s (%d, %d): %w", u.tile.Kind, u.tile.Col, u.tile.Row, err)
		}
		rec.Tiles = append(rec.Tiles, u.tile)
	}
	return rec, nil
}

// tileOf reads a header: odd parity, and zeros between its fields.
func tileOf(word uint32) (*Tile, bool) {
	if bits.OnesCount32(word)%2 == 0 || word>>5&0x7f != 0 || word>>19&1 != 0 || word>>28&7 != 0 || word>>14&3 != 0 {
		return nil, false
	}
	return &Tile{Col: int(word >> 21 & 0x7f), Row: int(word >> 16 & 0x1f), Kind: Kind(word >> 12 & 3), ID: int(word & 0x1f)}, true
}

// header is the first word of the tile's packets.
func (t *Tile) header() uint32 {
	word := uint32(t.Col)<<21 | uint32(t.Row)<<16 | uint32(t.Kind)<<12 | uint32(t.ID)
	if bits.OnesCount32(word)%2 == 0 {
		word |= 1 << 31
	}
	return word
}

// frame is a cycle in which events were active, with the number of cycles without events between the frame before and
// this one.
type frame struct {
	set  byte
	idle int64
}

// decode reads frames.
func (t *Tile) decode(b []byte) error {
	at, begun := int64(0), false
	var last frame
	add := func(f frame) {
		at += 1 + f.idle
		last = f
		t.record(f.set, at)
	}
	for i := 0; i < len(b); {
		c := b[i]
		if f, size := frameAt(b[i:]); size > 0 {
			if i+size <= len(b) {
				add(f)
			}
			i += size
			continue
		}
		size := 1
		switch {
		case c&0xfb == 0xf0: // the timer
			size = 8
			if i+size <= len(b) && !begun {
				for _, v := range b[i+1 : i+8] {
					t.Start = t.Start<<8 | int64(v)
				}
				begun = true
			}
		case c&0xfc == 0xdc:
			size = 4
		case c&0xf0 == 0xe0, c&0xfc == 0xd8: // the last frame again
			n := int(c & 15)
			if c&0xfc == 0xd8 {
				n = 0
				if size = 2; i+size <= len(b) {
					n = int(c&3)<<8 | int(b[i+1])
				}
			}
			if last.set == 0 && n > 0 {
				return fmt.Errorf("byte %d repeats a frame, and there is none before", i)
			}
			for range n {
				add(last)
			}
		case c == filler:
		case c == 0xff:
			at += silence
		default:
			return fmt.Errorf("byte %d is %02x, which begins no frame", i, c)
		}
		i += size
	}
	return nil
}

// record adds a cycle to the spans of a set of events.
func (t *Tile) record(set byte, at int64) {
	for s := range Slots {
		if set>>s&1 == 0 {
			continue
		}
		list := t.Events[s]
		if n := len(list); n > 0 && list[n-1].To == at {
			list[n-1].To++
			continue
		}
		t.Events[s] = append(list, Span{at, at + 1})
	}
}

// frameAt reads a frame of one event, or of a set of events, and returns the frame's size: 0 if b begins with something
// else. Where b ends within the frame there is only its size.
func frameAt(b []byte) (f frame, size int) {
	c := b[0]
	bit, set := byte(1)<<(c>>2&7), func() byte { return c&3<<6 | b[1]>>2 }
	switch {
	case c&0x80 == 0:
		return frame{1 << (c >> 4 & 7), int64(c & 15)}, 1
	case c&0xe0 == 0x80:
		if size = 2; len(b) >= size {
			f = frame{bit, int64(c&3)<<8 | int64(b[1])}
		}
	case c&0xe0 == 0xa0:
		if size = 3; len(b) >= size {
			f = frame{bit, int64(c&3)<<16 | int64(b[1])<<8 | int64(b[2])}
		}
	case c&0xf0 == 0xc0:
		if size = 2; len(b) >= size {
			f = frame{c&15<<4 | b[1]>>4, int64(b[1] & 15)}
		}
	case c&0xfc == 0xd0:
		if size = 3; len(b) >= size {
			f = frame{set(), int64(b[1]&3)<<8 | int64(b[2])}
		}
	case c&0xfc == 0xd4:
		if size = 4; len(b) >= size {
			f = frame{set(), int64(b[1]&3)<<16 | int64(b[2])<<8 | int64(b[3])}
		}
	}
	return f, size
}

// WritePackets writes a recording in the form that [ReadPackets] reads, tile by tile. An error is one of w.
func (r *Recording) WritePackets(w io.Writer) error {
	b := bufio.NewWriter(w)
	for _, t := range r.Tiles {
		bytes := t.encode()
		for len(bytes)%(4*(packetWords-1)) != 0 {
			bytes = append(bytes, filler)
		}
		for i := 0; i < len(bytes); i += 4 * (packetWords - 1) {
			fmt.Fprintf(b, "%08x\n", t.header())
			for k := i; k < i+4*(packetWords-1); k += 4 {
				fmt.Fprintf(b, "%02x%02x%02x%02x\n", bytes[k], bytes[k+1], bytes[k+2], bytes[k+3])
			}
		}
	}
	return b.Flush()
}

// encode writes frames.
func (t *Tile) encode() []byte {
	b := []byte{0xf0}
	for s := 48; s >= 0; s -= 8 {
		b = append(b, byte(t.Start>>s))
	}
	at := int64(0)
	for _, run := range t.runs() {
		idle := run.From - at - 1
		for ; idle >= silence; idle -= silence {
			b = append(b, 0xff)
		}
		b = append(b, encoded(frame{run.set, idle})...)
		more := run.To - run.From - 1
		if more > 0 && idle != 0 {
			b = append(b, encoded(frame{run.set, 0})...)
			more--
		}
		for ; more > 15; more -= min(more, 1023) {
			n := min(more, 1023)
			b = append(b, 0xd8|byte(n>>8), byte(n))
		}
		if more > 0 {
			b = append(b, 0xe0|byte(more))
		}
		at = run.To - 1
	}
	return b
}

// run is cycles with the same events.
type run struct {
	Span
	set byte
}

// runs cuts the spans of all events where one begins or ends.
func (t *Tile) runs() (list []run) {
	var cuts []int64
	for _, spans := range t.Events {
		for _, s := range spans {
			cuts = append(cuts, s.From, s.To)
		}
	}
	slices.Sort(cuts)
	cuts = slices.Compact(cuts)
	var next [Slots]int
	for i := 0; i+1 < len(cuts); i++ {
		r := run{Span: Span{cuts[i], cuts[i+1]}}
		for s, spans := range t.Events {
			for next[s] < len(spans) && spans[next[s]].To <= r.From {
				next[s]++
			}
			if next[s] < len(spans) && spans[next[s]].From <= r.From {
				r.set |= 1 << s
			}
		}
		if r.set != 0 {
			list = append(list, r)
		}
	}
	return list
}

// encoded is the shortest form of a frame.
func encoded(f frame) []byte {
	if bits.OnesCount8(f.set) == 1 {
		e := byte(bits.TrailingZeros8(f.set))
		switch {
		case f.idle < 1<<4:
			return []byte{e<<4 | byte(f.idle)}
		case f.idle < 1<<10:
			return []byte{0x80 | e<<2 | byte(f.idle>>8), byte(f.idle)}
		}
		return []byte{0xa0 | e<<2 | byte(f.idle>>16), byte(f.idle >> 8), byte(f.idle)}
	}
	switch {
	case f.idle < 1<<4:
		return []byte{0xc0 | f.set>>4, f.set<<4 | byte(f.idle)}
	case f.idle < 1<<10:
		return []byte{0xd0 | f.set>>6, f.set<<2 | byte(f.idle>>8), byte(f.idle)}
	}
	return []byte{0xd4 | f.set>>6, f.set<<2 | byte(f.idle>>16), byte(f.idle >> 8), byte(f.idle)}
}
