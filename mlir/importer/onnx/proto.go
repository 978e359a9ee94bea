package onnx

// The messages of onnx.proto, as far as they say what a model computes. Field numbers are those of
// https://github.com/onnx/onnx/blob/main/onnx/onnx.proto.

type modelProto struct {
	graph     *graph
	opsets    map[string]int64 // versions by domain
	functions map[functionKey]*function
}

type functionKey struct{ domain, name string }

type graph struct {
	nodes        []*nodeProto
	initializers []*tensorProto
	inputs       []valueInfo
	outputs      []valueInfo
}

type nodeProto struct {
	index      int // in its graph, for messages
	inputs     []string
	outputs    []string
	name       string
	op         string
	domain     string
	attributes map[string]*attribute
}

type attribute struct {
	name    string
	ref     string // of an attribute of the function around the node
	float   float32
	int     int64
	text    string
	tensor  *tensorProto
	graph   *graph
	floats  []float32
	ints    []int64
	strings []string
}

type function struct {
	name     string
	inputs   []string
	outputs  []string
	defaults map[string]*attribute // of attributes that a call may leave out
	nodes    []*nodeProto
	opsets   map[string]int64
}

type tensorProto struct {
	at       int // offset in the file
	name     string
	dims     []int64
	elem     int64
	raw      []byte
	hasRaw   bool
	words32  []uint32 // float_data
	words64  []uint64 // double_data
	ints     []int64  // int32_data, int64_data, uint64_data
	texts    []string // string_data
	external map[string]string
}

// valueInfo is an input or output with its type.
type valueInfo struct {
	name string
	kind int   // field of the type; 0 if there is none
	elem int64 // 0 if the type is unknown or not a tensor
	dims []dim
	// ranked reports whether there is a shape.
	ranked bool
}

// dim is an extent: a number, or a parameter's name, or neither.
type dim struct {
	value int64
	param string
	known bool
}

// maxNesting bounds subgraphs within subgraphs.
const maxNesting = 64

func decodeModel(m *message) *modelProto {
	p := &modelProto{opsets: map[string]int64{}, functions: map[functionKey]*function{}}
	for m.more() {
		switch m.number {
		case 7:
			p.graph = decodeGraph(m.sub(), 0)
		case 8:
			decodeOpset(m.sub(), p.opsets)
		case 25:
			f, domain := decodeFunction(m.sub())
			p.functions[functionKey{domain, f.name}] = f
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
	versions[canonicalDomain(domain)] = version
}

func canonicalDomain(d string) string {
	if d == "ai.onnx" {
		return ""
	}
	return d
}

func decodeGraph(m *message, depth int) *graph {
	if depth > maxNesting {
		m.fail("subgraphs are nested more than %d deep", maxNesting)
	}
	g := &graph{}
	for m.more() {
		switch m.number {
		case 1:
			n := decodeNode(m.sub(), depth)
			n.index = len(g.nodes)
			g.nodes = append(g.nodes, n)
		case 5:
			g.initializers = append(g.initializers, decodeTensor(m.sub()))
		case 11:
			g.inputs = append(g.inputs, decodeValueInfo(m.sub()))
		case 12:
			g.outputs = append(g.outputs, decodeValueInfo(m.sub()))
		case 15:
			m.fail("sparse initializers are not supported")
		}
	}
	return g
}

func decodeNode(m *message, depth int) *nodeProto {
	n := &nodeProto{attributes: map[string]*attribute{}}
	for m.more() {
		switch m.number {
		case 1:
			n.inputs = append(n.inputs, m.text())
		case 2:
			n.outputs = append(n.outputs, m.text())
		case 3:
			n.name = m.text()
		case 4:
			n.op = m.text()
		case 5:
			a := decodeAttribute(m.sub(), depth)
			n.attributes[a.name] = a
		case 7:
			n.domain = canonicalDomain(m.text())
		}
	}
	return n
}

func decodeAttribute(m *message, depth int) *attribute {
	a := &attribute{}
	for m.more() {
		switch m.number {
		case 1:
			a.name = m.text()
		case 2:
			a.float = m.float()
		case 3:
			a.int = m.int()
		case 4:
			a.text = m.text()
		case 5:
			a.tensor = decodeTensor(m.sub())
		case 6:
			a.graph = decodeGraph(m.sub(), depth+1)
		case 7:
			a.floats = floatsOf(m.words32(nil), a.floats)
		case 8:
			a.ints = m.ints(a.ints)
		case 9:
			a.strings = append(a.strings, m.text())
		case 21:
			a.ref = m.text()
		}
	}
	return a
}

func decodeFunction(m *message) (f *function, domain string) {
	f = &function{defaults: map[string]*attribute{}, opsets: map[string]int64{}}
	for m.more() {
		switch m.number {
		case 1:
			f.name = m.text()
		case 4:
			f.inputs = append(f.inputs, m.text())
		case 5:
			f.outputs = append(f.outputs, m.text())
		case 7:
			n := decodeNode(m.sub(), 0)
			n.index = len(f.nodes)
			f.nodes = append(f.nodes, n)
		case 9:
			decodeOpset(m.sub(), f.opsets)
		case 10:
			domain = canonicalDomain(m.text())
		case 11:
			a := decodeAttribute(m.sub(), 0)
			f.defaults[a.name] = a
		}
	}
	return f, domain
}

func decodeTensor(m *message) *tensorProto {
	t := &tensorProto{at: m.base}
	for m.more() {
		switch m.number {
		case 1:
			t.dims = m.ints(t.dims)
		case 2:
			t.elem = m.int()
		case 4:
			t.words32 = m.words32(t.words32)
		case 5, 7, 11:
			t.ints = m.ints(t.ints)
		case 6:
			t.texts = append(t.texts, m.text())
		case 8:
			t.name = m.text()
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
func decodeValueInfo(m *message) valueInfo {
	var v valueInfo
	for m.more() {
		switch m.number {
		case 1:
			v.name = m.text()
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

func (v *valueInfo) decodeTensorType(m *message) {
	for m.more() {
		switch m.number {
		case 1:
			v.elem = m.int()
		case 2:
			v.ranked = true
			for s := m.sub(); s.more(); {
				if s.number == 1 {
					v.dims = append(v.dims, decodeDim(s.sub()))
				}
			}
		}
	}
}

func decodeDim(m *message) dim {
	var d dim
	for m.more() {
		switch m.number {
		case 1:
			d.value, d.known = m.int(), true
		case 2:
			d.param = m.text()
		}
	}
	return d
}
