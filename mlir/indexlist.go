package mlir

import "strconv"

// DynamicIndexList reads a list such as [1, %a, 2] between two brackets. The entries that are operands are
// [DynamicStride] in the list.
func (p *Parser) DynamicIndexList(open, closing string) (list DenseArrayAttr, operands []Ref) {
	list = DenseArrayAttr{Elem: I64, Ints: []int64{}}
	p.List(open, closing, func() {
		if p.NextOperand() {
			operands = append(operands, p.Operand())
			list.Ints = append(list.Ints, DynamicStride)
			return
		}
		list.Ints = append(list.Ints, int64(p.Int()))
	})
	return list, operands
}

// DynamicIndexList prints a list that [Parser.DynamicIndexList] reads, with the operands in the place of its dynamic
// entries.
func (p *Printer) DynamicIndexList(open, closing string, list Attribute, operands []*Value) {
	ints, _ := IntList(list)
	p.Text(open)
	for i, n := range ints {
		if i > 0 {
			p.Text(", ")
		}
		if n == DynamicStride && len(operands) > 0 {
			p.Value(operands[0])
			operands = operands[1:]
			continue
		}
		p.Text(strconv.Itoa(n))
	}
	p.Text(closing)
}
