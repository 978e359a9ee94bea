package walk

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/go-acap/acap/mlir"
)

// A program prints as upstream's runner does.

func init() {
	register(map[string]handler{"vector.print": printVector})
}

// punctuation is the texts that the words of vector.print stand for.
var punctuation = map[string]string{"no_punctuation": "", "newline": "\n", "comma": ", ", "open": "( ", "close": " )"}

func printVector(m *machine, op *mlir.Operation) []value {
	end := "newline"
	if a := op.Attrs.Get("punctuation"); a != nil {
		text := strings.TrimSuffix(a.String(), ">")
		end = text[strings.LastIndexByte(text, '<')+1:]
	}
	if text, ok := op.Attrs.Get("stringLiteral").(mlir.StringAttr); ok {
		m.print(op, string(text))
		return nil
	}
	for _, v := range op.Operands {
		unsigned := false
		switch t := elemType(v.Type).(type) {
		case mlir.IndexType:
			unsigned = true
		case mlir.IntegerType:
			unsigned = t.Signedness == mlir.Unsigned
		}
		switch x := m.value(v).(type) {
		case number:
			m.print(op, text(x, unsigned))
		case *array:
			if len(x.shape) == 0 { // in parentheses, as vectors of one element
				x = &array{data: x.data, offset: x.offset, shape: []int{1}, strides: []int{1}}
			}
			m.printArray(op, x, nil, unsigned)
		}
	}
	m.print(op, punctuation[end])
	return nil
}

func elemType(t mlir.Type) mlir.Type {
	if _, e, shaped := mlir.ShapeOf(t); shaped {
		return e
	}
	return t
}

func (m *machine) printArray(op *mlir.Operation, a *array, at []int, unsigned bool) {
	if len(at) == len(a.shape) {
		n, _ := m.read(op, a, at).(number)
		m.print(op, text(n, unsigned))
		return
	}
	m.print(op, "( ")
	for i := range a.shape[len(at)] {
		if i > 0 {
			m.print(op, ", ")
		}
		m.printArray(op, a, append(at[:len(at):len(at)], i), unsigned)
	}
	m.print(op, " )")
}

// text is a number with six significant digits, or an integer.
func text(x number, unsigned bool) string {
	switch {
	case x.DType.IsComplex():
		return fmt.Sprint(x.complex)
	case x.DType.IsFloat():
		s := strconv.FormatFloat(x.Float, 'g', 6, 64)
		if mantissa, exponent, ok := strings.Cut(s, "e"); ok {
			return strings.TrimRight(strings.TrimRight(mantissa, "0"), ".") + "e" + exponent
		}
		return strings.ToLower(strings.TrimPrefix(s, "+"))
	case unsigned && x.DType.Bits() < 64:
		return strconv.FormatInt(x.Int&(1<<x.DType.Bits()-1), 10)
	case unsigned:
		return strconv.FormatUint(uint64(x.Int), 10)
	}
	return strconv.FormatInt(x.Int, 10)
}

func (m *machine) print(op *mlir.Operation, s string) {
	_, err := io.WriteString(m.printed, s)
	check(op, err)
}

// printer runs a function of upstream's runner that prints, if the name is one: a program may declare and call these
// functions.
func (m *machine) printer(op *mlir.Operation, name string, args []value) bool {
	switch name {
	case "printNewline":
		m.print(op, "\n")
	case "printComma":
		m.print(op, ", ")
	case "printOpen":
		m.print(op, "( ")
	case "printClose":
		m.print(op, " )")
	case "printI64", "printU64", "printF32", "printF64":
		n, _ := args[0].(number)
		m.print(op, text(n, name == "printU64"))
	default:
		return false
	}
	return true
}
