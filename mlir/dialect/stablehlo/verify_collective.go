package stablehlo

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-acap/acap/mlir"
)

// Checks of operations that several programs run together.

// replicas checks the groups of programs: each program is in one group. Whole groups are of one size.
func replicas(f facts, whole bool, size int) error {
	a, ok := f.Attrs.Get("replica_groups").(mlir.DenseAttr)
	if !ok {
		return meshAxes(f, f.Attrs.Get("replica_groups"))
	}
	shape, _, _ := mlir.ShapeOf(a.Type)
	if len(shape) != 2 {
		return fmt.Errorf("replica_groups must have a row for each group, not %s", a.Type)
	}
	list, _ := mlir.IntList(a)
	if f.flag("use_global_device_ids") && len(list) == 0 {
		return fmt.Errorf("groups of devices must not be empty")
	}
	if err := distinct(list, !whole); err != nil {
		return err
	}
	if whole && size > 0 && shape[1] != size {
		return fmt.Errorf("groups must have %d programs, not %d", size, shape[1])
	}
	return nil
}

// distinct checks that the numbers from 0 on occur once each. Where holes are allowed, -1 is one.
func distinct(list []int, holes bool) error {
	seen := map[int]bool{}
	for _, id := range list {
		switch {
		case id == -1 && holes:
			continue
		case id < 0:
			return fmt.Errorf("%d is no program", id)
		case seen[id]:
			return fmt.Errorf("program %d is in two places", id)
		}
		seen[id] = true
	}
	for id := range len(seen) {
		if !seen[id] {
			return fmt.Errorf("program %d is in no group", id)
		}
	}
	return nil
}

// meshAxes checks groups that are axes of a mesh, which a symbol may name.
func meshAxes(f facts, a mlir.Attribute) error {
	o, _ := a.(mlir.OpaqueAttr)
	if text, ok := strings.CutPrefix(o.Text, "#stablehlo.replica_group_mesh_axes<"); ok {
		for _, field := range split(strings.TrimSuffix(text, ">")) {
			name, value, _ := strings.Cut(field, "=")
			symbol, named := strings.CutPrefix(strings.TrimSpace(value), "@")
			if strings.TrimSpace(name) == "mesh" && named && !defined(f, symbol) {
				return fmt.Errorf("there is no mesh @%s", symbol)
			}
		}
		return nil
	}
	return fmt.Errorf("replica_groups must be elements or axes of a mesh, not %v", a)
}

// defined reports whether the module around an operation has a symbol.
func defined(f facts, name string) bool {
	top := f.Operation
	for top.Parent() != nil {
		top = top.Parent()
	}
	body := top.Body()
	return body != nil && slices.ContainsFunc(body.Ops, func(op *mlir.Operation) bool { return op.Symbol() == name })
}

// channel checks that programs on devices of all replicas have a channel.
func channel(f facts, least int) error {
	if !f.flag("use_global_device_ids") {
		return nil
	}
	id := 0
	if h := Fields(f.Attrs.Get("channel_handle"))["handle"]; len(h) == 1 {
		id = h[0]
	}
	if id < least {
		return fmt.Errorf("the channel must be %d at least, not %d", least, id)
	}
	return nil
}

// reduces checks the computation of a collective reduction on each operand, and returns the types that it makes.
func reduces(f facts, operands int) ([]mlir.Type, error) {
	var types []mlir.Type
	for i := range operands {
		x := f.in(i)
		sums, err := reducer(f.Regions[0], []mlir.TensorType{x}, []mlir.TensorType{tensorType(scalarOf(x))}, nil)
		if err != nil {
			return nil, err
		}
		types = append(types, withShape(sums, x.Shape)...)
	}
	return types, nil
}

func verifyAllReduce(f facts) error {
	if err := first(replicas(f, false, 0), channel(f, 1)); err != nil {
		return err
	}
	types, err := reduces(f, len(f.Operands))
	if err != nil {
		return err
	}
	return f.gives(types...)
}

// root checks the last operand where it names the program that sends or receives, and returns how many operands
// are data.
func root(f facts) (data int, err error) {
	data = len(f.Operands)
	if f.flag("has_dynamic_root") {
		data--
		if data < 1 {
			return 0, fmt.Errorf("needs data and a root")
		}
		t := f.in(data)
		if !mlir.SameType(t.Elem, mlir.I32) || len(t.Shape) != 1 || t.Shape[0] != data {
			return 0, fmt.Errorf("the root must be an i32 for each of %d operands, not %s", data, t)
		}
	}
	if data == 0 {
		return 0, fmt.Errorf("needs data")
	}
	return data, nil
}

