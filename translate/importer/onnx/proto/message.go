package proto

import (
	"fmt"

	"bytes"
)

// Model is a file: its graph, the versions of the operators that it asks for, and functions that nodes may call.
type Model struct {
	Graph     *Graph
	Opsets    map[string]int64 // versions by domain
	Functions map[Key]*Function
}

// Key names an operator or a function; functions of one name may differ in the overload. The domain of ai.onnx is
// empty.
type Key struct{ Domain, Name, Overload string }

// Graph is a graph of nodes with known initializers. Each node stands behind the nodes whose results it needs.
type Graph struct {
	Nodes        []*Node
	Initializers []*Tensor
	Inputs       []ValueInfo
	Outputs      []ValueInfo
}

// Node is a call of an operator or a function. An empty name stands for an input or output that is left out.
type Node struct {
	Index      int // in its graph, for messages
	Inputs     []string
	Outputs    []string
	Name       string
	Op         string
	Domain     string
	Overload   string
	Attributes map[string]*Attribute
}

// Key names what the node calls.
func (n *Node) Key() Key { return Key{Domain: n.Domain, Name: n.Op, Overload: n.Overload} }

// AttributeType is the type of an attribute.
type AttributeType int64

// The types of attributes, as files number them.
const (
	Untyped AttributeType = iota
	Float
	Int
	Text
	TensorType
	GraphType
	Floats
	Ints
	Strings
)

// String names the type.
func (t AttributeType) String() string {
	names := []string{"no value", "a number", "a whole number", "a text", "a tensor", "a graph", "a list of numbers", "a list of whole numbers", "a list of texts"}
	if t < 0 || int(t) >= len(names) {
		return fmt.Sprintf("a value of type %d", int64(t))
	}
	return names[t]
}

// Attribute is an attribute of a node, in the field of its type.
type Attribute struct {
	Name    string
	Type    AttributeType // Untyped in files before version 3 of the format
	Ref     string        // of an attribute of the function around the node
	Float   float32
	Int     int64
	Text    string
	Tensor  *Tensor
	Graph   *Graph
	Floats  []float32
	Ints    []int64
	Strings []string
}

// Function is a function of the model. It has opsets of its own where the file says so.
type Function struct {
	Name     string
	Inputs   []string
	Outputs  []string
	Defaults map[string]*Attribute // of attributes that a call may leave out
	Nodes    []*Node
	Opsets   map[string]int64
}

// Tensor is a tensor of the file. [Tensor.Strings] and [Loader.Buffer] return its elements.
type Tensor struct {
	Name string
	Elem int64 // the number of its element type; see [DTypeOf]

	at       int // offset in the file
	dims     []int64
	raw      []byte
	hasRaw   bool
	words32  []uint32 // float_data
	words64  []uint64 // double_data
	ints     []int64  // int32_data, int64_data, uint64_data
	texts    []string // string_data
	external map[string]string
}

// ValueInfo is an input or output with its type.
type ValueInfo struct {
	Name   string
	Elem   int64 // 0 if the type is unknown or not a tensor
	Dims   []Dim
	Ranked bool // whether there is a shape

	kind int // field of the type; 0 if there is none
}

// Dim is an extent: a number, or a parameter's name, or neither.
type Dim struct {
	Value int64
	Param string
	Known bool
}

// maxNesting bounds subgraphs within subgraphs.
const maxNesting = 64

// Read decodes a model and puts its nodes in order. Its tensors keep parts of data. Errors have the offset of the byte;
// a file without a graph is one, and so is a zip archive.
func Read(data []byte) (p *Model, err error) {
	defer catch(&err)
	if bytes.HasPrefix(data, []byte("PK\x03\x04")) {
		failf("no ONNX model: it is a zip archive, such as .pt and .pt2 files of PyTorch are")
	}
	p = decodeModel(newMessage(data, 0))
	if p.Graph == nil {
		failf("no ONNX model: it has no graph")
	}
	p.Graph.sort()
	for _, f := range p.Functions {
		sortGraphs(f.Defaults)
		for _, n := range f.Nodes {
			sortGraphs(n.Attributes)
		}
	}
	return p, nil
}

func decodeModel(m *message) *Model {
	p := &Model{Opsets: map[string]int64{}, Functions: map[Key]*Function{}}
	for m.more() {
		switch m.number {
		case 7:
			p.Graph = decodeGraph(m.sub(), 0)
		case 8:
			decodeOpset(m.sub(), p.Opsets)
		case 25:
			f, key := decodeFunction(m.sub())
			if p.Functions[key] != nil {
				m.fail("there are two functions %q of the domain %q with the overload %q", key.Name, key.Domain, key.Overload)
			}
			p.Functions[key] = f
		}
	}
	return p
}

func decodeOpset(m *message, versions map[string]int64) {
	domain, version := "", int64(0)
	for m.more() {
		switch m.number {
		case 1:
			domain = m.text()
		case 2:
			version = m.int()
		}
	}
	domain = canonicalDomain(domain)
	if before, ok := versions[domain]; ok && before != version {
		m.fail("versions %d and %d of the domain %q are imported", before, version, domain)
	}
	versions[domain] = version
}

func canonicalDomain(d string) string {
	if d == "ai.onnx" {
		return ""
	}
	return d
}

