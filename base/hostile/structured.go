package hostile

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
)

// all has the forms of some mutations, count of each, without those that change nothing.
func all(sound []byte, count int, changes map[string]func(r *rand.Rand) []byte) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		r := rand.New(rand.NewPCG(uint64(len(sound)), 2))
		for _, what := range slices.Sorted(maps.Keys(changes)) {
			for i := range count {
				if form := changes[what](r); form != nil && !bytes.Equal(form, sound) && !yield(fmt.Sprintf("%s, number %d", what, i), form) {
					return
				}
			}
		}
	}
}

// Texts are forms of a text file, such as MLIR or a table: a number or a word is replaced by another one, or words and
// lines are left out, doubled or moved. What is written between words remains, so that most forms can be parsed.
func Texts(sound []byte, count int) iter.Seq2[string, []byte] {
	var words [][2]int
	for i := 0; i < len(sound); {
		j := i
		for j < len(sound) && (sound[j] == '_' || sound[j] == '.' || sound[j] == '-' || sound[j] >= '0' && sound[j] <= '9' ||
			sound[j]|32 >= 'a' && sound[j]|32 <= 'z') {
			j++
		}
		if j > i {
			words = append(words, [2]int{i, j})
			i = j
		}
		i++
	}
	if len(words) == 0 {
		return func(func(string, []byte) bool) {}
	}
	put := func(at [2]int, text string) []byte {
		return append(append(bytes.Clone(sound[:at[0]]), text...), sound[at[1]:]...)
	}
	any := func(r *rand.Rand) [2]int { return words[r.IntN(len(words))] }
	word := func(at [2]int) string { return string(sound[at[0]:at[1]]) }
	lines := bytes.SplitAfter(sound, []byte("\n"))
	return all(sound, count, map[string]func(r *rand.Rand) []byte{
		"another number": func(r *rand.Rand) []byte {
			start := r.IntN(len(words))
			for i := range words {
				at := words[(start+i)%len(words)]
				if c := sound[at[0]]; c >= '0' && c <= '9' || c == '-' {
					of := []string{"0", "1", "-1", "2", "3", "100000", "4294967296", "9223372036854775807", "9223372036854775808",
						"-9223372036854775808", "1e308", "nan", "0x7FF0000000000000", "1.5"}
					digits := 0
					for digits < at[1]-at[0] && (sound[at[0]+digits] == '-' || sound[at[0]+digits] >= '0' && sound[at[0]+digits] <= '9') {
						digits++
					}
					return put([2]int{at[0], at[0] + digits}, of[r.IntN(len(of))])
				}
			}
			return nil
		},
		"another word":   func(r *rand.Rand) []byte { return put(any(r), word(any(r))) },
		"a word missing": func(r *rand.Rand) []byte { return put(any(r), "") },
		"a word twice":   func(r *rand.Rand) []byte { at := any(r); return put(at, word(at)+", "+word(at)) },
		"a line missing": func(r *rand.Rand) []byte {
			i := r.IntN(len(lines))
			return bytes.Join(slices.Delete(slices.Clone(lines), i, i+1), nil)
		},
		"a line twice": func(r *rand.Rand) []byte {
			i := r.IntN(len(lines))
			return bytes.Join(slices.Insert(slices.Clone(lines), i, lines[i]), nil)
		},
		"lines exchanged": func(r *rand.Rand) []byte {
			other := slices.Clone(lines)
			i, j := r.IntN(len(lines)), r.IntN(len(lines))
			other[i], other[j] = other[j], other[i]
			return bytes.Join(other, nil)
		},
		"deep": func(r *rand.Rand) []byte {
			at := any(r)
			open := []string{"[", "(", "{", "<", "tensor<", "\"", "tuple<"}[r.IntN(7)]
			return put(at, strings.Repeat(open, 100000))
		},
	})
}

