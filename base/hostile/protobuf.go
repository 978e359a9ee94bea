package hostile

import (
	"bytes"
	"encoding/binary"
	"iter"
	"math"
	"math/rand/v2"
)

// field is one field of a protocol buffer: its number and wire type, and a number, bytes, or the fields of a message.
type field struct {
	number, wire uint64
	value        uint64
	data         []byte
	message      []*field // nil if data is no message
}

// parseFields reads a message; ok is false if data is none.
func parseFields(data []byte) (list []*field, ok bool) {
	for len(data) > 0 {
		key, n := binary.Uvarint(data)
		if n <= 0 || key>>3 == 0 || key>>3 > 1000 {
			return nil, false
		}
		f := &field{number: key >> 3, wire: key & 7}
		data = data[n:]
		switch size := 0; f.wire {
		case 0:
			if f.value, size = binary.Uvarint(data); size <= 0 {
				return nil, false
			}
			data = data[size:]
		case 1, 5:
			if size = 8; f.wire == 5 {
				size = 4
			}
			if len(data) < size {
				return nil, false
			}
			f.data, data = data[:size], data[size:]
		case 2:
			length, n := binary.Uvarint(data)
			if n <= 0 || length > uint64(len(data)-n) {
				return nil, false
			}
			f.data, data = data[n:n+int(length)], data[n+int(length):]
			if !isText(f.data) {
				f.message, _ = parseFields(f.data)
			}
		default:
			return nil, false
		}
		list = append(list, f)
	}
	return list, true
}

func isText(b []byte) bool {
	for _, c := range b {
		if c < ' ' || c > '~' {
			return false
		}
	}
	return true
}

func appendFields(b []byte, list []*field) []byte {
	for _, f := range list {
		b = binary.AppendUvarint(b, f.number<<3|f.wire)
		switch data := f.data; f.wire {
		case 0:
			b = binary.AppendUvarint(b, f.value)
		case 2:
			if f.message != nil {
				data = appendFields(nil, f.message)
			}
			b = append(binary.AppendUvarint(b, uint64(len(data))), data...)
		default:
			b = append(b, data...)
		}
	}
	return b
}

// fieldPlace is where a field stands.
type fieldPlace struct {
	holder *[]*field
	at     int
}

// fieldsOf appends the fields of a message and of the messages in it, and where they stand.
func fieldsOf(list *[]*field, places []fieldPlace, all []*field) ([]fieldPlace, []*field) {
	for i, f := range *list {
		places, all = append(places, fieldPlace{list, i}), append(all, f)
		if f.message != nil {
			places, all = fieldsOf(&f.message, places, all)
		}
	}
	return places, all
}

// anotherValue gives a field a number or a text that is rarely meant.
func anotherValue(r *rand.Rand, holder *[]*field, at int, _ []*field) {
	switch f := (*holder)[at]; f.wire {
	case 0:
		f.value = numbers[r.IntN(len(numbers))]
	case 2:
		f.message, f.data = nil, [][]byte{nil, {0}, []byte("x"), []byte("../../x"), []byte("-1"), []byte("9223372036854775807"),
			bytes.Repeat([]byte{0xff}, 9)}[r.IntN(7)]
	default:
		copy(f.data, binary.LittleEndian.AppendUint64(nil, numbers[r.IntN(len(numbers))]))
	}
}

// Protobuf are forms of a protocol buffer, such as an ONNX file: a number or a text is another, or fields are missing,
// twice, or exchanged, with the lengths of what holds them right.
func Protobuf(sound []byte, count int) iter.Seq2[string, []byte] {
	change := func(f func(r *rand.Rand, holder *[]*field, at int, all []*field)) func(r *rand.Rand) []byte {
		return func(r *rand.Rand) []byte {
			root, ok := parseFields(bytes.Clone(sound))
			if !ok || len(root) == 0 {
				return nil
			}
			places, all := fieldsOf(&root, nil, nil)
			p := places[r.IntN(len(places))]
			f(r, p.holder, p.at, all)
			return appendFields(nil, root)
		}
	}
	return all(sound, count, map[string]func(r *rand.Rand) []byte{
		"another value": change(anotherValue),
		"another number": change(func(r *rand.Rand, holder *[]*field, at int, all []*field) {
			for range 50 { // numbers are rarer than texts
				if f := all[r.IntN(len(all))]; f.wire == 0 {
					f.value = numbers[r.IntN(len(numbers))]
					return
				}
			}
		}),
		"value of another": change(func(r *rand.Rand, holder *[]*field, at int, all []*field) {
			f := (*holder)[at]
			for range 50 {
				if other := all[r.IntN(len(all))]; other != f && other.wire == f.wire && (f.message == nil) == (other.message == nil) {
					f.value, f.data = other.value, other.data
					if f.message != nil {
						f.message, _ = parseFields(appendFields(nil, other.message))
					}
					return
				}
			}
		}),
		"another field": change(func(r *rand.Rand, holder *[]*field, at int, all []*field) {
			(*holder)[at].number = uint64(1 + r.IntN(24))
		}),
		"missing": change(func(r *rand.Rand, holder *[]*field, at int, all []*field) {
			*holder = append((*holder)[:at:at], (*holder)[at+1:]...)
		}),
		"twice": change(func(r *rand.Rand, holder *[]*field, at int, all []*field) {
			*holder = append(*holder, (*holder)[at])
		}),
		"exchanged": change(func(r *rand.Rand, holder *[]*field, at int, all []*field) {
			other := r.IntN(len(*holder))
			(*holder)[at], (*holder)[other] = (*holder)[other], (*holder)[at]
		}),
	})
}

// numbers are integers that readers may not expect.
var numbers = []uint64{0, 1, 2, 3, 5, 7, 8, 16, 100, 255, 65536, 100_000_000, math.MaxInt32, math.MaxInt32 + 1, math.MaxUint32, 1 << 32,
	1 << 40, 1 << 61, 1 << 62, math.MaxInt64, 1 << 63, math.MaxUint64, math.MaxUint64 - 1, math.MaxUint64 - 7}