func decodeGraph(m *message, depth int) *Graph {
	if depth > maxNesting {
		m.fail("subgraphs are nested more than %d deep", maxNesting)
	}
	g := &Graph{}
	for m.more() {
		switch m.number {
		case 1:
			n := decodeNode(m.sub(), depth)
			n.Index = len(g.Nodes)
			g.Nodes = append(g.Nodes, n)
		case 5:
			g.Initializers = append(g.Initializers, decodeTensor(m.sub()))
		case 11:
			g.Inputs = append(g.Inputs, decodeValueInfo(m.sub()))
		case 12:
			g.Outputs = append(g.Outputs, decodeValueInfo(m.sub()))
		case 15:
			m.fail("sparse initializers are not supported")
		}
	}
	return g
}

func decodeNode(m *message, depth int) *Node {
	n := &Node{Attributes: map[string]*Attribute{}}
	for m.more() {
		switch m.number {
		case 1:
			n.Inputs = append(n.Inputs, m.text())
		case 2:
			n.Outputs = append(n.Outputs, m.text())
		case 3:
			n.Name = m.text()
		case 4:
			n.Op = m.text()
		case 5:
			a := decodeAttribute(m.sub(), depth)
			if n.Attributes[a.Name] != nil {
				failf("two attributes of a node (%s) are named %q", n.Op, a.Name)
			}
			n.Attributes[a.Name] = a
		case 7:
			n.Domain = canonicalDomain(m.text())
		case 8:
			n.Overload = m.text()
		}
	}
	return n
}

func decodeAttribute(m *message, depth int) *Attribute {
	a := &Attribute{}
	for m.more() {
		switch m.number {
		case 1:
			a.Name = m.text()
		case 2:
			a.Float = m.float()
		case 3:
			a.Int = m.int()
		case 4:
			a.Text = m.text()
		case 5:
			a.Tensor = decodeTensor(m.sub())
		case 6:
			a.Graph = decodeGraph(m.sub(), depth+1)
		case 7:
			a.Floats = floatsOf(m.words32(nil), a.Floats)
		case 8:
			a.Ints = m.ints(a.Ints)
		case 9:
			a.Strings = append(a.Strings, m.text())
		case 20:
			a.Type = AttributeType(m.int())
		case 21:
			a.Ref = m.text()
		}
	}
	return a
}

func decodeFunction(m *message) (f *Function, key Key) {
	f = &Function{Defaults: map[string]*Attribute{}, Opsets: map[string]int64{}}
	for m.more() {
		switch m.number {
		case 1:
			key.Name = m.text()
		case 4:
			f.Inputs = append(f.Inputs, m.text())
		case 5:
			f.Outputs = append(f.Outputs, m.text())
		case 7:
			n := decodeNode(m.sub(), 0)
			n.Index = len(f.Nodes)
			f.Nodes = append(f.Nodes, n)
		case 9:
			decodeOpset(m.sub(), f.Opsets)
		case 10:
			key.Domain = canonicalDomain(m.text())
		case 11:
			a := decodeAttribute(m.sub(), 0)
			f.Defaults[a.Name] = a
		case 13:
			key.Overload = m.text()
		}
	}
	f.Name = key.Name
	return f, key
}

func decodeTensor(m *message) *Tensor {
	t := &Tensor{at: m.base}
	for m.more() {
		switch m.number {
		case 1:
			t.dims = m.ints(t.dims)
		case 2:
			t.Elem = m.int()
		case 4:
			t.words32 = m.words32(t.words32)
		case 5, 7, 11:
			t.ints = m.ints(t.ints)
		case 6:
			t.texts = append(t.texts, m.text())
		case 8:
			t.Name = m.text()
		case 9:
			m.want(wireBytes)
			t.raw, t.hasRaw = m.bytes, true
		case 10:
			t.words64 = m.words64(t.words64)
		case 13:
			key, value := decodeEntry(m.sub())
			if t.external == nil {
				t.external = map[string]string{}
			}
			t.external[key] = value
		}
	}
	return t
}

func decodeEntry(m *message) (key, value string) {
	for m.more() {
		switch m.number {
		case 1:
			key = m.text()
		case 2:
			value = m.text()
		}
	}
	return key, value
}

// decodeValueInfo reads a name with its type; only types of tensors are kept.
func decodeValueInfo(m *message) ValueInfo {
	var v ValueInfo
	for m.more() {
		switch m.number {
		case 1:
			v.Name = m.text()
		case 2:
			for t := m.sub(); t.more(); {
				v.kind = t.number
				if t.number == 1 {
					v.decodeTensorType(t.sub())
				}
			}
		}
	}
	return v
}

func (v *ValueInfo) decodeTensorType(m *message) {
	for m.more() {
		switch m.number {
		case 1:
			v.Elem = m.int()
		case 2:
			v.Ranked = true
			for s := m.sub(); s.more(); {
				if s.number == 1 {
					v.Dims = append(v.Dims, decodeDim(s.sub()))
				}
			}
		}
	}
}

func decodeDim(m *message) Dim {
	var d Dim
	for m.more() {
		switch m.number {
		case 1:
			d.Value, d.Known = m.int(), true
		case 2:
			d.Param = m.text()
		}
	}
	return d
}
