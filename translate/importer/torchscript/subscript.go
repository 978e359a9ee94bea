package torchscript

import "github.com/go-acap/acap/base/script"

// getItem evaluates v[index].
func (ev *evaluator) getItem(at script.Position, v value, index script.Expr) value {
	t, ok := v.(*tensor)
	if !ok {
		if s, ok := index.(*script.Slice); ok {
			return ev.slice(at, v, ev.optional(s.Low), ev.optional(s.High), ev.optional(s.Step))
		}
		return ev.item(at, v, ev.eval(index))
	}
	part, chosen := ev.indexTensor(at, t, index)
	if chosen == nil {
		return part
	}
	return ev.callOperator(at, "index", arguments{positional: []value{part, chosen}})
}

func (ev *evaluator) optional(e script.Expr) value {
	if e == nil {
		return nil
	}
	return ev.eval(e)
}

// item returns an item of a container.
func (ev *evaluator) item(at script.Position, v, index value) value {
	switch v := v.(type) {
	case *dict:
		key := ev.key(at, index)
		if found, ok := v.get(key); ok {
			return found
		}
		failAt(at, "the dict has no key %s", text(key))
	case *tensor:
		return ev.callOperator(at, "select", arguments{positional: []value{v, 0, index}})
	case *object:
		if m := v.class.def.Method("__getitem__"); m != nil {
			return ev.callFunction(at, &closure{function: m, self: v},
				arguments{positional: []value{index}})
		}
		if m, ok := v.attrs[text(index)]; ok { // containers of modules name them by number or key
			return m
		}
	}
	items, ok := ev.iterate(at, v)
	if !ok {
		failAt(at, "a %s has no items", kindOf(v))
	}
	return items[ev.position(at, index, len(items))]
}

// indexTensor takes x[i, a:b, None, mask] apart: a view by select, slice and unsqueeze, and for each of its dimensions
// the tensor that chooses places of it, or None. There is no list if no tensor chooses.
func (ev *evaluator) indexTensor(at script.Position, x *tensor, index script.Expr) (view value, chosen value) {
	parts := []script.Expr{index}
	if t, ok := index.(*script.Tuple); ok {
		parts = t.Items
	}
	view = x
	var tensors []value
	dim := 0
	for i, part := range parts {
		if name, ok := part.(*script.Name); ok && name.Name == "..." {
			dim = ev.afterEllipsis(at, view, parts[i+1:])
			continue
		}
		if s, ok := part.(*script.Slice); ok {
			view = ev.callOperator(at, "slice", arguments{positional: []value{view, dim,
				ev.optional(s.Low), ev.optional(s.High), ev.orOne(s.Step)}})
			dim++
			continue
		}
		switch v := ev.eval(part).(type) {
		case nil:
			view = ev.callOperator(at, "unsqueeze", arguments{positional: []value{view, dim}})
			dim++
		case *tensor:
			for len(tensors) < dim {
				tensors = append(tensors, nil)
			}
			tensors = append(tensors, v)
			dim++
		default:
			view = ev.callOperator(at, "select", arguments{positional: []value{view, dim, v}})
		}
	}
	if tensors == nil {
		return view, nil
	}
	return view, &list{items: tensors}
}

func (ev *evaluator) orOne(e script.Expr) value {
	if e == nil {
		return 1
	}
	return ev.eval(e)
}

// afterEllipsis returns the dimension at which the parts behind an ellipsis begin.
func (ev *evaluator) afterEllipsis(at script.Position, x value, rest []script.Expr) int {
	rank := len(x.(*tensor).typeOf().Shape)
	for _, part := range rest {
		if literal, ok := part.(*script.Literal); !ok || literal.Value != nil {
			rank--
		}
	}
	if rank < 0 {
		failAt(at, "more indices than dimensions")
	}
	return rank
}

// setItem is v[index] = to.
func (ev *evaluator) setItem(at script.Position, v value, index script.Expr, to value) {
	if t, ok := v.(*tensor); ok {
		part, chosen := ev.indexTensor(at, t, index)
		if chosen != nil {
			if n, ok := number(to); ok {
				to = ev.constantTensor(at, n, t.typeOf().DType)
			}
			ev.callOperator(at, "index_put_", arguments{positional: []value{part, chosen, to}})
			return
		}
		ev.callOperator(at, "copy_", arguments{positional: []value{part, to}})
		return
	}
	ev.storeItem(at, v, ev.eval(index), to)
}

// storeItem sets an item of a list or dict.
func (ev *evaluator) storeItem(at script.Position, v, index, to value) {
	switch v := v.(type) {
	case *dict:
		v.set(ev.key(at, index), to)
	case *list:
		v.items[ev.position(at, index, len(v.items))] = to
	case *tensor:
		part := ev.callOperator(at, "select", arguments{positional: []value{v, 0, index}})
		ev.callOperator(at, "copy_", arguments{positional: []value{part, to}})
	default:
		failAt(at, "an item of a %s is set", kindOf(v))
	}
}
