package onnx

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/dialect/torch"
	"github.com/go-acap/acap/translate/importer"
	"github.com/go-acap/acap/translate/importer/onnx/proto"
)

// The names by which torch-mlir's importer of ONNX writes operators, their attributes, and what it says of the file.
const (
	torchOperator  = "onnx."
	torchAttribute = "torch.onnx."
	torchVersion   = "torch.onnx_meta.opset_version"
	torchVersions  = "torch.onnx_meta.opset_versions"
)

// IsTorch reports whether a function is what torch-mlir's importer makes of an ONNX model: torch.operator "onnx.X".
func IsTorch(f *mlir.Operation) bool {
	found := false
	f.Walk(func(op *mlir.Operation) {
		name, _ := op.Attrs.Get("name").(mlir.StringAttr)
		found = found || op.Name == "torch.operator" && strings.HasPrefix(string(name), torchOperator)
	})
	return found
}

// FromTorch returns the model of a function in torch-mlir's dialect whose operators are ONNX's. name stands for the
// file in messages. Errors name the operation that is no operator of ONNX; a function with several blocks is an error,
// and so is a version of the operators that is not supported.
func FromTorch(f *mlir.Operation, name string) (m *Model, err error) {
	defer catch(name, &err)
	m = &Model{Name: name, proto: &proto.Model{Opsets: map[string]int64{"": newestVersion, microsoft: 1, classical: 5, training: 1, preview: 1},
		Functions: map[proto.Key]*proto.Function{}}, weights: map[*proto.Tensor]*value{}}
	if v, ok := f.Attrs.Get(torchVersion).(mlir.IntegerAttr); ok {
		m.proto.Opsets[""] = v.Value
	}
	versions, _ := f.Attrs.Get(torchVersions).(mlir.DictAttr)
	for _, v := range versions {
		if n, ok := v.Value.(mlir.IntegerAttr); ok {
			m.proto.Opsets[v.Name] = n.Value
		}
	}
	if v := m.proto.Opsets[""]; v < oldestVersion || v > newestVersion {
		failf("version %d of the operators of ai.onnx; %d to %d are supported", v, oldestVersion, newestVersion)
	}
	r := &torchReader{model: m, names: map[*mlir.Value]string{}}
	body := f.Body()
	if body == nil || len(f.Regions[0].Blocks) != 1 {
		failf("the function %s is no graph: a body of one block", f.Symbol())
	}
	for i, v := range body.Args {
		in := proto.ValueInfo{Name: cmp.Or(v.Name, "input_"+strconv.Itoa(i))}
		if t, ok := torch.TensorOf(v.Type); ok {
			in.Elem, in.Ranked = proto.ElementOf(mlir.DTypeOf(t.Elem)), true
			for _, n := range t.Shape {
				in.Dims = append(in.Dims, proto.Dim{Value: int64(n), Known: n != mlir.Dynamic})
			}
		}
		r.names[v] = in.Name
		m.inputs = append(m.inputs, in)
	}
	m.proto.Graph = r.graph(body)
	m.proto.Graph.Inputs = m.inputs
	if err := m.proto.Graph.Check(); err != nil {
		failf("%w", err)
	}
	return m, nil
}

// torchReader makes graphs of blocks.
type torchReader struct {
	model *Model
	names map[*mlir.Value]string
	next  int
}

// name gives a value the name of a graph.
func (r *torchReader) name(v *mlir.Value) string {
	if r.names[v] == "" {
		r.next++
		r.names[v] = "%" + strconv.Itoa(r.next)
	}
	return r.names[v]
}

