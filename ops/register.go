package ops

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// operators are a set of operators.
type operators struct {
	byName    map[string]*Op
	overloads map[string][]*Op // by base name, each list sorted
}

// set is the set of all. Its content changes only while the program starts.
var set atomic.Pointer[operators]

// registering serializes calls of Register.
var registering sync.Mutex

func registered() *operators {
	if s := set.Load(); s != nil {
		return s
	}
	s := &operators{map[string]*Op{}, map[string][]*Op{}}
	set.Store(s)
	return s
}

// register adds an operator of this package. It is called from init functions only.
func register(op *Op) { must(registered().add(op)) }

func must(err error) {
	if err != nil {
		panic("BUG: " + err.Error())
	}
}

// Register adds an operator to the set, with its in-place variant if Inplace is set. The schema and exactly one of
// Expand, Lower and Host must be given. Infer may be left out where Expand is given. From then on [Lookup],
// tensor.Call, gradients, importers and the aten dialect know the operator, so a program should register its operators
// at its start. The operator must not change afterwards. Register fails if the schema does not parse, if the name is
// taken, or if none or several of Expand, Lower and Host are given.
func Register(op *Op) error {
	registering.Lock()
	defer registering.Unlock()
	if op.name != "" {
		return fmt.Errorf("ops: %s is registered already", op.Name())
	}
	if op.Infer == nil && op.Expand != nil {
		op.Infer = inferExpansion(nil)
	}
	if _, err := op.parse(); err != nil {
		return err
	}
	s := registered()
	next := &operators{maps.Clone(s.byName), maps.Clone(s.overloads)}
	if err := next.add(op); err != nil {
		op.name = ""
		return err
	}
	set.Store(next)
	return nil
}

// add adds an operator and its in-place variant.
func (s *operators) add(op *Op) error {
	op.called(named(op.Schema))
	op.orderly, op.follows = orderly[op.base], following[op.base]
	ways := 0
	// An operator that lowers may also have a Host form, for calls whose result
	// shape depends on data (index.Tensor with masks).
	host := op.Host != nil && op.Lower == nil
	for _, set := range []bool{op.Expand != nil, op.Lower != nil, host, op.of != nil} {
		if set {
			ways++
		}
	}
	if ways != 1 || op.Infer == nil {
		return fmt.Errorf("ops: %s needs Infer and exactly one of Expand, Lower and Host", op.Name())
	}
	all := []*Op{op}
	if op.Inplace {
		all = append(all, inplaceOf(op))
	}
	for _, op := range all {
		if s.byName[op.Name()] != nil {
			return fmt.Errorf("ops: there is an operator %s already", op.Name())
		}
	}
	for _, op := range all {
		s.byName[op.Name()] = op
		list := append(slices.Clone(s.overloads[op.base]), op)
		slices.SortFunc(list, byName)
		s.overloads[op.base] = list
	}
	return nil
}

// inplaceNames are what ATen calls variants in place that have the overload of another functional operator.
var inplaceNames = map[string]string{"pow_.Scalar": "pow_.Tensor_Scalar", "pow_.Tensor": "pow_.Tensor_Tensor",
	"floor_divide_.Tensor": "floor_divide_"}

// Lookup returns the operator of a name in any spelling: "add.Tensor",
// "aten.add.Tensor", "aten::add.Tensor", "relu.default", "relu". It returns nil
// if there is none.
func Lookup(name string) *Op {
	s := registered()
	short := strings.TrimSuffix(trimNamespace(name), ".default")
	if other, ok := inplaceNames[short]; ok {
		short = other
	}
	if op := s.byName[short]; op != nil {
		return op
	}
	if op := s.byName[name]; op != nil {
		return op
	}
	return fromTable(short)
}

// trimNamespace removes the prefix of ATen in TorchScript ("aten::") and MLIR ("aten.").
func trimNamespace(name string) string {
	return strings.TrimPrefix(strings.TrimPrefix(name, "aten::"), dialectPrefix)
}

// MustLookup is for names that this module itself writes.
func MustLookup(name string) *Op {
	op := Lookup(name)
	if op == nil {
		panic("BUG: ops: no operator " + name)
	}
	return op
}

// All returns every operator, sorted by name.
func All() []*Op {
	all := slices.Collect(maps.Values(registered().byName))
	slices.SortFunc(all, byName)
	return all
}

func byName(a, b *Op) int { return strings.Compare(a.Name(), b.Name()) }

// Overloads returns the operators that share a base name ("add"), sorted by name; operators of the table follow.
func Overloads(base string) []*Op {
	list := slices.Clip(registered().overloads[base])
	if len(table().names[base]) == 0 {
		return list
	}
	return append(list, overloadsFromTable(base)...)
}

// UnknownError reports an operator that is not in the set.
type UnknownError struct{ Name string }

func (e *UnknownError) Error() string {
	if hint := e.Hint(); strings.HasPrefix(hint, ":") { // with a reason
		return "operator " + e.Name + " is not supported" + hint
	}
	return "unknown operator " + e.Name + e.Hint()
}