// JSON are forms of a JSON text: a value is replaced by another one, left out, or doubled.
func JSON(sound []byte, count int) iter.Seq2[string, []byte] {
	parse := func() (v any) {
		d := json.NewDecoder(bytes.NewReader(sound))
		d.UseNumber()
		_ = d.Decode(&v)
		return v
	}
	var places func(v any) []func(func(any) any)
	places = func(v any) (list []func(func(any) any)) {
		switch v := v.(type) {
		case map[string]any:
			for _, k := range slices.Sorted(maps.Keys(v)) {
				list = append(list, func(f func(any) any) {
					if v[k] = f(v[k]); v[k] == missing {
						delete(v, k)
					}
				})
				list = append(list, places(v[k])...)
			}
		case []any:
			for i := range v {
				list = append(list, func(f func(any) any) { v[i] = f(v[i]) })
				list = append(list, places(v[i])...)
			}
		}
		return list
	}
	change := func(f func(r *rand.Rand, v any) any) func(r *rand.Rand) []byte {
		return func(r *rand.Rand) []byte {
			v := parse()
			list := places(v)
			if len(list) == 0 {
				return nil
			}
			list[r.IntN(len(list))](func(v any) any { return f(r, v) })
			form, err := json.Marshal(v)
			if err != nil {
				return nil
			}
			return form
		}
	}
	return all(sound, count, map[string]func(r *rand.Rand) []byte{
		"another number": change(func(r *rand.Rand, v any) any {
			of := []string{"0", "-1", "1", "3", "0.5", "1e308", "-1e308", "1e-308", "9223372036854775807", "18446744073709551616", "100000000"}
			return json.Number(of[r.IntN(len(of))])
		}),
		"another kind": change(func(r *rand.Rand, v any) any {
			return []any{nil, true, "", "x", []any{}, map[string]any{}, []any{nil, nil}, []any{map[string]any{}}}[r.IntN(8)]
		}),
		"missing": change(func(r *rand.Rand, v any) any { return missing }),
		"twice":   change(func(r *rand.Rand, v any) any { return []any{v, v} }),
		"many": change(func(r *rand.Rand, v any) any {
			if list, ok := v.([]any); ok && len(list) > 0 {
				return slices.Repeat(list, 20000/len(list)+1)
			}
			return slices.Repeat([]any{v}, 100)
		}),
	})
}

// missing stands for a value that is taken away.
var missing any = "\x00missing"

// Archives are forms of a zip archive, such as a TorchScript model: the text, JSON or bytes of one entry are altered,
// or entries are missing, twice, or exchanged. The archive's own checksums are right. Without compression the data of
// entries begins at multiples of 64, as PyTorch writes it.
func Archives(sound []byte, count int) iter.Seq2[string, []byte] {
	entries := unpack(sound)
	return func(yield func(string, []byte) bool) {
		for i, e := range entries {
			forms := Variants
			switch {
			case strings.HasSuffix(e.name, ".json"):
				forms = JSON
			case strings.HasSuffix(e.name, ".py"):
				forms = Texts
			case strings.HasSuffix(e.name, ".pkl"):
				forms = Pickles
			case len(e.data) == 0:
				continue
			}
			for what, form := range forms(e.data, count) {
				list := slices.Clone(entries)
				list[i].data = form
				if !yield(e.name+": "+what, pack(list)) {
					return
				}
			}
		}
		for i := range entries {
			j := (i + 1) % len(entries)
			other := slices.Clone(entries)
			other[i].data, other[j].data = other[j].data, other[i].data
			if !yield(entries[i].name+" missing", pack(slices.Delete(slices.Clone(entries), i, i+1))) ||
				!yield(entries[i].name+" twice", pack(append(slices.Clone(entries), entries[i]))) ||
				!yield(entries[i].name+" exchanged", pack(other)) {
				return
			}
		}
	}
}

// Headers are forms of a file whose header is JSON of a length that stands before it, as in safetensors.
func Headers(sound []byte, count int) iter.Seq2[string, []byte] {
	n := binary.LittleEndian.Uint64(sound)
	return func(yield func(string, []byte) bool) {
		for what, form := range JSON(sound[8:8+n], count) {
			file := binary.LittleEndian.AppendUint64(nil, uint64(len(form)))
			if !yield(what, append(append(file, form...), sound[8+n:]...)) {
				return
			}
		}
	}
}

// entry is a file of an archive.
type entry struct {
	name string
	data []byte
}

// unpack reads the entries of an archive that can be read.
func unpack(sound []byte) (entries []entry) {
	archive, err := zip.NewReader(bytes.NewReader(sound), int64(len(sound)))
	if err != nil {
		return nil
	}
	for _, f := range archive.File {
		r, err := f.Open()
		if err != nil {
			continue
		}
		if data, err := io.ReadAll(r); err == nil {
			entries = append(entries, entry{f.Name, data})
		}
	}
	return entries
}

// pack writes an archive without compression, or nil if it cannot be written.
func pack(list []entry) []byte {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, e := range list {
		_ = w.Flush()
		pad := -(b.Len() + 30 + len(e.name) + 4 + 16) & 63
		h := &zip.FileHeader{Name: e.name, Method: zip.Store,
			Extra: append([]byte{'F', 'B', byte(pad), 0}, make([]byte, pad)...)}
		f, err := w.CreateHeader(h)
		if err != nil {
			return nil
		}
		_, _ = f.Write(e.data)
	}
	if w.Close() != nil {
		return nil
	}
	return b.Bytes()
}
