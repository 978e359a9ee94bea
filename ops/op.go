package ops

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/mlir"
)

// Op is one ATen operator overload.
type Op struct {
	// Schema is the ATen schema string. It gives the name in every MLIR spelling,
	// the kinds of the arguments, the boxed call and the generated method.
	Schema string
	// Inplace also registers the variant that writes its result to self
	// ("add_.Tensor").
	Inplace bool
	// Infer computes the result types with [Call.Result], or returns an error that
	// names the rule. An operator whose result shape depends on data returns
	// [ErrDataDependent].
	Infer func(c *Call) error

	// Expand writes the operator in terms of others. It returns the results.
	Expand func(e Emit, c *Call) []Value
	// Lower writes it as linalg on tensors. It returns the results.
	Lower func(l *Lowering, c *Call) []*mlir.Value
	// Host computes it on the host.
	Host func(h *HostCall) ([]*buf.Buffer, error)

	// Determine, of an operator whose result types depend on data, writes a call by operators whose result types are
	// known. Determine reads only the elements that decide a type, such as the elements of a mask. The other operands
	// stay values of the program, with their gradients.
	Determine func(e Emit, c *Call, r Reader) ([]Value, error)

	// OnHost, of an operator with Lower and Host, reports that a call runs on the host
	// although its shapes are known: index_put with a mask.
	OnHost func(c *Call) bool

	// Begins says that Host begins something that goes on beside the program, such as sending its
	// operand. It is called as soon as its operands are computed.
	Begins bool

	// Draws says that Expand draws random numbers: a call is always recorded as its
	// expansion, by a [Builder] that is a [Generator].
	Draws bool

	// DrawsIf reports whether a call draws random numbers, for operators that draw in some calls only. Such a call is
	// recorded as its expansion, too. Nil says what Draws says.
	DrawsIf func(c *Call) bool

	// Complex says that Host takes complex tensors.
	Complex bool

	// Grad sets the gradients of the tensor arguments. An operator with neither Grad nor
	// Expand cannot be differentiated: it is an error to ask for a gradient through it.
	Grad func(g *Gradient)
	// Detached says that gradients end at the operator without an error, because it is
	// meant so (detach), or because the result does not follow the elements of the
	// operands (zeros_like).
	Detached bool
	// Rewrites says that gradients flow through the operator also where they are off.
	Rewrites bool
	// View, for an operator whose result aliases its first argument, returns base with the elements under the view
	// replaced by the elements of view. An operator whose in-place form changes the shape of self (transpose_, resize_)
	// has it, too.
	View func(e Emit, c *Call, base, view Value, result int) Value
	// Strides returns the strides of a result of such an operator, in elements, from the strides of its first argument;
	// nil if the result's elements have another size. Copies, if not nil, reports whether the result has memory of its
	// own for such strides.
	Strides func(c *Call, strides []int, result int) []int
	Copies  func(c *Call, strides []int) bool
	// Offset returns the distance, in elements, from the first element of the first argument to the first element of a
	// result; nil means 0.
	Offset func(c *Call, strides []int, result int) int
	// ReadsMemory says that the operator's result depends on how the elements of its first argument lie in memory.
	ReadsMemory bool
	// Resizes says that the in-place form lays the shape of the result over the memory of self, from its first element
	// on.
	Resizes bool
	// Repeats says of such an operator that its result may have an element of its first argument more than once.
	Repeats bool
	// Uniform says of an operator with an in-place form that it writes the same number everywhere. Writing an element
	// twice, as through a view that overlaps itself, is then harmless.
	Uniform bool
	// Unseen says that gradients do not see what the in-place form writes.
	Unseen bool
	// Update, for an operator that in some calls also writes arguments, such as the running
	// statistics of a batch norm in training, returns the results and then the new values
	// of the arguments that Written lists. It returns nil for a call that writes none.
	Update  func(e Emit, c *Call) []Value
	Written []int
	// Samples are arguments that exercise the operator.
	Samples func() []Sample

	parsed  *parsed
	base    string // of the name, without the overload
	name    string // in the aten dialect
	hash    Hash
	of      *Op  // for an in-place variant: the functional operator
	orderly bool // see [Op.KeepsOrder]
	follows bool // see [Op.KeepsOrder]
	tabled  bool // an operator of the table of expansions

	givesSelf bool // in some calls, see [Op.GivesSelf]
}

// IsPlain reports whether every call of the operator is recorded as itself and makes new values: it writes nothing,
// is no view, and is not recorded as its expansion.
func (op *Op) IsPlain() bool { return op.read().plain }

