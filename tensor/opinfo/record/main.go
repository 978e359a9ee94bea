package main

import (
	"bufio"
	"encoding/json"
	"log"
	"os"

	"github.com/go-acap/acap/ops"
)

func main() {
	log.SetFlags(0)
	out := bufio.NewWriter(os.Stdout)
	encoder := json.NewEncoder(out)
	list := ops.All()
	kind := ""
	if len(os.Args) > 1 {
		kind = os.Args[1]
	}
	switch kind {
	case "-table":
		list = ops.Table()
	case "-complex":
		list = ops.OnComplex()
	}
	for _, op := range list {
		if op.IsInplace() || op.Samples == nil || op.Draws {
			continue
		}
		o := request(op)
		if o.OnlyComplex = kind == "-complex"; !o.OnlyComplex {
			o.Complex = takesComplex(op)
		}
		if err := encoder.Encode(o); err != nil {
			log.Fatalf("%s: %v", op.Name(), err)
		}
	}
	if err := out.Flush(); err != nil {
		log.Fatal(err)
	}
}

// operator is a line: what there is to record of one operator.
type operator struct {
	Name    string      `json:"name"`
	Params  []parameter `json:"params"`
	Samples [][]any     `json:"samples"`
	Complex bool        `json:"complex"` // whether the operator itself takes complex tensors
	// OnlyComplex says that there is nothing to record but complex tensors.
	OnlyComplex bool `json:"only_complex,omitempty"`
}

type parameter struct {
	Name     string `json:"name"`
	Type     string `json:"type"`
	List     bool   `json:"list"`
	Optional bool   `json:"optional"`
	KwOnly   bool   `json:"kwonly"`
	Default  any    `json:"default"`
}

var typeNames = map[ops.ParamType]string{
	ops.TypeTensor: "tensor", ops.TypeInt: "int", ops.TypeFloat: "float", ops.TypeBool: "bool",
	ops.TypeScalar: "scalar", ops.TypeString: "string", ops.TypeDType: "dtype",
	ops.TypeLayout: "layout", ops.TypeDevice: "device", ops.TypeMemoryFormat: "memory_format",
	ops.TypeGenerator: "generator",
}

func request(op *ops.Op) operator {
	o := operator{Name: op.Name()}
	for _, q := range op.Parsed().Params {
		o.Params = append(o.Params, parameter{q.Name, typeNames[q.Type], q.List, q.Optional, q.KwOnly,
			argument(q.Default)})
	}
	for _, s := range op.Samples() {
		args := make([]any, len(s))
		for i, a := range s {
			args[i] = argument(a)
		}
		o.Samples = append(o.Samples, args)
	}
	return o
}

// object is an argument that JSON cannot write by itself.
type object map[string]any

// argument writes an argument of a sample as programs write it, and a tensor as
// {"tensor": …}, to be filled.
func argument(a any) any {
	switch a := a.(type) {
	case ops.T:
		return object{"tensor": tensor(a)}
	case []ops.T:
		list := make([]any, len(a))
		for i, t := range a {
			list[i] = argument(t)
		}
		return list
	}
	arg := ops.ArgOf(a)
	switch arg.Kind {
	case ops.KindNone:
		return nil
	case ops.KindInt:
		return arg.Int()
	case ops.KindFloat:
		return float(arg.Float())
	case ops.KindBool:
		return arg.Bool()
	case ops.KindComplex:
		return object{"c": []float64{real(arg.Complex()), imag(arg.Complex())}}
	case ops.KindInts:
		return append([]int{}, arg.Ints()...)
	case ops.KindFloats:
		list := []any{}
		for _, v := range arg.Floats() {
			list = append(list, float(v))
		}
		return list
	case ops.KindBools:
		return arg.Bools()
	case ops.KindString:
		return object{"s": arg.Text()}
	case ops.KindDType:
		return object{"dtype": arg.DType().String()}
	}
	log.Fatalf("no argument of kind %v", arg.Kind)
	return nil
}
