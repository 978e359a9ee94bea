package mlir

// Builder appends operations to a block, all with one location.
type Builder struct {
	Block *Block
	Loc   Location
}

// At returns a builder at the end of a block.
func At(block *Block) *Builder { return &Builder{Block: block} }

// In returns a builder for another block with the same location.
func (b *Builder) In(block *Block) *Builder { return &Builder{Block: block, Loc: b.Loc} }

// Insert appends op; one without a location gets the builder's.
func (b *Builder) Insert(op *Operation) *Operation {
	if op.Loc.IsUnknown() {
		op.Loc = b.Loc
	}
	return b.Block.Append(op)
}

// Create makes and appends an operation.
func (b *Builder) Create(name string, operands []*Value, results []Type, attrs Attrs) *Operation {
	return b.Insert(NewOp(name, operands, results, attrs))
}