// Parsed returns the parsed schema.
func (op *Op) Parsed() *Schema { return op.read().schema }

// parsed is the schema of an operator and what follows from it.
type parsed struct {
	once   sync.Once
	schema *Schema
	plain  bool
	format int // the parameter that is a memory format, or -1

	likeFirst []int // see [Call.refuseMixed]
}

// read parses the schema when it is first wanted, as a program uses few of the operators.
func (op *Op) read() *parsed {
	p := op.parsed
	if p == nil {
		return &parsed{} // the operator is not registered
	}
	p.once.Do(func() {
		s, err := op.parse()
		must(err)
		p.schema = s
		p.format = slices.IndexFunc(s.Params, func(q Param) bool { return q.Type == TypeMemoryFormat })
		p.likeFirst = op.likeFirst(s)
		isView := op.View != nil && len(s.Returns) > 0 && s.Returns[0].Alias != 0
		p.plain = !op.tabled && !op.IsInplace() && !isView && op.Update == nil && !op.Draws && op.DrawsIf == nil && (op.Grad != nil || op.Expand == nil)
	})
	return p
}

// parse reads the schema, that of an in-place variant from the schema of the functional operator if it has none of its
// own. It is an error if the text is no schema, and if the operator has such a variant without a tensor to write.
func (op *Op) parse() (*Schema, error) {
	if op.of != nil && op.Schema == op.of.Schema {
		s := *op.of.Parsed()
		s.Name += "_"
		s.Params = slices.Clone(s.Params)
		s.Params[0].Alias, s.Params[0].Write = 'a', true
		s.Returns = []Return{{Type: TypeTensor, Alias: 'a', Write: true}}
		return &s, nil
	}
	s, err := ParseSchema(op.Schema)
	if err != nil {
		return nil, fmt.Errorf("ops: %w", err)
	}
	if op.Inplace && (len(s.Params) == 0 || s.Params[0].Type != TypeTensor || len(s.Returns) != 1) {
		return nil, fmt.Errorf("ops: %s cannot work in place: it takes no tensor first, or does not return one", s.FullName())
	}
	return s, nil
}

// Name returns "add.Tensor", or "relu" for a default overload.
func (op *Op) Name() string { return strings.TrimPrefix(op.name, dialectPrefix) }

// MLIRName returns the name in the aten dialect, "aten.add.Tensor".
func (op *Op) MLIRName() string { return op.name }

// dialectPrefix begins the names of operators in MLIR.
const dialectPrefix = "aten."

// called sets the name, whose base is given, and what follows from the name.
func (op *Op) called(base, overload string) *Op {
	full := base
	if overload != "" {
		full += "." + overload
	}
	op.givesSelf = givingSelf[base]
	op.base, op.name, op.hash, op.parsed = base, dialectPrefix+full, Hash{}.Text(full), &parsed{}
	return op
}

// named returns the base of the name and the overload of a schema, whose parameters it does not read.
func named(schema string) (base, overload string) {
	full, _, _ := strings.Cut(schema, "(")
	base, overload, _ = strings.Cut(strings.TrimSpace(full), ".")
	return strings.Replace(base, "::", ".", 1), overload
}

// Hash is the hash of the name.
func (op *Op) Hash() Hash { return op.hash }

// Functional returns the operator that an in-place variant computes, or op.
func (op *Op) Functional() *Op {
	if op.of != nil {
		return op.of
	}
	return op
}

// IsInplace reports whether the operator writes its first argument.
func (op *Op) IsInplace() bool { return op.of != nil }

// IsInplaceView reports whether the operator makes its first argument a view of its earlier value ("transpose_").
func (op *Op) IsInplaceView() bool { return op.of != nil && op.of.View != nil }

// IsView reports whether the result aliases the first argument.
func (op *Op) IsView() bool {
	return op.View != nil && len(op.Parsed().Returns) > 0 && op.Parsed().Returns[0].Alias != 0
}

// inplaceOf derives "add_.Tensor" from "add.Tensor".
func inplaceOf(op *Op) *Op {
	base, overload := named(op.Schema)
	return (&Op{Schema: op.Schema, Infer: op.Infer, ReadsMemory: op.ReadsMemory, of: op}).called(base+"_", overload)
}

// registerInplace registers an in-place variant whose name is not the functional
// one's with an underscore ("transpose_" of "transpose.int").
func registerInplace(schema, functional string) {
	of := MustLookup(functional)
	must(registered().add(&Op{Schema: schema, of: of, Infer: of.Infer}))
}
