package torchscript

import (
	"slices"
	"strings"

	"github.com/go-acap/acap/base/script"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/ops"
)

// Values are stored in row-major order here. PyTorch's values need not be: a view has the strides of its base, and the
// result of an operator has the order of its operands or not, as the operator decides. Only programs that call
// as_strided, stride or storage_offset see strides. Strides are followed as far as they are certain, and a program that
// needs others is refused.

// layout is how the elements of a tensor that is no view lie in memory; unknown says why that is not known.
type layout struct {
	memory  ops.Memory
	unknown string
}

// memoryOf returns how the elements of a tensor lie in memory, or why that is not known.
func (ev *evaluator) memoryOf(t *tensor) (m ops.Memory, unknown string) {
	if t.deferred != nil {
		ev.ref(script.Position{}, t)
	}
	if t.ref == nil {
		if t.parameter != nil && t.parameter.inside {
			return m, insideMemory
		}
		return ops.InOrder(t.typeOf().Shape), ""
	}
	root := t.ref.Root()
	l, ok := ev.layouts[root]
	if !ok {
		l.memory = ops.InOrder(root.Type().Shape)
	}
	if l.unknown != "" {
		return m, l.unknown
	}
	if m, ok = t.ref.Memory(l.memory); !ok {
		return m, "it is a view of elements of another size, or at a place that varies"
	}
	return m, ""
}

const insideMemory = "the file has it inside of a larger memory, or in another order"

// clonedFirst is the way out of what depends on memory.
const clonedFirst = ": call contiguous() or clone(memory_format=torch.contiguous_format) first"

// knownMemory is memoryOf for an operator that needs it.
func (ev *evaluator) knownMemory(at script.Position, name string, t *tensor) ops.Memory {
	m, unknown := ev.memoryOf(t)
	if unknown != "" {
		failAt(at, "%s: how the elements of the tensor lie in memory is not known: %s%s", name, unknown, clonedFirst)
	}
	return m
}

// inMemoryOrder gives an operator that reads the memory of its first argument, v, arguments whose first has its
// elements in memory's order. For as_strided of a tensor whose dimensions lie in another order, as channels last, or of
// a view of one, it is a copy.
func (ev *evaluator) inMemoryOrder(at script.Position, name string, op *ops.Op, v value, list []ops.Arg) []ops.Arg {
	t, ok := v.(*tensor)
	if !ok {
		return list
	}
	m := ev.knownMemory(at, name, t)
	if t.ref == nil {
		return list
	}
	root := t.ref.Root()
	dims := root.Type().Shape
	l, ok := ev.layouts[root]
	if !ok || l.memory.IsInOrder(dims) {
		return list
	}
	order := make([]int, len(dims))
	for d := range order {
		order[d] = d
	}
	slices.SortStableFunc(order, func(a, b int) int { return l.memory.Strides[b] - l.memory.Strides[a] })
	var ordered ops.Memory
	var extents []int
	for _, d := range order {
		extents, ordered.Strides = append(extents, dims[d]), append(ordered.Strides, l.memory.Strides[d])
	}
	if !op.IsView() || !ordered.IsInOrder(extents) {
		failAt(at, "%s: the elements of %s lie in memory with strides of %s%s", name, shape.String(dims),
			shape.String(l.memory.Strides), clonedFirst)
	}
	var copied *ops.Ref
	ev.builder.SetLocation(ev.location(at))
	ev.try(at, func() error {
		e := ops.Emit{Builder: ev.builder}
		copied = ops.NewRef(e.Call("clone", e.Call("permute", root.Value(ev.builder), order)))
		return nil
	})
	ev.shared[root], ev.shared[copied] = true, true
	list = slices.Clone(list)
	list[0] = ops.TensorArg(copied)
	if offset := &list[3]; offset.Kind == ops.KindNone { // as_strided starts where its tensor does
		*offset = ops.IntArg(m.Offset)
	}
	return list
}

// checkUnread refuses to write to a tensor that as_strided read a copy of, or to such a copy: in PyTorch they are one
// memory.
func (ev *evaluator) checkUnread(at script.Position, name string, v value) {
	if t, ok := v.(*tensor); ok && t.ref != nil && ev.shared[t.ref.Root()] {
		failAt(at, "%s: the tensor shares memory with what as_strided made of it in another order, and is written to%s",
			name, clonedFirst)
	}
}

func setOfWords(words string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}

// rearranging are operators whose results do not lie in order although their operands do, or not always.
var rearranging = setOfWords(`nonzero einsum tensordot stft istft lstm gru rnn_tanh rnn_relu scaled_dot_product_attention index kron
	cdist inverse cholesky qr svd lu geqrf triangular_solve matmul unique2 _unique2 pinverse ormqr cholesky_solve
	cholesky_inverse lu_solve _native_multi_head_attention`)

// ordering are operators whose results lie in order however their operands do, by PyTorch 2.14's CPU kernels.
var ordering = setOfWords(`linear mm addmm bmm baddbmm mv outer softmax _softmax log_softmax _log_softmax layer_norm
	native_layer_norm sum nansum mean amax amin aminmax argmax argmin prod var std norm linalg_vector_norm logsumexp all any
	median mode kthvalue quantile count_nonzero cumsum cumprod cummax cummin logcumsumexp gather index_select embedding
	topk repeat repeat_interleave tile tril triu masked_fill one_hot index_add scatter scatter_add masked_select take
	conv1d instance_norm renorm bernoulli multinomial cosine_similarity searchsorted bucketize isin histc trapezoid
	diag_embed`)