func verifyCollectiveReduce(f facts) error {
	if err := first(replicas(f, false, 0), channel(f, 1)); err != nil {
		return err
	}
	data, err := root(f)
	if err != nil {
		return err
	}
	types, err := reduces(f, data)
	if err != nil {
		return err
	}
	return f.gives(types...)
}

func verifyCollectiveBroadcast(f facts) error {
	if a, ok := f.Attrs.Get("replica_groups").(mlir.DenseAttr); ok {
		if shape, _, _ := mlir.ShapeOf(a.Type); len(shape) != 2 {
			return fmt.Errorf("replica_groups must have a row for each group, not %s", a.Type)
		}
		list, _ := mlir.IntList(a)
		for i, id := range list {
			if id < 0 || slices.Contains(list[:i], id) {
				return fmt.Errorf("program %d is no program, or in two places", id)
			}
		}
	}
	data, err := root(f)
	if err != nil {
		return err
	}
	return f.gives(mlir.TypesOf(f.Operands[:data])...)
}

func verifyCollectivePermute(f facts) error {
	a, _ := f.Attrs.Get("source_target_pairs").(mlir.DenseAttr)
	shape, _, _ := mlir.ShapeOf(a.Type)
	if len(shape) != 2 || shape[1] != 2 {
		return fmt.Errorf("source_target_pairs must be pairs, not %s", a.Type)
	}
	list, _ := mlir.IntList(a)
	seen := [2]map[int]bool{{}, {}}
	for i, id := range list {
		if id < 0 || seen[i%2][id] {
			return fmt.Errorf("program %d is no program, or sends or receives twice", id)
		}
		seen[i%2][id] = true
	}
	return f.gives(mlir.TypesOf(f.Operands)...)
}

func verifyAllGather(f facts) error {
	if err := first(replicas(f, true, 0), channel(f, 0)); err != nil {
		return err
	}
	dim := f.int("all_gather_dim")
	if len(f.Results) != len(f.Operands) {
		return fmt.Errorf("has %d results for %d operands", len(f.Results), len(f.Operands))
	}
	for i := range f.Operands {
		x, y := f.in(i), f.out(i)
		if dim >= len(x.Shape) || len(x.Shape) != len(y.Shape) || !mlir.SameType(x.Elem, y.Elem) {
			return fmt.Errorf("does not gather %s along dimension %d into %s", x, dim, y)
		}
		for d := range x.Shape {
			m, n := x.Shape[d], y.Shape[d]
			if d != dim && !same(m, n) {
				return fmt.Errorf("dimension %d has %d places in %s and %d in %s", d, m, x, n, y)
			}
			if d == dim && (m == 0 || m > 0 && n > 0 && n%m != 0) {
				return fmt.Errorf("%d places are not gathered into %d", m, n)
			}
		}
	}
	return nil
}

func verifyAllToAll(f facts) error {
	split, concat, n := f.int("split_dimension"), f.int("concat_dimension"), f.int("split_count")
	if err := replicas(f, true, n); err != nil {
		return err
	}
	var types []mlir.Type
	for i := range f.Operands {
		x := f.in(i)
		shape := slices.Clone(x.Shape)
		if split >= len(shape) || concat >= len(shape) {
			return fmt.Errorf("splits dimension %d and joins dimension %d of %s", split, concat, x)
		}
		if shape[split] != mlir.Dynamic {
			if shape[split]%n != 0 {
				return fmt.Errorf("%d places are not split into %d parts", shape[split], n)
			}
			shape[split] /= n
		}
		if shape[concat] != mlir.Dynamic {
			shape[concat] *= n
		}
		types = append(types, mlir.TensorType{Shape: shape, Elem: x.Elem})
	}
	return f.gives(types...)
}

func verifyReduceScatter(f facts) error {
	if err := first(replicas(f, true, 0), channel(f, 1)); err != nil {
		return err
	}
	types, err := reduces(f, 1)
	if err != nil {
		return err
	}
	x, y, dim := f.in(0), f.out(0), f.int("scatter_dimension")
	if len(x.Shape) != len(y.Shape) || dim >= len(x.Shape) {
		return fmt.Errorf("does not scatter %s along dimension %d into %s", x, dim, y)
	}
	for d := range x.Shape {
		m, n := x.Shape[d], y.Shape[d]
		if d != dim && !same(m, n) {
			return fmt.Errorf("dimension %d has %d places in %s and %d in %s", d, m, x, n, y)
		}
		if d == dim && (m == 0 || n == 0 || m > 0 && n > 0 && m%n != 0) {
			return fmt.Errorf("%d places are not scattered into %d", m, n)
		}
	}
	if want := mlir.ElementOf(types[0]); !mlir.SameType(want, y.Elem) {
		return fmt.Errorf("gives elements %s, not %s", want, y.Elem)
	}
	return nil
}
