package torchscript

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/jsontext"
	"github.com/go-acap/acap/base/script"
)

func decoded[T any](data json.RawMessage) (T, error) {
	var v T
	err := jsontext.Unmarshal(data, &v)
	return v, err
}

// decodedFloat reads a number; what JSON has no numbers for is text.
func decodedFloat(data json.RawMessage) (float64, error) {
	if text, err := decoded[string](data); err == nil {
		switch text {
		case "NaN", "nan", "Infinity", "inf", "-Infinity", "-inf":
			return strconv.ParseFloat(text, 64)
		}
		return 0, fmt.Errorf("%q is no number", text)
	}
	return decoded[float64](data)
}

// withoutBareFloats writes NaN and Infinity, which Python's JSON has and the standard has not, as text.
func withoutBareFloats(data []byte) []byte {
	var out []byte
	last, inText := 0, false
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case inText && c == '\\':
			i++
		case c == '"':
			inText = !inText
		case !inText && (c == 'N' || c == 'I'):
			word := "NaN"
			if c == 'I' {
				word = "Infinity"
			}
			if len(data)-i < len(word) || string(data[i:i+len(word)]) != word {
				continue
			}
			start := i
			if i > 0 && data[i-1] == '-' {
				start--
			}
			out = append(append(append(append(out, data[last:start]...), '"'), data[start:i+len(word)]...), '"')
			last = i + len(word)
			i = last - 1
		}
	}
	if out == nil {
		return data
	}
	return append(out, data[last:]...)
}

// memoryFormats are the numbers of c10::MemoryFormat by the schema's numbers.
var memoryFormats = map[int]int{1: 0, 2: 2, 3: 3, 4: 1}

// argument gives an argument of a node its value.
func (ev *evaluator) argument(at script.Position, a argument) value {
	v, err := ev.argumentOf(at, a)
	if err != nil {
		ev.fail(at, fmt.Errorf("%s: %w", a.kind, err))
	}
	return v
}

func (ev *evaluator) argumentOf(at script.Position, a argument) (value, error) {
	switch a.kind {
	case "as_tensor", "as_custom_obj":
		n, err := decoded[reference](a.data)
		return ev.lookup(at, n.Name), err
	case "as_sym_int", "as_sym_bool", "as_sym_float", "as_optional_tensor":
		inner, err := decoded[argument](a.data)
		if err != nil {
			return nil, err
		}
		return ev.argumentOf(at, inner)
	case "as_name":
		name, err := decoded[string](a.data)
		return ev.lookup(at, name), err
	case "as_tensors":
		list, err := decoded[[]reference](a.data)
		return ev.mapped(at, len(list), err, func(i int) (value, error) { return ev.lookup(at, list[i].Name), nil })
	case "as_nested_tensors":
		lists, err := decoded[[][]reference](a.data)
		return ev.mapped(at, len(lists), err, func(i int) (value, error) {
			return ev.mapped(at, len(lists[i]), nil, func(j int) (value, error) { return ev.lookup(at, lists[i][j].Name), nil })
		})
	case "as_sym_ints", "as_sym_bools", "as_sym_floats", "as_optional_tensors":
		list, err := decoded[[]argument](a.data)
		return ev.mapped(at, len(list), err, func(i int) (value, error) { return ev.argumentOf(at, list[i]) })
	case "as_ints":
		return listOf(ev, at, a.data, func(n int) value { return n })
	case "as_int_lists":
		return listOf(ev, at, a.data, func(list []int) value { return ints(list) })
	case "as_bools":
		return listOf(ev, at, a.data, func(b bool) value { return b })
	case "as_strings":
		return listOf(ev, at, a.data, func(s string) value { return s })
	case "as_floats":
		list, err := decoded[[]json.RawMessage](a.data)
		return ev.mapped(at, len(list), err, func(i int) (value, error) { return decodedFloat(list[i]) })
	case "as_complex":
		return decodedComplex(a.data)
	case "as_scalar_type", "as_memory_format", "as_layout", "as_device":
		return placement(a)
	case "as_string_to_argument":
		return ev.dictOf(at, a.data)
	case "as_graph":
		g, err := decoded[struct {
			Name  string
			Graph graph
		}](a.data)
		if err == nil {
			err = g.Graph.checkTypes()
		}
		return &subgraph{g.Name, g.Graph}, err
	}
	return ev.model.exported.static(a)
}

