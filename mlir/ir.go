package mlir

// Operation is one operation: a name, operands, results, attributes, regions
// and a location. A module is an Operation named "builtin.module".
type Operation struct {
	Name       string // with its dialect: "arith.addf"
	Operands   []*Value
	Results    []*Value
	Attrs      Attrs
	Regions    []*Region
	Successors []Successor
	Loc        Location
	Block      *Block // the block that holds the operation; nil at the top
	place      int    // see [Block.Number]
}

// Value is the result of an operation or the argument of a block.
type Value struct {
	Type  Type
	Name  string     // a hint for the printer, without "%"; may be empty
	Def   *Operation // the operation that makes it; nil for a block argument
	Index int        // its place among the results or arguments
	Owner *Block     // the block of a block argument
}

// Successor is a branch target with the values it passes.
type Successor struct {
	Block *Block
	Args  []*Value
}

// Region is a list of blocks inside an operation.
type Region struct {
	Blocks []*Block
	Parent *Operation
}

// Block is a list of operations with arguments.
type Block struct {
	Label  string // a hint for the printer, without "^"
	Args   []*Value
	Ops    []*Operation
	Region *Region
}

// Number counts the operations of the block, for [Operation.Place]. The numbers hold until the block changes.
func (b *Block) Number() {
	for i, op := range b.Ops {
		op.place = i
	}
}

// Place is the number of the operation in its block, as of the last [Block.Number].
func (op *Operation) Place() int { return op.place }

// NewOp makes an operation with results of the given types. It belongs to no
// block until [Block.Append] puts it into one.
func NewOp(name string, operands []*Value, results []Type, attrs Attrs) *Operation {
	if len(results) == 1 { // most have one result, which then lies beside the operation
		var s struct {
			op      Operation
			result  Value
			results [1]*Value
		}
		s.op = Operation{Name: name, Operands: operands, Attrs: attrs, Results: s.results[:]}
		s.result = Value{Type: results[0], Def: &s.op}
		s.results[0] = &s.result
		return &s.op
	}
	op := &Operation{Name: name, Operands: operands, Attrs: attrs}
	op.Results = make([]*Value, len(results))
	for i, t := range results {
		op.Results[i] = &Value{Type: t, Def: op, Index: i}
	}
	return op
}

// Result returns the first result; operations without one give nil.
func (op *Operation) Result() *Value {
	if len(op.Results) == 0 {
		return nil
	}
	return op.Results[0]
}

// AddRegion appends a region with no blocks.
func (op *Operation) AddRegion() *Region {
	r := &Region{Parent: op}
	op.Regions = append(op.Regions, r)
	return r
}

// Body returns the first block of the first region, or nil.
func (op *Operation) Body() *Block {
	if len(op.Regions) == 0 || len(op.Regions[0].Blocks) == 0 {
		return nil
	}
	return op.Regions[0].Blocks[0]
}

// Parent returns the operation whose region holds op, or nil.
func (op *Operation) Parent() *Operation {
	if op.Block == nil || op.Block.Region == nil {
		return nil
	}
	return op.Block.Region.Parent
}

// AddBlock appends a block with arguments of the given types.
func (r *Region) AddBlock(args ...Type) *Block {
	b := &Block{Region: r, Args: make([]*Value, len(args))}
	r.Blocks = append(r.Blocks, b)
	values := make([]Value, len(args))
	for i, t := range args {
		values[i] = Value{Type: t, Index: i, Owner: b}
		b.Args[i] = &values[i]
	}
	return b
}

// AddArg appends an argument.
func (b *Block) AddArg(t Type) *Value {
	v := &Value{Type: t, Index: len(b.Args), Owner: b}
	b.Args = append(b.Args, v)
	return v
}

// Append puts op at the end of the block and returns it.
func (b *Block) Append(op *Operation) *Operation {
	op.Block = b
	b.Ops = append(b.Ops, op)
	return op
}

// Terminator returns the last operation, or nil.
func (b *Block) Terminator() *Operation {
	if len(b.Ops) == 0 {
		return nil
	}
	return b.Ops[len(b.Ops)-1]
}

// NewModule returns an empty builtin.module with one block.
func NewModule() *Operation {
	m := NewOp("builtin.module", nil, nil, nil)
	m.AddRegion().AddBlock()
	return m
}

// Walk visits op and everything inside it, an operation before its regions. It
// does not recurse, so nesting costs no stack.
func (op *Operation) Walk(visit func(*Operation)) {
	if len(op.Regions) == 0 {
		visit(op)
		return
	}
	var room [16]*Operation // most are not deep
	stack := append(room[:0], op)
	for len(stack) > 0 {
		top := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		visit(top)
		for r := len(top.Regions) - 1; r >= 0; r-- {
			blocks := top.Regions[r].Blocks
			for b := len(blocks) - 1; b >= 0; b-- {
				for i := len(blocks[b].Ops) - 1; i >= 0; i-- {
					stack = append(stack, blocks[b].Ops[i])
				}
			}
		}
	}
}

// Funcs returns the func.func operations of a module, in order.
func (op *Operation) Funcs() []*Operation {
	var funcs []*Operation
	if body := op.Body(); body != nil {
		for _, o := range body.Ops {
			if o.Name == "func.func" {
				funcs = append(funcs, o)
			}
		}
	}
	return funcs
}

// Func returns the function of the given symbol name, or nil.
func (op *Operation) Func(name string) *Operation {
	for _, f := range op.Funcs() {
		if f.Symbol() == name {
			return f
		}
	}
	return nil
}
