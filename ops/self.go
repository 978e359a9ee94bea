package ops

import "slices"

// givingSelf are the operators whose result is their first argument where nothing is to be computed, by the names in
// front of overloads.
var givingSelf = setOf("alpha_dropout", "atleast_1d", "atleast_2d", "atleast_3d", "conj", "dropout", "feature_alpha_dropout",
	"feature_dropout", "sum_to_size", "to", "type_as")

// MayGiveSelf reports whether the result of some calls is the first argument, see [Op.GivesSelf].
func (op *Op) MayGiveSelf() bool { return op.givesSelf }

// GivesSelf reports whether the result of a call is its first argument and not a copy, as in PyTorch: a dropout outside
// of training, a conversion to the type that the tensor has. Writes to the one are then writes to the other. ref says
// how a tensor lies in memory; nil means in order.
func (op *Op) GivesSelf(args []Arg, ref func(Value) *Ref) bool {
	return op.givesSelf && args[0].Kind == KindTensor && op.changesNothing(args, ref(args[0].Tensor()))
}

// changesNothing reports whether a call of one of [givingSelf] computes nothing, and makes no copy.
func (op *Op) changesNothing(args []Arg, ref *Ref) bool {
	c := &Call{Op: op, Args: slices.Clone(args)} // a copy, so that args of callers stay on the stack
	if c.Init() != nil {
		return false
	}
	for i, q := range op.Parsed().Params {
		if q.Name == "copy" && c.Bool(i) || q.Name == "train" && c.Bool(i) && c.Float(i-1) != 0 { // behind the probability
			return false
		}
	}
	self := args[0].Tensor().Type()
	if format := op.MemoryFormat(args); format != PreserveFormat && format != formatOf(self.Shape, ref) {
		return false
	}
	return c.Out[0].DType == self.DType && slices.Equal(c.Out[0].Shape, self.Shape) && !(op.name == "aten.conj" && self.DType.IsComplex())
}

// formatOf is PyTorch's suggest_memory_format: channels last of pictures or volumes, or contiguous.
func formatOf(dims []int, ref *Ref) int {
	if ref != nil && hasChannelsLast(dims, ref.strides()) {
		return len(dims) - 2
	}
	return ContiguousFormat
}
