package graph

// PortKey identifies an access, so that equal ones share a port.
type PortKey struct {
	Tensor  *Tensor
	offset  int
	Strides string
}

// PortKeyOf returns the key of what an access reads or writes with strides along some loops.
func PortKeyOf(a *Access, strides []int) PortKey {
	return PortKey{a.Tensor, a.Offset, string(appendInts(nil, strides))}
}

func appendInts(dst []byte, list []int) []byte {
	for _, v := range list {
		for range 8 {
			dst = append(dst, byte(v))
			v >>= 8
		}
	}
	return dst
}

// Inputs are the inputs of a node while its body is written: equal accesses share one.
type Inputs struct {
	Node  *Node
	Ports map[PortKey]int
}

// Port returns the number of the input that reads an access.
func (p *Inputs) Port(a Access) int {
	key := PortKeyOf(&a, a.Strides)
	if n, ok := p.Ports[key]; ok {
		return n
	}
	if p.Ports == nil {
		p.Ports = map[PortKey]int{}
	}
	p.Node.Ins = append(p.Node.Ins, a)
	p.Ports[key] = len(p.Node.Ins) - 1
	return len(p.Node.Ins) - 1
}