// laidOut are operators that are told how their results lie.
var laidOut = setOfWords(`empty_strided new_empty_strided empty_permuted`)

// told is how the result of such an operator lies: with strides, or with dimensions in an order.
func told(op *ops.Op, list []ops.Arg, dims []int) layout {
	for i, q := range op.Parsed().Params {
		switch {
		case q.Name == "stride" && list[i].Kind == ops.KindInts:
			return layout{memory: ops.Memory{Strides: list[i].Ints()}}
		case q.Name == "physical_layout" && list[i].Kind == ops.KindInts:
			strides, next := make([]int, len(dims)), 1
			for _, d := range slices.Backward(list[i].Ints()) {
				strides[d] = next
				next *= dims[d]
			}
			return layout{memory: ops.Memory{Strides: strides}}
		}
	}
	return layout{unknown: "the strides of " + op.Name() + " vary"}
}

// followMemory notes how the results of a call lie in memory, unless they lie in order. The results are views, or new.
func (ev *evaluator) followMemory(name string, op *ops.Op, args arguments, list []ops.Arg, refs []*ops.Ref) {
	if len(refs) == 0 {
		return
	}
	format, given := ev.memoryFormat(op, args)
	note := func(r *ops.Ref, l layout) {
		if l.unknown != "" || !l.memory.IsInOrder(r.Type().Shape) {
			ev.layouts[r] = l
		}
	}
	if op.IsView() {
		t, ok := args.at(0).(*tensor)
		if !ok || op.Copies == nil {
			return
		}
		m, unknown := ev.memoryOf(t)
		c := &ops.Call{Op: op, Args: list, Out: []ops.TensorType{refs[0].Type()}}
		switch {
		case name == "contiguous" && given && format > ops.PreserveFormat:
			refs[0] = ops.NewRef(refs[0].Value(ev.builder))
			note(refs[0], layout{memory: ops.ChannelsLast(refs[0].Type().Shape)})
		case name == "contiguous" && unknown != "", unknown == "" && op.Copies(c, m.Strides): // PyTorch copies
			refs[0] = ops.NewRef(refs[0].Value(ev.builder))
		}
		return
	}
	for _, r := range refs {
		switch {
		case given && format == ops.ContiguousFormat:
		case given && format > ops.PreserveFormat:
			note(r, layout{memory: ops.ChannelsLast(r.Type().Shape)})
		case laidOut[name]:
			note(r, told(op, list, r.Type().Shape))
		case ordering[name]: // in order
		default:
			note(r, ev.inherited(name, op, r.Type().Shape, args))
		}
	}
}

// learnMemory takes from a file of torch.export how the elements of a new tensor lie that the rules leave unknown. The
// file has the strides that PyTorch traced the program with.
func (ev *evaluator) learnMemory(v value, meta tensorMeta) {
	t, ok := v.(*tensor)
	if !ok || t.ref == nil || t.ref.IsView() || ev.layouts[t.ref].unknown == "" {
		return
	}
	dims := t.typeOf().Shape
	strides, err := meta.extents(meta.Strides)
	if err != nil || len(strides) != len(dims) || len(meta.Sizes) != len(dims) {
		return
	}
	for d, a := range meta.Sizes {
		if n, err := meta.extents([]argument{a}); err == nil && n[0] != dims[d] {
			return
		}
	}
	if offset, err := meta.extents([]argument{meta.Offset}); err == nil && offset[0] == 0 {
		ev.layouts[t.ref] = layout{memory: ops.Memory{Strides: strides}}
	}
}

// memoryFormat is the memory format among the arguments.
func (ev *evaluator) memoryFormat(op *ops.Op, args arguments) (format int, given bool) {
	for i, q := range op.Parsed().Params {
		if q.Type != ops.TypeMemoryFormat {
			continue
		}
		place := i
		if q.KwOnly {
			place = -1
		}
		v, _ := args.get(place, q.Name)
		format, given = v.(int)
	}
	return format, given
}

// inherited is how a result of operands lies that keeps their order if it can.
func (ev *evaluator) inherited(name string, op *ops.Op, dims []int, args arguments) layout {
	var operands []*tensor
	for _, v := range append(slices.Clone(args.positional), namedValues(args.named)...) {
		if t, ok := v.(*tensor); ok {
			operands = append(operands, t)
		}
		for _, item := range itemsOf(v) {
			if t, ok := item.(*tensor); ok || item == nil { // an entry may be absent
				operands = append(operands, t)
			}
		}
	}
	ordered := !rearranging[name] && !strings.HasPrefix(name, "linalg_") && !strings.Contains(name, "fft")
	types, strides := make([]ops.TensorType, len(operands)), make([][]int, len(operands))
	for i, t := range operands {
		if t == nil {
			continue
		}
		m, unknown := ev.memoryOf(t)
		if unknown != "" {
			return layout{unknown: "it is computed of a tensor of which " + unknown}
		}
		types[i], strides[i] = t.typeOf(), m.Strides
		ordered = ordered && m.IsInOrder(types[i].Shape)
	}
	switch {
	case ordered:
		return layout{memory: ops.InOrder(dims)}
	case op.KeepsOrder():
		return layout{memory: ops.Memory{Strides: op.ResultStrides(ops.PreserveFormat, dims, types, strides)}}
	}
	return layout{unknown: "it is what " + name + " gives, of operands that do not all lie in order or in an order of its own"}
}

func namedValues(named []namedValue) []value {
	out := make([]value, len(named))
	for i, n := range named {
		out[i] = n.value
	}
	return out
}