// graph reads the operations of a block, whose terminator names the outputs.
func (r *torchReader) graph(b *mlir.Block) *proto.Graph {
	g := &proto.Graph{}
	for _, v := range b.Args {
		if r.names[v] == "" {
			g.Inputs = append(g.Inputs, proto.ValueInfo{Name: r.name(v)})
		}
	}
	for _, op := range b.Ops {
		switch op.Name {
		case "torch.constant.none": // an input that is not given
			r.names[op.Result()] = " "
		case "torch.vtensor.literal":
			g.Initializers = append(g.Initializers, r.tensor(op, r.name(op.Result()), op.Attrs.Get("value")))
		case "torch.operator":
			g.Nodes = append(g.Nodes, r.node(op, len(g.Nodes)))
		case "func.return", "torch.operator_terminator":
			for _, v := range op.Operands {
				g.Outputs = append(g.Outputs, proto.ValueInfo{Name: r.name(v)})
			}
		default:
			failf("%v", op.Errorf("%s stands among operators of ONNX: convert all of them to torch.aten by torch-mlir's "+
				"convert-torch-onnx-to-torch", op.Name))
		}
	}
	return g
}

// node reads an operator.
func (r *torchReader) node(op *mlir.Operation, index int) *proto.Node {
	full, _ := op.Attrs.Get("name").(mlir.StringAttr)
	name, ok := strings.CutPrefix(string(full), torchOperator)
	if !ok {
		failf("%v", op.Errorf("the operator %s is none of ONNX", full))
	}
	n := &proto.Node{Index: index, Op: name, Domain: domainOf(name), Attributes: map[string]*proto.Attribute{}}
	if place := op.Loc.Short(); place != "" {
		n.Name = place
	}
	for _, v := range op.Operands {
		n.Inputs = append(n.Inputs, strings.TrimSpace(r.name(v)))
	}
	for _, v := range op.Results {
		n.Outputs = append(n.Outputs, r.name(v))
	}
	for _, a := range op.Attrs {
		if name, ok := strings.CutPrefix(a.Name, torchAttribute); ok {
			n.Attributes[name] = r.attribute(op, name, a.Value)
		}
	}
	for i, region := range op.Regions {
		if len(region.Blocks) != 1 {
			failf("%v", op.Errorf("a region of %d blocks is no graph", len(region.Blocks)))
		}
		name := "body"
		if n.Op == "If" { // graphs stand in the order of their names
			name = []string{"else_branch", "then_branch"}[min(i, 1)]
		}
		n.Attributes[name] = &proto.Attribute{Name: name, Graph: r.graph(region.Blocks[0])}
	}
	return n
}

// domainOf finds the domain of an operator, which the text does not tell: first it looks in ONNX's own.
func domainOf(name string) string {
	for _, domain := range []string{"", microsoft, classical, training, preview} {
		if operators[proto.Key{Domain: domain, Name: name}] != nil {
			return domain
		}
	}
	return ""
}

func (r *torchReader) attribute(op *mlir.Operation, name string, v mlir.Attribute) *proto.Attribute {
	a := &proto.Attribute{Name: name}
	switch v := v.(type) {
	case mlir.IntegerAttr:
		a.Int = v.Value
	case mlir.FloatAttr:
		a.Float = float32(v.Value)
	case mlir.StringAttr:
		a.Text = string(v)
	case mlir.ArrayAttr:
		for _, item := range v {
			switch item := item.(type) {
			case mlir.IntegerAttr:
				a.Ints = append(a.Ints, item.Value)
			case mlir.FloatAttr:
				a.Floats = append(a.Floats, float32(item.Value))
			case mlir.StringAttr:
				a.Strings = append(a.Strings, string(item))
			default:
				failf("%v", op.Errorf("attribute %s has an item %v", name, item))
			}
		}
	default:
		a.Tensor = r.tensor(op, "", v)
	}
	return a
}

// tensor makes a tensor of elements, which the model has at once.
func (r *torchReader) tensor(op *mlir.Operation, name string, a mlir.Attribute) *proto.Tensor {
	b, err := importer.Elements(a)
	if err != nil {
		failf("%v", op.Errorf("%w", err))
	}
	t := &proto.Tensor{Name: name, Elem: proto.ElementOf(b.DType)}
	r.model.weights[t] = &value{name: name, known: b}
	return t
}
