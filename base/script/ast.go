package script

import "fmt"

// Position is a place in a file; lines and columns count from 1, columns in bytes.
type Position struct {
	File      string
	Line, Col int
}

// String returns file:line:col.
func (p Position) String() string { return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col) }

// Error is a fault of the text.
type Error struct {
	Position Position
	Message  string
}

func (e *Error) Error() string { return e.Position.String() + ": " + e.Message }

// File is one source file.
type File struct {
	Name      string
	Classes   []*Class
	Functions []*Function
	Version   int // op_version_set of the first releases of the format, else 0
}

// Class is a class definition. Modules, named tuples, enumerations and interfaces differ by Base.
type Class struct {
	Position Position
	Name     string
	Base     string // Module, NamedTuple, Enum, Interface, ModuleInterface or empty
	Fields   []*Field
	Methods  []*Function
}

// Method returns the method of the given name, or nil.
func (c *Class) Method(name string) *Function {
	for _, m := range c.Methods {
		if m.Name == name {
			return m
		}
	}
	return nil
}

// Field returns the field of the given name, or nil.
func (c *Class) Field(name string) *Field {
	for _, f := range c.Fields {
		if f.Name == name {
			return f
		}
	}
	return nil
}

// Field is an attribute that a class declares: `name : Type`, `name : Final[Type] = value`,
// `__annotations__["name"] = Type` or `name = value` (an enumeration's member).
type Field struct {
	Position Position
	Name     string
	Type     Expr // nil if not declared
	Value    Expr // nil if each object has its own
}

// Function is a function or a method.
type Function struct {
	Position   Position
	Name       string
	Parameters []*Parameter
	Result     Expr // the type, or nil
	Body       []Stmt
}

// Parameter is one parameter of a function.
type Parameter struct {
	Position    Position
	Name        string
	Type        Expr // nil if not declared
	Default     Expr // nil if required
	KeywordOnly bool
}

// Stmt is a statement.
type Stmt interface{ Pos() Position }

// The statements.
type (
	// Assign is `a = v`, `a, b, = v`, `a = b = v` and, with a type, `a : T = v`.
	Assign struct {
		Position Position
		Targets  []Expr // Name, Attribute, Subscript, Tuple or List
		Type     Expr   // nil if not declared
		Value    Expr   // nil in a mere declaration
	}
	// AugmentedAssign is `a += v`; Op is the operator without the equals sign.
	AugmentedAssign struct {
		Position Position
		Target   Expr
		Op       string
		Value    Expr
	}
	// ExprStmt evaluates an expression for its effect.
	ExprStmt struct{ Value Expr }
	// Return leaves a function; Value may be nil.
	Return struct {
		Position Position
		Value    Expr
	}
	// If is a branch; elif is an If in Else.
	If struct {
		Position   Position
		Condition  Expr
		Then, Else []Stmt
	}
	// While loops while Condition holds.
	While struct {
		Position  Position
		Condition Expr
		Body      []Stmt
	}
	// For loops over the items of Iterable.
	For struct {
		Position Position
		Target   Expr
		Iterable Expr
		Body     []Stmt
	}
	// With enters a context for the time of Body; Target may be nil.
	With struct {
		Position Position
		Context  Expr
		Target   Expr
		Body     []Stmt
	}
	// Raise fails; Value may be nil.
	Raise struct {
		Position Position
		Value    Expr
	}
	// Assert fails with Message (may be nil) unless Condition holds.
	Assert struct {
		Position           Position
		Condition, Message Expr
	}
	// Define binds a nested function to its name.
	Define struct{ Function *Function }
	// Pass does nothing.
	Pass struct{ Position Position }
	// Break leaves the innermost loop.
	Break struct{ Position Position }
	// Continue begins the innermost loop's next round.
	Continue struct{ Position Position }
)

// Pos returns where the statement begins.
func (s *Assign) Pos() Position          { return s.Position }
func (s *AugmentedAssign) Pos() Position { return s.Position }
func (s *ExprStmt) Pos() Position        { return s.Value.Pos() }
func (s *Return) Pos() Position          { return s.Position }
func (s *If) Pos() Position              { return s.Position }
func (s *While) Pos() Position           { return s.Position }
func (s *For) Pos() Position             { return s.Position }
func (s *With) Pos() Position            { return s.Position }
func (s *Raise) Pos() Position           { return s.Position }
func (s *Assert) Pos() Position          { return s.Position }
func (s *Define) Pos() Position          { return s.Function.Position }
func (s *Pass) Pos() Position            { return s.Position }
func (s *Break) Pos() Position           { return s.Position }
func (s *Continue) Pos() Position        { return s.Position }

// Expr is an expression.
type Expr interface{ Pos() Position }

// The expressions.
type (
	// Name is an identifier.
	Name struct {
		Position Position
		Name     string
	}
	// Literal is a constant: nil (None), bool, int64, float64, complex128 or string.
	Literal struct {
		Position Position
		Value    any
	}
	// Attribute is `X.Name`.
	Attribute struct {
		Position Position // of the name
		X        Expr
		Name     string
	}
	// Subscript is `X[Index]`.
	Subscript struct {
		Position Position // of the bracket
		X, Index Expr
	}
	// Slice is `Low:High:Step` inside of brackets; absent parts are nil.
	Slice struct {
		Position        Position
		Low, High, Step Expr
	}
	// Call is `Func(Args..., Keywords...)`.
	Call struct {
		Position Position // of Func's name
		Func     Expr
		Args     []Expr
		Keywords []Keyword
	}
	// List is `[a, b]`.
	List struct {
		Position Position
		Items    []Expr
	}
	// Tuple is `(a, b)`, also without parentheses.
	Tuple struct {
		Position Position
		Items    []Expr
	}
	// Dict is `{k: v}`.
	Dict struct {
		Position     Position
		Keys, Values []Expr
	}
	// Unary is `-x`, `+x`, `~x` or `not x`.
	Unary struct {
		Position Position
		Op       string
		X        Expr
	}
	// Binary is an arithmetic or bitwise operation, or `and` and `or`, which look at Y only if X
	// leaves the result open.
	Binary struct {
		Position Position // of the operator
		Op       string
		X, Y     Expr
	}
	// Compare is a chain such as `a < b <= c`. The operators are those of Python, among them
	// `in`, `not in`, `is` and `is not`.
	Compare struct {
		Position Position // of the first operator
		X        Expr
		Ops      []string
		Ys       []Expr
	}
	// Conditional is `Then if Condition else Else`.
	Conditional struct {
		Position              Position
		Condition, Then, Else Expr
	}
)

// Keyword is a named argument.
type Keyword struct {
	Name  string
	Value Expr
}

// Pos returns the place that messages about the expression name.
func (e *Name) Pos() Position        { return e.Position }
func (e *Literal) Pos() Position     { return e.Position }
func (e *Attribute) Pos() Position   { return e.Position }
func (e *Subscript) Pos() Position   { return e.Position }
func (e *Slice) Pos() Position       { return e.Position }
func (e *Call) Pos() Position        { return e.Position }
func (e *List) Pos() Position        { return e.Position }
func (e *Tuple) Pos() Position       { return e.Position }
func (e *Dict) Pos() Position        { return e.Position }
func (e *Unary) Pos() Position       { return e.Position }
func (e *Binary) Pos() Position      { return e.Position }
func (e *Compare) Pos() Position     { return e.Position }
func (e *Conditional) Pos() Position { return e.Position }
