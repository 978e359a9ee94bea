package jinja

// expression is a node that has a value.
type expression interface{ pos() position }

func (p position) pos() position { return p }

type (
	constant struct {
		position
		value any
	}
	variable struct {
		position
		name string
	}
	listLiteral struct {
		position
		items []expression
	}
	tupleLiteral struct {
		position
		items []expression
	}
	dictLiteral struct {
		position
		keys, values []expression
	}
	attribute struct { // of.name
		position
		of   expression
		name string
	}
	item struct { // of[index]
		position
		of, index expression
	}
	slice struct { // of[from:to:step]; parts that are missing are nil
		position
		of    expression
		parts [3]expression
	}
	call struct {
		position
		function expression
		arguments
	}
	filter struct { // of|name(...); of is nil where a block is filtered
		position
		of   expression
		name string
		arguments
	}
	test struct { // of is name(...)
		position
		of   expression
		name string
		arguments
	}
	unary struct {
		position
		operator string // - + not
		of       expression
	}
	binary struct {
		position
		operator    string // + - * / // % ** and or
		left, right expression
	}
	comparison struct { // first < second <= third
		position
		first     expression
		operators []string
		rest      []expression
	}
	concatenation struct {
		position
		parts []expression
	}
	conditional struct { // then if condition else otherwise, which may be nil
		position
		condition, then, otherwise expression
	}
	member struct { // name.field as the target of set
		position
		name, field string
	}
)

// arguments are what a call passes, as the template writes them.
type arguments struct {
	positional []expression
	names      []string
	named      []expression
	rest       expression // behind *
	restNamed  expression // behind **
}

// statement is a node that writes or sets.
type statement any

type (
	text  string
	print struct{ of expression }
	set   struct {
		position
		target expression // a name, a member, or a tuple of them
		value  expression
	}
	setBlock struct {
		position
		target expression
		filter expression // may be nil
		body   []statement
	}
	choice struct { // if, elif, else
		conditions []expression
		bodies     [][]statement // one more where there is an else
	}
	loop struct {
		position
		target       expression
		over         expression
		condition    expression // may be nil
		recursive    bool
		body, orElse []statement
	}
	with struct {
		position
		targets, values []expression
		body            []statement
	}
	macro struct {
		position
		name     string
		params   []string
		defaults []expression // of the last parameters
		body     []statement
		varargs  bool // the body reads the name
		kwargs   bool
		caller   bool
	}
	callBlock struct {
		position
		call   *call
		caller *macro
	}
	filterBlock struct {
		position
		filter expression
		body   []statement
	}
	generation struct{ body []statement } // the tag generation, which marks what a model wrote
	leave      struct{ again bool }       // break, or continue
)
