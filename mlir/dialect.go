package mlir

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
)

// Trait is a set of facts about an operation.
type Trait uint32

// The traits.
const (
	// Terminator: ends its block.
	Terminator Trait = 1 << iota
	// Pure: no side effects; unused results make it dead, equal ones merge.
	Pure
	// IsolatedFromAbove: regions see no values from outside.
	IsolatedFromAbove
	// Commutative: the operands may be swapped.
	Commutative
	// ConstantLike: no operands, and the attribute "value" is the result.
	ConstantLike
	// SameOperandsAndResultType: all operands and results have one type.
	SameOperandsAndResultType
	// SameTypeOperands: all operands have one type.
	SameTypeOperands
	// SymbolTable: the operations of the body are found by their sym_name.
	SymbolTable
	// SingleBlock: each region holds at most one block.
	SingleBlock
	// NoTerminator: the blocks of the regions need no terminator.
	NoTerminator
	// GraphRegion: values of a region may be used before they are defined.
	GraphRegion
	// Elementwise: works on scalars, vectors and tensors element by element.
	Elementwise
	// RecursiveEffects: without effects unless an operation in a region has some
	// or an operand is memory.
	RecursiveEffects
	// Branch: passes values to its successors.
	Branch
)

// OpDef defines an operation.
type OpDef struct {
	// Name is the name with its dialect: "arith.addf".
	Name   string
	Traits Trait
	// Operands, Results and Regions are the exact numbers; [Variadic] is any.
	Operands, Results, Regions int
	// Verify checks what the traits do not say; the caller adds the position and
	// the name of the operation. It may be nil.
	Verify func(op *Operation) error
	// Parents are the operations in which it may stand; none are listed where any will do. A name that ends with a
	// point is the name of a dialect.
	Parents []string
	// Refers names the attribute that refers to a symbol of the nearest table, and RefersTo the
	// operation that must define it; empty names nothing.
	Refers, RefersTo string
	// Agrees checks op against the operation that defines the symbol; it may be nil.
	Agrees func(op, symbol *Operation) error
	// Parse reads the custom form behind the name and fills op; Print writes it.
	// Operations without them use the generic form.
	Parse func(p *Parser, op *Operation)
	Print func(p *Printer, op *Operation)
	// Shows reports whether the custom form has a place for all that op holds; nil
	// means yes.
	Shows func(op *Operation) bool
	// Fold returns one attribute or value for each result if the operation
	// computes something known; operands holds the attribute of each constant
	// operand, nil for the others. It may be nil.
	Fold func(op *Operation, operands []Attribute) []Folded
	// Simplify builds, with b in front of op, a simpler form of the results of op: other values, or fewer operations.
	// It returns nil where there is nothing simpler, and then builds nothing. It may be nil.
	Simplify func(b *Builder, op *Operation) []*Value
	// ResultName and ArgName suggest names to the printer ("cst"); they may be
	// nil, and an empty name means a number.
	ResultName func(op *Operation, result int) string
	ArgName    func(op *Operation, arg *Value) string
	// Properties names the attributes of the definition in order, those that may be absent with a question mark behind
	// them, and groups of operands and results as operandSegmentSizes:3; nil where the definition does not list them.
	Properties []string
	// DefaultDialect is the dialect whose name may be left out inside the
	// regions of the operation.
	DefaultDialect string
}

// Folded is the outcome of a fold: a value that exists already, or a constant.
type Folded struct {
	Value *Value
	Attr  Attribute
}

// Variadic as a number of operands, results or regions means any number.
const Variadic = -1

// Has reports whether all of the given traits hold.
func (d *OpDef) Has(t Trait) bool { return d != nil && d.Traits&t == t }

// Dialect is a named set of operations, types and attributes.
type Dialect struct {
	Name string
	Ops  []OpDef
	// Define makes further operations when one of the dialect is first looked up, so that no program makes at its start
	// what nobody asks for. It may be nil.
	Define func() []OpDef
	// Upstream says that LLVM's mlir-opt knows the dialect. The printer uses
	// custom forms of other dialects only on demand ([PrintOptions.Pretty]).
	Upstream bool
	// Unknown defines operations that Ops does not list, where their name is an identifier; nil refuses them.
	Unknown func(name string) *OpDef
	// ParseType and ParseAttr read a type or attribute after "!name.mnemonic" or
	// "#name.mnemonic". Without them the text is kept as it is.
	ParseType func(p *Parser, mnemonic string) Type
	ParseAttr func(p *Parser, mnemonic string) Attribute
	// CheckType and CheckAttr refuse a type or attribute that is kept as text, and CheckEncoding a tensor
	// whose encoding is an attribute of the dialect. They may be nil.
	CheckType     func(t OpaqueType) error
	CheckAttr     func(a OpaqueAttr) error
	CheckEncoding func(t TensorType) error
	// CheckUse refuses an attribute that is kept as text where op has it, alone or in arrays and dictionaries. It may
	// be nil.
	CheckUse func(op *Operation, a OpaqueAttr) error
	// CheckArgument refuses an attribute of the dialect at an argument or a result of a function, whose type is t. It
	// may be nil.
	CheckArgument func(name string, a Attribute, t Type) error
	// Constant makes an operation that yields the attribute, or nil if the
	// dialect has none; folding uses it.
	Constant func(a Attribute, t Type) *Operation

	once sync.Once
	defs map[string]*OpDef // what Ops and Define give, by name
}

var dialects = map[string]*Dialect{}

// RegisterDialect makes a dialect known. Dialect packages call it from init; it
// must not run at the same time as anything else of this package.
func RegisterDialect(d *Dialect) {
	if _, dup := dialects[d.Name]; dup {
		panic("BUG: mlir: dialect " + d.Name + " is registered twice")
	}
	dialects[d.Name] = d
}

// op returns the definition of an operation that the dialect lists, or nil.
func (d *Dialect) op(name string) *OpDef {
	d.once.Do(func() {
		all := d.Ops
		if d.Define != nil {
			all = append(slices.Clip(all), d.Define()...)
		}
		d.defs = make(map[string]*OpDef, len(all))
		for i := range all {
			def := &all[i]
			if _, dup := d.defs[def.Name]; dup || !strings.HasPrefix(def.Name, d.Name+".") {
				panic(fmt.Sprintf("BUG: mlir: operation %s of dialect %s", def.Name, d.Name))
			}
			d.defs[def.Name] = def
		}
	})
	return d.defs[name]
}

// Lookup returns the definition of an operation, or nil if it is not registered.
func Lookup(name string) *OpDef {
	d := DialectOf(name)
	if d == nil {
		return nil
	}
	def := d.op(name)
	if def == nil && d.Unknown != nil && isIdentifier(name) {
		return d.Unknown(name)
	}
	return def
}

// Def returns the definition of op, or nil if it is not registered.
func (op *Operation) Def() *OpDef { return Lookup(op.Name) }

// DialectOf returns the dialect of an operation's name, or nil.
func DialectOf(opName string) *Dialect {
	prefix, _, _ := strings.Cut(opName, ".")
	return dialects[prefix]
}

// Dialects lists the names of the registered dialects.
func Dialects() []string { return slices.Sorted(maps.Keys(dialects)) }
