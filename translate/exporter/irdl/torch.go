package irdl

import (
	"strings"

	"github.com/go-acap/acap/ops"
)

// torchTypes are the types of the torch dialect. A vtensor has a list of extents and an element
// type; both are unit where they are not known.
const torchTypes = `  irdl.type @int
  irdl.type @float
  irdl.type @bool
  irdl.type @str
  irdl.type @none
  irdl.type @vtensor {
    %0 = irdl.base "#builtin.array"
    %1 = irdl.is unit
    %2 = irdl.any_of(%0, %1)
    %3 = irdl.any
    irdl.parameters(%2, %3)
  }
  irdl.type @list {
    %0 = irdl.any
    irdl.parameters(%0)
  }
`

const vtensor = "irdl.base @torch::@vtensor"

// anything is met by every type.
const anything = "irdl.any"

// listConstruct makes a list of its operands.
const listConstruct = "torch.prim.ListConstruct"

// Torch returns the definitions of the torch dialect: every argument is an operand. The types
// are spelled as torch.Spell of package mlir/dialect/torch does.
func Torch() string {
	var b strings.Builder
	b.WriteString("irdl.dialect @torch {\n" + torchTypes)
	for _, c := range [][3]string{{"constant.int", kind("int"), `irdl.base "#builtin.integer"`},
		{"constant.float", kind("float"), `irdl.base "#builtin.float"`}, {"constant.bool", kind("bool"), `irdl.base "#builtin.integer"`},
		{"constant.str", kind("str"), `irdl.base "#builtin.string"`}, {"vtensor.literal", vtensor, anything}} {
		o := &operation{}
		o.lines = append(o.lines, "irdl.attributes {\"value\" = "+o.constraint(c[2])+"}")
		o.list("results", []slot{{"", []string{c[1]}}})
		o.write(&b, c[0])
	}
	define(&b, "constant.none", nil, []slot{{"", []string{kind("none")}}})
	define(&b, strings.TrimPrefix(listConstruct, "torch."), listSlots(anything), []slot{{"", []string{kind("list")}}})
	for _, op := range ops.All() {
		s := op.Parsed()
		o := &operation{}
		var operands []slot
		for i := range s.Params {
			operands = append(operands, slot{"", accepted(o, &s.Params[i])})
		}
		o.list("operands", operands)
		o.list("results", resultSlots(s, vtensor))
		o.write(&b, "aten."+s.FullName())
	}
	b.WriteString("}\n")
	return b.String()
}

// lookupTorch returns the operator that an operation of the torch dialect is, or nil.
func lookupTorch(name string) *ops.Op {
	if name, ok := strings.CutPrefix(name, "torch.aten."); ok {
		return ops.Lookup(name)
	}
	return nil
}

func kind(name string) string { return "irdl.base @torch::@" + name }

// accepted returns constraints; the operand of a parameter meets at least one.
func accepted(o *operation, q *ops.Param) []string {
	var texts []string
	switch {
	case q.List && q.Type == ops.TypeTensor:
		texts = []string{kind("list")}
	case q.List:
		for _, name := range scalarKinds(q.Type) {
			texts = append(texts, "irdl.parametric @torch::@list<"+o.constraint(kind(name))+">")
		}
	case q.Type == ops.TypeTensor:
		texts = []string{vtensor}
	default:
		for _, name := range scalarKinds(q.Type) {
			texts = append(texts, kind(name))
		}
	}
	if q.Optional || q.Type >= ops.TypeLayout {
		texts = append(texts, kind("none"))
	}
	return texts
}

// scalarKinds are the types of an argument that is no tensor.
func scalarKinds(t ops.ParamType) []string {
	switch t {
	case ops.TypeFloat:
		return []string{"float"}
	case ops.TypeBool:
		return []string{"bool"}
	case ops.TypeScalar:
		return []string{"int", "float", "bool"}
	case ops.TypeString, ops.TypeDevice:
		return []string{"str"}
	}
	return []string{"int"}
}
