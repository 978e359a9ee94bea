package kernel

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/go-acap/acap/base/dtype"
)

// decoder turns items into kernels and keeps the first error.
type decoder struct{ err error }

func (d *decoder) fail(it *item, format string, args ...any) {
	if d.err == nil {
		d.err = fmt.Errorf("line %d: %s", it.line, fmt.Sprintf(format, args...))
	}
}

func (d *decoder) kernel(it *item) Kernel {
	if len(it.words) != 2 || !it.open {
		d.fail(it, "want: kind \"name\" key=value ... {")
		return nil
	}
	name, err := strconv.Unquote(it.words[1])
	if err != nil {
		d.fail(it, "bad name %s", it.words[1])
		return nil
	}
	for _, kind := range kinds {
		if kind.word == it.words[0] {
			k := kind.make()
			*k.named() = name
			f := form{read: d, at: it}
			k.form(&f)
			f.rest()
			return k
		}
	}
	d.fail(it, "unknown kind of kernel %q", it.words[0])
	return nil
}

// unread refuses attributes that nothing has read.
func (d *decoder) unread(it *item) {
	for _, key := range slices.Sorted(maps.Keys(it.attrs)) {
		if !it.read[key] {
			d.fail(it, "unexpected %s=%s", key, it.attrs[key])
		}
	}
	for _, i := range it.block {
		d.unread(i)
	}
}

// port reads "port f32 in const len=8".
func (d *decoder) port(it *item) Port {
	p := Port{Len: d.int(it, "len")}
	for n, w := range it.words {
		switch {
		case n == 0:
		case n == 1:
			p.DType = d.dtype(it, w)
		case w == "in":
		case w == "out":
			p.Write = true
		case w == "const":
			p.Const = true
		default:
			var known bool
			if p.Format, known = dtype.FormatNamed(w); !known {
				d.fail(it, "unexpected %q", w)
			}
		}
	}
	if len(it.words) < 2 {
		d.fail(it, "the element type is missing")
	}
	return p
}

func (d *decoder) dtype(it *item, name string) dtype.DType {
	t, err := dtype.Parse(name)
	if err != nil {
		d.fail(it, "%v", err)
	}
	return t
}

// instr reads "%3 = add f32 %1 %2" as instruction number n.
func (d *decoder) instr(it *item, n int) Instr {
	var i Instr
	words := it.words
	numbered := len(words) > 2 && words[1] == "="
	if numbered {
		if d.value(it, words[0]) != n {
			d.fail(it, "%s is instruction %%%d", words[0], n)
		}
		words = words[2:]
	}
	if len(words) < 2 {
		d.fail(it, "want: %%%d = op type operands", n)
		return i
	}
	name := words[0]
	i.Op = named[name]
	i.Type = d.dtype(it, words[1])
	words = words[2:]
	switch {
	case i.Op == Invalid:
		d.fail(it, "there is no operation %q", name)
		return i
	case numbered && i.Op == Store:
		d.fail(it, "store gives no value, and %s is the number of one", it.words[0])
		return i
	case !numbered && i.Op != Store:
		d.fail(it, "%s gives a value, and has no number: want %%%d = %s", i.Op, n, i.Op)
		return i
	}
	want := i.Op.Arity()
	if i.Op == Const {
		want = 1
	}
	if len(words) != want {
		d.fail(it, "%s takes %d operands, has %d", i.Op, want, len(words))
		return i
	}
	if i.Op == Const {
		i.Imm = d.literal(it, i.Type, words[0])
		return i
	}
	for k, to := range []*int{&i.A, &i.B, &i.C}[:want] {
		*to = d.value(it, words[k])
	}
	d.attributes(it, &i)
	return i
}

func (d *decoder) attributes(it *item, i *Instr) {
	switch i.Op {
	case Load, LoadAt, Store:
		i.Port = d.int(it, "port")
	case Index:
		i.Port = d.int(it, "loop")
	case Acc, Kept:
		i.Port = d.int(it, "stage")
		number := d.int(it, "number")
		if number < 0 {
			d.fail(it, "number is negative")
		}
		i.Imm = uint64(number)
	}
}

// value reads "%3".
func (d *decoder) value(it *item, s string) int {
	n, err := strconv.Atoi(strings.TrimPrefix(s, "%"))
	if err != nil || n < 0 || !strings.HasPrefix(s, "%") {
		d.fail(it, "want a value such as %%3, have %q", s)
		return 0
	}
	return n
}

func (d *decoder) literal(it *item, t dtype.DType, s string) uint64 {
	if hex, ok := strings.CutPrefix(s, "0x"); ok && !strings.ContainsAny(hex, "pP.") {
		v, err := strconv.ParseUint(hex, 16, 64)
		if err != nil {
			d.fail(it, "bad bits %q", s)
		}
		return v
	}
	if t.IsFloat() {
		v, err := strconv.ParseFloat(s, 64)
		if err != nil {
			d.fail(it, "bad number %q", s)
		}
		return Bits(t, v)
	}
	v, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		d.fail(it, "bad integer %q", s)
	}
	return uint64(v) & mask(t)
}

func (d *decoder) int(it *item, key string) int {
	s := it.attr(key)
	if s == "" {
		d.fail(it, "%s= is missing", key)
		return 0
	}
	v, err := strconv.Atoi(s)
	if err != nil {
		d.fail(it, "%s: bad integer %q", key, s)
	}
	return v
}

func (d *decoder) float(it *item, key string) float64 {
	v, err := strconv.ParseFloat(it.attr(key), 64)
	if err != nil {
		d.fail(it, "%s: bad number %q", key, it.attr(key))
	}
	return v
}

// ints reads a list; want is its length, or -1.
func (d *decoder) ints(it *item, key string, want int) []int {
	s := it.attr(key)
	if len(s) < 2 || s[0] != '[' || s[len(s)-1] != ']' {
		d.fail(it, "%s=[...] is missing", key)
		return make([]int, max(want, 0))
	}
	var out []int
	if s = s[1 : len(s)-1]; s != "" {
		for _, f := range strings.Split(s, ",") {
			v, err := strconv.Atoi(f)
			if err != nil {
				d.fail(it, "%s: bad integer %q", key, f)
			}
			out = append(out, v)
		}
	}
	if want >= 0 && len(out) != want {
		d.fail(it, "%s: want %d integers, have %d", key, want, len(out))
		return make([]int, want)
	}
	return out
}