// placement reads how a tensor is kept: its element type, format, layout or device.
func placement(a argument) (value, error) {
	switch a.kind {
	case "as_scalar_type":
		n, err := decoded[int](a.data)
		if err == nil && !dtype.FromSchemaCode(n).Valid() {
			err = unknownElements(n, schemaComplexHalf)
		}
		return dtype.FromSchemaCode(n).TorchCode(), err
	case "as_memory_format":
		n, err := decoded[int](a.data)
		if _, ok := memoryFormats[n]; !ok && err == nil {
			err = fmt.Errorf("%d is no memory format", n)
		}
		return memoryFormats[n], err
	case "as_layout":
		n, err := decoded[int](a.data)
		if err == nil && n != 7 {
			err = fmt.Errorf("layout %d is not supported: tensors are strided", n)
		}
		return 0, err
	default:
		d, err := decoded[struct{ Type string }](a.data)
		return device(d.Type), err
	}
}

func decodedComplex(data json.RawMessage) (value, error) {
	c, err := decoded[struct{ Real, Imag json.RawMessage }](data)
	if err != nil {
		return nil, err
	}
	re, err1 := decodedFloat(c.Real)
	im, err2 := decodedFloat(c.Imag)
	if err1 != nil || err2 != nil {
		return nil, fmt.Errorf("%s is no complex number", data)
	}
	return complex(re, im), nil
}

// dictOf reads arguments by their names.
func (ev *evaluator) dictOf(at script.Position, data json.RawMessage) (value, error) {
	entries, err := decoded[map[string]argument](data)
	if err != nil {
		return nil, err
	}
	d := newDict()
	for _, name := range slices.Sorted(maps.Keys(entries)) {
		v, err := ev.argumentOf(at, entries[name])
		if err != nil {
			return nil, err
		}
		d.set(name, v)
	}
	return d, nil
}

// lookup is the value of a name of the graph.
func (ev *evaluator) lookup(at script.Position, name string) value {
	v, ok := ev.frame.vars[name]
	if !ok {
		failAt(at, "there is no value %q here", name)
	}
	return v
}

func (ev *evaluator) mapped(at script.Position, n int, err error, item func(i int) (value, error)) (value, error) {
	ev.charge(at, n/itemsPerStep)
	l := &list{}
	for i := 0; i < n && err == nil; i++ {
		var v value
		v, err = item(i)
		l.items = append(l.items, v)
	}
	return l, err
}

func listOf[T any](ev *evaluator, at script.Position, data json.RawMessage, item func(T) value) (value, error) {
	list, err := decoded[[]T](data)
	return ev.mapped(at, len(list), err, func(i int) (value, error) { return item(list[i]), nil })
}

// origin is the file and line of the Python that a node comes from: the last of its stack trace.
func (n *graphNode) origin() (file string, line int, ok bool) {
	_, rest, ok := cutLast(n.Metadata["stack_trace"], `File "`)
	if !ok {
		return "", 0, false
	}
	file, rest, _ = strings.Cut(rest, `", line `)
	digits := 0
	for digits < len(rest) && digits < 9 && rest[digits] >= '0' && rest[digits] <= '9' {
		digits++
	}
	line, err := strconv.Atoi(rest[:digits])
	return file, line, err == nil && len(file) <= maxPath
}

// module is the path of the module that a node comes from: the last of key,path,type;key,path,type.
func (n *graphNode) module() string {
	_, last, _ := cutLast(";"+n.Metadata["nn_module_stack"], ";")
	parts := strings.Split(last, ",")
	if len(parts) < 2 || len(parts[1]) > maxPath {
		return ""
	}
	return strings.TrimPrefix(strings.TrimPrefix(parts[1], "L['self']"), ".")
}

func cutLast(s, sep string) (before, after string, found bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}
